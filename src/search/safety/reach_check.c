// The reachability search, checked afterwards: the reduced graph is gone through once more, by one
// thread with a store of its own, to be examined by gy_run_check_reduction. Of how the search went
// about it, only those who were expanded fully at the end of a level are asked for. So this also
// says whether it has seen all that it should have.
#include "search/safety/reach_parts.h"

static bool enter(gy_run *run, const gy_transition *transition)
{
    uint64_t id;
    if (!transition->state ||
        gy_numbered_enter(run->store, transition->state, transition->words, &id) != GY_STORE_FULL)
        return true;
    gy_run_stop(run, GY_LIMIT_MEMORY);
    return false;
}

static int visit_initial(void *user, const gy_transition *transition)
{
    return !enter(user, transition);
}

// Enters what the search took from a state, and notes whether that was all.
static bool expand(gy_reach *r, uint64_t id)
{
    gy_run *run = r->run;
    gy_ref ref;
    uint32_t words, count;
    const gy_word *state = gy_numbered_state(run->store, id, &words);
    bool full =
        gy_store_find(r->members[0].view, state, words, &ref) && gy_number_set_has(&r->full, ref);
    const gy_transition *all = gy_moves_find(&run->moves, run->worker, state, words, &count);
    const uint8_t *keep = run->moves.keep.at;
    uint32_t kept = gy_reduce_choose(run->reducer, state, words, all, count, run->moves.keep.at);
    full = full || kept == count || kept > GY_REACH_BATCH;
    for (uint32_t i = 0; i < count; i++)
        if ((full || keep[i]) && !enter(run, &all[i]))
            return false;
    if (!gy_run_note_full(run, id, full))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    return !run->stopped;
}

void gy_reach_check_reduction(gy_reach *r)
{
    gy_run *run = r->run;
    gy_store_figures figures;
    uint64_t id = 0;
    if (!gy_run_new_store(run))
        return;
    gy_initial(run->worker, visit_initial, run);
    for (gy_numbered_look(run->store, &figures); id < figures.states && !gy_run_tick(run); id++) {
        if (!expand(r, id))
            break;
        gy_run_settle(run);
        gy_numbered_look(run->store, &figures);
    }
    if (!run->stopped && figures.states != gy_reach_states(r))
        gy_run_fail_internally(run,
                               "a search with partial-order reduction saw %llu states and not "
                               "%llu",
                               (unsigned long long)gy_reach_states(r),
                               (unsigned long long)figures.states);
    if (!run->stopped)
        gy_run_check_reduction(run);
    gy_run_free_store(run);
    gy_region_free(&run->full);
    gy_region_init(&run->full, &run->budget);
}
