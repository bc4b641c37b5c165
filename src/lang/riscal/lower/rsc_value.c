#include "lang/riscal/lower/rsc_value.h"

rsc_value *rsc_scalar(rsc_lowering *l, const rsc_type *type, gy_expr *expr)
{
    rsc_value *value = GY_NEW(l->arena, rsc_value);
    value->type = type;
    value->scalar = expr;
    return value;
}

rsc_value *rsc_composite(rsc_lowering *l, const rsc_type *type)
{
    rsc_value *value = GY_NEW(l->arena, rsc_value);
    value->type = type;
    rsc_may_make(l, type->count); // what is given up later is still of its type
    value->parts = GY_NEW_ARRAY(l->arena, rsc_value *, type->count + 1);
    return value;
}

rsc_value *rsc_view(rsc_lowering *l, const rsc_type *type, const rsc_store *store, gy_expr *at)
{
    if (rsc_is_scalar(type))
        return rsc_scalar(l, type, rsc_read(l, store, at));
    rsc_value *value = GY_NEW(l->arena, rsc_value);
    value->type = type;
    value->store = store;
    value->at = at;
    return value;
}

static gy_expr *below(rsc_lowering *l, gy_expr *at, uint32_t count, gy_expr *i)
{
    if (!at)
        return i;
    return rsc_binary(l, GY_E_ADD, rsc_binary(l, GY_E_MUL, at, rsc_const(l, (int32_t)count)), i);
}

// Part i of a view, where i is in bounds or will be found not to be.
static rsc_value *view_part(rsc_lowering *l, const rsc_value *value, gy_expr *i)
{
    const rsc_type *type = value->type;
    gy_expr *at = below(l, value->at, type->count, i);
    if (type->kind == RSC_SET)
        return rsc_scalar(l, &rsc_bool, rsc_read(l, value->store, at));
    return rsc_view(l, type->item, value->store->parts[0], at);
}

rsc_value *rsc_part(rsc_lowering *l, const rsc_value *value, uint32_t i)
{
    if (value->parts)
        return value->parts[i];
    if (value->type->kind == RSC_TUPLE || value->type->kind == RSC_RECORD)
        return rsc_view(l, value->type->items[i], value->store->parts[i], value->at);
    return view_part(l, value, rsc_const(l, (int32_t)i));
}

rsc_value *rsc_part_at(rsc_lowering *l, const rsc_value *value, gy_expr *i)
{
    const rsc_type *type = value->type;
    uint32_t count = type->count;
    int32_t known;
    if (rsc_is_const(i, &known) && known >= 0 && (uint32_t)known < count)
        return rsc_part(l, value, (uint32_t)known);
    if (value->store && count > 0) {
        // The only index of an array is checked where the array is read, which names it.
        bool only = !value->at && rsc_is_list(type) && rsc_is_scalar(type->item);
        return view_part(l, value, only ? i : rsc_check_index(l, i, count));
    }
    rsc_value *found = count ? rsc_part(l, value, count - 1) : rsc_least(l, type->item);
    for (uint32_t k = count > 1 ? count - 1 : 1; k-- > 0;) {
        gy_expr *by = k == 0 ? rsc_check_index(l, i, count) : i;
        gy_expr *is = rsc_binary(l, GY_E_EQ, by, rsc_const(l, (int32_t)k));
        found = rsc_choose_value(l, is, count ? rsc_part(l, value, k) : found, found);
    }
    return found;
}

// ---- codes ------------------------------------------------------------------------------------

rsc_value *rsc_decode(rsc_lowering *l, const rsc_type *type, uint64_t code)
{
    switch (type->kind) {
    case RSC_BOOL:
        return rsc_scalar(l, type, rsc_const(l, (int32_t)code));
    case RSC_INT:
    case RSC_ENUM:
        return rsc_scalar(l, type, rsc_const(l, (int32_t)(type->low + (int64_t)code)));
    default:
        break;
    }
    rsc_value *value = rsc_composite(l, type);
    for (uint32_t i = 0; i < type->count; i++) {
        const rsc_type *part = rsc_part_type(type, i);
        value->parts[i] = rsc_decode(l, part, code % part->values);
        code /= part->values;
    }
    return value;
}

rsc_value *rsc_decode_expr(rsc_lowering *l, const rsc_type *type, gy_expr *code)
{
    if (rsc_is_scalar(type))
        return rsc_scalar(l, type, rsc_binary(l, GY_E_ADD, code, rsc_const(l, (int32_t)type->low)));
    rsc_value *value = rsc_composite(l, type);
    for (uint32_t i = 0; i < type->count; i++) {
        const rsc_type *part = rsc_part_type(type, i);
        gy_expr *radix = rsc_const(l, (int32_t)part->values);
        gy_expr *digit = i + 1 < type->count ? rsc_binary(l, GY_E_MOD, code, radix) : code;
        value->parts[i] = rsc_decode_expr(l, part, digit);
        code = rsc_binary(l, GY_E_DIV, code, radix);
    }
    return value;
}

