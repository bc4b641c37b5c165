// Effects to bytecode: messages, assignments and the structured programs of a d_step.
#include "exec/vm/emit.h"

void gy_emit_receive_test(gy_emitter *e, const gy_expr *chan, const gy_field *fields,
                          uint32_t count, uint32_t flags, const gy_action *action)
{
    gy_emit_value(e, chan);
    uint32_t list = gy_emit_matches(e, fields, count);
    int32_t matches = e->code->lists.at[list];
    uint32_t at = gy_emit_by(e, GY_OP_RECVTEST, flags, 0, (int32_t)list, -matches);
    gy_emit_note(e, at, chan, action, GY_NONE);
}

// What was pushed last must fit into the variable.
static void emit_check(gy_emitter *e, int32_t var, const gy_expr *expr, const gy_action *action)
{
    gy_type type = e->model->vars[var].type;
    uint32_t at = gy_emit(e, GY_OP_FIT, type.width, type.is_signed, 0);
    gy_emit_note(e, at, expr, action, var);
}

// Takes the message that the test found and stores its fields one after the other: a later
// index sees the variables that were stored before.
void gy_emit_receive(gy_emitter *e, const gy_field *fields, uint32_t count, bool keep,
                     const gy_action *action)
{
    uint32_t at = gy_emit_by(e, GY_OP_TAKE, keep ? GY_RECV_KEEP : 0, count, 0, 0);
    gy_emit_note(e, at, NULL, action, GY_NONE);
    for (uint32_t f = 0; f < count; f++) {
        if (fields[f].kind != GY_FIELD_STORE)
            continue;
        gy_emit_index_of(e, fields[f].var, fields[f].index);
        gy_emit(e, GY_OP_LDM, 0, 0, (int32_t)f);
        if (fields[f].checked)
            emit_check(e, fields[f].var, NULL, action);
        gy_emit_store(e, fields[f].var, fields[f].index);
    }
}

void gy_emit_send(gy_emitter *e, const gy_field *fields, uint32_t count, uint32_t flags,
                  const gy_action *action)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].expr)
            gy_emit_value(e, fields[f].expr);
        else
            gy_emit(e, GY_OP_K, 0, 0, 0);
    uint32_t at = gy_emit_by(e, GY_OP_SEND, flags, count, 0, -(int32_t)count);
    gy_emit_note(e, at, NULL, action, GY_NONE);
}

static void emit_block(gy_emitter *e, const gy_action *action)
{
    uint32_t at = gy_emit(e, GY_OP_BLOCK, 0, 0, 0);
    gy_emit_note(e, at, NULL, action, GY_NONE);
}

// What was pushed last is 0: the d_step blocks here.
static void emit_block_unless(gy_emitter *e, const gy_action *action)
{
    uint32_t ok = gy_emit(e, GY_OP_JNZ, 0, 0, 0);
    emit_block(e, action);
    gy_patch(e, ok, gy_here(e));
}

static void emit_select(gy_emitter *e, const gy_action *action, gy_jumps *targets)
{
    gy_emit(e, GY_OP_LOOP, 0, 0, 0);
    for (uint32_t i = 0; i < action->option_count; i++) {
        if (action->options[i].when)
            gy_emit_branch(e, action->options[i].when, true, &targets[action->options[i].target]);
        else
            gy_vec_push(&targets[action->options[i].target], gy_emit(e, GY_OP_JMP, 0, 0, 0));
    }
    emit_block(e, action);
}

static void emit_run(gy_emitter *e, const gy_action *action)
{
    if (action->var != GY_NONE)
        gy_emit_index_of(e, action->var, action->index);
    for (uint32_t f = 0; f < action->field_count; f++)
        gy_emit_value(e, action->fields[f].expr);
    uint32_t at = gy_emit_by(e, GY_OP_RUN, action->field_count, (uint32_t)action->priority & 255,
                             action->tmpl, 1 - (int32_t)action->field_count);
    gy_emit_note(e, at, NULL, action, GY_NONE);
    if (action->var != GY_NONE)
        gy_emit_store(e, action->var, action->index);
    else
        gy_emit(e, GY_OP_DROP, 0, 0, 0);
}

// Computed from the last to the first, so that the first is on top: they are stored in order.
static void emit_all(gy_emitter *e, const gy_action *action)
{
    for (uint32_t f = action->field_count; f-- > 0;) {
        gy_emit_index_of(e, action->fields[f].var, action->fields[f].index);
        gy_emit_value(e, action->fields[f].expr);
        if (action->fields[f].checked)
            emit_check(e, action->fields[f].var, action->fields[f].expr, action);
    }
    for (uint32_t f = 0; f < action->field_count; f++)
        gy_emit_store(e, action->fields[f].var, action->fields[f].index);
}

