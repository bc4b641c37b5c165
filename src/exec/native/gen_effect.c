// Effects to C: straight-line code, and gotos for the loops and choices of a d_step.
#include "exec/native/gen.h"

#include <stdio.h>

// Indices would have to be computed before the first store: those that are no constants are left to
// the VM.
static bool covers_all(const gy_gen *g, const gy_action *action)
{
    for (uint32_t f = 0; f < action->field_count; f++) {
        const gy_field *field = &action->fields[f];
        if (!gy_gen_covers_variable(g, field->var) || !gy_gen_covers(g, field->expr) ||
            (field->index && field->index->op != GY_E_CONST))
            return false;
    }
    return true;
}

static bool covers_action(const gy_gen *g, const gy_action *action)
{
    switch (action->kind) {
    case GY_A_C:
        return gy_gen_covers_c(g, action->c_block);
    case GY_A_CHOOSE:
        return false;
    case GY_A_ASSIGN_ALL:
        return covers_all(g, action);
    case GY_A_ASSIGN:
        if (!gy_gen_covers_variable(g, action->var))
            return false;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < action->option_count; i++)
        if (action->options[i].when && !gy_gen_covers(g, action->options[i].when))
            return false;
    return (!action->expr || gy_gen_covers(g, action->expr)) &&
           (!action->index || gy_gen_covers(g, action->index)) &&
           (!action->chan || gy_gen_covers(g, action->chan)) &&
           gy_gen_covers_field_list(g, action->fields, action->field_count);
}

bool gy_gen_covers_program(const gy_gen *g, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (!covers_action(g, &program->actions[i]))
            return false;
    return gy_gen_covers_growth(g, program);
}

// Evaluates something only for its faults.
static void evaluate(gy_gen *g, const gy_expr *expr)
{
    char *text = gy_gen_text(g, expr);
    gy_gen_line(g, "(void)(%s);", text);
    free(text);
}

// A send or receive inside a d_step, on one type of channel.
static void transfer(gy_gen *g, const gy_action *action, const gy_gen_channel *channel)
{
    gy_gen_comm comm = {action->chan,   action->fields, action->field_count,
                        action->sorted, action->random, action->keep};
    bool is_send = action->kind == GY_A_SEND;
    if (!channel->type->capacity || action->field_count != channel->type->field_count ||
        strcmp(g->offer, "0")) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    if (is_send)
        gy_gen_send_test(g, channel);
    else
        gy_gen_receive_test(g, channel, &comm);
    gy_gen_line(g, "if (unlikely(!fits)) goto vm; // blocks");
    if (is_send)
        gy_gen_send(g, channel, &comm);
    else {
        gy_gen_take(g, channel, &comm);
        gy_gen_store_fields(g, &comm);
    }
}

static void communicate(gy_gen *g, const gy_action *action)
{
    gy_gen_channels set;
    gy_gen_channels_of(g, action->chan, &set);
    const gy_state_layout *shape = g->shape->shape;
    if (set.certain) {
        const gy_state_layout_channel *at = &shape->channel[set.id - 1];
        gy_gen_channel channel = {.type = &g->model->channel_types[at->type], .id = set.id};
        snprintf(channel.at, sizeof channel.at, "%u", at->offset);
        transfer(g, action, &channel);
        return;
    }
    if (!set.count) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    char *text = gy_gen_text(g, action->chan);
    gy_gen_line(g, "word c_ = INDEX(%s - 1, CHANNELS) + 1, at_ = channel_at[c_];", text);
    free(text);
    gy_gen_open(g, "switch (channel_type[c_])");
    for (uint32_t t = 0; t < g->model->channel_type_count; t++) {
        bool may = false;
        for (uint32_t i = 0; i < shape->channel_count; i++)
            may = may || (set.may[i + 1] && shape->channel[i].type == (int32_t)t);
        if (!may)
            continue;
        gy_gen_open(g, "case %u:", t);
        gy_gen_channel channel = {.type = &g->model->channel_types[t], .at = "at_"};
        transfer(g, action, &channel);
        gy_gen_line(g, "break;");
        gy_gen_close(g);
    }
    gy_gen_line(g, "default: goto vm;");
    gy_gen_close(g);
}

void gy_gen_check(gy_gen *g, int32_t var, const char *value)
{
    int32_t min, max;
    gy_type_range(g->model->vars[var].type, &min, &max);
    if (min == 0)
        gy_gen_line(g, "if (unlikely((word)%s > %du)) goto vm;", value, max);
    else
        gy_gen_line(g, "if (unlikely(%s < %d || %s > %d)) goto vm;", value, min, value, max);
}

static void checked_store(gy_gen *g, const gy_action *act, const char *value)
{
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int value_ = %s;", value);
    gy_gen_check(g, act->var, "value_");
    gy_gen_store(g, act->var, act->index, "value_");
    gy_gen_close(g);
}

