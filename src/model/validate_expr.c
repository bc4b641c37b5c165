// Expressions, effects and formulas: every operator has its operands, and names what there is.
#include "model/atoms.h"
#include "model/validate_internal.h"

enum { MOST_DEPTH = 100000 };

// Which of a, b, c there are: upper case, must be; lower case, may be.
static const char *const operands[GY_E_COUNT] = {
    [GY_E_CONST] = "",
    [GY_E_VAR] = "a",
    [GY_E_INDEX] = "A",
    [GY_E_NOT] = "A",
    [GY_E_NEG] = "A",
    [GY_E_COMPL] = "A",
    [GY_E_ADD] = "AB",
    [GY_E_SUB] = "AB",
    [GY_E_MUL] = "AB",
    [GY_E_DIV] = "AB",
    [GY_E_MOD] = "AB",
    [GY_E_BITAND] = "AB",
    [GY_E_BITOR] = "AB",
    [GY_E_BITXOR] = "AB",
    [GY_E_SHL] = "AB",
    [GY_E_SHR] = "AB",
    [GY_E_LT] = "AB",
    [GY_E_LE] = "AB",
    [GY_E_GT] = "AB",
    [GY_E_GE] = "AB",
    [GY_E_EQ] = "AB",
    [GY_E_NE] = "AB",
    [GY_E_AND] = "AB",
    [GY_E_OR] = "AB",
    [GY_E_COND] = "ABC",
    [GY_E_LEN] = "A",
    [GY_E_EMPTY] = "A",
    [GY_E_NEMPTY] = "A",
    [GY_E_FULL] = "A",
    [GY_E_NFULL] = "A",
    [GY_E_POLL] = "A",
    [GY_E_CAN_SEND] = "A",
    [GY_E_EXCLUSIVE] = "A",
    [GY_E_PID] = "",
    [GY_E_NR_PR] = "",
    [GY_E_LAST] = "",
    [GY_E_NP] = "",
    [GY_E_TIMEOUT] = "",
    [GY_E_ENABLED] = "A",
    [GY_E_PC_VALUE] = "A",
    [GY_E_GET_PRIORITY] = "A",
    [GY_E_PRIORITY] = "",
    [GY_E_REMOTE_LABEL] = "a",
    [GY_E_REMOTE_VAR] = "ab",
    [GY_E_C] = "",
};

static bool has(const char *list, char operand)
{
    for (; *list; list++)
        if (*list == operand)
            return true;
    return false;
}

static bool operand_fits(const gy_expr *expr, const gy_expr *operand, char name)
{
    const char *list = operands[expr->op];
    if (!operand)
        return !has(list, name);
    return has(list, name) || has(list, (char)(name - 'A' + 'a'));
}

bool gy_validate_variable(gy_validation *v, int32_t var, const gy_expr *index, int32_t tmpl)
{
    if (!gy_is_number(var, v->model->var_count))
        return gy_is_invalid(v, "there is no variable %d", var);
    const gy_variable *variable = &v->model->vars[var];
    if (variable->owner != GY_NONE && variable->owner != tmpl)
        return gy_is_invalid(v, "`%s` belongs to another template", variable->name);
    if (variable->is_array && !index)
        return gy_is_invalid(v, "`%s` is an array and has no index here", variable->name);
    if (!variable->is_array && index)
        return gy_is_invalid(v, "`%s` is not an array and has an index here", variable->name);
    return true;
}

static bool names_fit(gy_validation *v, const gy_expr *expr, int32_t tmpl)
{
    const gy_model *model = v->model;
    switch (expr->op) {
    case GY_E_VAR:
        return gy_validate_variable(v, expr->var, expr->a, tmpl);
    case GY_E_INDEX:
        return expr->value >= 1 || gy_is_invalid(v, "an index into nothing (%d)", expr->value);
    case GY_E_REMOTE_VAR:
        return (gy_is_number(expr->tmpl, model->template_count) &&
                gy_is_number(expr->var, model->var_count) &&
                model->vars[expr->var].owner == expr->tmpl) ||
               gy_is_invalid(v, "a remote variable that its template does not have");
    case GY_E_REMOTE_LABEL:
        return (gy_is_number(expr->tmpl, model->template_count) &&
                (expr->node == GY_NONE ||
                 gy_is_number(expr->node, model->templates[expr->tmpl].node_count))) ||
               gy_is_invalid(v, "a remote label that its template does not have");
    case GY_E_PID:
    case GY_E_PRIORITY:
        return tmpl != GY_NONE || gy_is_invalid(v, "no process evaluates this");
    case GY_E_C:
        return expr->c_block != NULL || gy_is_invalid(v, "a C expression without C");
    default:
        return true;
    }
}

