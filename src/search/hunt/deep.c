// Depth-first search that keeps what it has seen as hashes, or as bits of a table, and only the
// path as states: what else can be done in a state on it is found again when the search comes back.
//
// The successors of a state are tried in the order of a hash of each and the seed, as if they were
// shuffled. With a bound on schedules it begins with a bound of none and, when nothing is left,
// takes the next one, from the start.
#include "search/hunt/strategies.h"

#include "base/hash.h"

typedef struct frame {
    uint64_t begin;   // of its state, in `words`
    uint64_t cost;    // statements on the way to it
    uint32_t words;   // of its state
    uint32_t ordinal; // of the move that is being explored
    bool looked;      // it was expanded before
    bool done;        // no other move led to anything unseen then
} frame;

typedef struct deep {
    gy_region frames, words, seen;
    uint64_t depth, top;  // frames, the first of which is no state; words of the path
    uint64_t known, room; // hashes in `seen`, and places for them; bits: a power of two
    uint64_t salt;
    // while a state is expanded
    uint32_t unseen, chosen;
    uint64_t chosen_key, chosen_hash, chosen_cost;
    GY_VEC(gy_word) next;
} deep;

enum { FIRST_ROOM = 1 << 12, BITS = 26, BIT_HASHES = 3 };

static frame *top_frame(const deep *d)
{
    return (frame *)d->frames.at + d->depth - 1;
}

static void give_up(gy_hunter *h)
{
    h->over = h->gave_up = h->cut = true;
}

// ---- what was seen ----------------------------------------------------------------------

static bool is_bits(const gy_hunter *h)
{
    return h->strategy->variant == GY_DEEP_BITS;
}

static uint64_t *place_of(const deep *d, uint64_t hash)
{
    uint64_t *at = d->seen.at, i = hash & (d->room - 1);
    while (at[i] && at[i] != hash)
        i = (i + 1) & (d->room - 1);
    return &at[i];
}

static bool grow(gy_hunter *h, deep *d)
{
    gy_region old = d->seen;
    uint64_t room = d->room;
    gy_region_init(&d->seen, &h->budget);
    d->room = room ? 2 * room : FIRST_ROOM;
    if (!gy_region_reserve(&d->seen, d->room * sizeof(uint64_t))) {
        d->seen = old;
        d->room = room;
        return false;
    }
    for (uint64_t i = 0; i < room; i++) {
        uint64_t hash = ((const uint64_t *)old.at)[i];
        if (hash)
            *place_of(d, hash) = hash;
    }
    gy_region_free(&old);
    return true;
}

// Bit i of a hash: double hashing.
static uint64_t bit_of(const deep *d, uint64_t hash, unsigned i)
{
    return (hash + i * ((hash >> 32) | 1)) & (d->room - 1);
}

static bool is_seen(const gy_hunter *h, const deep *d, uint64_t hash)
{
    if (!is_bits(h))
        return *place_of(d, hash) != 0;
    for (unsigned i = 0; i < BIT_HASHES; i++) {
        uint64_t bit = bit_of(d, hash, i);
        if (!(((const uint64_t *)d->seen.at)[bit / 64] >> bit % 64 & 1))
            return false;
    }
    return true;
}

static bool mark_seen(gy_hunter *h, deep *d, uint64_t hash)
{
    d->known++;
    if (is_bits(h)) {
        for (unsigned i = 0; i < BIT_HASHES; i++) {
            uint64_t bit = bit_of(d, hash, i);
            ((uint64_t *)d->seen.at)[bit / 64] |= 1ull << bit % 64;
        }
        return true;
    }
    if (d->known + d->known / 2 >= d->room && !grow(h, d))
        return false;
    *place_of(d, hash) = hash;
    return true;
}

// ---- the path ---------------------------------------------------------------------------

static bool push_frame(deep *d, const gy_word *state, uint32_t words, uint64_t cost)
{
    if (!gy_region_reserve(&d->frames, (d->depth + 1) * sizeof(frame)) ||
        !gy_region_reserve(&d->words, (d->top + words + 1) * sizeof *state))
        return false;
    d->depth++;
    *top_frame(d) = (frame){.begin = d->top, .words = words, .cost = cost};
    if (words)
        memcpy((gy_word *)d->words.at + d->top, state, words * sizeof *state);
    d->top += words;
    return true;
}

static void pop_frame(deep *d)
{
    d->top = top_frame(d)->begin;
    d->depth--;
}

