#include "store/coder.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static void list_leaves(gy_coder *coder)
{
    const gy_shape *s = coder->shape;
    uint32_t shift = 0;
    while (s->words && (s->words - 1) >> shift >= 64)
        shift++;
    for (uint32_t i = 0; i < s->words && s->leaves <= 64; i++)
        coder->leaves_of[i >> shift] |= 1ull << s->leaf_of[i];
}

gy_coder *gy_coder_new(gy_shape *shape, gy_budget *budget, bool hostile)
{
    gy_coder *coder = gy_alloc_zero(sizeof *coder);
    coder->shape = shape;
    coder->tables = gy_alloc((shape->nodes + 1) * sizeof *coder->tables);
    coder->kids = gy_alloc((shape->nodes + 1) * sizeof *coder->kids);
    for (uint32_t i = 0; i < shape->nodes; i++) {
        uint32_t width = i < shape->leaves ? shape->first[i + 1] - shape->first[i] : 0;
        while (i >= shape->leaves && width < GY_MOST_KIDS && shape->kids[i][width] != GY_NO_NODE)
            width++;
        gy_tuples_init(&coder->tables[i], width, budget, hostile);
        for (uint32_t k = 0; k < GY_MOST_KIDS; k++)
            coder->kids[i][k] = shape->kids[i][k] == GY_NO_NODE ? shape->nodes : shape->kids[i][k];
    }
    list_leaves(coder);
    return coder;
}

void gy_coder_free(gy_coder *coder)
{
    if (!coder)
        return;
    for (uint32_t i = 0; i < coder->shape->nodes; i++)
        gy_tuples_free(&coder->tables[i]);
    gy_shape_free(coder->shape);
    free(coder->tables);
    free(coder->kids);
    free(coder);
}

// Room for the numbers of all nodes and one more, in whole quads: they are copied as such.
static uint32_t stride_of(const gy_shape *s)
{
    return (s->nodes + 4) / 4 * 4;
}

void gy_coder_base_init(gy_coder_base *base, const gy_coder *coder)
{
    const gy_shape *s = coder->shape;
    size_t nodes = stride_of(s);
    base->valid = false;
    base->words = gy_alloc_zero(((size_t)s->words + 1) * sizeof *base->words);
    base->number = gy_alloc_zero(nodes * sizeof *base->number);
    base->next = gy_alloc_zero(nodes * sizeof *base->next);
    base->changed = gy_alloc_zero(nodes * sizeof *base->changed);
    base->marks = gy_alloc_zero((nodes + 63) / 64 * sizeof *base->marks);
}

void gy_coder_base_free(gy_coder_base *base)
{
    free(base->words);
    free(base->number);
    free(base->next);
    free(base->changed);
    free(base->marks);
    *base = (gy_coder_base){0};
}

static inline void mark(gy_coder_base *base, uint32_t node)
{
    base->marks[node / 64] |= 1ull << node % 64;
}

static void mark_changes(const gy_shape *s, gy_coder_base *base, const uint32_t *state)
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

static uint32_t intern(gy_coder *coder, gy_tuples *table, gy_tuple tuple, uint64_t hash)
{
    uint32_t number = gy_tuples_find(table, tuple, hash);
    if (__builtin_expect(number != GY_TUPLE_NONE, 1))
        return number;
    if (!coder->room_wanted)
        return gy_tuples_intern(table, tuple);
    number = gy_tuples_add(table, tuple);
    if (number == GY_TUPLE_NONE || gy_tuples_want_room(table))
        atomic_store_explicit(coder->room_wanted, true, memory_order_relaxed);
    return number;
}

// What a node stands for in a state, given the numbers of its children.
static inline gy_tuple node_tuple(const gy_coder *coder, const uint32_t *numbers,
                                  const uint32_t *state, uint32_t node)
{
    const gy_shape *s = coder->shape;
    gy_tuple tuple = {{0, 0}};
    if (node < s->leaves) {
        const uint32_t *at = s->word_at + s->first[node];
        uint32_t width = s->first[node + 1] - s->first[node];
        tuple.half[0] = state[at[0]];
        if (width > 1)
            tuple.half[0] |= (uint64_t)state[at[1]] << 32;
        if (width > 2)
            tuple.half[1] = state[at[2]];
        if (width > 3)
            tuple.half[1] |= (uint64_t)state[at[3]] << 32;
    } else {
        const uint32_t *kids = coder->kids[node];
        tuple.half[0] = numbers[kids[0]] | (uint64_t)numbers[kids[1]] << 32;
        tuple.half[1] = numbers[kids[2]] | (uint64_t)numbers[kids[3]] << 32;
    }
    return tuple;
}

