// Formulas that are checked together: the system is explored once, and each of them is then checked
// on the graph that was kept (search/liveness/multi_formula.h). Those that see how often a state is
// repeated form a group of their own where there are reductions. Private to src/verify.
#ifndef GYRE_VERIFY_TOGETHER_H
#define GYRE_VERIFY_TOGETHER_H

#include "verify/verification_state.h"

// Can it be among those that share an exploration?
bool gy_property_can_share(const gy_property *property);
// With reductions: a formula alone may need far fewer states than all of them together. One of
// these properties whose search, when it is complete, says how many; NULL: none is needed.
gy_property *gy_together_pilot(gy_verification *driver, gy_property *const *open, uint32_t count);
// Takes the exploration up, for so many seconds for each of these properties (0: as long as it
// takes): those that it decides have a result afterwards. `pilot` is the one that was searched, or
// NULL: then it is not examined how many states a reduced graph has.
void gy_together_take(gy_verification *driver, gy_property *const *open, uint32_t count,
                      const gy_property *pilot, double seconds);
// The product with another observer of what is observed already. NULL: not known there.
gy_product_result *gy_together_ask(gy_verification *driver, const gy_observer *observer,
                                   double seconds);
void gy_together_free(gy_verification *driver);

#endif
