#include "store/tree_table.h"

#include "store/kinds.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { TELL_EVERY = 64, FIRST_PLAN = 1 << 15, HOSTILE_PLAN = 100 };

static const uint32_t nowhere[2]; // the pair of a state that is not known to be like another

// ---- length classes -------------------------------------------------------------------

bool gy_tree_reserve_chunks(gy_tree_table *t, gy_length_class *c, uint64_t numbers)
{
    while ((uint64_t)c->chunks.n << GY_TREE_CHUNK_BITS < numbers) {
        if (t->chunk_count == GY_TREE_CHUNKS)
            return false;
        t->directory[t->chunk_count] = (gy_tree_chunk){c->number + 1, (uint32_t)c->chunks.n};
        gy_vec_push(&c->chunks, t->chunk_count++);
    }
    return true;
}

static gy_length_class *seek_class(const gy_tree_table *t, uint32_t words)
{
    uint32_t count = gy_tree_classes(t);
    for (uint32_t i = 0; i < count; i++)
        if (gy_tree_table_class(t, i)->words == words)
            return gy_tree_table_class(t, i);
    return NULL;
}

gy_length_class *gy_tree_add_class(gy_tree_table *t, gy_coder *coder, uint64_t left_numbers)
{
    uint32_t number = gy_tree_classes(t);
    if (number == GY_TREE_CLASSES || seek_class(t, coder->shape->words))
        return NULL;
    gy_length_class *c = gy_alloc_zero(sizeof *c);
    c->words = coder->shape->words;
    c->number = number;
    c->coder = coder;
    c->coder->room_wanted = &t->head.room_wanted;
    gy_cleary_init(&c->pairs, t->head.budget, t->head.alone, t->head.hostile);
    c->pairs.note_bytes = t->head.note_bytes;
    gy_tree_reserve_chunks(t, c, left_numbers);
    atomic_store_explicit(&t->classes[number], c, memory_order_release);
    atomic_store_explicit(&t->class_count, number + 1, memory_order_release);
    return c;
}

// For states that come: with a chunk, of which there are more than classes.
static gy_length_class *new_class(gy_tree_table *t, uint32_t words)
{
    gy_tree_layout *layout = gy_tree_layout_balanced(words);
    gy_coder *coder = gy_coder_new(layout, t->head.budget, t->head.hostile);
    gy_length_class *c = gy_tree_add_class(t, coder, 1);
    if (!c)
        gy_coder_free(coder);
    return c;
}

// The class for a length, which may be new; NULL: there are too many.
static gy_length_class *class_for(gy_tree_table *t, uint32_t words)
{
    gy_length_class *c = seek_class(t, words);
    if (c)
        return c;
    pthread_mutex_lock(&t->lock);
    c = seek_class(t, words);
    if (!c)
        c = new_class(t, words);
    pthread_mutex_unlock(&t->lock);
    return c;
}

uint64_t gy_tree_count(const gy_tree_table *t)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        count += gy_class_count(gy_tree_table_class(t, i));
    return count;
}

// ---- views ----------------------------------------------------------------------------

static void free_lane(gy_tree_lane *lane)
{
    if (!lane)
        return;
    gy_pending_free(&lane->pending);
    free(lane->numbers);
    free(lane->words);
    free(lane);
}

static gy_tree_lane *new_lane(const gy_coder *coder)
{
    gy_tree_lane *lane = gy_alloc_apart(sizeof *lane);
    gy_pending_init(&lane->pending, coder);
    lane->numbers = gy_alloc((size_t)GY_STORE_BATCH * lane->pending.stride * sizeof *lane->numbers);
    if (coder->shift)
        lane->words = gy_alloc((size_t)GY_STORE_BATCH * coder->shape->words * sizeof *lane->words);
    for (uint32_t i = 0; i < GY_STORE_BATCH; i++)
        lane->refs[i] = GY_NO_REF;
    return lane;
}

static void drop_class_view(gy_class_view *in)
{
    gy_coder_base_free(&in->base);
    if (in->flat)
        gy_encode_batch_free(in->flat);
    free(in->flat);
    free_lane(in->lane);
    in->flat = NULL;
    in->lane = NULL;
}

