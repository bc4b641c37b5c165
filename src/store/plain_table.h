// The table of the plain store (plain_table.c says what is where), how states enter it
// (plain_enter.c), and how it grows (plain_grow.c).
// Private to src/store/plain_*.c.
#ifndef GYRE_STORE_PLAIN_TABLE_H
#define GYRE_STORE_PLAIN_TABLE_H

#include "store/cache_line.h"
#include "store/methods.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

enum { GY_PLAIN_LINE = 64, GY_PLAIN_SLOTS = 8, GY_PLAIN_POSITION_BITS = 40 };
enum { GY_PLAIN_OFFSET_BITS = 20, GY_PLAIN_MOST_WORDS = (1 << 16) - 1 };
#define GY_PLAIN_CHUNK_UNITS ((uint64_t)1 << GY_PLAIN_OFFSET_BITS)
#define GY_PLAIN_CHUNK_BYTES (GY_PLAIN_CHUNK_UNITS * 8)

typedef struct gy_plain_chunk {
    uint64_t *at;
    uint64_t used; // of 2^OFFSET_BITS units, when its owner last reported
    uint64_t paid; // of these, drawn from the budget; likewise
} gy_plain_chunk;

typedef struct gy_plain {
    gy_store head;
    gy_region slots;
    uint64_t lines, tail; // home lines; more after them
    uint64_t wanted;      // entries
    uint32_t first_word;  // of a record: where the state begins
    _Atomic uint64_t count;
    gy_plain_chunk *chunks; // room for 2^20
    _Atomic uint32_t chunk_count;
    uint64_t used;       // growth: bytes of the old table, which have to be cleared
    _Atomic bool failed; // it met a line of hashes that did not fit
    bool large_pages;    // for records
} gy_plain;

typedef struct gy_plain_view {
    gy_store_view head;
    uint32_t chunk; // that this view fills
    bool has_chunk;
    // Of that chunk, as in gy_plain_chunk: here, because other threads read what is next to it
    // there.
    uint64_t *at, used, paid;
    uint64_t told;    // new states not yet reported
    uint32_t entered; // of those under way, the first ones
    uint32_t length;  // of all that are under way; 0: they are not of one length
    uint64_t heads[GY_STORE_BATCH];
    const uint32_t *states[GY_STORE_BATCH];
    const uint64_t *records[GY_STORE_BATCH]; // that may be theirs
    uint32_t held;                           // the first ones are copies, in `copies`
    uint32_t copy_at[GY_STORE_BATCH];
    GY_VEC(uint32_t) copies;
} gy_plain_view;

// plain_enter.c
void gy_plain_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                  const gy_arrivals *arrivals);
bool gy_plain_enter(gy_store_view *view);

// Room for a record at the end of the view's chunk. False: no memory.
bool gy_plain_make_room(gy_plain_view *v, uint64_t units);
bool gy_plain_grow(gy_store *store, gy_team *team);
void gy_plain_save(const gy_store *store, gy_writer *writer);
bool gy_plain_load(gy_store *store, gy_reader *reader);
bool gy_plain_holds(const gy_store *store, gy_ref ref);
uint64_t *gy_plain_map_chunk(const gy_plain *p, uint32_t number); // NULL: the system has no more

static inline uint32_t gy_plain_words(uint64_t head)
{
    return (uint32_t)head & GY_PLAIN_MOST_WORDS;
}

static inline uint64_t gy_plain_count(const gy_plain *p)
{
    return atomic_load_explicit(&p->count, memory_order_relaxed);
}

static inline uint32_t gy_plain_chunks(const gy_plain *p)
{
    return atomic_load_explicit(&p->chunk_count, memory_order_relaxed);
}

static inline uint64_t *gy_plain_record(const gy_plain *p, uint64_t position)
{
    return p->chunks[position >> GY_PLAIN_OFFSET_BITS].at + (position & (GY_PLAIN_CHUNK_UNITS - 1));
}

static inline uint64_t gy_plain_units(const gy_plain *p, uint32_t words) // of a record
{
    return ((uint64_t)p->first_word + words + 1) / 2;
}

// The head of the record of a state: hash and length.
static inline uint64_t gy_plain_head(const uint32_t *state, uint32_t words)
{
    return (gy_hash_state(state, words) & ~(uint64_t)GY_PLAIN_MOST_WORDS) | words;
}

