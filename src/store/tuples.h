// Tuples of one to four words, each kept once, numbered densely: the nodes of the tree store.
//
// Representation: an array of tuples by number, and an index from hashes to numbers. A tuple
// never moves to another number. Numbers fit 32 bits; a table that needs more is full.
// A tuple is handed in and out as two halves of two words each (the first word lowest), zero
// beyond the width of the table, and is kept in one or two halves: so hashing and comparing need
// no branches.
#ifndef GYRE_STORE_TUPLES_H
#define GYRE_STORE_TUPLES_H

#include "store/index.h"

enum { GY_TUPLE_WORDS = 4, GY_TUPLE_NONE = UINT32_MAX };

typedef struct gy_tuple {
    uint64_t half[2];
} gy_tuple;

typedef struct gy_tuples {
    gy_region data;
    gy_index index;
    uint64_t count;
    uint32_t halves; // kept: 1 or 2
} gy_tuples;

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile);
void gy_tuples_free(gy_tuples *tuples);
// The number of a tuple, GY_TUPLE_NONE if it is new and there is no memory
// for it.
uint32_t gy_tuples_intern(gy_tuples *tuples, gy_tuple tuple);
void gy_tuples_save(const gy_tuples *tuples, gy_writer *writer);
bool gy_tuples_load(gy_tuples *tuples, gy_reader *reader);

static inline const uint64_t *gy_tuples_at(const gy_tuples *tuples, uint32_t number)
{
    return (const uint64_t *)tuples->data.at + (size_t)number * tuples->halves;
}

static inline gy_tuple gy_tuples_get(const gy_tuples *tuples, uint32_t number)
{
    const uint64_t *kept = gy_tuples_at(tuples, number);
    uint64_t mask = -(uint64_t)(tuples->halves - 1); // no second half: zero
    return (gy_tuple){{kept[0], kept[tuples->halves - 1] & mask}};
}

static inline uint32_t gy_tuple_word(gy_tuple tuple, unsigned i)
{
    return (uint32_t)(tuple.half[i / 2] >> i % 2 * 32);
}

#endif
