#include "base/numbering.h"

#include "base/assert.h"

uint32_t gy_number_find(const gy_numbering *numbering, uint64_t key)
{
    const gy_map *map = &numbering->map;
    for (gy_map_probe p = gy_map_first(map, key); p.found; gy_map_next(map, &p))
        if (numbering->keys.at[p.number] == key)
            return p.number;
    return UINT32_MAX;
}

uint32_t gy_number(gy_numbering *numbering, uint64_t key)
{
    uint32_t number = gy_number_find(numbering, key);
    if (number == UINT32_MAX) {
        number = (uint32_t)numbering->keys.n;
        gy_vec_push(&numbering->keys, key);
        gy_map_add(&numbering->map, key, number);
    }
    gy_assert(numbering->keys.n == numbering->map.n);
    return number;
}

void gy_numbering_free(gy_numbering *numbering)
{
    gy_vec_free(&numbering->keys);
    gy_map_free(&numbering->map);
}
