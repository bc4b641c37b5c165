// Lifting: from a path of the folded system to one of the real system.
//
// A path of a folding worker goes from representative to representative; between two of its
// transitions processes change places. Lifting keeps track of which real process is at each
// place, and gives the steps of real processes.
//
// Ends of processes are put where the real stack allows them: as soon as all younger processes
// have ended too. Before a step that may wait for a timeout, and in an end state, all that can
// leave the stack must have left it. So a lifted path may have more or fewer of these steps; if it
// has no more, it is a shortest one if the path was.
#ifndef GYRE_REDUCE_LIFT_H
#define GYRE_REDUCE_LIFT_H

#include "reduce/symmetry.h"

#include "base/vec.h"

typedef struct gy_lift gy_lift;
typedef GY_VEC(gy_step) gy_lifted_steps;

gy_lift *gy_lift_new(const gy_symmetry *symmetry);
void gy_lift_free(gy_lift *lift);

// The next transition of the path, as a worker gives it that does not fold. Adds the steps of the
// real system. Returns the state to go on from, valid until the next call, or NULL.
const gy_word *gy_lift_take(gy_lift *lift, const gy_transition *transition, gy_lifted_steps *steps);
// The path ends in a state without successors.
void gy_lift_rest(gy_lift *lift, gy_lifted_steps *steps);

#endif
