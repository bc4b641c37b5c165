#include "model/uses.h"

#include "model/operators.h"
#include "model/visit.h"

// ---- expressions ----------------------------------------------------------------------

// Small and not negative, whatever the values of its variables: sums of a few cannot wrap around.
static bool is_small(const gy_model *model, const gy_expr *expr)
{
    switch (expr->op) {
    case GY_E_CONST:
        return expr->value >= 0 && expr->value <= UINT16_MAX;
    case GY_E_VAR:
        return model->vars[expr->var].min >= 0 && model->vars[expr->var].max <= UINT16_MAX;
    case GY_E_ADD:
        return expr->a->op != GY_E_ADD && is_small(model, expr->a) && is_small(model, expr->b);
    case GY_E_MOD:
    case GY_E_DIV:
        return expr->b->op == GY_E_CONST && expr->b->value > 0 && is_small(model, expr->a);
    case GY_E_BITAND:
        return is_small(model, expr->a) && is_small(model, expr->b);
    default:
        return false;
    }
}

// Is it surely one of 0 .. count - 1?
static bool is_in_bounds(const gy_model *model, const gy_expr *index, int32_t count)
{
    switch (index->op) {
    case GY_E_CONST:
        return index->value >= 0 && index->value < count;
    case GY_E_VAR:
        return model->vars[index->var].min >= 0 && model->vars[index->var].max < count;
    case GY_E_MOD:
        return index->b->op == GY_E_CONST && index->b->value > 0 && index->b->value <= count &&
               is_small(model, index->a);
    default:
        return false;
    }
}

bool gy_expr_can_fail(const gy_model *model, const gy_expr *expr)
{
    if (!expr)
        return false;
    switch (expr->op) {
    case GY_E_CONST:
    case GY_E_PID:
    case GY_E_NR_PR:
    case GY_E_LAST:
    case GY_E_NP:
    case GY_E_TIMEOUT:
    case GY_E_PRIORITY:
    case GY_E_REMOTE_LABEL:
        return gy_expr_can_fail(model, expr->a);
    case GY_E_VAR: // the index is checked, by itself or by the access
        return expr->a && (expr->a->op != GY_E_INDEX || gy_expr_can_fail(model, expr->a));
    case GY_E_INDEX:
        return gy_expr_can_fail(model, expr->a) || !is_in_bounds(model, expr->a, expr->value);
    case GY_E_DIV:
    case GY_E_MOD:
        return expr->b->op != GY_E_CONST || expr->b->value == 0 || gy_expr_can_fail(model, expr->a);
    case GY_E_AND:
    case GY_E_OR:
    case GY_E_COND:
        return gy_expr_can_fail(model, expr->a) || gy_expr_can_fail(model, expr->b) ||
               gy_expr_can_fail(model, expr->c);
    default: // others: channels, other processes, C
        return !gy_op_is_plain(expr->op) || gy_expr_can_fail(model, expr->a) ||
               gy_expr_can_fail(model, expr->b);
    }
}

// ---- reads and writes: sets of variables ------------------------------------------------

typedef struct reader {
    const gy_model *model;
    uint64_t *set;
} reader;

static void read_everything(const reader *r)
{
    for (uint32_t v = 0; v < r->model->var_count; v++)
        gy_bits_add(r->set, (int32_t)v);
}

static gy_visit_next note_read(void *user, const gy_expr *expr)
{
    const reader *r = user;
    if (expr->op == GY_E_VAR || expr->op == GY_E_REMOTE_VAR)
        gy_bits_add(r->set, expr->var);
    if (expr->op == GY_E_C)
        read_everything(r);
    return GY_VISIT_PARTS;
}

static gy_visit_next note_remote_read(void *user, const gy_expr *expr)
{
    if (expr->op == GY_E_REMOTE_VAR)
        gy_bits_add(user, expr->var);
    return GY_VISIT_PARTS;
}

static void note_write(void *user, int32_t var, const gy_expr *index)
{
    (void)index;
    gy_bits_add(user, var);
}

