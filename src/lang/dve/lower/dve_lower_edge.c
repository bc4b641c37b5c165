// A transition of an asynchronous system as an edge.
#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

// A guard is examined only where the channel is ready: only there it can fail.
static gy_expr *channel_is_ready(dve_lowering *l, const dve_transition *t)
{
    gy_expr *ready =
        dve_new_expr(l->arena, t->sync == DVE_SEND ? GY_E_NFULL : GY_E_NEMPTY, t->place);
    ready->a = dve_new_expr(l->arena, GY_E_VAR, t->place);
    ready->a->var = t->channel->lowered;
    return ready;
}

static gy_expr *lower_guard(dve_lowering *l, const dve_transition *t)
{
    gy_expr *guard = NULL;
    if (t->guard_count && t->sync != DVE_NO_SYNC && t->channel->capacity)
        guard = channel_is_ready(l, t);
    for (uint32_t i = 0; i < t->guard_count; i++)
        guard = dve_new_binary(l->arena, GY_E_AND, guard, dve_lower_expr(l, t->guards[i]));
    int32_t value = guard && guard->op == GY_E_CONST ? guard->value : 0;
    return value ? NULL : guard;
}

// ---- messages -------------------------------------------------------------------------------

// Could a value that comes in at place f of a message not fit into the variable? What is sent on an
// untyped channel is not cut to any type.
static bool may_not_fit(const dve_lowering *l, const dve_channel *channel, uint32_t f,
                        dve_type type)
{
    if (channel->typed)
        return channel->types[f] != type;
    for (uint32_t p = 0; p < l->tree->process_count; p++) {
        const dve_process *process = l->tree->processes[p];
        for (uint32_t i = 0; i < process->transition_count; i++) {
            const dve_transition *t = &process->transitions[i];
            if (t->channel == channel && t->sync == DVE_SEND &&
                !dve_fits(dve_expr_bounds(t->values[f]), type))
                return true;
        }
    }
    return false;
}

static bool reads(const dve_expr *expr, const dve_var *var)
{
    return expr && (expr->var == var || reads(expr->a, var) || reads(expr->b, var));
}

// All values of a message are received at once: no index may depend on one of them.
static void check_indices(const dve_lowering *l, const dve_transition *t)
{
    for (uint32_t f = 0; f < t->value_count; f++)
        for (uint32_t g = 0; g < f; g++)
            if (reads(t->values[f]->a, t->values[g]->var)) {
                gy_diag *diag = gy_error(l->tree->diags, t->values[f]->place,
                                         "this index depends on `%s`, which the same message sets",
                                         t->values[g]->name);
                gy_hint(diag, "receive into a variable, and assign in the effect");
            }
}

static void lower_message(dve_lowering *l, const dve_transition *t, gy_edge *edge)
{
    edge->sync = t->sync == DVE_SEND ? GY_SYNC_SEND : GY_SYNC_RECV;
    edge->chan = dve_new_expr(l->arena, GY_E_VAR, t->channel_name.place);
    edge->chan->var = t->channel->lowered;
    edge->field_count = t->value_count;
    edge->fields = GY_NEW_ARRAY(l->arena, gy_field, t->value_count);
    for (uint32_t f = 0; f < t->value_count; f++) {
        const dve_expr *value = t->values[f];
        gy_field *field = &edge->fields[f];
        field->var = GY_NONE;
        if (t->sync == DVE_SEND) {
            field->kind = GY_FIELD_VALUE;
            field->expr = dve_lower_expr(l, value);
        } else {
            field->kind = GY_FIELD_STORE;
            field->var = value->var->lowered;
            field->index = dve_lower_index(l, value);
            field->checked = may_not_fit(l, t->channel, f, value->var->type);
        }
    }
    if (t->sync == DVE_RECEIVE)
        check_indices(l, t);
}

// ---- the transition -------------------------------------------------------------------------

gy_action dve_lower_assignment(const dve_lowering *l, const dve_assignment *a)
{
    const dve_var *var = a->target->var;
    gy_action action =
        dve_assign(dve_uses_copy(l, var) ? var->copy : var->lowered, dve_lower_index(l, a->target),
                   dve_lower_expr(l, a->value), a->place);
    action.checked = !dve_fits(dve_expr_bounds(a->value), var->type);
    return action;
}

static gy_program *lower_effects(dve_lowering *l, const dve_process *process,
                                 const dve_transition *t)
{
    dve_action_list actions = {0};
    l->moved = process;
    l->moved_to = t->to;
    for (uint32_t i = 0; i < t->effect_count; i++) {
        gy_vec_push(&actions, dve_lower_assignment(l, &t->effects[i]));
    }
    l->moved = NULL;
    return dve_keep_program(l, &actions);
}

gy_edge dve_lower_transition(dve_lowering *l, const dve_process *process, const dve_transition *t)
{
    gy_edge edge = {
        .id = (int32_t)l->edges.n, .tmpl = process->lowered, .from = t->from, .to = t->to};
    edge.place = t->place;
    l->self = process;
    edge.guard = lower_guard(l, t);
    if (t->sync != DVE_NO_SYNC)
        lower_message(l, t, &edge);
    edge.effect = lower_effects(l, process, t);
    l->self = NULL;
    gy_text text = {0};
    dve_transition_text(t, &text);
    edge.text = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    return edge;
}
