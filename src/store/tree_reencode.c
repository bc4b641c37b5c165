// Better layouts for the tree table, learnt from the states it has: see store.h and tree_layout.h.
//
// It happens a few times in a long search (at 32 thousand states, and again at eight times as
// many), at a meeting; the team shares what takes long. The new nodes and pairs are built next to
// the old ones; if memory runs out on the way, nothing has changed.
#include "store/tree_table.h"

#include "base/fatal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_AGAIN = 8 };

bool gy_tree_table_unsettled(const gy_store *store)
{
    const gy_tree_table *t = (const gy_tree_table *)store;
    return gy_tree_count(t) >= t->plan_at;
}

// ---- a sample -------------------------------------------------------------------------

typedef struct member_base { // what one member writes, others should not have to fetch again
    gy_coder_base base;
    char apart[128];
} member_base;

typedef struct sampling {
    gy_length_class *class;
    member_base *bases; // by member
    uint32_t *states;
    uint64_t every;
    uint32_t most;
    _Atomic uint32_t n;
} sampling;

typedef struct sampled_piece {
    sampling *of;
    gy_coder_base *base;
    uint64_t seen;
} sampled_piece;

// The table is in the order of a hash: every k-th entry of it is a random sample.
static void take(void *user, uint32_t left, uint32_t right)
{
    sampled_piece *p = user;
    sampling *s = p->of;
    uint32_t pair[2] = {left, right}, words = s->class->words;
    if (p->seen++ % s->every)
        return;
    uint32_t i = atomic_fetch_add_explicit(&s->n, 1, memory_order_relaxed);
    if (i >= s->most)
        return;
    gy_coder_decode(s->class->coder, p->base, pair);
    memcpy(s->states + (size_t)i * words, p->base->words, words * sizeof *s->states);
}

static void sample_piece(void *user, unsigned member, uint64_t piece)
{
    sampling *s = user;
    sampled_piece p = {.of = s, .base = &s->bases[member].base, .seen = piece % s->every};
    gy_cleary_each(&s->class->pairs, piece, take, &p);
}

// Up to *n states; *n becomes how many.
static uint32_t *take_sample(gy_length_class *class, uint64_t count, uint32_t *n, gy_team *team)
{
    unsigned members = gy_team_size(team);
    sampling s = {.class = class, .every = count / *n + 1, .most = *n};
    s.bases = gy_alloc_apart(members * sizeof *s.bases);
    for (unsigned i = 0; i < members; i++)
        gy_coder_base_init(&s.bases[i].base, class->coder);
    s.states = gy_alloc((size_t)s.most * class->words * sizeof *s.states);
    gy_team_share(team, gy_cleary_pieces(&class->pairs), sample_piece, &s);
    uint32_t taken = atomic_load_explicit(&s.n, memory_order_relaxed);
    *n = taken < s.most ? taken : s.most;
    for (unsigned i = 0; i < members; i++)
        gy_coder_base_free(&s.bases[i].base);
    free(s.bases);
    return s.states;
}

// Will nodes take little, per state, when there are PLAN_AGAIN times as many states, if it goes on
// as it did since the shape was planned?
static bool will_do(const gy_length_class *class, uint64_t count)
{
    enum { LITTLE = 5 };
    double bytes = (double)gy_coder_bytes(class->coder) / (double)count;
    double times = (double)count / (double)class->planned_count;
    double then = (double)class->planned_bytes / (double)class->planned_count;
    if (times > 2 && bytes < then)
        bytes *= pow(bytes / then, log(PLAN_AGAIN) / log(times));
    return bytes < LITTLE;
}

// What a flat layout is worth: it is about twice as fast, so a few bytes, as long as all of it is
// little. Where states have few successors each, these are fast only together with those of others,
// which is worth more.
static double flat_bytes(const gy_tree_table *t, uint32_t words)
{
    enum { MANY = 1 << 23, SHORT = 32 };
    if (gy_tree_count(t) >= MANY)
        return 3.5;
    return t->head.few_successors ? 10 : words <= SHORT ? 5 : 3.5;
}

