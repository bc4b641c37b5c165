// Is there an accepting cycle? Strongly connected components of a graph that is made while it is
// searched, with marks on its edges: Couvreur's algorithm, which stops as soon as the part seen so
// far holds a component with all marks. And lassos in such a component.
//
// Nodes are numbers, dense from 0, as a STORE hands them out. A graph knows the edges of a node.
// Private to src/search, and to its tests.
#ifndef GYRE_SEARCH_LIVENESS_EMPTINESS_H
#define GYRE_SEARCH_LIVENESS_EMPTINESS_H

#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gy_arc_graph_edge {
    uint32_t to;
    uint32_t cost; // for shortest.h
    uint64_t marks;
} gy_arc_graph_edge;

typedef GY_VEC(gy_arc_graph_edge) gy_arc_graph_edges;
typedef GY_VEC(uint32_t) gy_arc_graph_nodes;
typedef GY_VEC(uint64_t) gy_arc_graph_marks;

enum { GY_GRAPH_STOP = 1, GY_GRAPH_SEEN }; // a limit; an error without a cycle

typedef struct gy_arc_graph {
    void *self;
    // Appends the edges of a node, always the same ones in the same order. Non-zero (GY_GRAPH_…):
    // the search is to end here.
    int (*edges)(void *self, uint32_t node, gy_arc_graph_edges *out);
    uint64_t all; // the marks that a cycle needs to be accepting
    // NULL, or for strong fairness: the marks that an edge asks for, of those that edges() gave
    // last (from 0). A cycle with an edge that asks for a mark must have that mark on an edge.
    uint64_t (*asks)(void *self, size_t edge);
    // NULL, or if there are more marks than fit into a word: so many windows of 64 each; and from
    // now on, edges() and asks() are to report the marks of this one. `all` is of the first, which
    // is always examined but where components are taken apart and cycles looked for.
    uint32_t (*windows)(void *self);
    void (*look)(void *self, uint32_t window);
    uint64_t depth_limit; // paths are not followed further than that; 0: none
    bool costs;           // a path is as long as its edges cost, not as they are many
    gy_budget *budget;    // for what the search keeps for each node; NULL: without limit
    // NULL, or asked from time to time where edges() is not, in what may be long: true ends it.
    bool (*tired)(void *self);
    // gy_arc_graph_strong: the budget said no to a copy of a component. Called before it ends.
    void (*no_room)(void *self);
    // gy_arc_graph_nested: on each cycle, either all edges have all marks or none has.
    bool uniform;
    // gy_arc_graph_nested: NULL, or called when nodes begin and cease to be asked about once more.
    void (*again)(void *self, bool on);
    const struct gy_arc_graph_keeper *keeper; // gy_arc_graph_search: NULL, or who writes it down
} gy_arc_graph;

// Who writes a search down and lets it go on from there (emptiness_parts.h). All get the graph's
// self, and what the search consists of.
typedef struct gy_arc_graph_stack gy_arc_graph_stack;
typedef struct gy_arc_graph_keeper {
    const bool *due; // between two nodes: it is time for save()
    void (*save)(void *self, gy_arc_graph_stack *stack);
    // The search was broken off, by what edges() said of this node (UINT32_MAX: by something else).
    // It is as it was before that node was reached.
    void (*broken_off)(void *self, gy_arc_graph_stack *stack, uint32_t node);
    // Before it begins: NULL, or gives what was written down back. False: the search is to end.
    bool (*restore)(void *self, gy_arc_graph_stack *stack);
} gy_arc_graph_keeper;

static inline uint32_t gy_arc_graph_windows(const gy_arc_graph *graph)
{
    return graph->windows ? graph->windows(graph->self) : 1;
}

static inline uint64_t gy_arc_graph_length(const gy_arc_graph *graph, const gy_arc_graph_edge *edge)
{
    return graph->costs ? edge->cost : 1;
}

typedef enum { GY_EMPTY, GY_NONEMPTY, GY_BROKEN_OFF } gy_emptiness;

typedef struct gy_emptiness_result {
    gy_emptiness answer;
    gy_arc_graph_nodes component; // NONEMPTY: nodes of a strongly connected part with all marks
    uint64_t all;                 // NONEMPTY: the marks that a cycle in it needs
    gy_arc_graph_marks more;      // NONEMPTY: those of further windows
    uint64_t depth;               // longest path that was examined
    uint64_t nodes;               // that were visited
    bool cut;                     // the depth limit was reached
    bool full;                    // BROKEN_OFF: the budget said no
    uint32_t components;          // left behind
} gy_emptiness_result;

void gy_emptiness_result_free(gy_emptiness_result *result);

// From each of the initial nodes. The caller frees the result.
void gy_arc_graph_search(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                         gy_emptiness_result *result);

// nested.c: the same with two bits per node in place of a number, if nothing is asked for and no
// cycle is accepting but by an edge that has all marks. Edges of a node may be asked for twice.
void gy_arc_graph_nested(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                         gy_emptiness_result *result);

// strong.c: has a strongly connected component a part with an accepting cycle that answers to
// what its edges ask for? Then the part and its marks are in `found`. A node's rank is its position
// in `component`, UINT32_MAX if it is not there. False also if graph->edges, tired or the budget
// ended it: then nothing is to be concluded.
typedef struct gy_arc_graph_ranks {
    void *self;
    uint32_t (*rank)(void *self, uint32_t node);
} gy_arc_graph_ranks;
bool gy_arc_graph_strong(const gy_arc_graph *graph, const gy_arc_graph_nodes *component,
                         const gy_arc_graph_ranks *ranks, gy_emptiness_result *found);

// An edge on a path: number `edge` of those of `node`.
typedef struct gy_arc_graph_hop {
    uint32_t node, edge;
} gy_arc_graph_hop;
typedef GY_VEC(gy_arc_graph_hop) gy_arc_graph_path;

// A shortest path from an initial node to a node of `goals`, or, if there are none, to a node
// whose edges() says GY_GRAPH_SEEN. *end is that node. False: there is none, or edges() said
// GY_GRAPH_STOP.
bool gy_arc_graph_stem(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                       const gy_arc_graph_nodes *goals, gy_arc_graph_path *path, uint32_t *end);
// A short cycle from `start` with the marks that were found to be needed, within the component that
// was found, of which start is a node. False: as above.
bool gy_arc_graph_cycle(const gy_arc_graph *graph, const gy_emptiness_result *found, uint32_t start,
                        gy_arc_graph_path *path);

#endif
