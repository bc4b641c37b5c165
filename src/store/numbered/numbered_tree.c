// The tree store: lossless compression by sharing. The default.
//
// A state is cut into leaves of a few words; each leaf is kept once and numbered; pairs of numbers
// are kept once and numbered, level by level, until two numbers are left: the name of the state.
// (coder.h does that for states of one length; shape.h says what belongs together.)
//
//        root (length, left, right)       by id, bit-packed: roots.h; found by `index`
//          /          \                   pairs of numbers, one table per node of the shape
//        …              …
//      leaf  leaf  leaf  leaf             rows of words
//
// States of different lengths have coders of their own; the length is part of the root.
//
// A view keeps a base for each length: a state whose numbers are known, so that naming a similar
// one costs little. The base of the current length is the state last given back, which stays as
// it is; the others follow the states that are prepared.
//
// The first shapes know nothing about the states. At certain sizes better ones are planned from
// a sample, and all states are named anew (resettle.c).
//
// Cf. A. Laarman, J. van de Pol, M. Weber: Parallel recursive state compression for free
// (SPIN 2011). Different here: wide leaves, shapes that are learnt, tables per node, dense ids for
// nodes and states (so that nothing moves when a table grows), packed roots.
#include "store/numbered/tree.h"

#include "store/numbered/inline_index.h"

#include "base/fatal.h"

#include <stdlib.h>

enum { FIRST_PLAN = 1 << 15, HOSTILE_PLAN = 100 };

static gy_tree *tree_of(gy_numbered_view *head)
{
    return (gy_tree *)head->store;
}

// ---- lengths --------------------------------------------------------------------------

static uint32_t add_length(gy_tree *t, uint32_t words)
{
    gy_coder *coder = gy_coder_new(gy_tree_layout_balanced(words), t->budget, t->hostile);
    gy_vec_push(&t->coders, coder);
    gy_vec_push(&t->planned, NULL);
    return (uint32_t)t->coders.n - 1;
}

static uint32_t length_number(gy_tree *t, uint32_t words)
{
    enum { DIRECT = 1 << 16 };
    if (words < DIRECT) {
        while (t->number_of.n <= words)
            gy_vec_push(&t->number_of, 0);
        if (!t->number_of.at[words])
            t->number_of.at[words] = add_length(t, words) + 1;
        return t->number_of.at[words] - 1;
    }
    for (size_t i = 0; i < t->coders.n; i++)
        if (t->coders.at[i]->shape->words == words)
            return (uint32_t)i;
    return add_length(t, words);
}

static void drop_bases(gy_tree_view *v)
{
    for (size_t i = 0; i < v->bases.n; i++)
        gy_coder_base_free(&v->bases.at[i]);
    v->bases.n = 0;
    v->current = -1;
}

gy_coder_base *gy_tree_base(gy_tree *t, gy_tree_view *v, uint32_t number)
{
    if (v->generation != t->generation) {
        drop_bases(v);
        v->generation = t->generation;
    }
    while (v->bases.n <= number)
        gy_vec_push(&v->bases, (gy_coder_base){0});
    gy_coder_base *base = &v->bases.at[number];
    if (!base->words)
        gy_coder_base_init(base, t->coders.at[number]);
    return base;
}

// ---- keys -----------------------------------------------------------------------------

static bool tree_prepare(gy_numbered_view *head, const uint32_t *state, uint32_t words, gy_key *key)
{
    gy_tree *t = tree_of(head);
    gy_tree_view *v = (gy_tree_view *)head;
    uint32_t name[2], number = length_number(t, words);
    gy_coder_base *base = gy_tree_base(t, v, number);
    if (!gy_coder_encode(t->coders.at[number], base, state, v->current != (int64_t)number, name))
        return false;
    key->name = (uint64_t)name[0] << 32 | name[1];
    key->words = words;
    key->hash = gy_tree_hash(name[0], name[1], words);
    if (t->index.lines)
        gy_index_prefetch(&t->index, key->hash);
    return true;
}

static void tree_rekey(gy_numbered_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    (void)state;
    key->hash = gy_tree_hash((uint32_t)(key->name >> 32), (uint32_t)key->name, key->words);
}

static const uint32_t *tree_spell(gy_numbered_view *head, const gy_key *key)
{
    gy_tree *t = tree_of(head);
    gy_tree_view *v = (gy_tree_view *)head;
    uint32_t name[2] = {(uint32_t)(key->name >> 32), (uint32_t)key->name};
    uint32_t number = length_number(t, key->words);
    gy_coder_base *base = gy_tree_base(t, v, number);
    gy_coder_decode(t->coders.at[number], base, name);
    v->current = number;
    return base->words;
}

// ---- entering -------------------------------------------------------------------------

static uint64_t root_hash(const void *owner, uint64_t id)
{
    const gy_tree *t = owner;
    gy_root root = gy_roots_get(&t->roots, id);
    return gy_tree_hash(root.left, root.right, t->coders.at[root.shape]->shape->words);
}

gy_index_owner gy_tree_owner(const gy_tree *t)
{
    return (gy_index_owner){root_hash, t};
}

static void tree_warm(gy_numbered_view *head, const gy_key *key)
{
    const gy_tree *t = tree_of(head);
    uint64_t id;
    if (!t->index.lines)
        return;
    gy_probe probe = gy_index_probe(&t->index, key->hash);
    if (probe.match && gy_index_next(&t->index, &probe, &id))
        gy_roots_prefetch(&t->roots, id);
}

// Is there a state of that name? If not, *probe is where it belongs.
static bool find_root(const gy_tree *t, uint64_t hash, const gy_root *wanted, gy_probe *probe,
                      uint64_t *id)
{
    *probe = gy_index_probe(&t->index, hash);
    while (gy_index_next(&t->index, probe, id)) {
        gy_root root = gy_roots_get(&t->roots, *id);
        if (root.left == wanted->left && root.right == wanted->right && root.shape == wanted->shape)
            return true;
    }
    return false;
}

