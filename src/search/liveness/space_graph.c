#include "search/liveness/space_graph.h"

uint32_t gy_space_graph_number(gy_space_graph *g, gy_ref ref)
{
    for (gy_map_probe p = gy_map_first(&g->numbers, ref); p.found; gy_map_next(&g->numbers, &p))
        if (g->refs.at[p.number] == ref)
            return p.number;
    gy_map_add(&g->numbers, ref, (uint32_t)g->refs.n);
    gy_vec_push(&g->refs, ref);
    return (uint32_t)g->refs.n - 1;
}

void gy_space_graph_numbers(gy_space_graph *g, const gy_refs *refs, gy_arc_graph_nodes *out)
{
    for (size_t i = 0; i < refs->n; i++)
        gy_vec_push(out, gy_space_graph_number(g, refs->at[i]));
}

static int edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    gy_space_graph *g = self;
    g->arcs.n = 0;
    int answer = gy_space_known_edges(g->view, g->refs.at[node], &g->arcs);
    for (size_t i = 0; i < g->arcs.n; i++) {
        if (g->inside && !g->inside(g->view, g->arcs.at[i].to))
            continue;
        gy_arc_graph_edge edge = {.to = gy_space_graph_number(g, g->arcs.at[i].to),
                                  .marks = g->arcs.at[i].marks};
        gy_vec_push(out, edge);
    }
    return answer;
}

static uint64_t asks(void *self, size_t edge)
{
    (void)edge; // all of them the same
    const gy_space_graph *g = self;
    return g->view->space->maker->asks(g->view->worker);
}

// Looks at limits where no edges are asked for.
static bool is_tired(void *self)
{
    const gy_space_graph *g = self;
    gy_space_view *v = g->view;
    if (gy_limit_poll_due(&v->pace))
        gy_space_look(v);
    return atomic_load_explicit(&v->space->limited, memory_order_relaxed);
}

static void no_room(void *self)
{
    const gy_space_graph *g = self;
    gy_space_out_of_memory(g->view->space);
}

void gy_space_graph_init(gy_space_graph *g, gy_space_view *view)
{
    *g = (gy_space_graph){.view = view};
    g->graph.self = g;
    g->graph.edges = edges;
    g->graph.asks = view->space->maker->asks ? asks : NULL;
    g->graph.all = view->space->all;
    g->graph.budget = view->space->budget;
    g->graph.tired = is_tired;
    g->graph.no_room = no_room;
}

void gy_space_graph_free(gy_space_graph *g)
{
    gy_map_free(&g->numbers);
    gy_vec_free(&g->refs);
    gy_vec_free(&g->arcs);
}

bool gy_space_graph_lasso(gy_space_graph *g, gy_arc_graph_path *stem, uint32_t *end,
                          gy_arc_graph_path *cycle)
{
    const gy_space *s = g->view->space;
    gy_arc_graph_nodes initial = {0};
    gy_emptiness_result found = {.all = s->needs};
    const gy_arc_graph_nodes *goals = &found.component;
    gy_space_graph_numbers(g, &s->initial, &initial);
    gy_space_graph_numbers(g, &s->component, &found.component);
    bool told = gy_arc_graph_stem(&g->graph, initial.at, (uint32_t)initial.n, goals, stem, end) &&
                (goals->n == 0 || gy_arc_graph_cycle(&g->graph, &found, *end, cycle));
    gy_vec_free(&initial);
    gy_emptiness_result_free(&found);
    return told;
}
