#include "base/map.h"

#include "base/assert.h"
#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

static uint32_t home_of(const gy_map *map, uint64_t slot)
{
    return (uint32_t)(slot >> 32) & (map->room - 1);
}

static void put(gy_map *map, uint64_t slot)
{
    uint32_t at = home_of(map, slot);
    while (map->slots[at])
        at = (at + 1) & (map->room - 1);
    map->slots[at] = slot;
}

static void grow(gy_map *map)
{
    gy_map old = *map;
    if (old.room > UINT32_MAX / 2)
        gy_fatal_memory((size_t)old.room * 2 * sizeof *old.slots);
    map->room = old.room ? old.room * 2 : FIRST_ROOM;
    map->slots = gy_alloc_zero(map->room * sizeof *map->slots);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.slots[i])
            put(map, old.slots[i]);
    free(old.slots);
}

static uint64_t slot_for(uint64_t hash, uint32_t number)
{
    return (uint64_t)gy_map_tag(hash) << 32 | ((uint64_t)number + 1);
}

void gy_map_add(gy_map *map, uint64_t hash, uint32_t number)
{
    gy_assert(number < UINT32_MAX);
    if (map->n >= map->room / 2)
        grow(map);
    put(map, slot_for(hash, number));
    map->n++;
    gy_assert(map->n <= map->room / 2);
}

bool gy_map_remove(gy_map *map, uint64_t hash, uint32_t number)
{
    if (!map->n)
        return false;
    uint64_t wanted = slot_for(hash, number);
    uint32_t mask = map->room - 1, gap = home_of(map, wanted);
    for (; map->slots[gap] != wanted; gap = (gap + 1) & mask)
        if (!map->slots[gap])
            return false;
    // What follows the gap moves into it, unless that is before its home.
    for (uint32_t at = (gap + 1) & mask; map->slots[at]; at = (at + 1) & mask) {
        uint32_t way = (at - home_of(map, map->slots[at])) & mask;
        if (way >= ((at - gap) & mask)) {
            map->slots[gap] = map->slots[at];
            gap = at;
        }
    }
    map->slots[gap] = 0;
    map->n--;
    return true;
}

void gy_map_clear(gy_map *map)
{
    if (map->n)
        memset(map->slots, 0, map->room * sizeof *map->slots);
    map->n = 0;
}

void gy_map_free(gy_map *map)
{
    free(map->slots);
    *map = (gy_map){0};
}
