// The plain store for many threads: a set of states without ids, each kept as it is.
//
// Fast, and large: nothing is compressed. Each thread appends the states that it finds first to
// chunks of its own; a shared table of 64-bit slots leads to them.
//
//   slot:    [ tag (24 bits of the hash) | position + 1 (40) ]   0: empty; 8 to a line of 64 bytes
//   record:  [ 48 bits of the hash | words (16) ][ the words, padded to 8 bytes ]
//   position: chunk (20 bits), offset in the chunk (20), in units of 8 bytes
//
// The table grows from the hashes in the records, read one behind the other.
//
// One gy_pile_view per thread. States are entered many at a time (gy_pile_add, gy_pile_enter_all),
// so that their memory traffic overlaps. The threads must meet to make room, as for a forest
// (forest.h): gy_pile_note by all, gy_pile_grow by who leads. Hashes and positions stay valid.
#ifndef GYRE_STORE_PILE_H
#define GYRE_STORE_PILE_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/team.h"

#include <string.h>
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#endif

enum { GY_PILE_LINE = 64, GY_PILE_SLOTS = 8, GY_PILE_POSITION_BITS = 40 };
_Static_assert(GY_PILE_POSITION_BITS == 40, "gy_pile_matches masks 24 bits of tag");
enum { GY_PILE_OFFSET_BITS = 20, GY_PILE_MOST_WORDS = (1 << 16) - 1 };

typedef struct gy_pile_chunk {
    uint64_t *at;
    uint64_t used; // of 2^OFFSET_BITS units, when its owner last told (gy_pile_note)
    uint64_t paid; // of these, drawn from the budget; likewise
} gy_pile_chunk;

typedef struct gy_pile {
    gy_budget *budget;
    bool alone, hostile;
    gy_region slots;
    uint64_t lines, tail; // home lines; more behind them
    uint64_t wanted;      // entries
    _Atomic uint64_t count;
    _Atomic bool room_wanted;
    gy_pile_chunk *chunks; // room for 2^20
    _Atomic uint32_t chunk_count;
    uint64_t used;       // growth: bytes of the old table, which have to be cleared
    _Atomic bool failed; // it met a line of hashes that did not fit
} gy_pile;

typedef struct gy_pile_view {
    gy_pile *pile;
    uint32_t chunk; // that this view fills
    bool has_chunk;
    // Of that chunk, as in gy_pile_chunk: here, because other threads read what is next to it
    // there.
    uint64_t *at, used, paid;
    uint64_t entered; // new states not yet told
} gy_pile_view;

// `alone`: one thread only. `hostile`, for tests: the table is tiny and grows at every chance.
gy_pile *gy_pile_new(gy_budget *budget, bool alone, bool hostile);
void gy_pile_free(gy_pile *pile);
uint64_t gy_pile_count(const gy_pile *pile);

void gy_pile_view_init(gy_pile_view *view, gy_pile *pile);
void gy_pile_note(gy_pile_view *view);

bool gy_pile_grow(gy_pile *pile, gy_team *team); // false: no memory

static inline bool gy_pile_wants_room(const gy_pile *pile)
{
    return atomic_load_explicit(&pile->room_wanted, memory_order_relaxed);
}

static inline const uint64_t *gy_pile_record(const gy_pile *pile, uint64_t position)
{
    return pile->chunks[position >> GY_PILE_OFFSET_BITS].at +
           (position & ((1ull << GY_PILE_OFFSET_BITS) - 1));
}

static inline const uint32_t *gy_pile_spell(const gy_pile *pile, uint64_t position, uint32_t *words)
{
    const uint64_t *record = gy_pile_record(pile, position);
    *words = (uint32_t)(record[0] & GY_PILE_MOST_WORDS);
    return (const uint32_t *)(record + 1);
}

// The head of the record of a state: hash and length.
static inline uint64_t gy_pile_head(const uint32_t *state, uint32_t words)
{
    return (gy_hash_state(state, words) & ~(uint64_t)GY_PILE_MOST_WORDS) | words;
}

static inline uint64_t gy_pile_home(const gy_pile *pile, uint64_t head)
{
    return (uint64_t)((unsigned __int128)head * pile->lines >> 64);
}

static inline _Atomic uint64_t *gy_pile_line(const gy_pile *pile, uint64_t line)
{
    return (_Atomic uint64_t *)pile->slots.at + line * GY_PILE_SLOTS;
}

static inline void gy_pile_prefetch(const gy_pile *pile, uint64_t head)
{
    gy_fetch_to_write(gy_pile_line(pile, gy_pile_home(pile, head)));
}

