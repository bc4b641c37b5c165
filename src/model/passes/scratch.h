// Scratch variables: which variables declared `hidden` can really stay out of the state.
//
// A hidden variable is meant for values that matter only for a moment. If it is never read in a
// later step than it was written in (an atomic sequence that cannot block is one step), it stays
// hidden: it has its initial value at the start of every step. Otherwise leaving it out would
// make results depend on the order of the search: it becomes an ordinary variable. Where only
// one process uses it, it is set to zero as soon as its value cannot be read any more, so that
// it tells no two states apart that behave alike.
#ifndef GYRE_MODEL_PASSES_SCRATCH_H
#define GYRE_MODEL_PASSES_SCRATCH_H

#include "model/model.h"

// Run before layout and access.
void gy_model_scratch(gy_model *model);

#endif
