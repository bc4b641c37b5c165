#include "store/tuples.h"

#include <string.h>

#define BUSY UINT64_MAX

enum { FIRST_SLOTS = 64, HOSTILE_SLOTS = 8 };

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile)
{
    *tuples = (gy_tuples){.halves = width <= 2 ? 1 : 2, .hostile = hostile};
    gy_region_init(&tuples->slots, budget);
    gy_region_init(&tuples->slot_of, budget);
}

void gy_tuples_free(gy_tuples *tuples)
{
    gy_region_free(&tuples->slots);
    gy_region_free(&tuples->slot_of);
}

// The first slot for a hash that is free, in a table that nobody else uses.
static uint64_t free_slot(const gy_tuples *tuples, uint64_t hash)
{
    uint64_t i = hash & tuples->mask;
    while (atomic_load_explicit(&gy_tuples_slot(tuples, i)[tuples->halves], memory_order_relaxed))
        i = (i + 1) & tuples->mask;
    return i;
}

static void put(gy_tuples *tuples, uint64_t i, gy_tuple tuple, uint32_t number)
{
    _Atomic uint64_t *slot = gy_tuples_slot(tuples, i);
    for (uint32_t h = 0; h < tuples->halves; h++)
        atomic_store_explicit(&slot[h], tuple.half[h], memory_order_relaxed);
    ((uint32_t *)tuples->slot_of.at)[number] = (uint32_t)i;
    atomic_store_explicit(&slot[tuples->halves], (uint64_t)number + 1, memory_order_release);
}

bool gy_tuples_grow(gy_tuples *tuples)
{
    uint64_t slots = (tuples->mask + 1) * 2, count = gy_tuples_count(tuples);
    if (!tuples->mask)
        slots = tuples->hostile ? HOSTILE_SLOTS : FIRST_SLOTS;
    gy_tuples larger = *tuples;
    larger.mask = slots - 1;
    larger.wanted = slots / 4 * 3;
    larger.most = slots / 8 * 7;
    if (slots > (uint64_t)1 << 32 || // slot_of
        !gy_region_resize(&tuples->slot_of, larger.most * sizeof(uint32_t)))
        return false;
    gy_region_init(&larger.slots, tuples->slots.budget);
    if (!gy_region_resize(&larger.slots, slots * (tuples->halves + 1) * sizeof(uint64_t)))
        return false;
    larger.slot_of = tuples->slot_of;
    for (uint64_t number = 0; number < count; number++) {
        gy_tuple tuple = gy_tuples_get(tuples, (uint32_t)number);
        put(&larger, free_slot(&larger, gy_tuple_hash(tuple)), tuple, (uint32_t)number);
    }
    gy_region_free(&tuples->slots);
    *tuples = larger;
    return true;
}

// A number for a tuple that is being added; GY_TUPLE_NONE: none is left.
static uint32_t take_number(gy_tuples *tuples)
{
    uint64_t count = gy_tuples_count(tuples);
    do
        if (count >= tuples->most)
            return GY_TUPLE_NONE;
    while (!atomic_compare_exchange_weak_explicit(&tuples->count, &count, count + 1,
                                                  memory_order_relaxed, memory_order_relaxed));
    return (uint32_t)count;
}

uint32_t gy_tuples_add(gy_tuples *tuples, gy_tuple tuple)
{
    uint32_t halves = tuples->halves;
    if (!tuples->mask)
        return GY_TUPLE_NONE;
    for (uint64_t i = gy_tuple_hash(tuple) & tuples->mask;; i = (i + 1) & tuples->mask) {
        _Atomic uint64_t *slot = gy_tuples_slot(tuples, i);
        uint64_t number = atomic_load_explicit(&slot[halves], memory_order_acquire);
        if (number == 0 &&
            atomic_compare_exchange_strong_explicit(&slot[halves], &number, BUSY,
                                                    memory_order_acquire, memory_order_acquire)) {
            uint32_t mine = take_number(tuples);
            if (mine == GY_TUPLE_NONE)
                atomic_store_explicit(&slot[halves], 0, memory_order_release);
            else
                put(tuples, i, tuple, mine);
            return mine;
        }
        while (number == BUSY)
            number = atomic_load_explicit(&slot[halves], memory_order_acquire);
        if (number == 0) { // whoever claimed it found the table full
            return GY_TUPLE_NONE;
        }
        if (atomic_load_explicit(&slot[0], memory_order_relaxed) == tuple.half[0] &&
            (halves == 1 || atomic_load_explicit(&slot[1], memory_order_relaxed) == tuple.half[1]))
            return (uint32_t)(number - 1);
    }
}

uint32_t gy_tuples_intern(gy_tuples *tuples, gy_tuple tuple)
{
    uint32_t number = gy_tuples_find(tuples, tuple);
    if (number != GY_TUPLE_NONE)
        return number;
    if (gy_tuples_want_room(tuples) && !gy_tuples_grow(tuples) &&
        gy_tuples_count(tuples) >= tuples->most)
        return GY_TUPLE_NONE;
    return gy_tuples_add(tuples, tuple);
}

// ---- files ----------------------------------------------------------------------------

void gy_tuples_save(const gy_tuples *tuples, gy_writer *writer)
{
    uint64_t count = gy_tuples_count(tuples);
    gy_write_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        gy_tuple tuple = gy_tuples_get(tuples, (uint32_t)i);
        gy_write(writer, tuple.half, tuples->halves * sizeof tuple.half[0]);
    }
}

bool gy_tuples_load(gy_tuples *tuples, gy_reader *reader)
{
    uint64_t count = gy_read_u64(reader);
    if (gy_reader_failed(reader) || count > gy_reader_left(reader))
        return false;
    for (uint64_t i = 0; i < count && !gy_reader_failed(reader); i++) {
        gy_tuple tuple = {{0, 0}};
        gy_read(reader, tuple.half, tuples->halves * sizeof tuple.half[0]);
        if (gy_tuples_intern(tuples, tuple) != i)
            return false;
    }
    return !gy_reader_failed(reader);
}
