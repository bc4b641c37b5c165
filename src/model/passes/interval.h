// Sets of 32-bit values as intervals, for analyses that bound what is computed.
//
// An operation on intervals holds every result of the operation on their values; a value that
// wraps around makes it the interval of all values. One with low > high is empty.
#ifndef GYRE_MODEL_PASSES_INTERVAL_H
#define GYRE_MODEL_PASSES_INTERVAL_H

#include "model/model.h"

typedef struct gy_interval {
    int32_t low, high;
} gy_interval;

#define GY_INTERVAL_NONE ((gy_interval){INT32_MAX, INT32_MIN})
#define GY_INTERVAL_ALL ((gy_interval){INT32_MIN, INT32_MAX})

static inline gy_interval gy_interval_of(int32_t value)
{
    return (gy_interval){value, value};
}

static inline bool gy_interval_is_empty(gy_interval s)
{
    return s.low > s.high;
}

static inline gy_interval gy_interval_join(gy_interval a, gy_interval b)
{
    return (gy_interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static inline gy_interval gy_interval_meet(gy_interval a, gy_interval b)
{
    return (gy_interval){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static inline bool gy_interval_equal(gy_interval a, gy_interval b)
{
    return a.low == b.low && a.high == b.high;
}

// Of a unary or binary operator (GY_E_NOT … GY_E_OR).
gy_interval gy_interval_unary(gy_expr_op op, gy_interval a);
gy_interval gy_interval_binary(gy_expr_op op, gy_interval a, gy_interval b);
// What an assignment of such a value leaves in a variable of this type.
gy_interval gy_interval_truncate(gy_type type, gy_interval a);
// The values of a for which `a op b` holds for some value of b; op is a comparison.
gy_interval gy_interval_restrict(gy_expr_op op, gy_interval a, gy_interval b);

#endif
