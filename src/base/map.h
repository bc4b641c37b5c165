// The hash map: finds what the user keeps in an array, by a hash of its key.
//
// A gy_map holds numbers (indices into the user's own array) under hashes; it never sees keys. To
// look a key up, traverse the few numbers that have its hash and compare:
//
//     for (gy_map_probe p = gy_map_first(&map, hash); p.found; gy_map_next(&map, &p))
//         if (is_same(&things.at[p.number], key))
//             return p.number;
//     gy_map_add(&map, hash, number_of_new_thing);
//
// Any hash will do, a plain key or a pointer too: bits are mixed here. One that is the same for all
// keys makes lookups slow, not wrong. numbering.h has the commonest case ready-made.
//
// Representation: open addressing with linear probing in a power of two of slots, at most half of
// them taken; a slot is 0, or the upper 32 bits of the mixed hash, which also say where it belongs,
// before number + 1. So it grows, and closes the gap after a removal, without the keys.
//
// A zeroed gy_map is empty. Owner: the code that declares it; gy_map_free. Any number of threads
// may search while none adds or removes.
#ifndef GYRE_BASE_MAP_H
#define GYRE_BASE_MAP_H

#include "base/hash.h"

#include <stdbool.h>

typedef struct gy_map {
    uint64_t *slots;
    uint32_t n, room;
} gy_map;

void gy_map_free(gy_map *map);
void gy_map_clear(gy_map *map); // keeps the room
// Whether the same number is there already is not examined. number < UINT32_MAX.
void gy_map_add(gy_map *map, uint64_t hash, uint32_t number);
// False: this number is not there under this hash.
bool gy_map_remove(gy_map *map, uint64_t hash, uint32_t number);

// The part of a hash that is kept.
static inline uint32_t gy_map_tag(uint64_t hash)
{
    return (uint32_t)(gy_hash_fold(hash, 0x9e3779b97f4a7c15ull) >> 32);
}

// Where a traversal of the numbers with some hash stands.
typedef struct gy_map_probe {
    uint32_t number; // if found
    bool found;
    uint32_t next, tag;
} gy_map_probe;

static inline void gy_map_next(const gy_map *map, gy_map_probe *probe)
{
    probe->found = false;
    for (uint64_t slot; !probe->found && (slot = map->slots[probe->next]);) {
        probe->next = (probe->next + 1) & (map->room - 1);
        probe->number = (uint32_t)slot - 1;
        probe->found = slot >> 32 == probe->tag;
    }
}

// The search finds all that were added with this hash, and seldom another.
static inline gy_map_probe gy_map_first(const gy_map *map, uint64_t hash)
{
    gy_map_probe probe = {0};
    if (map->n) {
        probe.tag = gy_map_tag(hash);
        probe.next = probe.tag & (map->room - 1);
        gy_map_next(map, &probe);
    }
    return probe;
}

#endif
