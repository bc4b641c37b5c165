// What operators of expressions have in common, whatever an analysis makes of them.
// All of it is constant.
#ifndef GYRE_MODEL_OPERATORS_H
#define GYRE_MODEL_OPERATORS_H

#include "model/model.h"

// a < b … a != b
static inline bool gy_op_is_comparison(gy_expr_op op)
{
    return op >= GY_E_LT && op <= GY_E_NE;
}

// len(a) … : about the channel a
static inline bool gy_op_asks_channel(gy_expr_op op)
{
    return op >= GY_E_LEN && op <= GY_E_CAN_SEND;
}

// Arithmetic and comparisons that compute both operands, and never fail by themselves.
static inline bool gy_op_is_plain(gy_expr_op op)
{
    return op >= GY_E_NOT && op <= GY_E_NE && op != GY_E_DIV && op != GY_E_MOD;
}

bool gy_op_is_truth(gy_expr_op op); // its value is always 0 or 1
// Of comparisons: !(a OP b) is a NEGATED b, and a OP b is b MIRRORED a.
gy_expr_op gy_op_negated(gy_expr_op op);
gy_expr_op gy_op_mirrored(gy_expr_op op);

#endif
