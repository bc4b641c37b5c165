// Places of bits: see layout.h.
#include "exec/device/device_layout.h"

#include "exec/device/generate.h"
#include "exec/device/orbit_code.h"
#include "exec/vm/state_layout.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static void mark(gy_device_layout *l, uint32_t word, uint32_t shift, uint32_t bits)
{
    if (bits)
        l->mask[word] |= (~0u >> (32 - bits)) << shift;
}

// A variable that nothing assigns has the value that it had in the sample.
static void fix(gy_device_layout *l, uint32_t base, const gy_variable *var, uint32_t i, int32_t v)
{
    uint32_t bit = var->shift + i * var->stride;
    uint32_t bits = (uint32_t)v & (~0u >> (32 - var->bits));
    l->fixed[base + var->word + bit / 32] |= bits << bit % 32;
}

// Arrays get their whole strides, so that elements are side by side.
static void mark_variable(gy_device_layout *l, uint32_t base, const gy_variable *var)
{
    uint32_t width = var->count > 1 ? var->stride : var->bits;
    for (uint32_t i = 0; i < var->count; i++) {
        uint32_t bit = var->shift + i * var->stride;
        mark(l, base + var->word + bit / 32, bit % 32, width);
    }
}

static void mark_globals(gy_device_layout *l, const gy_native_facts *facts)
{
    const gy_model *model = facts->model;
    if (model->uses_last)
        mark(l, model->last_word, model->last_shift, 8);
    if (model->trace != GY_NONE)
        mark(l, model->trace_word, model->trace_shift, model->trace_bits);
    for (uint32_t v = 0; v < model->global_count; v++) {
        const gy_variable *var = &model->vars[v];
        if (var->hidden || !var->bits)
            continue;
        if (facts->assigned[v])
            mark_variable(l, 0, var);
        else
            for (uint32_t i = 0; i < var->count; i++)
                fix(l, 0, var, i, facts->globals[facts->element[v] + i]);
    }
}

// The value that an element of an unassigned local has in all states of the sample, of all shapes.
static bool known_everywhere(const gy_native_facts *facts, const gy_device_layout *l, uint32_t pid,
                             uint32_t element, int32_t *value)
{
    bool any = false;
    for (uint32_t i = 0; i < facts->shape_count; i++) {
        const gy_native_shape *shape = &facts->shapes[i];
        if (gy_device_shape_of(l, shape->shape) < 0 || pid >= shape->shape->process_count)
            continue;
        const gy_native_constant *constant = &shape->locals[shape->first[pid] + element];
        if (!constant->known || (any && constant->value != *value))
            return false;
        *value = constant->value;
        any = true;
    }
    return any;
}

static void mark_process(gy_device_layout *l, const gy_native_facts *facts,
                         const gy_state_layout *shape, uint32_t pid)
{
    const gy_model *model = facts->model;
    const gy_template *tmpl = &model->templates[shape->process[pid].tmpl];
    uint32_t base = shape->process[pid].offset;
    mark(l, base, 0, tmpl->pc_bits);
    if (model->uses_priority)
        mark(l, base, tmpl->priority_shift, 8);
    for (int32_t v = tmpl->first_var; v < tmpl->first_var + tmpl->var_count; v++) {
        const gy_variable *var = &model->vars[v];
        bool constant = !facts->assigned[v];
        int32_t value;
        if (var->hidden || !var->bits)
            continue;
        for (uint32_t i = 0; constant && i < var->count; i++)
            constant = known_everywhere(facts, l, pid, facts->element[v] + i, &value);
        if (!constant)
            mark_variable(l, base, var);
        for (uint32_t i = 0; constant && i < var->count; i++)
            if (known_everywhere(facts, l, pid, facts->element[v] + i, &value))
                fix(l, base, var, i, value);
    }
}

static void mark_channel(gy_device_layout *l, const gy_model *model,
                         const gy_state_layout_channel *channel)
{
    const gy_channel_type *type = &model->channel_types[channel->type];
    if (!type->capacity)
        return;
    mark(l, channel->offset + type->length_word, type->length_shift, type->length_bits);
    for (uint32_t m = 0; m < type->capacity; m++) {
        if (type->per_word) {
            mark(l, channel->offset + m / type->per_word, m % type->per_word * type->message_bits,
                 type->message_bits);
            continue;
        }
        for (uint32_t f = 0; f < type->field_count; f++)
            mark(l, channel->offset + m * type->message_words + type->slots[f].word,
                 type->slots[f].shift, type->slots[f].bits);
    }
}

static void mark_all(gy_device_layout *l, const gy_native_facts *facts,
                     const gy_state_layout *longest)
{
    mark_globals(l, facts);
    for (uint32_t pid = 0; pid < longest->process_count; pid++)
        mark_process(l, facts, longest, pid);
    for (uint32_t c = 0; c < longest->channel_count; c++)
        mark_channel(l, facts->model, &longest->channel[c]);
}

// First fit: a word goes into the first number that has room for it. With one number, its last bits
// are not a state's.
static bool place(gy_device_layout *l, uint32_t parts, uint32_t name_bits)
{
    uint32_t used[GY_DEVICE_MOST_PARTS] = {l->shape_bits + l->monitor_bits};
    l->parts = parts;
    memset(l->pos, 0xff, (size_t)l->words * 32 * sizeof *l->pos);
    for (uint32_t w = 1; w < l->words; w++) {
        uint32_t need = (uint32_t)__builtin_popcount(l->mask[w]), k = 0;
        uint32_t room = parts == 1 ? name_bits : 64;
        while (k < parts && used[k] + need > room)
            k++;
        if (k == parts)
            return false;
        for (uint32_t bit = 0; bit < 32; bit++)
            if (l->mask[w] >> bit & 1)
                l->pos[w * 32 + bit] = (uint16_t)(64 * k + used[k]++);
    }
    return true;
}

