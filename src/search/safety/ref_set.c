#include "search/safety/ref_set.h"

#include <string.h>

enum { FIRST_SLOTS = 1 << 10, LEAST_SLOTS = 1 << 4 };

void gy_ref_set_init(gy_ref_set *set, gy_budget *budget)
{
    *set = (gy_ref_set){0};
    gy_region_init(&set->slots, budget);
}

void gy_ref_set_free(gy_ref_set *set)
{
    gy_region_free(&set->slots);
}

void gy_ref_set_clear(gy_ref_set *set)
{
    if (set->count)
        memset(set->slots.at, 0, (set->mask + 1) * sizeof(uint64_t));
    set->count = 0;
}

// Only as many slots as are going to be used are cleared.
bool gy_ref_set_begin(gy_ref_set *set, uint64_t expected)
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

// The slot of a reference, or the free one where it belongs.
static uint64_t *seek(const gy_ref_set *set, gy_ref ref)
{
    uint64_t *slots = set->slots.at, i = gy_ref_hash(ref) & set->mask;
    while (slots[i] && slots[i] != ref + 1)
        i = (i + 1) & set->mask;
    return &slots[i];
}

static bool grow(gy_ref_set *set)
{
    gy_ref_set larger;
    gy_ref_set_init(&larger, set->slots.budget);
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

bool gy_ref_set_add(gy_ref_set *set, gy_ref ref)
{
    if (set->count >= set->mask / 2 && !grow(set))
        return false;
    uint64_t *slot = seek(set, ref);
    set->count += !*slot;
    *slot = ref + 1;
    return true;
}
