#include "store/cleary.h"

#include "base/hash.h"

#include <string.h>

// Tables grow fast while they are small; larger ones grow by less, which wastes less.
enum {
    NARROW_SLOTS = 16,
    WIDE_SLOTS = 8,
    FIRST_LINES = 16,
    HOSTILE_LINES = 1,
    SMALL = 1 << 17,
    LARGE = 1 << 20,
};
enum { HOSTILE_SMALL = 2000 };
enum { LEAST_PIECE = 1 << 8, MOST_PIECE = 1 << 15 }; // whole pages; the latter: two megabytes
enum { NARROW_REST_BITS = 28, SLACK_BITS = 8, FEWEST_BITS = 6, STASH_SHARE = 64 };

static unsigned slots_of(const gy_cleary_table *t)
{
    return t->wide ? WIDE_SLOTS : NARROW_SLOTS;
}

static uint64_t all_lines(const gy_cleary_table *t)
{
    return t->lines + GY_CLEARY_REACH;
}

// ---- making tables ----------------------------------------------------------------------

static unsigned bits_for(uint64_t numbers)
{
    unsigned bits = FEWEST_BITS;
    while (numbers >> bits)
        bits++;
    return bits;
}

// The inverse of an odd number modulo 2^64, by Newton's iteration.
static uint64_t invert(uint64_t odd)
{
    uint64_t x = odd;
    for (unsigned i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static void set_bijection(gy_cleary_table *t)
{
    t->key_bits = t->left_bits + t->right_bits;
    t->shift = (t->key_bits + 1) / 2;
    t->mask = (1ull << t->key_bits) - 1;
    t->inverse[0] = invert(GY_CLEARY_FIRST);
    t->inverse[1] = invert(GY_CLEARY_SECOND);
}

static uint64_t unmix(const gy_cleary_table *t, uint64_t h)
{
    h ^= h >> t->shift;
    h = h * t->inverse[1] & t->mask;
    h ^= h >> t->shift;
    return h * t->inverse[0] & t->mask;
}

static void free_table(gy_cleary_table *t)
{
    gy_region_free(&t->slots);
    gy_region_free(&t->stash);
    gy_region_free(&t->notes);
    t->lines = 0;
}

// As many lines as `entries` need, narrow if that many lines leave short enough remainders.
static void plan_table(gy_cleary_table *t, gy_budget *budget, uint64_t entries, bool hostile)
{
    gy_region_init(&t->slots, budget);
    gy_region_init(&t->stash, budget);
    gy_region_init(&t->notes, budget);
    set_bijection(t);
    for (unsigned wide = 0; wide < 2; wide++) {
        t->wide = wide;
        t->lines = entries / slots_of(t) + (hostile ? HOSTILE_LINES : FIRST_LINES);
        t->share = ((1ull << t->key_bits) + t->lines - 1) / t->lines;
        if (t->share < 2) {
            t->share = 2;
            t->lines = 1ull << (t->key_bits - 1);
        }
        if (t->share < (1ull << 32) / GY_CLEARY_REACH)
            break;
    }
    t->reciprocal = UINT64_MAX / t->share;
    t->piece = t->lines / 64;
    t->piece = t->piece < LEAST_PIECE ? LEAST_PIECE : t->piece;
    t->piece = t->piece > MOST_PIECE ? MOST_PIECE : t->piece / LEAST_PIECE * LEAST_PIECE;
    t->stash_mask = 15;
    while (t->stash_mask + 1 < entries / STASH_SHARE)
        t->stash_mask = t->stash_mask * 2 + 1;
}

static bool make_table(gy_cleary_table *t, unsigned note_bytes)
{
    return gy_region_fill(&t->slots, all_lines(t) * GY_CLEARY_LINE) &&
           gy_region_resize(&t->stash, (t->stash_mask + 1) * sizeof(uint64_t)) &&
           (!note_bytes || gy_region_resize(&t->notes, gy_cleary_positions(t) * note_bytes));
}

void gy_cleary_init(gy_cleary *quotient, gy_budget *budget, bool alone, bool hostile)
{
    *quotient = (gy_cleary){.budget = budget, .alone = alone, .hostile = hostile};
    gy_region_init(&quotient->now.slots, budget);
    gy_region_init(&quotient->now.stash, budget);
    gy_region_init(&quotient->now.notes, budget);
    gy_region_init(&quotient->old.slots, budget);
    gy_region_init(&quotient->old.stash, budget);
    gy_region_init(&quotient->old.notes, budget);
    pthread_mutex_init(&quotient->spill, NULL);
}

void gy_cleary_free(gy_cleary *quotient)
{
    pthread_mutex_destroy(&quotient->spill);
    gy_vec_free(&quotient->spilled);
    free_table(&quotient->now);
    free_table(&quotient->old);
}

void gy_cleary_empty(gy_cleary *quotient)
{
    gy_cleary_table *t = &quotient->now;
    // A little less than it had: what made it full may be that others need memory.
    quotient->least = t->lines * slots_of(t) / 8 * 7;
    free_table(t);
    quotient->wanted = 0;
    quotient->spilled.n = 0;
    atomic_store_explicit(&quotient->count, 0, memory_order_relaxed);
    atomic_store_explicit(&quotient->stashed, 0, memory_order_relaxed);
}

void gy_cleary_forget(gy_cleary *quotient)
{
    gy_cleary_table *t = &quotient->now;
    if (!t->lines)
        return;
    memset(t->slots.at, 0, all_lines(t) * GY_CLEARY_LINE);
    memset(t->stash.at, 0, (t->stash_mask + 1) * sizeof(uint64_t));
    if (quotient->note_bytes)
        memset(t->notes.at, 0, gy_cleary_positions(t) * quotient->note_bytes);
    quotient->spilled.n = 0;
    atomic_store_explicit(&quotient->count, 0, memory_order_relaxed);
    atomic_store_explicit(&quotient->stashed, 0, memory_order_relaxed);
}

// ---- entering ---------------------------------------------------------------------------

// Where the search for an entry of the stash begins. Remainders alone are few in a large table: all
// entries would crowd together.
static uint64_t stash_start(const gy_cleary_table *t, const gy_cleary_key *key)
{
    return gy_hash_number(key->line * t->share + key->rest) & t->stash_mask;
}

// Keys are kept whole, plus one. A place is counted before it is taken, so that some stay free
// however many threads come at once: a search for what is not there ends at a free one.
static gy_cleary_answer enter_stash(gy_cleary *quotient, const gy_cleary_key *key)
{
    gy_cleary_table *t = &quotient->now;
    _Atomic uint64_t *stash = t->stash.at;
    uint64_t h = key->line * t->share + key->rest, value = h + 1;
    uint64_t most = t->stash_mask / 4 * 3 + 1;
    gy_cleary_answer answer = GY_CLEARY_FOUND;
    bool counted = false;
    for (uint64_t i = stash_start(t, key);; i = (i + 1) & t->stash_mask) {
        uint64_t there = atomic_load_explicit(&stash[i], memory_order_relaxed);
        if (there == 0 && !counted) {
            counted = true;
            if (atomic_fetch_add_explicit(&quotient->stashed, 1, memory_order_relaxed) >= most) {
                answer = GY_CLEARY_NO_ROOM;
                break;
            }
        }
        if (there == 0 && atomic_compare_exchange_strong_explicit(
                              &stash[i], &there, value, memory_order_relaxed, memory_order_relaxed))
            return GY_CLEARY_NEW;
        if (there == value)
            break;
    }
    if (counted)
        atomic_fetch_sub_explicit(&quotient->stashed, 1, memory_order_relaxed);
    return answer;
}

static gy_cleary_answer enter_wide(_Atomic uint64_t *slots, uint64_t value)
{
    for (unsigned i = 0; i < WIDE_SLOTS; i++) {
        uint64_t there = atomic_load_explicit(&slots[i], memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong_explicit(
                              &slots[i], &there, value, memory_order_relaxed, memory_order_relaxed))
            return GY_CLEARY_NEW;
        if (there == value)
            return GY_CLEARY_FOUND;
    }
    return GY_CLEARY_NO_ROOM;
}

// The home line, if its slots are wide, and those after it.
gy_cleary_answer gy_cleary_enter_beyond(gy_cleary *quotient, const gy_cleary_key *key)
{
    const gy_cleary_table *t = &quotient->now;
    for (unsigned away = !t->wide; away < GY_CLEARY_REACH; away++) {
        char *line = (char *)t->slots.at + (key->line + away) * GY_CLEARY_LINE;
        uint64_t value = key->rest * GY_CLEARY_REACH + away + 1;
        gy_cleary_answer answer = t->wide ? enter_wide((_Atomic uint64_t *)(void *)line, value)
                                          : gy_cleary_enter_line((_Atomic uint32_t *)(void *)line,
                                                                 (uint32_t)value, quotient->alone);
        if (answer != GY_CLEARY_NO_ROOM)
            return answer;
    }
    return enter_stash(quotient, key);
}

// ---- looking ----------------------------------------------------------------------------

static uint64_t value_at(const gy_cleary_table *t, uint64_t position)
{
    return t->wide ? atomic_load_explicit((_Atomic uint64_t *)t->slots.at + position,
                                          memory_order_relaxed)
                   : atomic_load_explicit((_Atomic uint32_t *)t->slots.at + position,
                                          memory_order_relaxed);
}

uint64_t gy_cleary_positions(const gy_cleary_table *t)
{
    return all_lines(t) * slots_of(t) + t->stash_mask + 1;
}

static bool find_in_stash(const gy_cleary_table *t, const gy_cleary_key *key, uint64_t *at)
{
    const _Atomic uint64_t *stash = t->stash.at;
    uint64_t value = key->line * t->share + key->rest + 1, there;
    for (uint64_t i = stash_start(t, key);; i = (i + 1) & t->stash_mask) {
        there = atomic_load_explicit(&stash[i], memory_order_relaxed);
        *at = all_lines(t) * slots_of(t) + i;
        if (!there || there == value)
            return there != 0;
    }
}

bool gy_cleary_find(const gy_cleary *quotient, const gy_cleary_key *key, uint64_t *position)
{
    const gy_cleary_table *t = &quotient->now;
    uint64_t at = key->line * slots_of(t), unused;
    if (!position)
        position = &unused;
    for (unsigned away = 0; away < GY_CLEARY_REACH; away++)
        for (unsigned i = 0; i < slots_of(t); i++, at++) {
            uint64_t there = value_at(t, at);
            *position = at;
            if (!there || there == key->rest * GY_CLEARY_REACH + away + 1)
                return there != 0;
        }
    return find_in_stash(t, key, position);
}

// ---- reading back -----------------------------------------------------------------------

// Calls visit for every h in lines [from, to) of a table, in order of the lines, and says where.
typedef void visit_h(void *user, uint64_t h, uint64_t position);

// Inlined with `visit`: moving is most of what growth costs.
__attribute__((always_inline)) static inline void
each_in_lines(const gy_cleary_table *t, uint64_t from, uint64_t to, visit_h *visit, void *user)
{
    for (uint64_t line = from; line < to; line++) {
        const char *at = (const char *)t->slots.at + line * GY_CLEARY_LINE;
        for (unsigned i = 0; i < slots_of(t); i++) {
            uint64_t value = t->wide ? ((const uint64_t *)(const void *)at)[i]
                                     : ((const uint32_t *)(const void *)at)[i];
            if (!value)
                break;
            value--;
            visit(user, (line - value % GY_CLEARY_REACH) * t->share + value / GY_CLEARY_REACH,
                  line * slots_of(t) + i);
        }
    }
}

static void each_in_stash(const gy_cleary_table *t, visit_h *visit, void *user)
{
    const uint64_t *stash = t->stash.at;
    for (uint64_t i = 0; i <= t->stash_mask; i++)
        if (stash[i])
            visit(user, stash[i] - 1, all_lines(t) * slots_of(t) + i);
}

// The last piece is the stash.
__attribute__((always_inline)) static inline bool
each_in_piece(const gy_cleary_table *t, uint64_t piece, visit_h *visit, void *user)
{
    uint64_t from = piece * t->piece, end = all_lines(t);
    if (!t->lines || from >= end + t->piece)
        return false;
    if (from >= end)
        each_in_stash(t, visit, user);
    else
        each_in_lines(t, from, from + t->piece < end ? from + t->piece : end, visit, user);
    return true;
}

uint64_t gy_cleary_pieces(const gy_cleary *quotient)
{
    const gy_cleary_table *t = &quotient->now;
    return t->lines ? (all_lines(t) + t->piece - 1) / t->piece + 1 : 0;
}

typedef struct reading {
    const gy_cleary_table *table;
    gy_cleary_visit *visit;
    void *user;
} reading;

static void read_one(void *user, uint64_t h, uint64_t position)
{
    const reading *r = user;
    (void)position;
    uint64_t key = unmix(r->table, h), mask = (1ull << r->table->left_bits) - 1;
    r->visit(r->user, (uint32_t)(key & mask), (uint32_t)(key >> r->table->left_bits));
}

bool gy_cleary_each(const gy_cleary *quotient, uint64_t piece, gy_cleary_visit *visit, void *user)
{
    reading r = {&quotient->now, visit, user};
    return each_in_piece(&quotient->now, piece, read_one, &r);
}

// ---- growth -----------------------------------------------------------------------------

static uint64_t count_of(const gy_cleary *quotient)
{
    return atomic_load_explicit(&quotient->count, memory_order_relaxed);
}

static bool same_keys(const gy_cleary_table *a, const gy_cleary_table *b)
{
    return a->left_bits == b->left_bits && a->right_bits == b->right_bits;
}

static bool keys_fit(const gy_cleary_table *t, uint64_t left, uint64_t right)
{
    return bits_for(left) <= t->left_bits && bits_for(right) <= t->right_bits;
}

bool gy_cleary_wants_room(const gy_cleary *quotient, uint64_t left, uint64_t right)
{
    const gy_cleary_table *t = &quotient->now;
    uint64_t stashed = atomic_load_explicit(&quotient->stashed, memory_order_relaxed);
    return !t->lines || count_of(quotient) >= quotient->wanted || !keys_fit(t, left, right) ||
           stashed > t->stash_mask / 2;
}

// How full a table of so many slots becomes: fuller if it is large, for the sake of memory.
static uint64_t most_in(uint64_t slots)
{
    return slots * (slots < LARGE ? 16 : 17) / 20;
}

// Slots for the entries there are and as many more as pay.
static uint64_t room_for_more(const gy_cleary *quotient)
{
    uint64_t count = count_of(quotient);
    if (quotient->hostile)
        return count < HOSTILE_SMALL ? count + count / 4 + 16 : count * 2;
    uint64_t then = count < SMALL ? count * 4 : count + count * 2 / 5;
    if (quotient->thrifty && count >= 2 * SMALL)
        then = count + count / 4;
    return count < LARGE ? then / 16 * 20 : then / 17 * 20;
}

// The slots of the next table. If neither the count nor the keys are the reason, it is that some
// place is crowded and the stash is full: a table as large as this one would be as crowded.
static uint64_t room_for(const gy_cleary *quotient, bool same_keys_do)
{
    const gy_cleary_table *now = &quotient->now;
    uint64_t room = room_for_more(quotient), slots = now->lines * slots_of(now);
    if (!now->lines && room < quotient->least)
        room = quotient->least;
    if (same_keys_do && count_of(quotient) < quotient->wanted)
        slots += slots / 4;
    return room > slots ? room : slots;
}

// No memory for a larger table: fill this one as far as it goes.
static bool make_do(gy_cleary *quotient, const gy_cleary_table *larger)
{
    gy_cleary_table *now = &quotient->now;
    uint64_t last = now->lines * slots_of(now) / 100 * 94;
    if (!now->lines || !same_keys(now, larger) || quotient->wanted >= last)
        return false;
    quotient->wanted = last;
    return true;
}

// Keys as long as narrow slots can hold them in a table for so many entries, so that they need not
// become longer soon: that moves every entry to another place. If they cannot be narrow: a little
// longer than is needed now. False: too long.
static bool choose_bits(gy_cleary_table *t, unsigned left, unsigned right, uint64_t entries)
{
    unsigned all = left + right, most = NARROW_REST_BITS;
    for (uint64_t lines = entries / NARROW_SLOTS + 1; lines > 1; lines /= 2)
        most++;
    if (most < all + 2)
        most = all + SLACK_BITS;
    if (most > GY_CLEARY_MOST_BITS)
        most = GY_CLEARY_MOST_BITS;
    if (most < all)
        return false;
    t->left_bits = left + (most - all) / 2;
    t->right_bits = most - t->left_bits;
    return true;
}

static void begin_with(gy_cleary *quotient, const gy_cleary_table *larger)
{
    quotient->now = *larger;
    quotient->wanted = most_in(larger->lines * slots_of(larger));
    atomic_store_explicit(&quotient->stashed, 0, memory_order_relaxed);
    atomic_store_explicit(&quotient->next_piece, 0, memory_order_relaxed);
}

// ---- growth in place --------------------------------------------------------------------
//
// With keys of the same length, entries stay in order: what is in line i moves to about line
// i * ratio. So the table can grow where it is, from the end on, in steps: lines [from, to) are
// emptied, and what was in them goes to lines from `to` on, all emptied before. That takes no
// second table, and no memory that was never touched but what is new after the old end. Notes,
// which are small, go to new memory.

enum { REST = 256 }; // the first lines are moved at once

// The lowest line from which on everything goes to line `to` or beyond.
static uint64_t step_from(const gy_cleary *quotient, uint64_t to)
{
    return to <= REST ? 0 : to * quotient->now.share / quotient->old.share + GY_CLEARY_REACH + 2;
}

static bool begin_in_place(gy_cleary *quotient, gy_cleary_table *larger)
{
    gy_cleary_table *now = &quotient->now;
    if (!same_keys(now, larger) || now->wide || larger->wide || now->lines < 2 * REST ||
        larger->lines / 11 < now->lines / 10)
        return false;
    uint64_t before = now->slots.room, notes = gy_cleary_positions(larger) * quotient->note_bytes;
    if (!gy_region_resize(&larger->stash, (larger->stash_mask + 1) * sizeof(uint64_t)) ||
        (notes && !gy_region_resize(&larger->notes, notes)) ||
        !gy_region_resize(&now->slots, all_lines(larger) * GY_CLEARY_LINE)) {
        gy_region_free(&larger->stash);
        gy_region_free(&larger->notes);
        return false;
    }
    quotient->untouched = now->slots.room > before ? before : UINT64_MAX;
    larger->slots = now->slots;
    quotient->old = *now;
    gy_region_init(&quotient->old.slots, quotient->budget); // it is the new table's
    begin_with(quotient, larger);
    quotient->in_place = true;
    quotient->to = all_lines(&quotient->old);
    quotient->from = step_from(quotient, quotient->to);
    return true;
}

// As far as the memory that is left allows, but for some that others will need.
static bool begin_with_what_is_left(gy_cleary *quotient, gy_cleary_table *larger)
{
    const gy_cleary_table *now = &quotient->now;
    uint64_t left = gy_budget_room(quotient->budget);
    if (left == UINT64_MAX || !same_keys(now, larger))
        return false;
    uint64_t notes = slots_of(now) * quotient->note_bytes; // of a line; all are written again
    left = left / 8 * 7;
    if (left < now->lines * notes)
        return false;
    uint64_t lines = now->lines + (left - now->lines * notes) / (GY_CLEARY_LINE + notes);
    if (lines >= larger->lines)
        return false;
    plan_table(larger, quotient->budget, (lines - FIRST_LINES) * slots_of(now), quotient->hostile);
    return begin_in_place(quotient, larger);
}

// One number has nearly used up its bits, the other has many to spare: sooner or later every entry
// would have to move. It may as well while they are few, and two tables take little memory.
static bool is_lopsided(const gy_cleary *quotient, uint64_t left, uint64_t right)
{
    enum { FEW = 6, MANY = 10 };
    const gy_cleary_table *t = &quotient->now;
    unsigned first = t->left_bits - bits_for(left), second = t->right_bits - bits_for(right);
    return count_of(quotient) < 2 * SMALL && (first < FEW || second < FEW) &&
           (first >= MANY || second >= MANY);
}

// Bits of the two numbers are dealt out again if they must, or may.
static bool begin(gy_cleary *quotient, uint64_t left, uint64_t right, bool may)
{
    gy_cleary_table larger = {0}, *now = &quotient->now;
    bool fit = keys_fit(now, left, right);
    uint64_t room = room_for(quotient, fit);
    larger.left_bits = now->left_bits;
    larger.right_bits = now->right_bits;
    if ((may || !fit) && !choose_bits(&larger, bits_for(left), bits_for(right), room))
        return false;
    quotient->in_place = false;
    plan_table(&larger, quotient->budget, room, quotient->hostile);
    if (begin_in_place(quotient, &larger))
        return true;
    gy_cleary_table fewer = larger;
    if (begin_with_what_is_left(quotient, &fewer))
        return true;
    if (!make_table(&larger, quotient->note_bytes)) {
        free_table(&larger);
        // Two tables are too much: one may still grow where it is.
        if (now->lines && fit && !same_keys(now, &larger))
            return begin(quotient, left, right, false);
        if (!now->lines && quotient->least) {
            quotient->least /= 2;
            return gy_cleary_begin(quotient, left, right);
        }
        atomic_store_explicit(&quotient->next_piece, UINT32_MAX, memory_order_relaxed);
        return make_do(quotient, &larger);
    }
    quotient->old = *now;
    begin_with(quotient, &larger);
    return true;
}

bool gy_cleary_begin(gy_cleary *quotient, uint64_t left, uint64_t right)
{
    // While it is small, every entry may as well move: later, longer keys are dear.
    bool may = count_of(quotient) < SMALL || is_lopsided(quotient, left, right);
    return begin(quotient, left, right, may);
}

// A note of a table, as a number.
static uint64_t read_note(const gy_cleary_table *t, unsigned bytes, uint64_t position)
{
    uint64_t note = 0;
    memcpy(&note, (const char *)t->notes.at + position * bytes, bytes); // little end first
    return note;
}

static void write_note(gy_cleary *quotient, const gy_cleary_key *key, uint64_t note)
{
    uint64_t position;
    if (gy_cleary_find(quotient, key, &position))
        memcpy(gy_cleary_note(quotient, position), &note, quotient->note_bytes);
}

static inline void move_one(void *user, uint64_t h, uint64_t position)
{
    gy_cleary *quotient = user;
    uint64_t note = 0;
    if (quotient->note_bytes)
        note = read_note(&quotient->old, quotient->note_bytes, position);
    const gy_cleary_table *old = &quotient->old, *now = &quotient->now;
    if (!same_keys(old, now)) {
        uint64_t key = unmix(old, h), mask = (1ull << old->left_bits) - 1;
        h = gy_cleary_mix(now, key >> old->left_bits << now->left_bits | (key & mask));
    }
    gy_cleary_key key = gy_cleary_split(now, h);
    if (gy_cleary_enter(quotient, &key) == GY_CLEARY_NO_ROOM) {
        pthread_mutex_lock(&quotient->spill);
        gy_vec_push(&quotient->spilled, ((gy_cleary_spilled){h, note}));
        pthread_mutex_unlock(&quotient->spill);
    } else if (quotient->note_bytes) {
        write_note(quotient, &key, note);
    }
}

// Moves `count` lines of the old table, at `slot`, the last one being number `last`, and empties
// them. The entries, all different, stay nearly in order, and go to a few lines at a time. How far
// those are filled is kept aside: reading all of a line just after a slot was written is slow.
static void move_lines(gy_cleary *quotient, uint32_t *slot, uint64_t last, uint64_t count)
{
    enum { WINDOW = 16 };
    const gy_cleary_table now = quotient->now; // copies: in registers
    uint64_t old_share = quotient->old.share;
    _Atomic uint32_t *slots = now.slots.at;
    unsigned note_bytes = quotient->note_bytes;
    char *notes = now.notes.at;
    // Lines before `low` may also get what is moved from the lines before these, and goes to its
    // home or up to REACH lines beyond; those from `high` on what is moved from the lines after.
    uint64_t low = (last + 1 - count) * old_share / now.share + GY_CLEARY_REACH + 1;
    uint64_t high =
        last > GY_CLEARY_REACH ? (last + 1 - GY_CLEARY_REACH) * old_share / now.share : 0;
    if (quotient->alone) {
        low = 0;
        high = UINT64_MAX;
    }
    uint64_t seen[WINDOW];
    uint32_t filled[WINDOW], line[NARROW_SLOTS];
    memset(seen, 0xff, sizeof seen); // no such line
    slot += count * NARROW_SLOTS;
    for (uint64_t number = last + 1; count-- > 0;) {
        number--;
        slot -= NARROW_SLOTS;
        memcpy(line, slot, sizeof line);
        memset(slot, 0, sizeof line);
        for (unsigned i = 0; i < NARROW_SLOTS && line[i]; i++) {
            uint32_t value = line[i] - 1, none = 0;
            uint64_t h = (number - value % GY_CLEARY_REACH) * old_share + value / GY_CLEARY_REACH;
            gy_cleary_key key = gy_cleary_split(&now, h);
            _Atomic uint32_t *home = slots + key.line * NARROW_SLOTS;
            uint32_t w = key.line % WINDOW;
            uint32_t at = seen[w] == key.line ? filled[w] : 0;
            while (at < NARROW_SLOTS && atomic_load_explicit(&home[at], memory_order_relaxed))
                at++;
            seen[w] = key.line;
            filled[w] = at + 1;
            value = (uint32_t)(key.rest * GY_CLEARY_REACH + 1);
            uint64_t before = number * NARROW_SLOTS + i;
            if (__builtin_expect(at < NARROW_SLOTS && key.line >= low && key.line < high, 1)) {
                atomic_store_explicit(&home[at], value, memory_order_relaxed);
            } else if (at >= NARROW_SLOTS ||
                       !atomic_compare_exchange_strong_explicit(
                           &home[at], &none, value, memory_order_relaxed, memory_order_relaxed)) {
                move_one(quotient, h, before);
                continue;
            }
            if (note_bytes)
                memcpy(notes + (key.line * NARROW_SLOTS + at) * note_bytes,
                       (const char *)quotient->old.notes.at + before * note_bytes, note_bytes);
        }
    }
}

// The memory that is new, all threads together. False: it is there.
static bool touch_new_memory(gy_cleary *quotient)
{
    const gy_region *slots = &quotient->now.slots;
    enum { SLICE = 1 << 21 };
    uint64_t slice = atomic_fetch_add_explicit(&quotient->next_piece, 1, memory_order_relaxed);
    uint64_t from = quotient->untouched + slice * SLICE;
    if (from >= slots->room)
        return false;
    gy_region_touch(slots, from, from + SLICE < slots->room ? from + SLICE : slots->room);
    return true;
}

static bool move_in_place(gy_cleary *quotient)
{
    if (quotient->untouched != UINT64_MAX)
        return touch_new_memory(quotient);
    uint64_t all = quotient->to - quotient->from, piece = all / 16 > 64 ? all / 16 : 64;
    uint64_t at = atomic_fetch_add_explicit(&quotient->next_piece, 1, memory_order_relaxed) * piece;
    if (at >= all || quotient->from == 0)
        return false;
    uint64_t from = quotient->from + at, count = at + piece < all ? piece : all - at;
    move_lines(quotient, (uint32_t *)quotient->now.slots.at + from * NARROW_SLOTS, from + count - 1,
               count);
    return true;
}

bool gy_cleary_move(gy_cleary *quotient)
{
    if (quotient->in_place)
        return move_in_place(quotient);
    uint64_t piece = atomic_fetch_add_explicit(&quotient->next_piece, 1, memory_order_relaxed);
    return each_in_piece(&quotient->old, piece, move_one, quotient);
}

bool gy_cleary_step(gy_cleary *quotient)
{
    uint32_t rest[REST * NARROW_SLOTS];
    if (!quotient->in_place || !quotient->to)
        return false;
    if (quotient->untouched != UINT64_MAX) {
        quotient->untouched = UINT64_MAX;
        atomic_store_explicit(&quotient->next_piece, 0, memory_order_relaxed);
        return true;
    }
    quotient->to = quotient->from;
    quotient->from = step_from(quotient, quotient->to);
    atomic_store_explicit(&quotient->next_piece, 0, memory_order_relaxed);
    if (quotient->from)
        return true;
    // What is left may go to any line: out of the way first.
    memcpy(rest, quotient->now.slots.at, quotient->to * GY_CLEARY_LINE);
    memset(quotient->now.slots.at, 0, quotient->to * GY_CLEARY_LINE);
    move_lines(quotient, rest, quotient->to - 1, quotient->to);
    each_in_stash(&quotient->old, move_one, quotient);
    quotient->to = 0;
    return false;
}

// Room for the notes of a larger stash, all zero: those in it are written again.
static bool widen_notes(gy_cleary *quotient, uint64_t mask)
{
    gy_cleary_table *t = &quotient->now;
    uint64_t before = all_lines(t) * slots_of(t) * quotient->note_bytes;
    if (!quotient->note_bytes)
        return true;
    if (!gy_region_resize(&t->notes, before + (mask + 1) * quotient->note_bytes))
        return false;
    memset((char *)t->notes.at + before, 0, (mask + 1) * quotient->note_bytes);
    return true;
}

// A stash that holds what was spilled, too.
static bool widen_stash(gy_cleary *quotient)
{
    gy_cleary_table *t = &quotient->now;
    gy_region small = t->stash;
    uint64_t n = t->stash_mask + 1, *keys = small.at, mask = t->stash_mask;
    size_t spilled = quotient->spilled.n;
    while (mask / 2 <
           atomic_load_explicit(&quotient->stashed, memory_order_relaxed) + quotient->spilled.n)
        mask = mask * 2 + 1;
    for (uint64_t i = 0; i < n; i++)
        if (keys[i]) {
            uint64_t position = all_lines(t) * slots_of(t) + i, note = 0;
            if (quotient->note_bytes)
                note = read_note(t, quotient->note_bytes, position);
            gy_vec_push(&quotient->spilled, ((gy_cleary_spilled){keys[i] - 1, note}));
        }
    gy_region_init(&t->stash, quotient->budget);
    if (!gy_region_resize(&t->stash, (mask + 1) * sizeof(uint64_t)) ||
        !widen_notes(quotient, mask)) {
        gy_region_free(&t->stash);
        t->stash = small;
        quotient->spilled.n = spilled;
        return false;
    }
    t->stash_mask = mask;
    atomic_store_explicit(&quotient->stashed, 0, memory_order_relaxed);
    for (size_t i = 0; i < quotient->spilled.n; i++) {
        gy_cleary_key key = gy_cleary_split(t, quotient->spilled.at[i].h);
        enter_stash(quotient, &key);
        if (quotient->note_bytes)
            write_note(quotient, &key, quotient->spilled.at[i].note);
    }
    quotient->spilled.n = 0;
    gy_region_free(&small);
    return true;
}

bool gy_cleary_end(gy_cleary *quotient)
{
    free_table(&quotient->old);
    return !quotient->spilled.n || widen_stash(quotient);
}

static void move_pieces(void *user, unsigned member, uint64_t i)
{
    gy_cleary *quotient = user;
    (void)member;
    (void)i;
    while (gy_cleary_move(quotient))
        ;
}

bool gy_cleary_grow(gy_cleary *quotient, uint64_t left, uint64_t right, gy_team *team)
{
    if (!gy_cleary_begin(quotient, left, right))
        return false;
    if (!quotient->old.lines) // there was nothing, or no room for more: it will do as it is
        return true;
    do
        gy_team_share(team, gy_team_size(team), move_pieces, quotient);
    while (gy_cleary_step(quotient));
    return gy_cleary_end(quotient);
}