static gy_root root_named(gy_tree *t, const gy_key *key)
{
    return (gy_root){.shape = length_number(t, key->words),
                     .left = (uint32_t)(key->name >> 32),
                     .right = (uint32_t)key->name};
}

static bool tree_has(gy_numbered_view *head, const gy_key *key, const uint32_t *state, uint64_t *id)
{
    gy_tree *t = tree_of(head);
    gy_root root = root_named(t, key);
    gy_probe probe;
    (void)state;
    return t->index.lines && find_root(t, key->hash, &root, &probe, id);
}

static gy_numbered_answer tree_enter(gy_numbered_view *head, const gy_key *key,
                                     const uint32_t *state, uint64_t *id)
{
    gy_tree *t = tree_of(head);
    gy_root root = root_named(t, key);
    gy_probe probe = {0};
    uint64_t next = t->roots.count;
    (void)state;
    if (t->index.lines && find_root(t, key->hash, &root, &probe, id))
        return GY_NUMBERED_FOUND;
    if (!gy_index_has_room(&t->index, next)) {
        gy_index_owner owner = gy_tree_owner(t);
        if (!gy_index_make_room(&t->index, &owner, next))
            return GY_NUMBERED_FULL;
        find_root(t, key->hash, &root, &probe, id);
    }
    if (!gy_roots_add(&t->roots, &root))
        return GY_NUMBERED_FULL;
    if (!gy_index_put(&t->index, &probe, next)) {
        t->roots.count--;
        return GY_NUMBERED_FULL;
    }
    *id = next;
    return GY_NUMBERED_NEW;
}

static const uint32_t *tree_state(gy_numbered_view *head, uint64_t id, uint32_t *words)
{
    gy_tree *t = tree_of(head);
    gy_tree_view *v = (gy_tree_view *)head;
    gy_root root = gy_roots_get(&t->roots, id);
    uint32_t name[2] = {root.left, root.right};
    gy_coder_base *base = gy_tree_base(t, v, root.shape);
    gy_coder_decode(t->coders.at[root.shape], base, name);
    v->current = root.shape;
    *words = t->coders.at[root.shape]->shape->words;
    return base->words;
}

// ---- life -----------------------------------------------------------------------------

static void tree_free(gy_numbered *store)
{
    gy_tree *t = (gy_tree *)store;
    for (size_t i = 0; i < t->coders.n; i++) {
        gy_coder_free(t->coders.at[i]);
        gy_tree_layout_free(t->planned.at[i]);
    }
    gy_vec_free(&t->coders);
    gy_vec_free(&t->planned);
    gy_vec_free(&t->number_of);
    gy_roots_free(&t->roots);
    gy_index_free(&t->index);
    free(t);
}

static void tree_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    figures->states = ((const gy_tree *)store)->roots.count;
}

static gy_numbered_view *tree_new_view(gy_numbered *store)
{
    gy_tree_view *v = gy_alloc_zero(sizeof *v);
    v->current = -1;
    v->generation = ((gy_tree *)store)->generation;
    return &v->head;
}

static void tree_free_view(gy_numbered_view *head)
{
    gy_tree_view *v = (gy_tree_view *)head;
    drop_bases(v);
    gy_vec_free(&v->bases);
    free(v);
}

static void tree_save(const gy_numbered *store, gy_writer *writer)
{
    const gy_tree *t = (const gy_tree *)store;
    gy_write_u64(writer, t->plan_at);
    gy_write_u64(writer, t->coders.n);
    for (size_t i = 0; i < t->coders.n; i++)
        gy_coder_save(t->coders.at[i], writer);
    gy_roots_save(&t->roots, writer);
    gy_index_save(&t->index, writer);
}

static bool tree_load(gy_numbered *store, gy_reader *reader)
{
    gy_tree *t = (gy_tree *)store;
    t->plan_at = gy_read_u64(reader);
    t->generation++;
    for (uint64_t i = 0, n = gy_read_u64(reader); i < n; i++) {
        gy_coder *coder = gy_coder_load(reader, t->budget, t->hostile);
        if (!coder)
            return false;
        if (length_number(t, coder->shape->words) != i) {
            gy_coder_free(coder);
            return false;
        }
        gy_coder_free(t->coders.at[i]);
        t->coders.at[i] = coder;
    }
    return gy_roots_load(&t->roots, reader) && gy_index_load(&t->index, reader);
}

static const gy_numbered_kind_table tree_kind = {
    .traits = {.name = "tree", .exact = true, .gives_back = true, .key_suffices = true},
    .free = tree_free,
    .look = tree_look,
    .new_view = tree_new_view,
    .free_view = tree_free_view,
    .prepare = tree_prepare,
    .rekey = tree_rekey,
    .warm = tree_warm,
    .enter = tree_enter,
    .has = tree_has,
    .state = tree_state,
    .unsettled = gy_tree_unsettled,
    .plan = gy_tree_plan,
    .spell = tree_spell,
    .rename = gy_tree_rename,
    .save = tree_save,
    .load = tree_load,
};

gy_numbered *gy_numbered_tree(const gy_numbered_options *options)
{
    gy_tree *t = gy_alloc_zero(sizeof *t);
    t->head.kind = &tree_kind;
    t->budget = options->budget;
    t->hostile = options->hostile;
    t->plan_at = options->hostile ? HOSTILE_PLAN : FIRST_PLAN;
    gy_roots_init(&t->roots, options->budget, options->hostile);
    gy_index_init(&t->index, options->budget, options->hostile);
    return &t->head;
}
