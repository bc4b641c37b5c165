// The search of a product by an engine for several threads (space.h). Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_SPACE_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_SPACE_H

#include "search/liveness/cycles.h"
#include "search/liveness/product.h"
#include "search/liveness/reduced_graph.h"
#include "search/run.h"

typedef struct gy_product_request {
    const gy_observer *observer;
    gy_fairness fairness;
    const gy_cycle_engine *engine;
    gy_reduced_graph *reduced; // NULL: no reduction
    uint64_t limit;            // nodes after which it is broken off; 0: never
    unsigned threads;
    bool apart;    // nodes are not to be kept together
    bool too_many; // out: there are more marks than fit into a word, and it was broken off
} gy_product_request;

// Fills in the lasso, the figures and how the run has ended. False: it was broken off.
bool gy_product_search_space(gy_run *run, gy_product_request *request, gy_product_result *result);

#endif
