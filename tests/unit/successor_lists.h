// Successor lists, for comparing backends: collected in full, states numbered breadth first.
#ifndef GYRE_TESTS_SUCCESSOR_LISTS_H
#define GYRE_TESTS_SUCCESSOR_LISTS_H

#include "base/hash.h"
#include "base/vec.h"
#include "exec/system.h"

// exec/vm/vm.h cannot be included next to base/diag.h
int gy_vm_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                     void *user);

struct one {
    size_t at, step;
    uint64_t has_state;
    uint64_t message;
    uint32_t words, step_count;
    gy_fault_kind fault;
    int32_t fault_pid, fault_edge, padding;
};

typedef struct collected {
    GY_VEC(gy_word) words; // state of transition i at `at`
    GY_VEC(gy_step) steps;
    GY_VEC(struct one) all;
    // If there is a source: does every transition's `written` tell the truth?
    const gy_word *source;
    uint32_t source_words;
    bool untold;            // a word has changed that `written` says has not
    uint64_t changed, told; // bits: really changed, and said to be
} collected;

static inline void check_written(collected *c, const gy_transition *t)
{
    if (!t->state)
        return;
    if (t->words != c->source_words) {
        c->untold = c->untold || t->written != GY_WRITTEN_ALL;
        return;
    }
    uint64_t changed = 0, all = 0;
    uint32_t k = gy_written_shift(t->words);
    for (uint32_t i = 0; i < t->words; i++) {
        changed |= (uint64_t)(t->state[i] != c->source[i]) << (i >> k);
        all |= 1ull << (i >> k);
    }
    c->untold = c->untold || (changed & ~t->written);
    c->changed += (uint64_t)__builtin_popcountll(changed);
    c->told += (uint64_t)__builtin_popcountll(t->written & all);
}

static inline int collect(void *user, const gy_transition *t)
{
    collected *c = user;
    if (c->source)
        check_written(c, t);
    struct one one = {.at = c->words.n,
                      .words = t->words,
                      .step_count = t->step_count,
                      .step = c->steps.n,
                      .has_state = t->state != NULL};
    if (t->fault) {
        one.fault = t->fault->kind;
        one.fault_pid = t->fault->pid;
        one.fault_edge = t->fault->edge;
        one.message = gy_hash_bytes(t->fault->message, strlen(t->fault->message), 1);
    }
    for (uint32_t i = 0; t->state && i < t->words; i++)
        gy_vec_push(&c->words, t->state[i]);
    for (uint32_t i = 0; i < t->step_count; i++)
        gy_vec_push(&c->steps, t->steps[i]);
    gy_vec_push(&c->all, one);
    return 0;
}

static inline void clear(collected *c)
{
    c->words.n = c->steps.n = c->all.n = 0;
}

static inline bool same(const collected *a, const collected *b)
{
    if (a->all.n != b->all.n || a->words.n != b->words.n || a->steps.n != b->steps.n)
        return false;
    return (!a->words.n || !memcmp(a->words.at, b->words.at, a->words.n * sizeof *a->words.at)) &&
           (!a->steps.n || !memcmp(a->steps.at, b->steps.at, a->steps.n * sizeof *a->steps.at)) &&
           (!a->all.n || !memcmp(a->all.at, b->all.at, a->all.n * sizeof *a->all.at));
}

// ---- a set of states --------------------------------------------------------------------

struct place {
    size_t at;
    uint32_t words;
};

typedef struct state_set {
    GY_VEC(gy_word) words;
    GY_VEC(struct place) states;
    uint64_t *table;
    size_t room;
} state_set;

static inline void add(state_set *set, const gy_word *state, uint32_t words)
{
    if (set->states.n * 2 >= set->room) {
        size_t room = set->room ? set->room * 2 : 1 << 12;
        uint64_t *table = gy_alloc_zero(room * sizeof *table);
        for (size_t i = 0; i < set->room; i++)
            if (set->table[i]) {
                size_t at = set->table[i] % room;
                while (table[at])
                    at = (at + 1) % room;
                table[at] = set->table[i];
            }
        free(set->table);
        set->table = table;
        set->room = room;
    }
    uint64_t hash = gy_hash_words(state, words, 7) | 1;
    size_t at = hash % set->room;
    for (; set->table[at]; at = (at + 1) % set->room)
        if (set->table[at] == hash)
            return;
    set->table[at] = hash;
    gy_vec_push(&set->states, ((struct place){set->words.n, words}));
    gy_vec_reserve(&set->words, set->words.n + words);
    memcpy(set->words.at + set->words.n, state, words * sizeof *state);
    set->words.n += words;
}

static inline int add_visit(void *user, const gy_transition *t)
{
    if (t->state)
        add(user, t->state, t->words);
    return 0;
}

static inline void free_set(state_set *set)
{
    gy_vec_free(&set->words);
    gy_vec_free(&set->states);
    free(set->table);
}

static inline void explore(gy_worker *worker, state_set *set, size_t limit)
{
    GY_VEC(gy_word) state = {0};
    gy_initial(worker, add_visit, set);
    for (size_t i = 0; i < set->states.n && set->states.n < limit; i++) {
        uint32_t words = set->states.at[i].words;
        gy_vec_reserve(&state, words);
        memcpy(state.at, set->words.at + set->states.at[i].at, words * sizeof(gy_word));
        gy_vm_successors(worker->impl, state.at, words, add_visit, set);
    }
    gy_vec_free(&state);
}

static inline void free_collected(collected *c)
{
    gy_vec_free(&c->words);
    gy_vec_free(&c->steps);
    gy_vec_free(&c->all);
}

#endif
