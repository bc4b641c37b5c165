// Random numbers that are the same on every machine: xoshiro256**, seeded through splitmix64.
// A gy_random belongs to one thread at a time.
#ifndef GYRE_BASE_RANDOM_H
#define GYRE_BASE_RANDOM_H

#include "base/assert.h"
#include "base/hash.h"

typedef struct gy_random {
    uint64_t s[4];
} gy_random;

// The next number of splitmix64, whose state is one number: for small samples.
static inline uint64_t gy_random_step(uint64_t *state)
{
    return gy_hash_number(*state += 0x9e3779b97f4a7c15ull);
}

static inline void gy_random_seed(gy_random *random, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++)
        random->s[i] = gy_random_step(&seed);
}

static inline uint64_t gy_random_next(gy_random *random)
{
    uint64_t *s = random->s, x = s[1] * 5, shifted = s[1] << 17;
    uint64_t result = (x << 7 | x >> 57) * 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

// Evenly from 0 .. n-1; n > 0. (The bias is below n / 2^64.)
static inline uint64_t gy_random_below(gy_random *random, uint64_t n)
{
    gy_assert(n > 0);
    return (uint64_t)((unsigned __int128)gy_random_next(random) * n >> 64);
}

#endif
