// What a hunt has done, for those who report it.
//
// Owner: gy_hunt_record_free; the strings are static, or belong to the guides.
#ifndef GYRE_SEARCH_HUNT_RECORD_H
#define GYRE_SEARCH_HUNT_RECORD_H

#include "gyre/gyre.h"

typedef struct gy_hunt_share {
    const char *strategy, *title;
    const char *guide;  // or NULL
    uint64_t generated; // moves that were examined
    uint64_t states;    // as far as the strategy knows them
    uint64_t depth, runs, errors;
} gy_hunt_share;

typedef struct gy_hunt_record {
    gy_hunt_share *shares;
    uint32_t count;
    // Probabilistic concurrency testing: so many runs of up to so many steps of so many processes
    // would have found any error of this depth with at least this probability. 0 runs: nothing is
    // known.
    uint64_t pct_runs, pct_steps;
    uint32_t pct_processes, pct_depth;
    double pct_chance;
} gy_hunt_record;

void gy_hunt_record_free(gy_hunt_record *record); // may be NULL

#endif