gy_expr *rsc_encode(rsc_lowering *l, const rsc_value *value)
{
    const rsc_type *type = value->type;
    if (rsc_is_scalar(type))
        return rsc_binary(l, GY_E_SUB, value->scalar, rsc_const(l, (int32_t)type->low));
    gy_expr *code = rsc_const(l, 0);
    int64_t weight = 1;
    for (uint32_t i = 0; i < type->count; i++) {
        gy_expr *digit = rsc_encode(l, rsc_part(l, value, i));
        code = rsc_binary(l, GY_E_ADD, code,
                          rsc_binary(l, GY_E_MUL, digit, rsc_const(l, (int32_t)weight)));
        weight *= (int64_t)rsc_part_type(type, i)->values;
    }
    return code;
}

bool rsc_known_code(rsc_lowering *l, const rsc_value *value, uint64_t *code)
{
    const rsc_type *type = value->type;
    if (rsc_is_scalar(type)) {
        int32_t x;
        if (!rsc_is_const(value->scalar, &x) || x < type->low || x > type->high)
            return false;
        *code = (uint64_t)(x - type->low);
        return true;
    }
    if (value->store || type->values >= RSC_MANY)
        return false;
    uint64_t weight = 1, digit;
    *code = 0;
    for (uint32_t i = 0; i < type->count; i++) {
        if (!rsc_known_code(l, value->parts[i], &digit))
            return false;
        *code += digit * weight;
        weight *= rsc_part_type(type, i)->values;
    }
    return true;
}

rsc_value *rsc_least(rsc_lowering *l, const rsc_type *type)
{
    return rsc_decode(l, type, 0);
}

// ---- comparing, choosing, converting -----------------------------------------------------------

gy_expr *rsc_equal(rsc_lowering *l, const rsc_value *a, const rsc_value *b)
{
    if (rsc_is_scalar(a->type))
        return rsc_binary(l, GY_E_EQ, a->scalar, b->scalar);
    const rsc_type *type = rsc_join(l->arena, a->type, b->type);
    if (!type) {
        rsc_too_large(l, l->place, "these values have too large a type in common");
        return rsc_const(l, 0);
    }
    a = rsc_convert(l, a, type);
    b = rsc_convert(l, b, type);
    gy_expr *all = rsc_const(l, 1);
    for (uint32_t i = 0; i < type->count; i++)
        all = rsc_binary(l, GY_E_AND, all, rsc_equal(l, rsc_part(l, a, i), rsc_part(l, b, i)));
    return all;
}

rsc_value *rsc_choose_value(rsc_lowering *l, gy_expr *condition, const rsc_value *a,
                            const rsc_value *b)
{
    int32_t known;
    const rsc_type *type = rsc_join(l->arena, a->type, b->type);
    if (!type) {
        rsc_too_large(l, l->place, "these values have too large a type in common");
        type = a->type;
        b = a;
    }
    a = rsc_convert(l, a, type);
    b = rsc_convert(l, b, type);
    if (rsc_is_const(condition, &known))
        return (rsc_value *)(known ? a : b);
    if (rsc_is_scalar(type))
        return rsc_scalar(l, type, rsc_if(l, condition, a->scalar, b->scalar));
    rsc_value *value = rsc_composite(l, type);
    for (uint32_t i = 0; i < type->count; i++)
        value->parts[i] = rsc_choose_value(l, condition, rsc_part(l, a, i), rsc_part(l, b, i));
    return value;
}

// The code, in type `of`, of the value that has this code in type `from`; false: it is not in
// there.
static bool recode(rsc_lowering *l, const rsc_type *from, uint64_t code, const rsc_type *of,
                   uint64_t *found)
{
    if (from->kind == RSC_INT) {
        int64_t x = from->low + (int64_t)code;
        *found = (uint64_t)(x - of->low);
        return x >= of->low && x <= of->high;
    }
    if (rsc_is_scalar(from)) {
        *found = code;
        return true;
    }
    uint64_t weight = 1, digit;
    *found = 0;
    if (from->kind == RSC_SET) {
        for (uint32_t i = 0; i < from->count; i++)
            if (code >> i & 1) {
                if (!recode(l, from->item, i, of->item, &digit))
                    return false;
                *found |= UINT64_C(1) << digit;
            }
        return true;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        const rsc_type *part = rsc_part_type(from, i);
        if (!recode(l, part, code % part->values, rsc_part_type(of, i), &digit))
            return false;
        code /= part->values;
        *found += digit * weight;
        weight *= rsc_part_type(of, i)->values;
    }
    return true;
}

