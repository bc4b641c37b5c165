#include "store/tuples.h"

#include <string.h>

#define BUSY UINT32_MAX

enum { FIRST_LINES = 16, HOSTILE_LINES = 2 };

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile)
{
    *tuples = (gy_tuples){.halves = width <= 2 ? 1 : 2, .hostile = hostile};
    tuples->slots = tuples->halves == 1 ? 5 : 3;
    gy_region_init(&tuples->lines, budget);
    gy_region_init(&tuples->places, budget);
}

void gy_tuples_free(gy_tuples *tuples)
{
    gy_region_free(&tuples->lines);
    gy_region_free(&tuples->places);
}

static void put(gy_tuples *tuples, uint64_t at, uint32_t slot, gy_tuple tuple, uint32_t number)
{
    _Atomic uint64_t *line = gy_tuples_line(tuples, at);
    for (uint32_t h = 0; h < tuples->halves; h++)
        atomic_store_explicit(&line[slot * tuples->halves + h], tuple.half[h],
                              memory_order_relaxed);
    ((uint32_t *)tuples->places.at)[number] = (uint32_t)(at << GY_TUPLES_SLOT_BITS | slot);
    atomic_store_explicit(&gy_tuples_numbers(tuples, line)[slot], number + 1, memory_order_release);
}

// Into the first free slot of a table that nobody else uses.
static void put_again(gy_tuples *tuples, gy_tuple tuple, uint32_t number)
{
    for (uint64_t at = gy_tuple_hash(tuple) & tuples->mask;; at = (at + 1) & tuples->mask) {
        const _Atomic uint32_t *numbers = gy_tuples_numbers(tuples, gy_tuples_line(tuples, at));
        for (uint32_t i = 0; i < tuples->slots; i++)
            if (!atomic_load_explicit(&numbers[i], memory_order_relaxed)) {
                put(tuples, at, i, tuple, number);
                return;
            }
    }
}

bool gy_tuples_grow(gy_tuples *tuples)
{
    uint64_t lines = (tuples->mask + 1) * 2, count = gy_tuples_count(tuples);
    if (!tuples->most)
        lines = tuples->hostile ? HOSTILE_LINES : FIRST_LINES;
    gy_tuples larger = *tuples;
    larger.mask = lines - 1;
    larger.wanted = lines * tuples->slots * 3 / 4;
    larger.most = lines * tuples->slots * 7 / 8;
    if (lines > 1ull << (32 - GY_TUPLES_SLOT_BITS) ||
        !gy_region_resize(&tuples->places, larger.most * sizeof(uint32_t)))
        return false;
    gy_region_init(&larger.lines, tuples->lines.budget);
    if (!gy_region_resize(&larger.lines, lines * GY_TUPLES_LINE))
        return false;
    larger.places = tuples->places;
    for (uint64_t number = 0; number < count; number++)
        put_again(&larger, gy_tuples_get(tuples, (uint32_t)number), (uint32_t)number);
    gy_region_free(&tuples->lines);
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
    if (!tuples->most)
        return GY_TUPLE_NONE;
    for (uint64_t at = gy_tuple_hash(tuple) & tuples->mask;; at = (at + 1) & tuples->mask) {
        _Atomic uint64_t *line = gy_tuples_line(tuples, at);
        _Atomic uint32_t *numbers = gy_tuples_numbers(tuples, line);
        for (uint32_t i = 0; i < tuples->slots; i++) {
            uint32_t number = atomic_load_explicit(&numbers[i], memory_order_acquire);
            if (number == 0 && atomic_compare_exchange_strong_explicit(&numbers[i], &number, BUSY,
                                                                       memory_order_acquire,
                                                                       memory_order_acquire)) {
                uint32_t mine = take_number(tuples);
                if (mine == GY_TUPLE_NONE)
                    atomic_store_explicit(&numbers[i], 0, memory_order_release);
                else
                    put(tuples, at, i, tuple, mine);
                return mine;
            }
            while (number == BUSY)
                number = atomic_load_explicit(&numbers[i], memory_order_acquire);
            if (number == 0) // whoever claimed it found the table full
                return GY_TUPLE_NONE;
            if (gy_tuples_same(line + i * halves, tuple, halves))
                return number - 1;
        }
    }
}

uint32_t gy_tuples_intern(gy_tuples *tuples, gy_tuple tuple)
{
    uint32_t number = gy_tuples_find(tuples, tuple, gy_tuple_hash(tuple));
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