static void set_class_view(gy_class_view *in)
{
    const gy_coder *coder = in->class->coder;
    gy_coder_base_init(&in->base, coder);
    if (coder->flat) {
        in->flat = gy_alloc_apart(sizeof *in->flat);
        gy_encode_batch_init(in->flat, coder);
    } else if (gy_coder_can_wait(coder)) {
        in->lane = new_lane(coder);
    }
}

// What a view knows is of no use when references have changed.
static void start_again(gy_tree_view *v)
{
    for (size_t i = 0; i < v->classes.n; i++)
        if (v->classes.at[i]) {
            drop_class_view(v->classes.at[i]);
            set_class_view(v->classes.at[i]);
        }
    v->current = NULL;
    v->generation = v->table->generation;
}

static inline void keep_up(gy_tree_view *v)
{
    if (__builtin_expect(v->generation != v->table->generation, 0))
        start_again(v);
}

static gy_class_view *new_class_view(gy_tree_view *v, gy_length_class *class)
{
    while (v->classes.n <= class->number)
        gy_vec_push(&v->classes, NULL);
    gy_class_view **in = &v->classes.at[class->number];
    if (!*in) {
        *in = gy_alloc_apart(sizeof **in);
        (*in)->class = class;
        set_class_view(*in);
    }
    return *in;
}

static inline gy_class_view *view_class(gy_tree_view *v, uint32_t number)
{
    if (__builtin_expect(number < v->classes.n && v->classes.at[number] != NULL, 1))
        return v->classes.at[number];
    return new_class_view(v, gy_tree_table_class(v->table, number));
}

// NULL: there are too many classes.
static gy_class_view *view_length(gy_tree_view *v, uint32_t words)
{
    gy_class_view **recent = &v->recent[words % GY_TREE_RECENT];
    if (!*recent || (*recent)->class->words != words) {
        gy_length_class *class = class_for(v->table, words);
        if (!class)
            return NULL;
        *recent = new_class_view(v, class);
    }
    return *recent;
}

// ---- adding ---------------------------------------------------------------------------

static inline void note_busy(gy_tree_view *v, gy_class_view *in)
{
    if (!in->busy) {
        in->busy = true;
        gy_vec_push(&v->busy, in);
    }
}

// A state that is not known to be like another.
static void add_stray(gy_tree_view *v, const gy_arrivals *a, uint32_t i, uint32_t index)
{
    gy_incoming one = {gy_arrival_state(a, i), GY_INCOMING_ANY, gy_arrival_words(a, i)};
    gy_class_view *in = view_length(v, one.words);
    if (in && in->flat) {
        note_busy(v, in);
        gy_encode_batch_add(in->flat, in->class->coder, nowhere, &GY_ARRIVALS(gy_incoming, &one),
                            (gy_encode_batch_some){0, 1, index});
    } else {
        v->strays[v->stray_count++] = (gy_tree_stray){one.state, one.words, index};
    }
}

// A state that was given back lately. False: too many were since.
static bool recall(const gy_class_view *in, gy_ref ref, gy_coder_known *known)
{
    gy_tree_lane *lane = in->lane;
    for (uint32_t i = 0; lane && i < GY_STORE_BATCH; i++) {
        size_t at = (lane->cursor + i) % GY_STORE_BATCH;
        if (lane->refs[at] != ref)
            continue;
        lane->cursor = (uint32_t)at + 1;
        known->numbers = lane->numbers + at * lane->pending.stride;
        known->words = lane->words ? lane->words + at * in->class->words : NULL;
        return true;
    }
    return false;
}

// Arrivals [i, p->end), successors of a state whose class is not flat.
static void add_near(gy_tree_view *v, gy_class_view *in, const gy_arrivals *a, uint32_t i,
                     const gy_store_parent *p)
{
    uint32_t first = v->head.n;
    gy_tree_lane *lane = in->lane;
    gy_coder_known like;
    bool known = i < p->end && recall(in, p->ref, &like);
    for (; i < p->end; i++) {
        uint64_t written = gy_arrival_written(a, i);
        if (!known || gy_arrival_words(a, i) != in->class->words || written == GY_INCOMING_ANY) {
            add_stray(v, a, i, first + i);
            continue;
        }
        note_busy(v, in);
        lane->pending.tags[lane->pending.n] = first + i;
        gy_coder_put_aside(in->class->coder, like, gy_arrival_state(a, i), written, &lane->pending);
    }
}