void gy_expr_reads(const gy_model *model, const gy_expr *expr, uint64_t *set)
{
    reader r = {model, set};
    gy_visit_expr(&(gy_visitor){.user = &r, .expr = note_read}, expr);
}

void gy_model_remote_reads(const gy_model *model, uint64_t *set)
{
    gy_visit_model(&(gy_visitor){.user = set, .expr = note_remote_read}, model);
}

void gy_formula_reads(const gy_model *model, const gy_formula *formula, uint64_t *set)
{
    reader r = {model, set};
    gy_visit_formula(&(gy_visitor){.user = &r, .expr = note_read}, model, formula);
}

void gy_program_reads(const gy_model *model, const gy_program *program, uint64_t *set)
{
    reader r = {model, set};
    gy_visit_program(&(gy_visitor){.user = &r, .expr = note_read}, program);
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_C)
            read_everything(&r);
}

void gy_edge_reads(const gy_model *model, const gy_edge *edge, uint64_t *set)
{
    reader r = {model, set};
    gy_visit_edge(&(gy_visitor){.user = &r, .expr = note_read}, edge);
    gy_program_reads(model, edge->effect, set); // embedded C
}

void gy_action_writes(const gy_action *action, uint64_t *set)
{
    gy_visit_action(&(gy_visitor){.user = set, .store = note_write}, action);
}

void gy_program_writes(const gy_program *program, uint64_t *set)
{
    gy_visit_program(&(gy_visitor){.user = set, .store = note_write}, program);
}

void gy_edge_writes(const gy_edge *edge, uint64_t *set)
{
    gy_visit_edge(&(gy_visitor){.user = set, .store = note_write}, edge);
}

// ---- what decides whether computing fails -----------------------------------------------

void gy_expr_fault_reads(const gy_model *model, const gy_expr *expr, uint64_t *set)
{
    if (!gy_expr_can_fail(model, expr))
        return;
    if (gy_op_is_plain(expr->op)) {
        gy_expr_fault_reads(model, expr->a, set);
        gy_expr_fault_reads(model, expr->b, set);
        return;
    }
    switch (expr->op) {
    case GY_E_DIV:
    case GY_E_MOD:
        gy_expr_fault_reads(model, expr->a, set);
        gy_expr_reads(model, expr->b, set);
        break;
    case GY_E_AND:
    case GY_E_OR:
    case GY_E_COND: // what comes first decides whether the rest is computed
        if (gy_expr_can_fail(model, expr->b) || gy_expr_can_fail(model, expr->c))
            gy_expr_reads(model, expr->a, set);
        else
            gy_expr_fault_reads(model, expr->a, set);
        gy_expr_fault_reads(model, expr->b, set);
        gy_expr_fault_reads(model, expr->c, set);
        break;
    case GY_E_VAR:
        gy_expr_reads(model, expr->a, set);
        break;
    default:
        gy_expr_reads(model, expr, set);
    }
}

static bool fields_can_fail(const gy_model *model, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].checked || gy_expr_can_fail(model, fields[f].expr) ||
            (fields[f].index && fields[f].index->op != GY_E_CONST))
            return true;
    return false;
}

bool gy_edge_can_fail(const gy_model *model, const gy_edge *edge)
{
    if (edge->alone)
        return true;
    if (edge->never_fails)
        return false;
    if (gy_expr_can_fail(model, edge->guard) || gy_expr_can_fail(model, edge->chan) ||
        fields_can_fail(model, edge->fields, edge->field_count))
        return true;
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        bool computes = action->kind == GY_A_ASSIGN || action->kind == GY_A_ASSERT ||
                        action->kind == GY_A_PRINTF || action->kind == GY_A_PRINTM;
        if (!computes || action->checked || gy_expr_can_fail(model, action->expr) ||
            (action->index && gy_expr_can_fail(model, action->index)) ||
            fields_can_fail(model, action->fields, action->field_count))
            return true;
    }
    return false;
}
