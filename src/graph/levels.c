// Levels and degrees: one pass over all edges.
#include "graph/structure.h"

// Counts one more of number `at`.
#define COUNT(v, which)                                                                            \
    do {                                                                                           \
        while ((v)->n <= (which))                                                                  \
            gy_vec_push((v), 0);                                                                   \
        (v)->at[which]++;                                                                          \
    } while (0)

// The level of a state: by bisection, as levels are ranges.
static uint64_t level_of(const gy_graph *graph, uint32_t state)
{
    size_t low = 0, high = graph->levels.n - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (graph->levels.at[middle] <= state)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void look_at_edges(gy_structure *s, const gy_graph *graph, uint32_t state, uint64_t level,
                          uint32_t *in)
{
    uint32_t next_level = graph->levels.at[level + 1];
    for (uint64_t e = graph->first[state]; e < graph->first[state + 1]; e++) {
        uint32_t target = graph->targets[e];
        in[target]++;
        if (target >= next_level || target == state)
            continue;
        uint64_t length = level - level_of(graph, target);
        s->back_edges++;
        s->sum_back += length;
        if (length > s->longest_back)
            s->longest_back = length;
        COUNT(&s->back_lengths, length);
    }
}

static bool look_at_levels(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits,
                           uint32_t *in)
{
    for (size_t level = 0; level + 1 < graph->levels.n; level++) {
        uint32_t from = graph->levels.at[level], to = graph->levels.at[level + 1];
        gy_level_facts facts = {to - from, graph->first[to] - graph->first[from]};
        gy_vec_push(&s->levels, facts);
        if (facts.states > s->largest_level)
            s->largest_level = facts.states;
        for (uint32_t state = from; state < to; state++) {
            if (gy_graph_tick(limits))
                return false;
            look_at_edges(s, graph, state, level, in);
        }
    }
    return true;
}

static bool look_at_degrees(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits,
                            const uint32_t *in)
{
    s->least_in = s->least_out = UINT64_MAX;
    for (uint32_t state = 0; state < graph->states; state++) {
        uint64_t out = gy_graph_degree(graph, state);
        if (gy_graph_tick(limits))
            return false;
        COUNT(&s->in, in[state]);
        COUNT(&s->out, out);
        s->least_in = in[state] < s->least_in ? in[state] : s->least_in;
        s->most_in = in[state] > s->most_in ? in[state] : s->most_in;
        s->least_out = out < s->least_out ? out : s->least_out;
        s->most_out = out > s->most_out ? out : s->most_out;
    }
    return true;
}

void gy_structure_levels(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits)
{
    gy_region room;
    uint32_t *in = gy_graph_array(limits, &room, graph->states);
    s->has_levels =
        in && look_at_levels(s, graph, limits, in) && look_at_degrees(s, graph, limits, in);
    gy_region_free(&room);
}
