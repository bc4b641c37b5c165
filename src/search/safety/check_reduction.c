// Did a reduced search ignore something? Asked by --check-reduction, and by tests.
//
// The reduced graph is gone through once more, without reading how the engine went about it:
// which states were expanded fully is in run->full, and what the others take is chosen again.
// Every state must lead to a fully expanded one (or to one without successors, which counts as
// such). States that are known to do so are marked; sweeps over the others go on until one finds
// nothing new. From the youngest to the oldest, since breadth-first search leads to younger ones.
#include "search/run.h"

bool gy_run_note_full(gy_run *run, uint64_t id, bool full)
{
    if (!gy_region_reserve(&run->full, id / 8 + 1))
        return false;
    if (full)
        ((uint8_t *)run->full.at)[id / 8] |= (uint8_t)(1u << (id % 8));
    return true;
}

// Does some kept successor lead on?
static bool leads_on(gy_run *run, uint64_t id)
{
    uint32_t words, count;
    const gy_word *state = gy_numbered_state(run->store, id, &words);
    const gy_transition *all = gy_moves_find(&run->moves, run->worker, state, words, &count);
    const uint8_t *keep = run->moves.keep.at;
    gy_reduce_choose(run->reducer, state, words, all, count, run->moves.keep.at);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t to;
        if (keep[i] && gy_numbered_find(run->store, all[i].state, all[i].words, &to) &&
            gy_run_is_full(run, to))
            return true;
    }
    return false;
}

void gy_run_check_reduction(gy_run *run)
{
    gy_store_figures figures;
    uint64_t left, before = UINT64_MAX;
    if (!gy_numbered_traits(run->store)->gives_back)
        return;
    gy_numbered_look(run->store, &figures);
    for (;; before = left) {
        left = 0;
        for (uint64_t id = figures.states; id-- > 0 && !gy_run_tick(run);) {
            if (gy_run_is_full(run, id))
                continue;
            bool fine = leads_on(run, id);
            left += !fine;
            if (fine && !gy_run_note_full(run, id, true)) {
                gy_run_stop(run, GY_LIMIT_MEMORY);
                return;
            }
        }
        if (run->stopped)
            return;
        if (left == 0)
            run->result->reduction_checked = true;
        else if (left == before)
            gy_run_fail_internally(run,
                                   "the partial-order reduction ignored transitions in %llu states",
                                   (unsigned long long)left);
        if (left == 0 || left == before)
            return;
    }
}
