// A set of references of states (store.h), for one thread at a time to fill and many to ask. Not
// base/map.h, which has numbers of 32 bits and room that no limit of memory counts; and it is asked
// for each successor.
#ifndef GYRE_SEARCH_SAFETY_REF_SET_H
#define GYRE_SEARCH_SAFETY_REF_SET_H

#include "store/store.h"

#include "base/hash.h"
#include "base/memory.h"

typedef struct gy_ref_set {
    gy_region slots; // of references, plus one: 0 is free
    uint64_t count, mask;
} gy_ref_set;

void gy_ref_set_init(gy_ref_set *set, gy_budget *budget);
void gy_ref_set_free(gy_ref_set *set);
void gy_ref_set_clear(gy_ref_set *set);
bool gy_ref_set_begin(gy_ref_set *set, uint64_t expected); // clears; false: no memory
bool gy_ref_set_add(gy_ref_set *set, gy_ref ref);          // false: no memory

static inline uint64_t gy_ref_hash(gy_ref ref)
{
    return gy_hash_fold(ref ^ 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull);
}

// It will be asked for soon.
static inline void gy_ref_set_expect(const gy_ref_set *set, gy_ref ref)
{
    if (set->count)
        __builtin_prefetch((const uint64_t *)set->slots.at + (gy_ref_hash(ref) & set->mask));
}

static inline bool gy_ref_set_has(const gy_ref_set *set, gy_ref ref)
{
    const uint64_t *slots = set->slots.at;
    if (!set->count)
        return false;
    for (uint64_t i = gy_ref_hash(ref) & set->mask; slots[i]; i = (i + 1) & set->mask)
        if (slots[i] == ref + 1)
            return true;
    return false;
}

#endif
