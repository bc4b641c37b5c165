// Expressions to values. What the checker has passed is taken for granted.
#include "lang/riscal/lower/rsc_value.h"

enum { MOST_CALLS = 150 };

static rsc_value *truth(rsc_lowering *l, gy_expr *expr)
{
    return rsc_scalar(l, &rsc_bool, expr);
}

gy_expr *rsc_lower_scalar(rsc_lowering *l, const rsc_expr *expr)
{
    return rsc_lower_expr(l, expr)->scalar;
}

static rsc_value *lower_name(rsc_lowering *l, const rsc_expr *expr)
{
    const rsc_symbol *symbol = expr->symbol;
    if (symbol->store)
        return rsc_view(l, symbol->type, symbol->store, NULL);
    return symbol->value;
}

// ---- calls and local names ----------------------------------------------------------------------

static rsc_value *lower_call(rsc_lowering *l, const rsc_expr *expr)
{
    const rsc_declaration *f = expr->symbol->declaration;
    if (l->depth >= MOST_CALLS || l->failed) {
        if (!l->failed) {
            gy_diag *diag =
                gy_error(l->diags, expr->place,
                         "`%s` calls itself without an end that can be foreseen", f->name.name);
            gy_hint(diag,
                    "calls are expanded: what decides when to stop must not depend on the "
                    "state, and may be %d calls away at most",
                    MOST_CALLS);
        }
        l->failed = true;
        return rsc_least(l, expr->type);
    }
    rsc_value **values = GY_NEW_ARRAY(l->arena, rsc_value *, f->count + 1);
    rsc_value **before = GY_NEW_ARRAY(l->arena, rsc_value *, f->count + 1);
    for (uint32_t i = 0; i < f->count; i++)
        values[i] = rsc_convert(l, rsc_lower_expr(l, expr->args[i]), f->params[i].symbol->type);
    for (uint32_t i = 0; i < f->count; i++) {
        before[i] = f->params[i].symbol->value;
        f->params[i].symbol->value = values[i];
    }
    l->depth++;
    rsc_value *result = rsc_convert(l, rsc_lower_expr(l, f->value), expr->type);
    l->depth--;
    for (uint32_t i = f->count; i-- > 0;) {
        f->params[i].symbol->value = before[i];
        result = rsc_after(l, values[i], result); // even if it is not examined
    }
    return result;
}

static rsc_value *lower_let(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value **before = GY_NEW_ARRAY(l->arena, rsc_value *, expr->count + 1);
    for (uint32_t i = 0; i < expr->count; i++) { // a later one sees those before it
        rsc_symbol *symbol = expr->bound->vars[i].symbol;
        rsc_value *value = rsc_lower_expr(l, expr->args[i]);
        before[i] = symbol->value;
        symbol->value = value;
    }
    rsc_value *result = rsc_lower_expr(l, expr->a);
    for (uint32_t i = expr->count; i-- > 0;) {
        rsc_symbol *symbol = expr->bound->vars[i].symbol;
        result = rsc_after(l, symbol->value, result);
        symbol->value = before[i];
    }
    return result;
}

// ---- composites -----------------------------------------------------------------------------

static rsc_value *lower_list(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *value = rsc_composite(l, expr->type);
    for (uint32_t i = 0; i < expr->count; i++)
        value->parts[i] = rsc_convert(l, rsc_lower_expr(l, expr->args[i]), expr->type->items[i]);
    return value;
}

static rsc_value *lower_fill(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *value = rsc_composite(l, expr->type);
    rsc_value *item = rsc_convert(l, rsc_lower_expr(l, expr->a), expr->type->item);
    for (uint32_t i = 0; i < expr->type->count; i++)
        value->parts[i] = item;
    return value;
}

gy_expr *rsc_lower_position(rsc_lowering *l, const rsc_type *of, const rsc_expr *index)
{
    rsc_value *value = rsc_lower_expr(l, index);
    if (of->kind == RSC_ARRAY)
        return value->scalar;
    if (of->key->kind == RSC_INT) // out of bounds is reported as such
        return rsc_binary(l, GY_E_SUB, value->scalar, rsc_const(l, (int32_t)of->key->low));
    return rsc_encode(l, rsc_convert(l, value, of->key));
}

