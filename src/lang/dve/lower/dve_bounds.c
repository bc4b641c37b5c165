// Between which values an expression stays, by its shape and the types of its variables alone: an
// assignment that cannot leave the type needs no check when it is executed.
#include "lang/dve/lower/dve_lower_internal.h"

static const dve_bounds all = {INT32_MIN, INT32_MAX}, truth = {0, 1};

// 32-bit arithmetic wraps around.
static dve_bounds within(int64_t low, int64_t high)
{
    return low < INT32_MIN || high > INT32_MAX ? all : (dve_bounds){low, high};
}

static dve_bounds variable_bounds(const dve_var *var)
{
    int32_t low, high;
    dve_type_range(var->type, &low, &high);
    if (!var->is_const)
        return (dve_bounds){low, high};
    dve_bounds found = {var->values[0], var->values[0]};
    for (uint32_t i = 1; i < var->count; i++) {
        found.low = var->values[i] < found.low ? var->values[i] : found.low;
        found.high = var->values[i] > found.high ? var->values[i] : found.high;
    }
    return found;
}

static dve_bounds product(dve_bounds a, dve_bounds b)
{
    int64_t p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    dve_bounds found = {p[0], p[0]};
    for (int i = 1; i < 4; i++) {
        found.low = p[i] < found.low ? p[i] : found.low;
        found.high = p[i] > found.high ? p[i] : found.high;
    }
    return within(found.low, found.high);
}

static dve_bounds remainder_of(dve_bounds a, dve_bounds b)
{
    int64_t most = b.high > -b.low ? b.high : -b.low;
    most = most > 0 ? most - 1 : 0;
    dve_bounds found = {a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
    if (a.low >= 0 && a.high < found.high)
        found.high = a.high;
    return found;
}

static dve_bounds binary(dve_expr_kind kind, dve_bounds a, dve_bounds b)
{
    bool natural = a.low >= 0 && b.low >= 0;
    switch (kind) {
    case DVE_X_ADD:
        return within(a.low + b.low, a.high + b.high);
    case DVE_X_SUB:
        return within(a.low - b.high, a.high - b.low);
    case DVE_X_MUL:
        return product(a, b);
    case DVE_X_DIV:
        return natural ? (dve_bounds){0, a.high} : all;
    case DVE_X_MOD:
        return remainder_of(a, b);
    case DVE_X_BITAND:
        return natural ? (dve_bounds){0, a.high < b.high ? a.high : b.high} : all;
    case DVE_X_SHR:
        return natural ? (dve_bounds){0, a.high} : all;
    case DVE_X_BITOR:
    case DVE_X_BITXOR:
        if (natural && a.high <= UINT8_MAX && b.high <= UINT8_MAX)
            return (dve_bounds){0, UINT8_MAX};
        return all;
    case DVE_X_SHL:
        return all;
    default:
        return truth;
    }
}

dve_bounds dve_expr_bounds(const dve_expr *expr)
{
    int32_t value;
    if (dve_constant(expr, &value))
        return (dve_bounds){value, value};
    dve_bounds a;
    switch (expr->kind) {
    case DVE_X_NUMBER:
        return (dve_bounds){expr->value, expr->value};
    case DVE_X_NAME:
    case DVE_X_REMOTE:
        return variable_bounds(expr->var);
    case DVE_X_AT:
    case DVE_X_NOT:
        return truth;
    case DVE_X_NEG:
        a = dve_expr_bounds(expr->a);
        return within(-a.high, -a.low);
    case DVE_X_COMPL:
        a = dve_expr_bounds(expr->a);
        return (dve_bounds){-a.high - 1, -a.low - 1};
    default:
        return binary(expr->kind, dve_expr_bounds(expr->a), dve_expr_bounds(expr->b));
    }
}

bool dve_fits(dve_bounds bounds, dve_type type)
{
    int32_t low, high;
    dve_type_range(type, &low, &high);
    return bounds.low >= low && bounds.high <= high;
}
