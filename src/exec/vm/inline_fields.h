// Fields of states: the hot inline code of the virtual machine.
//
// Bytes and half words are addressed as in a little-endian word, on every machine.
#ifndef GYRE_EXEC_VM_INLINE_FIELDS_H
#define GYRE_EXEC_VM_INLINE_FIELDS_H

#include "gyre/gyre.h"
#include "model/model.h"

#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define GY_BYTE_FLIP 3u
#define GY_HALF_FLIP 1u
#else
#define GY_BYTE_FLIP 0u
#define GY_HALF_FLIP 0u
#endif

static inline uint8_t gy_get8(const gy_word *block, uint32_t at)
{
    return ((const uint8_t *)block)[at ^ GY_BYTE_FLIP];
}

static inline void gy_put8(gy_word *block, uint32_t at, int32_t value)
{
    ((uint8_t *)block)[at ^ GY_BYTE_FLIP] = (uint8_t)value;
}

static inline uint16_t gy_get16(const gy_word *block, uint32_t at)
{
    uint16_t half;
    memcpy(&half, (const char *)block + 2 * (size_t)(at ^ GY_HALF_FLIP), sizeof half);
    return half;
}

static inline void gy_put16(gy_word *block, uint32_t at, int32_t value)
{
    uint16_t half = (uint16_t)value;
    memcpy((char *)block + 2 * (size_t)(at ^ GY_HALF_FLIP), &half, sizeof half);
}

static inline int32_t gy_get_bits(const gy_word *block, uint32_t word, uint32_t shift,
                                  uint32_t bits, bool is_signed)
{
    uint32_t high = block[word] << (32 - shift - bits);
    return is_signed ? (int32_t)high >> (32 - bits) : (int32_t)(high >> (32 - bits));
}

static inline void gy_put_bits(gy_word *block, uint32_t word, uint32_t shift, uint32_t bits,
                               int32_t value)
{
    uint32_t mask = (~0u >> (32 - bits)) << shift;
    block[word] = (block[word] & ~mask) | ((uint32_t)value << shift & mask);
}

// Element i of a variable, in the block that it lives in.
static inline int32_t gy_get_var(const gy_word *block, const gy_variable *var, uint32_t element)
{
    if (!var->bits)
        return var->min;
    uint32_t bit = var->shift + element * var->stride;
    return gy_get_bits(block, var->word + bit / 32, bit % 32, var->bits, var->min < 0);
}

static inline void gy_put_var(gy_word *block, const gy_variable *var, uint32_t element,
                              int32_t value)
{
    if (!var->bits)
        return;
    uint32_t bit = var->shift + element * var->stride;
    gy_put_bits(block, var->word + bit / 32, bit % 32, var->bits, value);
}

// ---- channels: the block of a channel of this type --------------------------------------

static inline uint32_t gy_chan_len(const gy_word *block, const gy_channel_type *type)
{
    return block[type->length_word] >> type->length_shift & (~0u >> (32 - type->length_bits));
}

static inline void gy_chan_set_len(gy_word *block, const gy_channel_type *type, uint32_t length)
{
    gy_put_bits(block, type->length_word, type->length_shift, type->length_bits, (int32_t)length);
}

// Field f of message i.
static inline int32_t gy_chan_field(const gy_word *block, const gy_channel_type *type, uint32_t i,
                                    uint32_t f)
{
    const gy_slot *slot = &type->slots[f];
    if (!slot->bits)
        return slot->min;
    uint32_t per = type->per_word;
    uint32_t word = per ? i / per : i * type->message_words;
    uint32_t shift = per ? i % per * type->message_bits : 0;
    return gy_get_bits(block, word + slot->word, shift + slot->shift, slot->bits, slot->min < 0);
}

#endif