static rsc_value *lower_update(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *from = rsc_convert(l, rsc_lower_expr(l, expr->a), expr->type);
    rsc_value *value = rsc_composite(l, expr->type), *new = rsc_lower_expr(l, expr->c);
    uint32_t count = expr->type->count;
    for (uint32_t i = 0; i < count; i++)
        value->parts[i] = rsc_part(l, from, i);
    if (expr->kind != RSC_X_WITH_INDEX) {
        uint32_t i = (uint32_t)expr->value;
        value->parts[i] = rsc_convert(l, new, expr->type->items[i]);
        return value;
    }
    gy_expr *at = rsc_lower_position(l, expr->type, expr->b);
    int32_t known;
    new = rsc_convert(l, new, expr->type->item);
    if (rsc_is_const(at, &known) && known >= 0 && (uint32_t)known < count) {
        value->parts[known] = new;
        return value;
    }
    for (uint32_t i = 0; i < count; i++) {
        gy_expr *by = i == 0 ? rsc_check_index(l, at, count) : at;
        gy_expr *is = rsc_binary(l, GY_E_EQ, by, rsc_const(l, (int32_t)i));
        value->parts[i] = rsc_choose_value(l, is, new, value->parts[i]);
    }
    return value;
}

static rsc_value *lower_selection(rsc_lowering *l, const rsc_expr *expr)
{
    rsc_value *of = rsc_lower_expr(l, expr->a);
    if (expr->kind != RSC_X_INDEX)
        return rsc_part(l, of, (uint32_t)expr->value);
    gy_expr *at = rsc_lower_position(l, of->type, expr->b);
    l->place = expr->place;
    return rsc_part_at(l, of, at);
}

// ---- operators --------------------------------------------------------------------------------

static rsc_value *lower_power(rsc_lowering *l, const rsc_expr *expr)
{
    gy_expr *base = rsc_lower_scalar(l, expr->a), *exponent = rsc_lower_scalar(l, expr->b);
    int32_t n;
    if (!rsc_is_const(exponent, &n) || n < 0) {
        if (!l->failed)
            gy_error(l->diags, expr->b->place, "an exponent must be a number that is known");
        l->failed = true;
        n = 0;
    }
    gy_expr *power = rsc_const(l, 1);
    for (int32_t i = 0; i < n && !l->failed; i++)
        power = i ? rsc_binary(l, GY_E_MUL, power, base) : base;
    return rsc_scalar(l, expr->type, power);
}

// The right side is not even examined where the left one decides: recursion ends like this.
static rsc_value *lower_logical(rsc_lowering *l, const rsc_expr *expr)
{
    gy_expr *a = rsc_lower_scalar(l, expr->a);
    if (expr->kind == RSC_X_IMPLIES)
        a = rsc_unary(l, GY_E_NOT, a);
    bool both = expr->kind == RSC_X_AND;
    if (both ? rsc_is_false(a) : rsc_is_true(a))
        return truth(l, a);
    gy_expr *b = rsc_lower_scalar(l, expr->b);
    l->place = expr->place;
    return truth(l, rsc_binary(l, both ? GY_E_AND : GY_E_OR, a, b));
}

static rsc_value *lower_if(rsc_lowering *l, const rsc_expr *expr)
{
    gy_expr *condition = rsc_lower_scalar(l, expr->a);
    if (condition->op == GY_E_CONST)
        return rsc_convert(l, rsc_lower_expr(l, condition->value ? expr->b : expr->c), expr->type);
    rsc_value *b = rsc_lower_expr(l, expr->b), *c = rsc_lower_expr(l, expr->c);
    l->place = expr->place;
    return rsc_convert(l, rsc_choose_value(l, condition, b, c), expr->type);
}

