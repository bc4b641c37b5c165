#include "model/passes/span.h"

#include "model/fold.h"

static gy_span clip(int64_t low, int64_t high)
{
    if (low < INT32_MIN || high > INT32_MAX)
        return GY_SPAN_ALL;
    return (gy_span){(int32_t)low, (int32_t)high};
}

static gy_span truth(bool can_fail, bool can_hold)
{
    return (gy_span){can_fail ? 0 : 1, can_hold ? 1 : 0};
}

static bool has(gy_span s, int32_t value)
{
    return s.low <= value && value <= s.high;
}

static bool can_hold(gy_span s) // any value but 0
{
    return s.low != 0 || s.high != 0;
}

gy_span gy_span_unary(gy_expr_op op, gy_span a)
{
    if (gy_span_is_empty(a))
        return GY_SPAN_NONE;
    switch (op) {
    case GY_E_NOT:
        return truth(can_hold(a), has(a, 0));
    case GY_E_NEG:
        return clip(-(int64_t)a.high, -(int64_t)a.low);
    case GY_E_COMPL:
        return (gy_span){~a.high, ~a.low};
    default:
        return GY_SPAN_ALL;
    }
}

static gy_span product(gy_span a, gy_span b)
{
    int64_t corner[] = {(int64_t)a.low * b.low, (int64_t)a.low * b.high, (int64_t)a.high * b.low,
                        (int64_t)a.high * b.high};
    int64_t low = corner[0], high = corner[0];
    for (int i = 1; i < 4; i++) {
        low = corner[i] < low ? corner[i] : low;
        high = corner[i] > high ? corner[i] : high;
    }
    return clip(low, high);
}

static gy_span quotient(gy_span a, gy_span b)
{
    if (b.low <= 0)
        return a.low >= 0 && b.low >= 0 ? (gy_span){0, a.high} : GY_SPAN_ALL;
    return (gy_span){a.low < 0 ? a.low / b.low : a.low / b.high,
                     a.high < 0 ? a.high / b.high : a.high / b.low};
}

// The sign is that of the dividend; the size is below that of the divisor.
static gy_span remainder_of(gy_span a, gy_span b)
{
    if (b.low == INT32_MIN)
        return a.low >= 0 ? (gy_span){0, a.high} : GY_SPAN_ALL;
    int32_t size = b.high > -b.low ? b.high : -b.low, most = size > 0 ? size - 1 : 0;
    if (b.low > 0 && a.low >= 0 && a.high < b.low)
        return a;
    return (gy_span){a.low >= 0      ? 0
                     : a.low > -most ? a.low
                                     : -most,
                     a.high <= 0     ? 0
                     : a.high < most ? a.high
                                     : most};
}

static int32_t ones_over(int32_t value) // the least 2^k - 1 that is not below
{
    uint32_t ones = 0;
    while (ones < (uint32_t)value)
        ones = ones * 2 + 1;
    return (int32_t)ones;
}

static gy_span bits(gy_expr_op op, gy_span a, gy_span b)
{
    if (op == GY_E_BITAND) {
        if (a.low < 0 && b.low < 0)
            return GY_SPAN_ALL;
        int32_t high = a.low < 0 ? b.high : b.low < 0 ? a.high : a.high < b.high ? a.high : b.high;
        return (gy_span){0, high};
    }
    if (a.low < 0 || b.low < 0)
        return GY_SPAN_ALL;
    int32_t low = op == GY_E_BITOR ? (a.low > b.low ? a.low : b.low) : 0;
    return (gy_span){low, ones_over(a.high > b.high ? a.high : b.high)};
}

static gy_span shifted(gy_expr_op op, gy_span a, gy_span b)
{
    if (b.low < 0 || b.high > 31 || a.low < 0)
        return GY_SPAN_ALL;
    if (op == GY_E_SHR)
        return (gy_span){a.low >> b.high, a.high >> b.low};
    return clip((int64_t)a.low << b.low, (int64_t)a.high << b.high);
}

static gy_span comparison(gy_expr_op op, gy_span a, gy_span b)
{
    switch (op) {
    case GY_E_LT:
        return truth(a.high >= b.low, a.low < b.high);
    case GY_E_LE:
        return truth(a.high > b.low, a.low <= b.high);
    case GY_E_GT:
        return truth(a.low <= b.high, a.high > b.low);
    case GY_E_GE:
        return truth(a.low < b.high, a.high >= b.low);
    case GY_E_EQ:
    case GY_E_NE: {
        bool same = a.low <= b.high && b.low <= a.high;
        bool differ = a.low != a.high || b.low != b.high || a.low != b.low;
        return op == GY_E_EQ ? truth(differ, same) : truth(same, differ);
    }
    default:
        return truth(true, true);
    }
}

gy_span gy_span_binary(gy_expr_op op, gy_span a, gy_span b)
{
    int32_t value;
    if (gy_span_is_empty(a) || gy_span_is_empty(b))
        return GY_SPAN_NONE;
    if (a.low == a.high && b.low == b.high && gy_fold_binary(op, a.low, b.low, &value))
        return gy_span_of(value);
    switch (op) {
    case GY_E_ADD:
        return clip((int64_t)a.low + b.low, (int64_t)a.high + b.high);
    case GY_E_SUB:
        return clip((int64_t)a.low - b.high, (int64_t)a.high - b.low);
    case GY_E_MUL:
        return product(a, b);
    case GY_E_DIV:
        return quotient(a, b);
    case GY_E_MOD:
        return remainder_of(a, b);
    case GY_E_BITAND:
    case GY_E_BITOR:
    case GY_E_BITXOR:
        return bits(op, a, b);
    case GY_E_SHL:
    case GY_E_SHR:
        return shifted(op, a, b);
    case GY_E_AND:
        return truth(has(a, 0) || has(b, 0), can_hold(a) && can_hold(b));
    case GY_E_OR:
        return truth(has(a, 0) && has(b, 0), can_hold(a) || can_hold(b));
    default:
        return comparison(op, a, b);
    }
}

gy_span gy_span_truncate(gy_type type, gy_span a)
{
    gy_span range;
    gy_type_range(type, &range.low, &range.high);
    if (gy_span_is_empty(a) || (a.low >= range.low && a.high <= range.high))
        return a;
    return a.low == a.high ? gy_span_of(gy_type_truncate(type, a.low)) : range;
}

gy_span gy_span_restrict(gy_expr_op op, gy_span a, gy_span b)
{
    if (gy_span_is_empty(a) || gy_span_is_empty(b))
        return GY_SPAN_NONE;
    switch (op) {
    case GY_E_LT:
        return b.high == INT32_MIN ? GY_SPAN_NONE
                                   : gy_span_meet(a, (gy_span){INT32_MIN, b.high - 1});
    case GY_E_LE:
        return gy_span_meet(a, (gy_span){INT32_MIN, b.high});
    case GY_E_GT:
        return b.low == INT32_MAX ? GY_SPAN_NONE : gy_span_meet(a, (gy_span){b.low + 1, INT32_MAX});
    case GY_E_GE:
        return gy_span_meet(a, (gy_span){b.low, INT32_MAX});
    case GY_E_EQ:
        return gy_span_meet(a, b);
    case GY_E_NE:
        if (b.low != b.high)
            return a;
        if (a.low == b.low)
            return a.low == a.high ? GY_SPAN_NONE : (gy_span){a.low + 1, a.high};
        return a.high == b.low ? (gy_span){a.low, a.high - 1} : a;
    default:
        return a;
    }
}
