// Spans: sets of 32-bit values as intervals, for analyses that bound what is computed.
//
// An operation on spans holds every result of the operation on values of those spans; a value
// that wraps around makes it the span of all values. A span with low > high is empty.
#ifndef GYRE_MODEL_PASSES_SPAN_H
#define GYRE_MODEL_PASSES_SPAN_H

#include "model/model.h"

typedef struct gy_span {
    int32_t low, high;
} gy_span;

#define GY_SPAN_NONE ((gy_span){INT32_MAX, INT32_MIN})
#define GY_SPAN_ALL ((gy_span){INT32_MIN, INT32_MAX})

static inline gy_span gy_span_of(int32_t value)
{
    return (gy_span){value, value};
}

static inline bool gy_span_is_empty(gy_span s)
{
    return s.low > s.high;
}

static inline gy_span gy_span_join(gy_span a, gy_span b)
{
    return (gy_span){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static inline gy_span gy_span_meet(gy_span a, gy_span b)
{
    return (gy_span){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static inline bool gy_span_equal(gy_span a, gy_span b)
{
    return a.low == b.low && a.high == b.high;
}

// Of a unary or binary operator (GY_E_NOT … GY_E_OR).
gy_span gy_span_unary(gy_expr_op op, gy_span a);
gy_span gy_span_binary(gy_expr_op op, gy_span a, gy_span b);
// What an assignment of such a value leaves in a variable of this type.
gy_span gy_span_truncate(gy_type type, gy_span a);
// The values of a for which `a op b` holds for some value of b; op is a comparison.
gy_span gy_span_restrict(gy_expr_op op, gy_span a, gy_span b);

#endif