// Looks up every marked node, children before parents, and marks the parents. Returns how many
// there were; GY_NO_NODE: no memory.
static uint32_t number_marked(gy_coder *coder, gy_coder_base *base, const uint32_t *state)
{
    const gy_shape *s = coder->shape;
    uint32_t count = 0;
    for (uint32_t w = 0; w <= s->nodes / 64; w++)
        while (base->marks[w]) {
            uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(base->marks[w]);
            base->marks[w] &= base->marks[w] - 1;
            gy_tuple tuple = node_tuple(coder, base->next, state, node);
            uint32_t number = intern(coder, &coder->tables[node], tuple, gy_tuple_hash(tuple));
            if (number == GY_TUPLE_NONE) {
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

static uint32_t top_number(const uint32_t *numbers, uint32_t top)
{
    return top == GY_NO_NODE ? 0 : numbers[top];
}

// Looks up what is marked; the result becomes the base if `keep`.
static bool name_marked(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool keep,
                        uint32_t name[2])
{
    const gy_shape *s = coder->shape;
    uint32_t count = number_marked(coder, base, state);
    if (count == GY_NO_NODE) {
        memcpy(base->next, base->number, s->nodes * sizeof *base->next);
        return false;
    }
    name[0] = top_number(base->next, s->top[0]);
    name[1] = top_number(base->next, s->top[1]);
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

bool gy_coder_name(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool keep,
                   uint32_t name[2])
{
    mark_changes(coder->shape, base, state);
    return name_marked(coder, base, state, keep, name);
}

// ---- many at once -----------------------------------------------------------------------

bool gy_coder_can_wait(const gy_coder *coder)
{
    return coder->shape->nodes <= 64;
}

void gy_pending_init(gy_pending *pending, const gy_coder *coder)
{
    gy_pending_clear(pending);
    pending->stride = stride_of(coder->shape);
    pending->numbers =
        gy_alloc((size_t)GY_PENDING_MOST * pending->stride * sizeof *pending->numbers);
}

void gy_pending_free(gy_pending *pending)
{
    free(pending->numbers);
    pending->numbers = NULL;
    gy_pending_clear(pending);
}

void gy_pending_clear(gy_pending *pending)
{
    pending->n = pending->leaf_count = pending->leaves_done = 0;
}

bool gy_coder_put_aside(const gy_coder *coder, const gy_coder_base *base, const uint32_t *state,
                        uint64_t written, gy_pending *pending)
{
    uint32_t i = pending->n, stride = pending->stride, count = pending->leaf_count;
    uint32_t *numbers = pending->numbers + (size_t)i * stride;
    uint64_t leaves = 0;
    for (; written; written &= written - 1)
        leaves |= coder->leaves_of[__builtin_ctzll(written)];
    for (; leaves; leaves &= leaves - 1, count++) {
        if (count == GY_PENDING_LEAVES)
            return false; // as if nothing had been put there
        uint32_t leaf = (uint32_t)__builtin_ctzll(leaves);
        gy_tuple tuple = node_tuple(coder, NULL, state, leaf);
        uint64_t hash = gy_tuple_hash(tuple);
        gy_tuples_prefetch(&coder->tables[leaf], hash);
        pending->leaves[count].tuple = tuple;
        pending->leaves[count].hash = hash;
        pending->leaves[count].state = i;
        pending->leaves[count].leaf = leaf;
    }
    for (uint32_t k = 0; k < stride; k += 4)
        memcpy(numbers + k, base->number + k, 4 * sizeof *numbers);
    pending->leaf_count = count;
    pending->marks[i] = 0;
    pending->n = i + 1;
    return true;
}

// In rounds: each state has its lowest marked node looked up and that node's parent marked.
// Within a round all lookups are started before the first is waited for.
static bool name_inner(gy_coder *coder, gy_pending *pending)
{
    const gy_shape *s = coder->shape;
    gy_tuple tuples[GY_PENDING_MOST];
    uint64_t hashes[GY_PENDING_MOST];
    uint32_t active[GY_PENDING_MOST], left = 0, stride = pending->stride;
    for (uint32_t i = 0; i < pending->n; i++)
        if (pending->marks[i])
            active[left++] = i;
    while (left) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < left; k++) {
            uint32_t i = active[k], node = (uint32_t)__builtin_ctzll(pending->marks[i]);
            tuples[k] = node_tuple(coder, pending->numbers + (size_t)i * stride, NULL, node);
            hashes[k] = gy_tuple_hash(tuples[k]);
            gy_tuples_prefetch(&coder->tables[node], hashes[k]);
        }
        for (uint32_t k = 0; k < left; k++) {
            uint32_t i = active[k], node = (uint32_t)__builtin_ctzll(pending->marks[i]);
            uint32_t number = intern(coder, &coder->tables[node], tuples[k], hashes[k]);
            if (number == GY_TUPLE_NONE)
                return false;
            pending->numbers[(size_t)i * stride + node] = number;
            pending->marks[i] &= pending->marks[i] - 1;
            if (s->parent[node] != GY_NO_NODE)
                pending->marks[i] |= 1ull << s->parent[node];
            if (pending->marks[i])
                active[kept++] = i;
        }
        left = kept;
    }
    return true;
}

bool gy_coder_name_pending(gy_coder *coder, gy_pending *pending, uint32_t (*names)[2])
{
    const gy_shape *s = coder->shape;
    uint32_t stride = pending->stride;
    for (; pending->leaves_done < pending->leaf_count; pending->leaves_done++) {
        uint32_t k = pending->leaves_done, leaf = pending->leaves[k].leaf;
        uint32_t i = pending->leaves[k].state;
        uint32_t number =
            intern(coder, &coder->tables[leaf], pending->leaves[k].tuple, pending->leaves[k].hash);
        if (number == GY_TUPLE_NONE)
            return false;
        pending->numbers[(size_t)i * stride + leaf] = number;
        if (s->parent[leaf] != GY_NO_NODE)
            pending->marks[i] |= 1ull << s->parent[leaf];
    }
    if (s->nodes > s->leaves && !name_inner(coder, pending))
        return false;
    for (uint32_t i = 0; i < pending->n; i++) {
        names[i][0] = top_number(pending->numbers + (size_t)i * stride, s->top[0]);
        names[i][1] = top_number(pending->numbers + (size_t)i * stride, s->top[1]);
    }
    return true;
}

uint64_t gy_coder_bytes(const gy_coder *coder)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < coder->shape->nodes; i++)
        bytes += coder->tables[i].lines.room + coder->tables[i].places.room;
    return bytes;
}

