// Statements without outputs, to actions of an effect. Procedures are copied in: their parameters
// and variables are hidden, and begin every call again.
#include "lang/if/lower/if_lower.h"

gy_action *if_action(if_lowering *l, gy_action_kind kind)
{
    l->b->place = l->place;
    return gy_build_action_in(l->b, l->effect, kind);
}

uint32_t if_here(const if_lowering *l)
{
    return (uint32_t)l->effect->n;
}

uint32_t if_test(if_lowering *l, gy_expr *condition)
{
    gy_action *action = if_action(l, GY_A_SELECT);
    action->options = GY_NEW_ARRAY(l->model->arena, gy_option, 2);
    action->option_count = 2;
    action->options[0] = (gy_option){condition, if_here(l)};
    return if_here(l) - 1;
}

void if_otherwise(if_lowering *l, uint32_t test, uint32_t target)
{
    l->effect->at[test].options[1].target = target;
}

uint32_t if_jump(if_lowering *l, uint32_t target)
{
    if_action(l, GY_A_JUMP)->target = target;
    return if_here(l) - 1;
}

void if_set(if_lowering *l, int32_t var, gy_expr *value)
{
    gy_action *action = if_action(l, GY_A_ASSIGN);
    action->var = var;
    action->expr = value;
}

// ---- assignments ------------------------------------------------------------------------------

static void store_scalar(if_lowering *l, gy_field target, gy_expr *value)
{
    gy_action *action = if_action(l, GY_A_ASSIGN);
    action->var = target.var;
    action->index = target.index;
    action->expr = value;
}

// All cells at once: an index on either side may depend on what is stored.
static gy_field *store_all(if_lowering *l, uint32_t cells)
{
    gy_action *action = if_action(l, GY_A_ASSIGN_ALL);
    action->fields = gy_build_fields(l->b, cells);
    action->field_count = cells;
    return action->fields;
}

static void lower_assign(if_lowering *l, const if_expr *target, const if_expr *value)
{
    uint32_t cells = target->type->cells;
    if (cells == 1) {
        gy_expr *scalar = if_fit(l, if_cell(l, value, 0), if_cell_type(value->type, 0),
                                 if_cell_type(target->type, 0));
        store_scalar(l, if_target_cell(l, target, 0), scalar);
        return;
    }
    gy_field *fields = cells ? store_all(l, cells) : NULL;
    for (uint32_t k = 0; k < cells && !l->failed; k++) {
        gy_expr *scalar = if_cell(l, value, k);
        fields[k] = if_target_cell(l, target, k);
        fields[k].expr = scalar;
    }
}

static void store_into(if_lowering *l, const if_symbol *symbol, const if_expr *value)
{
    for (uint32_t k = 0; k < symbol->type->cells && !l->failed; k++) {
        gy_expr *scalar = if_fit(l, if_cell(l, value, k), if_cell_type(value->type, k),
                                 if_cell_type(symbol->type, k));
        store_scalar(l, if_store_cell(l, symbol->store, k), scalar);
    }
}

static void take_from(if_lowering *l, const if_symbol *symbol, const if_expr *target)
{
    uint32_t cells = symbol->type->cells;
    gy_field *fields = cells ? store_all(l, cells) : NULL;
    for (uint32_t k = 0; k < cells && !l->failed; k++) {
        gy_expr *scalar = if_fit(l, if_read_cell(l, symbol->store, k),
                                 if_cell_type(symbol->type, k), if_cell_type(target->type, k));
        fields[k] = if_target_cell(l, target, k);
        fields[k].expr = scalar;
    }
}

// ---- procedures -------------------------------------------------------------------------------

static void lower_block(if_lowering *l, const if_block *block)
{
    for (uint32_t i = 0; i < block->count && !l->failed; i++)
        if_lower_effect(l, block->at[i]);
}

static void lower_call(if_lowering *l, const if_statement *s)
{
    if_procedure *procedure = s->procedure;
    size_t outer = l->returns.n;
    for (uint32_t i = 0; i < procedure->vars.count; i++) {
        const if_symbol *var = procedure->vars.at[i];
        if (i < procedure->param_count && var->direction != IF_PARAM_OUT)
            store_into(l, var, s->args.at[i]);
        else
            if_reset(l, var->store, var, true);
    }
    if (procedure->result)
        if_reset(l, procedure->result->store, procedure->result, true);
    lower_block(l, &procedure->body);
    for (; l->returns.n > outer; l->returns.n--)
        l->effect->at[l->returns.at[l->returns.n - 1]].target = if_here(l);
    l->place = s->place;
    for (uint32_t i = 0; i < procedure->param_count; i++)
        if (procedure->vars.at[i]->direction != IF_PARAM_IN)
            take_from(l, procedure->vars.at[i], s->args.at[i]);
    if (s->target)
        take_from(l, procedure->result, s->target);
}

static void lower_return(if_lowering *l, const if_statement *s)
{
    if (s->value)
        store_into(l, s->procedure->result, s->value);
    gy_vec_push(&l->returns, if_jump(l, 0));
}

// ---- control ----------------------------------------------------------------------------------

static void lower_if(if_lowering *l, const if_statement *s)
{
    uint32_t test = if_test(l, if_lower_expr(l, s->value));
    lower_block(l, &s->first);
    uint32_t end = if_jump(l, 0);
    if_otherwise(l, test, if_here(l));
    lower_block(l, &s->second);
    l->effect->at[end].target = if_here(l);
}

static void lower_while(if_lowering *l, const if_statement *s)
{
    uint32_t start = if_here(l);
    uint32_t test = if_test(l, if_lower_expr(l, s->value));
    lower_block(l, &s->first);
    l->place = s->place;
    if_jump(l, start);
    if_otherwise(l, test, if_here(l));
}

void if_lower_effect(if_lowering *l, const if_statement *s)
{
    enum { MOST_ACTIONS = 200000 };
    if (l->effect->n > MOST_ACTIONS)
        if_too_large(l, s->place);
    l->place = s->place;
    if_count(l);
    if (l->failed)
        return;
    switch (s->kind) {
    case IF_S_ASSIGN:
        lower_assign(l, s->target, s->value);
        break;
    case IF_S_CALL:
        lower_call(l, s);
        break;
    case IF_S_FORK:
        if_lower_fork(l, s);
        break;
    case IF_S_KILL:
        if_lower_kill(l, s);
        break;
    case IF_S_IF:
        lower_if(l, s);
        break;
    case IF_S_WHILE:
        lower_while(l, s);
        break;
    case IF_S_RETURN:
        lower_return(l, s);
        break;
    default:
        break;
    }
}
