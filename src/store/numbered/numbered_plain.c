// The plain store: every state in full, one after the other. Fast, large, nothing to tune.
//
// Representation: `words` holds the states by id; while all have the same length, state i
// begins at i * length. From the first state of another length on, `ends` tells where each
// state ends (in words). `index` finds them by hash.
#include "store/numbered/numbered.h"

#include "store/numbered/inline_index.h"
#include "store/numbered/kind.h"

#include "base/fatal.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY UINT64_MAX

typedef struct plain {
    gy_numbered base;
    gy_region words, ends;
    gy_index index;
    uint64_t count;
    uint64_t used;   // words
    uint32_t length; // of all states, while !varied
    bool varied;
} plain;

// A copy of the state last given back: `words` may move when a state is entered.
typedef struct view {
    gy_numbered_view head;
    uint32_t *copy;
    uint32_t room;
} view;

static plain *plain_of(gy_numbered_view *head)
{
    return (plain *)head->store;
}

static const uint32_t *state_at(const plain *p, uint64_t id, uint32_t *words)
{
    const uint32_t *all = p->words.at;
    if (!p->varied) {
        *words = p->length;
        return all + id * p->length;
    }
    const uint64_t *ends = p->ends.at;
    uint64_t begin = id ? ends[id - 1] : 0;
    *words = (uint32_t)(ends[id] - begin);
    return all + begin;
}

static uint64_t hash_at(const void *owner, uint64_t id)
{
    uint32_t words;
    const uint32_t *state = state_at(owner, id, &words);
    return gy_hash_words(state, words, 0);
}

static void fetch_at(const void *owner, uint64_t id)
{
    const plain *p = owner;
    if (p->varied)
        __builtin_prefetch((const uint64_t *)p->ends.at + id);
    else
        __builtin_prefetch((const uint32_t *)p->words.at + id * p->length);
}

static bool plain_prepare(gy_numbered_view *head, const uint32_t *state, uint32_t words,
                          gy_key *key)
{
    const plain *p = plain_of(head);
    key->name = 0;
    key->words = words;
    key->hash = gy_hash_words(state, words, 0);
    if (p->index.lines)
        gy_index_prefetch(&p->index, key->hash);
    return true;
}

static void plain_rekey(gy_numbered_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    key->hash = gy_hash_words(state, key->words, 0);
}

// The first state that this one will be compared with, if there is one; fetches it.
static inline void plain_guess(const plain *p, const gy_key *key, uint64_t *id)
{
    gy_probe probe = gy_index_probe(&p->index, key->hash);
    if (probe.match && gy_index_next(&p->index, &probe, id))
        fetch_at(p, *id);
}

static void plain_warm(gy_numbered_view *head, const gy_key *key)
{
    const plain *p = plain_of(head);
    uint64_t id;
    if (p->index.lines)
        plain_guess(p, key, &id);
}

static inline bool is_at(const plain *p, uint64_t id, const gy_key *key, const uint32_t *state)
{
    uint32_t words;
    const uint32_t *other = state_at(p, id, &words);
    if (words != key->words)
        return false;
    for (uint32_t i = 0; i < words; i++)
        if (other[i] != state[i])
            return false;
    return true;
}

static bool find(const plain *p, const gy_key *key, const uint32_t *state, gy_probe *probe,
                 uint64_t *id)
{
    *probe = gy_index_probe(&p->index, key->hash);
    while (gy_index_next(&p->index, probe, id)) {
        if (is_at(p, *id, key, state))
            return true;
    }
    return false;
}

static bool plain_has(gy_numbered_view *head, const gy_key *key, const uint32_t *state,
                      uint64_t *id)
{
    const plain *p = plain_of(head);
    gy_probe probe;
    return p->index.lines && find(p, key, state, &probe, id);
}

// The first state of another length: from now on every end is written down.
static bool become_varied(plain *p)
{
    if (!gy_region_reserve(&p->ends, (p->count + 1) * sizeof(uint64_t)))
        return false;
    for (uint64_t i = 0; i < p->count; i++)
        ((uint64_t *)p->ends.at)[i] = (i + 1) * p->length;
    p->varied = true;
    return true;
}

static bool append(plain *p, const uint32_t *state, uint32_t words)
{
    if (!p->count)
        p->length = words;
    if (!p->varied && words != p->length && !become_varied(p))
        return false;
    if (p->varied && !gy_region_reserve(&p->ends, (p->count + 1) * sizeof(uint64_t)))
        return false;
    if (!gy_region_reserve(&p->words, (p->used + words) * sizeof *state))
        return false;
    if (words)
        memcpy((uint32_t *)p->words.at + p->used, state, words * sizeof *state);
    if (p->varied)
        ((uint64_t *)p->ends.at)[p->count] = p->used + words;
    return true;
}

