// Hunts within a verification: from the request to the options of the search, and hunts for what
// violates a formula or a claim. Private to src/verify.
#ifndef GYRE_VERIFY_HUNT_RUN_H
#define GYRE_VERIFY_HUNT_RUN_H

#include "verify/heuristics.h"
#include "verify/verification_state.h"

// The strategies that a comma-separated list names. False: see the complaint. `option`: for it.
bool gy_strategies_named(const char *option, const char *list, gy_arena *arena,
                         gy_hunt_options *options, gy_user_error *complaint);
// "a|b|c": all that there are.
void gy_strategies_words(gy_text *out);
// All but the guides.
bool gy_hunt_options_make(const gy_request *request, gy_arena *arena, gy_hunt_options *options,
                          gy_user_error *complaint);

// What a hunt has done, for the outcome.
void gy_tell_hunt(const gy_search_result *result, gy_arena *arena, gy_figures *figures);

// Hunts and searches for cycles take turns; as gy_verification_product.
bool gy_verification_hunt_product(gy_verification *driver, gy_property *property, double seconds);

#endif
