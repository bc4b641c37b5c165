// Partial deadlocks: a state that can be reached and a process that is blocked for ever from
// there, although it may not rest where it is and others go on for ever.
//
// The whole graph is built, without reductions and in one thread; its strongly connected components
// say for each state which processes have a step on some path from there. Of the states in which
// some process is stuck, the one that is reported comes first among those from which nothing else
// gets stuck: the processes that wait for each other are then all there.
//
// Owner: a result owns its figures and steps; gy_partial_deadlock_free.
#ifndef GYRE_SEARCH_PARTIAL_DEADLOCK_H
#define GYRE_SEARCH_PARTIAL_DEADLOCK_H

#include "search/search.h"

// The live processes that may not rest where they are: bit p for pid p. False: one of them has no
// bit, as its pid is above 63.
typedef bool gy_pending_inserts(void *user, gy_worker *worker, const gy_word *state, uint32_t words,
                                uint64_t *set);

typedef struct gy_partial_deadlock {
    gy_search_result *figures; // no witnesses in it
    uint64_t stuck;            // pids; 0: none was found
    gy_step *steps;            // that lead there
    uint64_t step_count;
    uint64_t depth; // transitions of the search
} gy_partial_deadlock;

// Of the options, the limits, the store (one that gives states back), interrupt and progress
// matter. Processes with a pid above 63 that execute, or may not rest, are beyond it: then the
// search ends with GY_LIMIT_CAPACITY.
gy_partial_deadlock *gy_partial_deadlock_search(gy_system *system, const gy_search_options *options,
                                                gy_pending_inserts *waiting, void *user);
void gy_partial_deadlock_free(gy_partial_deadlock *result);

#endif
