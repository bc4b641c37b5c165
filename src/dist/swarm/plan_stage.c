#include "dist/swarm/plan_stage.h"

enum {
    SMALL_JOB = 20000, // states: starting a worker costs more than that
    MOST_INTERVALS = 4096,
};

void gy_planner_init(gy_planner *p, gy_guide *guide)
{
    *p = (gy_planner){.guide = guide, .length = 1, .growth = 4};
    p->mass = gy_alloc_zero((gy_guide_parts(guide) + (size_t)1) * sizeof *p->mass);
}

void gy_planner_free(gy_planner *p)
{
    for (size_t i = 0; i < p->pending.n; i++)
        gy_vec_free(&p->pending.at[i].parts);
    gy_vec_free(&p->pending);
    gy_vec_free(&p->entries);
    gy_stage_free(p->stage);
    free(p->mass);
}

void gy_planner_add(gy_planner *p, uint64_t job, uint64_t print, const gy_part_count *parts,
                    size_t count)
{
    gy_pending pending = {.job = job, .print = print};
    for (size_t i = 0; i < count; i++)
        gy_vec_push(&pending.parts, parts[i]);
    if (count)
        gy_vec_push(&p->pending, pending);
}

// ---- the next stage ----------------------------------------------------------------------------

static void weigh_seeds(gy_planner *p)
{
    p->seeds = 0;
    memset(p->mass, 0, gy_guide_parts(p->guide) * sizeof *p->mass);
    for (size_t i = 0; i < p->pending.n; i++)
        for (size_t k = 0; k < p->pending.at[i].parts.n; k++) {
            const gy_part_count *c = &p->pending.at[i].parts.at[k];
            p->mass[c->part] += c->count;
        }
}

static uint64_t seeds_within(const gy_planner *p, uint32_t from, uint32_t to)
{
    uint64_t seeds = 0;
    for (uint32_t part = 0; part < gy_guide_parts(p->guide); part++)
        if (gy_guide_level(p->guide, part) >= from && gy_guide_level(p->guide, part) < to)
            seeds += p->mass[part];
    return seeds;
}

// Without feedback, whatever an edge from below leads to may be entered.
static void mark_enterable(const gy_planner *p, uint32_t from, uint8_t *entered)
{
    for (uint32_t part = 0; part < gy_guide_parts(p->guide); part++) {
        uint32_t count;
        const uint32_t *next = gy_guide_next(p->guide, part, &count);
        for (uint32_t i = 0; gy_guide_level(p->guide, part) < from && i < count; i++)
            entered[next[i]] = 1;
    }
}

static void find_entries(gy_planner *p, uint32_t from, uint32_t to)
{
    uint32_t parts = gy_guide_parts(p->guide);
    uint8_t *entered = gy_alloc_zero(parts + (size_t)1);
    if (!p->feedback)
        mark_enterable(p, from, entered);
    p->entries.n = 0;
    p->seeds = 0;
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t level = gy_guide_level(p->guide, part);
        if (level < from || level >= to || !(p->mass[part] || entered[part]))
            continue;
        gy_vec_push(&p->entries, part);
        p->seeds += p->mass[part];
    }
    free(entered);
}

// How many jobs a stage should begin with that reads so many seeds.
static uint32_t jobs_for(const gy_planner *p, uint64_t seeds)
{
    double states = (double)seeds * p->growth, jobs = 1;
    if (p->intervals)
        return p->intervals;
    if (p->job_states)
        jobs = states / ((double)p->job_states * 0.6);
    if (p->workers > 1 && states / SMALL_JOB > jobs)
        jobs = states / SMALL_JOB < p->workers ? states / SMALL_JOB
               : p->workers > jobs             ? p->workers
                                               : jobs;
    return jobs < 1 ? 1 : jobs > MOST_INTERVALS ? MOST_INTERVALS : (uint32_t)jobs;
}

