// The product of a system and an observer on a device, for properties that are violated after
// finitely many steps. Private to src/search.
#ifndef GYRE_SEARCH_DEVICE_DEVICE_PRODUCT_H
#define GYRE_SEARCH_DEVICE_DEVICE_PRODUCT_H

#include "search/device/monitor.h"
#include "search/liveness/product.h"
#include "search/run.h"

// What a search on a device (gy_search_options.device_product) is given, and what it has found.
typedef struct gy_device_product {
    const gy_monitor *monitor;
    bool found;
    gy_route route; // ordinals: of the initial state, then of transitions, or GY_STUTTER
} gy_device_product;

// Fairness does not matter: it is of runs, and here a beginning of one decides.
// NULL: the CPU threads have to do it; *note says why (free it).
gy_product_result *gy_product_on_device(gy_system *system, const gy_observer *observer,
                                        const gy_search_options *options, char **note);

#endif
