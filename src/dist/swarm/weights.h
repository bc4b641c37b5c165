// Weighted automata: acyclic, with the number of complete traces from each node, so that traces can
// be told apart by number (A. Wijs, Towards Informed Swarm Verification, NFM 2011).
//
// Edges have an order, that in which they were added. A complete trace from a node is a path to a
// node without edges; two edges to the same node are two traces. Traces from the first node are
// numbered 0 … weight-1 in the order of their edges: all those that begin with the same edges have
// numbers in a row. (In the paper's reconstruction of a trace from its number the traversal of the
// edges is not begun again after a transition; it must be.)
//
//     gy_weights *w = gy_weights_new(nodes);
//     gy_weights_edge(w, from, to); …          // from < nodes, to < nodes; by rising `from`
//     if (gy_weights_count(w)) …               // false: there is a cycle
//
// Owner: who makes one frees it. After gy_weights_count it is read-only, for any number of threads.
#ifndef GYRE_DIST_SWARM_WEIGHTS_H
#define GYRE_DIST_SWARM_WEIGHTS_H

#include "base/vec.h"
#include "dist/swarm/bigint.h"

typedef struct gy_weights {
    uint32_t node_count;
    uint32_t *first; // node n has the edges first[n] … first[n + 1]-1
    GY_VEC(uint32_t) targets;
    gy_bigint *weight; // by node, once they were counted
    uint32_t open;     // edges of nodes below are complete
} gy_weights;

// A path: for each node on it, the edge (counted within the node) that it takes there.
typedef GY_VEC(uint32_t) gy_trace;

gy_weights *gy_weights_new(uint32_t nodes);
void gy_weights_free(gy_weights *w);
void gy_weights_edge(gy_weights *w, uint32_t from, uint32_t to);
bool gy_weights_count(gy_weights *w);

static inline uint32_t gy_weights_degree(const gy_weights *w, uint32_t node)
{
    return w->first[node + 1] - w->first[node];
}
static inline uint32_t gy_weights_target(const gy_weights *w, uint32_t node, uint32_t edge)
{
    return w->targets.at[w->first[node] + edge];
}
// Which edge of the first node leads there; UINT32_MAX: none.
uint32_t gy_weights_find(const gy_weights *w, uint32_t from, uint32_t to);

// The trace with this number, which must be below the weight of node 0.
void gy_trace_of(const gy_weights *w, const gy_bigint *number, gy_trace *trace);
// The numbers of the traces that begin with the first `length` edges of this one and go on with
// `edge`: *low and the following, *count of them (both are initialised by the caller).
void gy_trace_range(const gy_weights *w, const gy_trace *trace, size_t length, uint32_t edge,
                    gy_bigint *low, gy_bigint *count);

#endif
