// The ground that a hunt goes over: the states of a system, or of its product with an observer,
// seen as all hunters see them, whatever it is that they look for.
//
// A state here is a state of the system, followed by one word with the state of the observer if
// there is one, followed by one word of the schedule if there is a bound on it. A move is a
// transition whose state is such a state. Its ordinal, its position among the moves, is the same
// each time that a state is expanded: a route is a list of ordinals.
//
// Bounds on schedules: GY_BOUND_CONTEXT allows so many preemptions (a process that could go on is
// left for another one; Musuvathi, Qadeer, PLDI 2007). GY_BOUND_DELAY allows so many delays of a
// scheduler that stays with a process until it blocks and then takes the next one in the order of
// pids (Emmi, Qadeer, Rakamaric, POPL 2011).
//
// Private to src/search. A ground belongs to one thread at a time. Owner: gy_bounded_product_free;
// the worker is the ground's, the rest is borrowed.
#ifndef GYRE_SEARCH_HUNT_BOUNDED_PRODUCT_H
#define GYRE_SEARCH_HUNT_BOUNDED_PRODUCT_H

#include "gyre/observer.h"
#include "search/run.h"

typedef enum { GY_BOUND_NONE, GY_BOUND_CONTEXT, GY_BOUND_DELAY } gy_bounded_product_bound;

// What is wrong with a state itself, known once it was expanded.
typedef enum {
    GY_BOUNDED_PRODUCT_FINE,
    GY_BOUNDED_PRODUCT_STUCK, // nothing moves, and some process may not rest
    GY_BOUNDED_PRODUCT_SIGHT, // the observer sees an error
} gy_bounded_product_state;

// How a move of a product comes about.
typedef struct gy_bounded_product_origin {
    gy_observer_move move;
    uint32_t ordinal; // of the transition of the system; UINT32_MAX: it has stopped
} gy_bounded_product_origin;

typedef struct gy_bounded_product {
    gy_worker *worker;
    const gy_search_options *options;
    const gy_observer *observer; // or NULL
    gy_reducer *reducer;         // or NULL
    gy_bounded_product_bound bound;
    uint32_t bound_limit;
    bool bound_cut; // a move was left out because of it
    // Of the state that was expanded last.
    gy_moves moves;
    bool reduced; // then moves.keep says which suffice
    gy_bounded_product_state found;
    gy_observer_move sight; // GY_BOUNDED_PRODUCT_SIGHT
    GY_VEC(gy_transition) list;
    GY_VEC(gy_bounded_product_origin) origins; // with an observer
    GY_VEC(gy_word) words;
    GY_VEC(gy_word) here; // initial states
    GY_VEC(gy_observer_move) observed;
} gy_bounded_product;

// Takes the worker over.
void gy_bounded_product_init(gy_bounded_product *ground, gy_worker *worker,
                             const gy_search_options *options);
void gy_bounded_product_free(gy_bounded_product *ground);

// All moves of a state, or, if `state` is NULL, into the initial ones. Valid until the next call.
const gy_transition *gy_bounded_product_expand(gy_bounded_product *ground, const gy_word *state,
                                               uint32_t words, uint32_t *count);
// The first of these faults that is an error that is looked for, or NULL.
const gy_fault *gy_bounded_product_wanted(const gy_bounded_product *ground, const gy_fault *first);
// Words behind those of the system's state.
static inline uint32_t gy_bounded_product_extra(const gy_bounded_product *ground)
{
    return (ground->observer != NULL) + (ground->bound != GY_BOUND_NONE);
}
// Statements: a rendezvous is two.
static inline uint64_t gy_bounded_product_cost(const gy_transition *move)
{
    uint64_t cost = move->step_count;
    for (uint32_t i = 0; i < move->step_count; i++)
        cost += move->steps[i].partner >= 0;
    return cost ? cost : 1;
}

#endif
