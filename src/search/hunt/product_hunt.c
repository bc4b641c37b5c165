// A hunt in the product of a system and an observer, for what the observer sees at once: formulas
// and claims that a finite run can violate. Cycles are the business of gy_product_search.
#include "search/hunt/hunt.h"

#include "search/hunt/party.h"
#include "search/liveness/lasso_writer.h"

#include "base/clock.h"

typedef struct chase {
    gy_run *run;
    const gy_observer *observer;
    gy_lasso_witness *lasso;
} chase;

// Follows the route again, and keeps the turns on it. NULL: it does not lead there.
static gy_lasso_witness *walk(const chase *c, const gy_route *route)
{
    gy_bounded_product g;
    gy_lasso_writer writer = {0};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    GY_VEC(gy_word) state = {0};
    uint32_t count;
    bool good = route->n > 0;
    gy_bounded_product_init(&g, gy_worker_new(c->run->system), c->run->options);
    g.observer = c->observer;
    for (size_t i = 0; i < route->n && good; i++) {
        uint32_t at = state.n ? state.at[state.n - 1] : 0;
        const gy_transition *all =
            gy_bounded_product_expand(&g, i ? state.at : NULL, (uint32_t)state.n, &count);
        good = route->at[i] < count && all[route->at[i]].state;
        if (!good)
            break;
        const gy_transition *move = &all[route->at[i]];
        const gy_bounded_product_origin *origin = &g.origins.at[route->at[i]];
        gy_turn turn = {.from = at,
                        .to = origin->move.to,
                        .marks = origin->move.marks,
                        .observer_edge = origin->move.edge,
                        .ordinal = origin->ordinal,
                        .step_count = move->step_count};
        if (i == 0)
            lasso->initial = origin->ordinal;
        else
            gy_vec_push(&writer.turns, turn);
        gy_lasso_add_steps(&writer, move);
        gy_vec_reserve(&state, (size_t)move->words + 1);
        memcpy(state.at, move->state, move->words * sizeof *move->state);
        state.n = move->words;
    }
    if (good)
        gy_bounded_product_expand(&g, state.at, (uint32_t)state.n, &count);
    good = good && g.found == GY_BOUNDED_PRODUCT_SIGHT;
    gy_lasso_add_sight(&writer, state.n ? state.at[state.n - 1] : 0, &g.sight, lasso);
    gy_lasso_writer_end(&writer, lasso);
    gy_vec_free(&state);
    gy_bounded_product_free(&g);
    if (good)
        return lasso;
    gy_lasso_witness_free(lasso);
    return NULL;
}

static bool found(void *user, const gy_finding *finding, const gy_hunter *by)
{
    chase *c = user;
    (void)by;
    c->lasso = walk(c, &finding->route);
    if (!c->lasso)
        gy_run_fail_internally(c->run, "the path to an error cannot be replayed");
    else
        gy_run_stop(c->run, GY_STOPPED_AT_ERROR);
    return true;
}

gy_product_result *gy_hunt_product(gy_system *system, const gy_observer *observer,
                                   const gy_search_options *options)
{
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_run run;
    chase c = {.run = &run, .observer = observer};
    gy_run_begin(&run, system, options);
    gy_search_result *figures = result->figures = run.result;
    result->store = options->store;
    result->cycles = "hunt";
    result->cycles_why = "violations by finite runs are hunted first";
    // Hunters go from the system's states as they are: an observer that changes them is left to
    // the search for cycles.
    if (observer->changes)
        gy_run_stop(&run, GY_LOSSY);
    else
        gy_party_hunt(&run, observer, found, &c);
    result->lasso = c.lasso;
    figures->errors = c.lasso != NULL;
    figures->error_met = c.lasso != NULL;
    figures->states = run.states_so_far;
    gy_run_end(&run);
    return result;
}
