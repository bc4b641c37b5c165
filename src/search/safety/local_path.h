// A cheapest path from one state to another that is known to be near. Private to src/search.
//
// Dijkstra's algorithm with costs in buckets; states and parents are in memory, so this is for what
// is small.
#ifndef GYRE_SEARCH_SAFETY_LOCAL_PATH_H
#define GYRE_SEARCH_SAFETY_LOCAL_PATH_H

#include "search/run.h"

typedef struct gy_state_copy {
    gy_word *at;
    uint32_t words;
} gy_state_copy;

typedef struct gy_local_path {
    gy_run *run;            // its worker, moves and clock are used
    gy_reducer *reducer;    // NULL: all transitions; else those that it chooses
    gy_state_copy from, to; //
    bool by_cost;           // executed statements count; otherwise transitions do
    uint64_t most;          // paths that cost more are not examined
    uint64_t room;          // states that may be kept
} gy_local_path;

// Appends the ordinals of its transitions. False: there is none, or a limit was reached.
bool gy_local_path_find(const gy_local_path *segment, gy_route *path);

#endif