static gy_numbered_answer plain_enter(gy_numbered_view *head, const gy_key *key,
                                      const uint32_t *state, uint64_t *id)
{
    plain *p = plain_of(head);
    gy_probe probe = {0};
    if (p->index.lines && find(p, key, state, &probe, id))
        return GY_NUMBERED_FOUND;
    if (!gy_index_has_room(&p->index, p->count)) {
        gy_index_owner owner = {hash_at, p};
        if (!gy_index_make_room(&p->index, &owner, p->count))
            return GY_NUMBERED_FULL;
        find(p, key, state, &probe, id);
    }
    if (!append(p, state, key->words) || !gy_index_put(&p->index, &probe, p->count))
        return GY_NUMBERED_FULL;
    *id = p->count++;
    p->used += key->words;
    return GY_NUMBERED_NEW;
}

// The first state with the right tag is looked at before others are entered, and most often it is
// the one: then the index need not be searched again.
static uint32_t plain_enter_all(gy_numbered_view *head, gy_numbered_entry *entries, uint32_t count)
{
    plain *p = plain_of(head);
    for (uint32_t i = 0; i < count; i++)
        plain_prepare(head, entries[i].state, entries[i].key.words, &entries[i].key);
    for (uint32_t i = 0; i < count; i++) {
        entries[i].id = NOBODY;
        if (p->index.lines)
            plain_guess(p, &entries[i].key, &entries[i].id);
    }
    for (uint32_t i = 0; i < count; i++) {
        gy_numbered_entry *e = &entries[i];
        if ((e->id == NOBODY || !is_at(p, e->id, &e->key, e->state)) &&
            plain_enter(head, &e->key, e->state, &e->id) == GY_NUMBERED_FULL)
            return i;
    }
    return count;
}

static const uint32_t *plain_state(gy_numbered_view *head, uint64_t id, uint32_t *words)
{
    view *v = (view *)head;
    const uint32_t *state = state_at(plain_of(head), id, words);
    if (*words >= v->room) {
        v->room = *words + 1;
        v->copy = gy_realloc(v->copy, v->room * sizeof *v->copy);
    }
    if (*words)
        memcpy(v->copy, state, *words * sizeof *state);
    return v->copy;
}

static void plain_free(gy_numbered *store)
{
    plain *p = (plain *)store;
    gy_region_free(&p->words);
    gy_region_free(&p->ends);
    gy_index_free(&p->index);
    free(p);
}

static void plain_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    figures->states = ((const plain *)store)->count;
}

static gy_numbered_view *plain_new_view(gy_numbered *store)
{
    (void)store;
    return gy_alloc_zero(sizeof(view));
}

static void plain_free_view(gy_numbered_view *head)
{
    free(((view *)head)->copy);
    free(head);
}

static void plain_save(const gy_numbered *store, gy_writer *writer)
{
    const plain *p = (const plain *)store;
    gy_write_u64(writer, p->count);
    gy_write_u64(writer, p->used);
    gy_write_u64(writer, p->length);
    gy_write_u64(writer, p->varied);
    gy_write_region(writer, &p->words, p->used * sizeof(uint32_t));
    gy_write_region(writer, &p->ends, p->varied ? p->count * sizeof(uint64_t) : 0);
    gy_index_save(&p->index, writer);
}

static bool plain_load(gy_numbered *store, gy_reader *reader)
{
    plain *p = (plain *)store;
    p->count = gy_read_u64(reader);
    p->used = gy_read_u64(reader);
    p->length = (uint32_t)gy_read_u64(reader);
    p->varied = gy_read_u64(reader) != 0;
    return gy_read_region(reader, &p->words) && gy_read_region(reader, &p->ends) &&
           gy_index_load(&p->index, reader);
}

static const gy_numbered_kind_table plain_kind = {
    .traits = {.name = "plain", .exact = true, .gives_back = true},
    .free = plain_free,
    .look = plain_look,
    .new_view = plain_new_view,
    .free_view = plain_free_view,
    .prepare = plain_prepare,
    .rekey = plain_rekey,
    .warm = plain_warm,
    .enter = plain_enter,
    .enter_all = plain_enter_all,
    .has = plain_has,
    .state = plain_state,
    .save = plain_save,
    .load = plain_load,
};

gy_numbered *gy_numbered_plain(const gy_numbered_options *options)
{
    plain *p = gy_alloc_zero(sizeof *p);
    p->base.kind = &plain_kind;
    gy_region_init(&p->words, options->budget);
    gy_region_init(&p->ends, options->budget);
    gy_index_init(&p->index, options->budget, options->hostile);
    return &p->base;
}
