// Constant folding: what an operator of MODEL makes of known values. The one place where analyses
// and backends look up the arithmetic (32 bits, wrap-around).
#ifndef GYRE_MODEL_FOLD_H
#define GYRE_MODEL_FOLD_H

#include "model/model.h"

// False: not folded (division by zero is a fault, shifts are left to the backend).
bool gy_fold_binary(gy_expr_op op, int32_t x, int32_t y, int32_t *value);

// What is known of the values in an expression.
typedef struct gy_known_values {
    void *user;
    bool (*variable)(void *user, int32_t var, int32_t *value); // of one that is no array
    int32_t pid;                                               // of the process that asks
} gy_known_values;

// The value of an expression of which a part is known. False: it depends on what is not.
bool gy_fold_known(const gy_known_values *known, const gy_expr *expr, int32_t *value);

#endif
