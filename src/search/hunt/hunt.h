// Hunting: looking for errors rather than for a proof. What can be asked, and what is reported next
// to the result of a search.
//
// Owner: the options are borrowed by the code that hunts with them; a record belongs to its maker.
#ifndef GYRE_SEARCH_HUNT_HUNT_H
#define GYRE_SEARCH_HUNT_HUNT_H

#include "gyre/observer.h"
#include "search/hunt/heuristic.h"
#include "search/hunt/queue.h"
#include "search/liveness/product.h"
#include "search/search.h"

typedef struct gy_strategy gy_strategy;

typedef struct gy_hunt_options {
    const gy_heuristic *const *guides; // those that make sense here, the most promising first
    uint32_t guide_count;              // 0: the built-in one
    const gy_strategy *const *strategies;
    uint32_t strategy_count; // that take part; 0: all
    gy_ties ties;
    uint64_t queue_limit; // 0: none
    unsigned explore;     // of a hundred states that a guided search takes, so many are any
    uint64_t effort;      // moves that may be examined in all; 0: no limit
} gy_hunt_options;

// All of them; NULL: there are no more.
const gy_strategy *gy_strategy_at(unsigned number);
const gy_strategy *gy_strategy_named(const char *name); // NULL: there is none
const char *gy_strategy_name(const gy_strategy *strategy);

// Hunts for what the observer sees at once. The result is as that of gy_product_search, but it
// never is complete.
gy_product_result *gy_hunt_product(gy_system *system, const gy_observer *observer,
                                   const gy_search_options *options);

#endif
