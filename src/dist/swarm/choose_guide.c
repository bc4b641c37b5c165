#include "dist/swarm/choose_guide.h"

#include "base/hash.h"
#include "base/random.h"
#include "search/run.h"

#include <ctype.h>

enum {
    MOST_NODES = 50000, // of a guide before it is condensed
    WALKS = 60,
    WALK_LENGTH = 400,
    MOST_GUIDES = 8,
};

// ---- those that were named
// -----------------------------------------------------------------------

static bool has(const gy_swarm_task_guide *guide, uint32_t pid)
{
    for (uint32_t i = 0; i < guide->count; i++)
        if (guide->pids[i] == pid)
            return true;
    return false;
}

static void add(gy_swarm_task_guide *guide, uint32_t pid)
{
    uint32_t i = guide->count;
    if (has(guide, pid) || guide->count == 16)
        return;
    for (; i > 0 && guide->pids[i - 1] > pid; i--)
        guide->pids[i] = guide->pids[i - 1];
    guide->pids[i] = pid;
    guide->count++;
}

// NAME, NAME(PID), PID
static bool fits(const gy_guide_process *process, const char *word)
{
    const char *paren = strchr(word, '(');
    size_t length = paren ? (size_t)(paren - word) : strlen(word);
    char *end;
    if (isdigit((unsigned char)*word))
        return strtoul(word, &end, 10) == process->pid && !*end;
    return strlen(process->name) == length && strncmp(process->name, word, length) == 0 &&
           (!paren || strtoul(paren + 1, &end, 10) == process->pid);
}

static bool add_named(const char *named, const gy_guide_process *processes, uint32_t count,
                      gy_swarm_task_guide *chosen, gy_text *why)
{
    char *copy = strdup(named), *save = NULL;
    bool good = true;
    for (char *word = strtok_r(copy, ", ", &save); word && good;
         word = strtok_r(NULL, ", ", &save)) {
        bool found = strcmp(word, "none") == 0;
        for (uint32_t i = 0; i < count; i++)
            if (fits(&processes[i], word)) {
                add(chosen, processes[i].pid);
                found = true;
            }
        if (!found) {
            gy_text_printf(why, "--guide: unknown process `%s` (at the start there are", word);
            for (uint32_t i = 0; i < count; i++)
                gy_text_printf(why, "%s %s(%u)", i ? "," : "", processes[i].name, processes[i].pid);
            gy_text_add(why, ")");
            good = false;
        }
    }
    free(copy);
    return good;
}

// ---- a sample of the states
// ------------------------------------------------------------------------

typedef struct sample {
    GY_VEC(gy_word) words;
    GY_VEC(size_t) at; // where the states begin; one more at the end
    gy_map seen;
    uint64_t random;
    uint32_t count; // transitions of the current state
    GY_VEC(gy_word) next;
} sample;

static void keep(sample *s, const gy_word *state, uint32_t words)
{
    uint64_t hash = gy_hash_words(state, words, 0);
    gy_map_probe p = gy_map_first(&s->seen, hash);
    if (p.found)
        return;
    gy_map_add(&s->seen, hash, (uint32_t)s->at.n);
    gy_vec_push(&s->at, s->words.n);
    for (uint32_t i = 0; i < words; i++)
        gy_vec_push(&s->words, state[i]);
}

// One of them, each with the same chance.
static int pick(void *user, const gy_transition *transition)
{
    sample *s = user;
    if (!transition->state)
        return 0;
    if (gy_random_step(&s->random) % ++s->count == 0) {
        s->next.n = 0;
        for (uint32_t i = 0; i < transition->words; i++)
            gy_vec_push(&s->next, transition->state[i]);
    }
    return 0;
}

static void take_sample(gy_run *run, sample *s)
{
    gy_worker *worker = gy_worker_new(run->system);
    for (unsigned walk = 0; walk < WALKS && !run->stopped; walk++) {
        s->count = 0;
        gy_initial(worker, pick, s);
        for (unsigned i = 0; s->count && i < WALK_LENGTH && !gy_run_tick(run); i++) {
            GY_VEC(gy_word) state = {0};
            for (size_t w = 0; w < s->next.n; w++)
                gy_vec_push(&state, s->next.at[w]);
            keep(s, state.at, (uint32_t)state.n);
            s->count = 0;
            gy_successors(worker, state.at, (uint32_t)state.n, pick, s);
            gy_vec_free(&state);
        }
    }
    gy_vec_push(&s->at, s->words.n);
    gy_worker_free(worker);
}

static void free_sample(sample *s)
{
    gy_vec_free(&s->words);
    gy_vec_free(&s->at);
    gy_vec_free(&s->next);
    gy_map_free(&s->seen);
}

// ---- weighing candidates
// -----------------------------------------------------------------------------

typedef struct weighed {
    gy_swarm_task_guide guide;
    double chance;  // that two states of the sample are in the same part
    double meeting; // that they are at the same node
    double largest; // share of the largest part
} weighed;

static gy_guide *make(gy_run *run, gy_swarm_task_guide *guide, gy_text *why)
{
    gy_guide_options options = {.pids = guide->pids,
                                .count = guide->count,
                                .most_nodes = guide->most_nodes,
                                .control_only = guide->control_only};
    gy_guide *made = gy_guide_new(run, &options, why);
    if (made)
        guide->print = gy_guide_print(made);
    return made;
}