static void find_kept(gy_device_layout *l)
{
    for (uint32_t i = 0; i < l->shape_count; i++) {
        gy_device_shape *shape = &l->shapes[i];
        for (uint32_t at = 0; at < shape->layout->words * 32; at++)
            if (l->pos[at] != GY_DEVICE_NO_BIT)
                shape->keep[l->pos[at] / 64] |= 1ull << l->pos[at] % 64;
    }
}

int32_t gy_device_shape_of(const gy_device_layout *l, const gy_state_layout *of)
{
    for (uint32_t i = 0; i < l->shape_count; i++)
        if (l->shapes[i].layout == of)
            return (int32_t)i;
    return -1;
}

// Is `shorter` what `longer` becomes when its youngest processes die?
static bool comes_from(const gy_state_layout *shorter, const gy_state_layout *longer)
{
    while (longer && longer != shorter)
        longer = longer->process_count ? longer->before_process : NULL;
    return longer == shorter;
}

// The most frequent shape of the sample, those that it shrinks to, and those that shrink to it.
static void choose_shapes(gy_device_layout *l, const gy_native_facts *facts)
{
    const gy_state_layout *longest = facts->shapes[0].shape;
    for (uint32_t i = 1; i < facts->shape_count; i++)
        if (comes_from(longest, facts->shapes[i].shape))
            longest = facts->shapes[i].shape;
    l->shapes = gy_alloc_zero((facts->shape_count + 1) * sizeof *l->shapes);
    for (uint32_t i = 0; i < facts->shape_count; i++)
        if (comes_from(facts->shapes[i].shape, longest))
            l->shapes[l->shape_count++].layout = facts->shapes[i].shape;
    while (l->shape_count > 1u << l->shape_bits)
        l->shape_bits++;
    l->words = longest->words;
}

gy_device_layout *gy_device_layout_new(const gy_native_facts *facts, const gy_device_wants *wants)
{
    gy_device_layout *l = gy_alloc_zero(sizeof *l);
    l->monitor_bits = wants->monitor ? wants->monitor->bits : 0;
    const gy_state_layout *longest;
    choose_shapes(l, facts);
    longest = l->shapes[0].layout;
    for (uint32_t i = 1; i < l->shape_count; i++)
        if (l->shapes[i].layout->words > longest->words)
            longest = l->shapes[i].layout;
    l->pos = gy_alloc_zero((size_t)l->words * 32 * sizeof *l->pos);
    l->mask = gy_alloc_zero((l->words + 1) * sizeof *l->mask);
    l->fixed = gy_alloc_zero((l->words + 1) * sizeof *l->fixed);
    mark_all(l, facts, longest);
    if (wants->orbits)
        gy_orbit_align(l, longest, wants->orbits);
    for (uint32_t w = 0; w < l->words; w++)
        l->fixed[w] &= ~l->mask[w];
    uint32_t parts = 1;
    while (parts <= GY_DEVICE_MOST_PARTS &&
           !place(l, parts, GY_DEVICE_NAME_BITS - (wants->choices != NULL)))
        parts++;
    if (parts > GY_DEVICE_MOST_PARTS || longest->linked) {
        gy_device_layout_free(l);
        return NULL;
    }
    find_kept(l);
    return l;
}

void gy_device_layout_free(gy_device_layout *l)
{
    free(l->pos);
    free(l->mask);
    free(l->fixed);
    free(l->shapes);
    free(l);
}

bool gy_device_pack(const gy_device_layout *l, const gy_word *state, uint32_t words,
                    uint64_t *packed)
{
    uint32_t i = 0;
    while (i < l->shape_count &&
           (l->shapes[i].layout->code != state[0] || l->shapes[i].layout->words != words))
        i++;
    if (i == l->shape_count)
        return false;
    memset(packed, 0, l->parts * sizeof *packed);
    packed[0] = i;
    for (uint32_t w = 1; w < words; w++) {
        if ((state[w] & ~l->mask[w]) != l->fixed[w])
            return false;
        for (uint32_t left = state[w] & l->mask[w]; left; left &= left - 1) {
            uint32_t at = l->pos[w * 32 + (uint32_t)__builtin_ctz(left)];
            packed[at / 64] |= 1ull << at % 64;
        }
    }
    return true;
}

uint32_t gy_device_unpack(const gy_device_layout *l, const uint64_t *packed, gy_word *state)
{
    const gy_state_layout *layout = l->shapes[packed[0] & ((1ull << l->shape_bits) - 1)].layout;
    state[0] = layout->code;
    for (uint32_t w = 1; w < layout->words; w++) {
        state[w] = l->fixed[w];
        for (uint32_t left = l->mask[w]; left; left &= left - 1) {
            uint32_t bit = (uint32_t)__builtin_ctz(left), at = l->pos[w * 32 + bit];
            state[w] |= (uint32_t)(packed[at / 64] >> at % 64 & 1) << bit;
        }
    }
    return layout->words;
}
