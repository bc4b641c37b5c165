// Formulas with more propositions than an automaton's labels can have: parts of them without
// temporal operators become one proposition each. In such a part, what is to the right of a
// `true ||` or a `false &&` is not evaluated.
//
// What is made belongs to the model's arena, as expressions may be known by their addresses as long
// as the model is there.
#ifndef GYRE_LOAD_FUSE_ATOMS_H
#define GYRE_LOAD_FUSE_ATOMS_H

#include "model/model.h"

// The formula as it is if its propositions are few enough, or too many to be fused.
gy_formula *gy_fuse_atoms(const gy_model *model, gy_formula *formula);

#endif