static gy_tree_layout *plan(gy_tree_table *t, gy_length_class *class, gy_team *team)
{
    uint64_t count = gy_class_count(class);
    if (class->words < 2 || class->words > GY_PLAN_WORDS || !count)
        return NULL;
    // A shape that was planned once must be much worse than another one: for a while, two of
    // everything are in memory.
    gy_tree_layout_wish wish = {.states = (double)count,
                                .share = class->planned ? 0.7 : 0.93,
                                .flat_bytes = flat_bytes(t, class->words),
                                .always = t->head.hostile};
    if (class->planned && will_do(class, count) && !t->head.hostile)
        return NULL;
    class->planned = true;
    uint32_t n = gy_tree_layout_sample_size(class->words);
    uint32_t *sample = take_sample(class, count, &n, team);
    gy_tree_layout *shape = gy_tree_layout_better(class->coder->shape, sample, n, &wish, team);
    free(sample);
    return shape;
}

// ---- renaming ----------------------------------------------------------------------

// What one member needs for it.
typedef struct recoder {
    gy_coder_base old, new;
    gy_encode_batch flat; // if the new coder is flat: some at a time
    uint32_t *states;     // of these
    char apart[128];
} recoder;

struct gy_reencoding {
    gy_coder *coder; // the new ones
    gy_cleary pairs;
    gy_length_class *class;
    recoder *recoders; // by member
    unsigned size;
    uint32_t *done;           // of each piece of the old pairs, how many are entered again
    _Atomic bool room_wanted; // in the new tables
    _Atomic bool unfinished;
};

typedef struct recoded_piece {
    gy_reencoding *of;
    recoder *by;
    uint32_t skip;    // entered before
    uint32_t entered; // and now
    bool stuck;
} recoded_piece;

static gy_reencoding *new_reencoding(gy_tree_table *t, gy_length_class *class,
                                     gy_tree_layout *shape, gy_team *team)
{
    gy_reencoding *r = gy_alloc_zero(sizeof *r);
    r->class = class;
    r->coder = gy_coder_new(shape, t->head.budget, t->head.hostile);
    r->size = gy_team_size(team);
    gy_cleary_init(&r->pairs, t->head.budget, t->head.alone, t->head.hostile);
    r->pairs.note_bytes = t->head.note_bytes;
    r->done = gy_alloc_zero(gy_cleary_pieces(&class->pairs) * sizeof *r->done);
    r->recoders = gy_alloc_apart(r->size * sizeof *r->recoders);
    for (unsigned i = 0; i < r->size; i++) {
        recoder *by = &r->recoders[i];
        gy_coder_base_init(&by->old, class->coder);
        gy_coder_base_init(&by->new, r->coder);
        gy_encode_batch_init(&by->flat, r->coder);
        by->states = gy_alloc((size_t)GY_ENCODE_BATCH_MOST * class->words * sizeof *by->states);
    }
    return r;
}

static void free_reencoding(gy_reencoding *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_coder_base_free(&r->recoders[i].old);
        gy_coder_base_free(&r->recoders[i].new);
        gy_encode_batch_free(&r->recoders[i].flat);
        free(r->recoders[i].states);
    }
    free(r->recoders);
    free(r->done);
    free(r);
}

static void enter(recoded_piece *p, uint32_t left, uint32_t right)
{
    gy_cleary *pairs = &p->of->pairs;
    if (gy_cleary_fits(pairs, left, right)) {
        gy_cleary_key key = gy_cleary_key_of(pairs, left, right);
        p->stuck = gy_cleary_enter(pairs, &key) == GY_CLEARY_NO_ROOM;
    } else {
        p->stuck = true;
    }
    p->entered += !p->stuck;
}

