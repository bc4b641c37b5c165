// Inside of guides. Private to guiding*.c.
//
// A node of the graph before it is condensed is a vector of slots: for each guiding process where
// it is (GONE: nowhere) and the values of its tracked variables (0 if it is gone), then those of
// tracked global variables.
#ifndef GYRE_DIST_SWARM_GUIDE_GRAPH_PARTS_H
#define GYRE_DIST_SWARM_GUIDE_GRAPH_PARTS_H

#include "dist/swarm/guide_graph.h"
#include "exec/system.h"
#include "exec/vm/state_layout.h"

enum { GY_GUIDE_GONE = -1, GY_GUIDE_MOST = 16 };

typedef struct gy_guide_slot {
    int32_t var;   // GY_NONE: control
    int32_t guide; // whose it is; GY_NONE: a global
} gy_guide_slot;

typedef struct gy_guide_graph {
    uint32_t slot_count;
    GY_VEC(int32_t) values; // slot_count for each node
    uint32_t node_count;
    gy_map index;
    GY_VEC(uint32_t) from, to; // edges, in the order in which they were found
    GY_VEC(uint32_t) roots;
} gy_guide_graph;

struct gy_guide {
    const gy_model *model;
    gy_state_layouts *layouts;
    uint32_t count;
    uint32_t pid[GY_GUIDE_MOST];
    int32_t tmpl[GY_GUIDE_MOST];
    uint8_t *tracked; // by variable of the model
    GY_VEC(gy_guide_slot) slots;
    gy_guide_graph graph;
    // The condensation.
    uint32_t part_count, level_count;
    uint32_t *part_of; // by node
    uint32_t *rank;    // by node: how many of its part were found before
    uint32_t *ranks;   // by part: its nodes
    uint32_t *sample;  // by part: one of its nodes
    uint32_t *level;   // by part
    uint8_t *cyclic;   // by part
    uint8_t *root;     // by part
    uint32_t *first, *next;
    // Ways that were asked for.
    gy_map ways;
    struct gy_guide_path_row {
        uint32_t from, to, at, count;
    } * way;
    size_t way_count, way_room;
    GY_VEC(uint32_t) steps;
    // Work space of a breadth-first search.
    uint32_t *before;
};

// Which variables follow from each other; guide_graph_track.c.
void gy_guide_track(gy_guide *guide, const gy_state_layout *layout);
// Explores the graph from its roots; guide_graph_explore.c. False: more than `most` nodes, or
// *untracked is set: a variable of guide->tracked turned out to have unknown values, and is none
// any more.
bool gy_guide_explore(gy_guide *guide, uint32_t most, bool *untracked);
// The number of a node, which is added if it is new.
uint32_t gy_guide_node(gy_guide_graph *graph, const int32_t *slots, bool *is_new);
// Of the graph as it is; guide_graph_condense.c.
void gy_guide_condense(gy_guide *guide);
// What a state has in the slots.
void gy_guide_project(const gy_guide *guide, const gy_state_layout *layout, const gy_word *state,
                      int32_t *slots);

#endif
