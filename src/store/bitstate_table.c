// The bitstate store: k bits per state in one large array of bits (a Bloom filter).
//
// A state counts as known if all its k bits are set, so states are missed when others have set
// them. The array never grows. Cf. G. Holzmann: An analysis of bitstate hashing (1998).
//
// Coverage: when a state is entered while a part f of the bits is set, a state that is really new
// would have been taken for a known one with probability p = f^k. So for each state entered,
// p / (1 - p) others are expected to have been missed; the sum over all, `missed`, gives the
// estimate n / (n + missed). It counts states that were reached and dropped; what could only have
// been reached through those comes on top, so in a sparsely connected space the truth is lower.
//
// Threads: bits are set by atomic or. Two threads with the same new state must not both find that
// it is new: a state that seems to be so is entered under one of many locks, chosen by its hash.
#include "store/kinds.h"
#include "store/pending.h"

#include "base/fatal.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_FUNCTIONS = 3, MAX_FUNCTIONS = 64, LOCKS = 1 << 10, TELL_EVERY = 64 };
static const uint64_t DEFAULT_BYTES = 64ull << 20, LEAST_BYTES = 64;

typedef struct bitstate {
    gy_pending_inserts_store base;
    gy_region memory;
    uint64_t bits, seed;
    unsigned functions;
    _Atomic uint64_t set;
    pthread_mutex_t lock; // for `missed`
    double missed;
    atomic_flag locks[LOCKS];
} bitstate;

static bitstate *bitstate_of(gy_store_view *view)
{
    return (bitstate *)view->store;
}

static uint64_t count_of(const bitstate *b)
{
    return atomic_load_explicit(&b->base.count, memory_order_relaxed);
}

// Bit number i of a state: double hashing, with a cubic term so that two states whose first
// two bits agree do not share all of them.
static uint64_t bit_at(const bitstate *b, uint64_t hash, uint64_t i)
{
    uint64_t mixed = gy_hash_number(hash) + i * hash + (i * i * i - i) / 6;
    return (uint64_t)((unsigned __int128)gy_hash_number(mixed) * b->bits >> 64);
}

static _Atomic uint64_t *word_of(const bitstate *b, uint64_t bit)
{
    return (_Atomic uint64_t *)b->memory.at + bit / 64;
}

static bool has(const bitstate *b, uint64_t hash)
{
    for (unsigned i = 0; i < b->functions; i++) {
        uint64_t bit = bit_at(b, hash, i);
        if (!(atomic_load_explicit(word_of(b, bit), memory_order_relaxed) >> bit % 64 & 1))
            return false;
    }
    return true;
}

// How many of its bits were not set.
static unsigned set_bits(bitstate *b, uint64_t hash)
{
    unsigned flipped = 0;
    for (unsigned i = 0; i < b->functions; i++) {
        uint64_t bit = bit_at(b, hash, i), mask = 1ull << bit % 64;
        uint64_t before = atomic_fetch_or_explicit(word_of(b, bit), mask, memory_order_relaxed);
        flipped += !(before & mask);
    }
    return flipped;
}

static uint64_t hash_of(const bitstate *b, const uint32_t *state, uint32_t words)
{
    return gy_hash_words(state, words, b->seed + words);
}

static void bitstate_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                         const gy_arrivals *in)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    const bitstate *b = bitstate_of(view);
    uint32_t from = view->n;
    gy_pending_inserts_add(view, parents, count, in);
    for (uint32_t i = from; i < view->n; i++) {
        w->hashes[i] = hash_of(b, w->states[i], w->words[i]);
        for (unsigned k = 0; k < b->functions; k++)
            __builtin_prefetch((const void *)word_of(b, bit_at(b, w->hashes[i], k)), 1);
    }
}

static void enter_one(gy_pending_inserts *w, bitstate *b, uint32_t i, double *missed)
{
    uint64_t hash = w->hashes[i];
    w->head.refs[i] = hash;
    if (has(b, hash))
        return;
    atomic_flag *lock = &b->locks[hash % LOCKS];
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        ;
    unsigned flipped = set_bits(b, hash);
    atomic_flag_clear_explicit(lock, memory_order_release);
    if (!flipped)
        return;
    uint64_t before = atomic_fetch_add_explicit(&b->set, flipped, memory_order_relaxed);
    double wrong = pow((double)before / (double)b->bits, b->functions);
    *missed += wrong / (1 - wrong);
    gy_pending_inserts_is_new(w, i, hash);
}

