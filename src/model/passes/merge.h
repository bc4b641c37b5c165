// Statement merging: a step that nothing but the process itself can notice is executed together
// with the step before it (gy_edge.keeps_atomic), so that the state between is never stored.
//
// A node is passed through if all its edges
//   - read only what no other process writes, and write only what no other process reads or writes:
//   the
//     process's own variables, or globals that no other process uses in that way. So nothing can
//     change whether they fire, and they commute with whatever the others do;
//   - cannot fail: a fault that leaves no successor would hide the step before it;
//   - do nothing with channels, processes, priorities, hidden variables or C code;
//   - are no escapes, and lead to no node that a property or another process can tell apart, nor
//     one where something else is enabled, if anybody asks for that (enabling.h).
// If none of its edges can fire, they never will: the process stays there, visibly. Every cycle
// keeps one node that is not passed through, and no step grows into more than a few dozen.
//
// Sound for whatever does not count steps: assertions, run-time errors, invalid end states,
// acceptance and non-progress cycles, formulas without `next`. Not for never claims that can
// distinguish a step from two. Shortest paths are shortest in merged steps.
//
// The edges' numbers stay; only `keeps_atomic` changes. Needs touches (access.h).
#ifndef GYRE_MODEL_PASSES_MERGE_H
#define GYRE_MODEL_PASSES_MERGE_H

#include "model/passes/passes.h"

// Nothing is merged if one of the formulas counts steps. Returns how many edges now go on that
// stopped before.
uint32_t gy_model_merge(gy_model *model, const gy_watched *watched);

#endif
