#include "store/coder.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static void list_leaves(gy_coder *coder)
{
    const gy_tree_layout *s = coder->shape;
    uint32_t shift = 0;
    while (s->words && (s->words - 1) >> shift >= 64)
        shift++;
    coder->shift = shift;
    for (uint32_t i = 0; i < s->words && s->leaves <= GY_MASKED_LEAVES; i++) {
        coder->leaves_of[i >> shift] |= 1ull << s->leaf_of[i];
        if (coder->flat)
            coder->pieces_of[s->leaf_of[i]] |= 1ull << (i >> shift);
    }
}

// What the row of a node is made of. A last word without a partner is its own.
static uint32_t list_sources(const gy_coder *coder, uint32_t node, uint32_t (**sources)[2])
{
    const gy_tree_layout *s = coder->shape;
    const uint32_t *from = s->kids[node];
    uint32_t n = 0;
    if (node < s->leaves) {
        from = s->word_at + s->first[node];
        n = s->first[node + 1] - s->first[node];
    } else {
        while (n < GY_MOST_KIDS && from[n] != GY_NO_NODE)
            n++;
    }
    *sources = gy_alloc((n / 2 + 1) * sizeof **sources);
    for (uint32_t i = 0; i < n; i += 2) {
        (*sources)[i / 2][0] = from[i];
        (*sources)[i / 2][1] = from[i + 1 < n ? i + 1 : i];
    }
    return (n + 1) / 2;
}

gy_coder *gy_coder_new(gy_tree_layout *shape, gy_budget *budget, bool hostile)
{
    gy_coder *coder = gy_alloc_zero(sizeof *coder);
    coder->shape = shape;
    coder->flat = shape->nodes == shape->leaves;
    coder->tables = gy_alloc((shape->nodes + 1) * sizeof *coder->tables);
    coder->sources = gy_alloc((shape->nodes + 1) * sizeof *coder->sources);
    for (uint32_t i = 0; i < shape->nodes; i++) {
        uint32_t pairs = list_sources(coder, i, &coder->sources[i]);
        gy_node_table_init(&coder->tables[i], pairs, budget, hostile);
    }
    for (unsigned i = 0; i < 2; i++)
        coder->top[i] = shape->top[i] == GY_NO_NODE ? shape->nodes : shape->top[i];
    list_leaves(coder);
    return coder;
}

void gy_coder_free(gy_coder *coder)
{
    if (!coder)
        return;
    for (uint32_t i = 0; i < coder->shape->nodes; i++) {
        gy_node_table_free(&coder->tables[i]);
        free(coder->sources[i]);
    }
    gy_tree_layout_free(coder->shape);
    free(coder->tables);
    free(coder->sources);
    free(coder);
}

// Room for the numbers of all nodes and one more, in whole quads: they are copied as such.
static uint32_t stride_of(const gy_tree_layout *s)
{
    return (s->nodes + 4) / 4 * 4;
}

void gy_coder_base_init(gy_coder_base *base, const gy_coder *coder)
{
    const gy_tree_layout *s = coder->shape;
    size_t nodes = stride_of(s), marks = (nodes + 63) / 64, words = (size_t)s->words + 1;
    base->valid = false;
    base->marks = gy_alloc_apart(marks * sizeof *base->marks +
                                 (words + 3 * nodes) * sizeof *base->words); // one block for all
    base->words = (uint32_t *)(base->marks + marks);
    base->number = base->words + words;
    base->next = base->number + nodes;
    base->changed = base->next + nodes;
}

void gy_coder_base_free(gy_coder_base *base)
{
    free(base->marks);
    *base = (gy_coder_base){0};
}

static inline void mark(gy_coder_base *base, uint32_t node)
{
    base->marks[node / 64] |= 1ull << node % 64;
}

static void mark_changes(const gy_tree_layout *s, gy_coder_base *base, const uint32_t *state)
{
    if (!base->valid) {
        for (uint32_t i = 0; i < s->leaves; i++)
            mark(base, i);
        return;
    }
    uint32_t i = 0;
    for (; i + 2 <= s->words; i += 2) {
        uint64_t a, b;
        memcpy(&a, state + i, sizeof a);
        memcpy(&b, base->words + i, sizeof b);
        if (a == b)
            continue;
        if (state[i] != base->words[i])
            mark(base, s->leaf_of[i]);
        if (state[i + 1] != base->words[i + 1])
            mark(base, s->leaf_of[i + 1]);
    }
    if (i < s->words && state[i] != base->words[i])
        mark(base, s->leaf_of[i]);
}

