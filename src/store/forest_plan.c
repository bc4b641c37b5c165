// Better shapes for the forest, learnt from the states it has: see forest.h and shape.h.
//
// It happens a few times in a long search (at 32 thousand states, and again at eight times as
// many), at a meeting; the team shares what takes long. The new nodes and roots are built beside
// the old ones; if memory runs out on the way, nothing has changed.
#include "store/forest.h"

#include "base/fatal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_AGAIN = 8 };

bool gy_forest_unsettled(const gy_forest *forest)
{
    return gy_forest_count(forest) >= forest->plan_at;
}

// ---- a sample -------------------------------------------------------------------------

typedef struct member_base { // what one member writes, others should not have to fetch again
    gy_coder_base base;
    char apart[128];
} member_base;

typedef struct sampling {
    gy_wood *wood;
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
    uint32_t name[2] = {left, right}, words = s->wood->words;
    if (p->seen++ % s->every)
        return;
    uint32_t i = atomic_fetch_add_explicit(&s->n, 1, memory_order_relaxed);
    if (i >= s->most)
        return;
    gy_coder_unfold(s->wood->coder, p->base, name);
    memcpy(s->states + (size_t)i * words, p->base->words, words * sizeof *s->states);
}

static void sample_piece(void *user, unsigned member, uint64_t piece)
{
    sampling *s = user;
    sampled_piece p = {.of = s, .base = &s->bases[member].base, .seen = piece % s->every};
    gy_cleary_each(&s->wood->roots, piece, take, &p);
}

// Up to *n states; *n becomes how many.
static uint32_t *take_sample(gy_wood *wood, uint64_t count, uint32_t *n, gy_team *team)
{
    unsigned members = gy_team_size(team);
    sampling s = {.wood = wood, .every = count / *n + 1, .most = *n};
    s.bases = gy_alloc_apart(members * sizeof *s.bases);
    for (unsigned i = 0; i < members; i++)
        gy_coder_base_init(&s.bases[i].base, wood->coder);
    s.states = gy_alloc((size_t)s.most * wood->words * sizeof *s.states);
    gy_team_share(team, gy_cleary_pieces(&wood->roots), sample_piece, &s);
    uint32_t taken = atomic_load_explicit(&s.n, memory_order_relaxed);
    *n = taken < s.most ? taken : s.most;
    for (unsigned i = 0; i < members; i++)
        gy_coder_base_free(&s.bases[i].base);
    free(s.bases);
    return s.states;
}

static uint64_t count_of(const gy_wood *wood)
{
    return atomic_load_explicit(&wood->roots.count, memory_order_relaxed);
}

// Will nodes take little, per state, when there are PLAN_AGAIN times as many states, if it goes on
// as it did since the shape was planned?
static bool will_do(const gy_wood *wood, uint64_t count)
{
    enum { LITTLE = 5 };
    double bytes = (double)gy_coder_bytes(wood->coder) / (double)count;
    double times = (double)count / (double)wood->planned_count;
    double then = (double)wood->planned_bytes / (double)wood->planned_count;
    if (times > 2 && bytes < then)
        bytes *= pow(bytes / then, log(PLAN_AGAIN) / log(times));
    return bytes < LITTLE;
}

static gy_tree_layout *plan(gy_forest *forest, gy_wood *wood, gy_team *team)
{
    uint64_t count = count_of(wood);
    if (wood->words < 2 || wood->words > GY_PLAN_WORDS || !count)
        return NULL;
    // A shape that was planned once must be much worse than another one: for a while, two of
    // everything are in memory.
    double share = wood->planned ? 0.7 : 0.93;
    if (wood->planned && will_do(wood, count) && !forest->hostile)
        return NULL;
    wood->planned = true;
    uint32_t n = gy_tree_layout_sample_size(wood->words);
    uint32_t *sample = take_sample(wood, count, &n, team);
    gy_tree_layout *shape = gy_tree_layout_better(wood->coder->shape, sample, n, (double)count,
                                                  share, forest->hostile, team);
    free(sample);
    return shape;
}

// ---- naming anew ----------------------------------------------------------------------

// What one member needs for it.
typedef struct renamer {
    gy_coder_base old, new;
    gy_flat flat;     // if the new coder is flat: some at a time
    uint32_t *states; // of these
    char apart[128];
} renamer;