static void emit_choose(gy_emitter *e, const gy_action *action)
{
    gy_emit_index_of(e, action->var, action->index);
    gy_emit_value(e, action->fields[0].expr);
    gy_emit_value(e, action->fields[1].expr);
    uint32_t at = gy_emit(e, GY_OP_CHOOSE, 0, 0, 0);
    gy_emit_note(e, at, NULL, action, action->var);
    gy_emit_store(e, action->var, action->index);
}

static void emit_test(gy_emitter *e, const gy_action *action)
{
    gy_jumps holds = {0};
    gy_emit_branch(e, action->expr, true, &holds);
    emit_block(e, action);
    gy_patch_all(e, &holds, gy_here(e));
}

static void emit_action(gy_emitter *e, const gy_action *action, gy_jumps *targets)
{
    uint32_t at;
    switch (action->kind) {
    case GY_A_ASSIGN:
        gy_emit_index_of(e, action->var, action->index);
        gy_emit_value(e, action->expr);
        if (action->checked)
            emit_check(e, action->var, action->expr, action);
        gy_emit_store(e, action->var, action->index);
        break;
    case GY_A_SEND:
        gy_emit_value(e, action->chan);
        at = gy_emit(e, GY_OP_SENDTEST, 0, 0, 0);
        gy_emit_note(e, at, action->chan, action, GY_NONE);
        emit_block_unless(e, action);
        gy_emit_send(e, action->fields, action->field_count,
                     GY_SEND_IN_D_STEP | (action->sorted ? GY_SEND_SORTED : 0), action);
        break;
    case GY_A_RECV:
        gy_emit_receive_test(e, action->chan, action->fields, action->field_count,
                             gy_receive_flags(action->random, action->keep), action);
        emit_block_unless(e, action);
        gy_emit_receive(e, action->fields, action->field_count, action->keep, action);
        break;
    case GY_A_ASSIGN_ALL:
        emit_all(e, action);
        break;
    case GY_A_CHOOSE:
        emit_choose(e, action);
        break;
    case GY_A_ASSERT:
        gy_emit_value(e, action->expr);
        at = gy_emit(e, GY_OP_ASSERT, 0, 0, 0);
        gy_emit_note(e, at, action->expr, action, GY_NONE);
        break;
    case GY_A_PRINTF:
        for (uint32_t f = 0; f < action->field_count; f++)
            gy_emit_value(e, action->fields[f].expr);
        at = gy_emit_by(e, GY_OP_PRINTF, 0, action->field_count, 0, -(int32_t)action->field_count);
        gy_emit_note(e, at, NULL, action, GY_NONE);
        break;
    case GY_A_PRINTM:
        gy_emit_value(e, action->expr);
        at = gy_emit(e, GY_OP_PRINTM, 0, 0, 0);
        gy_emit_note(e, at, action->expr, action, GY_NONE);
        break;
    case GY_A_RUN:
        emit_run(e, action);
        break;
    case GY_A_NEW_CHANNEL:
        gy_emit_index_of(e, action->var, action->index);
        at = gy_emit(e, GY_OP_NEWCHAN, 0, 0, action->channel_type);
        gy_emit_note(e, at, NULL, action, GY_NONE);
        gy_emit_store(e, action->var, action->index);
        break;
    case GY_A_SET_PRIORITY:
        gy_emit_value(e, action->expr);
        gy_emit_value(e, action->index);
        at = gy_emit(e, GY_OP_SETPRIO, 0, 0, 0);
        gy_emit_note(e, at, NULL, action, GY_NONE);
        break;
    case GY_A_C:
        at = gy_emit(e, GY_OP_CCODE, 0, 0, action->c_block ? action->c_block->id : 0);
        gy_emit_note(e, at, NULL, action, GY_NONE);
        break;
    case GY_A_TEST:
        emit_test(e, action);
        break;
    case GY_A_SELECT:
        emit_select(e, action, targets);
        break;
    case GY_A_JUMP:
        gy_vec_push(&targets[action->target], gy_emit(e, GY_OP_LOOP, 0, 0, 0));
        break;
    }
}

void gy_emit_actions(gy_emitter *e, const gy_program *program)
{
    gy_jumps *targets = gy_alloc_zero((program->count + 1) * sizeof *targets);
    uint32_t *starts = gy_alloc((program->count + 1) * sizeof *starts);
    for (uint32_t i = 0; i < program->count; i++) {
        starts[i] = gy_here(e);
        e->height = 0;
        emit_action(e, &program->actions[i], targets);
    }
    starts[program->count] = gy_here(e);
    for (uint32_t i = 0; i <= program->count; i++)
        gy_patch_all(e, &targets[i], starts[i]);
    free(targets);
    free(starts);
}