static void together(gy_gen *g, const gy_action *act)
{
    gy_gen_open(g, "%s", "");
    for (uint32_t f = 0; f < act->field_count; f++) {
        char *text = gy_gen_text(g, act->fields[f].expr);
        gy_gen_line(g, "int all%u_ = %s;", f, text);
        free(text);
    }
    for (uint32_t f = 0; f < act->field_count; f++) {
        char value[24];
        snprintf(value, sizeof value, "all%u_", f);
        if (act->fields[f].checked)
            gy_gen_check(g, act->fields[f].var, value);
        gy_gen_store(g, act->fields[f].var, act->fields[f].index, value);
    }
    gy_gen_close(g);
}

static void action(gy_gen *g, const gy_action *act, uint32_t name)
{
    char *text;
    switch (act->kind) {
    case GY_A_ASSIGN:
        text = gy_gen_text(g, act->expr);
        if (act->checked)
            checked_store(g, act, text);
        else
            gy_gen_store(g, act->var, act->index, text);
        free(text);
        break;
    case GY_A_ASSIGN_ALL:
        together(g, act);
        break;
    case GY_A_SEND:
    case GY_A_RECV:
        gy_gen_open(g, "%s", "");
        communicate(g, act);
        gy_gen_close(g);
        break;
    case GY_A_ASSERT:
    case GY_A_TEST:
        text = gy_gen_condition_text(g, act->expr);
        gy_gen_line(g, "if (unlikely(!(%s))) goto vm; // %s", text,
                    act->kind == GY_A_ASSERT ? "assert" : "blocks");
        free(text);
        break;
    case GY_A_PRINTF:
        for (uint32_t f = 0; f < act->field_count; f++)
            evaluate(g, act->fields[f].expr);
        break;
    case GY_A_PRINTM:
        evaluate(g, act->expr);
        break;
    case GY_A_SELECT:
        for (uint32_t i = 0; i < act->option_count; i++) {
            if (!act->options[i].when) {
                gy_gen_line(g, "goto L%u_%u;", name, act->options[i].target);
                continue;
            }
            text = gy_gen_condition_text(g, act->options[i].when);
            gy_gen_line(g, "if (%s) goto L%u_%u;", text, name, act->options[i].target);
            free(text);
        }
        gy_gen_line(g, "goto vm; // blocks");
        break;
    case GY_A_JUMP:
        gy_gen_line(g, "goto L%u_%u;", name, act->target);
        break;
    case GY_A_C:
        gy_gen_c_statement(g, act->c_block);
        break;
    case GY_A_RUN:
        gy_gen_run(g, act);
        break;
    case GY_A_NEW_CHANNEL:
        gy_gen_new_channel(g, act);
        break;
    case GY_A_SET_PRIORITY:
        gy_gen_set_priority(g, act);
        break;
    default:
        gy_gen_line(g, "goto vm;");
    }
}

// Can this action go back to itself or to an earlier one?
static bool goes_back(const gy_action *act, uint32_t here)
{
    if (act->kind == GY_A_JUMP)
        return act->target <= here;
    bool back = false;
    for (uint32_t i = 0; act->kind == GY_A_SELECT && i < act->option_count; i++)
        back = back || act->options[i].target <= here;
    return back;
}

void gy_gen_program(gy_gen *g, const gy_program *program)
{
    if (!program || !program->count)
        return;
    // The VM gives up after 10,000,000 jumps. So that this code never gets further than
    // that, it counts the jumps back and allows for all the others in between.
    enum { MACHINE_FUEL = 10000000 };
    uint32_t name = g->names++, jumps = 1;
    bool loops = false;
    bool *target = gy_alloc_zero(program->count + 1);
    for (uint32_t i = 0; i < program->count; i++) {
        const gy_action *act = &program->actions[i];
        jumps += act->kind == GY_A_JUMP || act->kind == GY_A_SELECT;
        loops = loops || goes_back(act, i);
        if (act->kind == GY_A_JUMP)
            target[act->target] = true;
        for (uint32_t o = 0; act->kind == GY_A_SELECT && o < act->option_count; o++)
            target[act->options[o].target] = true;
    }
    if (loops)
        gy_gen_line(g, "word fuel%u_ = %u;", name, MACHINE_FUEL / (jumps + 1));
    for (uint32_t i = 0; i < program->count; i++) {
        if (target[i])
            gy_gen_line(g, "L%u_%u:;", name, i);
        if (goes_back(&program->actions[i], i))
            gy_gen_line(g, "if (unlikely(!--fuel%u_)) goto vm;", name);
        action(g, &program->actions[i], name);
    }
    if (target[program->count])
        gy_gen_line(g, "L%u_%u:;", name, program->count);
    free(target);
}
