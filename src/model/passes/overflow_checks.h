// The strict form of a model: where a value does not fit the variable that it is assigned to, that
// is a fault, and not a value that lost some of its bits. For finding out whether that ever
// happens. Elements of bit and bool arrays, which are bytes in Promela, may hold 0 and 1 only.
//
// Owner: the copy lives in the exact model's arena and is released with it, as those of passes.h.
#ifndef GYRE_MODEL_PASSES_OVERFLOW_CHECKS_H
#define GYRE_MODEL_PASSES_OVERFLOW_CHECKS_H

#include "model/model.h"

// `reached` has a byte for each edge: those with 0 are left as they are. NULL: by the ranges of
// their values, all others always fit.
gy_model *gy_model_strict(const gy_model *exact, const uint8_t *reached);
// Is it an element that Promela keeps in a byte although its type has one bit?
bool gy_is_wide_bit(const gy_variable *var);

#endif
