// Spin's trail files: writing a path as one, and following a path along one.
//
// A trail is lines of `depth:process:transition`. Those with a negative depth are marks: -1 the
// cycle begins, -2 there is a claim (it is process 0 and the others are numbered from 1), -4 the
// statements were merged: a line stands for a statement and the local ones that follow it. We
// write one line for each statement and no marks; a rendezvous is two lines, sender first. A
// statement that fails at run time gets a `!` in front, at which Spin stops reading.
// docs/trails.md describes the format.
#ifndef GYRE_VERIFY_TRAIL_TRAIL_H
#define GYRE_VERIFY_TRAIL_TRAIL_H

#include "search/liveness/product.h"
#include "verify/execution.h"

// Code of the note that says that a trail could not be written.
#define GY_TRAIL_NOT_WRITTEN "trail-not-written"

// Needs a path with all its moments and a system with a model.
void gy_trail_text(const gy_path *path, gy_text *out);
// The path of a lasso with, if its observer is a never claim, the claim's transitions.
void gy_trail_lasso(const gy_path *path, const gy_lasso_witness *lasso, gy_text *out);
// The path of a lasso with the transitions of `claim` (gy_ltl_claim), which follows the model when
// Spin reads the two. It may go round the cycle several times before the claim does so too. False:
// the claim does not accept the run, nothing was written.
bool gy_trail_formula(const gy_path *path, const gy_lasso_witness *lasso, const gy_observer *claim,
                      gy_text *out);
// The lines of moment i; pids are `shift` higher if there is a claim.
void gy_trail_step(const gy_path *path, size_t i, int32_t shift, unsigned long long *depth,
                   gy_text *out);

typedef struct gy_trail_problem {
    uint32_t line;  // of the trail file; 0: none in particular
    gy_text detail; // one line
} gy_trail_problem;

// Starts `path` again and takes the steps of the trail. False: the trail does not fit, see
// *problem (the steps taken so far stay in the path). A *note (may stay empty) names lines
// that were left out on purpose.
bool gy_trail_walk(gy_path *path, const char *trail, size_t bytes, gy_trail_problem *problem,
                   gy_text *note);

#endif
