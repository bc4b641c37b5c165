// A lasso as a witness: the nodes on it are expanded once more, to see by which moves and steps it
// goes on.
#include "search/liveness/product_graph.h"

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
    gy_product *p;
    step_request steps;
    GY_VEC(gy_turn) turns;
    gy_graph_edges edges;
} telling;

static void tell_hop(telling *t, gy_graph_hop hop)
{
    gy_product *p = t->p;
    t->edges.n = 0;
    gy_product_edges(p, hop.node, &t->edges);
    gy_edge_origin origin = p->origins.at[hop.edge];
    const gy_observer_move *move = &p->moves[origin.move];
    t->steps.wanted = origin.ordinal;
    t->steps.seen = 0;
    t->steps.count = 0;
    if (origin.ordinal != GY_STUTTER)
        gy_successors(p->run->worker, p->observer->changes ? move->state : p->state, p->words,
                      visit_steps, &t->steps);
    gy_turn turn = {
        .from = p->at,
        .to = move->to,
        .marks = t->edges.at[hop.edge].marks,
        .observer_edge = move->edge,
        .ordinal = origin.ordinal,
        .step_count = t->steps.count,
    };
    gy_vec_push(&t->turns, turn);
}

// No cycle: the stem leads to a node where the observer sees an error.
gy_lasso_witness *gy_product_tell(gy_product *p, const gy_product_start *start,
                                  const gy_graph_path *stem, uint32_t end,
                                  const gy_graph_path *cycle)
{
    telling t = {.p = p};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    uint32_t first = stem->n > 0 ? stem->at[0].node : end;
    p->frozen = p->telling = true;
    for (size_t i = 0; i < start->nodes.n; i++)
        if (start->nodes.at[i] == first)
            lasso->initial = start->ordinals.at[i];
    for (size_t i = 0; i < stem->n; i++)
        tell_hop(&t, stem->at[i]);
    lasso->cycle_turn = t.turns.n;
    lasso->cycle_start = t.steps.steps.n;
    for (size_t i = 0; i < cycle->n; i++)
        tell_hop(&t, cycle->at[i]);
    if (cycle->n == 0) {
        t.edges.n = 0;
        p->seen = NULL;
        gy_product_edges(p, end, &t.edges);
        gy_turn last = {.from = p->at,
                        .to = p->seen->to,
                        .marks = p->seen->marks,
                        .observer_edge = p->seen->edge,
                        .ordinal = GY_STUTTER};
        lasso->sight = p->seen->sight;
        gy_vec_push(&t.turns, last);
        lasso->cycle_turn = t.turns.n;
    }
    lasso->turns = t.turns.at;
    lasso->turn_count = t.turns.n;
    lasso->steps = t.steps.steps.at;
    lasso->step_count = t.steps.steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    gy_vec_free(&t.edges);
    p->frozen = p->telling = false;
    return lasso;
}

void gy_lasso_witness_free(gy_lasso_witness *lasso)
{
    if (!lasso)
        return;
    free(lasso->turns);
    free(lasso->steps);
    free(lasso);
}
