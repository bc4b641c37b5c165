// Expressions and formulas.
#include "lang/dve/lower/dve_lower_internal.h"
#include "model/atoms.h"

gy_expr *dve_new_expr(gy_arena *arena, gy_expr_op op, gy_location place)
{
    gy_expr *expr = GY_NEW(arena, gy_expr);
    expr->op = op;
    expr->place = place;
    expr->var = expr->tmpl = expr->node = GY_NONE;
    return expr;
}

gy_expr *dve_new_const(gy_arena *arena, gy_location place, int32_t value)
{
    gy_expr *expr = dve_new_expr(arena, GY_E_CONST, place);
    expr->value = value;
    return expr;
}

gy_expr *dve_new_binary(gy_arena *arena, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    if (!a || !b)
        return a ? a : b;
    gy_expr *expr = dve_new_expr(arena, op, a->place);
    expr->a = a;
    expr->b = b;
    return expr;
}

// ---- names ----------------------------------------------------------------------------------

gy_expr *dve_lower_index(const dve_lowering *l, const dve_expr *element)
{
    if (!element->a)
        return NULL;
    gy_expr *index = dve_new_expr(l->arena, GY_E_INDEX, element->a->place);
    index->a = dve_lower_expr(l, element->a);
    index->value = (int32_t)element->var->count;
    return index;
}

// Elements first .. last of a constant array, by halves. The index was checked by `checked`, which
// is NULL where that has been done.
static gy_expr *choose(const dve_lowering *l, const dve_expr *expr, gy_expr *checked,
                       uint32_t first, uint32_t last)
{
    bool same = true;
    for (uint32_t i = first; i <= last; i++)
        same = same && expr->var->values[i] == expr->var->values[first];
    if (same && !checked)
        return dve_new_const(l->arena, expr->place, expr->var->values[first]);
    uint32_t middle = first + (last - first) / 2;
    gy_expr *test = dve_new_expr(l->arena, GY_E_LE, expr->place);
    test->a = checked ? checked : dve_lower_expr(l, expr->a);
    test->b = dve_new_const(l->arena, expr->place, (int32_t)middle);
    gy_expr *choice = dve_new_expr(l->arena, GY_E_COND, expr->place);
    choice->a = test;
    choice->b = choose(l, expr, NULL, first, middle);
    choice->c = first == last ? choice->b : choose(l, expr, NULL, middle + 1, last);
    return choice;
}

static gy_expr *lower_name(const dve_lowering *l, const dve_expr *expr)
{
    const dve_var *var = expr->var;
    if (var->is_const && !var->is_array)
        return dve_new_const(l->arena, expr->place, var->values[0]);
    gy_expr *index = dve_lower_index(l, expr);
    if (var->is_const)
        return choose(l, expr, index, 0, var->count - 1);
    const dve_process *owner = var->owner;
    bool own = !owner || owner == l->self || (l->tree->synchronous && !owner->is_property);
    gy_expr *lowered = dve_new_expr(l->arena, own ? GY_E_VAR : GY_E_REMOTE_VAR, expr->place);
    lowered->var = dve_uses_copy(l, var) ? var->copy : var->lowered;
    lowered->a = index;
    if (!own) {
        lowered->tmpl = owner->lowered;
        lowered->a = dve_new_const(l->arena, expr->place, owner->pid);
        lowered->b = index;
    }
    return lowered;
}

static gy_expr *lower_at(const dve_lowering *l, const dve_expr *expr)
{
    const dve_process *process = expr->process;
    if (l->moved == process)
        return dve_new_const(l->arena, expr->place, l->moved_to == expr->state);
    if (l->tree->synchronous && !process->is_property) {
        gy_expr *where = dve_new_expr(l->arena, GY_E_VAR, expr->place);
        where->var = process->location;
        return dve_new_binary(l->arena, GY_E_EQ, where,
                              dve_new_const(l->arena, expr->place, expr->state));
    }
    gy_expr *lowered = dve_new_expr(l->arena, GY_E_REMOTE_LABEL, expr->place);
    lowered->tmpl = process->lowered;
    lowered->node = expr->state;
    lowered->a = dve_new_const(l->arena, expr->place, process->pid);
    return lowered;
}

// ---- operators ------------------------------------------------------------------------------

