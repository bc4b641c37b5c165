// The search of a product by an engine for several threads (space.h). Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_SPACE_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_SPACE_H

#include "search/liveness/cycles.h"
#include "search/liveness/product.h"
#include "search/run.h"

// Fills in the lasso, the figures and how the run has ended.
void gy_product_search_space(gy_run *run, const gy_observer *observer, gy_fairness fairness,
                             const gy_cycle_engine *engine, gy_product_result *result);

#endif