static inline uint64_t gy_plain_home(const gy_plain *p, uint64_t head)
{
    return (uint64_t)((unsigned __int128)head * p->lines >> 64);
}

static inline _Atomic uint64_t *gy_plain_line(const gy_plain *p, uint64_t line)
{
    return (_Atomic uint64_t *)p->slots.at + line * GY_PLAIN_SLOTS;
}

static inline void gy_plain_prefetch(const gy_plain *p, uint64_t head)
{
    gy_fetch_to_write(gy_plain_line(p, gy_plain_home(p, head)));
}

static inline uint64_t gy_plain_tag(uint64_t head)
{
    return head >> 16 << GY_PLAIN_POSITION_BITS;
}

static inline uint64_t gy_plain_position(uint64_t slot)
{
    return (slot & ((1ull << GY_PLAIN_POSITION_BITS) - 1)) - 1;
}

// Sets a slot that was free a moment ago; *there: what is in it, if it is not any more.
static inline bool gy_plain_claim(const gy_plain *p, _Atomic uint64_t *slot, uint64_t *there,
                                  uint64_t value)
{
    if (p->head.alone) { // no need for an instruction that locks the bus
        atomic_store_explicit(slot, value, memory_order_relaxed);
        return true;
    }
    return atomic_compare_exchange_strong_explicit(slot, there, value, memory_order_acq_rel,
                                                   memory_order_acquire);
}

// The slots of a line with this tag, as a mask, and in *empty those that are empty (NULL: nothing
// wants to know). An empty slot has tag 0. The tags are in the upper halves of the slots.
__attribute__((always_inline)) static inline unsigned
gy_plain_matches(const _Atomic uint64_t *slots, uint64_t tag, unsigned *empty)
{
#ifdef __SSE2__
    gy_line line = gy_line_read(slots);
    __m128i ab = gy_line_uppers(line.a, line.b), cd = gy_line_uppers(line.c, line.d);
    __m128i mask = _mm_set1_epi32(~0xff), want = _mm_set1_epi32((int)(tag >> 32));
    _Static_assert(GY_PLAIN_POSITION_BITS == 40, "24 bits of tag");
    __m128i match = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_and_si128(ab, mask), want),
                                    _mm_cmpeq_epi32(_mm_and_si128(cd, mask), want));
    __m128i zero = _mm_setzero_si128();
    if (!empty)
        return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(match, zero));
    ab = _mm_or_si128(ab, gy_line_lowers(line.a, line.b));
    cd = _mm_or_si128(cd, gy_line_lowers(line.c, line.d));
    __m128i none = _mm_packs_epi32(_mm_cmpeq_epi32(ab, zero), _mm_cmpeq_epi32(cd, zero));
    unsigned both = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(match, none));
    *empty = both >> GY_PLAIN_SLOTS;
    return both & ((1u << GY_PLAIN_SLOTS) - 1);
#else
    unsigned match = 0, none = 0;
    for (unsigned i = 0; i < GY_PLAIN_SLOTS; i++) {
        uint64_t slot = atomic_load_explicit(&slots[i], memory_order_acquire);
        match |= (unsigned)((slot ^ tag) >> GY_PLAIN_POSITION_BITS == 0) << i;
        none |= (unsigned)(slot == 0) << i;
    }
    if (empty)
        *empty = none;
    return match;
#endif
}

// Is this the record of a state with this head? It has so many words: inlined where that is known.
__attribute__((always_inline)) static inline bool
gy_plain_record_is(const uint64_t *record, uint64_t head, const uint32_t *state,
                   const uint32_t *kept, const uint32_t words)
{
    if (record[0] != head)
        return false;
    uint32_t i = 0;
    uint64_t differ = 0; // they are the same, as good as always: no need to stop early
#pragma GCC unroll 8
    for (; i + 2 <= words; i += 2) {
        uint64_t a, b;
        memcpy(&a, kept + i, sizeof a);
        memcpy(&b, state + i, sizeof b);
        differ |= a ^ b;
    }
    return !(i < words ? differ | (kept[i] ^ state[i]) : differ);
}

static inline bool gy_plain_is(const gy_plain *p, uint64_t position, uint64_t head,
                               const uint32_t *state)
{
    const uint64_t *record = gy_plain_record(p, position);
    return gy_plain_record_is(record, head, state, (const uint32_t *)record + p->first_word,
                              gy_plain_words(head));
}

#endif
