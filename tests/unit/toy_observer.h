// Observers of toys (toy.h) for tests of products: few states, many, or states whose numbers are
// given as they turn up. What one does depends on a hash of the node alone.
#ifndef GYRE_TESTS_TOY_OBSERVER_H
#define GYRE_TESTS_TOY_OBSERVER_H

#include "search/liveness/product.h"

#include "toy.h"

enum { TOY_FEW, TOY_MANY, TOY_NUMBERED, TOY_OBSERVERS };

typedef struct toy_observer {
    const toy *t;
    unsigned kind;
    uint32_t rare; // one move in so many has a mark
    gy_observer_move moves[2];
    GY_VEC(uint32_t) numbers; // TOY_NUMBERED: what each number stands for
    atomic_int *interrupt;    // NULL, or set …
    uint64_t after;           // … when so many transitions were asked for
    uint64_t asked;
} toy_observer;

static inline uint32_t toy_observer_size(unsigned kind)
{
    return kind == TOY_FEW ? 3 : 24;
}

static inline uint32_t toy_observer_number(void *self, const gy_word *content)
{
    toy_observer *o = self;
    for (size_t i = 0; i < o->numbers.n; i++)
        if (o->numbers.at[i] == *content)
            return (uint32_t)i;
    if (*content >= toy_observer_size(o->kind))
        return UINT32_MAX;
    gy_vec_push(&o->numbers, *content);
    return (uint32_t)o->numbers.n - 1;
}

static inline void toy_observer_begin(toy_observer *o)
{
    const gy_word first = 0;
    if (o->kind == TOY_NUMBERED && !o->numbers.n)
        toy_observer_number(o, &first);
}

static inline void toy_observer_content(void *self, gy_worker *worker, const gy_word *state,
                                        uint32_t words, uint32_t at, gy_word *out)
{
    toy_observer *o = self;
    (void)worker, (void)state, (void)words;
    toy_observer_begin(o);
    *out = o->numbers.at[at];
}

static inline const gy_observer_move *toy_observer_moves(void *self, gy_worker *worker,
                                                         const gy_word *state, uint32_t words,
                                                         uint32_t at, uint32_t *count)
{
    toy_observer *o = self;
    (void)worker;
    toy_observer_begin(o);
    if (o->interrupt && ++o->asked >= o->after)
        *o->interrupt = 1;
    uint64_t h = toy_hash(o->t, words ? state[0] : 0, 700 + at);
    uint32_t n = h % 11 == 0 ? 0 : 1 + h / 11 % 2;
    for (uint32_t i = 0; i < n; i++) {
        gy_word to = (gy_word)((h >> (8 + 8 * i)) % toy_observer_size(o->kind));
        o->moves[i] = (gy_observer_move){.edge = -1, .marks = (h >> (30 + i)) % o->rare == 0};
        o->moves[i].to = o->kind == TOY_NUMBERED ? toy_observer_number(o, &to) : to;
    }
    *count = n;
    return o->moves;
}

static inline gy_observer toy_observe(toy_observer *o)
{
    gy_observer observer = {.self = o,
                            .states = toy_observer_size(o->kind),
                            .bounded = o->kind != TOY_NUMBERED,
                            .sets = 1,
                            .stutters = true,
                            .all_moves = toy_observer_moves};
    if (o->kind == TOY_NUMBERED) {
        observer.content_words = 1;
        observer.content = toy_observer_content;
        observer.number = toy_observer_number;
    }
    return observer;
}

#endif
