// Processes and channels that are made, in C.
//
// A new block goes after all the others, so nothing moves: the state o becomes longer where it
// is, and its layout another one. Which one is known while the code is generated.
#include "exec/native/gen.h"

#include <stdio.h>

bool gy_gen_grows(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_RUN || program->actions[i].kind == GY_A_NEW_CHANNEL)
            return true;
    return false;
}

// With jumps, the shape would depend on the way.
static bool is_straight(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_JUMP || program->actions[i].kind == GY_A_SELECT)
            return false;
    return true;
}

// Where there is room for what it makes was examined before.
static bool covers_start(const gy_gen *g, const gy_program *init)
{
    gy_gen elsewhere = *g;
    elsewhere.device = NULL;
    return gy_gen_covers_program(g->device ? &elsewhere : g, init);
}

static bool covers_result(const gy_gen *g, const gy_action *action)
{
    return action->var == GY_NONE ||
           (!g->model->vars[action->var].hidden &&
            (!action->index || action->index->op == GY_E_CONST ||
             (action->index->op == GY_E_INDEX && action->index->a->op == GY_E_CONST)));
}

// On a device, a value that never changes has no place: only single elements are compared with it.
static bool has_place(const gy_gen *g, const gy_program *init)
{
    for (uint32_t i = 0; init && i < init->count; i++) {
        const gy_action *action = &init->actions[i];
        if (action->kind != GY_A_ASSIGN && action->kind != GY_A_NEW_CHANNEL &&
            action->var != GY_NONE && !g->facts->assigned[action->var])
            return false;
        if (action->var != GY_NONE && !g->facts->assigned[action->var] && !covers_result(g, action))
            return false;
    }
    return true;
}

// What a state becomes by a program; NULL: nothing that the device has.
static const gy_state_layout *grown(const gy_gen *g, const gy_state_layout *now,
                                    const gy_program *program)
{
    for (uint32_t i = 0; program && now && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_NEW_CHANNEL)
            now = now->channel_count < GY_MAX_CHANNELS
                      ? gy_state_layout_push_channel(g->shapes, now, action->channel_type)
                      : NULL;
        if (action->kind != GY_A_RUN)
            continue;
        const gy_program *init = g->model->templates[action->tmpl].init;
        now = now->process_count < GY_MAX_PROCESSES && has_place(g, init)
                  ? gy_state_layout_push_process(g->shapes, now, action->tmpl)
                  : NULL;
        now = now ? grown(g, now, init) : NULL;
    }
    return now;
}

static bool device_has_room(const gy_gen *g, const gy_program *program)
{
    const gy_state_layout *last = grown(g, g->now, program);
    return last && gy_device_shape_of(g->device, last) >= 0;
}

// May a process have C memory, which C would have to fill in?
static bool has_c_of_its_own(const gy_model *model)
{
    for (uint32_t i = 0; i < model->c_unit_count; i++)
        if (model->c_units[i].kind == GY_C_UNIT_STATE && strstr(model->c_units[i].scope, "Local"))
            return true;
    return false;
}

bool gy_gen_covers_growth(const gy_gen *g, const gy_program *program)
{
    if (!gy_gen_grows(program))
        return true;
    if (!is_straight(program) || has_c_of_its_own(g->model))
        return false;
    if (g->device && !device_has_room(g, program))
        return false;
    for (uint32_t i = 0; i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind != GY_A_RUN && action->kind != GY_A_NEW_CHANNEL)
            continue;
        if (!covers_result(g, action))
            return false;
        // Its own start may start others, but not for ever.
        const gy_program *init =
            action->kind == GY_A_RUN ? g->model->templates[action->tmpl].init : NULL;
        for (uint32_t k = 0; init && k < init->count; k++)
            if (init->actions[k].kind == GY_A_RUN)
                return false;
        if (!covers_start(g, init))
            return false;
    }
    return true;
}

// The state is of another shape from here on; its new block, the last one, is all zero.
static void grow(gy_gen *g, const gy_state_layout *shape)
{
    enum { FEW = 8 };
    uint32_t from = g->now->words, words = shape->words - from;
    if (shape->words > g->shape->most_words)
        g->shape->most_words = shape->words;
    if (g->device) { // what it has not had is zero there
        int32_t to = gy_device_shape_of(g->device, shape);
        if (to >= 0)
            gy_gen_line(g, "SET_BITS(o, 0, 0, 0x%xu, %d);", (1u << g->device->shape_bits) - 1, to);
        g->now = shape;
        return;
    }
    gy_gen_line(g, "o[0] = 0x%xu; WROTE_ALL;", shape->code);
    for (uint32_t w = 0; words <= FEW && w < words; w++)
        gy_gen_line(g, "o[%u] = 0;", from + w);
    if (words > FEW)
        gy_gen_line(g, "memset(o + %u, 0, %u * sizeof(word));", from, words);
    if (shape->link)
        gy_gen_line(g, "o[%u] = 0x%xu;", shape->link, shape->parent->code);
    g->now = shape;
}

static void store_result(gy_gen *g, const gy_action *action, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    if (action->var != GY_NONE)
        gy_gen_store(g, action->var, action->index, text);
}

void gy_gen_new_channel(gy_gen *g, const gy_action *action)
{
    if (g->now->channel_count >= GY_MAX_CHANNELS) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    grow(g, gy_state_layout_push_channel(g->shapes, g->now, action->channel_type));
    store_result(g, action, g->now->channel_count);
}

void gy_gen_run(gy_gen *g, const gy_action *action)
{
    const gy_template *tmpl = &g->model->templates[action->tmpl];
    uint32_t pid = g->now->process_count, name = g->names++;
    if (pid >= GY_MAX_PROCESSES) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    for (uint32_t f = 0; f < action->field_count; f++) {
        char *value = gy_gen_text(g, action->fields[f].expr);
        gy_gen_line(g, "int a%u_%u = %s;", name, f, value);
        free(value);
    }
    gy_gen caller = *g;
    grow(g, gy_state_layout_push_process(g->shapes, g->now, action->tmpl));
    g->pid = (int32_t)pid;
    g->tmpl = action->tmpl;
    g->base = g->now->process[pid].offset;
    uint32_t priority = gy_gen_first_priority(g, action->tmpl, action->priority & 255);
    if (g->device)
        gy_gen_device_begin(g, pid, (uint32_t)tmpl->initial, priority >> tmpl->priority_shift);
    else
        gy_gen_line(g, "o[%u] = 0x%xu; // %s", g->base, (uint32_t)tmpl->initial | priority,
                    tmpl->name);
    for (uint32_t f = 0; f < action->field_count && f < tmpl->param_count; f++)
        if (!g->model->vars[tmpl->first_var + (int32_t)f].hidden) {
            char value[32];
            snprintf(value, sizeof value, "a%u_%u", name, f);
            gy_gen_store(g, tmpl->first_var + (int32_t)f, NULL, value);
        }
    gy_gen_program(g, tmpl->init);
    g->pid = caller.pid;
    g->tmpl = caller.tmpl;
    g->base = caller.base;
    store_result(g, action, pid);
}
