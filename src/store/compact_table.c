// The hash-compact store: of each state only a 60-bit signature is kept, in 6 bytes.
//
// Two states with the same signature are taken for one, so a search may miss states; the chance
// that it missed any is reported. Cf. P. Wolper, D. Leroy: Reliable hashing without collision
// detection (CAV 1993); U. Stern, D. Dill: Improved probabilistic verification by hash compaction.
//
// Representation: lines of 64 bytes with a head and 10 slots of 6 bytes. A signature s has the home
// line s * lines / 2^60 and goes to the first free slot from there on, at most REACH lines further;
// the slot keeps its low 48 bits. What finds no slot goes to the (tiny) stash, in full.
// The high 12 bits need not be kept: signatures whose home is one of the REACH + 1 lines up to a
// line lie in an interval shorter than 2^48, because there are at least MIN_LINES lines. So low
// bits that are equal in the same line belong to equal signatures, and growing can recover every
// signature from its slot and line.
//
// Threads: the head says how many slots are filled, from the left; those never change again, so
// whoever has read the head may read them. To fill one more, a thread sets the lock bit of the
// head, examines those that were filled meanwhile, writes the slot, and publishes it with the head.
// Growth is in place from the last line to the first, at a meeting, by one.
#include "store/kinds.h"
#include "store/pending.h"

#include "base/fatal.h"
#include "base/hash.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIGNATURE_BITS = 60,
    LOW_BITS = 48,
    LINE = 64,
    SLOT = 6,
    SLOTS = 10,
    REACH = 15,
    LOAD_PERCENT = 80,
    FULL_PERCENT = 90,
    TELL_EVERY = 64,
};

#define LOCKED 0x80000000u

// (REACH + 1) * 2^60 / lines <= 2^48
static const uint64_t MIN_LINES = (uint64_t)(REACH + 1) << (SIGNATURE_BITS - LOW_BITS);
static const uint64_t LOW_MASK = (1ull << LOW_BITS) - 1;

typedef struct line {
    _Atomic uint32_t head; // slots that are filled; LOCKED
    unsigned char slots[SLOTS * SLOT];
} line;

typedef struct compact {
    gy_pending_inserts_store base;
    gy_region memory;
    uint64_t lines, grow_above, seed;
    pthread_mutex_t lock;   // for the stash
    GY_VEC(uint64_t) stash; // sorted
} compact;

static compact *compact_of(gy_store_view *view)
{
    return (compact *)view->store;
}

static uint64_t home(const compact *c, uint64_t signature)
{
    return (uint64_t)((unsigned __int128)signature * c->lines >> SIGNATURE_BITS);
}

static line *line_at(const compact *c, uint64_t number)
{
    return (line *)c->memory.at + number;
}

static uint64_t get_slot(const line *l, unsigned slot)
{
    uint64_t value = 0;
    memcpy(&value, l->slots + slot * SLOT, SLOT);
    return le64toh(value);
}

static void set_slot(line *l, unsigned slot, uint64_t value)
{
    value = htole64(value);
    memcpy(l->slots + slot * SLOT, &value, SLOT);
}

static bool is_in(const line *l, uint64_t low, unsigned from, unsigned to)
{
    bool found = false;
    for (unsigned i = from; i < to; i++)
        found |= get_slot(l, i) == low;
    return found;
}

static unsigned filled(const line *l)
{
    return atomic_load_explicit(&l->head, memory_order_acquire) & ~LOCKED;
}

// ---- the stash ------------------------------------------------------------------------

// Where a signature is in the stash, or belongs.
static size_t stash_position(const compact *c, uint64_t signature)
{
    size_t low = 0, high = c->stash.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->stash.at[middle] < signature)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// True: it was not there; then it is, if `add`.
static bool look_in_stash(compact *c, uint64_t signature, bool add)
{
    pthread_mutex_lock(&c->lock);
    size_t at = stash_position(c, signature);
    bool is_new = at == c->stash.n || c->stash.at[at] != signature;
    if (is_new && add) {
        gy_vec_push(&c->stash, 0);
        memmove(c->stash.at + at + 1, c->stash.at + at,
                (c->stash.n - 1 - at) * sizeof *c->stash.at);
        c->stash.at[at] = signature;
    }
    pthread_mutex_unlock(&c->lock);
    return is_new;
}

// ---- entering -------------------------------------------------------------------------

typedef enum { HERE, FULL_LINE, FREE_SLOT } look_answer;

static look_answer look(const line *l, uint64_t low, unsigned *count)
{
    *count = filled(l);
    if (is_in(l, low, 0, *count))
        return HERE;
    return *count == SLOTS ? FULL_LINE : FREE_SLOT;
}

