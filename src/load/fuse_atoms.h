// Formulas with more propositions than an automaton's labels can have: parts of them without
// temporal operators become one proposition each. In such a part, what is to the right of a
// `true ||` or a `false &&` is not evaluated.
//
// What is made belongs to the model.
#ifndef GYRE_LOAD_FUSE_ATOMS_H
#define GYRE_LOAD_FUSE_ATOMS_H

#include "model/model.h"

// The formula as it is if its propositions are few enough, or too many to be fused, or if there is
// no model (NULL).
gy_formula *gy_fuse_atoms(const gy_model *model, gy_formula *formula);

#endif
