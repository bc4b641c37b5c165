// A simulation that is under way: spin_walk.c takes the steps, spin_trace.c tells them.
#ifndef GYRE_CLI_SPIN_SPIN_WALK_H
#define GYRE_CLI_SPIN_SPIN_WALK_H

#include "cli/spin/spin_trace.h"
#include "verify/tell/tell.h"
#include "verify/walk.h"

typedef struct gy_walk {
    const gy_trace *trace;
    const gy_model *model;
    gy_path *path;
    unsigned long long number;         // of the step, as Spin counts
    unsigned long long partner_number; // of the receiving half of a rendezvous
    unsigned created;                  // processes so far
} gy_walk;

// The last step of the path.
void gy_walk_tell(gy_walk *walk, gy_text *out);
// The last state.
void gy_walk_tell_end(gy_walk *walk, gy_text *out);

#endif
