// What a user could do about a violation that may be none: runs that are unfair to a process, and
// states at the end in which a process may well wait. Private to src/verify.
#ifndef GYRE_VERIFY_SUGGESTIONS_H
#define GYRE_VERIFY_SUGGESTIONS_H

#include "verify/explain/explain.h"
#include "verify/verification_state.h"

// Of a lasso on a path of the exact system: which process is enabled and never executes, which
// --fairness leaves such runs out, and what the verdict would be with it, if that can be known
// soon.
void gy_advise_fairness(gy_verification *driver, const gy_property *property, const gy_path *path,
                        gy_counterexample *told);
// Of an invalid end state, at the end of the path: a remark, if all who may not stop there are
// waiting at the head of a loop.
void gy_advise_end_labels(gy_verification *driver, gy_path *path);

#endif
