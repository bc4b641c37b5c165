#include "search/partial_deadlock.h"

#include "search/replay.h"
#include "search/run.h"

#include "base/clock.h"
#include "base/scc.h"

#include <stdlib.h>

enum { NOBODY = UINT32_MAX, MOST_PIDS = 64 };

static const char too_many[] = "processes with pids above 63 are not supported";

// The graph: state s has the successors targets[first[s]] … targets[first[s + 1] - 1].
typedef struct graph {
    gy_run *run;
    gy_pending_inserts *waiting;
    void *user;
    GY_VEC(uint64_t) first;
    GY_VEC(uint32_t) targets;
    GY_VEC(uint64_t) moves; // who has a step in a transition from here
    GY_VEC(uint64_t) waits; // who may not rest here
    GY_VEC(uint32_t) parent, ordinal;
    uint32_t at, next_ordinal; // the state that is expanded, and its next transition
    gy_scc scc;
    uint64_t *can;  // who has a step on some path from here
    bool *goes_on;  // some path from here has no end
    uint64_t *ever; // who is stuck on some path from here
} graph;

// ---- building it ------------------------------------------------------------------------------

static uint64_t movers(graph *g, const gy_transition *transition)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        if (step->pid >= MOST_PIDS || step->partner >= MOST_PIDS)
            gy_run_overflow(g->run, too_many);
        else
            set |= 1ull << step->pid | (step->partner >= 0 ? 1ull << step->partner : 0);
    }
    return set;
}

static int arrive(void *user, const gy_transition *transition)
{
    graph *g = user;
    uint32_t ordinal = g->next_ordinal++;
    uint64_t id;
    if (g->at != NOBODY)
        g->moves.at[g->at] |= movers(g, transition);
    if (!transition->state)
        return 0;
    g->run->result->transitions++;
    gy_store_answer answer =
        gy_numbered_enter(g->run->store, transition->state, transition->words, &id);
    if (answer == GY_STORE_FULL || id >= NOBODY) {
        gy_run_stop(g->run, GY_LIMIT_MEMORY);
        return 1;
    }
    if (answer == GY_STORE_NEW) {
        gy_vec_push(&g->parent, g->at);
        gy_vec_push(&g->ordinal, ordinal);
        gy_vec_push(&g->moves, 0);
    }
    if (g->at != NOBODY)
        gy_vec_push(&g->targets, (uint32_t)id);
    return g->run->stopped;
}

static bool build(graph *g)
{
    gy_run *run = g->run;
    g->at = NOBODY;
    gy_initial(run->worker, arrive, g);
    for (uint32_t s = 0; s < g->moves.n && !gy_run_tick(run); s++) {
        uint32_t words;
        if (run->state_limit && g->moves.n > run->state_limit)
            gy_run_stop(run, GY_LIMIT_STATES);
        gy_run_settle(run);
        const gy_word *state = gy_numbered_state(run->store, s, &words);
        g->at = s;
        g->next_ordinal = 0;
        run->pending = g->moves.n - s;
        gy_vec_push(&g->first, g->targets.n);
        uint64_t waits = 0;
        if (!g->waiting(g->user, run->worker, state, words, &waits))
            gy_run_overflow(run, too_many);
        gy_vec_push(&g->waits, waits);
        gy_successors(run->worker, state, words, arrive, g);
    }
    gy_vec_push(&g->first, g->targets.n);
    run->result->states = g->moves.n;
    return !run->stopped;
}

// Who is stuck stays where it is and stays stuck, so that along a path the set only grows, and in a
// component it is the same.
static uint64_t stuck_at(const graph *g, uint32_t s)
{
    return g->goes_on[s] ? g->waits.at[s] & ~g->can[s] : 0;
}

// ---- components -------------------------------------------------------------------------------

static uint32_t next(void *self, uint32_t state, uint64_t nth)
{
    const graph *g = self;
    uint64_t edge = g->first.at[state] + nth;
    return edge < g->first.at[state + 1] ? g->targets.at[edge] : GY_SCC_END;
}

