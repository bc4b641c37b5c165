// A set of names of states (see reach_parts.h), for one thread at a time to fill and many to ask.
#ifndef GYRE_SEARCH_SAFETY_NAMES_H
#define GYRE_SEARCH_SAFETY_NAMES_H

#include "base/hash.h"
#include "base/memory.h"

typedef struct gy_names {
    gy_region slots; // pairs: a wood, or NULL, and the name, plus one: 0 is free
    uint64_t count, mask;
} gy_names;

typedef struct gy_names_slot {
    const void *wood;
    uint64_t name;
} gy_names_slot;

void gy_names_init(gy_names *names, gy_budget *budget);
void gy_names_free(gy_names *names);
void gy_names_clear(gy_names *names);
bool gy_names_begin(gy_names *names, uint64_t expected);             // clears; false: no memory
bool gy_names_add(gy_names *names, const void *wood, uint64_t name); // false: no memory

// It will be asked for soon.
static inline void gy_names_expect(const gy_names *names, const void *wood, uint64_t name)
{
    const gy_names_slot *slots = names->slots.at;
    if (names->count)
        __builtin_prefetch(&slots[gy_hash_pair(name, (uintptr_t)wood) & names->mask]);
}

static inline bool gy_names_has(const gy_names *names, const void *wood, uint64_t name)
{
    const gy_names_slot *slots = names->slots.at;
    if (!names->count)
        return false;
    for (uint64_t i = gy_hash_pair(name, (uintptr_t)wood) & names->mask; slots[i].name;
         i = (i + 1) & names->mask)
        if (slots[i].name == name + 1 && slots[i].wood == wood)
            return true;
    return false;
}

#endif
