// A set of numbers of 64 bits, in memory that a budget counts, for one thread at a time to fill and
// many to ask: references of states, hashes. Open addressing with linear probing, at most half
// full.
//
// map.h is for keys that the user keeps, and for numbers of 32 bits.
#ifndef GYRE_BASE_NUMBER_SET_H
#define GYRE_BASE_NUMBER_SET_H

#include "base/hash.h"
#include "base/memory.h"

typedef struct gy_number_set {
    gy_region slots; // of numbers, plus one: 0 is free
    uint64_t count, mask;
} gy_number_set;

void gy_number_set_init(gy_number_set *set, gy_budget *budget);
void gy_number_set_free(gy_number_set *set);
void gy_number_set_clear(gy_number_set *set);
// Clears; there will be so many. False: no memory.
bool gy_number_set_begin(gy_number_set *set, uint64_t expected);
// Any number but UINT64_MAX. False: no memory.
bool gy_number_set_add(gy_number_set *set, uint64_t number);

static inline uint64_t gy_number_set_hash(uint64_t number)
{
    return gy_hash_fold(number ^ 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull);
}

// It will be asked for soon.
static inline void gy_number_set_expect(const gy_number_set *set, uint64_t number)
{
    if (set->count)
        __builtin_prefetch((const uint64_t *)set->slots.at +
                           (gy_number_set_hash(number) & set->mask));
}

static inline bool gy_number_set_has(const gy_number_set *set, uint64_t number)
{
    const uint64_t *slots = set->slots.at;
    if (!set->count)
        return false;
    for (uint64_t i = gy_number_set_hash(number) & set->mask; slots[i]; i = (i + 1) & set->mask)
        if (slots[i] == number + 1)
            return true;
    return false;
}

#endif