// Makes the row of a node and returns its hash.
static inline uint64_t make_row(const uint32_t *from, uint32_t (*sources)[2], uint32_t pairs,
                                uint64_t *row)
{
    uint64_t hash = GY_ROW_SEED;
    for (uint32_t i = 0; i < pairs; i++) {
        row[i] = from[sources[i][0]] | (uint64_t)from[sources[i][1]] << 32;
        hash = gy_row_hash(hash, row[i]);
    }
    return hash;
}

uint32_t gy_coder_add(gy_coder *coder, uint32_t node, const uint64_t *row, uint64_t hash)
{
    gy_node_table *table = &coder->tables[node];
    if (!coder->room_wanted)
        return gy_node_table_intern(table, row, hash);
    uint32_t number = gy_node_table_add(table, row, hash);
    if (number == GY_ROW_NONE || gy_node_table_want_room(table))
        atomic_store_explicit(coder->room_wanted, true, memory_order_relaxed);
    return number;
}

static inline uint32_t intern(gy_coder *coder, uint32_t node, const uint64_t *row, uint64_t hash)
{
    uint32_t number = gy_node_table_find(&coder->tables[node], row, hash);
    return __builtin_expect(number != GY_ROW_NONE, 1) ? number
                                                      : gy_coder_add(coder, node, row, hash);
}

// Looks up every marked node, children before parents, and marks the parents. Returns how many
// there were; GY_NO_NODE: one is not there, and there is no memory to add it or that is not wanted.
static uint32_t number_marked(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool add)
{
    const gy_tree_layout *s = coder->shape;
    uint64_t row[GY_ROW_PAIRS];
    uint32_t count = 0;
    for (uint32_t w = 0; w <= s->nodes / 64; w++)
        while (base->marks[w]) {
            uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(base->marks[w]);
            base->marks[w] &= base->marks[w] - 1;
            gy_node_table *table = &coder->tables[node];
            const uint32_t *from = node < s->leaves ? state : base->next;
            uint64_t hash = make_row(from, coder->sources[node], table->pairs, row);
            uint32_t number =
                add ? intern(coder, node, row, hash) : gy_node_table_find(table, row, hash);
            if (number == GY_ROW_NONE) {
                memset(base->marks, 0, (s->nodes / 64 + 1) * sizeof *base->marks);
                return GY_NO_NODE;
            }
            base->next[node] = number;
            base->changed[count++] = node;
            if (s->parent[node] != GY_NO_NODE)
                mark(base, s->parent[node]);
        }
    return count;
}

// Looks up what is marked; the result becomes the base if `keep`.
static bool name_marked(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool add,
                        bool keep, uint32_t name[2])
{
    const gy_tree_layout *s = coder->shape;
    uint32_t count = number_marked(coder, base, state, add);
    if (count == GY_NO_NODE) {
        memcpy(base->next, base->number, s->nodes * sizeof *base->next);
        return false;
    }
    name[0] = base->next[coder->top[0]];
    name[1] = base->next[coder->top[1]];
    if (keep || !base->valid) {
        for (uint32_t i = 0; i < count; i++)
            base->number[base->changed[i]] = base->next[base->changed[i]];
        if (s->words)
            memcpy(base->words, state, s->words * sizeof *state);
        base->valid = true;
    } else {
        for (uint32_t i = 0; i < count; i++)
            base->next[base->changed[i]] = base->number[base->changed[i]];
    }
    return true;
}

bool gy_coder_encode(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool keep,
                     uint32_t name[2])
{
    mark_changes(coder->shape, base, state);
    return name_marked(coder, base, state, true, keep, name);
}

bool gy_coder_find(gy_coder *coder, gy_coder_base *base, const uint32_t *state, uint32_t pair[2])
{
    mark_changes(coder->shape, base, state);
    return name_marked(coder, base, state, false, false, pair);
}

// ---- many at once -----------------------------------------------------------------------

bool gy_coder_can_wait(const gy_coder *coder)
{
    const gy_tree_layout *s = coder->shape;
    return s->leaves <= GY_MASKED_LEAVES && s->nodes - s->leaves <= 64 && !coder->flat;
}

void gy_pending_init(gy_pending *pending, const gy_coder *coder)
{
    const gy_tree_layout *s = coder->shape;
    size_t pairs = s->words + s->leaves; // with room to spare
    pending->stride = stride_of(s);
    pending->numbers =
        gy_alloc((size_t)GY_PENDING_MOST * pending->stride * sizeof *pending->numbers);
    pending->leaves = gy_alloc((size_t)GY_PENDING_MOST * s->leaves * sizeof *pending->leaves);
    pending->rows = gy_alloc(GY_PENDING_MOST * pairs * sizeof *pending->rows);
    gy_pending_clear(pending);
}

