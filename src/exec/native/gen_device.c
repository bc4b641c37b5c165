// What differs in the code for a device: see exec/device/device_layout.h.
#include "exec/native/gen.h"

#include <stdio.h>
#include <stdlib.h>

// The youngest process is gone, and with it all that is younger.
void gy_gen_device_end(gy_gen *g)
{
    int32_t to = gy_device_shape_of(g->device, g->shape->shape->before_process);
    if (to < 0) {
        gy_gen_line(g, "goto vm; // no state of the device's");
        return;
    }
    const uint64_t *keep = g->device->shapes[to].keep;
    gy_gen_line(g, "o->x[0] = (o->x[0] & 0x%llxull) | %d;", (unsigned long long)keep[0], to);
    for (uint32_t k = 1; k < g->device->parts; k++)
        gy_gen_line(g, "o->x[%u] &= 0x%llxull;", k, (unsigned long long)keep[k]);
}

void gy_gen_device_begin(gy_gen *g, uint32_t pid, uint32_t node, uint32_t priority)
{
    const gy_template *tmpl = &g->model->templates[g->now->process[pid].tmpl];
    char value[16];
    snprintf(value, sizeof value, "%u", node);
    if (tmpl->pc_bits)
        gy_gen_put(g, gy_gen_pc_of(g, pid), value, tmpl->name);
    snprintf(value, sizeof value, "%u", priority);
    if (g->model->uses_priority)
        gy_gen_put(g, (gy_gen_place){g->now->process[pid].offset, tmpl->priority_shift, 8, false},
                   value, "its priority");
}

bool gy_gen_side_by_side(const gy_gen *g, uint32_t word, const gy_variable *var, uint32_t *at)
{
    if (!g->device)
        return false;
    *at = g->device->pos[word * 32 + var->shift];
    for (uint32_t i = 0; i < var->count; i++) {
        uint32_t bit = var->shift + i * var->stride;
        if (g->device->pos[(word + bit / 32) * 32 + bit % 32] != *at + i * var->stride)
            return false;
    }
    return *at != GY_DEVICE_NO_BIT;
}

void gy_gen_cover(gy_gen *g, int32_t edge)
{
    if (g->device)
        gy_gen_line(g, "COVER(%d);", edge);
}

void gy_gen_open_table(gy_gen *g, const char *location)
{
    gy_text_printf(g->out, "(BLOCK int v_ = 0; switch (%s) { ", location);
}

void gy_gen_close_table(gy_gen *g)
{
    gy_text_add(g->out, "default: break; } YIELD(v_) END_BLOCK)");
}

// ---- fields whose place is known --------------------------------------------------------------

static uint32_t mask_of(uint32_t bits)
{
    return ~0u >> (32 - bits);
}

void gy_gen_get(const gy_gen *g, gy_text *out, const char *state, gy_gen_place place)
{
    uint32_t bits = place.bits;
    if (g->device) {
        uint32_t at = g->device->pos[place.word * 32 + place.shift];
        if (at == GY_DEVICE_NO_BIT) { // it never changes
            uint32_t v = g->device->fixed[place.word] >> place.shift & mask_of(bits);
            int32_t value =
                place.is_signed ? (int32_t)(v << (32 - bits)) >> (32 - bits) : (int32_t)v;
            gy_text_printf(out, value == INT32_MIN ? "(int)0x80000000u" : "(%d)", value);
        } else if (place.is_signed && bits < 32)
            gy_text_printf(out, "BITS_SIGNED(%s, %u, %u, %u)", state, at / 64, at % 64, bits);
        else
            gy_text_printf(out, "BITS(%s, %u, %u, 0x%xu)", state, at / 64, at % 64, mask_of(bits));
    } else if (bits == 32)
        gy_text_printf(out, "(int)WORD(%s, %u)", state, place.word);
    else if (place.is_signed)
        gy_text_printf(out, "GETS(%s, %u, %u, %u)", state, place.word, place.shift, bits);
    else
        gy_text_printf(out, "GET(%s, %u, %u, 0x%xu)", state, place.word, place.shift,
                       mask_of(bits));
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

void gy_gen_put(gy_gen *g, gy_gen_place place, const char *value, const char *comment)
{
    if (g->device) {
        uint32_t at = g->device->pos[place.word * 32 + place.shift], mask = mask_of(place.bits);
        if (at == GY_DEVICE_NO_BIT) // another value than ever is for the host
            gy_gen_line(g, "if (((word)(%s) & 0x%xu) != 0x%xu) GIVE_UP; // %s", value, mask,
                        g->device->fixed[place.word] >> place.shift & mask, comment);
        else
            gy_gen_line(g, "SET_BITS(o, %u, %u, 0x%xu, %s); // %s", at / 64, at % 64, mask, value,
                        comment);
    } else if (is_number(value))
        gy_gen_number(g, place, (uint32_t)strtoul(value, NULL, 10), comment);
    else
        gy_gen_line(g, "PUT(o, %u, %u, 0x%xu, %s); // %s", place.word, place.shift,
                    mask_of(place.bits), value, comment);
}

gy_gen_place gy_gen_pc_of(const gy_gen *g, uint32_t pid)
{
    const gy_state_layout_process *process = &g->now->process[pid];
    return (gy_gen_place){process->offset, 0, g->model->templates[process->tmpl].pc_bits, false};
}

// Messages that are side by side in one number: from bit `at` on, the first one lowest.
bool gy_gen_queue(const gy_gen *g, const gy_gen_channel *channel, uint32_t *at)
{
    const gy_channel_type *type = channel->type;
    if (!g->device || !channel->id || !type->per_word)
        return false;
    const uint16_t *pos = g->device->pos + g->shape->shape->channel[channel->id - 1].offset * 32;
    *at = pos[0];
    for (uint32_t m = 0; m < type->capacity; m++)
        for (uint32_t bit = 0; bit < type->message_bits; bit++) {
            uint32_t shift = m % type->per_word * type->message_bits + bit;
            uint32_t is = pos[m / type->per_word * 32 + shift];
            if (is != *at + m * type->message_bits + bit || is / 64 != *at / 64)
                return false;
        }
    return true;
}
