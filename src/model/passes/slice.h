// Slicing: variables that nothing can see leave the state, and message fields that nothing can see
// are sent as 0 (fields.h).
//
// A variable matters if its value is read where it can make a difference: in a guard, an assertion
// or another decision, a message field that matters, an index, a divisor, a property; or in
// computing a variable that matters. What is printed makes no difference to a verification. The
// others are `removed`: what would be stored in them is still computed, since computing it may
// fail, and then lost.
//
// Steps stay what they are, one for one, as in dead.h.
#ifndef GYRE_MODEL_PASSES_SLICE_H
#define GYRE_MODEL_PASSES_SLICE_H

#include "model/passes/passes.h"

void gy_model_slice(gy_model *model, const gy_watched *watched, gy_saved *saved);

#endif
