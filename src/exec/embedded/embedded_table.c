#include "exec/embedded/embedded_table.h"

#include <string.h>

static uint64_t hash_of(const gy_embedded_table *t, const uint32_t *state, uint32_t words,
                        uint64_t seed)
{
    uint32_t behind = t->at + t->words;
    return gy_hash_words(state + behind, words - behind, gy_hash_words(state, t->at, seed));
}

void gy_embedded_table_settle(gy_embedded_table *t, uint32_t *state, uint32_t words)
{
    uint64_t hash = hash_of(t, state, words, 0), check = hash_of(t, state, words, words + 1);
    uint32_t *part = state + t->at;
    for (gy_map_probe p = gy_map_first(&t->map, hash); p.found; gy_map_next(&t->map, &p))
        if (t->checks.at[p.number] == check) {
            memcpy(part, t->parts.at + (size_t)p.number * t->words, t->words * sizeof *part);
            return;
        }
    gy_map_add(&t->map, hash, (uint32_t)t->checks.n);
    gy_vec_push(&t->checks, check);
    for (uint32_t i = 0; i < t->words; i++)
        gy_vec_push(&t->parts, part[i]);
}

void gy_embedded_table_free(gy_embedded_table *t)
{
    gy_map_free(&t->map);
    gy_vec_free(&t->checks);
    gy_vec_free(&t->parts);
}
