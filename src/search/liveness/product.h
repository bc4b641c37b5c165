// The product of a system and an observer (include/gyre/observer.h), searched for an accepted
// run: liveness.
//
// The answer is a lasso, a path (stem) to a state from which further steps (the cycle) lead back
// to it, or, where the observer sees an error at once, the stem alone. gy_lasso_check runs it
// again, twice round the cycle, on a fresh worker; the caller must not report one that does not
// pass. The stem is a shortest one among the states that were seen; the cycle is short. With the
// option shortest_lasso (no fairness; an observer with at most six sets), stem and
// cycle together are shortest among all lassos of the product; if the observer has a tight one, and
// this is not much larger, among all lassos of the system that the observer should accept.
//
// Fairness, of processes and of statements that the model marks as fair (in each process that
// has them). Weak: only runs count in which each executes infinitely often or is infinitely often
// unable to; this is one more acceptance set for each. Strong: in which each that is infinitely
// often able to move does so; components are taken apart for it.
//
// Owner: a result owns its lasso and figures; gy_product_result_free.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_H

#include "gyre/observer.h"
#include "search/search.h"

struct gy_symmetry;

typedef enum {
    GY_FAIRNESS_ACTIONS, // of marked statements alone
    GY_FAIRNESS_NONE,
    GY_FAIRNESS_WEAK,   // of processes, and of marked statements
    GY_FAIRNESS_STRONG, // ditto
} gy_fairness;

enum { GY_STUTTER = UINT32_MAX };

// A transition of the observer and then of the system.
typedef struct gy_turn {
    uint32_t from, to;     // states of the observer
    uint64_t marks;        // of its move, and of fairness
    int32_t observer_edge; // of a never claim, or -1
    uint32_t ordinal;      // of the transition; GY_STUTTER: the system has stopped
    uint64_t step_count;   // of steps that it executed
} gy_turn;

typedef struct gy_lasso_witness {
    gy_sight sight;      // GY_SEES_NOTHING: a cycle
    uint32_t initial;    // ordinal of the initial state
    gy_turn *turns;      // without a cycle, the last is the observer's alone
    uint64_t turn_count; //
    uint64_t cycle_turn; // the cycle begins with this one; turn_count if there is none
    gy_step *steps;      // of all turns
    uint64_t step_count;
    uint64_t cycle_start; // steps before the cycle; step_count: the system has stopped, or no cycle
    uint64_t cost;        // statements in stem and cycle; a rendezvous is two
    bool tight;           // states and moves are those of observer->tight
} gy_lasso_witness;

void gy_lasso_witness_free(gy_lasso_witness *lasso);

typedef struct gy_product_result {
    gy_search_result *figures; // no witnesses in it
    gy_store_kind store;       // that was used
    gy_lasso_witness *lasso;   // NULL: none was found
    const char *cycles;        // how cycles were looked for: a name of cycles.h
    const char *cycles_why;    // and why so (static text)
    uint32_t shared;           // formulas for which the system was explored once; 0: for it alone
    bool proved_shortest;      // no other lasso of this product has a smaller cost
    bool shortest_of_system;   // and no lasso of the system that the observer should accept has
} gy_product_result;

// Of the options, search, check_… and max_errors do not matter; a store that cannot
// give states back is replaced by the tree store. With checkpoints, components are what is searched
// for, in one thread.
gy_product_result *gy_product_search(gy_system *system, const gy_observer *observer,
                                     gy_fairness fairness, const gy_search_options *options);
void gy_product_result_free(gy_product_result *result);

// product_short.c: a lasso that costs less than `bound`, whatever fairness and the observer need.
// At most state_limit nodes are examined (0: as many as there is time for). NULL: none was found.
// *proved: nothing cheaper exists in this product than that, or than the bound.
gy_lasso_witness *gy_product_short_lasso(gy_system *system, const gy_observer *observer,
                                         gy_fairness fairness, const gy_search_options *options,
                                         uint64_t bound, bool *proved);

// Why such a search cannot make use of symmetry (free it); NULL: it can, and *symmetry, if not
// NULL, is that (gy_symmetry_free).
char *gy_product_no_symmetry(gy_system *system, const gy_observer *observer, gy_fairness fairness,
                             struct gy_symmetry **symmetry);

// The ways to look for cycles: the name, as in --cycles; can it treat fairness?
const char *gy_cycles_name(gy_cycle_search kind);
bool gy_cycles_know_fairness(gy_cycle_search kind);

// A path of the system (ordinals of the initial state and of its transitions) on which the observer
// sees an error, as a witness. NULL: it sees none.
gy_lasso_witness *gy_lasso_along(gy_system *system, const gy_observer *observer,
                                 const uint32_t *route, uint32_t length);
bool gy_lasso_check(gy_system *system, const gy_observer *observer, gy_fairness fairness,
                    const gy_lasso_witness *lasso, const char **why);

#endif
