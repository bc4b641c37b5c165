// Several formulas, one exploration: the graph of a system, kept so that each formula is checked on
// it without making a successor again.
//
// Of a state there is a number, the values that the parts of all formulas have in it, and the
// numbers of its successors. A product is then a traversal of these numbers: one thread for each
// formula, all of them at once. Where reductions are asked for and no formula sees repetitions, the
// graph is reduced, and nothing that any of them reads is hidden: it may be much larger than the
// one that each of them needs, so that it has to be said how large it may become.
//
// Not for every observer (gy_shared_cant): it must move by the values of what it watches alone.
//
// Owner: gy_shared_free; the system, the observers and what the options point to are borrowed. One
// thread calls; the threads that it starts are gone when it returns.
#ifndef GYRE_SEARCH_LIVENESS_MULTI_FORMULA_H
#define GYRE_SEARCH_LIVENESS_MULTI_FORMULA_H

#include "search/liveness/product.h"

typedef struct gy_shared gy_shared;

// Why an observer cannot be among them (static text); NULL: it can.
const char *gy_shared_cant(const gy_observer *observer);
// most_reduced: states of a reduced graph, 0: any number.
gy_shared *gy_shared_new(gy_system *system, const gy_observer *const *observers, uint32_t count,
                         const gy_search_options *options, uint64_t most_reduced);
void gy_shared_free(gy_shared *shared);

typedef enum {
    GY_SHARED_DONE,
    GY_SHARED_PAUSED, // the seconds are over; it may go on
    GY_SHARED_FAILED, // it cannot
} gy_shared_progress;

// Explores, for so many seconds (0: no limit but that of the options).
gy_shared_progress gy_shared_explore(gy_shared *shared, double seconds);
// Is one state kept for all that differ in who is where? As far as no formula sees a difference.
bool gy_shared_is_symmetric(const gy_shared *shared);
// FAILED: why (static text).
const char *gy_shared_why(const gy_shared *shared);

// When it is done: the products with these observers, each as gy_product_search gives it without
// fairness. NULL: this one has to be searched by itself. An observer may be another one than at
// first if it watches expressions that one of those watches.
void gy_shared_search(gy_shared *shared, const gy_observer *const *observers, uint32_t count,
                      double seconds, gy_product_result **results);

#endif
