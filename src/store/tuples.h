// Tuples of one to four words, each kept once, numbered densely: the nodes of the tree stores.
//
// A tuple is handed in and out as two halves of two words each (the first word lowest), zero
// beyond the width of the table, and is kept in one or two halves: so hashing and comparing need
// no branches. Numbers fit 32 bits; a tuple never changes its number.
//
// Representation: open addressing in lines of 64 bytes. A line holds three tuples of two halves or
// five of one, and behind them their numbers, so that a lookup touches one cache line; `places`
// leads from a number back to its tuple.
//
//   line:  [ tuple ][ tuple ][ tuple ]            [ number + 1 ] * 3     0: free, BUSY: being written
//          [ half ][ half ][ half ][ half ][ half ][ number + 1 ] * 5
//
// Threads: any number may look up and add at the same time. A slot is claimed by exchanging its
// number from free to BUSY, then written, then published by storing the number. Nothing is
// ever removed. Only growth needs the table for itself: gy_tuples_add asks for it long before it
// is needed (gy_tuples_want_room) and refuses (GY_TUPLE_NONE) when there is no way without.
#ifndef GYRE_STORE_TUPLES_H
#define GYRE_STORE_TUPLES_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/snapshot.h"

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#endif

enum { GY_TUPLE_WORDS = 4, GY_TUPLE_NONE = UINT32_MAX };

typedef struct gy_tuple {
    uint64_t half[2];
} gy_tuple;

typedef struct gy_tuples {
    gy_region lines, places;
    _Atomic uint64_t count;
    uint64_t mask;   // lines - 1; lines is a power of two, or 0 before the first tuple
    uint64_t wanted; // from this count on, growth is wanted
    uint64_t most;   // no more than these
    uint32_t halves; // kept: 1 or 2
    uint32_t slots;  // of a line: 5 or 3
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

enum { GY_TUPLES_LINE = 64, GY_TUPLES_SLOT_BITS = 3 }; // a place: line << SLOT_BITS | slot

static inline _Atomic uint64_t *gy_tuples_line(const gy_tuples *tuples, uint64_t line)
{
    return (_Atomic uint64_t *)tuples->lines.at + line * (GY_TUPLES_LINE / sizeof(uint64_t));
}

static inline _Atomic uint32_t *gy_tuples_numbers(const gy_tuples *tuples, _Atomic uint64_t *line)
{
    return (_Atomic uint32_t *)(line + tuples->slots * tuples->halves);
}

static inline gy_tuple gy_tuples_get(const gy_tuples *tuples, uint32_t number)
{
    uint32_t place = ((const uint32_t *)tuples->places.at)[number], halves = tuples->halves;
    const _Atomic uint64_t *tuple = gy_tuples_line(tuples, place >> GY_TUPLES_SLOT_BITS) +
                                    (place & ((1u << GY_TUPLES_SLOT_BITS) - 1)) * halves;
    uint64_t mask = -(uint64_t)(halves - 1); // no second half: zero
    return (gy_tuple){{atomic_load_explicit(&tuple[0], memory_order_relaxed),
                       atomic_load_explicit(&tuple[halves - 1], memory_order_relaxed) & mask}};
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
static inline void gy_tuples_prefetch(const gy_tuples *tuples, uint64_t hash)
{
    __builtin_prefetch(gy_tuples_line(tuples, hash & tuples->mask));
}

// Starts fetching what gy_tuples_get will look at, in two steps some time apart.
static inline void gy_tuples_prefetch_number(const gy_tuples *tuples, uint32_t number)
{
    __builtin_prefetch((const uint32_t *)tuples->places.at + number);
}

static inline void gy_tuples_prefetch_tuple(const gy_tuples *tuples, uint32_t number)
{
    uint32_t place = ((const uint32_t *)tuples->places.at)[number];
    __builtin_prefetch(gy_tuples_line(tuples, place >> GY_TUPLES_SLOT_BITS));
}

static inline bool gy_tuples_same(const _Atomic uint64_t *kept, gy_tuple tuple, uint32_t halves)
{
    return atomic_load_explicit(&kept[0], memory_order_relaxed) == tuple.half[0] &&
           (halves == 1 || atomic_load_explicit(&kept[1], memory_order_relaxed) == tuple.half[1]);
}

// The slots of a line that seem to hold a tuple, as a mask: which of them it is can't be foreseen,
// so there are no branches. Others may be writing meanwhile: what was found is looked at again once
// its number is known.
__attribute__((always_inline)) static inline unsigned
gy_tuples_matches(const _Atomic uint64_t *line, gy_tuple tuple, uint32_t halves)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
    const __m128i *at = (const __m128i *)(const void *)line;
    __m128i first = _mm_set1_epi64x((long long)tuple.half[0]), want = first;
    if (halves == 2)
        want = _mm_set_epi64x((long long)tuple.half[1], (long long)tuple.half[0]);
    unsigned match = 0;
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        __m128i same = _mm_cmpeq_epi32(_mm_loadu_si128(at + i), want);
        match |= (unsigned)_mm_movemask_ps(_mm_castsi128_ps(same)) << 4 * i; // by words
    }
    match &= match >> 1; // by halves: bits 0, 2, 4 …
    if (halves == 2)
        match &= match >> 2; // by tuples: bits 0, 4, 8
    return match & (halves == 2 ? 0x111 : 0x155);
#else
    unsigned match = 0;
    for (unsigned i = 0; i < (halves == 2 ? 3 : 5); i++)
        match |= (unsigned)gy_tuples_same(line + i * halves, tuple, halves) << i * 2 * halves;
    return match;
#endif
}

__attribute__((always_inline)) static inline uint32_t
gy_tuples_seek(const gy_tuples *tuples, gy_tuple tuple, uint64_t hash, uint32_t halves,
               uint32_t slots)
{
    for (uint64_t at = hash & tuples->mask;; at = (at + 1) & tuples->mask) {
        _Atomic uint64_t *line = gy_tuples_line(tuples, at);
        const _Atomic uint32_t *numbers = (const _Atomic uint32_t *)(line + slots * halves);
        unsigned match = gy_tuples_matches(line, tuple, halves);
        if (match) {
            unsigned i = (unsigned)__builtin_ctz(match) / (2 * halves);
            uint32_t number = atomic_load_explicit(&numbers[i], memory_order_acquire);
            return number - 1 < GY_TUPLE_NONE - 1 &&
                           gy_tuples_same(line + i * halves, tuple, halves)
                       ? number - 1
                       : GY_TUPLE_NONE;
        }
        if (atomic_load_explicit(&numbers[slots - 1], memory_order_relaxed) == 0)
            return GY_TUPLE_NONE; // slots are filled from the left
    }
}

// `hash` is gy_tuple_hash(tuple). GY_TUPLE_NONE: not there, or just being added.
static inline uint32_t gy_tuples_find(const gy_tuples *tuples, gy_tuple tuple, uint64_t hash)
{
    if (!tuples->most)
        return GY_TUPLE_NONE;
    return tuples->halves == 1 ? gy_tuples_seek(tuples, tuple, hash, 1, 5)
                               : gy_tuples_seek(tuples, tuple, hash, 2, 3);
}

#endif
