// A short accepting lasso, whatever its cycle needs: many marks, and what its edges ask for. Fair
// ones, where shortest.h does not apply.
//
// The part of the graph that a cheaper lasso than the known one can pass is read, cheapest nodes
// first, and kept. From each node of a component, nearest to the start first, a cycle goes to the
// nearest edge with a mark that is still missing, until none is, and back: what is found is short,
// not shortest. If all of that part was read, few marks matter and no more than a part of `most`
// had to be read, shortest.h then finds a shortest one in it.
//
// Private to src/search, and to its tests.
#ifndef GYRE_SEARCH_LIVENESS_SHORT_LASSO_H
#define GYRE_SEARCH_LIVENESS_SHORT_LASSO_H

#include "search/liveness/emptiness.h"

typedef struct gy_short_lasso {
    bool found;  // one that costs less than `bound`
    bool proved; // nothing cheaper exists than that or, if not found, than `bound`
    gy_arc_graph_path stem, cycle; // no cycle: the stem ends in a node that says GY_GRAPH_SEEN
    uint32_t end;                  // node after the stem
    uint64_t cost;
} gy_short_lasso;

// The graph must give all marks at once (no windows). If it says what edges ask for, nodes are
// read twice: marks and what is asked for may be reported differently once more nodes are known, as
// fair.h has it. `all`, or NULL: asked once the graph was read for the marks that a cycle needs, of
// graph->all. After `most` nodes reading ends. The caller frees the two paths.
void gy_arc_graph_short_lasso(const gy_arc_graph *graph, const gy_arc_graph_nodes *initial,
                              uint64_t (*all)(void *self), uint64_t bound, uint64_t most,
                              gy_short_lasso *out);

#endif
