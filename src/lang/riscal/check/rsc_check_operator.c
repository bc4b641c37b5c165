// Expressions: operators. Numbers carry bounds, so that what is computed is known to fit 32 bits.
#include "lang/riscal/check/rsc_check.h"

#include <stdio.h>

static const rsc_type *number(rsc_checker *c, const rsc_expr *expr, int64_t low, int64_t high)
{
    if (low < INT32_MIN || high > INT32_MAX) {
        gy_diag *diag =
            gy_error(c->diags, expr->place, "this may be too large a number: more than 32 bits");
        gy_hint(diag, "its bounds are %lld and %lld", (long long)low, (long long)high);
        return NULL;
    }
    return rsc_int_type(c->arena, low, high);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t size_of(const rsc_type *type)
{
    return most(-type->low, type->high);
}

static const rsc_type *power_type(rsc_checker *c, const rsc_expr *expr)
{
    int64_t size = size_of(expr->a->type), power = 1;
    for (int64_t i = 0; i < expr->b->type->high && power <= INT32_MAX && size > 1; i++)
        power *= size;
    return number(c, expr, expr->a->type->low < 0 ? -power : 0, power);
}

static const rsc_type *arithmetic_type(rsc_checker *c, const rsc_expr *expr)
{
    const rsc_type *a = expr->a->type, *b = expr->b->type;
    int64_t corner[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    int64_t size;
    switch (expr->kind) {
    case RSC_X_ADD:
        return number(c, expr, a->low + b->low, a->high + b->high);
    case RSC_X_SUB:
        return number(c, expr, a->low - b->high, a->high - b->low);
    case RSC_X_MUL:
        return number(c, expr, least(least(corner[0], corner[1]), least(corner[2], corner[3])),
                      most(most(corner[0], corner[1]), most(corner[2], corner[3])));
    case RSC_X_DIV:
        size = size_of(a);
        if (b->low > 0)
            return number(c, expr, a->low / (a->low < 0 ? b->low : b->high),
                          a->high / (a->high < 0 ? b->high : b->low));
        return number(c, expr, a->low >= 0 && b->low >= 0 ? 0 : -size, size);
    case RSC_X_MOD: // the sign is that of the left side
        size = most(size_of(b) - 1, 0);
        return number(c, expr, a->low < 0 ? -least(size, -a->low) : 0,
                      a->high > 0 ? least(size, a->high) : 0);
    default:
        return power_type(c, expr);
    }
}

static const char *operator_text(rsc_expr_kind kind)
{
    static const char *const texts[] = {
        [RSC_X_NEG] = "-",       [RSC_X_NOT] = "¬",
        [RSC_X_POWER] = "^",     [RSC_X_MUL] = "*",
        [RSC_X_DIV] = "/",       [RSC_X_MOD] = "%",
        [RSC_X_ADD] = "+",       [RSC_X_SUB] = "-",
        [RSC_X_RANGE] = "..",    [RSC_X_UNION] = "∪",
        [RSC_X_INTERSECT] = "∩", [RSC_X_WITHOUT] = "\\",
        [RSC_X_TIMES] = "×",     [RSC_X_LT] = "<",
        [RSC_X_LE] = "≤",        [RSC_X_GT] = ">",
        [RSC_X_GE] = "≥",        [RSC_X_IN] = "∈",
        [RSC_X_NOTIN] = "∉",     [RSC_X_SUBSET] = "⊆",
        [RSC_X_AND] = "∧",       [RSC_X_OR] = "∨",
        [RSC_X_IMPLIES] = "⇒",   [RSC_X_EQUIV] = "⇔",
        [RSC_X_ALWAYS] = "□",    [RSC_X_EVENTUALLY] = "◇",
        [RSC_X_NEXT] = "○",      [RSC_X_UNTIL] = "U",
        [RSC_X_RELEASE] = "R",   [RSC_X_WEAK_UNTIL] = "W",
        [RSC_X_SIZE] = "|…|",    [RSC_X_POWERSET] = "Set(…)",
        [RSC_X_STATE] = "⟦…⟧",   [RSC_X_IF] = "if",
        [RSC_X_EQ] = "=",        [RSC_X_NE] = "≠",
    };
    const char *text = (size_t)kind < sizeof texts / sizeof *texts ? texts[kind] : NULL;
    return text ? text : "this operator";
}

static bool is_of(rsc_checker *c, const rsc_expr *expr, const rsc_expr *side, rsc_type_kind kind)
{
    static const char *const what[] = {
        [RSC_BOOL] = "truth values", [RSC_INT] = "numbers", [RSC_SET] = "sets"};
    if (!side || side->type->kind == kind)
        return true;
    char text[80];
    snprintf(text, sizeof text, "`%s` is about %s", operator_text(expr->kind), what[kind]);
    gy_diag *diag = rsc_wrong_type(c, side, text);
    if (kind == RSC_BOOL && side->type->kind == RSC_INT)
        gy_hint(diag, "a number is compared: x ≠ 0");
    return false;
}

static bool are_of(rsc_checker *c, const rsc_expr *expr, rsc_type_kind kind)
{
    bool a = is_of(c, expr, expr->a, kind), b = is_of(c, expr, expr->b, kind);
    return a && b;
}

// ---- sets ---------------------------------------------------------------------------------------

static const rsc_type *new_set(rsc_checker *c, const rsc_expr *expr, const rsc_type *item)
{
    const rsc_type *set = item ? rsc_set_type(c->arena, item) : NULL;
    if (!set)
        gy_error(c->diags, expr->place,
                 "the members of this set come from too many values (the "
                 "limit is %d)",
                 RSC_MOST_PARTS);
    return set;
}

static bool same_members(rsc_checker *c, const rsc_expr *expr)
{
    if (rsc_same_sort(expr->a->type, expr->b->type))
        return true;
    gy_text text = {0};
    gy_text_add(&text, "the set on the left is of type ");
    rsc_type_text(expr->a->type, &text);
    rsc_wrong_type(c, expr->b, gy_text_str(&text));
    gy_text_free(&text);
    return false;
}

static const rsc_type *set_type(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type *a = expr->a->type, **items;
    switch (expr->kind) {
    case RSC_X_SIZE:
        return is_of(c, expr, expr->a, RSC_SET) ? rsc_int_type(c->arena, 0, a->count) : NULL;
    case RSC_X_POWERSET:
        return is_of(c, expr, expr->a, RSC_SET) ? new_set(c, expr, a) : NULL;
    case RSC_X_RANGE:
        if (!are_of(c, expr, RSC_INT))
            return NULL;
        return new_set(c, expr, rsc_int_type(c->arena, a->low, most(a->low, expr->b->type->high)));
    case RSC_X_TIMES:
        if (!are_of(c, expr, RSC_SET))
            return NULL;
        items = GY_NEW_ARRAY(c->arena, const rsc_type *, 2);
        items[0] = a->item;
        items[1] = expr->b->type->item;
        return new_set(c, expr, rsc_tuple_type(c->arena, items, NULL, 2));
    case RSC_X_IN:
    case RSC_X_NOTIN:
        if (!is_of(c, expr, expr->b, RSC_SET))
            return NULL;
        return rsc_fits(c, expr->a, expr->b->type->item, "a member of the set") ? &rsc_bool : NULL;
    default:
        break;
    }
    if (!are_of(c, expr, RSC_SET) || !same_members(c, expr))
        return NULL;
    if (expr->kind == RSC_X_SUBSET)
        return &rsc_bool;
    const rsc_type *item = rsc_join(c->arena, a->item, expr->b->type->item);
    return new_set(c, expr, item);
}

// ---- truths and formulas ------------------------------------------------------------------------

static const rsc_type *equality(rsc_checker *c, const rsc_expr *expr)
{
    if (rsc_same_sort(expr->a->type, expr->b->type))
        return &rsc_bool;
    gy_text text = {0};
    gy_text_add(&text, "what it is compared with is of type ");
    rsc_type_text(expr->a->type, &text);
    gy_diag *diag = rsc_wrong_type(c, expr->b, gy_text_str(&text));
    if (expr->a->type->kind == RSC_BOOL && expr->b->type->kind == RSC_INT)
        gy_hint(diag, "truth values are true and false");
    gy_text_free(&text);
    return NULL;
}

static const rsc_type *conditional(rsc_checker *c, const rsc_expr *expr)
{
    if (!is_of(c, expr, expr->a, RSC_BOOL) ||
        !rsc_fits(c, expr->c, expr->b->type, "what comes after `then`"))
        return NULL;
    const rsc_type *type = rsc_join(c->arena, expr->b->type, expr->c->type);
    if (!type)
        gy_error(c->diags, expr->place, "these values have too large a type in common");
    return type;
}

static bool may_be_temporal(rsc_expr_kind kind)
{
    return kind == RSC_X_NOT || kind == RSC_X_AND || kind == RSC_X_OR || kind == RSC_X_IMPLIES ||
           kind == RSC_X_EQUIV || kind >= RSC_X_ALWAYS;
}

static bool check_temporal(rsc_checker *c, rsc_expr *expr)
{
    bool operand = (expr->a && expr->a->temporal) || (expr->b && expr->b->temporal) ||
                   (expr->c && expr->c->temporal);
    expr->temporal = expr->kind >= RSC_X_ALWAYS || operand;
    if (expr->kind >= RSC_X_ALWAYS && !c->in_formula) {
        gy_diag *diag = gy_error(c->diags, expr->place, "a temporal operator has no meaning here");
        gy_hint(diag, "formulas about runs are written after `ltl`");
        return false;
    }
    if (operand && !may_be_temporal(expr->kind)) {
        gy_error(c->diags, expr->place, "a temporal operator has no meaning inside of `%s`",
                 operator_text(expr->kind));
        return false;
    }
    return true;
}

const rsc_type *rsc_check_operator(rsc_checker *c, rsc_expr *expr)
{
    bool good = true;
    good = (!expr->a || rsc_check_expr(c, expr->a)) && good;
    good = (!expr->b || rsc_check_expr(c, expr->b)) && good;
    good = (!expr->c || rsc_check_expr(c, expr->c)) && good;
    if (!good || !check_temporal(c, expr))
        return NULL;
    switch (expr->kind) {
    case RSC_X_NEG:
        return is_of(c, expr, expr->a, RSC_INT)
                   ? number(c, expr, -expr->a->type->high, -expr->a->type->low)
                   : NULL;
    case RSC_X_POWER:
    case RSC_X_MUL:
    case RSC_X_DIV:
    case RSC_X_MOD:
    case RSC_X_ADD:
    case RSC_X_SUB:
        return are_of(c, expr, RSC_INT) ? arithmetic_type(c, expr) : NULL;
    case RSC_X_LT:
    case RSC_X_LE:
    case RSC_X_GT:
    case RSC_X_GE:
        return are_of(c, expr, RSC_INT) ? &rsc_bool : NULL;
    case RSC_X_EQ:
    case RSC_X_NE:
        return equality(c, expr);
    case RSC_X_IF:
        return conditional(c, expr);
    case RSC_X_NOT:
    case RSC_X_AND:
    case RSC_X_OR:
    case RSC_X_IMPLIES:
    case RSC_X_EQUIV:
    case RSC_X_STATE:
    case RSC_X_ALWAYS:
    case RSC_X_EVENTUALLY:
    case RSC_X_NEXT:
    case RSC_X_UNTIL:
    case RSC_X_RELEASE:
    case RSC_X_WEAK_UNTIL:
        return are_of(c, expr, RSC_BOOL) ? &rsc_bool : NULL;
    default:
        return set_type(c, expr);
    }
}
