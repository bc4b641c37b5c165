// Reachability by many threads: is there an error at all? And breadth-first search, the default
// engine, which is the same with paths (gy_search_bfs).
//
// gy_search_reach visits every reachable state once and keeps no paths. It is what a search without
// errors needs, and nothing else: references of states in a shared store, a queue of them, levels.
// If it finds an error it says so, and breadth-first search finds a shortest path there.
//
// Breadth first: the states of a level are blocks of references; threads take pieces of blocks and
// put what is new into blocks of their own, which are the next level. Depth first: each thread
// works on the block it filled last, and takes from others when it has none.
//
// The threads meet (team.h) at the end of a level and when the store needs room. The last to
// arrive does what has to be done by one. Small levels it does alone, on the spot.
//
// The numbers of states and transitions do not depend on the number of threads, but for a
// depth-first search with a reduction (see reach_proviso.c).
#ifndef GYRE_SEARCH_SAFETY_REACH_H
#define GYRE_SEARCH_SAFETY_REACH_H

#include "search/run.h"

// Is it of use to know first whether there is an error?
bool gy_reach_applies(const gy_engine *engine, const gy_search_options *options);
typedef enum {
    GY_REACH_DONE,      // complete, or stopped by a limit (run->stopped)
    GY_REACH_MET_ERROR, // the counts are those up to there
    GY_REACH_UNFIT,     // depth first: a state is too long for the store; the counts are void
} gy_reach_answer;

// Fills the counts of run->result.
gy_reach_answer gy_search_reach(gy_run *run);
// gy_search_bfs (engines.h) is the same, breadth first, to find the errors and the paths to them,
// which are reported to the run. Without a reduction (run->reducer), the paths are shortest.

#endif
