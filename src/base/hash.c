#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t gy_hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(n ? bytes : "", n, seed);
}

uint64_t gy_hash_words(const uint32_t *words, size_t n, uint64_t seed)
{
    return gy_hash_bytes(words, n * sizeof *words, seed);
}
