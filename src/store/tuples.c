#include "store/tuples.h"

#include "store/inline_index.h"

#include "base/hash.h"

#include <string.h>

static inline uint64_t hash_tuple(gy_tuple tuple)
{
    return gy_hash_fold(tuple.half[0] ^ 0x9e3779b97f4a7c15ull,
                        tuple.half[1] ^ 0xd6e8feb86659fd93ull);
}

static uint64_t hash_of(const void *owner, uint64_t number)
{
    return hash_tuple(gy_tuples_get(owner, (uint32_t)number));
}

static void fetch(const void *owner, uint64_t number)
{
    __builtin_prefetch(gy_tuples_at(owner, (uint32_t)number));
}

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile)
{
    tuples->count = 0;
    tuples->halves = width <= 2 ? 1 : 2;
    gy_region_init(&tuples->data, budget);
    gy_index_init(&tuples->index, budget, hostile);
}

void gy_tuples_free(gy_tuples *tuples)
{
    gy_region_free(&tuples->data);
    gy_index_free(&tuples->index);
}

static uint32_t add(gy_tuples *tuples, gy_tuple tuple, uint64_t hash)
{
    uint64_t other, bytes = tuples->halves * sizeof(uint64_t);
    gy_index_owner owner = {hash_of, fetch, tuples};
    if (tuples->count >= GY_TUPLE_NONE ||
        !gy_region_reserve(&tuples->data, (tuples->count + 1) * bytes) ||
        !gy_index_make_room(&tuples->index, &owner, tuples->count))
        return GY_TUPLE_NONE;
    gy_probe probe = gy_index_probe(&tuples->index, hash);
    do
        probe.match = 0;
    while (gy_index_next(&tuples->index, &probe, &other));
    if (!gy_index_put(&tuples->index, &probe, tuples->count))
        return GY_TUPLE_NONE;
    memcpy((char *)tuples->data.at + tuples->count * bytes, tuple.half, bytes);
    return (uint32_t)tuples->count++;
}

uint32_t gy_tuples_intern(gy_tuples *tuples, gy_tuple tuple)
{
    uint64_t number, hash = hash_tuple(tuple);
    if (tuples->index.lines) {
        gy_probe probe = gy_index_probe(&tuples->index, hash);
        while (gy_index_next(&tuples->index, &probe, &number)) {
            gy_tuple kept = gy_tuples_get(tuples, (uint32_t)number);
            if (!((kept.half[0] ^ tuple.half[0]) | (kept.half[1] ^ tuple.half[1])))
                return (uint32_t)number;
        }
    }
    return add(tuples, tuple, hash);
}

void gy_tuples_save(const gy_tuples *tuples, gy_writer *writer)
{
    gy_write_u64(writer, tuples->count);
    gy_write_region(writer, &tuples->data, tuples->count * tuples->halves * sizeof(uint64_t));
    gy_index_save(&tuples->index, writer);
}

bool gy_tuples_load(gy_tuples *tuples, gy_reader *reader)
{
    tuples->count = gy_read_u64(reader);
    return gy_read_region(reader, &tuples->data) && gy_index_load(&tuples->index, reader);
}