static gy_expr_op operator_of(dve_expr_kind kind)
{
    static const gy_expr_op ops[] = {
        [DVE_X_NOT] = GY_E_NOT,     [DVE_X_NEG] = GY_E_NEG,       [DVE_X_COMPL] = GY_E_COMPL,
        [DVE_X_IMPLY] = GY_E_OR,    [DVE_X_OR] = GY_E_OR,         [DVE_X_AND] = GY_E_AND,
        [DVE_X_BITOR] = GY_E_BITOR, [DVE_X_BITAND] = GY_E_BITAND, [DVE_X_BITXOR] = GY_E_BITXOR,
        [DVE_X_EQ] = GY_E_EQ,       [DVE_X_NE] = GY_E_NE,         [DVE_X_LT] = GY_E_LT,
        [DVE_X_LE] = GY_E_LE,       [DVE_X_GT] = GY_E_GT,         [DVE_X_GE] = GY_E_GE,
        [DVE_X_SHL] = GY_E_SHL,     [DVE_X_SHR] = GY_E_SHR,       [DVE_X_ADD] = GY_E_ADD,
        [DVE_X_SUB] = GY_E_SUB,     [DVE_X_MUL] = GY_E_MUL,       [DVE_X_DIV] = GY_E_DIV,
        [DVE_X_MOD] = GY_E_MOD,
    };
    return ops[kind];
}

gy_expr *dve_lower_expr(const dve_lowering *l, const dve_expr *expr)
{
    int32_t value;
    if (dve_constant(expr, &value))
        return dve_new_const(l->arena, expr->place, value);
    switch (expr->kind) {
    case DVE_X_NAME:
    case DVE_X_REMOTE:
        return lower_name(l, expr);
    case DVE_X_AT:
        return lower_at(l, expr);
    default:
        break;
    }
    gy_expr *lowered = dve_new_expr(l->arena, operator_of(expr->kind), expr->place);
    lowered->a = dve_lower_expr(l, expr->a);
    lowered->b = expr->b ? dve_lower_expr(l, expr->b) : NULL;
    if (expr->kind == DVE_X_IMPLY) {
        gy_expr *not = dve_new_expr(l->arena, GY_E_NOT, expr->place);
        not ->a = lowered->a;
        lowered->a = not ;
    }
    return lowered;
}

// ---- formulas -------------------------------------------------------------------------------

static bool is_logical(const dve_expr *expr)
{
    return expr->kind >= DVE_X_NEXT || expr->kind == DVE_X_NOT || expr->kind == DVE_X_AND ||
           expr->kind == DVE_X_OR || expr->kind == DVE_X_IMPLY;
}

static gy_formula_op formula_op(dve_expr_kind kind)
{
    switch (kind) {
    case DVE_X_NOT:
        return GY_F_NOT;
    case DVE_X_AND:
        return GY_F_AND;
    case DVE_X_OR:
        return GY_F_OR;
    case DVE_X_IMPLY:
        return GY_F_IMPLIES;
    case DVE_X_NEXT:
        return GY_F_NEXT;
    case DVE_X_ALWAYS:
        return GY_F_ALWAYS;
    case DVE_X_EVENTUALLY:
        return GY_F_EVENTUALLY;
    case DVE_X_UNTIL:
        return GY_F_UNTIL;
    case DVE_X_RELEASE:
        return GY_F_RELEASE;
    case DVE_X_WEAK_UNTIL:
        return GY_F_WEAK_UNTIL;
    case DVE_X_STRONG_RELEASE:
        return GY_F_STRONG_RELEASE;
    default:
        return GY_F_EQUIV;
    }
}

static gy_formula *lower_formula(const dve_lowering *l, const dve_expr *expr)
{
    gy_formula *formula = GY_NEW(l->arena, gy_formula);
    formula->place = expr->place;
    if (expr->kind == DVE_X_NUMBER) {
        formula->op = expr->value ? GY_F_TRUE : GY_F_FALSE;
    } else if (is_logical(expr)) {
        formula->op = formula_op(expr->kind);
        formula->a = lower_formula(l, expr->a);
        formula->b = expr->b ? lower_formula(l, expr->b) : NULL;
    } else {
        gy_text text = {0};
        dve_expr_text(expr, &text);
        formula->op = GY_F_ATOM;
        formula->atom = gy_model_atom(l->model, dve_lower_expr(l, expr));
        formula->text = gy_arena_strdup(l->arena, gy_text_str(&text));
        gy_text_free(&text);
    }
    return formula;
}

static dve_lowering asking(gy_model *model)
{
    return (dve_lowering){.tree = model->syntax, .model = model, .arena = model->arena};
}

gy_expr *dve_lower_predicate(gy_model *model, const dve_expr *expr)
{
    dve_lowering l = asking(model);
    return dve_lower_expr(&l, expr);
}

gy_formula *dve_lower_formula(gy_model *model, const dve_expr *expr)
{
    dve_lowering l = asking(model);
    return lower_formula(&l, expr);
}
