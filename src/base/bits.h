// Sets of small numbers, as bits in an array of 64-bit words that the user allocates, zeroed:
// gy_bits_words(n) of them for the numbers 0 .. n-1. Threads may read while none writes.
#ifndef GYRE_BASE_BITS_H
#define GYRE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

// At least one, so that there is always something to point at.
static inline uint32_t gy_bits_words(uint32_t n)
{
    return n / 64 + 1;
}

static inline bool gy_bits_has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static inline void gy_bits_add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void gy_bits_drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

// Adds all of `more`; true if that made a difference.
static inline bool gy_bits_join(uint64_t *set, const uint64_t *more, uint32_t words)
{
    uint64_t fresh = 0;
    for (uint32_t w = 0; w < words; w++) {
        fresh |= more[w] & ~set[w];
        set[w] |= more[w];
    }
    return fresh != 0;
}

#endif