struct gy_renaming {
    gy_coder *coder; // the new ones
    gy_cleary roots;
    gy_wood *wood;
    renamer *renamers; // by member
    unsigned size;
    uint32_t *done;           // of each piece of the old roots, how many are entered again
    _Atomic bool room_wanted; // in the new tables
    _Atomic bool unfinished;
};

typedef struct renamed_piece {
    gy_renaming *of;
    renamer *by;
    uint32_t skip;    // entered before
    uint32_t entered; // and now
    bool stuck;
} renamed_piece;

static gy_renaming *new_renaming(gy_forest *forest, gy_wood *wood, gy_tree_layout *shape,
                                 gy_team *team)
{
    gy_renaming *r = gy_alloc_zero(sizeof *r);
    r->wood = wood;
    r->coder = gy_coder_new(shape, forest->budget, forest->hostile);
    r->size = gy_team_size(team);
    gy_cleary_init(&r->roots, forest->budget, forest->alone, forest->hostile);
    r->done = gy_alloc_zero(gy_cleary_pieces(&wood->roots) * sizeof *r->done);
    r->renamers = gy_alloc_apart(r->size * sizeof *r->renamers);
    for (unsigned i = 0; i < r->size; i++) {
        renamer *by = &r->renamers[i];
        gy_coder_base_init(&by->old, wood->coder);
        gy_coder_base_init(&by->new, r->coder);
        gy_flat_init(&by->flat, r->coder);
        by->states = gy_alloc((size_t)GY_FLAT_MOST * wood->words * sizeof *by->states);
    }
    return r;
}

static void free_renaming(gy_renaming *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_coder_base_free(&r->renamers[i].old);
        gy_coder_base_free(&r->renamers[i].new);
        gy_flat_free(&r->renamers[i].flat);
        free(r->renamers[i].states);
    }
    free(r->renamers);
    free(r->done);
    free(r);
}

static void enter(renamed_piece *p, uint32_t left, uint32_t right)
{
    gy_cleary *roots = &p->of->roots;
    if (gy_cleary_fits(roots, left, right)) {
        gy_cleary_key key = gy_cleary_key_of(roots, left, right);
        p->stuck = gy_cleary_enter(roots, &key) == GY_CLEARY_NO_ROOM;
    } else {
        p->stuck = true;
    }
    p->entered += !p->stuck;
}

static void enter_flat(renamed_piece *p)
{
    gy_flat *flat = &p->by->flat;
    gy_flat_gather(flat, p->of->coder);
    p->stuck = p->stuck || !gy_flat_number(flat, p->of->coder);
    for (uint32_t i = 0; i < flat->n && !p->stuck; i++)
        enter(p, flat->numbers[0][i], flat->numbers[1][i]);
    gy_flat_clear(flat);
    // It will have to be made, and now there is least to be done twice.
    p->stuck = p->stuck || atomic_load_explicit(&p->of->room_wanted, memory_order_relaxed);
}

static void rename_root(void *user, uint32_t left, uint32_t right)
{
    static const uint32_t nowhere[2];
    renamed_piece *p = user;
    renamer *by = p->by;
    const gy_wood *wood = p->of->wood;
    uint32_t name[2] = {left, right};
    if (p->skip && p->skip--)
        return;
    if (p->stuck)
        return;
    gy_coder_unfold(wood->coder, &by->old, name);
    if (p->of->coder->flat) {
        uint32_t *state = by->states + (size_t)by->flat.n * wood->words;
        memcpy(state, by->old.words, wood->words * sizeof *state);
        gy_flat_add(&by->flat, nowhere, state, UINT64_MAX, 0);
        if (by->flat.n == GY_FLAT_MOST)
            enter_flat(p);
    } else if (gy_coder_name(p->of->coder, &by->new, by->old.words, true, name)) {
        enter(p, name[0], name[1]);
    } else {
        p->stuck = true;
    }
}