static rsc_value *lower_comparison(rsc_lowering *l, const rsc_expr *expr)
{
    static const gy_expr_op ops[] = {[RSC_X_LT - RSC_X_LT] = GY_E_LT,
                                     [RSC_X_LE - RSC_X_LT] = GY_E_LE,
                                     [RSC_X_GT - RSC_X_LT] = GY_E_GT,
                                     [RSC_X_GE - RSC_X_LT] = GY_E_GE};
    rsc_value *a = rsc_lower_expr(l, expr->a), *b = rsc_lower_expr(l, expr->b);
    l->place = expr->place;
    if (expr->kind >= RSC_X_LT && expr->kind <= RSC_X_GE)
        return truth(l, rsc_binary(l, ops[expr->kind - RSC_X_LT], a->scalar, b->scalar));
    gy_expr *equal = rsc_equal(l, a, b);
    return truth(l, expr->kind == RSC_X_NE ? rsc_unary(l, GY_E_NOT, equal) : equal);
}

static rsc_value *lower_arithmetic(rsc_lowering *l, const rsc_expr *expr)
{
    static const gy_expr_op ops[] = {
        [RSC_X_MUL - RSC_X_MUL] = GY_E_MUL, [RSC_X_DIV - RSC_X_MUL] = GY_E_DIV,
        [RSC_X_MOD - RSC_X_MUL] = GY_E_MOD, [RSC_X_ADD - RSC_X_MUL] = GY_E_ADD,
        [RSC_X_SUB - RSC_X_MUL] = GY_E_SUB,
    };
    gy_expr *a = rsc_lower_scalar(l, expr->a), *b = rsc_lower_scalar(l, expr->b);
    l->place = expr->place;
    return rsc_scalar(l, expr->type, rsc_binary(l, ops[expr->kind - RSC_X_MUL], a, b));
}

rsc_value *rsc_lower_expr(rsc_lowering *l, const rsc_expr *expr)
{
    if (l->failed)
        return rsc_least(l, expr->type);
    l->place = expr->place;
    switch (expr->kind) {
    case RSC_X_NUMBER:
    case RSC_X_BOOL:
    case RSC_X_ENUM:
        return rsc_scalar(l, expr->type, rsc_const(l, expr->value));
    case RSC_X_NAME:
        return lower_name(l, expr);
    case RSC_X_CALL:
        return lower_call(l, expr);
    case RSC_X_LET:
        return lower_let(l, expr);
    case RSC_X_FILL:
        return lower_fill(l, expr);
    case RSC_X_TUPLE:
    case RSC_X_RECORD:
        return lower_list(l, expr);
    case RSC_X_INDEX:
    case RSC_X_FIELD:
    case RSC_X_ITEM:
        return lower_selection(l, expr);
    case RSC_X_WITH_INDEX:
    case RSC_X_WITH_FIELD:
    case RSC_X_WITH_ITEM:
        return lower_update(l, expr);
    case RSC_X_NOT:
        return truth(l, rsc_unary(l, GY_E_NOT, rsc_lower_scalar(l, expr->a)));
    case RSC_X_NEG:
        return rsc_scalar(l, expr->type, rsc_unary(l, GY_E_NEG, rsc_lower_scalar(l, expr->a)));
    case RSC_X_POWER:
        return lower_power(l, expr);
    case RSC_X_MUL:
    case RSC_X_DIV:
    case RSC_X_MOD:
    case RSC_X_ADD:
    case RSC_X_SUB:
        return lower_arithmetic(l, expr);
    case RSC_X_AND:
    case RSC_X_OR:
    case RSC_X_IMPLIES:
        return lower_logical(l, expr);
    case RSC_X_EQUIV:
    case RSC_X_EQ:
    case RSC_X_NE:
    case RSC_X_LT:
    case RSC_X_LE:
    case RSC_X_GT:
    case RSC_X_GE:
        return lower_comparison(l, expr);
    case RSC_X_IF:
        return lower_if(l, expr);
    case RSC_X_FORALL:
    case RSC_X_EXISTS:
    case RSC_X_SUM:
    case RSC_X_MIN:
    case RSC_X_MAX:
    case RSC_X_PRODUCT:
    case RSC_X_COUNT:
    case RSC_X_SET_BUILD:
        return rsc_lower_quantifier(l, expr);
    case RSC_X_STATE:
        return rsc_lower_expr(l, expr->a);
    default:
        return rsc_lower_set(l, expr);
    }
}
