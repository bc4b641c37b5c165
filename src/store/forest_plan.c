// Better shapes for the forest, learnt from the states it has: see forest.h and shape.h.
//
// All of it is done by one thread while the others wait; it happens a few times in a long search
// (at 32 thousand states, and again at eight times as many), so that it does not matter much.
// The new nodes and roots are built beside the old ones; if memory runs out on the way, nothing
// has changed.
#include "store/forest.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { PLAN_AGAIN = 8 };

bool gy_forest_unsettled(const gy_forest *forest)
{
    return gy_forest_count(forest) >= forest->plan_at;
}

// ---- a sample -------------------------------------------------------------------------

typedef struct sampling {
    gy_wood *wood;
    uint32_t *states;
    uint32_t n, most;
    uint64_t seen, every;
} sampling;

// The table is in the order of a hash: every k-th entry of it is a random sample.
static void take(void *user, uint32_t left, uint32_t right)
{
    sampling *s = user;
    uint32_t name[2] = {left, right}, words = s->wood->words;
    if (s->seen++ % s->every || s->n == s->most)
        return;
    gy_coder_unfold(s->wood->coder, &s->wood->old_base, name);
    memcpy(s->states + (size_t)s->n++ * words, s->wood->old_base.words, words * sizeof *s->states);
}

static gy_shape *plan(gy_forest *forest, gy_wood *wood)
{
    uint64_t count = atomic_load_explicit(&wood->roots.count, memory_order_relaxed);
    if (wood->words < 2 || wood->words > GY_PLAN_WORDS || !count)
        return NULL;
    // A shape that was planned once and whose nodes take little is good enough. Another one must be
    // worth that, for a while, two of everything are in memory.
    enum { LITTLE = 5 }; // bytes per state; they become fewer
    double share = wood->planned ? 0.7 : 0.93;
    if (wood->planned && gy_coder_bytes(wood->coder) < LITTLE * count && !forest->hostile)
        return NULL;
    wood->planned = true;
    sampling s = {.wood = wood, .most = gy_shape_sample_size(wood->words)};
    s.every = count / s.most + 1;
    s.states = gy_alloc((size_t)s.most * wood->words * sizeof *s.states);
    for (uint64_t piece = 0; gy_quotient_each(&wood->roots, piece, take, &s); piece++)
        ;
    gy_shape *shape =
        gy_shape_better(wood->coder->shape, s.states, s.n, (double)count, share, forest->hostile);
    free(s.states);
    return shape;
}

// ---- naming anew ----------------------------------------------------------------------

typedef struct renaming {
    gy_wood *wood;
    gy_flat flat;     // if the new coder is flat: some at a time
    uint32_t *states; // of these
    bool full;
} renaming;

static bool make_room(gy_wood *wood, const uint32_t name[2])
{
    gy_quotient *roots = &wood->next_roots;
    if (gy_quotient_fits(roots, name[0], name[1]) && !gy_quotient_wants_room(roots, 0, 0))
        return true;
    if (!gy_quotient_begin(roots, (uint64_t)name[0] + 1, (uint64_t)name[1] + 1))
        return false;
    gy_quotient_move_all(roots);
    return gy_quotient_end(roots);
}

void gy_forest_rename(gy_wood *wood, uint32_t name[2])
{
    if (!wood->next_coder)
        return;
    gy_coder_unfold(wood->coder, &wood->old_base, name);
    gy_coder_name(wood->next_coder, &wood->new_base, wood->old_base.words, true, name);
}

static bool enter_renamed(gy_wood *wood, uint32_t left, uint32_t right)
{
    uint32_t name[2] = {left, right};
    if (!make_room(wood, name))
        return false;
    gy_quotient_key key = gy_quotient_key_of(&wood->next_roots, left, right);
    atomic_fetch_add_explicit(&wood->next_roots.count, 1, memory_order_relaxed);
    return gy_quotient_enter(&wood->next_roots, &key) != GY_QUOTIENT_NO_ROOM;
}

