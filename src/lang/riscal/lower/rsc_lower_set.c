// Sets: a value has one truth for each possible member.
#include "lang/riscal/lower/rsc_value.h"

static rsc_value *truth(rsc_lowering *l, gy_expr *expr)
{
    return rsc_scalar(l, &rsc_bool, expr);
}

static rsc_value *lower_members(rsc_lowering *l, const rsc_expr *expr)
{
    const rsc_type *type = expr->type;
    rsc_value *set = rsc_least(l, type);
    for (uint32_t i = 0; i < expr->count; i++) {
        rsc_value *member = rsc_convert(l, rsc_lower_expr(l, expr->args[i]), type->item);
        uint64_t known;
        bool is_known = rsc_known_code(l, member, &known);
        gy_expr *code = is_known ? rsc_const(l, (int32_t)known) : rsc_encode(l, member);
        for (uint32_t k = 0; k < type->count; k++) {
            gy_expr *is = rsc_binary(l, GY_E_EQ, code, rsc_const(l, (int32_t)k));
            set->parts[k] = truth(l, rsc_binary(l, GY_E_OR, set->parts[k]->scalar, is));
        }
    }
    return set;
}

static rsc_value *lower_range(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *set = rsc_composite(l, expr->type);
    gy_expr *a = rsc_lower_scalar(l, expr->a), *b = rsc_lower_scalar(l, expr->b);
    for (uint32_t k = 0; k < expr->type->count; k++) {
        gy_expr *number = rsc_const(l, (int32_t)(expr->type->item->low + k));
        set->parts[k] = truth(l, rsc_binary(l, GY_E_AND, rsc_binary(l, GY_E_GE, number, a),
                                            rsc_binary(l, GY_E_LE, number, b)));
    }
    return set;
}

static rsc_value *lower_combination(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *a = rsc_convert(l, rsc_lower_expr(l, expr->a), expr->type);
    rsc_value *b = rsc_convert(l, rsc_lower_expr(l, expr->b), expr->type);
    rsc_value *set = rsc_composite(l, expr->type);
    for (uint32_t k = 0; k < expr->type->count; k++) {
        gy_expr *x = rsc_part(l, a, k)->scalar, *y = rsc_part(l, b, k)->scalar;
        if (expr->kind == RSC_X_WITHOUT)
            y = rsc_unary(l, GY_E_NOT, y);
        set->parts[k] =
            truth(l, rsc_binary(l, expr->kind == RSC_X_UNION ? GY_E_OR : GY_E_AND, x, y));
    }
    return set;
}

static rsc_value *lower_product(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *a = rsc_lower_expr(l, expr->a), *b = rsc_lower_expr(l, expr->b);
    rsc_value *set = rsc_composite(l, expr->type);
    uint32_t n = a->type->count;
    for (uint32_t k = 0; k < expr->type->count; k++)
        set->parts[k] = truth(l, rsc_binary(l, GY_E_AND, rsc_part(l, a, k % n)->scalar,
                                            rsc_part(l, b, k / n)->scalar));
    return set;
}

static rsc_value *lower_powerset(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *of = rsc_lower_expr(l, expr->a), *set = rsc_composite(l, expr->type);
    for (uint32_t code = 0; code < expr->type->count; code++) {
        gy_expr *within = rsc_const(l, 1);
        for (uint32_t k = 0; k < of->type->count; k++)
            if (code >> k & 1)
                within = rsc_binary(l, GY_E_AND, within, rsc_part(l, of, k)->scalar);
        set->parts[code] = truth(l, within);
    }
    return set;
}

// ---- membership ---------------------------------------------------------------------------------

static gy_expr *is_any(rsc_lowering *l, const rsc_value *value, const rsc_value *set)
{
    gy_expr *found = rsc_const(l, 0);
    for (uint32_t k = 0; k < set->type->count; k++) {
        gy_expr *is = rsc_equal(l, value, rsc_decode(l, set->type->item, k));
        is = rsc_binary(l, GY_E_AND, is, rsc_part(l, set, k)->scalar);
        found = rsc_binary(l, GY_E_OR, found, is);
    }
    return found;
}

