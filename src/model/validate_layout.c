// Layout: every field lies inside one word of its block, and no two share a bit.
#include "base/fatal.h"
#include "model/validate_internal.h"

#include <stdlib.h>

typedef struct block {
    uint32_t *taken; // by word: its bits
    uint32_t words;
} block;

static block block_new(uint32_t words)
{
    return (block){gy_alloc_zero((words + 1) * sizeof(uint32_t)), words};
}

static bool take(gy_validation *v, block *b, uint64_t word, uint32_t shift, uint32_t bits)
{
    if (bits == 0)
        return true;
    if (word >= b->words || shift + bits > 32)
        return gy_is_invalid(v, "%u bits at bit %u of word %llu lie outside", bits, shift,
                             (unsigned long long)word);
    uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << shift;
    if (b->taken[word] & mask)
        return gy_is_invalid(v, "bit %u of word %llu is taken twice", shift,
                             (unsigned long long)word);
    b->taken[word] |= mask;
    return true;
}

static bool take_variables(gy_validation *v, block *b, const gy_variable *vars, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const gy_variable *var = &vars[i];
        gy_text_clear(&v->where);
        gy_text_printf(&v->where, "the place of %s", var->name);
        for (uint64_t e = 0; !var->hidden && e < var->count; e++) {
            uint64_t bit = var->shift + e * var->stride;
            if (!take(v, b, var->word + bit / 32, (uint32_t)(bit % 32), var->bits))
                return false;
        }
    }
    return true;
}

static bool global_block_fits(gy_validation *v)
{
    const gy_model *model = v->model;
    block b = block_new(model->global_words);
    bool good = take(v, &b, 0, 0, 32); // the backend's
    if (good && model->uses_last)
        good = take(v, &b, model->last_word, model->last_shift, 8);
    if (good && model->trace != GY_NONE)
        good = take(v, &b, model->trace_word, model->trace_shift, model->trace_bits);
    good = good && take_variables(v, &b, model->vars, model->global_count);
    free(b.taken);
    return good;
}

static bool template_block_fits(gy_validation *v, const gy_template *tmpl)
{
    const gy_model *model = v->model;
    block b = block_new(tmpl->words);
    bool good = take(v, &b, 0, 0, tmpl->pc_bits) &&
                (tmpl->pc_bits >= 32 || tmpl->node_count <= 1u << tmpl->pc_bits ||
                 gy_is_invalid(v, "%u nodes in %u bits", tmpl->node_count, tmpl->pc_bits));
    if (good && model->uses_priority)
        good = take(v, &b, 0, tmpl->priority_shift, 8);
    good = good && take_variables(v, &b, model->vars + tmpl->first_var, (uint32_t)tmpl->var_count);
    free(b.taken);
    return good;
}

static bool channel_block_fits(gy_validation *v, const gy_channel_type *type)
{
    block b = block_new(type->words);
    bool good = type->capacity == 0 ||
                take(v, &b, type->length_word, type->length_shift, type->length_bits);
    for (uint32_t m = 0; good && m < type->capacity; m++)
        for (uint32_t f = 0; good && f < type->field_count; f++) {
            const gy_slot *slot = &type->slots[f];
            uint32_t word = type->per_word ? m / type->per_word : m * type->message_words;
            uint32_t shift = type->per_word ? m % type->per_word * type->message_bits : 0;
            good = take(v, &b, (uint64_t)word + slot->word, shift + slot->shift, slot->bits);
        }
    free(b.taken);
    return good;
}

bool gy_validate_layout(gy_validation *v)
{
    const gy_model *model = v->model;
    gy_text_clear(&v->where);
    gy_text_add(&v->where, "the global block");
    if (!global_block_fits(v))
        return false;
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_text_clear(&v->where);
        gy_text_printf(&v->where, "the block of %s", model->templates[t].name);
        if (!template_block_fits(v, &model->templates[t]))
            return false;
    }
    for (uint32_t t = 0; t < model->channel_type_count; t++) {
        gy_text_clear(&v->where);
        gy_text_printf(&v->where, "the block of channel type %u", t);
        if (!channel_block_fits(v, &model->channel_types[t]))
            return false;
    }
    return true;
}
