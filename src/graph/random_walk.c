// One random traversal of the graph.
#include "graph/structure.h"

#include "base/random.h"

enum { STEPS_PER_STATE = 10, STEPS_PER_SAMPLE = 20, SAMPLES = 200, MOST_LISTED = 100 };

static int more_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

static bool walk(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits, gy_random *random,
                 uint32_t *visits)
{
    uint64_t interval = graph->states / SAMPLES, seen = 0;
    uint64_t steps = (uint64_t)graph->states * STEPS_PER_STATE;
    uint32_t at = (uint32_t)gy_random_below(random, graph->initial);
    interval = (interval ? interval : 1) * STEPS_PER_SAMPLE;
    for (uint64_t step = 1; step <= steps; step++) {
        uint64_t degree = gy_graph_degree(graph, at);
        if (gy_graph_tick(limits))
            return false;
        seen += visits[at]++ == 0;
        at = degree ? graph->targets[graph->first[at] + gy_random_below(random, degree)]
                    : (uint32_t)gy_random_below(random, graph->initial);
        s->walk_coverage = 100.0 * (double)seen / graph->states;
        if (step % interval == 0) {
            gy_sample sample = {step, s->walk_coverage};
            gy_vec_push(&s->walk, sample);
        }
    }
    return true;
}

void gy_structure_walk(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits,
                       uint64_t seed)
{
    gy_region room;
    gy_random random;
    gy_random_seed(&random, seed);
    uint32_t *visits = gy_graph_array(limits, &room, graph->states);
    s->has_walk = visits && walk(s, graph, limits, &random, visits);
    if (s->has_walk) {
        qsort(visits, graph->states, sizeof *visits, more_first);
        for (uint32_t i = 0; i < graph->states && i < MOST_LISTED && visits[i]; i++)
            gy_vec_push(&s->visits, visits[i]);
    }
    gy_region_free(&room);
}