static bool expr_fits(gy_validation *v, const gy_expr *expr, int32_t tmpl, uint32_t depth)
{
    if (!expr)
        return true;
    if (depth > MOST_DEPTH)
        return gy_is_invalid(v, "an expression that contains itself");
    if ((unsigned)expr->op >= GY_E_COUNT || !operands[expr->op])
        return gy_is_invalid(v, "there is no operator %d", (int)expr->op);
    if (!operand_fits(expr, expr->a, 'A') || !operand_fits(expr, expr->b, 'B') ||
        !operand_fits(expr, expr->c, 'C'))
        return gy_is_invalid(v, "operator %d has not the operands that it should have",
                             (int)expr->op);
    bool takes = expr->op == GY_E_POLL || expr->op == GY_E_EXCLUSIVE;
    if (expr->arg_count && (!takes || !expr->args))
        return gy_is_invalid(v, "arguments where there are none");
    if (!names_fit(v, expr, tmpl))
        return false;
    // Claims on a channel are asked of the processes that hold it.
    for (uint32_t i = 0; expr->op == GY_E_POLL && i < expr->arg_count; i++)
        if (!expr_fits(v, expr->args[i].expr, tmpl, depth + 1) ||
            !expr_fits(v, expr->args[i].index, tmpl, depth + 1))
            return false;
    return expr_fits(v, expr->a, tmpl, depth + 1) && expr_fits(v, expr->b, tmpl, depth + 1) &&
           expr_fits(v, expr->c, tmpl, depth + 1);
}

bool gy_validate_expr(gy_validation *v, const gy_expr *expr, int32_t tmpl)
{
    return expr_fits(v, expr, tmpl, 0);
}

bool gy_validate_message(gy_validation *v, const gy_field *fields, uint32_t count, bool sends,
                         int32_t tmpl)
{
    for (uint32_t f = 0; f < count; f++) {
        const gy_field *field = &fields[f];
        bool is_value = field->kind == GY_FIELD_VALUE;
        bool needs_expr = is_value || field->kind == GY_FIELD_MATCH;
        if (sends != is_value)
            return gy_is_invalid(v, "field %u is not one of a %s", f, sends ? "send" : "receive");
        if (needs_expr && !field->expr)
            return gy_is_invalid(v, "field %u has no value", f);
        if (!gy_validate_expr(v, field->expr, tmpl) || !gy_validate_expr(v, field->index, tmpl))
            return false;
        if (field->kind == GY_FIELD_STORE &&
            !gy_validate_variable(v, field->var, field->index, tmpl))
            return false;
    }
    return true;
}

// ---- effects ----------------------------------------------------------------------------

static bool stores_fit(gy_validation *v, const gy_action *action, int32_t tmpl)
{
    return action->var == GY_NONE || gy_validate_variable(v, action->var, action->index, tmpl);
}

static bool run_fits(gy_validation *v, const gy_action *action, int32_t tmpl)
{
    if (!gy_is_number(action->tmpl, v->model->template_count))
        return gy_is_invalid(v, "there is no template %d to run", action->tmpl);
    gy_template_kind kind = v->model->templates[action->tmpl].kind;
    if (kind != GY_TMPL_PROCESS)
        return gy_is_invalid(v, "`%s` cannot be run", v->model->templates[action->tmpl].name);
    return stores_fit(v, action, tmpl) &&
           gy_validate_message(v, action->fields, action->field_count, true, tmpl);
}

static bool targets_fit(gy_validation *v, const gy_action *action, uint32_t count)
{
    if (action->kind == GY_A_JUMP && action->target > count)
        return gy_is_invalid(v, "a jump to action %u of %u", action->target, count);
    if (action->kind == GY_A_SELECT && !action->option_count)
        return gy_is_invalid(v, "a choice of nothing");
    for (uint32_t i = 0; i < action->option_count; i++)
        if (action->options[i].target > count)
            return gy_is_invalid(v, "an option that goes to action %u of %u",
                                 action->options[i].target, count);
    return true;
}

