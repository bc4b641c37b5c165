// Rows of words, each kept once, numbered densely: the nodes of the tree stores.
//
// All rows of a table have the same length. They are handed in and out in pairs of words (the first
// one lowest), so that hashing and comparing take 64 bits at a time; who has an odd number of words
// fills the last pair up, always in the same way. Numbers fit 32 bits; a row never changes its
// number, and lies where its number says.
//
//   slots:  [ 32 bits of the hash | number + 1 ]     0: free, BUSY: being written; 8 to a line
//   rows:   one after the other, by number
//
// Threads: any number may look up and add at the same time. A slot is claimed by exchanging free
// for BUSY; then the row is written, and published by storing the slot. Nothing is ever removed.
// Only growth needs the table for itself: gy_node_table_add asks for it long before it is needed
// (gy_node_table_want_room) and refuses (GY_ROW_NONE) when there is no way without. A team can
// share it.
#ifndef GYRE_STORE_NODE_TABLE_H
#define GYRE_STORE_NODE_TABLE_H

#include "store/cache_line.h"

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/team.h"

enum { GY_ROW_NONE = UINT32_MAX, GY_NODE_TABLE_SLOTS = 8, GY_ROW_PAIRS = 128 }; // pairs at most

typedef struct gy_node_table {
    gy_region slots, rows;
    uint64_t lines;  // 0 before the first row
    uint64_t wanted; // from this count on, growth is wanted
    uint64_t most;   // no more than these
    uint32_t pairs;  // in a row
    bool hostile;    // for tests: begins tiny, grows often
    char apart[64];  // from what changes with every row: all threads read the rest all the time
    _Atomic uint64_t count;
    char apart_too[64];
} gy_node_table;

void gy_node_table_init(gy_node_table *rows, uint32_t pairs, gy_budget *budget, bool hostile);
void gy_node_table_free(gy_node_table *rows);
// More room; for a thread that has the table to itself, or leads the team (NULL: there is none)
// that has. False: no memory; as it was.
bool gy_node_table_grow(gy_node_table *rows, gy_team *team);
// The number of a row that gy_node_table_find did not find, adding it if it is still not there.
uint32_t gy_node_table_add(gy_node_table *rows, const uint64_t *row, uint64_t hash);
// For a thread that has the table to itself: grows when need be. GY_ROW_NONE: no memory.
uint32_t gy_node_table_intern(gy_node_table *rows, const uint64_t *row, uint64_t hash);
void gy_node_table_save(const gy_node_table *rows, gy_writer *writer);
bool gy_node_table_load(gy_node_table *rows, gy_reader *reader);

static inline uint64_t gy_node_table_count(const gy_node_table *rows)
{
    return atomic_load_explicit(&rows->count, memory_order_relaxed);
}

static inline bool gy_node_table_want_room(const gy_node_table *rows)
{
    return gy_node_table_count(rows) >= rows->wanted;
}

static inline uint64_t *gy_node_table_get(const gy_node_table *rows, uint32_t number)
{
    return (uint64_t *)rows->rows.at + (size_t)number * rows->pairs;
}

static inline _Atomic uint64_t *gy_node_table_line(const gy_node_table *rows, uint64_t line)
{
    return (_Atomic uint64_t *)rows->slots.at + line * GY_NODE_TABLE_SLOTS;
}

// The hash of a row, a pair at a time: h = gy_row_hash(h, pair), beginning with GY_ROW_SEED.
#define GY_ROW_SEED 0x9e3779b97f4a7c15ull
static inline uint64_t gy_row_hash(uint64_t hash, uint64_t pair)
{
    return gy_hash_fold(hash ^ pair, 0xd6e8feb86659fd93ull);
}

static inline uint64_t gy_node_table_home(const gy_node_table *rows, uint64_t hash)
{
    return (uint64_t)((unsigned __int128)hash * rows->lines >> 64);
}

// Starts fetching what gy_node_table_find will examine first.
static inline void gy_node_table_prefetch(const gy_node_table *rows, uint64_t hash)
{
    __builtin_prefetch(gy_node_table_line(rows, gy_node_table_home(rows, hash)));
}

static inline uint64_t
gy_node_table_tag(uint64_t hash) // the lower half: the upper one says which line
{
    return hash << 32;
}

// The slots of a line with this tag, as a mask: which of them it is cannot be foreseen, so there
// are no branches. Others may be writing meanwhile: what was found is examined again.
static inline unsigned gy_node_table_matches(const _Atomic uint64_t *line, uint64_t tag)
{
#ifdef __SSE2__
    gy_line slots = gy_line_read(line);
    __m128i ab = gy_line_uppers(slots.a, slots.b), cd = gy_line_uppers(slots.c, slots.d);
    __m128i want = _mm_set1_epi32((int)(tag >> 32));
    __m128i both = _mm_packs_epi32(_mm_cmpeq_epi32(ab, want), _mm_cmpeq_epi32(cd, want));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(both, _mm_setzero_si128()));
#else
    unsigned match = 0;
    for (unsigned i = 0; i < GY_NODE_TABLE_SLOTS; i++) {
        uint64_t slot = atomic_load_explicit(&line[i], memory_order_relaxed);
        match |= (unsigned)((slot ^ tag) >> 32 == 0) << i;
    }
    return match;
#endif
}

__attribute__((always_inline)) static inline bool gy_row_same(const uint64_t *kept,
                                                              const uint64_t *row, uint32_t pairs)
{
    uint64_t differ = 0;
#pragma GCC unroll 3
    for (uint32_t i = 0; i < pairs; i++)
        differ |= kept[i] ^ row[i];
    return !differ;
}

// Where things are in a table, for loops of lookups: this stays in registers.
typedef struct gy_node_table_where {
    const _Atomic uint64_t *slots;
    const uint64_t *rows;
    uint64_t lines;
} gy_node_table_where;

static inline gy_node_table_where gy_node_table_whereabouts(const gy_node_table *rows)
{
    return (gy_node_table_where){rows->slots.at, rows->rows.at, rows->lines};
}

// gy_node_table_find for a length of rows that the compiler may know.
__attribute__((always_inline)) static inline uint32_t
gy_node_table_seek(gy_node_table_where in, const uint64_t *row, uint64_t hash, uint32_t pairs)
{
    uint64_t tag = gy_node_table_tag(hash);
    if (!in.lines)
        return GY_ROW_NONE;
    for (uint64_t at = (uint64_t)((unsigned __int128)hash * in.lines >> 64);;) {
        const _Atomic uint64_t *line = in.slots + at * GY_NODE_TABLE_SLOTS;
        for (unsigned match = gy_node_table_matches(line, tag); match; match &= match - 1) {
            uint64_t slot = atomic_load_explicit(&line[__builtin_ctz(match)], memory_order_acquire);
            uint32_t number = (uint32_t)slot - 1;
            if (number < GY_ROW_NONE - 1 &&
                gy_row_same(in.rows + (size_t)number * pairs, row, pairs))
                return number;
        }
        if (atomic_load_explicit(&line[GY_NODE_TABLE_SLOTS - 1], memory_order_relaxed) == 0)
            return GY_ROW_NONE; // slots are filled from the left
        at = at + 1 == in.lines ? 0 : at + 1;
    }
}

// GY_ROW_NONE: not there, or just being added.
static inline uint32_t gy_node_table_find(const gy_node_table *rows, const uint64_t *row,
                                          uint64_t hash)
{
    return gy_node_table_seek(gy_node_table_whereabouts(rows), row, hash, rows->pairs);
}

#endif
