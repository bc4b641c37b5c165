// What is examined from outside: variables that properties and observers read in every state.
#ifndef GYRE_MODEL_WATCHED_H
#define GYRE_MODEL_WATCHED_H

#include "model/passes/passes.h"

// Adds to `set` (base/bits.h) what the formulas, the claims if they are checked, trace automata and
// `provided` clauses read.
void gy_watched_reads(const gy_model *model, const gy_watched *watched, uint64_t *set);

#endif
