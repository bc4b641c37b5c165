// Replay and check: every witness is run again, from the initial state, before anybody is informed
// of it. This is the reason why no wrong counterexample ever gets out.
#ifndef GYRE_VERIFY_RECHECK_H
#define GYRE_VERIFY_RECHECK_H

#include "verify/execution.h"
#include "verify/properties.h"

// Follows the witness of an error through the system of the path. False: it does not stand up to
// being run again, *why says how; or, with path->cut, the path was not finished (the error itself
// was seen to be one).
bool gy_recheck_witness(gy_path *path, const gy_witness *witness, bool empty_channels,
                        const char **why);
// The same for the lasso of a property, which was found in the system `searched`; the path may be
// one through its exact form. The lasso is folded as far as the system allows.
bool gy_recheck_lasso(gy_path *path, gy_system *searched, const gy_property *property,
                      gy_fairness fairness, const char **why);

#endif