static void tree_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                     const gy_arrivals *all)
{
    gy_tree_view *v = (gy_tree_view *)view;
    const gy_arrivals a = *all; // a copy: in registers
    uint32_t i = 0, first = view->n;
    keep_up(v);
    for (const gy_store_parent *p = parents; p < parents + count; p++) {
        uint32_t pair[2];
        gy_class_view *in =
            p->ref == GY_NO_REF ? NULL : view_class(v, gy_tree_pair_of(v->table, p->ref, pair));
        if (__builtin_expect(in && in->flat, 1)) {
            note_busy(v, in);
            for (;; i++) {
                i = gy_encode_batch_add(in->flat, in->class->coder, pair, &a,
                                        (gy_encode_batch_some){i, p->end, first + i});
                if (__builtin_expect(i >= p->end, 1))
                    break;
                add_stray(v, &a, i, first + i); // of another length
            }
        } else if (in) {
            add_near(v, in, &a, i, p);
            i = p->end;
        } else {
            for (; i < p->end; i++)
                add_stray(v, &a, i, first + i);
        }
    }
    view->n = first + i;
}

static void gather(gy_tree_view *v)
{
    for (size_t i = 0; i < v->busy.n; i++)
        if (v->busy.at[i]->flat)
            gy_encode_batch_gather(v->busy.at[i]->flat, v->busy.at[i]->class->coder);
}

static void tree_hold(gy_store_view *view)
{
    gy_tree_view *v = (gy_tree_view *)view;
    gather(v); // after that, only strays are examined again
    size_t words = v->copies.n, at = 0;
    for (uint32_t i = v->held; i < v->stray_count; i++)
        words += v->strays[i].words;
    gy_vec_reserve(&v->copies, words + 1);
    for (uint32_t i = 0; i < v->stray_count; at += v->strays[i++].words) {
        if (i >= v->held)
            memcpy(v->copies.at + at, v->strays[i].state, v->strays[i].words * sizeof(uint32_t));
        v->strays[i].state = v->copies.at + at;
    }
    v->copies.n = words;
    v->held = v->stray_count;
}

// ---- entering -------------------------------------------------------------------------

// So many new states of that class were entered through this view.
static void count_in(gy_tree_view *v, gy_class_view *in, uint32_t n)
{
    gy_cleary *pairs = &in->class->pairs;
    in->told += n;
    if (in->told < TELL_EVERY)
        return;
    uint64_t count =
        atomic_fetch_add_explicit(&pairs->count, in->told, memory_order_relaxed) + in->told;
    in->told = 0;
    if (count >= pairs->wanted)
        gy_store_no_room(&v->table->head);
}

static bool all_fit(const gy_length_class *c)
{
    return gy_cleary_fits(&c->pairs, (uint32_t)gy_coder_numbers(c->coder, 0) - 1,
                          (uint32_t)gy_coder_numbers(c->coder, 1) - 1);
}

// Those of a flat class. False: no room.
static bool enter_flat(gy_tree_view *v, gy_class_view *in)
{
    gy_length_class *class = in->class;
    gy_cleary *pairs = &class->pairs;
    gy_encode_batch *flat = in->flat;
    gy_cleary_key keys[GY_ENCODE_BATCH_MOST];
    gy_store_view *view = &v->head;
    uint32_t i = flat->entered, end = flat->n, before = view->fresh_count, n = before;
    if (!gy_encode_batch_number(flat, class->coder) || !all_fit(class))
        return false;
    const gy_cleary_table table = pairs->now; // a copy: in registers
    for (uint32_t k = i; k < end; k++) {
        keys[k] = gy_cleary_key_in(&table, flat->numbers[0][k], flat->numbers[1][k]);
        gy_fetch_to_write((const char *)table.slots.at + keys[k].line * GY_CLEARY_LINE);
    }
    for (; i < end; i++) {
        gy_cleary_answer answer = gy_cleary_enter(pairs, &keys[i]);
        if (answer == GY_CLEARY_NEW) {
            uint32_t pair[2] = {flat->numbers[0][i], flat->numbers[1][i]};
            view->fresh[n++] = flat->tags[i];
            view->refs[flat->tags[i]] = gy_tree_table_ref(class, pair);
        } else if (__builtin_expect(answer == GY_CLEARY_NO_ROOM, 0)) {
            break;
        }
    }
    for (uint32_t k = flat->entered; view->all_refs && k < i; k++) {
        uint32_t pair[2] = {flat->numbers[0][k], flat->numbers[1][k]};
        view->refs[flat->tags[k]] = gy_tree_table_ref(class, pair);
    }
    flat->entered = i;
    view->fresh_count = n;
    count_in(v, in, n - before);
    return i == end;
}

