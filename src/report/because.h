// Why the run of a counterexample violates a formula, in words and as JSON.
#ifndef GYRE_REPORT_BECAUSE_H
#define GYRE_REPORT_BECAUSE_H

#include "report/verify.h"

// Fills property->reasons, with numbers of steps as positions. Needs its path.
void gy_because_find(gy_property *property);
// "p holds after step 3, and q never holds from there on"; nothing if there is no reason.
void gy_because_text(const gy_property *property, gy_text *out);
json_t *gy_because_json(const gy_property *property);

#endif
