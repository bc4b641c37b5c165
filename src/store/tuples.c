#include "store/tuples.h"

#include "store/inline_index.h"

#include "base/hash.h"

#include <string.h>

static inline uint64_t hash_tuple(const uint32_t *tuple, uint32_t width)
{
    uint64_t low = tuple[0], high = 0;
    if (width > 1)
        low |= (uint64_t)tuple[1] << 32;
    if (width > 2)
        high = tuple[2];
    if (width > 3)
        high |= (uint64_t)tuple[3] << 32;
    return gy_hash_fold(low ^ 0x9e3779b97f4a7c15ull, high ^ 0xd6e8feb86659fd93ull);
}

static inline bool same_tuple(const uint32_t *a, const uint32_t *b, uint32_t width)
{
    uint32_t different = a[0] ^ b[0];
    if (width > 1)
        different |= a[1] ^ b[1];
    if (width > 2)
        different |= a[2] ^ b[2];
    if (width > 3)
        different |= a[3] ^ b[3];
    return !different;
}

static uint64_t hash_of(const void *owner, uint64_t number)
{
    const gy_tuples *tuples = owner;
    return hash_tuple(gy_tuples_get(tuples, (uint32_t)number), tuples->width);
}

static void fetch(const void *owner, uint64_t number)
{
    __builtin_prefetch(gy_tuples_get(owner, (uint32_t)number));
}

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile)
{
    tuples->count = 0;
    tuples->width = width;
    gy_region_init(&tuples->data, budget);
    gy_index_init(&tuples->index, budget, hostile);
}

void gy_tuples_free(gy_tuples *tuples)
{
    gy_region_free(&tuples->data);
    gy_index_free(&tuples->index);
}

static uint32_t add(gy_tuples *tuples, const uint32_t *tuple, uint64_t hash)
{
    uint64_t other, bytes = tuples->width * sizeof *tuple;
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
    memcpy((char *)tuples->data.at + tuples->count * bytes, tuple, bytes);
    return (uint32_t)tuples->count++;
}

uint32_t gy_tuples_intern(gy_tuples *tuples, const uint32_t *tuple)
{
    uint64_t number, hash = hash_tuple(tuple, tuples->width);
    if (tuples->index.lines) {
        gy_probe probe = gy_index_probe(&tuples->index, hash);
        while (gy_index_next(&tuples->index, &probe, &number))
            if (same_tuple(gy_tuples_get(tuples, (uint32_t)number), tuple, tuples->width))
                return (uint32_t)number;
    }
    return add(tuples, tuple, hash);
}

void gy_tuples_save(const gy_tuples *tuples, gy_writer *writer)
{
    gy_write_u64(writer, tuples->count);
    gy_write_region(writer, &tuples->data, tuples->count * tuples->width * sizeof(uint32_t));
    gy_index_save(&tuples->index, writer);
}

bool gy_tuples_load(gy_tuples *tuples, gy_reader *reader)
{
    tuples->count = gy_read_u64(reader);
    return gy_read_region(reader, &tuples->data) && gy_index_load(&tuples->index, reader);
}
