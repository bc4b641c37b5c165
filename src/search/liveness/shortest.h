// A cheapest lasso: an accepting one of which no other has a smaller sum of costs over stem and
// cycle, each edge counted once.
//
// After Gastin and Moro, "Minimal counterexample generation for SPIN" (SPIN 2007): for each
// accepting edge r -> q, a search from q gives the cost of the path from r to any node s; the
// cost of reaching s at first is known; and a search from all s together, each starting with the
// sum of the two, finds the s from which the path back to r closes the cheapest lasso. Changed:
// acceptance is on edges, edges have costs, only the part of the graph is read that a cheaper
// lasso than the known one can touch, and the searches stay inside a component. Where a cycle needs
// several marks, they go by nodes together with the marks on the path to them.
//
// Private to src/search, and to its tests.
#ifndef GYRE_SEARCH_LIVENESS_SHORTEST_H
#define GYRE_SEARCH_LIVENESS_SHORTEST_H

#include "search/liveness/emptiness.h"

typedef struct gy_shortest {
    bool found;  // a lasso, or a path to a node whose edges() says GY_GRAPH_SEEN
    bool proved; // nothing cheaper exists (than that or, if not found, than `bound`)
    gy_arc_graph_path stem, cycle; // no cycle: the stem ends in a node that says GY_GRAPH_SEEN
    uint32_t end;                  // node after the stem
    uint64_t cost;
} gy_shortest;

enum { GY_SHORTEST_MARKS = 6 };

// Looks for one that costs less than `bound`. graph->all has GY_SHORTEST_MARKS marks at most (else
// nothing is found, or proved); with none, every cycle is accepting. If graph->tired says so, the
// search ends with what it has. The graph is read by the caller's thread; cycles are looked for by
// several: what is found has the same cost for any number of them. The caller frees the two paths.
void gy_arc_graph_shortest(const gy_arc_graph *graph, const uint32_t *initial,
                           uint32_t initial_count, uint64_t bound, unsigned threads,
                           gy_shortest *out);

#endif
