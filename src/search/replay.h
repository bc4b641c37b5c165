// Walking a path again from an initial state, to learn the steps on it. Private to src/search.
#ifndef GYRE_SEARCH_REPLAY_H
#define GYRE_SEARCH_REPLAY_H

#include "search/run.h"

// Fills *witness with the steps along the path, and the fault of the last transition (kind) or,
// for GY_FAULT_NONE, an invalid end state. False: there is no such path.
bool gy_replay(gy_worker *worker, const gy_route *path, gy_fault_kind kind, gy_witness *witness);

#endif