// Into the next free slot of a line of which `seen` slots were examined.
static look_answer fill(line *l, uint64_t low, unsigned seen)
{
    uint32_t head = seen;
    while (!atomic_compare_exchange_weak_explicit(&l->head, &head, head | LOCKED,
                                                  memory_order_acquire, memory_order_relaxed))
        head &= ~LOCKED; // somebody else is writing: soon over
    look_answer answer = is_in(l, low, seen, head) ? HERE : head == SLOTS ? FULL_LINE : FREE_SLOT;
    if (answer == FREE_SLOT)
        set_slot(l, head++, low);
    atomic_store_explicit(&l->head, head, memory_order_release);
    return answer;
}

// True: it is new.
static bool enter_signature(compact *c, uint64_t signature)
{
    uint64_t low = signature & LOW_MASK, first = home(c, signature);
    for (uint64_t i = first; i <= first + REACH; i++) {
        unsigned count;
        look_answer answer = look(line_at(c, i), low, &count);
        if (answer == FREE_SLOT) {
            answer = fill(line_at(c, i), low, count);
            if (answer == FREE_SLOT)
                return true;
        }
        if (answer == HERE)
            return false;
    }
    return look_in_stash(c, signature, true);
}

static bool has_signature(compact *c, uint64_t signature)
{
    uint64_t low = signature & LOW_MASK, first = home(c, signature);
    for (uint64_t i = first; i <= first + REACH; i++) {
        unsigned count;
        look_answer answer = look(line_at(c, i), low, &count);
        if (answer != FULL_LINE)
            return answer == HERE;
    }
    return !look_in_stash(c, signature, false);
}

static uint64_t sign(const compact *c, const uint32_t *state, uint32_t words)
{
    return gy_hash_words(state, words, c->seed + words) >> (64 - SIGNATURE_BITS);
}

static void compact_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                        const gy_arrivals *in)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    const compact *c = compact_of(view);
    uint32_t from = view->n;
    gy_pending_inserts_add(view, parents, count, in);
    for (uint32_t i = from; i < view->n; i++) {
        w->hashes[i] = sign(c, w->states[i], w->words[i]);
        gy_fetch_to_write(line_at(c, home(c, w->hashes[i])));
    }
}

static bool compact_enter(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    compact *c = compact_of(view);
    for (; w->entered < view->n; w->entered++) {
        uint32_t i = w->entered;
        uint64_t count = atomic_load_explicit(&c->base.count, memory_order_relaxed) + w->told;
        if (count >= c->grow_above || !gy_pending_inserts_ready(w, i))
            return gy_store_no_room(view->store);
        view->refs[i] = w->hashes[i];
        if (enter_signature(c, w->hashes[i]))
            gy_pending_inserts_is_new(w, i, w->hashes[i]);
    }
    if (w->told >= TELL_EVERY) {
        atomic_fetch_add_explicit(&c->base.count, w->told, memory_order_relaxed);
        w->told = 0;
    }
    return true;
}

static bool compact_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    compact *c = compact_of(view);
    *ref = sign(c, state, words);
    return has_signature(c, *ref);
}

// ---- growth ---------------------------------------------------------------------------

// The signature in [first, first + 2^48) with these low bits.
static uint64_t recover(const compact *c, uint64_t number, uint64_t low)
{
    uint64_t least = number < REACH ? 0 : number - REACH;
    uint64_t first =
        (uint64_t)((((unsigned __int128)least << SIGNATURE_BITS) + c->lines - 1) / c->lines);
    uint64_t signature = (first & ~LOW_MASK) | low;
    return signature < first ? signature + (1ull << LOW_BITS) : signature;
}

static size_t bytes_for(uint64_t lines)
{
    return (lines + REACH + 1) * LINE;
}

static uint64_t capacity(uint64_t lines, unsigned percent)
{
    return lines * SLOTS * percent / 100;
}

static bool grow_to(compact *c, uint64_t lines)
{
    uint64_t old_lines = c->lines;
    GY_VEC(uint64_t) late = {0};
    if (!gy_region_resize(&c->memory, bytes_for(lines)))
        return false;
    for (uint64_t i = old_lines + REACH + 1; i-- > 0;) {
        uint64_t signatures[SLOTS];
        line *l = line_at(c, i);
        unsigned n = filled(l);
        c->lines = old_lines;
        for (unsigned k = 0; k < n; k++)
            signatures[k] = recover(c, i, get_slot(l, k));
        memset(l, 0, sizeof *l);
        c->lines = lines;
        for (unsigned k = 0; k < n; k++) {
            if (home(c, signatures[k]) < i)
                gy_vec_push(&late, signatures[k]);
            else
                enter_signature(c, signatures[k]);
        }
    }
    GY_VEC(uint64_t) stash = {c->stash.at, c->stash.n, c->stash.room};
    c->stash.at = NULL;
    c->stash.n = c->stash.room = 0;
    for (size_t i = 0; i < late.n; i++)
        enter_signature(c, late.at[i]);
    for (size_t i = 0; i < stash.n; i++)
        enter_signature(c, stash.at[i]);
    gy_vec_free(&late);
    gy_vec_free(&stash);
    c->grow_above = capacity(lines, LOAD_PERCENT);
    return true;
}

