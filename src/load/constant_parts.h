// Parts of a formula that are true, or false, whatever values their variables have: `x < 10 || x >= 0`
// of a byte. An automaton does not see that: to it, propositions are independent of each other.
#ifndef GYRE_LOAD_CONSTANT_PARTS_H
#define GYRE_LOAD_CONSTANT_PARTS_H

#include "model/model.h"

// The formula with `true` or `false` for such parts; NULL if it has none. What is made belongs to the
// model's arena.
gy_formula *gy_fold_constant_parts(const gy_model *model, const gy_formula *formula);

#endif