void gy_pending_free(gy_pending *pending)
{
    free(pending->numbers);
    free(pending->leaves);
    free(pending->rows);
    *pending = (gy_pending){0};
}

void gy_pending_clear(gy_pending *pending)
{
    pending->n = pending->leaf_count = pending->leaves_done = 0;
    pending->rows_end = pending->rows;
}

static inline void put_leaf_aside(const gy_coder *coder, const uint32_t *state, uint32_t leaf,
                                  uint32_t *numbers, gy_pending *pending)
{
    const gy_node_table *table = &coder->tables[leaf];
    gy_pending_leaf *item = &pending->leaves[pending->leaf_count++];
    item->hash = make_row(state, coder->sources[leaf], table->pairs, pending->rows_end);
    gy_node_table_prefetch(table, item->hash);
    item->row = pending->rows_end;
    item->number = numbers + leaf;
    item->leaf = leaf;
    item->state = pending->n;
    pending->rows_end += table->pairs;
}

// The leaves of words that differ. A piece has several words, each of which may be in a leaf of its
// own.
static uint64_t leaves_that_differ(const gy_coder *coder, const uint32_t *old,
                                   const uint32_t *state, uint64_t written)
{
    const gy_tree_layout *s = coder->shape;
    uint64_t leaves = 0;
    for (; written; written &= written - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(written) << coder->shift;
        uint32_t end = i + (1u << coder->shift) < s->words ? i + (1u << coder->shift) : s->words;
        for (; i < end; i++)
            leaves |= (uint64_t)(state[i] != old[i]) << s->leaf_of[i];
    }
    return leaves;
}

void gy_coder_put_aside(const gy_coder *coder, gy_coder_known like, const uint32_t *state,
                        uint64_t written, gy_pending *pending)
{
    uint32_t stride = pending->stride, *numbers = pending->numbers + (size_t)pending->n * stride;
    for (uint32_t k = 0; k < stride; k += 4)
        memcpy(numbers + k, like.numbers + k, 4 * sizeof *numbers);
    uint64_t leaves = 0;
    if (coder->shift)
        leaves = leaves_that_differ(coder, like.words, state, written);
    else
        for (; written; written &= written - 1)
            leaves |= coder->leaves_of[__builtin_ctzll(written)];
    for (; leaves; leaves &= leaves - 1)
        put_leaf_aside(coder, state, (uint32_t)__builtin_ctzll(leaves), numbers, pending);
    pending->marks[pending->n++] = 0;
}

// In rounds: each state has its lowest marked node looked up and that node's parent marked.
// Within a round all lookups are started before the first is waited for.
static bool number_inner(gy_coder *coder, gy_pending *pending)
{
    const gy_tree_layout *s = coder->shape;
    uint64_t rows[GY_PENDING_MOST][GY_MOST_KIDS / 2], hashes[GY_PENDING_MOST];
    uint32_t active[GY_PENDING_MOST], left = 0, stride = pending->stride;
    for (uint32_t i = 0; i < pending->n; i++)
        if (pending->marks[i])
            active[left++] = i;
    while (left) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < left; k++) {
            uint32_t i = active[k], node = s->leaves + (uint32_t)__builtin_ctzll(pending->marks[i]);
            const gy_node_table *table = &coder->tables[node];
            hashes[k] = make_row(pending->numbers + (size_t)i * stride, coder->sources[node],
                                 table->pairs, rows[k]);
            gy_node_table_prefetch(table, hashes[k]);
        }
        for (uint32_t k = 0; k < left; k++) {
            uint32_t i = active[k], node = s->leaves + (uint32_t)__builtin_ctzll(pending->marks[i]);
            uint32_t number = intern(coder, node, rows[k], hashes[k]);
            if (number == GY_ROW_NONE)
                return false;
            pending->numbers[(size_t)i * stride + node] = number;
            pending->marks[i] &= pending->marks[i] - 1;
            if (s->parent[node] != GY_NO_NODE)
                pending->marks[i] |= 1ull << (s->parent[node] - s->leaves);
            if (pending->marks[i])
                active[kept++] = i;
        }
        left = kept;
    }
    return true;
}

