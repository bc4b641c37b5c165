// Search by Cartesian partial-order reduction: only the ends of runs are stored.
//
// From each stored state, in the order in which they were found, every process runs ahead alone
// (reduce/cartesian.h); faults are looked for in every step, deadlocks in the stored states. A
// state remembers which state and which run it was found by: since runs depend on the state alone,
// the transitions of a path are found again by working the runs out once more.
#include "search/run.h"

#include "search/safety/parents.h"

#include "reduce/cartesian.h"

enum { SPLIT_LIMIT = 1024 }; // indices are known in each state, so larger arrays pay as well

typedef struct cartesian {
    gy_run *run;
    gy_cartesian *runs;
    gy_parents origins; // the ordinal is the number of the run
    uint32_t initial;   // states that were reached
    GY_VEC(gy_word) state;
    gy_route tails; // of the faults of the current state
} cartesian;

static bool arrive(cartesian *c, const gy_word *state, uint32_t words, uint64_t parent,
                   uint32_t number)
{
    gy_run *run = c->run;
    uint64_t id;
    run->result->transitions++;
    gy_store_answer answer = gy_numbered_enter(run->store, state, words, &id);
    if (answer == GY_STORE_FOUND ||
        (answer == GY_STORE_NEW && gy_parents_add(&c->origins, parent, number)))
        return true;
    gy_run_stop(run, GY_LIMIT_MEMORY);
    return false;
}

static int visit_initial(void *user, const gy_transition *transition)
{
    cartesian *c = user;
    uint32_t number = c->initial++;
    gy_run_note(c->run, transition);
    if (transition->fault)
        gy_run_note_fault(c->run, transition->fault, number, 0);
    return transition->state &&
           !arrive(c, transition->state, transition->words, GY_ORIGINS_START, number);
}

// A fault remembers its run in `ordinal` and its step in `cost`.
static void visit_step(void *user, uint32_t number, uint32_t step, const gy_transition *transition)
{
    cartesian *c = user;
    gy_run_note(c->run, transition);
    c->run->result->cartesian_steps++;
    if (transition->fault)
        gy_run_note_fault(c->run, transition->fault, number, step);
}

// A copy: the store may give the next state in the same place.
static uint32_t fetch(cartesian *c, uint64_t id)
{
    uint32_t words;
    const gy_word *state = gy_numbered_state(c->run->store, id, &words);
    gy_vec_reserve(&c->state, (size_t)words + 1);
    if (words)
        memcpy(c->state.at, state, words * sizeof *state);
    return words;
}

// ---- errors -------------------------------------------------------------------------

// The transitions from the start to state `id`.
static void find_path(cartesian *c, uint64_t id, gy_route *path)
{
    GY_VEC(uint64_t) parents = {0};
    gy_route numbers = {0};
    while (id != GY_ORIGINS_START) {
        uint32_t number;
        gy_parents_get(&c->origins, id, &id, &number);
        gy_vec_push(&parents, id);
        gy_vec_push(&numbers, number);
    }
    gy_vec_push(path, numbers.at[numbers.n - 1]); // which initial state
    for (size_t i = parents.n - 1; i > 0; i--) {
        uint32_t count, words = fetch(c, parents.at[i - 1]);
        const gy_cartesian_run *made = &gy_cartesian_runs(
            c->runs, c->run->worker, c->state.at, words, NULL, NULL, &count)[numbers.at[i - 1]];
        for (uint32_t k = 0; k < made->length; k++)
            gy_vec_push(path, made->ordinals[k]);
    }
    gy_vec_free(&parents);
    gy_vec_free(&numbers);
}

static void report(cartesian *c, uint64_t id, const uint32_t *tail, size_t length,
                   gy_fault_kind kind)
{
    gy_route path = {0};
    if (id != GY_ORIGINS_START)
        find_path(c, id, &path);
    for (size_t i = 0; i < length; i++)
        gy_vec_push(&path, tail[i]);
    gy_run_report(c->run, &path, kind, false);
    gy_vec_free(&path);
}

// To find a path is to forget the current runs: so first the tails of all faults are copied.
static void handle_faults(cartesian *c, uint64_t id, const gy_cartesian_run *made)
{
    gy_run *run = c->run;
    size_t at = 0;
    c->tails.n = 0;
    for (size_t i = 0; i < run->faults.n; i++)
        for (uint32_t k = 0; k <= run->faults.at[i].cost; k++)
            gy_vec_push(&c->tails, made ? made[run->faults.at[i].ordinal].ordinals[k]
                                        : run->faults.at[i].ordinal);
    for (size_t i = 0; i < run->faults.n; i++) {
        const gy_run_fault *fault = &run->faults.at[i];
        if (gy_run_fault_is_new(run, fault))
            report(c, id, c->tails.at + at, fault->cost + 1, fault->kind);
        at += fault->cost + 1;
    }
    run->faults.n = 0;
}

// ---- the search ---------------------------------------------------------------------

static void expand(cartesian *c, uint64_t id)
{
    gy_run *run = c->run;
    uint32_t count, words = fetch(c, id);
    const gy_cartesian_run *made =
        gy_cartesian_runs(c->runs, run->worker, c->state.at, words, visit_step, c, &count);
    run->result->cartesian_runs += count;
    for (uint32_t i = 0; i < count; i++)
        if (made[i].end && !arrive(c, made[i].end, made[i].words, id, i))
            return;
    if (count == 0 && gy_run_bad_end(run, c->state.at, words))
        report(c, id, NULL, 0, GY_FAULT_NONE);
    handle_faults(c, id, made);
}

static void search(cartesian *c)
{
    gy_run *run = c->run;
    gy_initial(run->worker, visit_initial, c);
    handle_faults(c, GY_ORIGINS_START, NULL);
    for (uint64_t id = 0; id < c->origins.n && !gy_run_tick(run); id++) {
        run->pending = c->origins.n - id;
        gy_run_settle(run);
        expand(c, id);
    }
}

void gy_search_cartesian(gy_run *run)
{
    const char *why = NULL;
    const gy_reduce_needs needs = {.split_limit = SPLIT_LIMIT};
    cartesian c = {.run = run};
    if (gy_cartesian_can(run->system, &why))
        run->reduction = gy_reduction_new(run->system, &needs, &why);
    if (!run->reduction) {
        gy_run_fail(run, "--reduce cartesian cannot be used: %s\n  hint: use --reduce stubborn",
                    why);
        return;
    }
    c.runs = gy_cartesian_new(run->reduction);
    gy_parents_init(&c.origins, &run->budget);
    search(&c);
    gy_parents_free(&c.origins);
    gy_cartesian_free(c.runs);
    gy_vec_free(&c.state);
    gy_vec_free(&c.tails);
}
