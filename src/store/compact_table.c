// The hash-compact store: of each state only a 60-bit signature is kept, in 6 bytes.
//
// Two states with the same signature are taken for one, so a search may miss states; the chance
// that it missed any is reported. Cf. P. Wolper, D. Leroy: Reliable hashing without collision
// detection (CAV 1993); U. Stern, D. Dill: Improved probabilistic verification by hash compaction.
//
// Signatures are in a table of their own (store/signatures.h), which grows in small steps: memory
// is what this store is chosen for. Growth is at a meeting, by one thread.
#include "store/kinds.h"
#include "store/pending.h"
#include "store/signatures.h"

#include "base/fatal.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>

enum {
    LOAD_PERCENT = 92,
    FULL_PERCENT = 93,
    SMALL = 1 << 14, // lines: below, they are doubled
    STEP = 12,
    TELL_EVERY = 64,
};

typedef struct compact {
    gy_pending_inserts_store base;
    gy_signatures set;
    uint64_t grow_above, seed;
} compact;

static compact *compact_of(gy_store_view *view)
{
    return (compact *)view->store;
}

static uint64_t sign(const compact *c, const uint32_t *state, uint32_t words)
{
    return gy_hash_words(state, words, c->seed + words) >> (64 - GY_SIGNATURE_BITS);
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
        gy_signatures_prefetch(&c->set, w->hashes[i]);
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
        gy_signature_answer answer = gy_signatures_enter(&c->set, w->hashes[i]);
        if (answer == GY_SIGNATURE_NO_ROOM)
            return gy_store_no_room(view->store);
        if (answer == GY_SIGNATURE_NEW)
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
    return gy_signatures_has(&c->set, *ref);
}

// ---- growth ---------------------------------------------------------------------------

static bool grow_to(compact *c, uint64_t lines)
{
    if (!gy_signatures_grow(&c->set, lines))
        return false;
    c->grow_above = gy_signatures_capacity(&c->set, LOAD_PERCENT);
    return true;
}

static bool grow_table(compact *c)
{
    uint64_t lines = c->set.lines;
    uint64_t more = lines < SMALL && !c->base.head.hostile ? lines : lines / STEP;
    if (grow_to(c, lines + more))
        return true;
    // As far as the memory that is left allows, but for some chunks of pending states.
    uint64_t left = gy_budget_room(c->base.head.budget), chunks = 4ull << GY_FRONTIER_CHUNK_BITS;
    uint64_t fit = left > chunks ? (left - chunks) / GY_SIGNATURE_LINE : 0;
    return fit >= more / 2 && fit < more && grow_to(c, lines + fit);
}

static bool compact_grow(gy_store *store, gy_team *team)
{
    compact *c = (compact *)store;
    uint64_t count = atomic_load_explicit(&c->base.count, memory_order_relaxed);
    (void)team;
    bool crowded = gy_signatures_crowded(&c->set);
    if (count + TELL_EVERY < c->grow_above && !crowded) // then it was the frontier
        return c->base.once && gy_frontier_make_room(&c->base.frontier);
    if (grow_table(c))
        return true;
    if (c->base.once && gy_frontier_make_room(&c->base.frontier) && grow_table(c))
        return true;
    uint64_t most = gy_signatures_capacity(&c->set, FULL_PERCENT); // fill it as far as it goes
    bool fine = c->grow_above < most && !crowded;
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
    figures->omission_probability = -expm1(-n * n / 2 / ldexp(1, GY_SIGNATURE_BITS));
}

static void compact_free(gy_store *store)
{
    compact *c = (compact *)store;
    gy_pending_inserts_store_free(&c->base);
    gy_signatures_free(&c->set);
    free(c);
}

static void compact_save(const gy_store *store, gy_writer *writer)
{
    const compact *c = (const compact *)store;
    gy_write_u64(writer, atomic_load_explicit(&c->base.count, memory_order_relaxed));
    gy_signatures_save(&c->set, writer);
}

static bool compact_load(gy_store *store, gy_reader *reader)
{
    compact *c = (compact *)store;
    uint64_t count = gy_read_u64(reader);
    if (!gy_signatures_load(&c->set, reader))
        return false;
    c->grow_above = gy_signatures_capacity(&c->set, LOAD_PERCENT);
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
    c->seed = options->seed;
    if (!gy_signatures_init(&c->set, options->budget, options->threads <= 1)) {
        compact_free(&c->base.head);
        return NULL;
    }
    c->grow_above = gy_signatures_capacity(&c->set, options->hostile ? 20 : LOAD_PERCENT);
    return &c->base.head;
}
