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

typedef struct candidate {
    gy_expr *counts, *number;
} candidate;

typedef struct gathering {
    rsc_lowering *l;
    const rsc_expr *expr;
    gy_expr *result;
    rsc_value *set;
    GY_VEC(candidate) numbers; // for the least and the greatest
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

static void add_candidate(void *user, gy_expr *counts)
{
    gathering *g = user;
    candidate made = {counts, rsc_lower_scalar(g->l, g->expr->a)};
    gy_vec_push(&g->numbers, made);
    // All that count are computed, whichever it is in the end.
    gy_expr *number = rsc_if(g->l, counts, made.number, rsc_const(g->l, 0));
    g->result = rsc_binary(g->l, GY_E_ADD, g->result, number);
}

// Is there a number of this value among them?
static gy_expr *has_value(gathering *g, int32_t value)
{
    rsc_lowering *l = g->l;
    gy_expr *has = rsc_const(l, 0);
    for (size_t i = 0; i < g->numbers.n && !rsc_is_true(has); i++) {
        const candidate *c = &g->numbers.at[i];
        gy_expr *is = rsc_binary(l, GY_E_EQ, c->number, rsc_const(l, value));
        has = rsc_binary(l, GY_E_OR, has, rsc_binary(l, GY_E_AND, c->counts, is));
    }
    return has;
}

// The first value of the type that is there; none of them counts: a fault.
static rsc_value *lower_extreme(rsc_lowering *l, const rsc_expr *expr)
{
    enum { MOST_VALUES = 4096 };
    gathering g = {.l = l, .expr = expr, .result = rsc_const(l, 0)};
    const rsc_type *type = expr->type;
    bool least = expr->kind == RSC_X_MIN;
    if (type->high - type->low >= MOST_VALUES)
        rsc_too_large(l, expr->place, "the numbers of this quantifier have too many values");
    else
        rsc_each(l, expr->bound, add_candidate, &g);
    gy_expr *found =
        rsc_check_range(l, rsc_const(l, (int32_t)type->low - 1), type->low, type->high);
    for (int64_t k = 0; k <= type->high - type->low && !l->failed; k++) {
        int32_t value = (int32_t)(least ? type->high - k : type->low + k);
        found = rsc_if(l, has_value(&g, value), rsc_const(l, value), found);
    }
    gy_vec_free(&g.numbers);
    return rsc_after(l, rsc_scalar(l, type, g.result), rsc_scalar(l, type, found));
}

rsc_value *rsc_lower_quantifier(rsc_lowering *l, const rsc_expr *expr)
{
    gathering g = {.l = l, .expr = expr};
    if (expr->kind == RSC_X_SET_BUILD) {
        g.set = rsc_least(l, expr->type);
        rsc_each(l, expr->bound, add_member, &g);
        return g.set;
    }
    if (expr->kind == RSC_X_MIN || expr->kind == RSC_X_MAX)
        return lower_extreme(l, expr);
    bool truth = expr->kind == RSC_X_FORALL || expr->kind == RSC_X_EXISTS;
    g.result = rsc_const(l, expr->kind == RSC_X_FORALL || expr->kind == RSC_X_PRODUCT);
    rsc_each(l, expr->bound, truth ? add_truth : add_number, &g);
    return rsc_scalar(l, expr->type, g.result);
}
