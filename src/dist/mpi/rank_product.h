// Liveness over many ranks: the product of a system and an observer (search/liveness/product.h),
// searched for an accepted run by all ranks together. Called by all of them at the same time, as
// gy_search with gy_ranks_engine; all get the same result.
#ifndef GYRE_DIST_MPI_RANK_PRODUCT_H
#define GYRE_DIST_MPI_RANK_PRODUCT_H

#include "search/liveness/product.h"

// If it cannot be made (gy_ranks_cant), the figures say GY_FAILED, and why. Of the options, cycles
// may be GY_CYCLES_MAP, and checkpoint_file and resume_file are directories for the nodes that are
// found (what follows then is not written); `variant` has to tell properties apart.
gy_product_result *gy_ranks_product_search(gy_system *system, const gy_observer *observer,
                                           gy_fairness fairness, const gy_search_options *options);

// Why such a search cannot be made, or NULL.
const char *gy_ranks_cant(const gy_observer *observer);

#endif
