// Expressions and actions as text. Every operator with two operands stands in parentheses, so that
// nothing depends on precedence.
#include "model/model_text.h"

static const char *const symbols[GY_E_COUNT] = {
    [GY_E_NOT] = "!",
    [GY_E_NEG] = "-",
    [GY_E_COMPL] = "~",
    [GY_E_ADD] = "+",
    [GY_E_SUB] = "-",
    [GY_E_MUL] = "*",
    [GY_E_DIV] = "/",
    [GY_E_MOD] = "%",
    [GY_E_BITAND] = "&",
    [GY_E_BITOR] = "|",
    [GY_E_BITXOR] = "^",
    [GY_E_SHL] = "<<",
    [GY_E_SHR] = ">>",
    [GY_E_LT] = "<",
    [GY_E_LE] = "<=",
    [GY_E_GT] = ">",
    [GY_E_GE] = ">=",
    [GY_E_EQ] = "==",
    [GY_E_NE] = "!=",
    [GY_E_AND] = "&&",
    [GY_E_OR] = "||",
    [GY_E_LEN] = "len",
    [GY_E_EMPTY] = "empty",
    [GY_E_NEMPTY] = "nempty",
    [GY_E_FULL] = "full",
    [GY_E_NFULL] = "nfull",
    [GY_E_CAN_SEND] = "can_send",
    [GY_E_PID] = "pid",
    [GY_E_NR_PR] = "processes",
    [GY_E_LAST] = "last",
    [GY_E_NP] = "np",
    [GY_E_TIMEOUT] = "timeout",
    [GY_E_ENABLED] = "enabled",
    [GY_E_PC_VALUE] = "pc_value",
    [GY_E_GET_PRIORITY] = "priority",
    [GY_E_PRIORITY] = "priority",
};

static void print_element(const gy_model *model, int32_t var, const gy_expr *index, gy_text *out)
{
    gy_text_add(out, var == GY_NONE ? "_" : model->vars[var].name);
    if (!index)
        return;
    gy_text_char(out, '[');
    gy_expr_print(model, index, out);
    gy_text_char(out, ']');
}

static void print_field(const gy_model *model, const gy_field *field, gy_text *out)
{
    switch (field->kind) {
    case GY_FIELD_VALUE:
        gy_expr_print(model, field->expr, out);
        break;
    case GY_FIELD_STORE:
        gy_text_add(out, field->checked ? "&!" : "&");
        print_element(model, field->var, field->index, out);
        break;
    case GY_FIELD_MATCH:
        gy_text_add(out, "==");
        gy_expr_print(model, field->expr, out);
        break;
    case GY_FIELD_IGNORE:
        gy_text_char(out, '_');
        break;
    }
}

static void print_fields(const gy_model *model, const gy_field *fields, uint32_t count,
                         gy_text *out)
{
    gy_text_char(out, '(');
    for (uint32_t f = 0; f < count; f++) {
        gy_text_add(out, f ? ", " : "");
        print_field(model, &fields[f], out);
    }
    gy_text_char(out, ')');
}

static void print_remote(const gy_model *model, const gy_expr *expr, gy_text *out)
{
    const gy_template *tmpl = &model->templates[expr->tmpl];
    gy_text_add(out, tmpl->name);
    if (expr->a) {
        gy_text_char(out, '[');
        gy_expr_print(model, expr->a, out);
        gy_text_char(out, ']');
    }
    if (expr->op == GY_E_REMOTE_LABEL) {
        gy_text_printf(out, "@%d", expr->node);
    } else {
        gy_text_char(out, ':');
        print_element(model, expr->var, expr->b, out);
    }
}

static void print_call(const gy_model *model, const gy_expr *expr, gy_text *out)
{
    gy_text_add(out, symbols[expr->op]);
    if (!expr->a)
        return;
    gy_text_char(out, '(');
    gy_expr_print(model, expr->a, out);
    gy_text_char(out, ')');
}

static void print_poll(const gy_model *model, const gy_expr *expr, gy_text *out)
{
    gy_text_add(out, expr->op == GY_E_EXCLUSIVE ? "exclusive "
                     : expr->random             ? "poll?? "
                                                : "poll ");
    gy_expr_print(model, expr->a, out);
    if (expr->op == GY_E_POLL)
        print_fields(model, expr->args, expr->arg_count, out);
}

