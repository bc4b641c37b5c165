// Why the run of a counterexample violates a formula.
#ifndef GYRE_VERIFY_EXPLAIN_FORMULA_REASONS_H
#define GYRE_VERIFY_EXPLAIN_FORMULA_REASONS_H

#include "verify/explain/explain.h"
#include "verify/properties.h"

// Sets explanation and because; nothing is known of what is no formula.
void gy_tell_because(const gy_property *property, const gy_path *path, gy_arena *arena,
                     gy_counterexample *told);

// Is there such a reason? Only for a formula that is said to be violated by a lasso.
bool gy_is_because(const gy_property *property, const gy_path *path);

#endif
