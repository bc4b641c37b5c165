// The tree store: lossless compression by sharing. The default.
//
// A state of W words is cut into L leaves (L a power of two, 2 to 4 words each for all but the
// shortest states, sizes as equal as possible). Each leaf is interned: same words, same number.
// Pairs of numbers are interned level by level until two numbers are left: the root, which is
// the state's name. The tree is perfectly balanced for every W, which matters most (a lopsided
// tree has a node per state below its root). One table per leaf width and per level, shared by
// all positions and all lengths: processes of the same type have the same local states.
//
//        root (shape, left, right)        by id, bit-packed: roots.h; found by `index`
//          /          \                   level 1 tables: pairs
//        …              …
//      leaf  leaf  leaf  leaf             tables of 1-, 2-, 3- and 4-word tuples
//
// The shape is a number for W (states of different lengths never share a root).
//
// Successors differ from their parent in few words, so a view remembers, for each shape, the
// words and node numbers of a recent state (a base), in heap order: node 1 is the root, children
// of n are 2n and 2n+1, leaves are L .. 2L-1. Only leaves that differ and the nodes above them
// are looked up. The base of the current shape is the state last given back, and stays as it is;
// the others follow the states that are prepared.
// Invariant of a valid base between calls: next[] equals node[].
//
// Cf. A. Laarman, J. van de Pol, M. Weber: Parallel recursive state compression for free
// (SPIN 2011). Different here: wide leaves, tables per level, dense ids for inner nodes and for
// states (so that nothing moves when a table grows), packed roots.
#include "store/store.h"

#include "store/inline_index.h"
#include "store/kind.h"
#include "store/roots.h"
#include "store/tuples.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/vec.h"

enum { LEVELS = 32 };

typedef struct shape {
    uint32_t words, leaves;
    uint32_t depth;  // leaves == 1 << depth
    uint32_t *start; // leaves + 1 numbers: the words where leaves begin
} shape;

typedef struct tree {
    gy_store head;
    gy_tuples leaf[GY_TUPLE_WORDS + 1]; // by width; 0 is not used
    gy_tuples level[LEVELS];            // nodes with 2^k leaves below them: level[k], k >= 1
    gy_roots roots;
    gy_index index;
    GY_VEC(shape *) shapes;
    GY_VEC(uint32_t) shape_of; // words -> shape + 1, for small lengths; 0: none yet
} tree;

typedef struct base {
    bool valid;
    uint32_t *words;
    uint32_t *node, *next;
    uint32_t *dirty; // nodes of next[] that differ from node[]
} base;

typedef struct view {
    gy_store_view head;
    GY_VEC(base) bases; // by shape
    int64_t current;    // shape of the state last given back, or -1
} view;

static tree *tree_of(gy_store_view *v)
{
    return (tree *)v->store;
}

// ---- shapes -------------------------------------------------------------------------

static uint32_t make_shape(tree *t, uint32_t words)
{
    shape *s = gy_alloc(sizeof *s);
    s->words = words;
    s->depth = 1;
    while ((uint64_t)GY_TUPLE_WORDS << s->depth < words)
        s->depth++;
    s->leaves = 1u << s->depth;
    s->start = gy_alloc((s->leaves + 1) * sizeof *s->start);
    for (uint32_t i = 0; i <= s->leaves; i++)
        s->start[i] = (uint32_t)((uint64_t)i * words >> s->depth);
    gy_vec_push(&t->shapes, s);
    return (uint32_t)t->shapes.n - 1;
}

static uint32_t find_shape(tree *t, uint32_t words)
{
    enum { DIRECT = 1 << 16 };
    if (words < DIRECT) {
        while (t->shape_of.n <= words)
            gy_vec_push(&t->shape_of, 0);
        if (!t->shape_of.at[words])
            t->shape_of.at[words] = make_shape(t, words) + 1;
        return t->shape_of.at[words] - 1;
    }
    for (size_t i = 0; i < t->shapes.n; i++)
        if (t->shapes.at[i]->words == words)
            return (uint32_t)i;
    return make_shape(t, words);
}

