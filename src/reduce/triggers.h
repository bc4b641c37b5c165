// Partial order with priorities: which edges might wake a process. Private to src/reduce.
//
// While a process of some priority is enabled, no process of lower priority is enabled. So the
// processes of a stubborn set, of which one is enabled and stays so, keep all lower ones
// waiting, and what is left of the others is what a set without priorities takes into account
// anyway. But a transition of the set may make one of higher priority enabled, and that keeps
// those from moving next that would have been enabled without it. An edge that might do so is a
// trigger, and so are those that set the priority of their own process; sets in which one can fire
// are not used. (A trigger outside the set does no harm: what it wakes up does not depend on the
// set either, and goes before and after.)
#ifndef GYRE_REDUCE_TRIGGERS_H
#define GYRE_REDUCE_TRIGGERS_H

#include "reduce/facts.h"

// Why priorities of this model are beyond that, or NULL.
const char *gy_triggers_refusal(const gy_model *model);
// By edge; NULL: the model has no priorities.
uint8_t *gy_triggers_find(const gy_model *model, gy_arena *arena);

#endif
