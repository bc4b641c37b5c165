#include "store/signatures.h"

#include "store/cache_line.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    REACH = 4,
    REACH_BITS = 2,
    WORDS = GY_SIGNATURE_LINE / 4,
    FEWEST_SLOTS = 10,
    MOST_SLOTS = 14,
    LEAST_STASH = 64,
    STASH_SHARE = 26, // slots of the lines for each one of the stash
};

// The head of a line.
enum { COUNT = 15, LOCKED = 16, HEAD_BITS = 5 };

typedef struct line {
    _Alignas(GY_SIGNATURE_LINE) _Atomic uint32_t words[WORDS];
} line;

static unsigned bits_beyond(unsigned slots)
{
    return (32 * (WORDS - slots) - HEAD_BITS) / slots;
}

// REACH * 2^60 / lines <= 2^bits
static uint64_t least_lines(unsigned slots)
{
    return (uint64_t)REACH << (GY_SIGNATURE_BITS - 32 - bits_beyond(slots));
}

static unsigned slots_for(uint64_t lines)
{
    unsigned slots = MOST_SLOTS;
    while (slots > FEWEST_SLOTS && lines < least_lines(slots))
        slots--;
    return slots;
}

static void set_lines(gy_signatures *set, uint64_t lines)
{
    set->lines = lines;
    set->slots = slots_for(lines);
    set->more_bits = bits_beyond(set->slots);
}

static uint64_t all_lines(uint64_t lines)
{
    return lines + REACH - 1;
}

static line *line_at(const gy_signatures *set, uint64_t number)
{
    return (line *)set->memory.at + number;
}

static uint32_t get_word(const line *l, unsigned i)
{
    return atomic_load_explicit(&l->words[i], memory_order_relaxed);
}

static void set_word(line *l, unsigned i, uint32_t value)
{
    atomic_store_explicit(&l->words[i], value, memory_order_relaxed);
}

// ---- slots ------------------------------------------------------------------------------

// The bits of a slot beyond 32. They may be in two words.
static inline uint32_t get_more(const gy_signatures *set, const line *l, unsigned slot)
{
    unsigned bit = HEAD_BITS + slot * set->more_bits, word = set->slots + bit / 32;
    uint64_t two = get_word(l, word);
    if (word + 1 < WORDS)
        two |= (uint64_t)get_word(l, word + 1) << 32;
    return (uint32_t)(two >> bit % 32) & ((1u << set->more_bits) - 1);
}

// Fills slot `slot`; the head, which is free bits of it, is `head`. Returns what it is then.
__attribute__((always_inline)) static inline uint32_t put(const gy_signatures *set, line *l, unsigned slot, uint32_t head, uint64_t low)
{
    unsigned bit = HEAD_BITS + slot * set->more_bits, word = set->slots + bit / 32;
    uint64_t more = low >> 32 << bit % 32;
    set_word(l, slot, (uint32_t)low);
    if (word == set->slots)
        head |= (uint32_t)more;
    else
        set_word(l, word, get_word(l, word) | (uint32_t)more);
    if (more >> 32)
        set_word(l, word + 1, get_word(l, word + 1) | (uint32_t)(more >> 32));
    return head + 1;
}

static uint64_t low_of(const gy_signatures *set, uint64_t signature)
{
    return signature & ((1ull << (32 + set->more_bits)) - 1);
}

// The words of a line that are `value`, as bits.
static uint32_t words_that_are(const line *l, uint32_t value)
{
#ifdef __SSE2__
    __m128i want = _mm_set1_epi32((int)value);
    gy_line all = gy_line_read(l);
    __m128i ab = _mm_packs_epi32(_mm_cmpeq_epi32(all.a, want), _mm_cmpeq_epi32(all.b, want));
    __m128i cd = _mm_packs_epi32(_mm_cmpeq_epi32(all.c, want), _mm_cmpeq_epi32(all.d, want));
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(ab, cd));
#else
    uint32_t found = 0;
    for (unsigned i = 0; i < WORDS; i++)
        found |= (uint32_t)(get_word(l, i) == value) << i;
    return found;
#endif
}

