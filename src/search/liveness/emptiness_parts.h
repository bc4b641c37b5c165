// What the search of emptiness.c consists of, for the code that writes it down (emptiness_file.c).
//
// A node has the number under which it was reached (from 1), 0: not reached yet, or DEAD: its
// component is done with. `live` are the nodes reached and not dead, in the order of their numbers;
// `roots` splits them into components as far as known.
#ifndef GYRE_SEARCH_LIVENESS_EMPTINESS_PARTS_H
#define GYRE_SEARCH_LIVENESS_EMPTINESS_PARTS_H

#include "search/liveness/emptiness.h"

#include "base/atomic_file.h"

enum { GY_GRAPH_UNSEEN = 0 };
#define GY_GRAPH_DEAD UINT32_MAX

typedef struct gy_arc_graph_root {
    uint32_t number;
    uint64_t entry; // marks of the edge from the component before to this one
    uint64_t marks; // of the edges inside
} gy_arc_graph_root;

typedef struct gy_arc_graph_frame {
    uint32_t node;
    size_t first, next; // in `edges`; up to the first of the next frame or the end
    uint64_t depth;     // as gy_arc_graph.depth_limit has it
} gy_arc_graph_frame;

struct gy_arc_graph_stack {
    const gy_arc_graph *graph;
    gy_emptiness_result *result;
    gy_region numbers; // of the nodes, uint32_t each
    uint32_t *number;  // there
    gy_arc_graph_nodes live;
    GY_VEC(gy_arc_graph_root) roots;
    GY_VEC(gy_arc_graph_frame) frames;
    gy_arc_graph_edges edges;
    uint32_t counter;
    uint32_t refused; // the node whose edges were not reported, if that ended it; else UINT32_MAX
};

void gy_arc_graph_stack_save(const gy_arc_graph_stack *stack, gy_writer *writer);
// Into one that has not begun, of a graph whose nodes are below `nodes`. False: it makes no sense,
// or there is no memory.
bool gy_arc_graph_stack_load(gy_arc_graph_stack *stack, gy_reader *reader, uint32_t nodes);

#endif
