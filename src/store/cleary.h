// A set of pairs of numbers that many threads fill at once, in about five bytes per pair.
//
// It keeps less than the pair: where an entry is says part of what it is (a quotient table, after
// J. Cleary, Compact hash tables using bidirectional linear probing, 1984). The pair, as one
// number of key_bits bits, is spread by a bijection on such numbers to h; h / share is the
// home line, h % share the remainder, and only the remainder is stored:
//
//   slot:  [ remainder | lines between home and here (3 bits) ] + 1     0: empty
//
// Lines are 64 bytes: 16 narrow slots of 32 bits or, while the table is so small that remainders
// are long, 8 wide ones. An entry goes to the first free slot from its home line on, at most REACH
// lines away; the few that find none go to the stash, a plain table of whole keys.
//
// Threads: entering is one compare-and-swap on the first free slot; slots are filled from the left
// and never freed, so two threads with the same pair meet in the same slot. Growth needs all
// threads to leave the table alone, and then all of them can do it together: gy_cleary_begin
// by one, gy_cleary_move by all until there is nothing left, gy_cleary_step by one, and
// so on until that says that all is done, gy_cleary_end by one. Home lines are in the order of h:
// so most growth is done in place. What finds no place, not even in the stash, waits in `spilled`
// for a larger stash: nothing is ever lost.
#ifndef GYRE_STORE_CLEARY_H
#define GYRE_STORE_CLEARY_H

#include "store/cache_line.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/vec.h"

#include <pthread.h>

enum { GY_CLEARY_LINE = 64, GY_CLEARY_REACH = 8, GY_CLEARY_MOST_BITS = 60 };

typedef struct gy_cleary_table {
    gy_region slots, stash;
    gy_region notes;            // by position, if there are any
    uint64_t lines;             // home lines; REACH more follow them
    uint64_t share, reciprocal; // see gy_cleary_home
    uint64_t stash_mask;
    uint64_t mask;       // of a key
    uint64_t inverse[2]; // of the multipliers of the bijection
    uint64_t piece;      // lines that are moved at a time
    unsigned left_bits, right_bits, key_bits, shift;
    bool wide;
} gy_cleary_table;

typedef struct gy_cleary_spilled {
    uint64_t h, note;
} gy_cleary_spilled;

typedef struct gy_cleary {
    gy_cleary_table now, old; // old: while growing
    _Atomic uint64_t count;   // entries that views have reported of
    uint64_t wanted;          // from this count on, growth is wanted
    uint64_t least;           // slots of the next table, if there is memory
    _Atomic uint64_t stashed;
    bool in_place;      // growth: there is but one table, and lines
    uint64_t from, to;  // [from, to) of the old one are moved
    uint64_t untouched; // its memory from here on is new, to be touched first; UINT64_MAX: none
    _Atomic uint64_t next_piece; // of these, or of `old`
    pthread_mutex_t spill;       // for `spilled`: keys, and what is noted of them
    GY_VEC(gy_cleary_spilled) spilled;
    gy_budget *budget;
    unsigned note_bytes; // next to each entry: 0, 1, 2, 4 or 8; set before the first one
    bool alone;          // only one thread will ever use it
    bool hostile;
    bool thrifty; // memory counts more than time: grow in small steps
} gy_cleary;

typedef enum { GY_CLEARY_FOUND, GY_CLEARY_NEW, GY_CLEARY_NO_ROOM } gy_cleary_answer;

// A pair on its way in.
typedef struct gy_cleary_key {
    uint64_t line, rest; // home, remainder
} gy_cleary_key;

void gy_cleary_init(gy_cleary *quotient, gy_budget *budget, bool alone, bool hostile);
void gy_cleary_free(gy_cleary *quotient);
// Is growth wanted, for more entries or for numbers up to left and right?
bool gy_cleary_wants_room(const gy_cleary *quotient, uint64_t left, uint64_t right);
// Begins it. False: no memory, and no way to go on without; as it was.
bool gy_cleary_begin(gy_cleary *quotient, uint64_t left, uint64_t right);
bool gy_cleary_move(gy_cleary *quotient); // false: nothing left to do in this step
bool gy_cleary_step(gy_cleary *quotient); // true: there is another step
bool gy_cleary_end(gy_cleary *quotient);  // false: no memory for the stash
// All that, with a team. False: no memory.
bool gy_cleary_grow(gy_cleary *quotient, uint64_t left, uint64_t right, gy_team *team);
// Forgets all entries, and gives their memory back. The next growth makes it nearly as large again.
void gy_cleary_empty(gy_cleary *quotient);
void gy_cleary_forget(gy_cleary *quotient); // all entries; it stays as large as it is

uint64_t gy_cleary_pieces(const gy_cleary *quotient);
// Calls visit for the pairs in piece `piece` of the table; false: there is no such piece.
typedef void gy_cleary_visit(void *user, uint32_t left, uint32_t right);
bool gy_cleary_each(const gy_cleary *quotient, uint64_t piece, gy_cleary_visit *visit, void *user);

// Do these numbers fit? Otherwise growth is needed.
static inline bool gy_cleary_fits(const gy_cleary *quotient, uint32_t left, uint32_t right)
{
    const gy_cleary_table *t = &quotient->now;
    return ((uint64_t)left >> t->left_bits | (uint64_t)right >> t->right_bits) == 0 && t->lines;
}