// Is it in one of the first `count` slots?
__attribute__((always_inline)) static inline bool is_in(const gy_signatures *set, const line *l, uint64_t low, unsigned count)
{
    uint32_t found = words_that_are(l, (uint32_t)low) & ((1u << count) - 1);
    for (; found; found &= found - 1)
        if (get_more(set, l, (unsigned)__builtin_ctz(found)) == low >> 32)
            return true;
    return false;
}

static uint32_t head_of(const gy_signatures *set, const line *l)
{
    return atomic_load_explicit(&l->words[set->slots], memory_order_acquire);
}

typedef enum { HERE, FULL_LINE, FREE_SLOT } look_answer;

static look_answer look(const gy_signatures *set, const line *l, uint64_t low, uint32_t *head)
{
    *head = head_of(set, l);
    if (is_in(set, l, low, *head & COUNT))
        return HERE;
    return (*head & COUNT) == set->slots ? FULL_LINE : FREE_SLOT;
}

// Into the next free slot of a line whose head was `head` when it was read.
static look_answer fill(const gy_signatures *set, line *l, uint64_t low, uint32_t head)
{
    _Atomic uint32_t *at = &l->words[set->slots];
    uint32_t seen = head & COUNT;
    if (set->alone) {
        atomic_store_explicit(at, put(set, l, seen, head, low), memory_order_relaxed);
        return FREE_SLOT;
    }
    head &= ~(uint32_t)LOCKED;
    while (!atomic_compare_exchange_weak_explicit(at, &head, head | LOCKED, memory_order_acquire,
                                                  memory_order_relaxed))
        head &= ~(uint32_t)LOCKED; // another thread is writing: soon over
    look_answer answer = FREE_SLOT;
    if ((head & COUNT) != seen && is_in(set, l, low, head & COUNT))
        answer = HERE;
    else if ((head & COUNT) == set->slots)
        answer = FULL_LINE;
    if (answer == FREE_SLOT)
        head = put(set, l, head & COUNT, head, low);
    atomic_store_explicit(at, head, memory_order_release);
    return answer;
}

// ---- the stash --------------------------------------------------------------------------

static uint64_t stash_start(const gy_signatures *set, uint64_t signature)
{
    return (uint64_t)((unsigned __int128)gy_hash_number(signature) * set->stash_room >> 64);
}

// Some slots stay free, so that a search for what is not there ends.
static uint64_t most_stashed(const gy_signatures *set)
{
    return set->stash_room - set->stash_room / 16;
}

bool gy_signatures_crowded(const gy_signatures *set)
{
    return atomic_load_explicit(&set->stashed, memory_order_relaxed) >= most_stashed(set);
}

// A slot is counted before it is taken, however many threads come at once.
static gy_signature_answer enter_stash(gy_signatures *set, uint64_t signature)
{
    uint64_t value = signature + 1;
    bool counted = false;
    gy_signature_answer answer = GY_SIGNATURE_FOUND;
    for (uint64_t i = stash_start(set, signature);; i = i + 1 < set->stash_room ? i + 1 : 0) {
        uint64_t there = atomic_load_explicit(&set->stash[i], memory_order_relaxed);
        if (!there && !counted) {
            counted = true;
            if (atomic_fetch_add_explicit(&set->stashed, 1, memory_order_relaxed) >=
                most_stashed(set)) {
                answer = GY_SIGNATURE_NO_ROOM;
                break;
            }
        }
        if (!there &&
            atomic_compare_exchange_strong_explicit(&set->stash[i], &there, value,
                                                    memory_order_relaxed, memory_order_relaxed))
            return GY_SIGNATURE_NEW;
        if (there == value)
            break;
    }
    if (counted)
        atomic_fetch_sub_explicit(&set->stashed, 1, memory_order_relaxed);
    return answer;
}

static bool is_in_stash(const gy_signatures *set, uint64_t signature)
{
    for (uint64_t i = stash_start(set, signature);; i = i + 1 < set->stash_room ? i + 1 : 0) {
        uint64_t there = atomic_load_explicit(&set->stash[i], memory_order_relaxed);
        if (!there || there == signature + 1)
            return there != 0;
    }
}

static void free_stash(gy_signatures *set)
{
    gy_budget_give(set->budget, set->stash_got);
    free(set->stash);
    set->stash = NULL;
    set->stash_got = 0;
}

