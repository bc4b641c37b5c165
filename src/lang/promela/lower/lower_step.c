// One basic statement: as an edge's guard, synchronisation and effect, or as an action.
#include "lang/promela/lower/lower_internal.h"
#include "lang/promela/lower/print.h"
#include "model/visit.h"

#include <string.h>

const char *step_text(lowering *l, const pml_stmt *stmt)
{
    gy_text text = {0};
    pml_stmt_text(stmt, &text);
    const char *kept = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    return kept;
}

static gy_action new_action(gy_action_kind kind, const pml_stmt *stmt)
{
    return (gy_action){.kind = kind,
                       .place = stmt->place,
                       .var = GY_NONE,
                       .tmpl = GY_NONE,
                       .channel_type = GY_NONE};
}

static gy_action run_action(lowering *l, const pml_stmt *stmt, const pml_expr *run)
{
    gy_action action = new_action(GY_A_RUN, stmt);
    action.tmpl = (int32_t)run->proc->index;
    action.priority = run->priority;
    action.fields = lower_send_fields(l, run->args, run->arg_count, &action.field_count);
    return action;
}

static bool is_underscore(const pml_ref *ref)
{
    return ref->parts[0].var->builtin == PML_BI_UNDERSCORE;
}

static void assign(lowering *l, const pml_stmt *stmt, action_list *actions)
{
    gy_action action;
    if (stmt->expr->kind == PML_X_RUN) {
        action = run_action(l, stmt, stmt->expr);
    } else {
        action = new_action(GY_A_ASSIGN, stmt);
        action.expr = lower_expr(l, stmt->expr);
    }
    if (is_underscore(&stmt->ref)) {
        if (action.kind == GY_A_ASSIGN)
            return; // written, never read
    } else if (stmt->ref.parts[0].var->builtin == PML_BI_PRIORITY) {
        action.kind = GY_A_SET_PRIORITY; // of itself
        action.index = action.expr;
        action.expr = new_expr(l, GY_E_PID, stmt->place);
    } else {
        action.var = lower_ref(l, &stmt->ref, &action.index);
    }
    gy_vec_push(actions, action);
}

// A declaration among the statements is a step; of an array it sets the first element only,
// of a structure nothing: the rest keeps what it had when the process was created.
static void init_step(lowering *l, const pml_stmt *stmt, action_list *actions)
{
    const pml_var *var = stmt->ref.parts[0].var;
    if (var->type.kind == PML_TY_STRUCT)
        return;
    gy_action action = new_action(GY_A_ASSIGN, stmt);
    action.var = ((const lowered_var *)var->lowered)->var;
    action.index = var->is_array ? new_const(l, stmt->place, 0) : NULL;
    if (stmt->list && stmt->list_count)
        action.expr = lower_expr(l, stmt->list[0]);
    else
        action.expr = stmt->expr ? lower_expr(l, stmt->expr) : new_const(l, stmt->place, 0);
    gy_vec_push(actions, action);
}

static void message_action(lowering *l, const pml_stmt *stmt, action_list *actions)
{
    bool send = stmt->kind == PML_S_SEND;
    gy_action action = new_action(send ? GY_A_SEND : GY_A_RECV, stmt);
    pml_expr channel = {.kind = PML_X_VAR, .place = stmt->place, .ref = stmt->ref};
    action.chan = lower_expr(l, &channel);
    action.fields = send ? lower_send_fields(l, stmt->args, stmt->arg_count, &action.field_count)
                         : lower_recv_fields(l, stmt->args, stmt->arg_count, &action.field_count);
    action.sorted = stmt->sorted;
    action.random = stmt->random;
    action.keep = stmt->keep;
    action.text = step_text(l, stmt);
    gy_vec_push(actions, action);
}

static void append_action(lowering *l, const pml_stmt *stmt, action_list *actions)
{
    gy_action action;
    switch (stmt->kind) {
    case PML_S_EXPR:
        if (stmt->expr->kind == PML_X_RUN) {
            gy_vec_push(actions, run_action(l, stmt, stmt->expr));
        } else if (!(stmt->expr->kind == PML_X_NUMBER && stmt->expr->value)) {
            action = new_action(GY_A_TEST, stmt);
            action.expr = lower_expr(l, stmt->expr);
            action.text = step_text(l, stmt);
            gy_vec_push(actions, action);
        }
        break;
    case PML_S_ASSIGN:
        assign(l, stmt, actions);
        break;
    case PML_S_INIT:
        init_step(l, stmt, actions);
        break;
    case PML_S_SEND:
    case PML_S_RECV:
        message_action(l, stmt, actions);
        break;
    case PML_S_ASSERT:
        action = new_action(GY_A_ASSERT, stmt);
        action.expr = lower_expr(l, stmt->expr);
        action.text = step_text(l, stmt);
        gy_vec_push(actions, action);
        break;
    case PML_S_PRINTF:
        action = new_action(GY_A_PRINTF, stmt);
        action.text = stmt->format;
        action.fields = lower_send_fields(l, stmt->args, stmt->arg_count, &action.field_count);
        gy_vec_push(actions, action);
        break;
    case PML_S_PRINTM:
        action = new_action(GY_A_PRINTM, stmt);
        action.expr = lower_expr(l, stmt->expr);
        gy_vec_push(actions, action);
        break;
    case PML_S_SET_PRIORITY:
        action = new_action(GY_A_SET_PRIORITY, stmt);
        action.expr = lower_expr(l, stmt->args[0]);
        action.index = lower_expr(l, stmt->args[1]);
        gy_vec_push(actions, action);
        break;
    case PML_S_C_CODE:
        if (lower_plain_c_code(l, stmt->c_block, actions))
            break;
        action = new_action(GY_A_C, stmt);
        action.c_block = lower_c(l, stmt->c_block);
        gy_vec_push(actions, action);
        break;
    default:
        break;
    }
}

void lower_action(lowering *l, const pml_stmt *stmt, action_list *actions)
{
    // Conditions must not start processes; what any other statement starts comes before it.
    l->runs = stmt->kind == PML_S_EXPR ? NULL : actions;
    l->run_count = 0;
    append_action(l, stmt, actions);
    l->runs = NULL;
}

void lower_step(lowering *l, const pml_stmt *stmt, gy_edge *edge)
{
    action_list actions = {0};
    if (stmt->kind == PML_S_EXPR && stmt->expr->kind != PML_X_RUN) {
        if (!(stmt->expr->kind == PML_X_NUMBER && stmt->expr->value))
            edge->guard = lower_expr(l, stmt->expr);
    } else if (stmt->kind == PML_S_SEND || stmt->kind == PML_S_RECV) {
        message_action(l, stmt, &actions);
        const gy_action *message = &actions.at[0];
        edge->sync = stmt->kind == PML_S_SEND ? GY_SYNC_SEND : GY_SYNC_RECV;
        edge->chan = message->chan;
        edge->fields = message->fields;
        edge->field_count = message->field_count;
        edge->sorted = message->sorted;
        edge->random = message->random;
        edge->keep = message->keep;
        actions.n = 0;
    } else {
        lower_action(l, stmt, &actions);
    }
    edge->effect = gy_build_program(l->build, &actions);
    edge->needs_timeout = gy_expr_mentions(edge->guard, GY_E_TIMEOUT);
}
