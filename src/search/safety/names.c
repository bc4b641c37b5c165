#include "search/safety/names.h"

#include <string.h>

enum { FIRST_SLOTS = 1 << 10, LEAST_SLOTS = 1 << 4 };

void gy_names_init(gy_names *names, gy_budget *budget)
{
    *names = (gy_names){0};
    gy_region_init(&names->slots, budget);
}

void gy_names_free(gy_names *names)
{
    gy_region_free(&names->slots);
}

void gy_names_clear(gy_names *names)
{
    if (names->count)
        memset(names->slots.at, 0, (names->mask + 1) * sizeof(gy_names_slot));
    names->count = 0;
}

// Only as many slots as are going to be used are cleared.
bool gy_names_begin(gy_names *names, uint64_t expected)
{
    uint64_t slots = LEAST_SLOTS;
    while (slots < 2 * expected + 2)
        slots *= 2;
    if (!gy_region_reserve(&names->slots, slots * sizeof(gy_names_slot)))
        return false;
    memset(names->slots.at, 0, slots * sizeof(gy_names_slot));
    names->mask = slots - 1;
    names->count = 0;
    return true;
}

static void put(gy_names *names, gy_names_slot slot)
{
    gy_names_slot *slots = names->slots.at;
    uint64_t i = gy_hash_pair(slot.name - 1, (uintptr_t)slot.wood) & names->mask;
    while (slots[i].name)
        i = (i + 1) & names->mask;
    slots[i] = slot;
    names->count++;
}

static bool grow(gy_names *names)
{
    gy_names larger;
    gy_names_init(&larger, names->slots.budget);
    larger.mask = names->slots.at ? names->mask * 2 + 1 : FIRST_SLOTS - 1;
    if (!gy_region_resize(&larger.slots, (larger.mask + 1) * sizeof(gy_names_slot)))
        return false;
    const gy_names_slot *slots = names->slots.at;
    for (uint64_t i = 0; slots && i <= names->mask; i++)
        if (slots[i].name)
            put(&larger, slots[i]);
    gy_region_free(&names->slots);
    *names = larger;
    return true;
}

bool gy_names_add(gy_names *names, const void *wood, uint64_t name)
{
    if (names->count >= names->mask / 2 && !grow(names))
        return false;
    gy_names_slot *slots = names->slots.at;
    uint64_t i = gy_hash_pair(name, (uintptr_t)wood) & names->mask;
    while (slots[i].name && (slots[i].name != name + 1 || slots[i].wood != wood))
        i = (i + 1) & names->mask;
    names->count += !slots[i].name;
    slots[i] = (gy_names_slot){wood, name + 1};
    return true;
}
