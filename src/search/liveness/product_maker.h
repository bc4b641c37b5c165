// The product of a system and an observer as a space (space.h), for any number of threads.
//
// A node is a state of the system with one word more, the state of the observer; or, if nodes are
// kept together, these two apart.
//
// Owner: gy_product_maker_init and gy_product_maker_free; the run and the observer are borrowed.
// Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_MAKER_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_MAKER_H

#include "search/liveness/fair.h"
#include "search/liveness/reduced_graph.h"
#include "search/liveness/space.h"
#include "search/run.h"

typedef struct gy_product_maker {
    gy_space_maker maker; // for gy_space_options
    gy_run *run;
    const gy_observer *observer;
    gy_fair fair;              // those of the workers share its owners
    gy_reduced_graph *reduced; // the system's part of the search; NULL: all of it
    bool together;             // the space keeps nodes together
} gy_product_maker;

void gy_product_maker_init(gy_product_maker *p, gy_run *run, const gy_observer *observer,
                           gy_fairness fairness);
void gy_product_maker_free(gy_product_maker *p);
// Can nodes be kept together, as far as the maker is concerned?
bool gy_product_can_be_together(const gy_product_maker *p);

// The system's worker of one of the maker's.
gy_worker *gy_product_system_of(void *worker);

// Of the node whose successors a worker was asked for last, how one of them comes about.
typedef struct gy_product_origin {
    const gy_observer_move *move;
    uint32_t ordinal; // of the transition, or GY_STUTTER
    uint32_t at;      // the observer's state before
    const gy_word *state;
    uint32_t words;    // of the system's
    gy_worker *system; // that made it
} gy_product_origin;
gy_product_origin gy_product_origin_of(void *worker, uint32_t origin);
// The same if it said GY_GRAPH_SEEN: the transition that is an error.
gy_product_origin gy_product_sight_of(void *worker);

// space_lasso.c: the lasso that the space has found, as a witness; NULL: it cannot be found again.
gy_lasso_witness *gy_product_space_lasso(gy_space *space);

#endif
