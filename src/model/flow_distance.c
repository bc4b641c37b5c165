#include "model/flow_distance.h"

#include "base/fatal.h"

#include <stdlib.h>

uint32_t *gy_flow_distances(const gy_model *model, const gy_template *tmpl, const uint8_t *marked,
                            gy_arena *arena)
{
    uint32_t *distance = GY_NEW_ARRAY(arena, uint32_t, tmpl->node_count + 1);
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        distance[n] = marked[n] ? 0 : GY_FLOW_FAR;
    // As often as there are nodes, at most; templates are small.
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++) {
            const gy_edge *edge = &model->edges[e];
            if (edge->to == GY_NONE || distance[edge->to] + 1 >= distance[edge->from])
                continue;
            distance[edge->from] = distance[edge->to] + 1;
            changed = true;
        }
    }
    return distance;
}

uint32_t *gy_flow_distances_to(const gy_model *model, const gy_template *tmpl, int32_t node,
                               gy_arena *arena)
{
    uint8_t *marked = gy_alloc_zero((size_t)tmpl->node_count + 1);
    marked[node] = 1;
    uint32_t *distance = gy_flow_distances(model, tmpl, marked, arena);
    free(marked);
    return distance;
}
