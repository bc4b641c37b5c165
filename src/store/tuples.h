// Tuples of one to four words, each kept once, numbered densely: the nodes of the tree stores.
//
// A tuple is handed in and out as two halves of two words each (the first word lowest), zero
// beyond the width of the table, and is kept in one or two halves: so hashing and comparing need
// no branches. Numbers fit 32 bits; a tuple never changes its number.
//
// Representation: open addressing. A slot holds the tuple itself and its number, so that a lookup
// touches one cache line; `slot_of` leads from a number back to the slot.
//
//   slot:  [ half ][ half, if there are two ][ number + 1 | 0 empty | BUSY being written ]
//
// Threads: any number may look up and add at the same time. A slot is claimed by exchanging its
// last field from empty to BUSY, then written, then published by storing the number. Nothing is
// ever removed. Only growth needs the table for itself: gy_tuples_add asks for it long before it
// is needed (`wants_room`) and refuses (GY_TUPLE_NONE) when there is no way without.
#ifndef GYRE_STORE_TUPLES_H
#define GYRE_STORE_TUPLES_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/snapshot.h"

enum { GY_TUPLE_WORDS = 4, GY_TUPLE_NONE = UINT32_MAX };

typedef struct gy_tuple {
    uint64_t half[2];
} gy_tuple;

typedef struct gy_tuples {
    gy_region slots, slot_of;
    _Atomic uint64_t count;
    uint64_t mask;   // slots - 1; slots is a power of two, or 0 before the first tuple
    uint64_t wanted; // from this count on, growth is wanted
    uint64_t most;   // no more than these
    uint32_t halves; // kept: 1 or 2
    bool hostile;    // for tests: begins tiny, grows often
} gy_tuples;

void gy_tuples_init(gy_tuples *tuples, uint32_t width, gy_budget *budget, bool hostile);
void gy_tuples_free(gy_tuples *tuples);
// Twice the room; for a thread that has the table to itself. False: no memory; as it was.
bool gy_tuples_grow(gy_tuples *tuples);
// The number of a tuple that gy_tuples_find did not find, adding it if it is still not there.
uint32_t gy_tuples_add(gy_tuples *tuples, gy_tuple tuple);
// For a thread that has the table to itself: grows when need be. GY_TUPLE_NONE: no memory.
uint32_t gy_tuples_intern(gy_tuples *tuples, gy_tuple tuple);
void gy_tuples_save(const gy_tuples *tuples, gy_writer *writer);
bool gy_tuples_load(gy_tuples *tuples, gy_reader *reader);

static inline uint64_t gy_tuples_count(const gy_tuples *tuples)
{
    return atomic_load_explicit(&tuples->count, memory_order_relaxed);
}

static inline bool gy_tuples_want_room(const gy_tuples *tuples)
{
    return gy_tuples_count(tuples) >= tuples->wanted;
}

// Slots are arrays of halves + 1 atomic numbers; plain reads of the halves are safe once the
// number was read with acquire.
static inline _Atomic uint64_t *gy_tuples_slot(const gy_tuples *tuples, uint64_t slot)
{
    return (_Atomic uint64_t *)tuples->slots.at + slot * (tuples->halves + 1);
}

static inline gy_tuple gy_tuples_get(const gy_tuples *tuples, uint32_t number)
{
    const _Atomic uint64_t *slot =
        gy_tuples_slot(tuples, ((const uint32_t *)tuples->slot_of.at)[number]);
    uint64_t mask = -(uint64_t)(tuples->halves - 1); // no second half: zero
    return (gy_tuple){
        {atomic_load_explicit(&slot[0], memory_order_relaxed),
         atomic_load_explicit(&slot[tuples->halves - 1], memory_order_relaxed) & mask}};
}

static inline uint32_t gy_tuple_word(gy_tuple tuple, unsigned i)
{
    return (uint32_t)(tuple.half[i / 2] >> i % 2 * 32);
}

static inline uint64_t gy_tuple_hash(gy_tuple tuple)
{
    return gy_hash_fold(tuple.half[0] ^ 0x9e3779b97f4a7c15ull,
                        tuple.half[1] ^ 0xd6e8feb86659fd93ull);
}

// Starts fetching what gy_tuples_find will look at.
static inline void gy_tuples_prefetch(const gy_tuples *tuples, gy_tuple tuple)
{
    __builtin_prefetch(gy_tuples_slot(tuples, gy_tuple_hash(tuple) & tuples->mask));
}

// Starts fetching what gy_tuples_get will look at, in two steps some time apart.
static inline void gy_tuples_prefetch_number(const gy_tuples *tuples, uint32_t number)
{
    __builtin_prefetch((const uint32_t *)tuples->slot_of.at + number);
}

static inline void gy_tuples_prefetch_tuple(const gy_tuples *tuples, uint32_t number)
{
    __builtin_prefetch(gy_tuples_slot(tuples, ((const uint32_t *)tuples->slot_of.at)[number]));
}

// GY_TUPLE_NONE: not there, or just being added.
static inline uint32_t gy_tuples_find(const gy_tuples *tuples, gy_tuple tuple)
{
    if (!tuples->mask)
        return GY_TUPLE_NONE;
    uint64_t i = gy_tuple_hash(tuple) & tuples->mask;
    uint32_t halves = tuples->halves;
    for (;; i = (i + 1) & tuples->mask) {
        const _Atomic uint64_t *slot = gy_tuples_slot(tuples, i);
        uint64_t number = atomic_load_explicit(&slot[halves], memory_order_acquire);
        if (number - 1 >= GY_TUPLE_NONE)
            return GY_TUPLE_NONE;
        if (atomic_load_explicit(&slot[0], memory_order_relaxed) == tuple.half[0] &&
            (halves == 1 || atomic_load_explicit(&slot[1], memory_order_relaxed) == tuple.half[1]))
            return (uint32_t)(number - 1);
    }
}

#endif
