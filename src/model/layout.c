// Fields are placed first-fit-decreasing within a block: widest first, so that no word is
// left half empty by accident; ties keep declaration order, so that the layout is stable.
#include "model/layout.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <stdlib.h>

enum { LOOK_BACK = 64 };

static uint8_t bits_for(uint32_t values)
{
    uint8_t bits = 0;
    while (bits < 32 && (values - 1) >> bits)
        bits++;
    return bits;
}

// A value that is always the same takes no room.
static uint8_t range_bits(int32_t min, int32_t max)
{
    if (min == max)
        return 0;
    if (min >= 0)
        return bits_for((uint32_t)max + 1);
    for (uint8_t bits = 1; bits < 32; bits++)
        if (min >= -(1 << (bits - 1)) && max <= (1 << (bits - 1)) - 1)
            return bits;
    return 32;
}

static uint8_t power_of_two(uint8_t bits)
{
    uint8_t stride = 1;
    while (stride < bits)
        stride *= 2;
    return stride;
}

// ---- a block under construction: how many bits of each word are taken ------------------

typedef struct packer {
    GY_VEC(uint8_t) used;
} packer;

// Looks for room in the last few words only, so that huge blocks are laid out in linear time.
static void place_field(packer *block, uint8_t bits, uint32_t *word, uint8_t *shift)
{
    uint32_t n = (uint32_t)block->used.n;
    for (uint32_t w = n > LOOK_BACK ? n - LOOK_BACK : 0; w < n; w++)
        if (32 - block->used.at[w] >= bits) {
            *word = w;
            *shift = block->used.at[w];
            block->used.at[w] = (uint8_t)(block->used.at[w] + bits);
            return;
        }
    gy_vec_push(&block->used, bits);
    *word = (uint32_t)block->used.n - 1;
    *shift = 0;
}

// An array that fits in one word goes wherever there is room; a longer one takes whole words.
static void place_array(packer *block, gy_variable *var)
{
    uint64_t bits = (uint64_t)var->stride * var->count;
    if (bits <= 32) {
        place_field(block, (uint8_t)bits, &var->word, &var->shift);
        return;
    }
    var->word = (uint32_t)block->used.n;
    var->shift = 0;
    for (uint64_t left = bits; left; left -= left < 32 ? left : 32)
        gy_vec_push(&block->used, (uint8_t)(left < 32 ? left : 32));
}

static uint64_t variable_bits(const gy_variable *var)
{
    return (uint64_t)var->stride * var->count;
}

static int by_size(const void *a, const void *b)
{
    const gy_variable *x = *(gy_variable *const *)a, *y = *(gy_variable *const *)b;
    uint64_t p = variable_bits(x), q = variable_bits(y);
    if (p != q)
        return p < q ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void place_variables(packer *block, gy_variable *vars, uint32_t count)
{
    GY_VEC(gy_variable *) order = {0};
    for (uint32_t i = 0; i < count; i++) {
        gy_variable *var = &vars[i];
        var->bits = range_bits(var->min, var->max);
        var->stride = var->count > 1 && var->bits ? power_of_two(var->bits) : var->bits;
        var->word = var->shift = 0;
        if (!var->hidden && var->bits)
            gy_vec_push(&order, var);
    }
    if (order.n)
        qsort(order.at, order.n, sizeof *order.at, by_size);
    for (size_t i = 0; i < order.n; i++)
        place_array(block, order.at[i]);
    gy_vec_free(&order);
}

static void layout_template(gy_model *model, gy_template *tmpl)
{
    packer block = {0};
    uint32_t word;
    uint8_t shift;
    tmpl->pc_bits = bits_for(tmpl->node_count > 1 ? tmpl->node_count : 2);
    place_field(&block, tmpl->pc_bits, &word, &shift);
    if (model->uses_priority) {
        place_field(&block, 8, &word, &shift);
        if (word != 0)
            gy_fatal("process type with too many control locations");
        tmpl->priority_shift = shift;
    }
    place_variables(&block, model->vars + tmpl->first_var, (uint32_t)tmpl->var_count);
    tmpl->words = (uint32_t)block.used.n;
    gy_vec_free(&block.used);
}

static void place_message(gy_channel_type *type, packer *message)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        gy_range range;
        gy_type_range(type->fields[f], &range.min, &range.max);
        if (type->ranges)
            range = type->ranges[f];
        gy_slot *slot = &type->slots[f];
        *slot = (gy_slot){.bits = range_bits(range.min, range.max), .min = range.min};
        if (slot->bits)
            place_field(message, slot->bits, &slot->word, &slot->shift);
    }
}

// Messages of up to half a word share words. The length goes after the last one if there is
// room, and has a word of its own otherwise.
static void layout_channel_type(gy_model *model, gy_channel_type *type)
{
    enum { HALF = 16 };
    packer message = {0};
    type->slots = GY_NEW_ARRAY(model->arena, gy_slot, type->field_count);
    place_message(type, &message);
    uint32_t bits = message.used.n ? message.used.at[0] : 1;
    bool shares = message.used.n <= 1 && (bits <= HALF || (type->capacity == 1 && bits < 32));
    type->message_bits = (uint8_t)bits;
    type->message_words = (uint32_t)message.used.n;
    type->per_word = shares ? 32 / bits : 0;
    type->length_bits = bits_for(type->capacity + 1);
    type->length_shift = 0;
    type->words = 0;
    if (type->capacity > 0) {
        uint32_t full = shares ? (type->capacity - 1) / type->per_word : 0;
        uint32_t used = shares ? (type->capacity - full * type->per_word) * bits : 32;
        bool fits = used + type->length_bits <= 32;
        uint32_t contents = shares ? full + 1 : type->capacity * type->message_words;
        type->length_word = fits ? contents - 1 : contents;
        type->length_shift = fits ? (uint8_t)(32 - type->length_bits) : 0;
        type->words = type->length_word + 1;
    }
    gy_vec_free(&message.used);
}

void gy_model_layout(gy_model *model)
{
    packer block = {0};
    gy_vec_push(&block.used, 32); // word 0: the shape
    if (model->uses_last)
        place_field(&block, 8, &model->last_word, &model->last_shift);
    if (model->trace != GY_NONE) {
        uint32_t nodes = model->templates[model->trace].node_count;
        model->trace_bits = bits_for(nodes > 1 ? nodes : 2);
        place_field(&block, model->trace_bits, &model->trace_word, &model->trace_shift);
    }
    place_variables(&block, model->vars, model->global_count);
    model->global_words = (uint32_t)block.used.n;
    gy_vec_free(&block.used);

    for (uint32_t i = 0; i < model->template_count; i++)
        layout_template(model, &model->templates[i]);
    for (uint32_t i = 0; i < model->channel_type_count; i++)
        layout_channel_type(model, &model->channel_types[i]);
}
