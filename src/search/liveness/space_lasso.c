// A lasso in a product as a witness: the nodes on it are expanded once more, to see by which moves
// and steps it goes on.
#include "search/liveness/lasso_writer.h"
#include "search/liveness/product_maker.h"
#include "search/liveness/space_graph.h"

#include <stdlib.h>

typedef struct telling {
    gy_space_graph *g;
    gy_lasso_writer writer;
    gy_arc_graph_edges edges;
} telling;

static void tell_hop(telling *t, gy_arc_graph_hop hop)
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
    gy_lasso_add_turn(&t->writer, turn, origin.system, origin.state, origin.words);
}

static gy_lasso_witness *tell(gy_space_graph *g, const gy_arc_graph_path *stem, uint32_t end,
                              const gy_arc_graph_path *cycle)
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
    gy_lasso_add_cycle(&t.writer, lasso);
    for (size_t i = 0; i < cycle->n; i++)
        tell_hop(&t, cycle->at[i]);
    if (cycle->n == 0) {
        t.edges.n = 0;
        g->graph.edges(g, end, &t.edges);
        gy_product_origin origin = gy_product_sight_of(g->view->worker);
        gy_lasso_add_sight(&t.writer, origin.at, origin.move, lasso);
    }
    gy_lasso_writer_end(&t.writer, lasso);
    gy_vec_free(&t.edges);
    return lasso;
}

gy_lasso_witness *gy_product_space_lasso(gy_space *space)
{
    gy_arc_graph_path stem = {0}, cycle = {0};
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