static bool grow_table(compact *c)
{
    uint64_t more = c->base.head.hostile ? c->lines / 16 : c->lines / 2;
    if (grow_to(c, c->lines + more))
        return true;
    // As far as the memory that is left allows, but for some chunks of waiting states.
    uint64_t left = gy_budget_room(c->base.head.budget), chunks = 4ull << GY_FRONTIER_CHUNK_BITS;
    uint64_t fit = left > chunks ? (left - chunks) / LINE : 0;
    return fit >= more / 8 && fit < more && grow_to(c, c->lines + fit);
}

static bool compact_grow(gy_store *store, gy_team *team)
{
    compact *c = (compact *)store;
    uint64_t count = atomic_load_explicit(&c->base.count, memory_order_relaxed);
    (void)team;
    if (count + TELL_EVERY < c->grow_above) // then it was the frontier
        return c->base.once && gy_frontier_make_room(&c->base.frontier);
    if (grow_table(c))
        return true;
    if (c->base.once && gy_frontier_make_room(&c->base.frontier) && grow_table(c))
        return true;
    uint64_t most = capacity(c->lines, FULL_PERCENT); // fill this one as far as it goes
    bool fine = c->grow_above < most;
    c->grow_above = most;
    return fine;
}

// ---- life -----------------------------------------------------------------------------

static void compact_look(const gy_store *store, gy_store_figures *figures)
{
    const compact *c = (const compact *)store;
    double n = (double)atomic_load_explicit(&c->base.count, memory_order_relaxed);
    figures->states = (uint64_t)n;
    // State number k + 1 hits one of k signatures with probability k / 2^60.
    figures->omission_probability = -expm1(-n * n / 2 / ldexp(1, SIGNATURE_BITS));
}

static void compact_free(gy_store *store)
{
    compact *c = (compact *)store;
    gy_pending_inserts_store_free(&c->base);
    gy_region_free(&c->memory);
    gy_vec_free(&c->stash);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static void compact_save(const gy_store *store, gy_writer *writer)
{
    const compact *c = (const compact *)store;
    gy_write_u64(writer, c->lines);
    gy_write_u64(writer, atomic_load_explicit(&c->base.count, memory_order_relaxed));
    gy_write_u64(writer, c->stash.n);
    gy_write(writer, c->stash.at, c->stash.n * sizeof *c->stash.at);
    gy_write_region(writer, &c->memory, bytes_for(c->lines));
}

// Nothing in it is an index but the numbers of filled slots.
static bool compact_load(gy_store *store, gy_reader *reader)
{
    compact *c = (compact *)store;
    uint64_t lines = gy_read_u64(reader), count = gy_read_u64(reader);
    uint64_t stashed = gy_read_u64(reader);
    if (gy_reader_failed(reader) || lines < MIN_LINES || lines > gy_reader_left(reader) / LINE ||
        stashed > gy_reader_left(reader) / sizeof(uint64_t))
        return false;
    for (uint64_t i = 0; i < stashed; i++)
        look_in_stash(c, gy_read_u64(reader) & ((1ull << SIGNATURE_BITS) - 1), true);
    if (!gy_read_region(reader, &c->memory) || c->memory.room < bytes_for(lines))
        return false;
    c->lines = lines;
    for (uint64_t i = 0; i < lines + REACH + 1; i++)
        if (atomic_load_explicit(&line_at(c, i)->head, memory_order_relaxed) > SLOTS)
            return false;
    c->grow_above = capacity(lines, LOAD_PERCENT);
    atomic_store_explicit(&c->base.count, count, memory_order_relaxed);
    return true;
}

static const gy_store_methods methods = {
    .free = compact_free,
    .look = compact_look,
    .new_view = gy_pending_inserts_new_view,
    .free_view = gy_pending_inserts_free_view,
    .add = compact_add,
    .hold = gy_pending_inserts_hold,
    .enter = compact_enter,
    .clear = gy_pending_inserts_clear,
    .state = gy_pending_inserts_state,
    .forget = gy_pending_inserts_forget,
    .find = compact_find,
    .tell = gy_pending_inserts_tell,
    .grow = compact_grow,
    .save = compact_save,
    .load = compact_load,
    .put_back = gy_pending_inserts_put_back,
};

gy_store *gy_compact_store(const gy_store_options *options)
{
    compact *c = gy_alloc_zero(sizeof *c);
    gy_pending_inserts_store_init(&c->base, &methods, options);
    pthread_mutex_init(&c->lock, NULL);
    c->seed = options->seed;
    c->lines = MIN_LINES;
    c->grow_above = options->hostile ? MIN_LINES / 4 : capacity(MIN_LINES, LOAD_PERCENT);
    gy_region_init(&c->memory, options->budget);
    if (!gy_region_resize(&c->memory, bytes_for(MIN_LINES))) {
        compact_free(&c->base.head);
        return NULL;
    }
    return &c->base.head;
}