static inline uint64_t gy_pile_tag(uint64_t head)
{
    return head >> 16 << GY_PILE_POSITION_BITS;
}

static inline uint64_t gy_pile_position(uint64_t slot)
{
    return (slot & ((1ull << GY_PILE_POSITION_BITS) - 1)) - 1;
}

// The slots of a line with this tag, as a mask, and in *empty those that are empty. An empty slot
// has tag 0.
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
// The tags are in the upper halves of the slots. As in cleary.h, a slot that is written meanwhile
// is seen as it was before or after.
static inline unsigned gy_pile_matches(const _Atomic uint64_t *line, uint64_t tag, unsigned *empty)
{
    const float *at = (const float *)(const void *)line;
    __m128 a = _mm_load_ps(at), b = _mm_load_ps(at + 4);
    __m128 c = _mm_load_ps(at + 8), d = _mm_load_ps(at + 12);
    // What matches and what is empty must be told from the same reading: no second one.
    __asm__("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d));
    __m128i ab = _mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd));
    __m128i cd = _mm_castps_si128(_mm_shuffle_ps(c, d, 0xdd));
    __m128i mask = _mm_set1_epi32(~0xff), want = _mm_set1_epi32((int)(tag >> 32));
    __m128i match = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_and_si128(ab, mask), want),
                                    _mm_cmpeq_epi32(_mm_and_si128(cd, mask), want));
    __m128i zero = _mm_setzero_si128();
    ab = _mm_or_si128(ab, _mm_castps_si128(_mm_shuffle_ps(a, b, 0x88)));
    cd = _mm_or_si128(cd, _mm_castps_si128(_mm_shuffle_ps(c, d, 0x88)));
    __m128i none = _mm_packs_epi32(_mm_cmpeq_epi32(ab, zero), _mm_cmpeq_epi32(cd, zero));
    unsigned both = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(match, none));
    *empty = both >> GY_PILE_SLOTS;
    return both & ((1u << GY_PILE_SLOTS) - 1);
}
#else
static inline unsigned gy_pile_matches(const _Atomic uint64_t *line, uint64_t tag, unsigned *empty)
{
    unsigned match = 0;
    *empty = 0;
    for (unsigned i = 0; i < GY_PILE_SLOTS; i++) {
        uint64_t slot = atomic_load_explicit(&line[i], memory_order_acquire);
        match |= (unsigned)((slot ^ tag) >> GY_PILE_POSITION_BITS == 0) << i;
        *empty |= (unsigned)(slot == 0) << i;
    }
    return match;
}
#endif

static inline bool gy_pile_is(const gy_pile *pile, uint64_t position, uint64_t head,
                              const uint32_t *state)
{
    const uint64_t *record = gy_pile_record(pile, position);
    if (record[0] != head)
        return false;
    const uint32_t *kept = (const uint32_t *)(record + 1);
    uint32_t words = (uint32_t)head & GY_PILE_MOST_WORDS, i = 0;
    uint64_t differ = 0; // they are the same, as good as always: no need to stop early
    for (; i + 2 <= words; i += 2) {
        uint64_t a, b;
        memcpy(&a, kept + i, sizeof a);
        memcpy(&b, state + i, sizeof b);
        differ |= a ^ b;
    }
    return !differ && (i == words || kept[i] == state[i]);
}

// Is it there, and where?
bool gy_pile_find(const gy_pile *pile, uint64_t head, const uint32_t *state, uint64_t *position);

// States on their way in. Their memory must stay as it is until they are entered.
enum { GY_PILE_BATCH = 128 };
typedef struct gy_pile_batch {
    uint32_t n;
    uint32_t entered; // the first ones
    uint64_t heads[GY_PILE_BATCH];
    const uint32_t *states[GY_PILE_BATCH];
    uint64_t places[GY_PILE_BATCH]; // where each is; first, where one is that seems to be the same
} gy_pile_batch;

static inline void gy_pile_add(gy_pile_batch *batch, const gy_pile *pile, const uint32_t *state,
                               uint32_t words)
{
    uint64_t head = gy_pile_head(state, words);
    gy_pile_prefetch(pile, head);
    batch->heads[batch->n] = head;
    batch->states[batch->n++] = state;
}

static inline void gy_pile_batch_clear(gy_pile_batch *batch)
{
    batch->n = batch->entered = 0;
}

// Enters them; lists in fresh[*n ...] which of them are new. False: no room; once there is some,
// the same call goes on.
bool gy_pile_enter_all(gy_pile_view *view, gy_pile_batch *batch, uint32_t *fresh, uint32_t *n);

#endif
