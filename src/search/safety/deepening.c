// Iterative deepening: depth-first search with a bound that grows until an error is found or
// the bound cuts nothing off. Then, with an error in hand, the bound is set just below its length,
// repeatedly, until none is left: the last one found is a shortest.
//
// Each round starts with an empty store and looks for the errors again; the figures of the result
// are those of the last round. What an earlier round found is kept.
#include "search/findings.h"
#include "search/safety/dfs.h"

enum { FIRST_BOUND = 32 };

static void round_with(gy_run *run, uint64_t bound, bool *cut)
{
    gy_search_result *result = run->result;
    gy_findings old = gy_findings_take(result);
    result->transitions = result->depth = 0;
    run->kinds_seen.n = 0;
    if (gy_run_new_store(run))
        *cut = gy_dfs(run, bound, false);
    bool complete = !run->stopped && !*cut;
    gy_findings_merge(result, old, complete, run->options->max_errors);
}

// There is one witness, found with that bound: looks for shorter ones until there are none. The
// bound always falls: a witness that symmetry has lifted may cost more than the path that the
// search found, and then it says nothing about the next bound.
static void shorten(gy_run *run, uint64_t bound)
{
    bool cut = false, shorter = true;
    while (shorter) {
        uint64_t cost = gy_witness_cost(&run->result->witnesses[0]);
        bound = cost - 1 < bound ? cost - 1 : bound - 1;
        if (cost < 2 || !bound)
            break;
        run->stopped = false;
        if (gy_run_tick_slow(run)) // a short round may never come to check the limits
            break;
        round_with(run, bound, &cut);
        shorter = run->result->completeness == GY_STOPPED_AT_ERROR && run->stopped;
    }
    const gy_store_traits *traits = gy_numbered_traits(run->store);
    bool proved = !run->stopped && traits->exact && traits->gives_back && !run->reducer;
    run->result->witnesses[0].shortest = proved && !run->result->witnesses[0].stretched;
    gy_run_stop(run, GY_STOPPED_AT_ERROR);
}

void gy_search_deepening(gy_run *run)
{
    uint64_t limit = run->options->depth_limit;
    uint64_t bound = limit && limit < FIRST_BOUND ? limit : FIRST_BOUND;
    for (;;) {
        bool cut = false;
        round_with(run, bound, &cut);
        if (run->stopped || !cut)
            break;
        if (bound == limit) {
            gy_run_stop(run, GY_LIMIT_DEPTH);
            break;
        }
        bound += bound / 2;
        if (limit && bound > limit)
            bound = limit;
    }
    if (run->options->max_errors == 1 && run->result->witness_count == 1 &&
        run->result->completeness == GY_STOPPED_AT_ERROR)
        shorten(run, bound);
}
