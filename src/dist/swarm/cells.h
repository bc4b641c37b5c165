// Cells: a second division, for parts of a guide that are too large for one job.
//
// Every state of a part has a cell. It may be any function of the state: nothing rests on it but
// how often jobs hand states to each other. States at the same node of the guide are in cells next
// to each other, and so are those of nodes that were found near each other; what one node has is
// spread over its cells by a hash.
#ifndef GYRE_DIST_SWARM_CELLS_H
#define GYRE_DIST_SWARM_CELLS_H

#include "base/hash.h"
#include "dist/swarm/guide_graph.h"

enum { GY_CELLS = 16384 }; // of each part that is divided so

// Of a state at the `rank`-th of `ranks` nodes.
static inline uint32_t gy_cell_of(uint32_t rank, uint32_t ranks, const gy_word *state,
                                  uint32_t words)
{
    uint32_t each = GY_CELLS / ranks;
    if (each <= 1)
        return (uint32_t)((uint64_t)rank * GY_CELLS / ranks);
    return rank * each + (uint32_t)(gy_hash_words(state, words, 3) % each);
}

#endif
