// Strongly connected components of a graph with nodes 0, 1, 2 …: H. Gabow, "Path-based depth-first
// search for strong and biconnected components" (2000), without recursion. One number for each
// node, which the caller brings, so that its memory counts as the caller's; a further twenty bytes
// for each node on the path, and eight for each node that is not in a complete component yet.
//
// A component is complete when all that is reachable from it was visited: components are numbered
// from 0 in that order, and an edge leads to the same component or to one with a lower number.
//
//     gy_scc scc = {.nodes = n, .self = &graph, .next = next};
//     scc.number = gy_alloc_zero(n * sizeof *scc.number);
//     for (uint32_t i = 0; i < n; i++)
//         gy_scc_from(&scc, i);
//     … gy_scc_of(&scc, i), scc.count …
//     free(scc.number);
//     gy_scc_free(&scc);
//
// One thread. Searches that decide while components grow have their own (search/liveness:
// emptiness.c, ufscc.c).
#ifndef GYRE_BASE_SCC_H
#define GYRE_BASE_SCC_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define GY_SCC_END UINT32_MAX        // said by `next`: the node has no further successors
#define GY_SCC_STOP (UINT32_MAX - 1) // the search is to end now
#define GY_SCC_NONE UINT32_MAX       // the component of a node in none that is complete

typedef struct gy_scc {
    // Set by the caller:
    uint32_t nodes;   // at most GY_SCC_STOP
    uint32_t *number; // [nodes], zero at first
    void *self;
    // The nth successor of a node, from 0. To leave an edge out, give the node itself.
    uint32_t (*next)(void *self, uint32_t node, uint64_t nth);
    // A component is complete; its nodes, in the order in which they were visited. False: end. May
    // be NULL.
    bool (*done)(void *self, const uint32_t *nodes, uint32_t count);
    // Set here:
    uint32_t count; // complete components; in `done`: this one included
    GY_VEC(struct gy_scc_visit {
        uint32_t node;
        uint64_t nth;
    })
    path;
    GY_VEC(uint32_t)
    open; // nodes in no complete component, in the order in which they were visited
    GY_VEC(uint32_t)
    roots; // these split `open` into components as far as known: numbers of their first nodes
} gy_scc;

// Visits what is reachable from a node and was not visited before. False: `next` or `done` ended
// the search.
bool gy_scc_from(gy_scc *scc, uint32_t node);
void gy_scc_free(gy_scc *scc); // all but scc->number

// Valid at any time for nodes of complete components, those of the one that `done` is informed of
// included; GY_SCC_NONE for any other.
static inline uint32_t gy_scc_of(const gy_scc *scc, uint32_t node)
{
    uint32_t component = ~scc->number[node];
    return component < scc->count ? component : GY_SCC_NONE;
}

#endif
