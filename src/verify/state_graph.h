// The states of a small model and the steps between them, one statement at a time, for a report
// that draws them. Too many states: there is no graph.
#ifndef GYRE_VERIFY_STATE_GRAPH_H
#define GYRE_VERIFY_STATE_GRAPH_H

#include "gyre/verify.h"

#include "base/arena.h"
#include "base/map.h"
#include "verify/execution.h"
#include "verify/limits.h"

enum { GY_GRAPH_STATES = 200 };

// A graph with the keys of its states, as long as paths are to be found in it.
typedef struct gy_graph_maker {
    gy_arena *arena; // of what is made
    gy_path *path;   // lends its worker
    bool empty_channels;
    struct gy_graph_key *keys; // of the nodes
    gy_map map;
    gy_state_node *nodes;
    uint32_t node_count;
    gy_state_edge *edges;
    uint32_t edge_count, edge_room;
    uint32_t from; // the node whose steps are being examined
    bool too_large;
} gy_graph_maker;

// NULL: too large, or a limit was reached. The maker is to be freed in any case.
const gy_state_graph *gy_graph_of_states(gy_graph_maker *maker, gy_arena *arena, gy_system *system,
                                         bool empty_channels, gy_limits *limits);
void gy_graph_maker_free(gy_graph_maker *maker);
// The nodes that a path goes through, one more than it has steps; NULL if they are not all there.
const uint32_t *gy_graph_walk(const gy_graph_maker *maker, const gy_path *path, gy_arena *arena);

#endif
