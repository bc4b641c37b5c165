// What is expected of a verification (--expect): VERDICT of the whole, PROPERTY=VERDICT of one. Of
// a property about which nothing is said, `holds` is expected, unless the whole has an expectation.
#ifndef GYRE_VERIFY_EXPECT_H
#define GYRE_VERIFY_EXPECT_H

#include "verify/verification_state.h"

// Are they verdicts, of properties that there are? False: see the complaint.
bool gy_expectations_check(const gy_verification *driver, gy_user_error *complaint);
// Once the verdicts are known: `expected` and `unexpected` of the outcome and its properties. The
// list is that of a request, but may also expect `error`.
void gy_outcome_expect(gy_outcome *outcome, const gy_strings *list);

#endif
