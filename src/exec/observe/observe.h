// Observers (include/gyre/observer.h) that come with a MODEL: never claims, accept labels,
// progress labels. For systems whose worker is a machine (vm, native).
#ifndef GYRE_EXEC_OBSERVE_OBSERVE_H
#define GYRE_EXEC_OBSERVE_OBSERVE_H

#include "base/text.h"
#include "exec/system.h"
#include "gyre/observer.h"

// The flags (GY_NODE_…) of all nodes at which live processes are, together.
uint32_t gy_state_flags(gy_worker *worker, const gy_word *state, uint32_t words);
// Does a process (not a claim) have a node with one of these flags?
bool gy_model_has_flag(const gy_model *model, uint32_t flags);

// The never claim of template `tmpl`: accepted is a run with infinitely many states in which the
// claim or a process is at an accept label. A claim may have variables of its own. NULL: a claim
// that we cannot run, as it changes more than those; *problem says why.
gy_observer *gy_observe_claim(const gy_model *model, int32_t tmpl, gy_text *problem);
// No claim: accept labels of processes alone.
gy_observer *gy_observe_acceptance(const gy_model *model);
// Accepted are the runs that from some point on see no process at a progress label.
gy_observer *gy_observe_progress(const gy_model *model);

// A label inside an atomic sequence marks no state, but the transitions that pass it. The flags
// (GY_NODE_…) of the nodes that the steps of a transition begin at, but for the first step.
uint32_t gy_passed_flags(const gy_model *model, const gy_transition *transition);
// Can there be a transition that passes a node with one of these flags?
bool gy_model_passes_flag(const gy_model *model, uint32_t flags);

gy_observer *gy_observer_of(gy_observer observer); // on the heap
void gy_observer_free(gy_observer *observer);

#endif