// Fails if a member is not in the type `to`, naming it; else its value is 1.
static gy_expr *no_strangers(rsc_lowering *l, const rsc_value *set, const rsc_type *to)
{
    const rsc_type *item = set->type->item;
    bool any = false;
    bool number = item->kind == RSC_INT;
    int32_t low = number ? (int32_t)to->item->low : INT32_MIN; // nothing that could be reported
    int32_t high = number ? (int32_t)to->item->high : INT32_MIN;
    gy_expr *stranger = rsc_const(l, low);
    for (uint32_t i = set->type->count; i-- > 0;) {
        uint64_t code;
        if (recode(l, item, i, to->item, &code))
            continue;
        int32_t told = number ? (int32_t)(item->low + i) : (int32_t)i + 1;
        stranger = rsc_if(l, rsc_part(l, set, i)->scalar, rsc_const(l, told), stranger);
        any = true;
    }
    if (!any || stranger->op == GY_E_CONST)
        if (!any || (stranger->value >= low && stranger->value <= high))
            return rsc_const(l, 1);
    return rsc_binary(l, GY_E_GE, rsc_check_range(l, stranger, low, high), rsc_const(l, low));
}

static rsc_value *convert_set(rsc_lowering *l, const rsc_value *value, const rsc_type *to)
{
    const rsc_type *from = value->type;
    rsc_value *result = rsc_composite(l, to);
    gy_expr *fits = no_strangers(l, value, to);
    for (uint32_t k = 0; k < to->count; k++) {
        uint64_t code;
        gy_expr *has = recode(l, to->item, k, from->item, &code)
                           ? rsc_part(l, value, (uint32_t)code)->scalar
                           : rsc_const(l, 0);
        if (k == 0)
            has = rsc_binary(l, GY_E_AND, fits, has);
        result->parts[k] = rsc_scalar(l, &rsc_bool, has);
    }
    return result;
}

rsc_value *rsc_convert(rsc_lowering *l, const rsc_value *value, const rsc_type *to)
{
    const rsc_type *from = value->type;
    if (rsc_same_type(from, to))
        return (rsc_value *)value;
    if (rsc_is_scalar(to)) {
        gy_expr *expr = value->scalar;
        if (!rsc_is_within(from, to))
            expr = rsc_check_range(l, expr, to->low, to->high);
        return rsc_scalar(l, to, expr);
    }
    if (to->kind == RSC_SET)
        return convert_set(l, value, to);
    rsc_value *result = rsc_composite(l, to);
    for (uint32_t i = 0; i < to->count; i++)
        result->parts[i] = rsc_convert(l, rsc_part(l, value, i), rsc_part_type(to, i));
    return result;
}

// ---- the order of evaluation
// ---------------------------------------------------------------------

static bool can_fail(const gy_expr *expr, unsigned *left)
{
    if (!expr || *left == 0)
        return expr != NULL;
    --*left;
    return expr->op == GY_E_INDEX || expr->op == GY_E_DIV || expr->op == GY_E_MOD ||
           can_fail(expr->a, left) || can_fail(expr->b, left) || can_fail(expr->c, left);
}

// A truth that is always false, but takes the computation of all that may fail in the value.
static gy_expr *never(rsc_lowering *l, const rsc_value *value, gy_expr *so_far)
{
    if (value->store)
        return so_far;
    if (rsc_is_scalar(value->type)) {
        unsigned left = 1000;
        if (!can_fail(value->scalar, &left))
            return so_far;
        gy_expr *below = rsc_const(l, (int32_t)value->type->low);
        return rsc_binary(l, GY_E_OR, so_far, rsc_binary(l, GY_E_LT, value->scalar, below));
    }
    for (uint32_t i = 0; i < value->type->count; i++)
        so_far = never(l, value->parts[i], so_far);
    return so_far;
}

static rsc_value *with_first(rsc_lowering *l, gy_expr *never_true, rsc_value *value)
{
    if (rsc_is_scalar(value->type)) {
        bool truth = value->type->kind == RSC_BOOL;
        return rsc_scalar(l, value->type,
                          rsc_binary(l, truth ? GY_E_OR : GY_E_ADD, never_true, value->scalar));
    }
    if (!value->type->count)
        return value;
    rsc_value *all = rsc_composite(l, value->type);
    for (uint32_t i = 0; i < value->type->count; i++)
        all->parts[i] = rsc_part(l, value, i);
    all->parts[0] = with_first(l, never_true, all->parts[0]);
    return all;
}

rsc_value *rsc_after(rsc_lowering *l, const rsc_value *first, rsc_value *second)
{
    gy_expr *computed = never(l, first, rsc_const(l, 0));
    return computed->op == GY_E_CONST ? second : with_first(l, computed, second);
}
