// Iterative deepening: depth-first search with a bound that grows until an error is found or
// the bound cuts nothing off. Then, with an error in hand, the bound is set just below its length,
// again and again, until none is left: the last one found is a shortest.
//
// Each round starts with an empty store and looks for the errors anew; the figures of the result
// are those of the last round. What an earlier round found is kept if the last one found less.
#include "search/safety/dfs.h"

#include <stdlib.h>

enum { FIRST_BOUND = 32 };

typedef struct findings {
    gy_witness *witnesses;
    uint32_t count;
    uint64_t errors;
} findings;

static void free_findings(findings *old)
{
    for (uint32_t i = 0; i < old->count; i++) {
        free(old->witnesses[i].message);
        free(old->witnesses[i].steps);
    }
    free(old->witnesses);
    *old = (findings){0};
}

static uint64_t cost_of(const gy_witness *witness)
{
    uint64_t cost = witness->step_count;
    for (uint64_t i = 0; i < witness->step_count; i++)
        cost += witness->steps[i].partner >= 0;
    return cost;
}

// Has a round found less than the one before, or, a single witness, a dearer one?
static bool is_worse(const gy_search_result *result, const findings *old)
{
    return result->witness_count < old->count ||
           (old->count == 1 && result->witness_count == 1 &&
            cost_of(&result->witnesses[0]) > cost_of(&old->witnesses[0]));
}

static void round_with(gy_run *run, uint64_t bound, bool *cut)
{
    gy_search_result *result = run->result;
    findings old = {result->witnesses, result->witness_count, result->errors};
    result->witnesses = NULL;
    result->witness_count = 0;
    result->errors = result->transitions = result->depth = 0;
    run->kinds_seen.n = 0;
    if (gy_run_new_store(run))
        *cut = gy_dfs(run, bound, false);
    if (is_worse(result, &old)) {
        findings worse = {result->witnesses, result->witness_count, 0};
        free_findings(&worse);
        result->witnesses = old.witnesses;
        result->witness_count = old.count;
        result->errors = old.errors;
    } else {
        free_findings(&old);
    }
}

// There is one witness, found with that bound: looks for shorter ones until there are none. The
// bound always falls: a witness that symmetry has lifted may cost more than the path that the
// search found, and then it says nothing about the next bound.
static void shorten(gy_run *run, uint64_t bound)
{
    bool cut = false, shorter = true;
    while (shorter) {
        uint64_t cost = cost_of(&run->result->witnesses[0]);
        bound = cost - 1 < bound ? cost - 1 : bound - 1;
        if (cost < 2 || !bound)
            break;
        run->stopped = false;
        if (gy_run_tick_slow(run)) // a short round may never come to look at the limits
            break;
        round_with(run, bound, &cut);
        shorter = run->result->completeness == GY_STOPPED_AT_ERROR && run->stopped;
    }
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