// The way to the state of the top frame, and one move more if ordinal >= 0.
static void report(gy_hunter *h, const deep *d, gy_fault_kind kind, int64_t ordinal, uint64_t where)
{
    gy_route way = {0};
    for (uint64_t i = 0; i + 1 < d->depth; i++)
        gy_vec_push(&way, ((const frame *)d->frames.at)[i].ordinal);
    if (ordinal >= 0)
        gy_vec_push(&way, (uint32_t)ordinal);
    gy_hunter_report(h, &way, kind, where);
    gy_vec_free(&way);
}

// ---- the next state ---------------------------------------------------------------------

static void consider(gy_hunter *h, deep *d, const gy_transition *move, uint32_t ordinal)
{
    uint64_t hash = gy_hash_pair(gy_hash_state(move->state, move->words), d->salt), key = ordinal;
    uint64_t cost = d->depth == 1 ? 0 : top_frame(d)->cost + gy_ground_cost(move);
    uint64_t limit = h->ground.options->depth_limit;
    hash += hash == 0;
    h->arrivals += !top_frame(d)->looked;
    if (is_seen(h, d, hash))
        return;
    if (limit && cost > limit) {
        h->cut = h->beyond = true;
        return;
    }
    if (h->strategy->variant != GY_DEEP_AS_GIVEN)
        key = gy_hash_pair(hash, h->seed);
    bool better = d->unseen == 0 || key < d->chosen_key;
    d->unseen += d->unseen == 0 || hash != d->chosen_hash;
    if (!better)
        return;
    d->chosen = ordinal;
    d->chosen_key = key;
    d->chosen_hash = hash;
    d->chosen_cost = cost;
    gy_vec_reserve(&d->next, (size_t)move->words + 1);
    if (move->words)
        memcpy(d->next.at, move->state, move->words * sizeof *move->state);
    d->next.n = move->words;
}

static void look_around(gy_hunter *h, deep *d, frame *f)
{
    uint32_t count;
    const gy_word *state = d->depth == 1 ? NULL : (const gy_word *)d->words.at + f->begin;
    const gy_transition *all = gy_ground_expand(&h->ground, state, f->words, &count);
    bool first = !f->looked;
    if (first && h->ground.found != GY_GROUND_FINE)
        report(h, d, GY_FAULT_NONE, -1, gy_hash_state(state, f->words));
    for (uint32_t i = 0; i < count && !h->over; i++) {
        if (first) // what is found again is no more than what was found
            gy_hunter_note(h, &all[i]);
        if (first && gy_ground_wants(&h->ground, &all[i]))
            report(h, d, all[i].fault->kind, i, (uint32_t)all[i].fault->edge);
        if (all[i].state && (!h->ground.reduced || h->ground.moves.keep.at[i]))
            consider(h, d, &all[i], i);
    }
    h->generated += first && count == 0;
}

static bool start(gy_hunter *h, deep *d)
{
    gy_region_free(&d->seen);
    gy_region_init(&d->seen, &h->budget);
    d->known = d->room = d->depth = d->top = 0;
    if (is_bits(h)) {
        d->room = 1ull << BITS;
        return gy_region_reserve(&d->seen, d->room / 8) && push_frame(d, NULL, 0, 0);
    }
    return grow(h, d) && push_frame(d, NULL, 0, 0);
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
    frame *f = top_frame(d);
    d->unseen = 0;
    if (f->done) {
        pop_frame(d);
        return;
    }
    look_around(h, d, f);
    if (h->over)
        return;
    f->looked = true;
    if (!d->unseen) {
        pop_frame(d);
        return;
    }
    f->ordinal = d->chosen;
    f->done = d->unseen == 1;
    if (d->chosen_cost > h->depth)
        h->depth = d->chosen_cost;
    if (!mark_seen(h, d, d->chosen_hash) ||
        !push_frame(d, d->next.at, (uint32_t)d->next.n, d->chosen_cost))
        give_up(h);
}

void gy_deep_begin(gy_hunter *h)
{
    deep *d = gy_alloc_zero(sizeof *d);
    h->self = d;
    d->salt = gy_hash_number(h->seed);
    gy_region_init(&d->frames, &h->budget);
    gy_region_init(&d->words, &h->budget);
    gy_region_init(&d->seen, &h->budget);
    if (!start(h, d))
        give_up(h);
}

void gy_deep_go_on(gy_hunter *h, uint64_t until)
{
    deep *d = h->self;
    while (!h->over && h->generated < until) {
        advance(h, d);
        if (d->depth == 0)
            finish(h, d);
        gy_hunter_use(h, d->known);
    }
}

void gy_deep_end(gy_hunter *h)
{
    deep *d = h->self;
    gy_region_free(&d->frames);
    gy_region_free(&d->words);
    gy_region_free(&d->seen);
    gy_vec_free(&d->next);
    free(d);
}