#define GY_CLEARY_FIRST 0x9e3779b97f4a7c15ull
#define GY_CLEARY_SECOND 0xd6e8feb86659fd93ull
static inline uint64_t gy_cleary_mix(const gy_cleary_table *t, uint64_t key)
{
    key = key * GY_CLEARY_FIRST & t->mask;
    key ^= key >> t->shift;
    key = key * GY_CLEARY_SECOND & t->mask;
    return key ^ key >> t->shift;
}

// h / share and h % share, by a multiplication that may come out one too low.
static inline gy_cleary_key gy_cleary_split(const gy_cleary_table *t, uint64_t h)
{
    uint64_t line = (uint64_t)((unsigned __int128)h * t->reciprocal >> 64);
    uint64_t rest = h - line * t->share;
    if (rest >= t->share) {
        rest -= t->share;
        line++;
    }
    return (gy_cleary_key){line, rest};
}

static inline gy_cleary_key gy_cleary_key_in(const gy_cleary_table *t, uint32_t left,
                                             uint32_t right)
{
    return gy_cleary_split(t, gy_cleary_mix(t, (uint64_t)right << t->left_bits | left));
}

static inline gy_cleary_key gy_cleary_key_of(const gy_cleary *quotient, uint32_t left,
                                             uint32_t right)
{
    return gy_cleary_key_in(&quotient->now, left, right);
}

static inline void gy_cleary_prefetch(const gy_cleary *quotient, const gy_cleary_key *key)
{
    gy_fetch_to_write((const char *)quotient->now.slots.at + key->line * GY_CLEARY_LINE);
}

// One line: FOUND, NEW, or NO_ROOM: it is full of others.
static inline gy_cleary_answer gy_cleary_enter_line(_Atomic uint32_t *slots, uint32_t value,
                                                    bool alone)
{
#ifdef __SSE2__
    __m128i want = _mm_set1_epi32((int)value), zero = _mm_setzero_si128();
    for (;;) {
        gy_line line = gy_line_read(slots);
        __m128i a = line.a, b = line.b, c = line.c, d = line.d;
        __m128i found =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi32(a, want), _mm_cmpeq_epi32(b, want)),
                         _mm_or_si128(_mm_cmpeq_epi32(c, want), _mm_cmpeq_epi32(d, want)));
        if (_mm_movemask_epi8(found))
            return GY_CLEARY_FOUND;
        __m128i ab = _mm_packs_epi32(_mm_cmpeq_epi32(a, zero), _mm_cmpeq_epi32(b, zero));
        __m128i cd = _mm_packs_epi32(_mm_cmpeq_epi32(c, zero), _mm_cmpeq_epi32(d, zero));
        uint32_t empty = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(ab, cd)), none = 0;
        if (!empty)
            return GY_CLEARY_NO_ROOM;
        if (alone) { // no need for an instruction that locks the bus
            atomic_store_explicit(slots + __builtin_ctz(empty), value, memory_order_relaxed);
            return GY_CLEARY_NEW;
        }
        if (atomic_compare_exchange_strong_explicit(slots + __builtin_ctz(empty), &none, value,
                                                    memory_order_relaxed, memory_order_relaxed))
            return GY_CLEARY_NEW;
    }
#else
    (void)alone;
    for (unsigned i = 0; i < GY_CLEARY_LINE / sizeof value; i++) {
        uint32_t there = atomic_load_explicit(&slots[i], memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong_explicit(
                              &slots[i], &there, value, memory_order_relaxed, memory_order_relaxed))
            return GY_CLEARY_NEW;
        if (there == value)
            return GY_CLEARY_FOUND;
    }
    return GY_CLEARY_NO_ROOM;
#endif
}

gy_cleary_answer gy_cleary_enter_beyond(gy_cleary *quotient, const gy_cleary_key *key);

// Is it there? If so, *position (may be NULL) is its slot: below gy_cleary_positions, and no other
// entry's, until the table grows.
bool gy_cleary_find(const gy_cleary *quotient, const gy_cleary_key *key, uint64_t *position);
uint64_t gy_cleary_positions(const gy_cleary_table *table);
// The note of the entry there: zero when it is new; it moves with the entry.
static inline void *gy_cleary_note(const gy_cleary *quotient, uint64_t position)
{
    return (char *)quotient->now.notes.at + position * quotient->note_bytes;
}

// Most searches end in the home line: at an entry that is there, or at the first free slot.
static inline gy_cleary_answer gy_cleary_enter(gy_cleary *quotient, const gy_cleary_key *key)
{
    const gy_cleary_table *t = &quotient->now;
    if (!t->wide) {
        char *line = (char *)t->slots.at + key->line * GY_CLEARY_LINE;
        gy_cleary_answer answer =
            gy_cleary_enter_line((_Atomic uint32_t *)(void *)line,
                                 (uint32_t)(key->rest * GY_CLEARY_REACH + 1), quotient->alone);
        if (answer != GY_CLEARY_NO_ROOM)
            return answer;
    }
    return gy_cleary_enter_beyond(quotient, key);
}

#endif
