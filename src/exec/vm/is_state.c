// Are some words, which may come from anywhere, a state of the model? Code that executes a state
// takes it for granted that locations are those of a template, that channels are not longer than
// they can be, and that values are in the ranges from which code was made.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"

static bool are_in_range(const gy_word *block, const gy_variable *vars, uint32_t count)
{
    for (const gy_variable *var = vars; var < vars + count; var++) {
        if (var->hidden || !var->bits)
            continue;
        for (uint32_t i = 0; i < var->count; i++) {
            int32_t value = gy_get_var(block, var, i);
            if (value < var->min || value > var->max)
                return false;
        }
    }
    return true;
}

static bool is_process(const gy_model *model, const gy_word *block, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    uint32_t node = tmpl->pc_bits ? block[0] & (~0u >> (32 - tmpl->pc_bits)) : 0;
    return node < tmpl->node_count &&
           are_in_range(block, model->vars + tmpl->first_var, (uint32_t)tmpl->var_count);
}

static bool is_channel(const gy_word *block, const gy_channel_type *type)
{
    if (!type->capacity)
        return true;
    uint32_t length = gy_chan_len(block, type);
    if (length > type->capacity)
        return false;
    for (uint32_t i = 0; i < length && type->ranges; i++)
        for (uint32_t f = 0; f < type->field_count; f++) {
            int32_t value = gy_chan_field(block, type, i, f);
            if (value < type->ranges[f].min || value > type->ranges[f].max)
                return false;
        }
    return true;
}

bool gy_vm_is_state(void *worker, const gy_word *state, uint32_t words)
{
    const gy_machine *m = worker;
    const gy_model *model = m->model;
    const gy_state_layout *layout = words ? gy_state_layout_find(m->vm->shapes, state, words) : NULL;
    if (!layout || words < model->global_words ||
        !are_in_range(state, model->vars, model->global_count))
        return false;
    if (model->trace != GY_NONE && model->trace_bits &&
        (uint32_t)gy_get_bits(state, model->trace_word, model->trace_shift, model->trace_bits,
                              false) >= model->templates[model->trace].node_count)
        return false;
    for (uint32_t i = 0; i < layout->process_count; i++)
        if (!is_process(model, state + layout->process[i].offset, layout->process[i].tmpl))
            return false;
    for (uint32_t i = 0; i < layout->channel_count; i++)
        if (!is_channel(state + layout->channel[i].offset,
                        &model->channel_types[layout->channel[i].type]))
            return false;
    return true;
}