bool gy_planner_next(gy_planner *p)
{
    uint32_t from = UINT32_MAX, levels = gy_guide_levels(p->guide);
    gy_stage_free(p->stage);
    p->stage = NULL;
    weigh_seeds(p);
    for (uint32_t part = 0; part < gy_guide_parts(p->guide) && from == UINT32_MAX; part++)
        if (p->mass[part])
            from = gy_guide_level(p->guide, part); // levels rise with the numbers of parts
    if (!p->started)
        from = 0;
    if (from == UINT32_MAX)
        return false;
    bool several = jobs_for(p, seeds_within(p, from, from + 1)) > 1;
    uint32_t length = p->fixed || several ? p->length : 0;
    uint32_t to = length && length < levels - from ? from + length : levels;
    p->single = !several;
    p->scout = p->single && !p->fixed && p->workers > 1;
    find_entries(p, from, to);
    if (!p->started) { // initial states come from nowhere
        p->entries.n = 0;
        for (uint32_t part = 0; part < gy_guide_parts(p->guide); part++)
            if (gy_guide_is_root(p->guide, part) && gy_guide_level(p->guide, part) < to)
                gy_vec_push(&p->entries, part);
    }
    p->started = true;
    p->stage = gy_stage_new(p->guide, from, to, p->entries.at, (uint32_t)p->entries.n);
    return true;
}

// ---- intervals
// -----------------------------------------------------------------------------------

// Seeds of an entry are spread evenly over its traces. The number of the trace below which there
// are `share` of `shares` of all seeds.
static void number_at(const gy_planner *p, uint64_t share, uint64_t shares, gy_bigint *number)
{
    uint64_t mass = (p->seeds ? p->seeds : p->entries.n) * share; // a seed counts as `shares`
    const gy_weights *w = p->stage->weights;
    gy_bigint_set_u64(number, 0);
    for (uint32_t e = 0; e < p->entries.n; e++) {
        const gy_bigint *traces = &w->weight[gy_stage_node(p->stage, p->entries.at[e])];
        uint64_t here = p->mass[p->entries.at[e]];
        here = (p->seeds ? here : 1) * shares;
        if (mass < here) {
            gy_bigint part;
            gy_bigint_init(&part);
            gy_bigint_set(&part, traces);
            gy_bigint_scale(&part, mass, here);
            gy_bigint_add(number, &part);
            gy_bigint_free(&part);
            return;
        }
        mass -= here;
        gy_bigint_add(number, traces);
    }
}

void gy_planner_cut(gy_planner *p, void (*see)(void *user, const gy_interval *interval), void *user)
{
    uint32_t jobs = jobs_for(p, p->seeds);
    gy_interval interval;
    gy_interval_init(&interval);
    if (p->single && !p->intervals)
        jobs = 1;
    for (uint32_t i = 1; i <= jobs; i++) {
        if (i == jobs)
            gy_bigint_set(&interval.to, &p->stage->weights->weight[0]);
        else
            number_at(p, i, jobs, &interval.to);
        if (gy_bigint_compare(&interval.from, &interval.to) >= 0)
            continue;
        see(user, &interval);
        gy_bigint_set(&interval.from, &interval.to);
    }
    gy_interval_free(&interval);
}

// Between two entries: it is the states of the first level that were too many, and they are those
// of the entries.
bool gy_planner_halve(const gy_planner *p, const gy_interval *interval, gy_bigint *middle)
{
    const gy_weights *w = p->stage->weights;
    uint64_t all = 0, half = 0;
    gy_bigint at;
    bool found = false;
    gy_bigint_init(&at);
    for (int round = 0; round < 2; round++) {
        gy_bigint_set_u64(&at, 0);
        for (uint32_t e = 0; e < p->entries.n; e++) {
            bool inside = gy_bigint_compare(&at, &interval->from) > 0 &&
                          gy_bigint_compare(&at, &interval->to) < 0;
            if (round == 1 && inside && (!found || half * 2 <= all)) {
                gy_bigint_set(middle, &at);
                found = true;
            }
            gy_bigint_add(&at, &w->weight[gy_stage_node(p->stage, p->entries.at[e])]);
            uint64_t *sum = round ? &half : &all;
            if (gy_bigint_compare(&at, &interval->from) > 0 &&
                gy_bigint_compare(&at, &interval->to) <= 0)
                *sum += p->mass[p->entries.at[e]];
        }
    }
    gy_bigint_free(&at);
    return found;
}