bool gy_coder_number_pending(gy_coder *coder, gy_pending *pending)
{
    const gy_tree_layout *s = coder->shape;
    for (; pending->leaves_done < pending->leaf_count; pending->leaves_done++) {
        const gy_pending_leaf *item = &pending->leaves[pending->leaves_done];
        uint32_t number = intern(coder, item->leaf, item->row, item->hash);
        if (__builtin_expect(number == GY_ROW_NONE, 0))
            return false;
        *item->number = number;
        if (s->parent[item->leaf] != GY_NO_NODE)
            pending->marks[item->state] |= 1ull << (s->parent[item->leaf] - s->leaves);
    }
    return number_inner(coder, pending);
}

uint64_t gy_coder_bytes(const gy_coder *coder)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < coder->shape->nodes; i++)
        bytes += coder->tables[i].slots.room + coder->tables[i].rows.room;
    return bytes;
}

bool gy_coder_make_room(gy_coder *coder, gy_team *team)
{
    bool fine = true;
    for (uint32_t i = 0; i < coder->shape->nodes; i++) {
        gy_node_table *table = &coder->tables[i];
        if (gy_node_table_want_room(table) && !gy_node_table_grow(table, team)) {
            fine = fine && gy_node_table_count(table) < table->most;
            table->wanted = table->most; // or each row would ask again, and all threads meet for it
        }
    }
    return fine;
}

static void set_number(gy_coder_base *base, uint32_t node, uint32_t number)
{
    if (base->valid && base->number[node] == number)
        return;
    base->number[node] = base->next[node] = number;
    mark(base, node);
}

// Inlined for the usual lengths of rows.
__attribute__((always_inline)) static inline void
spell_row(uint32_t *words, const uint64_t *row, const uint32_t (*sources)[2], const uint32_t pairs)
{
#pragma GCC unroll 3
    for (uint32_t i = 0; i < pairs; i++) {
        words[sources[i][1]] = (uint32_t)(row[i] >> 32);
        words[sources[i][0]] = (uint32_t)row[i];
    }
}

__attribute__((always_inline)) static inline void spell_leaf(const gy_coder *coder,
                                                             gy_coder_base *base, uint32_t leaf)
{
    const gy_node_table *table = &coder->tables[leaf];
    const uint64_t *row = gy_node_table_get(table, base->number[leaf]);
    const uint32_t(*sources)[2] = (const uint32_t(*)[2])coder->sources[leaf];
    uint32_t *words = base->words;
    switch (table->pairs) {
    case 1:
        spell_row(words, row, sources, 1);
        break;
    case 2:
        spell_row(words, row, sources, 2);
        break;
    case 3:
        spell_row(words, row, sources, 3);
        break;
    default:
        spell_row(words, row, sources, table->pairs);
    }
}

static void unfold_inner(const gy_coder *coder, gy_coder_base *base, uint32_t node)
{
    const gy_node_table *table = &coder->tables[node];
    const uint64_t *row = gy_node_table_get(table, base->number[node]);
    for (uint32_t i = 0; i < table->pairs; i++) {
        set_number(base, coder->sources[node][i][1], (uint32_t)(row[i] >> 32));
        set_number(base, coder->sources[node][i][0], (uint32_t)row[i]);
    }
}