static bool bitstate_enter(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    bitstate *b = bitstate_of(view);
    double missed = 0;
    bool room = true;
    for (; w->entered < view->n && (room = gy_pending_inserts_ready(w, w->entered)); w->entered++)
        enter_one(w, b, w->entered, &missed);
    if (missed > 0) {
        pthread_mutex_lock(&b->lock);
        b->missed += missed;
        pthread_mutex_unlock(&b->lock);
    }
    if (w->told >= TELL_EVERY) {
        atomic_fetch_add_explicit(&b->base.count, w->told, memory_order_relaxed);
        w->told = 0;
    }
    return room ? true : gy_store_no_room(view->store);
}

static bool bitstate_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    const bitstate *b = bitstate_of(view);
    *ref = hash_of(b, state, words);
    return has(b, *ref);
}

// Only the frontier can.
static bool bitstate_grow(gy_store *store, gy_team *team)
{
    gy_pending_inserts_store *base = (gy_pending_inserts_store *)store;
    (void)team;
    return base->once && gy_frontier_make_room(&base->frontier);
}

static void bitstate_look(const gy_store *store, gy_store_figures *figures)
{
    const bitstate *b = (const bitstate *)store;
    double n = (double)count_of(b);
    figures->states = count_of(b);
    figures->fill = (double)atomic_load_explicit(&b->set, memory_order_relaxed) / (double)b->bits;
    if (n > 0)
        figures->coverage = n / (n + b->missed);
}

static void bitstate_free(gy_store *store)
{
    bitstate *b = (bitstate *)store;
    gy_pending_inserts_store_free(&b->base);
    gy_region_free(&b->memory);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

static void bitstate_save(const gy_store *store, gy_writer *writer)
{
    const bitstate *b = (const bitstate *)store;
    gy_write_u64(writer, b->bits);
    gy_write_u64(writer, b->functions);
    gy_write_u64(writer, atomic_load_explicit(&b->set, memory_order_relaxed));
    gy_write_u64(writer, count_of(b));
    gy_write(writer, &b->missed, sizeof b->missed);
    gy_write_region(writer, &b->memory, b->bits / 8);
}

// The file decides on the size: the default depends on the memory limit.
static bool bitstate_load(gy_store *store, gy_reader *reader)
{
    bitstate *b = (bitstate *)store;
    uint64_t bits = gy_read_u64(reader), functions = gy_read_u64(reader);
    uint64_t set = gy_read_u64(reader), count = gy_read_u64(reader);
    gy_read(reader, &b->missed, sizeof b->missed);
    if (gy_reader_failed(reader) || bits % 64 || !bits || bits / 8 > gy_reader_left(reader) ||
        !functions || functions > MAX_FUNCTIONS || set > bits ||
        !gy_read_region(reader, &b->memory) || b->memory.room < bits / 8)
        return false;
    b->bits = bits;
    b->functions = (unsigned)functions;
    atomic_store_explicit(&b->set, set, memory_order_relaxed);
    atomic_store_explicit(&b->base.count, count, memory_order_relaxed);
    return true;
}

static const gy_store_methods methods = {
    .free = bitstate_free,
    .look = bitstate_look,
    .new_view = gy_pending_inserts_new_view,
    .free_view = gy_pending_inserts_free_view,
    .add = bitstate_add,
    .hold = gy_pending_inserts_hold,
    .enter = bitstate_enter,
    .clear = gy_pending_inserts_clear,
    .state = gy_pending_inserts_state,
    .forget = gy_pending_inserts_forget,
    .find = bitstate_find,
    .tell = gy_pending_inserts_tell,
    .grow = bitstate_grow,
    .save = bitstate_save,
    .load = bitstate_load,
    .put_back = gy_pending_inserts_put_back,
};

gy_store *gy_bitstate_store(const gy_store_options *options)
{
    bitstate *b = gy_alloc_zero(sizeof *b);
    uint64_t bytes = options->bitstate_bytes, room = gy_budget_room(options->budget);
    if (!bytes) // half of what there is: the queue needs memory too
        bytes = room / 2 < DEFAULT_BYTES ? room / 2 : DEFAULT_BYTES;
    bytes = (bytes < LEAST_BYTES ? LEAST_BYTES : bytes) / 8 * 8;
    gy_pending_inserts_store_init(&b->base, &methods, options);
    pthread_mutex_init(&b->lock, NULL);
    b->bits = bytes * 8;
    b->seed = options->seed;
    b->functions = options->hash_functions ? options->hash_functions : DEFAULT_FUNCTIONS;
    if (b->functions > MAX_FUNCTIONS)
        b->functions = MAX_FUNCTIONS;
    for (unsigned i = 0; i < LOCKS; i++)
        atomic_flag_clear(&b->locks[i]);
    gy_region_init(&b->memory, options->budget);
    if (!gy_region_resize(&b->memory, bytes)) {
        bitstate_free(&b->base.head);
        return NULL;
    }
    return &b->base.head;
}
