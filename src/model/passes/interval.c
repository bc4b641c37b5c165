#include "model/passes/interval.h"

#include "model/fold.h"

static gy_interval clip(int64_t low, int64_t high)
{
    if (low < INT32_MIN || high > INT32_MAX)
        return GY_INTERVAL_ALL;
    return (gy_interval){(int32_t)low, (int32_t)high};
}

static gy_interval truth(bool can_fail, bool can_hold)
{
    return (gy_interval){can_fail ? 0 : 1, can_hold ? 1 : 0};
}

static bool has(gy_interval s, int32_t value)
{
    return s.low <= value && value <= s.high;
}

static bool can_hold(gy_interval s) // any value but 0
{
    return s.low != 0 || s.high != 0;
}

gy_interval gy_interval_unary(gy_expr_op op, gy_interval a)
{
    if (gy_interval_is_empty(a))
        return GY_INTERVAL_NONE;
    switch (op) {
    case GY_E_NOT:
        return truth(can_hold(a), has(a, 0));
    case GY_E_NEG:
        return clip(-(int64_t)a.high, -(int64_t)a.low);
    case GY_E_COMPL:
        return (gy_interval){~a.high, ~a.low};
    default:
        return GY_INTERVAL_ALL;
    }
}

static gy_interval product(gy_interval a, gy_interval b)
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

static gy_interval quotient(gy_interval a, gy_interval b)
{
    if (b.low <= 0)
        return a.low >= 0 && b.low >= 0 ? (gy_interval){0, a.high} : GY_INTERVAL_ALL;
    return (gy_interval){a.low < 0 ? a.low / b.low : a.low / b.high,
                         a.high < 0 ? a.high / b.high : a.high / b.low};
}

// The sign is that of the dividend; the size is below that of the divisor.
static gy_interval remainder_of(gy_interval a, gy_interval b)
{
    if (b.low == INT32_MIN)
        return a.low >= 0 ? (gy_interval){0, a.high} : GY_INTERVAL_ALL;
    int32_t size = b.high > -b.low ? b.high : -b.low, most = size > 0 ? size - 1 : 0;
    if (b.low > 0 && a.low >= 0 && a.high < b.low)
        return a;
    return (gy_interval){a.low >= 0      ? 0
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

static gy_interval bits(gy_expr_op op, gy_interval a, gy_interval b)
{
    if (op == GY_E_BITAND) {
        if (a.low < 0 && b.low < 0)
            return GY_INTERVAL_ALL;
        int32_t high = a.low < 0 ? b.high : b.low < 0 ? a.high : a.high < b.high ? a.high : b.high;
        return (gy_interval){0, high};
    }
    if (a.low < 0 || b.low < 0)
        return GY_INTERVAL_ALL;
    int32_t low = op == GY_E_BITOR ? (a.low > b.low ? a.low : b.low) : 0;
    return (gy_interval){low, ones_over(a.high > b.high ? a.high : b.high)};
}

static gy_interval shifted(gy_expr_op op, gy_interval a, gy_interval b)
{
    if (b.low < 0 || b.high > 31 || a.low < 0)
        return GY_INTERVAL_ALL;
    if (op == GY_E_SHR)
        return (gy_interval){a.low >> b.high, a.high >> b.low};
    return clip((int64_t)a.low << b.low, (int64_t)a.high << b.high);
}

static gy_interval comparison(gy_expr_op op, gy_interval a, gy_interval b)
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

gy_interval gy_interval_binary(gy_expr_op op, gy_interval a, gy_interval b)
{
    int32_t value;
    if (gy_interval_is_empty(a) || gy_interval_is_empty(b))
        return GY_INTERVAL_NONE;
    if (a.low == a.high && b.low == b.high && gy_fold_binary(op, a.low, b.low, &value))
        return gy_interval_of(value);
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

gy_interval gy_interval_truncate(gy_type type, gy_interval a)
{
    gy_interval range;
    gy_type_range(type, &range.low, &range.high);
    if (gy_interval_is_empty(a) || (a.low >= range.low && a.high <= range.high))
        return a;
    return a.low == a.high ? gy_interval_of(gy_type_truncate(type, a.low)) : range;
}

gy_interval gy_interval_restrict(gy_expr_op op, gy_interval a, gy_interval b)
{
    if (gy_interval_is_empty(a) || gy_interval_is_empty(b))
        return GY_INTERVAL_NONE;
    switch (op) {
    case GY_E_LT:
        return b.high == INT32_MIN ? GY_INTERVAL_NONE
                                   : gy_interval_meet(a, (gy_interval){INT32_MIN, b.high - 1});
    case GY_E_LE:
        return gy_interval_meet(a, (gy_interval){INT32_MIN, b.high});
    case GY_E_GT:
        return b.low == INT32_MAX ? GY_INTERVAL_NONE
                                  : gy_interval_meet(a, (gy_interval){b.low + 1, INT32_MAX});
    case GY_E_GE:
        return gy_interval_meet(a, (gy_interval){b.low, INT32_MAX});
    case GY_E_EQ:
        return gy_interval_meet(a, b);
    case GY_E_NE:
        if (b.low != b.high)
            return a;
        if (a.low == b.low)
            return a.low == a.high ? GY_INTERVAL_NONE : (gy_interval){a.low + 1, a.high};
        return a.high == b.low ? (gy_interval){a.low, a.high - 1} : a;
    default:
        return a;
    }
}
