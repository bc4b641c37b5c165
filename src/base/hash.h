// Hashing of numbers and of word vectors.
//
// gy_hash_pair is for short fixed keys (a pair of ids); it folds a 128-bit product, so that
// every input bit reaches every output bit. gy_hash_words is for vectors (XXH3). Both give
// 64 well-mixed bits: tables take their position from the top and a tag from the bottom.
// Callable from any thread.
#ifndef GYRE_BASE_HASH_H
#define GYRE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t gy_hash_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t gy_hash_pair(uint64_t a, uint64_t b)
{
    return gy_hash_fold(gy_hash_fold(a ^ 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull) ^ b,
                        0xa0761d6478bd642full);
}

// Spreads one number over 64 bits; a bijection.
static inline uint64_t gy_hash_number(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

uint64_t gy_hash_bytes(const void *bytes, size_t n, uint64_t seed);
uint64_t gy_hash_words(const uint32_t *words, size_t n, uint64_t seed);

// The same idea for word vectors that are mostly short: no call for up to 64 words.
static inline uint64_t gy_hash_state(const uint32_t *words, uint32_t n)
{
    uint64_t hash = n ^ 0x9e3779b97f4a7c15ull;
    if (n > 64)
        return gy_hash_words(words, n, 0);
#pragma GCC unroll 4
    for (; n >= 2; n -= 2, words += 2)
        hash = gy_hash_fold(hash ^ ((uint64_t)words[1] << 32 | words[0]), 0xd6e8feb86659fd93ull);
    if (n)
        hash = gy_hash_fold(hash ^ words[0], 0xd6e8feb86659fd93ull);
    return hash;
}

#endif
