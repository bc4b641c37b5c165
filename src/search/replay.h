// Following a path again from an initial state, to learn the steps on it. Private to src/search.
#ifndef GYRE_SEARCH_REPLAY_H
#define GYRE_SEARCH_REPLAY_H

#include "search/run.h"

// The worker does not fold; if the path is one of a worker that does, `symmetry` is not NULL and
// the steps are those of a path of the real system. This one may be longer, or none at all: that is
// for the caller to check.
//
// Fills *witness with the steps along the path, and the fault of the last transition (kind) or,
// for GY_FAULT_NONE, an invalid end state. False: there is no such path.
bool gy_replay(gy_worker *worker, const gy_symmetry *symmetry, const gy_route *path,
               gy_fault_kind kind, gy_witness *witness);

// As gy_witness_check, and the path back: from the steps of a witness to the path that takes them,
// which is added to `route` (or NULL).
bool gy_witness_route(gy_system *system, const gy_witness *witness, bool empty_channels,
                      gy_route *route, const char **why);

#endif