static void enter_flat(recoded_piece *p)
{
    gy_encode_batch *flat = &p->by->flat;
    gy_encode_batch_gather(flat, p->of->coder);
    p->stuck = p->stuck || !gy_encode_batch_number(flat, p->of->coder);
    for (uint32_t i = 0; i < flat->n && !p->stuck; i++)
        enter(p, flat->numbers[0][i], flat->numbers[1][i]);
    gy_encode_batch_clear(flat);
    // It will have to be made, and now there is least to be done twice.
    p->stuck = p->stuck || atomic_load_explicit(&p->of->room_wanted, memory_order_relaxed);
}

static void recode_pair(void *user, uint32_t left, uint32_t right)
{
    static const uint32_t nowhere[2];
    recoded_piece *p = user;
    recoder *by = p->by;
    const gy_length_class *class = p->of->class;
    uint32_t pair[2] = {left, right};
    if (p->skip && p->skip--)
        return;
    if (p->stuck)
        return;
    gy_coder_decode(class->coder, &by->old, pair);
    if (p->of->coder->flat) {
        gy_incoming in = {by->states + (size_t)by->flat.n * class->words, GY_INCOMING_ANY,
                          class->words};
        memcpy(by->states + (size_t)by->flat.n * class->words, by->old.words,
               class->words * sizeof *by->states);
        gy_encode_batch_add(&by->flat, p->of->coder, nowhere, &GY_ARRIVALS(gy_incoming, &in),
                            (gy_encode_batch_some){0, 1, 0});
        if (by->flat.n == GY_ENCODE_BATCH_MOST)
            enter_flat(p);
    } else if (gy_coder_encode(p->of->coder, &by->new, by->old.words, true, pair)) {
        enter(p, pair[0], pair[1]);
    } else {
        p->stuck = true;
    }
}

static void recode_piece(void *user, unsigned member, uint64_t piece)
{
    gy_reencoding *r = user;
    recoded_piece p = {.of = r, .by = &r->recoders[member], .skip = r->done[piece]};
    if (p.skip == UINT32_MAX) // all of them
        return;
    p.stuck = atomic_load_explicit(&r->room_wanted, memory_order_relaxed);
    if (!p.stuck)
        gy_cleary_each(&r->class->pairs, piece, recode_pair, &p);
    if (p.by->flat.n)
        enter_flat(&p);
    if (!p.stuck) {
        r->done[piece] = UINT32_MAX;
    } else {
        r->done[piece] += p.entered;
        atomic_store_explicit(&r->unfinished, true, memory_order_relaxed);
    }
}

static bool make_room(gy_reencoding *r, gy_team *team)
{
    atomic_store_explicit(&r->room_wanted, false, memory_order_relaxed);
    if (!gy_coder_make_room(r->coder, team))
        return false;
    uint64_t left = gy_coder_numbers(r->coder, 0) + 1, right = gy_coder_numbers(r->coder, 1) + 1;
    return !gy_cleary_wants_room(&r->pairs, left, right) ||
           gy_cleary_grow(&r->pairs, left, right, team);
}

static bool recode_all(gy_reencoding *r, gy_team *team)
{
    enum { ALONE = 16 }; // of so many, one
    uint64_t pieces = gy_cleary_pieces(&r->class->pairs);
    // The table is made for all of them at once, and counts them from the beginning.
    atomic_store_explicit(&r->pairs.count, gy_class_count(r->class), memory_order_relaxed);
    if (!make_room(r, team))
        return false;
    // While the tables of nodes are small and grow all the time, others would but be in the way.
    for (uint64_t i = 0; r->size > 1 && i < pieces / ALONE + 1; i++)
        recode_piece(r, 0, i);
    if (r->size > 1)
        r->coder->room_wanted = &r->room_wanted;
    for (;;) {
        atomic_store_explicit(&r->unfinished, false, memory_order_relaxed);
        gy_team_share(team, pieces, recode_piece, r);
        if (!atomic_load_explicit(&r->unfinished, memory_order_relaxed))
            return true;
        if (!make_room(r, team))
            return false;
    }
}

