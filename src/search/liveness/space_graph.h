// A space (space.h) that was searched, as a graph with numbered nodes (emptiness.h), for one
// thread: to find lassos in it, and to take components apart. It leads to nodes that are in the
// store only, and so never grows it.
//
// Owner: gy_space_graph_free; the view is borrowed.
#ifndef GYRE_SEARCH_LIVENESS_SPACE_GRAPH_H
#define GYRE_SEARCH_LIVENESS_SPACE_GRAPH_H

#include "search/liveness/space.h"

#include "base/map.h"

typedef struct gy_space_graph {
    gy_arc_graph graph; // its functions are set
    gy_space_view *view;
    gy_map numbers;
    gy_refs refs; // by number
    gy_arcs arcs; // scratch
    // NULL, or which nodes there are.
    bool (*inside)(gy_space_view *view, gy_ref ref);
} gy_space_graph;

void gy_space_graph_init(gy_space_graph *g, gy_space_view *view);
void gy_space_graph_free(gy_space_graph *g);
uint32_t gy_space_graph_number(gy_space_graph *g, gy_ref ref);
void gy_space_graph_numbers(gy_space_graph *g, const gy_refs *refs,
                            gy_arc_graph_nodes *out); // appends

// A lasso to and in what the space has found (space->component, or none: then to space->seen).
// False: there is none.
bool gy_space_graph_lasso(gy_space_graph *g, gy_arc_graph_path *stem, uint32_t *end,
                          gy_arc_graph_path *cycle);

#endif