static base *base_for(tree *t, view *v, uint32_t number)
{
    while (v->bases.n <= number)
        gy_vec_push(&v->bases, (base){0});
    base *b = &v->bases.at[number];
    if (!b->words) {
        const shape *s = t->shapes.at[number];
        b->words = gy_alloc_zero((s->words + 1) * sizeof *b->words);
        b->node = gy_alloc_zero(6 * (size_t)s->leaves * sizeof *b->node);
        b->next = b->node + 2 * s->leaves;
        b->dirty = b->next + 2 * s->leaves;
    }
    return b;
}

// ---- naming a state -----------------------------------------------------------------

static bool same_words(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static uint32_t intern_leaf(tree *t, const uint32_t *state, const shape *s, uint32_t leaf)
{
    uint32_t width = s->start[leaf + 1] - s->start[leaf];
    return width ? gy_tuples_intern(&t->leaf[width], state + s->start[leaf]) : 0;
}

// Looks up the leaves that differ from the base, into next[]; lists them in dirty[].
static bool name_leaves(tree *t, base *b, const uint32_t *state, const shape *s, uint32_t *count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->leaves; i++) {
        uint32_t from = s->start[i], width = s->start[i + 1] - from;
        if (b->valid && same_words(state + from, b->words + from, width))
            continue;
        uint32_t number = intern_leaf(t, state, s, i);
        if (number == GY_TUPLE_NONE)
            return false;
        b->next[s->leaves + i] = number;
        b->dirty[n++] = s->leaves + i;
    }
    *count = n;
    return true;
}

// Looks up the nodes above the dirty ones, up to the two below the root; adds them to dirty[].
static bool name_nodes(tree *t, base *b, const shape *s, uint32_t *count)
{
    uint32_t from = 0, to = *count;
    for (uint32_t k = 1; k < s->depth; k++) {
        uint32_t n = to;
        for (uint32_t i = from; i < to; i++) {
            uint32_t parent = b->dirty[i] / 2;
            if (n > to && b->dirty[n - 1] == parent)
                continue;
            uint32_t number = gy_tuples_intern(&t->level[k], b->next + 2 * parent);
            if (number == GY_TUPLE_NONE)
                return false;
            b->next[parent] = number;
            b->dirty[n++] = parent;
        }
        from = to;
        to = n;
    }
    *count = to;
    return true;
}

static uint64_t hash_name(uint64_t name, uint32_t words)
{
    return gy_hash_pair(name, words);
}

static bool tree_prepare(gy_store_view *head, const uint32_t *state, uint32_t words, gy_key *key)
{
    tree *t = tree_of(head);
    view *v = (view *)head;
    uint32_t number = find_shape(t, words), count = 0;
    const shape *s = t->shapes.at[number];
    base *b = base_for(t, v, number);
    if (!name_leaves(t, b, state, s, &count) || !name_nodes(t, b, s, &count)) {
        b->valid = false; // next[] is spoilt
        return false;
    }
    key->name = (uint64_t)b->next[2] << 32 | b->next[3];
    key->words = words;
    key->hash = hash_name(key->name, words);
    if (t->index.lines)
        gy_index_prefetch(&t->index, key->hash);
    if (v->current == (int64_t)number && b->valid) {
        for (uint32_t i = 0; i < count; i++)
            b->next[b->dirty[i]] = b->node[b->dirty[i]];
    } else {
        for (uint32_t i = 0; i < count; i++)
            b->node[b->dirty[i]] = b->next[b->dirty[i]];
        if (words)
            memcpy(b->words, state, words * sizeof *state);
        b->valid = true;
    }
    return true;
}

static void tree_rekey(gy_store_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    (void)state;
    key->hash = hash_name(key->name, key->words);
}

// ---- entering -----------------------------------------------------------------------

