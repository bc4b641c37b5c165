#include "graph/structure.h"

gy_structure *gy_structure_make(const gy_graph *graph, gy_graph_limits *limits, uint64_t seed)
{
    gy_structure *s = gy_alloc_zero(sizeof *s);
    *s = (gy_structure){
        .states = graph->states,
        .edges = graph->edges,
        .initial = graph->initial,
        .deadlocks = graph->deadlocks,
        .faults = graph->faults,
        .unexpanded = graph->states - graph->expanded,
    };
    for (size_t i = 0; i < graph->labels.n; i++)
        gy_vec_push(&s->labels, graph->labels.at[i]);
    if (limits->end == GY_GRAPH_COMPLETE && graph->states > 0) {
        gy_structure_levels(s, graph, limits);
        gy_structure_components(s, graph, limits);
        gy_structure_depth_first(s, graph, limits);
        gy_structure_local(s, graph, limits);
        gy_structure_walk(s, graph, limits, seed);
    }
    s->end = limits->end;
    return s;
}

void gy_structure_free(gy_structure *s)
{
    if (!s)
        return;
    gy_vec_free(&s->levels);
    gy_vec_free(&s->back_lengths);
    gy_vec_free(&s->in);
    gy_vec_free(&s->out);
    gy_vec_free(&s->sizes);
    gy_vec_free(&s->stack);
    gy_vec_free(&s->walk);
    gy_vec_free(&s->visits);
    gy_vec_free(&s->labels);
    free(s);
}