// Successors that were put aside get their pairs. False: no room.
static bool encode_pending(gy_tree_view *v, gy_class_view *in)
{
    gy_pending *pending = &in->lane->pending;
    if (!gy_coder_number_pending(in->class->coder, pending))
        return false;
    for (uint32_t i = 0; i < pending->n; i++) {
        gy_tree_pair *p = &v->pairs[v->pair_count++];
        p->in = in;
        p->index = pending->tags[i];
        gy_pending_pair(in->class->coder, pending, i, p->pair);
    }
    return true;
}

static bool encode(gy_tree_view *v, gy_class_view *in, const uint32_t *state, uint32_t pair[2])
{
    return gy_coder_encode(in->class->coder, &in->base, state, in != v->current, pair);
}

static bool encode_strays(gy_tree_view *v)
{
    for (; v->strays_done < v->stray_count; v->strays_done++) {
        const gy_tree_stray *s = &v->strays[v->strays_done];
        gy_tree_pair *p = &v->pairs[v->pair_count];
        p->in = view_length(v, s->words);
        p->index = s->index;
        if (!p->in || !encode(v, p->in, s->state, p->pair))
            return false;
        v->pair_count++;
    }
    return true;
}

static bool enter_pairs(gy_tree_view *v)
{
    gy_cleary_key keys[GY_STORE_BATCH];
    uint32_t i = v->pairs_done, end = v->pair_count;
    for (uint32_t k = i; k < end; k++) {
        const gy_tree_pair *p = &v->pairs[k];
        gy_cleary *pairs = &p->in->class->pairs;
        if (!gy_cleary_fits(pairs, p->pair[0], p->pair[1]))
            return false;
        keys[k] = gy_cleary_key_of(pairs, p->pair[0], p->pair[1]);
        gy_cleary_prefetch(pairs, &keys[k]);
    }
    for (; i < end; i++) {
        const gy_tree_pair *p = &v->pairs[i];
        gy_cleary_answer answer = gy_cleary_enter(&p->in->class->pairs, &keys[i]);
        if (answer == GY_CLEARY_NO_ROOM)
            break;
        v->head.refs[p->index] = gy_tree_table_ref(p->in->class, p->pair);
        if (answer == GY_CLEARY_NEW) {
            v->head.fresh[v->head.fresh_count++] = p->index;
            count_in(v, p->in, 1);
        }
    }
    v->pairs_done = i;
    return i == end;
}

// The last one of those that are busy has nothing under way any more.
static void end_busy(gy_tree_view *v)
{
    gy_class_view *in = v->busy.at[--v->busy.n];
    if (in->flat)
        gy_encode_batch_clear(in->flat);
    else
        gy_pending_clear(&in->lane->pending);
    in->busy = false;
}

static bool tree_enter(gy_store_view *view)
{
    gy_tree_view *v = (gy_tree_view *)view;
    gather(v);
    for (; v->busy.n; end_busy(v)) {
        gy_class_view *in = v->busy.at[v->busy.n - 1];
        if (!(in->flat ? enter_flat(v, in) : encode_pending(v, in)))
            return gy_store_no_room(view->store);
    }
    if (v->stray_count | v->pair_count && !(encode_strays(v) && enter_pairs(v)))
        return gy_store_no_room(view->store);
    return true;
}

static void tree_clear(gy_store_view *view)
{
    gy_tree_view *v = (gy_tree_view *)view;
    while (v->busy.n)
        end_busy(v);
    v->stray_count = v->strays_done = v->held = v->pair_count = v->pairs_done = 0;
    v->copies.n = 0;
}

// ---- looking --------------------------------------------------------------------------