static void tree_warm(gy_store_view *head, const gy_key *key)
{
    const tree *t = tree_of(head);
    uint64_t id;
    if (!t->index.lines)
        return;
    gy_probe probe = gy_index_probe(&t->index, key->hash);
    if (probe.match && gy_index_next(&t->index, &probe, &id))
        gy_roots_prefetch(&t->roots, id);
}

static uint64_t root_hash(const void *owner, uint64_t id)
{
    const tree *t = owner;
    gy_root root = gy_roots_get(&t->roots, id);
    return hash_name((uint64_t)root.left << 32 | root.right, t->shapes.at[root.shape]->words);
}

static void root_fetch(const void *owner, uint64_t id)
{
    gy_roots_prefetch(&((const tree *)owner)->roots, id);
}

// Is there a state of that name? If not, *probe is where it belongs.
static bool find_root(const tree *t, const gy_key *key, const gy_root *wanted, gy_probe *probe,
                      uint64_t *id)
{
    *probe = gy_index_probe(&t->index, key->hash);
    while (gy_index_next(&t->index, probe, id)) {
        gy_root root = gy_roots_get(&t->roots, *id);
        if (root.left == wanted->left && root.right == wanted->right && root.shape == wanted->shape)
            return true;
    }
    return false;
}

static gy_root root_named(tree *t, const gy_key *key)
{
    return (gy_root){.shape = find_shape(t, key->words),
                     .left = (uint32_t)(key->name >> 32),
                     .right = (uint32_t)key->name};
}

static bool tree_has(gy_store_view *head, const gy_key *key, const uint32_t *state, uint64_t *id)
{
    tree *t = tree_of(head);
    gy_root root = root_named(t, key);
    gy_probe probe;
    (void)state;
    return t->index.lines && find_root(t, key, &root, &probe, id);
}

static gy_store_answer tree_enter(gy_store_view *head, const gy_key *key, const uint32_t *state,
                                  uint64_t *id)
{
    tree *t = tree_of(head);
    gy_root root = root_named(t, key);
    gy_probe probe = {0};
    uint64_t next = t->roots.count;
    (void)state;
    if (t->index.lines && find_root(t, key, &root, &probe, id))
        return GY_STORE_FOUND;
    if (!gy_index_has_room(&t->index, next)) {
        gy_index_owner owner = {root_hash, root_fetch, t};
        if (!gy_index_make_room(&t->index, &owner, next))
            return GY_STORE_FULL;
        find_root(t, key, &root, &probe, id);
    }
    if (!gy_roots_add(&t->roots, &root))
        return GY_STORE_FULL;
    if (!gy_index_put(&t->index, &probe, next)) {
        t->roots.count--;
        return GY_STORE_FULL;
    }
    *id = next;
    return GY_STORE_NEW;
}

// ---- giving back --------------------------------------------------------------------

// Unfolds from the root; where a node is the same as in the base, so is everything below it.
static const uint32_t *tree_state(gy_store_view *head, uint64_t id, uint32_t *words)
{
    tree *t = tree_of(head);
    view *v = (view *)head;
    gy_root root = gy_roots_get(&t->roots, id);
    const shape *s = t->shapes.at[root.shape];
    base *b = base_for(t, v, root.shape);
    uint32_t from = 0, to = 0;
    if (!b->valid || b->node[2] != root.left) {
        b->node[2] = b->next[2] = root.left;
        b->dirty[to++] = 2;
    }
    if (!b->valid || b->node[3] != root.right) {
        b->node[3] = b->next[3] = root.right;
        b->dirty[to++] = 3;
    }
    for (uint32_t k = s->depth - 1; k >= 1; k--) {
        uint32_t n = to;
        for (uint32_t i = from; i < to; i++) {
            uint32_t parent = b->dirty[i];
            const uint32_t *pair = gy_tuples_get(&t->level[k], b->node[parent]);
            for (uint32_t child = 2 * parent; child <= 2 * parent + 1; child++, pair++) {
                if (b->valid && b->node[child] == *pair)
                    continue;
                b->node[child] = b->next[child] = *pair;
                b->dirty[n++] = child;
            }
        }
        from = to;
        to = n;
    }
    for (uint32_t i = from; i < to; i++) {
        uint32_t leaf = b->dirty[i] - s->leaves, width = s->start[leaf + 1] - s->start[leaf];
        if (width)
            memcpy(b->words + s->start[leaf], gy_tuples_get(&t->leaf[width], b->node[b->dirty[i]]),
                   width * sizeof *b->words);
    }
    b->valid = true;
    v->current = root.shape;
    *words = s->words;
    return b->words;
}

