// Quantifiers, sums and sets by comprehension: expanded over all values of what they bind.
#include "lang/riscal/lower/rsc_value.h"

// ---- all valuations -----------------------------------------------------------------------------

typedef struct walk {
    rsc_lowering *l;
    const rsc_bound *bound;
    rsc_visit *visit;
    void *user;
} walk;

static void go_through(walk *w, uint32_t i, gy_expr *counts)
{
    rsc_lowering *l = w->l;
    if (l->failed || rsc_is_false(counts))
        return;
    if (i == w->bound->count) {
        if (w->bound->with)
            counts = rsc_binary(l, GY_E_AND, counts, rsc_lower_scalar(l, w->bound->with));
        if (!rsc_is_false(counts))
            w->visit(w->user, counts);
        return;
    }
    const rsc_bound_var *var = &w->bound->vars[i];
    rsc_symbol *symbol = var->symbol;
    rsc_value *before = symbol->value, *set = var->set ? rsc_lower_expr(l, var->set) : NULL;
    for (uint64_t code = 0; code < symbol->type->values && rsc_may_make(l, 1); code++) {
        gy_expr *member = counts;
        if (set)
            member = rsc_binary(l, GY_E_AND, counts, rsc_part(l, set, (uint32_t)code)->scalar);
        symbol->value = rsc_decode(l, symbol->type, code);
        go_through(w, i + 1, member);
    }
    symbol->value = before;
}

void rsc_each(rsc_lowering *l, const rsc_bound *bound, rsc_visit *visit, void *user)
{
    walk w = {l, bound, visit, user};
    go_through(&w, 0, rsc_const(l, 1));
}

// ---- what becomes of them -------------------------------------------------------------------

typedef struct gathering {
    rsc_lowering *l;
    const rsc_expr *expr;
    gy_expr *result;
    rsc_value *set;
} gathering;

static void add_truth(void *user, gy_expr *counts)
{
    gathering *g = user;
    bool all = g->expr->kind == RSC_X_FORALL;
    if (all ? rsc_is_false(g->result) : rsc_is_true(g->result))
        return;
    gy_expr *holds = rsc_lower_scalar(g->l, g->expr->a);
    holds = all ? rsc_binary(g->l, GY_E_OR, rsc_unary(g->l, GY_E_NOT, counts), holds)
                : rsc_binary(g->l, GY_E_AND, counts, holds);
    g->result = rsc_binary(g->l, all ? GY_E_AND : GY_E_OR, g->result, holds);
}

static void add_number(void *user, gy_expr *counts)
{
    gathering *g = user;
    bool product = g->expr->kind == RSC_X_PRODUCT;
    gy_expr *number =
        g->expr->kind == RSC_X_COUNT ? rsc_const(g->l, 1) : rsc_lower_scalar(g->l, g->expr->a);
    number = rsc_if(g->l, counts, number, rsc_const(g->l, product));
    g->result = rsc_binary(g->l, product ? GY_E_MUL : GY_E_ADD, g->result, number);
}

static void add_member(void *user, gy_expr *counts)
{
    gathering *g = user;
    rsc_lowering *l = g->l;
    const rsc_type *item = g->set->type->item;
    rsc_value *member = rsc_convert(l, rsc_lower_expr(l, g->expr->a), item);
    uint64_t known;
    bool is_known = rsc_known_code(l, member, &known);
    gy_expr *code = is_known ? NULL : rsc_encode(l, member);
    for (uint32_t k = 0; k < g->set->type->count; k++) {
        if (is_known && k != known)
            continue;
        gy_expr *is = counts;
        if (!is_known)
            is = rsc_binary(l, GY_E_AND, counts,
                            rsc_binary(l, GY_E_EQ, code, rsc_const(l, (int32_t)k)));
        gy_expr *has = rsc_binary(l, GY_E_OR, g->set->parts[k]->scalar, is);
        g->set->parts[k] = rsc_scalar(l, &rsc_bool, has);
    }
}

rsc_value *rsc_lower_quantifier(rsc_lowering *l, const rsc_expr *expr)
{
    gathering g = {.l = l, .expr = expr};
    if (expr->kind == RSC_X_SET_BUILD) {
        g.set = rsc_least(l, expr->type);
        rsc_each(l, expr->bound, add_member, &g);
        return g.set;
    }
    bool truth = expr->kind == RSC_X_FORALL || expr->kind == RSC_X_EXISTS;
    g.result = rsc_const(l, expr->kind == RSC_X_FORALL || expr->kind == RSC_X_PRODUCT);
    rsc_each(l, expr->bound, truth ? add_truth : add_number, &g);
    return rsc_scalar(l, expr->type, g.result);
}
