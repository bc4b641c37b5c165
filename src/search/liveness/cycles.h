// The table of the ways to look for accepting cycles: a new one is a file and a row in cycles.c.
// Code that chooses between them reads the traits. All of it is constant.
#ifndef GYRE_SEARCH_LIVENESS_CYCLES_H
#define GYRE_SEARCH_LIVENESS_CYCLES_H

#include "search/liveness/space.h"
#include "search/search.h"

typedef struct gy_cycle_engine {
    const char *name; // as in --cycles
    // One of these two: in one thread, on numbered nodes; or on a space.
    void (*search)(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                   gy_emptiness_result *result);
    gy_space_engine *space;
    bool fairness;                                          // it can treat sets of fairness
    uint32_t sets;                                          // acceptance sets that it can treat
    unsigned (*note_bytes)(unsigned threads, bool uniform); // space: that it wants
    unsigned (*most_threads)(bool uniform);                 // NULL: any number
    // Space: bits that it wants next to a node, if nodes can be kept together; NULL: not with it.
    unsigned (*place_bits)(unsigned threads, bool uniform);
    bool waits;       // it makes use of a place to wait at
    bool checkpoints; // it can be written down and go on from there
    bool wide;        // marks may be more than fit into a word
} gy_cycle_engine;

// NULL: GY_CYCLES_AUTO, or there are no more.
const gy_cycle_engine *gy_cycle_engine_of(gy_cycle_search kind);

#endif