static void rename_piece(void *user, unsigned member, uint64_t piece)
{
    gy_renaming *r = user;
    renamed_piece p = {.of = r, .by = &r->renamers[member], .skip = r->done[piece]};
    if (p.skip == UINT32_MAX) // all of them
        return;
    p.stuck = atomic_load_explicit(&r->room_wanted, memory_order_relaxed);
    if (!p.stuck)
        gy_cleary_each(&r->wood->roots, piece, rename_root, &p);
    if (p.by->flat.n)
        enter_flat(&p);
    if (!p.stuck) {
        r->done[piece] = UINT32_MAX;
    } else {
        r->done[piece] += p.entered;
        atomic_store_explicit(&r->unfinished, true, memory_order_relaxed);
    }
}

static bool make_room(gy_renaming *r, gy_team *team)
{
    atomic_store_explicit(&r->room_wanted, false, memory_order_relaxed);
    if (!gy_coder_make_room(r->coder, team))
        return false;
    uint64_t left = gy_coder_numbers(r->coder, 0) + 1, right = gy_coder_numbers(r->coder, 1) + 1;
    return !gy_cleary_wants_room(&r->roots, left, right) ||
           gy_cleary_grow(&r->roots, left, right, team);
}

static bool rename_all(gy_renaming *r, gy_team *team)
{
    enum { ALONE = 16 }; // of so many, one
    uint64_t pieces = gy_cleary_pieces(&r->wood->roots);
    // The table is made for all of them at once, and counts them from the beginning.
    atomic_store_explicit(&r->roots.count, count_of(r->wood), memory_order_relaxed);
    if (!make_room(r, team))
        return false;
    // While the tables of nodes are small and grow all the time, others would but be in the way.
    for (uint64_t i = 0; r->size > 1 && i < pieces / ALONE + 1; i++)
        rename_piece(r, 0, i);
    if (r->size > 1)
        r->coder->room_wanted = &r->room_wanted;
    for (;;) {
        atomic_store_explicit(&r->unfinished, false, memory_order_relaxed);
        gy_team_share(team, pieces, rename_piece, r);
        if (!atomic_load_explicit(&r->unfinished, memory_order_relaxed))
            return true;
        if (!make_room(r, team))
            return false;
    }
}

void gy_forest_rename(gy_wood *wood, unsigned member, uint32_t name[2])
{
    gy_renaming *r = wood->renaming;
    if (!r)
        return;
    renamer *by = &r->renamers[member];
    gy_coder_unfold(wood->coder, &by->old, name);
    gy_coder_name(r->coder, &by->new, by->old.words, true, name);
}

// ---- all of it ------------------------------------------------------------------------

static void plan_wood(gy_forest *forest, gy_wood *wood, gy_team *team)
{
    gy_tree_layout *shape = plan(forest, wood, team);
    if (shape) {
        gy_renaming *r = new_renaming(forest, wood, shape, team);
        if (rename_all(r, team)) {
            wood->renaming = r;
        } else {
            gy_coder_free(r->coder);
            gy_cleary_free(&r->roots);
            free_renaming(r);
        }
    }
    if (wood->planned) {
        wood->planned_count = count_of(wood);
        wood->planned_bytes = gy_coder_bytes(wood->renaming ? wood->renaming->coder : wood->coder);
    }
}

bool gy_forest_plan(gy_forest *forest, gy_team *team)
{
    bool better = false;
    uint32_t count = atomic_load_explicit(&forest->wood_count, memory_order_acquire);
    forest->plan_at *= forest->hostile ? 2 : PLAN_AGAIN;
    for (uint32_t i = 0; i < count; i++) {
        gy_wood *wood = atomic_load_explicit(&forest->woods[i], memory_order_acquire);
        plan_wood(forest, wood, team);
        better = better || wood->renaming;
    }
    return better;
}

void gy_forest_settle(gy_forest *forest)
{
    uint32_t count = atomic_load_explicit(&forest->wood_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        gy_wood *wood = atomic_load_explicit(&forest->woods[i], memory_order_acquire);
        gy_renaming *r = wood->renaming;
        if (!r)
            continue;
        gy_coder_free(wood->coder);
        wood->coder = r->coder;
        wood->coder->room_wanted = &forest->room_wanted;
        gy_cleary_free(&wood->roots);
        wood->roots = r->roots;
        free_renaming(r);
        wood->renaming = NULL;
    }
    forest->generation++;
}