void gy_coder_decode(const gy_coder *coder, gy_coder_base *base, const uint32_t name[2])
{
    const gy_tree_layout *s = coder->shape;
    if (coder->flat) {
        for (uint32_t leaf = 0; leaf < s->leaves; leaf++) {
            base->number[leaf] = base->next[leaf] = name[leaf];
            spell_leaf(coder, base, leaf);
        }
        base->valid = true;
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (s->top[i] != GY_NO_NODE)
            set_number(base, s->top[i], name[i]);
    for (uint32_t w = s->nodes / 64 + 1; w-- > 0;)
        while (base->marks[w]) { // parents before children
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(base->marks[w]), node = w * 64 + bit;
            base->marks[w] &= ~(1ull << bit);
            if (node < s->leaves)
                spell_leaf(coder, base, node);
            else
                unfold_inner(coder, base, node);
        }
    base->valid = true;
}

// ---- files ----------------------------------------------------------------------------

void gy_coder_save(const gy_coder *coder, gy_writer *writer)
{
    const gy_tree_layout *s = coder->shape;
    gy_write_u64(writer, s->words);
    gy_write_u64(writer, s->leaves);
    gy_write_u64(writer, s->nodes);
    gy_write(writer, s->top, sizeof s->top);
    gy_write(writer, s->first, (s->leaves + 1) * sizeof *s->first);
    gy_write(writer, s->word_at, s->words * sizeof *s->word_at);
    gy_write(writer, s->kids, s->nodes * sizeof *s->kids);
    for (uint32_t i = 0; i < s->nodes; i++)
        gy_node_table_save(&coder->tables[i], writer);
}

// Each word in one leaf, and rows no longer than they may be.
static bool leaves_make_sense(const gy_tree_layout *s)
{
    bool fine = s->first[0] == 0 && s->first[s->leaves] == s->words;
    for (uint32_t leaf = 0; leaf < s->leaves && fine; leaf++)
        fine = s->first[leaf] < s->first[leaf + 1] && s->first[leaf + 1] <= s->words &&
               s->first[leaf + 1] - s->first[leaf] <= 2 * GY_ROW_PAIRS;
    for (uint32_t i = 0; i < s->words; i++)
        s->leaf_of[i] = GY_NO_NODE;
    for (uint32_t leaf = 0; leaf < s->leaves && fine; leaf++)
        for (uint32_t i = s->first[leaf]; i < s->first[leaf + 1] && fine; i++) {
            fine = s->word_at[i] < s->words && s->leaf_of[s->word_at[i]] == GY_NO_NODE;
            if (fine)
                s->leaf_of[s->word_at[i]] = leaf;
        }
    return fine;
}

// Children before parents, each node but those at the top with one parent.
static bool nodes_make_sense(const gy_tree_layout *s)
{
    for (uint32_t node = 0; node < s->nodes; node++)
        s->parent[node] = GY_NO_NODE;
    for (uint32_t node = s->leaves; node < s->nodes; node++) {
        if (s->kids[node][0] == GY_NO_NODE)
            return false;
        for (uint32_t i = 0; i < GY_MOST_KIDS && s->kids[node][i] != GY_NO_NODE; i++) {
            uint32_t kid = s->kids[node][i];
            if (kid >= node || s->parent[kid] != GY_NO_NODE)
                return false;
            s->parent[kid] = node;
        }
    }
    for (uint32_t node = 0; node < s->nodes; node++)
        if ((s->parent[node] == GY_NO_NODE) != (node == s->top[0] || node == s->top[1]))
            return false;
    for (uint32_t i = 0; i < 2; i++) { // without inner nodes, they are the leaves, in order
        bool flat = s->nodes == s->leaves;
        if (s->top[i] != GY_NO_NODE ? s->top[i] >= s->nodes || (flat && s->top[i] != i)
                                    : i < s->nodes)
            return false;
    }
    return s->nodes == 0 || s->top[0] != s->top[1];
}

// Reads the layout into one of the right size, and believes nothing. NULL: it makes no sense.
static gy_tree_layout *load_shape(gy_reader *reader)
{
    uint64_t words = gy_read_u64(reader), leaves = gy_read_u64(reader);
    uint64_t nodes = gy_read_u64(reader);
    if (gy_reader_failed(reader) || words > gy_reader_left(reader) / sizeof(uint32_t) ||
        leaves > words || nodes < leaves || nodes > 2 * words)
        return NULL;
    gy_tree_layout *s = gy_tree_layout_balanced((uint32_t)words);
    s->leaves = (uint32_t)leaves;
    s->nodes = (uint32_t)nodes;
    gy_read(reader, s->top, sizeof s->top);
    gy_read(reader, s->first, (leaves + 1) * sizeof *s->first);
    gy_read(reader, s->word_at, words * sizeof *s->word_at);
    gy_read(reader, s->kids, nodes * sizeof *s->kids);
    if (gy_reader_failed(reader) || !leaves_make_sense(s) || !nodes_make_sense(s)) {
        gy_tree_layout_free(s);
        return NULL;
    }
    return s;
}

// Do the rows of an inner node name rows of its children only?
static bool rows_make_sense(const gy_coder *coder, uint32_t node)
{
    const gy_node_table *table = &coder->tables[node];
    for (uint64_t i = 0; i < gy_node_table_count(table); i++) {
        const uint64_t *row = gy_node_table_get(table, (uint32_t)i);
        for (uint32_t k = 0; k < table->pairs; k++) {
            const uint32_t *from = coder->sources[node][k];
            if ((uint32_t)row[k] >= gy_node_table_count(&coder->tables[from[0]]) ||
                row[k] >> 32 >= gy_node_table_count(&coder->tables[from[1]]))
                return false;
        }
    }
    return true;
}

gy_coder *gy_coder_load(gy_reader *reader, gy_budget *budget, bool hostile)
{
    gy_tree_layout *s = load_shape(reader);
    if (!s)
        return NULL;
    gy_coder *coder = gy_coder_new(s, budget, hostile);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (!gy_node_table_load(&coder->tables[i], reader) ||
            (i >= s->leaves && !rows_make_sense(coder, i))) {
            gy_coder_free(coder);
            return NULL;
        }
    return coder;
}
