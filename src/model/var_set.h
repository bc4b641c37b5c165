// Sets of variables of a model, as bits.
#ifndef GYRE_MODEL_VAR_SET_H
#define GYRE_MODEL_VAR_SET_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t gy_set_words(uint32_t var_count)
{
    return var_count / 64 + 1;
}

static inline bool gy_set_has(const uint64_t *set, int32_t var)
{
    return set[var / 64] >> (var % 64) & 1;
}

static inline void gy_set_add(uint64_t *set, int32_t var)
{
    set[var / 64] |= 1ull << (var % 64);
}

static inline void gy_set_drop(uint64_t *set, int32_t var)
{
    set[var / 64] &= ~(1ull << (var % 64));
}

// Adds all of `more`; true if that made a difference.
static inline bool gy_set_join(uint64_t *set, const uint64_t *more, uint32_t words)
{
    bool grew = false;
    for (uint32_t w = 0; w < words; w++) {
        grew = grew || (more[w] & ~set[w]);
        set[w] |= more[w];
    }
    return grew;
}

#endif
