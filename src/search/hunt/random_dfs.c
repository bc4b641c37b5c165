// Depth-first search that keeps what it has seen as hashes, or as bits of a table, and only the
// path as states: what else can be done in a state on it is found again when the search comes back.
//
// The successors of a state are tried in the order of a hash of each and the seed, as if they were
// shuffled. With a bound on schedules it begins with a bound of none and, when nothing is left,
// takes the next one, from the start.
#include "search/hunt/strategies.h"

#include "search/hashed_dfs.h"

#include "base/hash.h"

typedef struct deep {
    gy_hashed_dfs path; // with bits, what was seen is in them instead
    gy_region bits;
    uint64_t known; // states that were marked as seen
    uint64_t salt;
} deep;

enum { BITS = 26, BIT_HASHES = 3 };

static void give_up(gy_hunter *h)
{
    h->over = h->gave_up = h->cut = true;
}

// ---- what was seen ----------------------------------------------------------------------

static bool is_bits(const gy_hunter *h)
{
    return h->strategy->variant == GY_DEEP_BITS;
}

// Bit i of a hash: double hashing.
static uint64_t bit_of(uint64_t hash, unsigned i)
{
    return (hash + i * ((hash >> 32) | 1)) & ((1ull << BITS) - 1);
}

static bool is_seen(const gy_hunter *h, const deep *d, uint64_t hash)
{
    if (!is_bits(h))
        return gy_hashed_dfs_has_seen(&d->path, hash);
    for (unsigned i = 0; i < BIT_HASHES; i++) {
        uint64_t bit = bit_of(hash, i);
        if (!(((const uint64_t *)d->bits.at)[bit / 64] >> bit % 64 & 1))
            return false;
    }
    return true;
}

static void mark_bits(deep *d, uint64_t hash)
{
    for (unsigned i = 0; i < BIT_HASHES; i++) {
        uint64_t bit = bit_of(hash, i);
        ((uint64_t *)d->bits.at)[bit / 64] |= 1ull << bit % 64;
    }
}

static void report(gy_hunter *h, const deep *d, gy_fault_kind kind, int64_t ordinal, uint64_t where)
{
    gy_route way = {0};
    gy_hashed_dfs_path(&d->path, ordinal, &way);
    gy_hunter_report(h, &way, kind, where);
    gy_vec_free(&way);
}

// ---- the next state ---------------------------------------------------------------------

static void consider(gy_hunter *h, deep *d, const gy_transition *move, uint32_t ordinal)
{
    uint64_t hash = gy_hash_pair(gy_hash_state(move->state, move->words), d->salt), key = ordinal;
    uint64_t cost =
        d->path.depth == 1 ? 0 : gy_hashed_dfs_top(&d->path)->cost + gy_bounded_product_cost(move);
    uint64_t limit = h->ground.options->depth_limit;
    hash += hash == 0;
    h->arrivals += !gy_hashed_dfs_top(&d->path)->looked;
    if (is_seen(h, d, hash))
        return;
    if (limit && cost > limit) {
        h->cut = h->beyond = true;
        return;
    }
    if (h->strategy->variant != GY_DEEP_AS_GIVEN)
        key = gy_hash_pair(hash, h->seed);
    gy_hashed_dfs_offer(&d->path, move, ordinal, hash, key, cost);
}

static void look_around(gy_hunter *h, deep *d, const gy_hashed_dfs_frame *f)
{
    uint32_t count;
    const gy_word *state = d->path.depth == 1 ? NULL : gy_hashed_dfs_state(&d->path, f);
    const gy_transition *all = gy_bounded_product_expand(&h->ground, state, f->words, &count);
    bool first = !f->looked;
    if (first && h->ground.found != GY_BOUNDED_PRODUCT_FINE)
        report(h, d, GY_FAULT_NONE, -1, gy_hash_state(state, f->words));
    for (uint32_t i = 0; i < count && !h->over; i++) {
        if (first) // what is found again is no more than what was found
            gy_hunter_note(h, &all[i]);
        const gy_fault *fault = first ? all[i].fault : NULL;
        for (; !h->over && (fault = gy_bounded_product_wanted(&h->ground, fault));
             fault = fault->also)
            report(h, d, fault->kind, i, (uint32_t)fault->edge);
        if (all[i].state && (!h->ground.reduced || h->ground.moves.keep.at[i]))
            consider(h, d, &all[i], i);
    }
    h->generated += first && count == 0;
}

static bool start(gy_hunter *h, deep *d)
{
    d->known = 0;
    if (is_bits(h)) {
        gy_region_free(&d->bits);
        gy_region_init(&d->bits, &h->budget);
        if (!gy_region_reserve(&d->bits, (1ull << BITS) / 8))
            return false;
    }
    return gy_hashed_dfs_begin(&d->path);
}

// All of it was seen, within the bound that there is.
static void finish(gy_hunter *h, deep *d)
{
    h->runs++;
    if (h->ground.bound != GY_BOUND_NONE && h->ground.bound_cut) {
        h->ground.bound_cut = false;
        h->ground.bound_limit++;
        if (start(h, d))
            return;
    }
    h->over = true;
}

// From the state at the end of the path to one that is new, or back.
static void advance(gy_hunter *h, deep *d)
{
    gy_hashed_dfs *path = &d->path;
    if (!gy_hashed_dfs_look(path))
        return;
    look_around(h, d, gy_hashed_dfs_top(path));
    if (h->over)
        return;
    if (path->unseen) {
        d->known++;
        if (path->chosen_cost > h->depth)
            h->depth = path->chosen_cost;
        if (is_bits(h))
            mark_bits(d, path->chosen_hash);
    }
    if (!gy_hashed_dfs_go(path, !is_bits(h)))
        give_up(h);
}

void gy_deep_begin(gy_hunter *h)
{
    deep *d = gy_alloc_zero(sizeof *d);
    h->self = d;
    d->salt = gy_hash_number(h->seed);
    gy_region_init(&d->bits, &h->budget);
    gy_hashed_dfs_init(&d->path, &h->budget);
    if (!start(h, d))
        give_up(h);
}

void gy_deep_go_on(gy_hunter *h, uint64_t until)
{
    deep *d = h->self;
    while (gy_hunter_goes_on(h, until)) {
        advance(h, d);
        if (d->path.depth == 0)
            finish(h, d);
        gy_hunter_use(h, d->known);
    }
}

void gy_deep_end(gy_hunter *h)
{
    deep *d = h->self;
    gy_hashed_dfs_free(&d->path);
    gy_region_free(&d->bits);
    free(d);
}
