// Constant folding: what a binary operator of MODEL makes of two known values. The one place
// where analyses and backends look up the arithmetic (32 bits, wrap-around).
#ifndef GYRE_MODEL_FOLD_H
#define GYRE_MODEL_FOLD_H

#include "model/model.h"

// False: not folded (division by zero is a fault, shifts are left to the backend).
bool gy_fold_binary(gy_expr_op op, int32_t x, int32_t y, int32_t *value);

#endif
