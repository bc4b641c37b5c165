#include "model/visit.h"

#include "model/atoms.h"

bool gy_action_has_result(const gy_action *action)
{
    return action->var != GY_NONE &&
           (action->kind == GY_A_ASSIGN || action->kind == GY_A_RUN ||
            action->kind == GY_A_NEW_CHANNEL || action->kind == GY_A_CHOOSE);
}

bool gy_visit_expr(const gy_visitor *visitor, const gy_expr *expr)
{
    if (!expr || !visitor->expr)
        return false;
    gy_visit_next next = visitor->expr(visitor->user, expr);
    if (next != GY_VISIT_PARTS)
        return next == GY_VISIT_STOP;
    return gy_visit_expr(visitor, expr->a) || gy_visit_expr(visitor, expr->b) ||
           gy_visit_expr(visitor, expr->c) || gy_visit_fields(visitor, expr->args, expr->arg_count);
}

bool gy_visit_fields(const gy_visitor *visitor, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (gy_visit_expr(visitor, fields[f].expr) || gy_visit_expr(visitor, fields[f].index))
            return true;
    return false;
}

static void visit_stored_fields(const gy_visitor *visitor, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; visitor->store && f < count; f++)
        if (fields[f].kind == GY_FIELD_STORE && fields[f].var != GY_NONE)
            visitor->store(visitor->user, fields[f].var, fields[f].index);
}

bool gy_visit_action(const gy_visitor *visitor, const gy_action *action)
{
    if (gy_visit_expr(visitor, action->expr) || gy_visit_expr(visitor, action->index) ||
        gy_visit_expr(visitor, action->chan) ||
        gy_visit_fields(visitor, action->fields, action->field_count))
        return true;
    for (uint32_t i = 0; i < action->option_count; i++)
        if (gy_visit_expr(visitor, action->options[i].when))
            return true;
    visit_stored_fields(visitor, action->fields, action->field_count);
    if (visitor->store && gy_action_has_result(action))
        visitor->store(visitor->user, action->var, action->index);
    return false;
}

bool gy_visit_program(const gy_visitor *visitor, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (gy_visit_action(visitor, &program->actions[i]))
            return true;
    return false;
}

bool gy_visit_edge(const gy_visitor *visitor, const gy_edge *edge)
{
    if (gy_visit_expr(visitor, edge->guard) || gy_visit_expr(visitor, edge->chan) ||
        gy_visit_fields(visitor, edge->fields, edge->field_count))
        return true;
    if (edge->sync == GY_SYNC_RECV)
        visit_stored_fields(visitor, edge->fields, edge->field_count);
    return gy_visit_program(visitor, edge->effect);
}

bool gy_visit_formula(const gy_visitor *visitor, const gy_model *model, const gy_formula *formula)
{
    return formula && (gy_visit_expr(visitor, gy_atom_expr(model, formula->atom)) ||
                       gy_visit_formula(visitor, model, formula->a) ||
                       gy_visit_formula(visitor, model, formula->b));
}

bool gy_visit_template(const gy_visitor *visitor, const gy_model *model, const gy_template *tmpl)
{
    if (gy_visit_expr(visitor, tmpl->provided) || gy_visit_expr(visitor, tmpl->rests) ||
        gy_visit_program(visitor, tmpl->init))
        return true;
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (gy_visit_edge(visitor, &model->edges[tmpl->first_edge + k]))
            return true;
    return false;
}

bool gy_visit_model(const gy_visitor *visitor, const gy_model *model)
{
    if (gy_visit_program(visitor, model->init))
        return true;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (gy_visit_template(visitor, model, &model->templates[t]))
            return true;
    return false;
}

static gy_visit_next is_op(void *user, const gy_expr *expr)
{
    return expr->op == *(const gy_expr_op *)user ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

bool gy_expr_mentions(const gy_expr *expr, gy_expr_op op)
{
    return gy_visit_expr(&(gy_visitor){.user = &op, .expr = is_op}, expr);
}