void gy_expr_print(const gy_model *model, const gy_expr *expr, gy_text *out)
{
    if (!expr)
        return;
    switch (expr->op) {
    case GY_E_CONST:
        gy_text_printf(out, "%d", expr->value);
        return;
    case GY_E_VAR:
        print_element(model, expr->var, expr->a, out);
        return;
    case GY_E_INDEX:
        gy_expr_print(model, expr->a, out);
        gy_text_printf(out, expr->of_range ? " in range %d" : " below %d", expr->value);
        return;
    case GY_E_NOT:
    case GY_E_NEG:
    case GY_E_COMPL:
        gy_text_add(out, symbols[expr->op]);
        gy_expr_print(model, expr->a, out);
        return;
    case GY_E_COND:
        gy_text_char(out, '(');
        gy_expr_print(model, expr->a, out);
        gy_text_add(out, " ? ");
        gy_expr_print(model, expr->b, out);
        gy_text_add(out, " : ");
        gy_expr_print(model, expr->c, out);
        gy_text_char(out, ')');
        return;
    case GY_E_POLL:
    case GY_E_EXCLUSIVE:
        print_poll(model, expr, out);
        return;
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
        print_remote(model, expr, out);
        return;
    case GY_E_C:
        gy_text_printf(out, "c {%s}", expr->c_block->code);
        return;
    default:
        break;
    }
    if (!expr->b) {
        print_call(model, expr, out);
        return;
    }
    gy_text_char(out, '(');
    gy_expr_print(model, expr->a, out);
    gy_text_printf(out, " %s ", symbols[expr->op]);
    gy_expr_print(model, expr->b, out);
    gy_text_char(out, ')');
}

// ---- actions ----------------------------------------------------------------------------

static void print_message(const gy_model *model, const gy_action *action, gy_text *out)
{
    bool sends = action->kind == GY_A_SEND;
    gy_expr_print(model, action->chan, out);
    if (sends)
        gy_text_add(out, action->sorted ? "!!" : "!");
    else
        gy_text_add(out, action->random ? "??" : "?");
    gy_text_add(out, action->keep ? "<keep>" : "");
    print_fields(model, action->fields, action->field_count, out);
}

static void print_run(const gy_model *model, const gy_action *action, gy_text *out)
{
    if (action->var != GY_NONE) {
        print_element(model, action->var, action->index, out);
        gy_text_add(out, " = ");
    }
    gy_text_printf(out, "run %s", model->templates[action->tmpl].name);
    print_fields(model, action->fields, action->field_count, out);
    if (action->priority)
        gy_text_printf(out, " priority %d", action->priority);
}

static void print_select(const gy_model *model, const gy_action *action, gy_text *out)
{
    gy_text_add(out, "select");
    for (uint32_t i = 0; i < action->option_count; i++) {
        gy_text_add(out, i ? "; " : " ");
        if (action->options[i].when)
            gy_expr_print(model, action->options[i].when, out);
        else
            gy_text_add(out, "else");
        gy_text_printf(out, " -> %u", action->options[i].target);
    }
}

static void print_with(const gy_model *model, const char *word, const gy_expr *expr, gy_text *out)
{
    gy_text_printf(out, "%s ", word);
    gy_expr_print(model, expr, out);
}

static void print_all(const gy_model *model, const gy_action *action, gy_text *out)
{
    gy_text_add(out, "together");
    for (uint32_t f = 0; f < action->field_count; f++) {
        gy_text_add(out, f ? ", " : " ");
        print_element(model, action->fields[f].var, action->fields[f].index, out);
        print_with(model, action->fields[f].checked ? " =!" : " =", action->fields[f].expr, out);
    }
}

void gy_action_print(const gy_model *model, const gy_action *action, gy_text *out)
{
    switch (action->kind) {
    case GY_A_ASSIGN:
        print_element(model, action->var, action->index, out);
        print_with(model, action->checked ? " =!" : " =", action->expr, out);
        break;
    case GY_A_SEND:
    case GY_A_RECV:
        print_message(model, action, out);
        break;
    case GY_A_ASSERT:
        print_with(model, "assert", action->expr, out);
        break;
    case GY_A_PRINTF:
        gy_text_printf(out, "printf %s ", action->text);
        print_fields(model, action->fields, action->field_count, out);
        break;
    case GY_A_PRINTM:
        print_with(model, "printm", action->expr, out);
        break;
    case GY_A_RUN:
        print_run(model, action, out);
        break;
    case GY_A_NEW_CHANNEL:
        print_element(model, action->var, action->index, out);
        gy_text_printf(out, " = channel %d", action->channel_type);
        break;
    case GY_A_SET_PRIORITY:
        print_with(model, "set_priority", action->expr, out);
        print_with(model, " to", action->index, out);
        break;
    case GY_A_C:
        gy_text_printf(out, "c {%s}", action->c_block->code);
        break;
    case GY_A_TEST:
        print_with(model, "test", action->expr, out);
        break;
    case GY_A_SELECT:
        print_select(model, action, out);
        break;
    case GY_A_JUMP:
        gy_text_printf(out, "jump %u", action->target);
        break;
    case GY_A_ASSIGN_ALL:
        print_all(model, action, out);
        break;
    case GY_A_CHOOSE:
        print_element(model, action->var, action->index, out);
        print_with(model, " = any", action->fields[0].expr, out);
        print_with(model, " ..", action->fields[1].expr, out);
        break;
    }
}
