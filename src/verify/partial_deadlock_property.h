// Partial deadlocks (search/partial_deadlock.h) of a verification. Private to src/verify.
#ifndef GYRE_VERIFY_PARTIAL_DEADLOCK_PROPERTY_H
#define GYRE_VERIFY_PARTIAL_DEADLOCK_PROPERTY_H

#include "verify/explain/explain.h"
#include "verify/verification_state.h"

// The search for the property, for so many seconds (0: no limit). False: see the complaint.
bool gy_verification_partial(gy_verification *driver, gy_property *property, double seconds);
// Runs what was found again, on an empty path of the exact system, and says why: kind, message,
// explanation, stuck. False: *why it does not stand.
bool gy_tell_partial(gy_verification *driver, gy_path *path, const gy_partial_deadlock *found,
                     gy_counterexample *told, const char **why);
// A remark, if the model is small; processes of the templates that are ignored do not count.
void gy_verification_remark_on_partial(gy_verification *driver, const bool *ignored);

#endif