// The state given back may be the parent of what comes.
__attribute__((noinline)) static void remember(const gy_class_view *in, gy_ref ref)
{
    gy_tree_lane *lane = in->lane;
    size_t at = lane->next++ % GY_STORE_BATCH, stride = lane->pending.stride,
           words = in->class->words;
    lane->refs[at] = ref;
    memcpy(lane->numbers + at * stride, in->base.number, stride * sizeof *lane->numbers);
    if (lane->words)
        memcpy(lane->words + at * words, in->base.words, words * sizeof *lane->words);
}

static const uint32_t *tree_state(gy_store_view *view, gy_ref ref, uint32_t *words)
{
    gy_tree_view *v = (gy_tree_view *)view;
    keep_up(v);
    uint32_t pair[2], number = gy_tree_pair_of(v->table, ref, pair);
    gy_class_view *in = view_class(v, number);
    v->current = in;
    view->joins = in->flat || in->lane;
    gy_coder_decode(in->class->coder, &in->base, pair);
    if (in->lane)
        remember(in, ref);
    *words = in->class->words;
    return in->base.words;
}

// Of one side; nothing, if its rows are so few that they are near anyway.
static void prefetch_side(const gy_tree_view *v, const gy_ref *refs, uint32_t count, unsigned side)
{
    enum { NEAR = 1 << 17 }; // bytes
    for (uint32_t i = 0; i < count;) {
        uint32_t pair[2], number = gy_tree_pair_of(v->table, refs[i], pair);
        const gy_coder *coder = gy_tree_table_class(v->table, number)->coder;
        const gy_node_table *table = &coder->tables[coder->top[side]];
        if (coder->top[side] == coder->shape->nodes ||
            gy_node_table_count(table) * table->pairs * sizeof(uint64_t) < NEAR)
            return;
        do
            __builtin_prefetch(gy_node_table_get(table, pair[side]));
        while (++i < count && gy_tree_pair_of(v->table, refs[i], pair) == number);
    }
}

static void tree_prefetch(gy_store_view *view, const gy_ref *refs, uint32_t count)
{
    prefetch_side((const gy_tree_view *)view, refs, count, 0);
    prefetch_side((const gy_tree_view *)view, refs, count, 1);
}

static bool tree_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    gy_tree_view *v = (gy_tree_view *)view;
    keep_up(v);
    gy_length_class *class = seek_class(v->table, words);
    uint32_t pair[2];
    if (!class)
        return false;
    gy_class_view *in = new_class_view(v, class);
    if (!gy_coder_find(class->coder, &in->base, state, pair) ||
        !gy_cleary_fits(&class->pairs, pair[0], pair[1]))
        return false;
    gy_cleary_key key = gy_cleary_key_of(&class->pairs, pair[0], pair[1]);
    *ref = gy_tree_table_ref(class, pair);
    return gy_cleary_find(&class->pairs, &key, NULL);
}

static void *tree_note_at(gy_store_view *view, gy_ref ref)
{
    const gy_tree_table *t = ((gy_tree_view *)view)->table;
    uint32_t pair[2];
    const gy_length_class *class = gy_tree_table_class(t, gy_tree_pair_of(t, ref, pair));
    gy_cleary_key key = gy_cleary_key_of(&class->pairs, pair[0], pair[1]);
    uint64_t position;
    if (!gy_cleary_find(&class->pairs, &key, &position))
        gy_fatal("a note of a state that is not in the store");
    return gy_cleary_note(&class->pairs, position);
}

static void tree_look(const gy_store *store, gy_store_figures *figures)
{
    figures->states = gy_tree_count((const gy_tree_table *)store);
}

// ---- growth ---------------------------------------------------------------------------

static void tree_tell(gy_store_view *view)
{
    gy_tree_view *v = (gy_tree_view *)view;
    for (size_t i = 0; i < v->classes.n; i++)
        if (v->classes.at[i]) {
            atomic_fetch_add_explicit(&v->classes.at[i]->class->pairs.count, v->classes.at[i]->told,
                                      memory_order_relaxed);
            v->classes.at[i]->told = 0;
        }
}