bool gy_coder_make_room(gy_coder *coder)
{
    bool fine = true;
    for (uint32_t i = 0; i < coder->shape->nodes; i++) {
        gy_tuples *table = &coder->tables[i];
        if (gy_tuples_want_room(table) && !gy_tuples_grow(table))
            fine = fine && gy_tuples_count(table) < table->most;
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

void gy_coder_unfold(const gy_coder *coder, gy_coder_base *base, const uint32_t name[2])
{
    const gy_shape *s = coder->shape;
    for (unsigned i = 0; i < 2; i++)
        if (s->top[i] != GY_NO_NODE)
            set_number(base, s->top[i], name[i]);
    for (uint32_t w = s->nodes / 64 + 1; w-- > 0;)
        while (base->marks[w]) { // parents before children
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(base->marks[w]), node = w * 64 + bit;
            gy_tuple tuple = gy_tuples_get(&coder->tables[node], base->number[node]);
            base->marks[w] &= ~(1ull << bit);
            if (node < s->leaves) {
                const uint32_t *at = s->word_at + s->first[node];
                for (uint32_t i = 0; i < s->first[node + 1] - s->first[node]; i++)
                    base->words[at[i]] = gy_tuple_word(tuple, i);
            } else {
                const uint32_t *kids = s->kids[node];
                for (uint32_t i = 0; i < GY_MOST_KIDS && kids[i] != GY_NO_NODE; i++)
                    set_number(base, kids[i], gy_tuple_word(tuple, i));
            }
        }
    base->valid = true;
}

// ---- files ----------------------------------------------------------------------------

void gy_coder_save(const gy_coder *coder, gy_writer *writer)
{
    const gy_shape *s = coder->shape;
    gy_write_u64(writer, s->words);
    gy_write_u64(writer, s->leaves);
    gy_write_u64(writer, s->nodes);
    gy_write(writer, s->top, sizeof s->top);
    gy_write(writer, s->first, (s->leaves + 1) * sizeof *s->first);
    gy_write(writer, s->word_at, s->words * sizeof *s->word_at);
    gy_write(writer, s->kids, s->nodes * sizeof *s->kids);
    for (uint32_t i = 0; i < s->nodes; i++)
        gy_tuples_save(&coder->tables[i], writer);
}

// Reads the shape into one of the right size. The checksum of the file vouches for the rest.
static gy_shape *load_shape(gy_reader *reader)
{
    uint64_t words = gy_read_u64(reader), leaves = gy_read_u64(reader);
    uint64_t nodes = gy_read_u64(reader);
    if (gy_reader_failed(reader) || words > gy_reader_left(reader) || leaves > words ||
        nodes > 2 * words)
        return NULL;
    gy_shape *s = gy_shape_balanced((uint32_t)words);
    s->leaves = (uint32_t)leaves;
    s->nodes = (uint32_t)nodes;
    gy_read(reader, s->top, sizeof s->top);
    gy_read(reader, s->first, (leaves + 1) * sizeof *s->first);
    gy_read(reader, s->word_at, words * sizeof *s->word_at);
    gy_read(reader, s->kids, nodes * sizeof *s->kids);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t i = s->first[leaf]; i < s->first[leaf + 1]; i++)
            s->leaf_of[s->word_at[i]] = leaf;
    for (uint32_t node = 0; node < nodes; node++)
        s->parent[node] = GY_NO_NODE;
    for (uint32_t node = (uint32_t)leaves; node < nodes; node++)
        for (uint32_t i = 0; i < GY_MOST_KIDS && s->kids[node][i] != GY_NO_NODE; i++)
            s->parent[s->kids[node][i]] = node;
    return s;
}

gy_coder *gy_coder_load(gy_reader *reader, gy_budget *budget, bool hostile)
{
    gy_shape *s = load_shape(reader);
    if (!s)
        return NULL;
    gy_coder *coder = gy_coder_new(s, budget, hostile);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (!gy_tuples_load(&coder->tables[i], reader)) {
            gy_coder_free(coder);
            return NULL;
        }
    return coder;
}
