// Collecting what gy_initial, gy_successors and gy_single_steps tell. For unit tests.
#ifndef GYRE_TESTS_VISITING_H
#define GYRE_TESTS_VISITING_H

// cmocka wants these four first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/gyre.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_ROOM = 64 };

typedef struct seen_one {
    gy_word *state; // NULL: a fault left none
    uint32_t words;
    gy_step steps[16];
    uint32_t step_count;
    gy_fault_kind fault;
    char message[200];
    int32_t exclusive;
} seen_one;

typedef struct seen {
    seen_one at[SEEN_ROOM];
    uint32_t n;
    uint32_t states; // those with a state
    uint32_t stop_after;
} seen;

static inline int see(void *user, const gy_transition *t)
{
    seen *s = user;
    assert_true(s->n < SEEN_ROOM);
    seen_one *one = &s->at[s->n++];
    memset(one, 0, sizeof *one);
    if (t->state) {
        s->states++;
        one->state = malloc(t->words * sizeof(gy_word));
        memcpy(one->state, t->state, t->words * sizeof(gy_word));
        one->words = t->words;
    }
    one->step_count = t->step_count;
    for (uint32_t i = 0; i < t->step_count && i < 16; i++)
        one->steps[i] = t->steps[i];
    one->fault = t->fault ? t->fault->kind : GY_FAULT_NONE;
    if (t->fault)
        snprintf(one->message, sizeof one->message, "%s", t->fault->message);
    one->exclusive = t->exclusive;
    return s->stop_after && s->n >= s->stop_after ? 77 : 0;
}

static inline void seen_clear(seen *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->at[i].state);
    memset(s, 0, sizeof *s);
}

// A system under test with its worker and its one initial state.
typedef struct rig {
    gy_system *system;
    gy_worker *worker;
    seen start, next;
} rig;

static inline rig *rig_new(gy_system *system)
{
    rig *r = calloc(1, sizeof *r);
    r->system = system;
    r->worker = gy_worker_new(system);
    gy_initial(r->worker, see, &r->start);
    return r;
}

static inline void rig_free(rig *r)
{
    seen_clear(&r->start);
    seen_clear(&r->next);
    gy_worker_free(r->worker);
    gy_system_free(r->system);
    free(r);
}

// Successors of a state that was seen; at most SEEN_ROOM.
static inline uint32_t rig_next(rig *r, const seen_one *from)
{
    gy_word *copy = malloc(from->words * sizeof(gy_word));
    uint32_t words = from->words;
    memcpy(copy, from->state, words * sizeof(gy_word));
    seen_clear(&r->next);
    gy_successors(r->worker, copy, words, see, &r->next);
    free(copy);
    return r->next.n;
}

static inline uint32_t rig_first(rig *r)
{
    return rig_next(r, &r->start.at[0]);
}

#endif