static bool grow_class(gy_tree_table *t, gy_length_class *c, gy_team *team)
{
    enum { MUCH = 3 }; // bytes per state, for nodes
    if (!gy_coder_make_room(c->coder, team) ||
        !gy_tree_reserve_chunks(t, c, gy_coder_most(c->coder, 0)))
        return false;
    c->pairs.thrifty = gy_coder_bytes(c->coder) > MUCH * gy_class_count(c);
    uint64_t left = gy_coder_numbers(c->coder, 0), right = gy_coder_numbers(c->coder, 1);
    return !gy_cleary_wants_room(&c->pairs, left, right) ||
           gy_cleary_grow(&c->pairs, left, right, team);
}

static bool tree_grow(gy_store *store, gy_team *team)
{
    gy_tree_table *t = (gy_tree_table *)store;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        if (!grow_class(t, gy_tree_table_class(t, i), team))
            return false;
    return gy_tree_classes(t) < GY_TREE_CLASSES;
}

static bool tree_holds(const gy_store *store, gy_ref ref)
{
    const gy_tree_table *t = (const gy_tree_table *)store;
    uint32_t pair[2];
    if (ref >> (32 + GY_TREE_CHUNK_BITS) >= t->chunk_count)
        return false;
    const gy_length_class *c = gy_tree_table_class(t, gy_tree_pair_of(t, ref, pair));
    if (pair[0] >= gy_coder_numbers(c->coder, 0) || pair[1] >= gy_coder_numbers(c->coder, 1) ||
        !gy_cleary_fits(&c->pairs, pair[0], pair[1]))
        return false;
    gy_cleary_key key = gy_cleary_key_of(&c->pairs, pair[0], pair[1]);
    return gy_cleary_find(&c->pairs, &key, NULL);
}

// ---- life -----------------------------------------------------------------------------

static gy_store_view *tree_new_view(gy_store *store)
{
    gy_tree_view *v = gy_alloc_apart(sizeof *v);
    v->table = (gy_tree_table *)store;
    v->generation = v->table->generation;
    return &v->head;
}

static void tree_free_view(gy_store_view *view)
{
    gy_tree_view *v = (gy_tree_view *)view;
    for (size_t i = 0; i < v->classes.n; i++)
        if (v->classes.at[i]) {
            drop_class_view(v->classes.at[i]);
            free(v->classes.at[i]);
        }
    gy_vec_free(&v->classes);
    gy_vec_free(&v->busy);
    gy_vec_free(&v->copies);
    free(v);
}

static void tree_free(gy_store *store)
{
    gy_tree_table *t = (gy_tree_table *)store;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++) {
        gy_length_class *c = gy_tree_table_class(t, i);
        gy_coder_free(c->coder);
        gy_cleary_free(&c->pairs);
        gy_vec_free(&c->chunks);
        free(c);
    }
    pthread_mutex_destroy(&t->lock);
    gy_free_sparse(t->classes, GY_TREE_CLASSES * sizeof *t->classes);
    gy_free_sparse(t->directory, GY_TREE_CHUNKS * sizeof *t->directory);
    free(t);
}

static const gy_store_methods methods = {
    .free = tree_free,
    .look = tree_look,
    .new_view = tree_new_view,
    .free_view = tree_free_view,
    .add = tree_add,
    .hold = tree_hold,
    .enter = tree_enter,
    .clear = tree_clear,
    .state = tree_state,
    .prefetch = tree_prefetch,
    .find = tree_find,
    .note_at = tree_note_at,
    .tell = tree_tell,
    .grow = tree_grow,
    .unsettled = gy_tree_table_unsettled,
    .plan = gy_tree_table_plan,
    .reencode = gy_tree_table_reencode,
    .settle = gy_tree_table_settle,
    .pieces = gy_tree_table_pieces,
    .each = gy_tree_table_each,
    .empty = gy_tree_table_empty,
    .reset = gy_tree_table_reset,
    .save = gy_tree_table_save,
    .load = gy_tree_table_load,
    .holds = tree_holds,
};

gy_store *gy_tree_store(const gy_store_options *options)
{
    gy_tree_table *t = gy_alloc_zero(sizeof *t);
    gy_store_init(&t->head, &methods, options);
    t->plan_at = options->hostile ? HOSTILE_PLAN : FIRST_PLAN;
    t->classes = gy_alloc_sparse(GY_TREE_CLASSES * sizeof *t->classes);
    t->directory = gy_alloc_sparse(GY_TREE_CHUNKS * sizeof *t->directory);
    pthread_mutex_init(&t->lock, NULL);
    return &t->head;
}
