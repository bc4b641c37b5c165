// Variables, their initial values, and channels.
#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

static gy_type lower_type(dve_type type)
{
    return type == DVE_BYTE ? (gy_type){GY_BYTE, 8, false, NULL}
                            : (gy_type){GY_SHORT, 16, true, NULL};
}

// Name, place, type, owner, count and is_array are given.
static int32_t add_variable(dve_lowering *l, gy_variable v)
{
    v.dim_count = v.is_array;
    v.dims = GY_NEW_ARRAY(l->arena, uint32_t, 1);
    v.dims[0] = v.count;
    v.format = v.is_array ? gy_arena_printf(l->arena, "%s[%%]", v.name) : v.name;
    gy_type_range(v.type, &v.min, &v.max);
    gy_vec_push(&l->vars, v);
    return (int32_t)l->vars.n - 1;
}

void dve_lower_vars(dve_lowering *l, dve_var *const *vars, uint32_t count, int32_t owner,
                    const char *prefix)
{
    for (uint32_t i = 0; i < count; i++) {
        dve_var *var = vars[i];
        const char *name =
            prefix ? gy_arena_printf(l->arena, "%s->%s", prefix, var->name) : var->name;
        if (!var->is_const)
            var->lowered = add_variable(l, (gy_variable){.name = name,
                                                         .place = var->place,
                                                         .type = lower_type(var->type),
                                                         .owner = owner,
                                                         .count = var->count,
                                                         .is_array = var->is_array});
    }
}

int32_t dve_add_location(dve_lowering *l, const dve_process *process)
{
    uint8_t bits = 1;
    while (bits < 31 && (process->state_count - 1) >> bits)
        bits++;
    return add_variable(l, (gy_variable){.name = process->name,
                                         .place = process->place,
                                         .type = {GY_UNSIGNED, bits, false, NULL},
                                         .owner = GY_NONE,
                                         .count = 1});
}

static int32_t add_copy(dve_lowering *l, const dve_var *var)
{
    return add_variable(l, (gy_variable){.name = gy_arena_printf(l->arena, "next %s", var->name),
                                         .place = var->place,
                                         .type = lower_type(var->type),
                                         .owner = GY_NONE,
                                         .count = var->count,
                                         .is_array = var->is_array,
                                         .hidden = true});
}

void dve_add_copies(dve_lowering *l)
{
    for (uint32_t p = 0; p < l->tree->process_count; p++) {
        const dve_process *process = l->tree->processes[p];
        for (uint32_t t = 0; !process->is_property && t < process->transition_count; t++)
            for (uint32_t e = 0; e < process->transitions[t].effect_count; e++) {
                dve_var *var = process->transitions[t].effects[e].target->var;
                if (var->copy == GY_NONE)
                    var->copy = add_copy(l, var);
            }
    }
}

gy_action dve_assign(int32_t var, gy_expr *index, gy_expr *value, gy_location place)
{
    return (gy_action){.kind = GY_A_ASSIGN,
                       .place = place,
                       .var = var,
                       .index = index,
                       .expr = value,
                       .tmpl = GY_NONE,
                       .channel_type = GY_NONE};
}

void dve_lower_initial(dve_lowering *l, dve_var *const *vars, uint32_t count,
                       dve_action_list *actions)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = 0; !vars[i]->is_const && e < vars[i]->count; e++) {
            const dve_var *var = vars[i];
            if (!var->values[e])
                continue;
            gy_expr *index = var->is_array ? dve_new_const(l->arena, var->place, (int32_t)e) : NULL;
            gy_vec_push(actions, dve_assign(var->lowered, index,
                                            dve_new_const(l->arena, var->place, var->values[e]),
                                            var->place));
        }
}

// A channel is what a variable holds that nothing ever assigns.
void dve_lower_channels(dve_lowering *l, dve_action_list *actions)
{
    for (uint32_t i = 0; i < l->tree->channel_count; i++) {
        dve_channel *channel = l->tree->channels[i];
        gy_channel_type type = {.name = channel->name, .place = channel->place, .owner = GY_NONE};
        type.capacity = channel->capacity;
        type.field_count = channel->type_count;
        type.fields = GY_NEW_ARRAY(l->arena, gy_type, channel->type_count);
        for (uint32_t f = 0; f < channel->type_count; f++)
            type.fields[f] =
                channel->typed ? lower_type(channel->types[f]) : (gy_type){GY_INT, 32, true, NULL};
        channel->lowered = add_variable(l, (gy_variable){.name = channel->name,
                                                         .place = channel->place,
                                                         .type = {GY_CHAN, 8, false, NULL},
                                                         .owner = GY_NONE,
                                                         .count = 1});
        gy_action made = {.kind = GY_A_NEW_CHANNEL,
                          .place = channel->place,
                          .var = channel->lowered,
                          .tmpl = GY_NONE};
        made.channel_type = (int32_t)l->channel_types.n;
        gy_vec_push(&l->channel_types, type);
        gy_vec_push(actions, made);
    }
}

gy_program *dve_keep_program(dve_lowering *l, dve_action_list *actions)
{
    gy_program *program = NULL;
    if (actions->n) {
        program = GY_NEW(l->arena, gy_program);
        program->count = (uint32_t)actions->n;
        program->actions = GY_NEW_ARRAY(l->arena, gy_action, actions->n);
        memcpy(program->actions, actions->at, actions->n * sizeof *actions->at);
    }
    gy_vec_free(actions);
    return program;
}
