// Expressions of MODEL with constants folded. What may fail stays: the left side of an operator
// that its right side would decide is computed nevertheless.
#include "lang/riscal/lower/rsc_value.h"

#include "model/fold.h"

enum { MOST_NODES = 200000, MOST_MADE = 2000000 };

void rsc_too_large(rsc_lowering *l, gy_location place, const char *what)
{
    if (!l->failed) {
        gy_diag *diag = gy_error(l->diags, place, "%s", what);
        gy_hint(diag,
                "quantifiers, sets and parameters are expanded for every value of their types: "
                "smaller bounds help");
    }
    l->failed = true;
}

bool rsc_may_make(rsc_lowering *l, uint32_t count)
{
    l->made += count;
    if (l->made < MOST_MADE && !l->failed)
        return true;
    rsc_too_large(l, l->place, "this system expands to too many expressions");
    return false;
}

static gy_expr *new_expr(rsc_lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    gy_expr *expr = gy_expr_new(l->model->arena, op, l->place);
    expr->a = a;
    expr->b = b;
    return expr;
}

gy_expr *rsc_const(rsc_lowering *l, int32_t value)
{
    l->made++;
    gy_expr *expr = gy_expr_new(l->model->arena, GY_E_CONST, l->place);
    expr->value = value;
    return expr;
}

bool rsc_is_const(const gy_expr *expr, int32_t *value)
{
    if (expr->op != GY_E_CONST)
        return false;
    *value = expr->value;
    return true;
}

bool rsc_is_true(const gy_expr *expr)
{
    return expr->op == GY_E_CONST && expr->value;
}

bool rsc_is_false(const gy_expr *expr)
{
    return expr->op == GY_E_CONST && !expr->value;
}

gy_expr *rsc_unary(rsc_lowering *l, gy_expr_op op, gy_expr *a)
{
    int32_t x;
    if (rsc_is_const(a, &x) && op == GY_E_NOT)
        return rsc_const(l, !x);
    if (rsc_is_const(a, &x) && op == GY_E_NEG)
        return rsc_const(l, (int32_t) - (uint32_t)x);
    if (op == GY_E_NOT && a->op == GY_E_NOT)
        return a->a;
    if (!rsc_may_make(l, 1))
        return rsc_const(l, 0);
    return new_expr(l, op, a, NULL);
}

static gy_expr *logical(gy_expr_op op, gy_expr *a, gy_expr *b)
{
    bool either = op == GY_E_OR;
    if (a->op == GY_E_CONST)
        return (a->value != 0) == either ? a : b;
    if (b->op == GY_E_CONST && (b->value != 0) != either)
        return a;
    return NULL;
}

gy_expr *rsc_binary(rsc_lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    int32_t x, y, value;
    bool constant = rsc_is_const(b, &y);
    if (op == GY_E_AND || op == GY_E_OR) {
        gy_expr *simple = logical(op, a, b);
        if (simple)
            return simple;
    } else if (rsc_is_const(a, &x) && constant && gy_fold_binary(op, x, y, &value)) {
        return rsc_const(l, value);
    } else if (constant && ((y == 0 && (op == GY_E_ADD || op == GY_E_SUB)) ||
                            (y == 1 && (op == GY_E_MUL || op == GY_E_DIV)))) {
        return a;
    } else if (rsc_is_const(a, &x) && x == 0 && op == GY_E_ADD) {
        return b;
    }
    if (!rsc_may_make(l, 1))
        return rsc_const(l, 0);
    return new_expr(l, op, a, b);
}

gy_expr *rsc_if(rsc_lowering *l, gy_expr *a, gy_expr *b, gy_expr *c)
{
    if (a->op == GY_E_CONST)
        return a->value ? b : c;
    if (b->op == GY_E_CONST && c->op == GY_E_CONST && b->value == 1 && c->value == 0)
        return a; // truths are 0 or 1
    if (!rsc_may_make(l, 1))
        return rsc_const(l, 0);
    gy_expr *expr = new_expr(l, GY_E_COND, a, b);
    expr->c = c;
    return expr;
}

gy_expr *rsc_check_range(rsc_lowering *l, gy_expr *a, int64_t low, int64_t high)
{
    if (a->op == GY_E_CONST && a->value >= low && a->value <= high)
        return a;
    gy_expr *above = rsc_binary(l, GY_E_SUB, a, rsc_const(l, (int32_t)low));
    gy_expr *checked = new_expr(l, GY_E_INDEX, above, NULL);
    checked->value = (int32_t)(high - low + 1);
    checked->of_range = true;
    checked->least = (int32_t)low;
    return low ? new_expr(l, GY_E_ADD, checked, rsc_const(l, (int32_t)low)) : checked;
}

gy_expr *rsc_check_index(rsc_lowering *l, gy_expr *a, uint32_t count)
{
    if (a->op == GY_E_CONST && a->value >= 0 && (uint32_t)a->value < count)
        return a;
    gy_expr *expr = new_expr(l, GY_E_INDEX, a, NULL);
    expr->value = (int32_t)count;
    return expr;
}

gy_expr *rsc_read(rsc_lowering *l, const rsc_store *store, gy_expr *at)
{
    gy_expr *expr = new_expr(l, GY_E_VAR, NULL, NULL);
    expr->var = store->var;
    expr->a = at ? rsc_check_index(l, at, store->count) : NULL;
    return expr;
}

static gy_expr *copy(rsc_lowering *l, const gy_expr *expr, uint64_t *left)
{
    if (!expr)
        return NULL;
    if (*left == 0 || l->failed) {
        rsc_too_large(l, expr->place, "this expands to too large an expression");
        return rsc_const(l, 0);
    }
    --*left;
    gy_expr *own = GY_NEW(l->model->arena, gy_expr);
    *own = *expr;
    own->a = copy(l, expr->a, left);
    own->b = copy(l, expr->b, left);
    own->c = copy(l, expr->c, left);
    return own;
}

gy_expr *rsc_own(rsc_lowering *l, const gy_expr *expr)
{
    uint64_t left = MOST_NODES;
    return copy(l, expr, &left);
}