static void rename_some(renaming *r)
{
    gy_flat *flat = &r->flat;
    gy_flat_gather(flat, r->wood->next_coder);
    r->full = r->full || !gy_flat_number(flat, r->wood->next_coder);
    for (uint32_t i = 0; i < flat->n && !r->full; i++)
        r->full = !enter_renamed(r->wood, flat->numbers[0][i], flat->numbers[1][i]);
    gy_flat_clear(flat);
}

static void rename_root(void *user, uint32_t left, uint32_t right)
{
    static const uint32_t nowhere[2];
    renaming *r = user;
    gy_wood *wood = r->wood;
    uint32_t name[2] = {left, right}, *words = wood->old_base.words;
    if (r->full)
        return;
    gy_coder_unfold(wood->coder, &wood->old_base, name);
    if (wood->next_coder->flat) {
        uint32_t *state = r->states + (size_t)r->flat.n * wood->words;
        memcpy(state, words, wood->words * sizeof *state);
        gy_flat_add(&r->flat, nowhere, state, UINT64_MAX, 0);
        if (r->flat.n == GY_FLAT_MOST)
            rename_some(r);
    } else {
        r->full = !gy_coder_name(wood->next_coder, &wood->new_base, words, true, name) ||
                  !enter_renamed(wood, name[0], name[1]);
    }
}

static void drop_plan(gy_wood *wood)
{
    gy_coder_free(wood->next_coder);
    wood->next_coder = NULL;
    gy_quotient_free(&wood->next_roots);
    gy_coder_base_free(&wood->new_base);
}

static bool rename_all(gy_forest *forest, gy_wood *wood, gy_shape *shape)
{
    renaming r = {.wood = wood};
    wood->next_coder = gy_coder_new(shape, forest->budget, forest->hostile);
    gy_quotient_init(&wood->next_roots, forest->budget, forest->alone, forest->hostile);
    gy_coder_base_init(&wood->new_base, wood->next_coder);
    gy_flat_init(&r.flat, wood->next_coder);
    r.states = gy_alloc((size_t)GY_FLAT_MOST * wood->words * sizeof *r.states);
    for (uint64_t piece = 0; gy_quotient_each(&wood->roots, piece, rename_root, &r); piece++)
        ;
    if (wood->next_coder->flat)
        rename_some(&r);
    gy_flat_free(&r.flat);
    free(r.states);
    if (r.full)
        drop_plan(wood);
    return !r.full;
}

bool gy_forest_plan(gy_forest *forest)
{
    bool better = false;
    uint32_t count = atomic_load_explicit(&forest->wood_count, memory_order_acquire);
    forest->plan_at *= forest->hostile ? 2 : PLAN_AGAIN;
    for (uint32_t i = 0; i < count; i++) {
        gy_wood *wood = atomic_load_explicit(&forest->woods[i], memory_order_acquire);
        gy_coder_base_init(&wood->old_base, wood->coder);
        gy_shape *shape = plan(forest, wood);
        if (shape && rename_all(forest, wood, shape))
            better = true;
        else
            gy_coder_base_free(&wood->old_base);
    }
    return better;
}

void gy_forest_settle(gy_forest *forest)
{
    uint32_t count = atomic_load_explicit(&forest->wood_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        gy_wood *wood = atomic_load_explicit(&forest->woods[i], memory_order_acquire);
        if (!wood->next_coder)
            continue;
        gy_coder_free(wood->coder);
        wood->coder = wood->next_coder;
        wood->coder->room_wanted = &forest->room_wanted;
        wood->next_coder = NULL;
        gy_quotient_free(&wood->roots);
        wood->roots = wood->next_roots;
        gy_coder_base_free(&wood->old_base);
        gy_coder_base_free(&wood->new_base);
    }
    forest->generation++;
}
