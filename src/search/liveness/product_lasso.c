// A lasso as a witness: the nodes on it are expanded once more, to see by which moves and steps it
// goes on.
#include "search/liveness/lasso_writer.h"
#include "search/liveness/product_graph.h"

typedef struct telling {
    gy_product *p;
    gy_lasso_writer writer;
    gy_arc_graph_edges edges;
} telling;

static void tell_hop(telling *t, gy_arc_graph_hop hop)
{
    gy_product *p = t->p;
    t->edges.n = 0;
    gy_product_edges(p, hop.node, &t->edges);
    gy_edge_origin origin = p->origins.at[hop.edge];
    const gy_observer_move *move = &p->moves[origin.move];
    gy_turn turn = {
        .from = p->at,
        .to = move->to,
        .marks = t->edges.at[hop.edge].marks,
        .observer_edge = move->edge,
        .ordinal = origin.ordinal,
    };
    gy_lasso_add_turn(&t->writer, turn, p->run->worker,
                      p->observer->changes ? move->state : p->state, p->words);
}

// No cycle: the stem leads to a node where the observer sees an error.
gy_lasso_witness *gy_product_tell(gy_product *p, const gy_product_start *start,
                                  const gy_arc_graph_path *stem, uint32_t end,
                                  const gy_arc_graph_path *cycle)
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
    gy_lasso_add_cycle(&t.writer, lasso);
    for (size_t i = 0; i < cycle->n; i++)
        tell_hop(&t, cycle->at[i]);
    if (cycle->n == 0) {
        t.edges.n = 0;
        p->seen = NULL;
        gy_product_edges(p, end, &t.edges);
        gy_lasso_add_sight(&t.writer, p->at, p->seen, lasso);
    }
    gy_lasso_writer_end(&t.writer, lasso);
    gy_vec_free(&t.edges);
    p->frozen = p->telling = false;
    return lasso;
}