// What is reachable from a component that is complete: from its own moves, and from what is known
// of those that its edges lead to.
static bool close_component(void *self, const uint32_t *members, uint32_t count)
{
    graph *g = self;
    uint64_t can = 0, ever = 0;
    bool goes_on = count > 1;
    for (uint32_t i = 0; i < count; i++) {
        can |= g->moves.at[members[i]];
        for (uint64_t e = g->first.at[members[i]]; e < g->first.at[members[i] + 1]; e++) {
            uint32_t to = g->targets.at[e];
            bool outside = gy_scc_of(&g->scc, to) != g->scc.count - 1;
            goes_on = goes_on || to == members[i] || (outside && g->goes_on[to]);
            can |= outside ? g->can[to] : 0;
            ever |= outside ? g->ever[to] : 0;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        g->can[members[i]] = can;
        g->goes_on[members[i]] = goes_on;
        ever |= stuck_at(g, members[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        g->ever[members[i]] = ever;
    return true;
}

static void find_components(graph *g)
{
    uint32_t n = (uint32_t)g->moves.n;
    g->scc = (gy_scc){.nodes = n, .self = g, .next = next, .done = close_component};
    g->scc.number = gy_alloc_zero(n * sizeof *g->scc.number);
    g->can = gy_alloc_zero(n * sizeof *g->can);
    g->goes_on = gy_alloc_zero(n);
    g->ever = gy_alloc_zero(n * sizeof *g->ever);
    for (uint32_t s = 0; s < n; s++)
        gy_scc_from(&g->scc, s);
    free(g->scc.number);
    gy_scc_free(&g->scc);
}

// ---- what is reported ---------------------------------------------------------------------------

static uint32_t choose(const graph *g)
{
    for (uint32_t s = 0; s < g->moves.n; s++)
        if (stuck_at(g, s) && stuck_at(g, s) == g->ever[s])
            return s;
    return NOBODY;
}

static void tell(graph *g, uint32_t state, gy_partial_deadlock *result)
{
    gy_route way = {0};
    gy_witness witness = {0};
    for (uint32_t s = state; s != NOBODY; s = g->parent.at[s])
        gy_vec_push(&way, g->ordinal.at[s]);
    for (size_t i = 0; i < way.n / 2; i++) {
        uint32_t moved = way.at[i];
        way.at[i] = way.at[way.n - 1 - i];
        way.at[way.n - 1 - i] = moved;
    }
    gy_worker *worker = gy_worker_new(g->run->system);
    if (gy_replay(worker, NULL, &way, GY_FAULT_NONE, &witness)) {
        result->steps = witness.steps;
        result->step_count = witness.step_count;
        result->stuck = stuck_at(g, state);
        result->depth = way.n - 1;
        result->figures->errors = 1;
    } else {
        gy_run_fail_internally(g->run, "the path to a partial deadlock cannot be found again");
    }
    free(witness.message);
    gy_worker_free(worker);
    gy_vec_free(&way);
}

static void free_graph(graph *g)
{
    gy_vec_free(&g->first);
    gy_vec_free(&g->targets);
    gy_vec_free(&g->moves);
    gy_vec_free(&g->waits);
    gy_vec_free(&g->parent);
    gy_vec_free(&g->ordinal);
    free(g->can);
    free(g->goes_on);
    free(g->ever);
}

static void search(graph *g, gy_partial_deadlock *result)
{
    if (!gy_run_new_store(g->run) || !build(g))
        return;
    find_components(g);
    uint32_t state = choose(g);
    if (state != NOBODY) {
        tell(g, state, result);
        gy_run_stop(g->run, GY_STOPPED_AT_ERROR);
    }
}

gy_partial_deadlock *gy_partial_deadlock_search(gy_system *system, const gy_search_options *given,
                                                gy_pending_inserts *waiting, void *user)
{
    gy_search_options options = *given;
    options.checkpoint_file = options.resume_file = NULL;
    options.store = gy_store_kind_giving_back(options.store);
    gy_partial_deadlock *result = gy_alloc_zero(sizeof *result);
    gy_run run;
    graph g = {.run = &run, .waiting = waiting, .user = user};
    gy_run_begin(&run, system, &options);
    result->figures = run.result;
    search(&g, result);
    free_graph(&g);
    gy_run_end(&run);
    return result;
}

void gy_partial_deadlock_free(gy_partial_deadlock *result)
{
    if (!result)
        return;
    gy_search_result_free(result->figures);
    free(result->steps);
    free(result);
}