uint32_t gy_planner_entry_at(const gy_planner *p, const gy_bigint *number)
{
    gy_trace trace = {0};
    gy_trace_of(p->stage->weights, number, &trace);
    uint32_t part = p->entries.at[trace.at[0]];
    gy_vec_free(&trace);
    return part;
}

void gy_planner_inputs(const gy_planner *p, gy_swarm_task *task)
{
    for (size_t i = 0; i < p->pending.n; i++) {
        const gy_pending *pending = &p->pending.at[i];
        bool used = false;
        for (size_t k = 0; k < pending->parts.n; k++)
            used = used || gy_stage_has(p->stage, pending->parts.at[k].part);
        if (!used)
            continue;
        gy_vec_push(&task->inputs, pending->job);
        gy_vec_push(&task->prints, pending->print);
    }
}

// ---- the end of a stage
// ----------------------------------------------------------------------------

void gy_planner_end(gy_planner *p, uint64_t visited, uint64_t jobs, double distinct, bool was_cut)
{
    static const double MUCH = 1.3; // as often as that states may be visited
    bool overlaps = distinct > 0 && (double)visited > MUCH * distinct;
    if (p->seeds)
        p->growth = (double)visited / (double)p->seeds;
    p->growth = p->growth < 1 ? 1 : p->growth > 1000 ? 1000 : p->growth;
    if (p->fixed || p->single)
        return;
    if (was_cut || overlaps)
        p->length = p->length > 1 ? p->length / 2 : 1;
    else if (jobs && visited / jobs < SMALL_JOB)
        p->length *= 2;
}

// Paths from the first parts that come to each part.
static gy_bigint *paths_to(const gy_guide *guide)
{
    uint32_t parts = gy_guide_parts(guide);
    gy_bigint *paths = gy_alloc_zero((parts + (size_t)1) * sizeof *paths);
    for (uint32_t p = 0; p < parts; p++) {
        gy_bigint_init(&paths[p]);
        if (gy_guide_is_root(guide, p))
            gy_bigint_set_u64(&paths[p], 1);
    }
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t count;
        const uint32_t *next = gy_guide_next(guide, p, &count);
        for (uint32_t i = 0; i < count; i++)
            gy_bigint_add(&paths[next[i]], &paths[p]);
    }
    return paths;
}

void gy_planner_open_traces(const gy_planner *p, gy_bigint *open, gy_bigint *all)
{
    uint32_t parts = gy_guide_parts(p->guide);
    gy_bigint *paths = paths_to(p->guide),
              *onward = gy_alloc_zero((parts + (size_t)1) * sizeof *onward);
    gy_bigint_set_u64(open, 0);
    gy_bigint_set_u64(all, 0);
    for (uint32_t part = parts; part-- > 0;) {
        uint32_t count;
        const uint32_t *next = gy_guide_next(p->guide, part, &count);
        gy_bigint_init(&onward[part]);
        if (!count)
            gy_bigint_set_u64(&onward[part], 1);
        for (uint32_t i = 0; i < count; i++)
            gy_bigint_add(&onward[part], &onward[next[i]]);
        if (gy_guide_is_root(p->guide, part))
            gy_bigint_add(all, &onward[part]);
    }
    // A trace crosses into the levels that are open once: there it is counted, if seeds wait.
    uint32_t from = p->stage ? p->stage->from : gy_guide_levels(p->guide);
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t count;
        const uint32_t *next = gy_guide_next(p->guide, part, &count);
        if (gy_guide_level(p->guide, part) >= from)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            gy_bigint some;
            if (gy_guide_level(p->guide, next[i]) < from || !p->mass[next[i]])
                continue;
            gy_bigint_init(&some);
            gy_bigint_set(&some, &paths[part]);
            gy_bigint_mul(&some, &onward[next[i]]);
            gy_bigint_add(open, &some);
            gy_bigint_free(&some);
        }
    }
    if (from == 0)
        gy_bigint_set(open, all);
    for (uint32_t part = 0; part < parts; part++) {
        gy_bigint_free(&paths[part]);
        gy_bigint_free(&onward[part]);
    }
    free(paths);
    free(onward);
}