// Two states out of all: how likely they are in the same group. *largest: the share of the largest.
static double chance_of(const uint32_t *count, uint32_t groups, size_t states, double *largest)
{
    double chance = 0;
    *largest = 0;
    for (uint32_t i = 0; i < groups; i++) {
        double share = states ? count[i] / (double)states : 1;
        chance += share * share;
        *largest = share > *largest ? share : *largest;
    }
    return chance;
}

// False: there is no such guide.
static bool weigh(gy_run *run, const sample *s, weighed *w)
{
    gy_text unused = {0};
    gy_guide *guide = make(run, &w->guide, &unused);
    size_t states = s->at.n - 1;
    gy_text_free(&unused);
    if (!guide)
        return false;
    uint32_t parts = gy_guide_parts(guide), nodes = 0;
    uint32_t *by_part = gy_alloc_zero((parts + (size_t)1) * sizeof *by_part);
    uint32_t *first = gy_alloc_zero((parts + (size_t)1) * sizeof *first);
    for (uint32_t p = 0; p < parts; p++) {
        first[p] = nodes;
        nodes += gy_guide_ranks(guide, p);
    }
    uint32_t *by_node = gy_alloc_zero((nodes + (size_t)1) * sizeof *by_node);
    bool good = true;
    for (size_t i = 0; i < states && good; i++) {
        uint32_t words = (uint32_t)(s->at.at[i + 1] - s->at.at[i]), rank;
        uint32_t part = gy_guide_find(guide, s->words.at + s->at.at[i], words, &rank);
        good = part != GY_NO_PART;
        if (good) {
            by_part[part]++;
            by_node[first[part] + rank]++;
        }
    }
    double unneeded;
    w->chance = chance_of(by_part, parts, states, &w->largest);
    w->meeting = chance_of(by_node, nodes, states, &unneeded);
    free(by_part);
    free(by_node);
    free(first);
    gy_guide_free(guide);
    return good;
}

static double of_parts(const weighed *w)
{
    return w->chance;
}

static double of_nodes(const weighed *w)
{
    return w->meeting;
}

typedef struct choosing {
    gy_run *run;
    const gy_guide_process *processes;
    uint32_t count;
    sample sample;
    weighed best;
    uint32_t tried;
} choosing;

// One process more at a time, as long as it makes a difference and there is not enough of it.
static void grow(choosing *c, double (*measure)(const weighed *w), double enough)
{
    static const double BETTER = 0.9;
    weighed *best = &c->best;
    for (bool better = true; better && best->guide.count < MOST_GUIDES && measure(best) > enough;) {
        weighed next = *best;
        better = false;
        for (uint32_t i = 0; i < c->count; i++) {
            weighed w = {.guide = best->guide};
            if (has(&w.guide, c->processes[i].pid))
                continue;
            add(&w.guide, c->processes[i].pid);
            c->tried++;
            if (weigh(c->run, &c->sample, &w) && measure(&w) < measure(&next)) {
                better = measure(&w) < measure(best) * BETTER;
                next = w;
            }
        }
        if (better)
            *best = next;
    }
}

static void choose(gy_run *run, const gy_guide_process *processes, uint32_t count,
                   gy_swarm_task_guide *chosen, gy_text *why)
{
    choosing c = {.run = run,
                  .processes = processes,
                  .count = count,
                  .sample = {.random = 1},
                  .best = {.guide = *chosen},
                  .tried = 1};
    take_sample(run, &c.sample);
    weigh(run, &c.sample, &c.best);
    grow(&c, of_parts, 0);
    // Where processes go round, parts are large: then cells divide them, nodes in a row.
    bool round = c.best.largest > 0.5;
    if (round)
        grow(&c, of_nodes, 0.02);
    *chosen = c.best.guide;
    gy_text_printf(why, "of %u candidates, this one divides a sample of ", c.tried);
    gy_text_count(why, c.sample.at.n - 1);
    gy_text_printf(why, " states best: its largest part has %.1f%% of them", 100 * c.best.largest);
    if (round)
        gy_text_add(why, "; processes have cycles, so that large parts are divided into cells");
    free_sample(&c.sample);
}

gy_guide *gy_guide_choose(gy_run *run, const char *named, gy_swarm_task_guide *chosen, gy_text *why)
{
    uint32_t count;
    gy_guide_process *processes = gy_guide_processes(run, &count);
    gy_guide *guide = NULL;
    bool good = true;
    *chosen = (gy_swarm_task_guide){.most_nodes = MOST_NODES};
    if (named) {
        good = add_named(named, processes, count, chosen, why);
        if (good)
            gy_text_add(why, "requested");
    } else {
        choose(run, processes, count, chosen, why);
    }
    if (good) {
        gy_text problem = {0};
        guide = make(run, chosen, &problem);
        if (!guide) {
            gy_text_clear(why);
            gy_text_printf(why, "--guide: these processes cannot divide the search: %s",
                           gy_text_str(&problem));
        }
        gy_text_free(&problem);
    }
    free(processes);
    return guide;
}
