// A counterexample that is easier to follow: another run to the same error, in which the processes
// take turns as seldom as possible.
//
// A context switch is a step in which no process takes part that took part in the step before (of a
// rendezvous, both take part). The search is over pairs of a state and who took part last; the cost
// of a run is its number of switches and then its number of steps, and the cheapest run to each
// pair is found first (Dijkstra). Nothing that costs more than the run that is known is examined.
//
// The same error is the same kind of fault in the same statement or, of an end state, an end state
// in which every process is where it is in that of the run that is known.
#ifndef GYRE_VERIFY_CONTEXT_SWITCHES_H
#define GYRE_VERIFY_CONTEXT_SWITCHES_H

#include "verify/execution.h"
#include "verify/limits.h"

typedef struct gy_simplified {
    bool fewest;       // no run to this error has fewer switches than the one that is left
    const char *limit; // why that is not known, or NULL
} gy_simplified;

uint64_t gy_path_switches(const gy_path *path);

// A new path that has fewer switches, or as many in fewer steps; it was executed from the start.
// NULL: none was found. `empty_channels` as for gy_is_end_state.
gy_path *gy_simplify(gy_path *known, bool empty_channels, const gy_limits *limits,
                     gy_simplified *result);

#endif