static gy_expr *is_in(rsc_lowering *l, const rsc_value *value, const rsc_value *set)
{
    const rsc_type *item = set->type->item;
    if (set->type->count == 0)
        return rsc_const(l, 0);
    if (rsc_is_within(value->type, item))
        return rsc_part_at(l, set, rsc_encode(l, rsc_convert(l, value, item)))->scalar;
    if (item->kind != RSC_INT)
        return is_any(l, value, set);
    gy_expr *low = rsc_const(l, (int32_t)item->low), *high = rsc_const(l, (int32_t)item->high);
    gy_expr *fits = rsc_binary(l, GY_E_AND, rsc_binary(l, GY_E_GE, value->scalar, low),
                               rsc_binary(l, GY_E_LE, value->scalar, high));
    if (rsc_is_false(fits))
        return fits;
    gy_expr *code = rsc_binary(l, GY_E_SUB, value->scalar, low);
    return rsc_binary(l, GY_E_AND, fits, rsc_part_at(l, set, code)->scalar);
}

// `x ∈ a..b` and `x ∈ {a, b}` need no set.
static gy_expr *lower_membership(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *value = rsc_lower_expr(l, expr->a);
    const rsc_expr *set = expr->b;
    if (set->kind == RSC_X_RANGE) {
        gy_expr *low = rsc_lower_scalar(l, set->a), *high = rsc_lower_scalar(l, set->b);
        return rsc_binary(l, GY_E_AND, rsc_binary(l, GY_E_GE, value->scalar, low),
                          rsc_binary(l, GY_E_LE, value->scalar, high));
    }
    if (set->kind == RSC_X_SET_LIST) {
        gy_expr *found = rsc_const(l, 0);
        for (uint32_t i = 0; i < set->count; i++)
            found =
                rsc_binary(l, GY_E_OR, found, rsc_equal(l, value, rsc_lower_expr(l, set->args[i])));
        return found;
    }
    rsc_value *members = rsc_lower_expr(l, set);
    l->place = expr->place;
    return is_in(l, value, members);
}

static gy_expr *lower_subset(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *a = rsc_lower_expr(l, expr->a), *b = rsc_lower_expr(l, expr->b);
    gy_expr *all = rsc_const(l, 1);
    for (uint32_t k = 0; k < a->type->count; k++) {
        gy_expr *has = is_in(l, rsc_decode(l, a->type->item, k), b);
        has = rsc_binary(l, GY_E_OR, rsc_unary(l, GY_E_NOT, rsc_part(l, a, k)->scalar), has);
        all = rsc_binary(l, GY_E_AND, all, has);
    }
    return all;
}

static gy_expr *lower_size(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *set = rsc_lower_expr(l, expr->a);
    gy_expr *size = rsc_const(l, 0);
    for (uint32_t k = 0; k < set->type->count; k++)
        size = rsc_binary(l, GY_E_ADD, size, rsc_part(l, set, k)->scalar);
    return size;
}

rsc_value *rsc_lower_set(rsc_lowering *l, const rsc_expr *expr)
{
    switch (expr->kind) {
    case RSC_X_SET_LIST:
        return lower_members(l, expr);
    case RSC_X_RANGE:
        return lower_range(l, expr);
    case RSC_X_UNION:
    case RSC_X_INTERSECT:
    case RSC_X_WITHOUT:
        return lower_combination(l, expr);
    case RSC_X_TIMES:
        return lower_product(l, expr);
    case RSC_X_POWERSET:
        return lower_powerset(l, expr);
    case RSC_X_IN:
        return truth(l, lower_membership(l, expr));
    case RSC_X_NOTIN:
        return truth(l, rsc_unary(l, GY_E_NOT, lower_membership(l, expr)));
    case RSC_X_SUBSET:
        return truth(l, lower_subset(l, expr));
    case RSC_X_SIZE:
        return rsc_scalar(l, expr->type, lower_size(l, expr));
    default: // the empty set
        return rsc_least(l, expr->type);
    }
}