// An empty one. It is small, and must be there when entries have been moved half way: it is made
// even if the budget says no.
static void new_stash(gy_signatures *set, uint64_t room)
{
    uint64_t bytes = room * sizeof *set->stash;
    set->stash = gy_alloc_zero(bytes);
    set->stash_room = room;
    set->stash_got = gy_budget_take(set->budget, bytes) ? bytes : 0;
    atomic_store_explicit(&set->stashed, 0, memory_order_relaxed);
}

static uint64_t stash_room_for(const gy_signatures *set)
{
    return set->lines * set->slots / STASH_SHARE + LEAST_STASH;
}

// ---- entering ---------------------------------------------------------------------------

gy_signature_answer gy_signatures_enter(gy_signatures *set, uint64_t signature)
{
    uint64_t low = low_of(set, signature);
    line *l = line_at(set, gy_signature_home(set, signature));
    for (unsigned i = 0; i < REACH; i++, l++) {
        uint32_t head;
        look_answer answer = look(set, l, low, &head);
        if (answer == FREE_SLOT) {
            answer = fill(set, l, low, head);
            if (answer == FREE_SLOT)
                return GY_SIGNATURE_NEW;
        }
        if (answer == HERE)
            return GY_SIGNATURE_FOUND;
    }
    return enter_stash(set, signature);
}

bool gy_signatures_has(const gy_signatures *set, uint64_t signature)
{
    uint64_t low = low_of(set, signature);
    const line *l = line_at(set, gy_signature_home(set, signature));
    for (unsigned i = 0; i < REACH; i++, l++) {
        uint32_t head;
        look_answer answer = look(set, l, low, &head);
        if (answer != FULL_LINE)
            return answer == HERE;
    }
    return is_in_stash(set, signature);
}

// ---- growth -----------------------------------------------------------------------------
//
// In place, from the last line to the first: lines behind the one that is emptied have been, and
// what was in it goes to one of them.

typedef GY_VEC(uint64_t) signature_list;

// home * 2^60 / lines, rounded down and what is left, for one home after the other.
typedef struct bound {
    uint64_t lines, share, share_left; // 2^60 / lines
    uint64_t quotient, left;
} bound;

static bound bound_of(uint64_t lines, uint64_t home)
{
    unsigned __int128 all = (unsigned __int128)home << GY_SIGNATURE_BITS;
    uint64_t one = 1ull << GY_SIGNATURE_BITS;
    return (bound){lines, one / lines, one % lines, (uint64_t)(all / lines),
                   (uint64_t)(all % lines)};
}

static void step_back(bound *b)
{
    b->quotient -= b->share + (b->left < b->share_left);
    b->left += (b->left < b->share_left ? b->lines : 0) - b->share_left;
}

// Takes all signatures out of a line; none is less than `least`.
static inline unsigned take_out(const gy_signatures *set, uint64_t number, uint64_t least,
                                uint64_t *signatures)
{
    line *l = line_at(set, number);
    unsigned n = get_word(l, set->slots) & COUNT;
    uint64_t mask = (1ull << (32 + set->more_bits)) - 1;
    for (unsigned i = 0; i < n; i++) {
        uint64_t low = (uint64_t)get_more(set, l, i) << 32 | get_word(l, i);
        signatures[i] = least + ((low - least) & mask);
    }
    memset((void *)l, 0, sizeof *l);
    return n;
}

// What is not there, by one thread. False: the lines that it may go to are full.
__attribute__((always_inline)) static inline bool move_in(const gy_signatures *set, uint64_t signature)
{
    line *l = line_at(set, gy_signature_home(set, signature));
    for (unsigned i = 0; i < REACH; i++, l++) {
        uint32_t head = get_word(l, set->slots);
        if ((head & COUNT) < set->slots) {
            set_word(l, set->slots, put(set, l, head & COUNT, head, low_of(set, signature)));
            return true;
        }
    }
    return false;
}