static bool targets_fit_in(gy_validation *v, const gy_action *action, int32_t tmpl)
{
    for (uint32_t f = 0; f < action->field_count; f++) {
        const gy_field *field = &action->fields[f];
        if (field->kind != GY_FIELD_STORE || !field->expr)
            return gy_is_invalid(v, "target %u without its two sides", f);
        if (!gy_validate_variable(v, field->var, field->index, tmpl) ||
            !gy_validate_expr(v, field->expr, tmpl) || !gy_validate_expr(v, field->index, tmpl))
            return false;
    }
    return true;
}

static bool choice_fits(gy_validation *v, const gy_action *action, int32_t tmpl)
{
    if (action->var == GY_NONE || action->field_count != 2)
        return gy_is_invalid(v, "a choice without a variable, or without bounds");
    if (!v->model->uses_choice)
        return gy_is_invalid(v, "a flag of the model is not set");
    return stores_fit(v, action, tmpl) &&
           gy_validate_message(v, action->fields, action->field_count, true, tmpl);
}

static bool kind_fits(gy_validation *v, const gy_action *action, int32_t tmpl)
{
    switch (action->kind) {
    case GY_A_ASSIGN:
        if (action->var == GY_NONE || !action->expr)
            return gy_is_invalid(v, "an assignment without its two sides");
        return stores_fit(v, action, tmpl);
    case GY_A_SEND:
    case GY_A_RECV:
        return (action->chan || gy_is_invalid(v, "a message without a channel")) &&
               gy_validate_message(v, action->fields, action->field_count,
                                   action->kind == GY_A_SEND, tmpl);
    case GY_A_ASSERT:
    case GY_A_TEST:
    case GY_A_PRINTM:
        return action->expr || gy_is_invalid(v, "an action without its expression");
    case GY_A_PRINTF:
        return (action->text || gy_is_invalid(v, "a printf without a format")) &&
               gy_validate_message(v, action->fields, action->field_count, true, tmpl);
    case GY_A_RUN:
        return run_fits(v, action, tmpl);
    case GY_A_NEW_CHANNEL:
        if (!gy_is_number(action->channel_type, v->model->channel_type_count))
            return gy_is_invalid(v, "there is no channel type %d", action->channel_type);
        return stores_fit(v, action, tmpl);
    case GY_A_SET_PRIORITY:
        return (action->expr && action->index) || gy_is_invalid(v, "a priority of nobody");
    case GY_A_C:
        return action->c_block || gy_is_invalid(v, "C code without C");
    case GY_A_ASSIGN_ALL:
        return targets_fit_in(v, action, tmpl);
    case GY_A_CHOOSE:
        return choice_fits(v, action, tmpl);
    case GY_A_SELECT:
    case GY_A_JUMP:
        return true;
    }
    return gy_is_invalid(v, "there is no action %d", (int)action->kind);
}

bool gy_validate_program(gy_validation *v, const gy_program *program, int32_t tmpl)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (!kind_fits(v, action, tmpl) || !targets_fit(v, action, program->count) ||
            !gy_validate_expr(v, action->expr, tmpl) || !gy_validate_expr(v, action->index, tmpl) ||
            !gy_validate_expr(v, action->chan, tmpl))
            return false;
        for (uint32_t k = 0; k < action->option_count; k++)
            if (!gy_validate_expr(v, action->options[k].when, tmpl))
                return false;
    }
    return true;
}

// ---- formulas ---------------------------------------------------------------------------

bool gy_validate_formula(gy_validation *v, const gy_formula *formula)
{
    if (!formula)
        return gy_is_invalid(v, "a formula that is not there");
    switch (formula->op) {
    case GY_F_ATOM:
        return (formula->atom || gy_is_invalid(v, "an atom without an expression")) &&
               gy_validate_expr(v, gy_atom_expr(v->model, formula->atom), GY_NONE);
    case GY_F_TRUE:
    case GY_F_FALSE:
        return true;
    case GY_F_NOT:
    case GY_F_NEXT:
    case GY_F_ALWAYS:
    case GY_F_EVENTUALLY:
        return gy_validate_formula(v, formula->a);
    default:
        return gy_validate_formula(v, formula->a) && gy_validate_formula(v, formula->b);
    }
}