// ---- notes ----------------------------------------------------------------------------

typedef struct noted_piece {
    gy_reencoding *of;
    recoder *by;
} noted_piece;

static void *note_of(const gy_cleary *pairs, const uint32_t pair[2])
{
    gy_cleary_key key = gy_cleary_key_of(pairs, pair[0], pair[1]);
    uint64_t position;
    if (!gy_cleary_find(pairs, &key, &position))
        gy_fatal("a state was lost while the store was encoded again");
    return gy_cleary_note(pairs, position);
}

static void move_note(void *user, uint32_t left, uint32_t right)
{
    noted_piece *p = user;
    gy_reencoding *r = p->of;
    uint32_t pair[2] = {left, right};
    const void *note = note_of(&r->class->pairs, pair);
    gy_coder_decode(r->class->coder, &p->by->old, pair);
    if (gy_coder_encode(r->coder, &p->by->new, p->by->old.words, true, pair))
        memcpy(note_of(&r->pairs, pair), note, r->pairs.note_bytes);
}

static void move_notes(void *user, unsigned member, uint64_t piece)
{
    gy_reencoding *r = user;
    noted_piece p = {r, &r->recoders[member]};
    gy_cleary_each(&r->class->pairs, piece, move_note, &p);
}

gy_ref gy_tree_table_reencode(gy_store *store, unsigned member, gy_ref ref)
{
    gy_tree_table *t = (gy_tree_table *)store;
    uint32_t pair[2];
    gy_length_class *class = gy_tree_table_class(t, gy_tree_pair_of(t, ref, pair));
    gy_reencoding *r = class->reencoding;
    if (!r)
        return ref;
    recoder *by = &r->recoders[member];
    gy_coder_decode(class->coder, &by->old, pair);
    if (!gy_coder_encode(r->coder, &by->new, by->old.words, true, pair))
        gy_fatal("a stored state cannot be encoded again");
    return gy_tree_table_ref(class, pair);
}

// ---- all of it ------------------------------------------------------------------------

static void plan_class(gy_tree_table *t, gy_length_class *class, gy_team *team)
{
    gy_tree_layout *layout = plan(t, class, team);
    if (layout) {
        gy_reencoding *r = new_reencoding(t, class, layout, team);
        if (recode_all(r, team) && gy_tree_reserve_chunks(t, class, gy_coder_most(r->coder, 0))) {
            if (t->head.note_bytes)
                gy_team_share(team, gy_cleary_pieces(&class->pairs), move_notes, r);
            class->reencoding = r;
        } else {
            gy_coder_free(r->coder);
            gy_cleary_free(&r->pairs);
            free_reencoding(r);
        }
    }
    if (class->planned) {
        class->planned_count = gy_class_count(class);
        class->planned_bytes =
            gy_coder_bytes(class->reencoding ? class->reencoding->coder : class->coder);
    }
}

bool gy_tree_table_plan(gy_store *store, gy_team *team)
{
    gy_tree_table *t = (gy_tree_table *)store;
    bool better = false;
    t->plan_at *= t->head.hostile ? 2 : PLAN_AGAIN;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++) {
        gy_length_class *class = gy_tree_table_class(t, i);
        plan_class(t, class, team);
        better = better || class->reencoding;
    }
    return better;
}

void gy_tree_table_settle(gy_store *store)
{
    gy_tree_table *t = (gy_tree_table *)store;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++) {
        gy_length_class *class = gy_tree_table_class(t, i);
        gy_reencoding *r = class->reencoding;
        if (!r)
            continue;
        gy_coder_free(class->coder);
        class->coder = r->coder;
        class->coder->room_wanted = &t->head.room_wanted;
        gy_cleary_free(&class->pairs);
        class->pairs = r->pairs;
        free_reencoding(r);
        class->reencoding = NULL;
    }
    t->generation++;
}
