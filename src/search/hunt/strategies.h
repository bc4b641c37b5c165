// What the strategies of a hunt have in common with the table of them. Private to src/search/hunt.
#ifndef GYRE_SEARCH_HUNT_STRATEGIES_H
#define GYRE_SEARCH_HUNT_STRATEGIES_H

#include "search/hunt/hunter.h"

enum { GY_DEEP_AS_GIVEN, GY_DEEP_MIXED, GY_DEEP_BITS }; // of random_dfs.c
enum { GY_WALK_EVEN, GY_WALK_PCT };                     // of walks.c

#define STRATEGY(functions)                                                                        \
    void gy_##functions##_begin(gy_hunter *hunter);                                                \
    void gy_##functions##_go_on(gy_hunter *hunter, uint64_t until);                                \
    void gy_##functions##_end(gy_hunter *hunter);
STRATEGY(guided)
STRATEGY(deep)
STRATEGY(walk)
#undef STRATEGY

// Probabilistic concurrency testing: runs that were made with what is known now of the longest run
// and of the number of processes, and the chance that all of them miss an error of depth d.
enum { GY_PCT_DEPTH = 3 };
void gy_walk_pct_look(const gy_hunter *hunter, uint64_t *runs, uint64_t *steps,
                      uint32_t *processes);

#endif
