// Dead variables: set to zero as soon as their values cannot matter any more, so that they tell no
// two states apart that behave alike.
//
// Steps stay what they are, one for one: the reduced system is bisimilar to the exact one, for
// every property that does not examine the variable. Considered are the variables of processes,
// and globals that only one process ever uses; not those that a property, a `provided` clause or
// a remote reference reads.
#ifndef GYRE_MODEL_PASSES_DEAD_H
#define GYRE_MODEL_PASSES_DEAD_H

#include "model/passes/passes.h"

void gy_model_dead(gy_model *model, const gy_watched *watched, gy_saved *saved);

#endif
