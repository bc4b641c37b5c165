#include "dist/swarm/swarm_job.h"

#include "dist/swarm/seeds.h"

#include "base/clock.h"
#include "base/hash.h"
#include "search/run.h"

#include <errno.h>

// By state: a bit for each place at which it is in a queue or was, and
enum { EXPANDED = 0x40, SEED = 0x80 };

typedef struct entry {
    uint64_t id;
    uint32_t part, place;
} entry;

typedef struct parent {
    uint64_t id; // UINT64_MAX: a seed
    uint32_t ordinal;
    uint32_t input; // of a seed: position in the task's inputs
} parent;

// A successor on its way into the store.
typedef struct arrival {
    uint32_t part;
    int place;
    uint32_t ordinal;
} arrival;

typedef GY_VEC(entry) queue;

typedef struct job {
    gy_run *run;
    gy_job_request *request;
    gy_task task;
    gy_answer answer;
    gy_guide *guide;
    gy_stage *stage;
    gy_fence *fence;                    // NULL: the interval has all traces
    queue *levels;                      // of the stage
    queue seeds;                        // beyond it
    GY_VEC(uint8_t) marks;              // by id
    GY_VEC(parent) parents;             // by id, if a target is looked for
    GY_VEC(uint64_t) hashes;            // of the visited states, if they are kept
    uint32_t level;                     // at hand
    size_t from_below;                  // entries of its queue that came from levels below
    uint64_t target;                    // its id, or UINT64_MAX
    bool ended;                         // nothing more is to be looked at
    uint32_t input;                     // being read
    GY_VEC(gy_numbered_entry) entering; // successors of the state at hand
    GY_VEC(arrival) arriving;           // and where they belong
    gy_moves moves;
} job;

