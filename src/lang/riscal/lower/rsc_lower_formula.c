// Formulas. Quantifiers over temporal formulas are expanded; what has no temporal operator in it is
// one atom, whose text has the values of what is bound outside.
#include "lang/riscal/lower/rsc_value.h"
#include "model/atoms.h"

static gy_formula *new_formula(rsc_lowering *l, gy_formula_op op, gy_location place)
{
    gy_formula *formula = GY_NEW(l->model->arena, gy_formula);
    formula->op = op;
    formula->place = place;
    return formula;
}

static gy_formula *atom(rsc_lowering *l, gy_expr *value, const rsc_expr *from, const char *prefix)
{
    gy_formula *formula = new_formula(l, GY_F_ATOM, from->place);
    if (value->op == GY_E_CONST) {
        formula->op = value->value ? GY_F_TRUE : GY_F_FALSE;
        return formula;
    }
    gy_text text = {0};
    gy_text_add(&text, prefix);
    rsc_expr_text(from->kind == RSC_X_STATE ? from->a : from, &text);
    formula->text = gy_arena_strdup(l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
    formula->atom = gy_model_atom(l->model, rsc_own(l, value));
    return formula;
}

static gy_formula *join(rsc_lowering *l, gy_formula_op op, gy_formula *a, gy_formula *b)
{
    if (!a)
        return b;
    gy_formula *formula = new_formula(l, op, b->place);
    formula->a = a;
    formula->b = b;
    return formula;
}

typedef struct expansion {
    rsc_lowering *l;
    const rsc_expr *expr;
    gy_formula *result;
    uint32_t count;
} expansion;

static void add_instance(void *user, gy_expr *counts)
{
    enum { MOST_INSTANCES = 256 };
    expansion *e = user;
    bool all = e->expr->kind == RSC_X_FORALL;
    if (++e->count > MOST_INSTANCES) {
        rsc_too_large(e->l, e->expr->place, "this formula expands to more than 256 formulas");
        return;
    }
    gy_formula *one = rsc_lower_formula(e->l, e->expr->a);
    if (!rsc_is_true(counts)) {
        // The text of the condition must distinguish these values from others.
        gy_text text = {0};
        for (uint32_t i = 0; i < e->expr->bound->count; i++) {
            const rsc_bound_var *var = &e->expr->bound->vars[i];
            uint64_t code = 0;
            rsc_known_code(e->l, var->symbol->value, &code);
            gy_text_add(&text, i ? ", " : "");
            rsc_code_text(var->symbol->type, code, &text);
        }
        gy_text_add(&text, " counts in ");
        one = join(e->l, all ? GY_F_IMPLIES : GY_F_AND,
                   atom(e->l, counts, e->expr, gy_text_str(&text)), one);
        gy_text_free(&text);
    }
    e->result = join(e->l, all ? GY_F_AND : GY_F_OR, e->result, one);
}

static gy_formula_op operator_of(rsc_expr_kind kind)
{
    switch (kind) {
    case RSC_X_NOT:
        return GY_F_NOT;
    case RSC_X_AND:
        return GY_F_AND;
    case RSC_X_OR:
        return GY_F_OR;
    case RSC_X_IMPLIES:
        return GY_F_IMPLIES;
    case RSC_X_EQUIV:
        return GY_F_EQUIV;
    case RSC_X_ALWAYS:
        return GY_F_ALWAYS;
    case RSC_X_EVENTUALLY:
        return GY_F_EVENTUALLY;
    case RSC_X_NEXT:
        return GY_F_NEXT;
    case RSC_X_UNTIL:
        return GY_F_UNTIL;
    case RSC_X_RELEASE:
        return GY_F_RELEASE;
    default:
        return GY_F_WEAK_UNTIL;
    }
}

gy_formula *rsc_lower_formula(rsc_lowering *l, const rsc_expr *expr)
{
    if (l->failed)
        return new_formula(l, GY_F_TRUE, expr->place);
    if (!expr->temporal)
        return atom(l, rsc_lower_scalar(l, expr), expr, "");
    if (expr->kind == RSC_X_FORALL || expr->kind == RSC_X_EXISTS) {
        expansion e = {.l = l, .expr = expr};
        rsc_each(l, expr->bound, add_instance, &e);
        bool all = expr->kind == RSC_X_FORALL;
        return e.result ? e.result : new_formula(l, all ? GY_F_TRUE : GY_F_FALSE, expr->place);
    }
    gy_formula *formula = new_formula(l, operator_of(expr->kind), expr->place);
    formula->a = rsc_lower_formula(l, expr->a);
    formula->b = expr->b ? rsc_lower_formula(l, expr->b) : NULL;
    return formula;
}
