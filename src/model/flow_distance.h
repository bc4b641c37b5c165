// Distances in the flow of control of a process type: the fewest edges to a marked node.
#ifndef GYRE_MODEL_FLOW_DISTANCE_H
#define GYRE_MODEL_FLOW_DISTANCE_H

#include "base/arena.h"
#include "model/model.h"

enum { GY_FLOW_FAR = 1 << 20 }; // there is no path

// By node of the template; `marked` has a byte for each.
uint32_t *gy_flow_distances(const gy_model *model, const gy_template *tmpl, const uint8_t *marked,
                            gy_arena *arena);
// The same to one node.
uint32_t *gy_flow_distances_to(const gy_model *model, const gy_template *tmpl, int32_t node,
                               gy_arena *arena);

#endif