// ---- life ---------------------------------------------------------------------------

static void tree_free(gy_store *store)
{
    tree *t = (tree *)store;
    for (uint32_t i = 1; i <= GY_TUPLE_WORDS; i++)
        gy_tuples_free(&t->leaf[i]);
    for (uint32_t i = 0; i < LEVELS; i++)
        gy_tuples_free(&t->level[i]);
    gy_roots_free(&t->roots);
    gy_index_free(&t->index);
    for (size_t i = 0; i < t->shapes.n; i++) {
        free(t->shapes.at[i]->start);
        free(t->shapes.at[i]);
    }
    gy_vec_free(&t->shapes);
    gy_vec_free(&t->shape_of);
    free(t);
}

static void tree_look(const gy_store *store, gy_store_figures *figures)
{
    figures->states = ((const tree *)store)->roots.count;
}

static gy_store_view *tree_new_view(gy_store *store)
{
    (void)store;
    view *v = gy_alloc_zero(sizeof *v);
    v->current = -1;
    return &v->head;
}

static void tree_free_view(gy_store_view *head)
{
    view *v = (view *)head;
    for (size_t i = 0; i < v->bases.n; i++) {
        free(v->bases.at[i].words);
        free(v->bases.at[i].node);
    }
    gy_vec_free(&v->bases);
    free(v);
}

static void tree_save(const gy_store *store, gy_writer *writer)
{
    const tree *t = (const tree *)store;
    gy_write_u64(writer, t->shapes.n);
    for (size_t i = 0; i < t->shapes.n; i++)
        gy_write_u64(writer, t->shapes.at[i]->words);
    for (uint32_t i = 1; i <= GY_TUPLE_WORDS; i++)
        gy_tuples_save(&t->leaf[i], writer);
    for (uint32_t i = 0; i < LEVELS; i++)
        gy_tuples_save(&t->level[i], writer);
    gy_roots_save(&t->roots, writer);
    gy_index_save(&t->index, writer);
}

static bool tree_load(gy_store *store, gy_reader *reader)
{
    tree *t = (tree *)store;
    uint64_t shapes = gy_read_u64(reader);
    for (uint64_t i = 0; i < shapes && !gy_reader_failed(reader); i++)
        if (find_shape(t, (uint32_t)gy_read_u64(reader)) != i)
            return false;
    for (uint32_t i = 1; i <= GY_TUPLE_WORDS; i++)
        if (!gy_tuples_load(&t->leaf[i], reader))
            return false;
    for (uint32_t i = 0; i < LEVELS; i++)
        if (!gy_tuples_load(&t->level[i], reader))
            return false;
    return gy_roots_load(&t->roots, reader) && gy_index_load(&t->index, reader);
}

static const gy_store_kind_table tree_kind = {
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
    .save = tree_save,
    .load = tree_load,
};

gy_store *gy_store_tree(const gy_store_options *options)
{
    tree *t = gy_alloc_zero(sizeof *t);
    t->head.kind = &tree_kind;
    for (uint32_t i = 1; i <= GY_TUPLE_WORDS; i++)
        gy_tuples_init(&t->leaf[i], i, options->budget, options->hostile);
    for (uint32_t i = 0; i < LEVELS; i++)
        gy_tuples_init(&t->level[i], 2, options->budget, options->hostile);
    gy_roots_init(&t->roots, options->budget, options->hostile);
    gy_index_init(&t->index, options->budget, options->hostile);
    return &t->head;
}
