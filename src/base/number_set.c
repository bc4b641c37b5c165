#include "base/number_set.h"

#include <string.h>

enum { FIRST_SLOTS = 1 << 10, LEAST_SLOTS = 1 << 4 };

void gy_number_set_init(gy_number_set *set, gy_budget *budget)
{
    *set = (gy_number_set){0};
    gy_region_init(&set->slots, budget);
}

void gy_number_set_free(gy_number_set *set)
{
    gy_region_free(&set->slots);
}

void gy_number_set_clear(gy_number_set *set)
{
    if (set->count)
        memset(set->slots.at, 0, (set->mask + 1) * sizeof(uint64_t));
    set->count = 0;
}

// Only as many slots as are going to be used are cleared.
bool gy_number_set_begin(gy_number_set *set, uint64_t expected)
{
    uint64_t slots = LEAST_SLOTS;
    while (slots < 2 * expected + 2)
        slots *= 2;
    if (!gy_region_reserve(&set->slots, slots * sizeof(uint64_t)))
        return false;
    memset(set->slots.at, 0, slots * sizeof(uint64_t));
    set->mask = slots - 1;
    set->count = 0;
    return true;
}

// The slot of a number, or the free one where it belongs.
static uint64_t *seek(const gy_number_set *set, uint64_t number)
{
    uint64_t *slots = set->slots.at, i = gy_number_set_hash(number) & set->mask;
    while (slots[i] && slots[i] != number + 1)
        i = (i + 1) & set->mask;
    return &slots[i];
}

static bool grow(gy_number_set *set)
{
    gy_number_set larger;
    gy_number_set_init(&larger, set->slots.budget);
    larger.mask = set->slots.at ? set->mask * 2 + 1 : FIRST_SLOTS - 1;
    larger.count = set->count;
    if (!gy_region_resize(&larger.slots, (larger.mask + 1) * sizeof(uint64_t)))
        return false;
    const uint64_t *slots = set->slots.at;
    for (uint64_t i = 0; slots && i <= set->mask; i++)
        if (slots[i])
            *seek(&larger, slots[i] - 1) = slots[i];
    gy_region_free(&set->slots);
    *set = larger;
    return true;
}

bool gy_number_set_add(gy_number_set *set, uint64_t number)
{
    if (set->count >= set->mask / 2 && !grow(set))
        return false;
    uint64_t *slot = seek(set, number);
    set->count += !*slot;
    *slot = number + 1;
    return true;
}
