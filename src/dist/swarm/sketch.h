// How many different states were there in all, from a few bytes: HyperLogLog (P. Flajolet, É. Fusy,
// O. Gandouet, F. Meunier, 2007). Sketches of two sets give that of their union by taking the
// larger of each pair of bytes. With 4,096 bytes the standard error is 1.6 %.
#ifndef GYRE_DIST_SWARM_SKETCH_H
#define GYRE_DIST_SWARM_SKETCH_H

#include <math.h>
#include <stdint.h>

enum { GY_SKETCH_BITS = 12, GY_SKETCH_BYTES = 1 << GY_SKETCH_BITS };

static inline void gy_sketch_add(uint8_t *sketch, uint64_t hash)
{
    uint8_t *at = &sketch[hash >> (64 - GY_SKETCH_BITS)];
    uint64_t rest = hash << GY_SKETCH_BITS | 1ull << (GY_SKETCH_BITS - 1);
    uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
    if (rank > *at)
        *at = rank;
}

static inline void gy_sketch_join(uint8_t *sketch, const uint8_t *other)
{
    for (unsigned i = 0; i < GY_SKETCH_BYTES; i++)
        sketch[i] = other[i] > sketch[i] ? other[i] : sketch[i];
}

static inline double gy_sketch_count(const uint8_t *sketch)
{
    double sum = 0, n = GY_SKETCH_BYTES;
    unsigned empty = 0;
    for (unsigned i = 0; i < GY_SKETCH_BYTES; i++) {
        sum += ldexp(1, -sketch[i]);
        empty += sketch[i] == 0;
    }
    double guess = 0.7213 / (1 + 1.079 / n) * n * n / sum;
    return guess <= 2.5 * n && empty ? n * log(n / empty) : guess;
}

#endif
