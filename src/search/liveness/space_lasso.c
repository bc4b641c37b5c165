// A lasso in a product as a witness: the nodes on it are expanded once more, to see by which moves
// and steps it goes on.
#include "search/liveness/product_maker.h"
#include "search/liveness/space_graph.h"

#include <stdlib.h>

typedef struct step_request {
    uint32_t wanted, seen;
    GY_VEC(gy_step) steps;
    uint64_t count;
} step_request;

static int visit_steps(void *user, const gy_transition *transition)
{
    step_request *request = user;
    if (request->seen++ != request->wanted)
        return 0;
    request->count = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&request->steps, transition->steps[i]);
    return 1;
}

typedef struct telling {
    gy_space_graph *g;
    step_request steps;
    GY_VEC(gy_turn) turns;
    gy_graph_edges edges;
} telling;

static void tell_hop(telling *t, gy_graph_hop hop)
{
    gy_space_view *view = t->g->view;
    t->edges.n = 0;
    t->g->graph.edges(t->g, hop.node, &t->edges);
    gy_product_origin origin = gy_product_origin_of(view->worker, view->items.origins[hop.edge]);
    gy_turn turn = {
        .from = origin.at,
        .to = origin.move->to,
        .marks = view->items.marks[hop.edge],
        .observer_edge = origin.move->edge,
        .ordinal = origin.ordinal,
    };
    t->steps.wanted = origin.ordinal;
    t->steps.seen = 0;
    t->steps.count = 0;
    if (origin.ordinal != GY_STUTTER)
        gy_successors(origin.system, origin.state, origin.words, visit_steps, &t->steps);
    turn.step_count = t->steps.count;
    gy_vec_push(&t->turns, turn);
}

// No cycle: the observer sees an error at the end.
static gy_sight tell_sight(telling *t, uint32_t end)
{
    t->edges.n = 0;
    t->g->graph.edges(t->g, end, &t->edges);
    gy_product_origin origin = gy_product_sight_of(t->g->view->worker);
    gy_turn last = {.from = origin.at,
                    .to = origin.move->to,
                    .marks = origin.move->marks,
                    .observer_edge = origin.move->edge,
                    .ordinal = GY_STUTTER};
    gy_vec_push(&t->turns, last);
    return origin.move->sight;
}

static gy_lasso_witness *tell(gy_space_graph *g, const gy_graph_path *stem, uint32_t end,
                              const gy_graph_path *cycle)
{
    const gy_space *s = g->view->space;
    telling t = {.g = g};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    uint32_t first = stem->n > 0 ? stem->at[0].node : end;
    for (size_t i = 0; i < s->initial.n; i++)
        if (s->initial.at[i] == g->refs.at[first])
            lasso->initial = s->origins.at[i];
    for (size_t i = 0; i < stem->n; i++)
        tell_hop(&t, stem->at[i]);
    lasso->cycle_turn = t.turns.n;
    lasso->cycle_start = t.steps.steps.n;
    for (size_t i = 0; i < cycle->n; i++)
        tell_hop(&t, cycle->at[i]);
    if (cycle->n == 0) {
        lasso->sight = tell_sight(&t, end);
        lasso->cycle_turn = t.turns.n;
    }
    lasso->turns = t.turns.at;
    lasso->turn_count = t.turns.n;
    lasso->steps = t.steps.steps.at;
    lasso->step_count = t.steps.steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    gy_vec_free(&t.edges);
    return lasso;
}

gy_lasso_witness *gy_product_space_lasso(gy_space *space)
{
    gy_graph_path stem = {0}, cycle = {0};
    gy_lasso_witness *lasso = NULL;
    gy_space_graph g;
    uint32_t end = 0;
    gy_space_graph_init(&g, &space->views[0]);
    if (gy_space_graph_lasso(&g, &stem, &end, &cycle))
        lasso = tell(&g, &stem, end, &cycle);
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    gy_space_graph_free(&g);
    return lasso;
}