static void move_lines(const gy_signatures *set, const gy_signatures *before, signature_list *late)
{
    const gy_signatures now = *set, old = *before; // copies: in registers
    bound least = bound_of(old.lines, old.lines - 1);
    for (uint64_t i = all_lines(old.lines); i-- > 0;) {
        // The least signature whose home is this line or one of those before it that reach it.
        uint64_t signatures[MOST_SLOTS];
        unsigned n = take_out(&old, i, least.quotient + (least.left > 0), signatures);
        if (i >= REACH)
            step_back(&least);
        for (unsigned k = 0; k < n; k++)
            if (gy_signature_home(&now, signatures[k]) < i || !move_in(&now, signatures[k]))
                gy_vec_push(late, signatures[k]);
    }
}

// A stash for all of these that find no slot.
static void stash_late(gy_signatures *set, const signature_list *late)
{
    size_t left = 0;
    for (size_t i = 0; i < late->n; i++)
        if (!move_in(set, late->at[i]))
            late->at[left++] = late->at[i];
    uint64_t room = stash_room_for(set);
    new_stash(set, room > left * 2 ? room : left * 2);
    for (size_t i = 0; i < left; i++)
        enter_stash(set, late->at[i]);
}

bool gy_signatures_grow(gy_signatures *set, uint64_t lines)
{
    gy_signatures old = *set;
    signature_list late = {0};
    if (!gy_region_resize(&set->memory, all_lines(lines) * GY_SIGNATURE_LINE))
        return false;
    old.memory = set->memory;
    set_lines(set, lines);
    move_lines(set, &old, &late);
    for (uint64_t i = 0; i < set->stash_room; i++)
        if (set->stash[i])
            gy_vec_push(&late, set->stash[i] - 1);
    free_stash(set);
    stash_late(set, &late);
    gy_vec_free(&late);
    return true;
}

uint64_t gy_signatures_capacity(const gy_signatures *set, unsigned percent)
{
    return set->lines * set->slots * percent / 100;
}

// ---- life -------------------------------------------------------------------------------

bool gy_signatures_init(gy_signatures *set, gy_budget *budget, bool alone)
{
    *set = (gy_signatures){.budget = budget, .alone = alone};
    gy_region_init(&set->memory, budget);
    set_lines(set, least_lines(FEWEST_SLOTS));
    if (!gy_region_resize(&set->memory, all_lines(set->lines) * GY_SIGNATURE_LINE))
        return false;
    new_stash(set, stash_room_for(set));
    return true;
}

void gy_signatures_free(gy_signatures *set)
{
    gy_region_free(&set->memory);
    free_stash(set);
}

void gy_signatures_save(const gy_signatures *set, gy_writer *writer)
{
    gy_write_u64(writer, set->lines);
    gy_write_u64(writer, set->stash_room);
    gy_write(writer, set->stash, set->stash_room * sizeof *set->stash);
    gy_write_region(writer, &set->memory, all_lines(set->lines) * GY_SIGNATURE_LINE);
}

static bool read_stash(gy_signatures *set, gy_reader *reader, uint64_t room)
{
    uint64_t stashed = 0;
    free_stash(set);
    new_stash(set, room);
    if (!gy_read(reader, set->stash, room * sizeof *set->stash))
        return false;
    for (uint64_t i = 0; i < room; i++) {
        stashed += set->stash[i] != 0;
        if (set->stash[i] > 1ull << GY_SIGNATURE_BITS)
            return false;
    }
    atomic_store_explicit(&set->stashed, stashed, memory_order_relaxed);
    return stashed <= most_stashed(set);
}

// Nothing in it is an index but the numbers of filled slots.
bool gy_signatures_load(gy_signatures *set, gy_reader *reader)
{
    uint64_t lines = gy_read_u64(reader), room = gy_read_u64(reader);
    if (gy_reader_failed(reader) || lines < least_lines(FEWEST_SLOTS) ||
        lines > gy_reader_left(reader) / GY_SIGNATURE_LINE || room < LEAST_STASH ||
        room > gy_reader_left(reader) / sizeof *set->stash || !read_stash(set, reader, room) ||
        !gy_read_region(reader, &set->memory) ||
        set->memory.room < all_lines(lines) * GY_SIGNATURE_LINE)
        return false;
    set_lines(set, lines);
    for (uint64_t i = 0; i < all_lines(lines); i++) {
        uint32_t head = get_word(line_at(set, i), set->slots);
        if ((head & COUNT) > set->slots || head & LOCKED)
            return false;
    }
    return true;
}