static void refuse(job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void refuse(job *j, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    j->answer.kind = GY_ANSWER_BROKEN;
    if (!j->answer.problem)
        j->answer.problem = gy_text_take(&text);
    gy_text_free(&text);
    j->ended = true;
}

// ---- entering --------------------------------------------------------------------------------

// A state that was entered, in this part, at this place.
static void arrive(job *j, uint64_t id, uint32_t part, int place, const parent *from)
{
    bool beyond = gy_guide_level(j->guide, part) >= j->task.to;
    while (j->marks.n <= id)
        gy_vec_push(&j->marks, 0);
    while (j->request->way && j->parents.n <= id)
        gy_vec_push(&j->parents, *from);
    if (j->request->way && !j->marks.at[id])
        j->parents.at[id] = *from;
    uint8_t mark = beyond ? SEED : (uint8_t)(1u << place);
    if (j->marks.at[id] & mark)
        return;
    j->marks.at[id] |= mark;
    entry e = {id, part, (uint32_t)place};
    if (beyond)
        gy_vec_push(&j->seeds, e);
    else
        gy_vec_push(&j->levels[gy_guide_level(j->guide, part) - j->task.from], e);
}

static bool is_target(const job *j, const gy_word *state, uint32_t words)
{
    return j->task.target.n == words &&
           memcmp(j->task.target.at, state, words * sizeof *state) == 0;
}

// False: there is no room.
static bool enter(job *j, const gy_word *state, uint32_t words, uint32_t part, int place,
                  const parent *from)
{
    uint64_t id;
    gy_store_answer answer = gy_numbered_enter(j->run->store, state, words, &id);
    if (answer == GY_STORE_FULL) {
        gy_run_stop(j->run, GY_LIMIT_MEMORY);
        return false;
    }
    arrive(j, id, part, place, from);
    if (j->request->way && is_target(j, state, words)) {
        j->target = id;
        j->ended = true;
    }
    return true;
}

static bool is_over(job *j)
{
    if (j->task.most_states && j->marks.n > j->task.most_states && !j->request->way)
        gy_run_stop(j->run, GY_LIMIT_STATES);
    return j->ended || gy_run_tick(j->run);
}

// ---- seeds -----------------------------------------------------------------------------------

static bool see_seed(void *user, uint32_t part, const gy_word *state, uint32_t words)
{
    job *j = user;
    if (!gy_is_state(j->run->worker, state, words) || gy_guide_part(j->guide, state, words) != part)
        return false;
    int place = j->fence ? gy_fence_enter(j->fence, part) : GY_PLACE_FREE;
    if (place == GY_PLACE_OUTSIDE)
        return true;
    uint64_t before = j->marks.n;
    parent from = {UINT64_MAX, 0, j->input};
    j->answer.seeds_read++;
    bool good = enter(j, state, words, part, place, &from);
    j->answer.seeds_known += good && j->marks.n == before;
    is_over(j);
    return true;
}

static void damaged(job *j, uint64_t input, const char *why)
{
    gy_text text = {0};
    gy_text_printf(&text, "the seeds of job %llu can't be used: %s", (unsigned long long)input,
                   why);
    j->answer.kind = GY_ANSWER_INPUT;
    j->answer.bad_input = input;
    j->answer.problem = gy_text_take(&text);
    j->ended = true;
}

static void read_seeds(job *j, uint64_t input, uint64_t print)
{
    gy_text path = {0};
    gy_seed_reader reader;
    const char *why;
    gy_job_path(&path, j->request->folder, input, "seeds");
    if (!gy_seed_reader_open(&reader, gy_text_str(&path), &why)) {
        damaged(j, input, why);
        gy_text_free(&path);
        return;
    }
    if (reader.print != print)
        damaged(j, input, "they are not those that the job has told of");
    for (size_t i = 0; i < reader.sections.n && !j->ended && !j->run->stopped; i++) {
        const gy_seed_section *section = &reader.sections.at[i];
        if (section->part < j->stage->first_part || section->part >= j->stage->end_part ||
            (j->fence && gy_fence_enter(j->fence, (uint32_t)section->part) == GY_PLACE_OUTSIDE))
            continue;
        if (!gy_seed_read(&reader, section, see_seed, j))
            damaged(j, input, "it is damaged");
    }
    gy_seed_reader_close(&reader);
    gy_text_free(&path);
}

typedef struct start {
    job *j;
    uint32_t ordinal;
} start;

static int see_initial(void *user, const gy_transition *transition)
{
    start *s = user;
    job *j = s->j;
    parent from = {UINT64_MAX, s->ordinal++, UINT32_MAX};
    if (transition->fault && gy_run_wants_fault(j->run->options, transition->fault->kind)) {
        j->answer.kind = GY_ANSWER_ERROR;
        j->answer.error_fault = transition->fault->kind;
        j->answer.error_ordinal = from.ordinal;
        j->ended = true;
    }
    if (!transition->state)
        return j->ended;
    j->answer.transitions++;
    uint32_t part = gy_guide_part(j->guide, transition->state, transition->words);
    if (part == GY_NO_PART) {
        refuse(j, "an initial state is none of the guide's");
        return 1;
    }
    int place =
        j->fence && gy_stage_has(j->stage, part) ? gy_fence_enter(j->fence, part) : GY_PLACE_FREE;
    if (place != GY_PLACE_OUTSIDE)
        enter(j, transition->state, transition->words, part, place, &from);
    return j->ended || j->run->stopped;
}

static void take_seeds(job *j)
{
    start s = {.j = j};
    if (j->task.from_start)
        gy_initial(j->run->worker, see_initial, &s);
    for (size_t i = 0; i < j->task.inputs.n && !j->ended && !j->run->stopped; i++) {
        j->input = (uint32_t)i;
        read_seeds(j, j->task.inputs.at[i], j->task.prints.at[i]);
    }
}

// ---- expanding -------------------------------------------------------------------------------

static void report_error(job *j, const gy_word *state, uint32_t words, gy_fault_kind fault,
                         uint32_t ordinal)
{
    j->answer.kind = GY_ANSWER_ERROR;
    j->answer.error_fault = fault;
    j->answer.error_ordinal = ordinal;
    for (uint32_t i = 0; i < words; i++)
        gy_vec_push(&j->answer.error_state, state[i]);
    j->ended = true;
}

// The place of a successor in another part.
static int step_to(job *j, const entry *e, uint32_t part)
{
    uint32_t count;
    const uint32_t *way = gy_guide_way(j->guide, e->part, part, &count);
    if (!way) {
        gy_text text = {0};
        gy_guide_tell_part(j->guide, e->part, &text);
        gy_text_add(&text, " to ");
        gy_guide_tell_part(j->guide, part, &text);
        refuse(j, "the guiding processes do what they can't do alone: from %s", gy_text_str(&text));
        gy_text_free(&text);
        return GY_PLACE_OUTSIDE;
    }
    if (!j->fence || !gy_stage_has(j->stage, part))
        return GY_PLACE_FREE;
    return gy_fence_step(j->fence, (int)e->place, e->part, way, count);
}

// Notes where a successor belongs, if it is one that the job follows.
static void follow(job *j, const entry *e, const gy_transition *t, uint32_t ordinal, uint64_t mask)
{
    uint32_t part = e->part;
    int place = (int)e->place;
    if (t->written & mask)
        part = gy_guide_part(j->guide, t->state, t->words);
    if (part == GY_NO_PART) {
        refuse(j, "a step leads to where the guiding processes never are alone");
        return;
    }
    if (part != e->part)
        place = step_to(j, e, part);
    if (place == GY_PLACE_OUTSIDE)
        return;
    gy_vec_push(&j->entering, ((gy_numbered_entry){.state = t->state, .words = t->words}));
    gy_vec_push(&j->arriving, ((arrival){part, place, ordinal}));
}

// All that were noted enter the store together, which is faster than one by one.
static void enter_noted(job *j, const entry *e)
{
    uint32_t count = (uint32_t)j->entering.n;
    uint32_t entered = gy_numbered_enter_all(j->run->store, j->entering.at, count);
    for (uint32_t i = 0; i < entered; i++) {
        const arrival *a = &j->arriving.at[i];
        const gy_numbered_entry *in = &j->entering.at[i];
        parent from = {e->id, a->ordinal, 0};
        arrive(j, in->id, a->part, a->place, &from);
        if (j->request->way && is_target(j, in->state, in->words)) {
            j->target = in->id;
            j->ended = true;
        }
    }
    if (entered < count)
        gy_run_stop(j->run, GY_LIMIT_MEMORY);
    j->entering.n = j->arriving.n = 0;
}

static void expand(job *j, const entry *e)
{
    gy_run *run = j->run;
    uint32_t words, count;
    const gy_word *state = gy_numbered_state(run->store, e->id, &words);
    bool first = !(j->marks.at[e->id] & EXPANDED);
    if (first) {
        uint64_t hash = gy_hash_number(gy_hash_words(state, words, 1));
        j->marks.at[e->id] |= EXPANDED;
        j->answer.visited++;
        gy_sketch_add(j->answer.sketch, hash);
        if (j->task.keep_states)
            gy_vec_push(&j->hashes, hash);
    }
    uint64_t mask = gy_guide_mask(j->guide, state, words);
    j->moves.most = UINT32_MAX;
    const gy_transition *all = gy_moves_find(&j->moves, run->worker, state, words, &count);
    if (first && !j->request->way && count == 0 && gy_run_bad_end(run, state, words))
        report_error(j, state, words, GY_FAULT_NONE, 0);
    for (uint32_t i = 0; i < count && !j->ended && !run->stopped; i++) {
        if (first)
            gy_run_note(run, &all[i]);
        j->answer.transitions += first && all[i].state;
        if (all[i].fault && first && !j->request->way &&
            gy_run_wants_fault(run->options, all[i].fault->kind) &&
            all[i].fault->kind != GY_FAULT_ATOMIC_LOOP) {
            report_error(j, state, words, all[i].fault->kind, i);
            break;
        }
        if (all[i].state)
            follow(j, e, &all[i], i, mask);
    }
    if (!j->ended && !run->stopped && j->entering.n)
        enter_noted(j, e);
    j->entering.n = j->arriving.n = 0;
}

static void search_levels(job *j)
{
    uint32_t count = j->task.to - j->task.from;
    for (j->level = 0; j->level < count && !j->ended && !j->run->stopped; j->level++) {
        queue *q = &j->levels[j->level];
        j->from_below = q->n;
        for (size_t i = 0; i < q->n && !is_over(j); i++) {
            entry e = q->at[i];
            gy_run_settle(j->run);
            expand(j, &e);
        }
        if (j->ended || j->run->stopped)
            return;
        j->answer.settled = j->answer.visited;
        gy_vec_free(q);
    }
}

// ---- answering -------------------------------------------------------------------------------

static const char *limit_of(const job *j)
{
    switch (j->run->result->completeness) {
    case GY_LIMIT_MEMORY:
        return "memory";
    case GY_LIMIT_TIME:
        return "time";
    case GY_LIMIT_STATES:
        return "states";
    default:
        return NULL;
    }
}

// By a limit: what was to be done from the level at hand on is left to others.
static void cut_short(job *j)
{
    uint32_t count = j->task.to - j->task.from;
    j->answer.problem = strdup(limit_of(j));
    j->answer.kind = j->level == 0 ? GY_ANSWER_LARGE : GY_ANSWER_CUT;
    j->answer.level = j->task.from + j->level;
    j->seeds.n = j->level == 0 ? 0 : j->seeds.n;
    for (uint32_t l = j->level; l < count && j->level > 0; l++) {
        const queue *q = &j->levels[l];
        size_t n = l == j->level ? j->from_below : q->n;
        for (size_t i = 0; i < n; i++) {
            if (j->marks.at[q->at[i].id] & SEED)
                continue;
            j->marks.at[q->at[i].id] |= SEED;
            gy_vec_push(&j->seeds, q->at[i]);
        }
    }
}

static int by_part(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->part != y->part ? (x->part < y->part ? -1 : 1) : x->id < y->id ? -1 : x->id > y->id;
}

static bool write_seeds(job *j)
{
    gy_text path = {0};
    gy_job_path(&path, j->request->folder, j->task.number, "seeds");
    gy_seed_writer *writer = gy_seed_writer_open(gy_text_str(&path));
    if (j->seeds.n)
        qsort(j->seeds.at, j->seeds.n, sizeof *j->seeds.at, by_part);
    for (size_t i = 0; i < j->seeds.n; i++) {
        const entry *e = &j->seeds.at[i];
        uint32_t words;
        const gy_word *state = gy_numbered_state(j->run->store, e->id, &words);
        gy_seed_write(writer, e->part, state, words);
        if (!j->answer.seeds.n || j->answer.seeds.at[j->answer.seeds.n - 1].part != e->part)
            gy_vec_push(&j->answer.seeds, ((gy_part_count){e->part, 0}));
        j->answer.seeds.at[j->answer.seeds.n - 1].count++;
    }
    gy_text_free(&path);
    return gy_seed_writer_close(writer, &j->answer.seeds_print);
}

static bool write_states(const job *j)
{
    gy_text path = {0};
    gy_job_path(&path, j->request->folder, j->task.number, "states");
    gy_writer *writer = gy_writer_open(gy_text_str(&path));
    gy_write(writer, j->hashes.at, j->hashes.n * sizeof *j->hashes.at);
    gy_text_free(&path);
    return gy_writer_commit(writer);
}

static void add_pruned(void *user, const gy_interval *range)
{
    job *j = user;
    gy_text text = {0};
    gy_big_text(&range->from, &text);
    gy_text_char(&text, ' ');
    gy_big_text(&range->to, &text);
    gy_vec_push(&j->answer.pruned, gy_text_take(&text));
}

static void tell_way(job *j)
{
    GY_VEC(uint32_t) back = {0};
    uint64_t id = j->target;
    uint32_t words;
    if (id == UINT64_MAX) {
        if (!j->answer.problem)
            refuse(j, "the way to a state was lost");
        return;
    }
    for (; j->parents.at[id].id != UINT64_MAX; id = j->parents.at[id].id)
        gy_vec_push(&back, j->parents.at[id].ordinal);
    const parent *seed = &j->parents.at[id];
    bool initial = seed->input == UINT32_MAX;
    if (initial)
        gy_vec_push(&back, seed->ordinal);
    j->answer.way_input = initial ? UINT64_MAX : j->task.inputs.at[seed->input];
    for (size_t i = back.n; i-- > 0;)
        gy_vec_push(&j->answer.way, back.at[i]);
    const gy_word *state = gy_numbered_state(j->run->store, id, &words);
    for (uint32_t i = 0; i < words; i++)
        gy_vec_push(&j->answer.way_seed, state[i]);
    j->answer.kind = GY_ANSWER_WAY;
    gy_vec_free(&back);
}

static void answer(job *j)
{
    gy_answer *a = &j->answer;
    gy_run *run = j->run;
    bool good = true;
    if (run->stopped && !j->ended) {
        if (!limit_of(j))
            return; // interrupted: it was not done
        cut_short(j);
    }
    if (j->request->way)
        tell_way(j);
    a->number = j->task.number;
    a->task_print = gy_task_print(&j->task);
    a->stored = j->marks.n;
    a->seconds = gy_clock() - run->started;
    a->memory = run->budget.peak;
    for (uint32_t i = 0; i < run->result->edge_count; i++)
        gy_vec_push(&a->reached, run->result->reached_edges[i]);
    if (a->kind == GY_ANSWER_DONE && j->fence && j->task.feedback)
        gy_fence_feedback(j->fence, add_pruned, j);
    if (a->kind == GY_ANSWER_DONE || a->kind == GY_ANSWER_CUT) {
        good = write_seeds(j);
        if (good && j->task.keep_states)
            good = write_states(j);
    }
    good = good && gy_answer_write(a, j->request->folder, j->request->way ? "way" : "answer");
    j->request->answered = good;
    if (!good) {
        gy_text text = {0};
        gy_text_printf(&text, "can't write to %s: %s", j->request->folder, strerror(errno));
        j->request->problem = gy_text_take(&text);
    }
}

// ---- the engine ------------------------------------------------------------------------------

static int hash_initial(void *user, const gy_transition *transition)
{
    uint64_t *hash = user;
    if (transition->state)
        *hash = gy_hash_words(transition->state, transition->words, *hash + 1);
    return 0;
}

uint64_t gy_swarm_print(gy_system *system, const gy_search_options *options)
{
    uint64_t asked[] = {gy_edge_count(system), options->variant,          options->check_end_states,
                        options->check_faults, options->check_assertions, options->empty_channels};
    uint64_t hash = gy_hash_bytes(asked, sizeof asked, 1);
    for (uint32_t i = 0; i < gy_edge_count(system); i++) {
        gy_edge_facts facts;
        if (!gy_edge_info(system, (int32_t)i, &facts))
            continue;
        int64_t where[] = {facts.from, facts.to, facts.keeps_atomic, facts.line};
        hash = gy_hash_bytes(where, sizeof where, hash);
        if (facts.text)
            hash = gy_hash_bytes(facts.text, strlen(facts.text), hash);
    }
    gy_worker *worker = gy_worker_new(system);
    gy_initial(worker, hash_initial, &hash);
    gy_worker_free(worker);
    return hash;
}

static bool set_up(job *j)
{
    const gy_task *task = &j->task;
    gy_text why = {0};
    const char *problem = NULL;
    gy_guide_options options = {.pids = task->guide.pids,
                                .count = task->guide.count,
                                .most_nodes = task->guide.most_nodes,
                                .control_only = task->guide.control_only};
    if (task->system_print != gy_swarm_print(j->run->system, j->run->options))
        problem = "the model or its options are not those of the swarm";
    j->guide = problem ? NULL : gy_guide_new(j->run->system, &options, &why);
    if (!problem && (!j->guide || gy_guide_print(j->guide) != task->guide.print))
        problem = "the guide is not that of the swarm";
    if (problem)
        j->request->problem = strdup(problem);
    gy_text_free(&why);
    if (problem)
        return false;
    j->stage =
        gy_stage_new(j->guide, task->from, task->to, task->entries.at, (uint32_t)task->entries.n);
    if (!gy_big_is_zero(&task->interval.from) ||
        gy_big_compare(&task->interval.to, &j->stage->weights->weight[0]) < 0)
        j->fence = gy_fence_new(j->stage, &task->interval);
    j->levels = gy_alloc_zero((task->to - task->from + (size_t)1) * sizeof *j->levels);
    return true;
}

static void search_job(gy_run *run)
{
    gy_job_request *request = run->options->engine_data;
    job j = {.run = run, .request = request, .target = UINT64_MAX};
    const char *why;
    if (!gy_task_read(&j.task, request->folder, request->number, &why)) {
        gy_text text = {0};
        gy_text_printf(&text, "the task of job %llu can't be used: %s",
                       (unsigned long long)request->number, why);
        request->problem = gy_text_take(&text);
    } else if (set_up(&j)) {
        take_seeds(&j);
        search_levels(&j);
        answer(&j);
    }
    for (uint32_t i = 0; j.levels && i < j.task.to - j.task.from; i++)
        gy_vec_free(&j.levels[i]);
    free(j.levels);
    gy_vec_free(&j.seeds);
    gy_vec_free(&j.marks);
    gy_vec_free(&j.parents);
    gy_vec_free(&j.hashes);
    gy_moves_free(&j.moves);
    gy_vec_free(&j.entering);
    gy_vec_free(&j.arriving);
    gy_fence_free(j.fence);
    gy_stage_free(j.stage);
    gy_guide_free(j.guide);
    gy_answer_free(&j.answer);
    gy_task_free(&j.task);
    run->result->errors = 0; // they are in the answer
    run->result->completeness = GY_LOSSY;
}

const gy_engine gy_engine_swarm_job = {
    .name = "swarm-job",
    .title = "a job of a swarm",
    .search = search_job,
    .is_command = true,
};
