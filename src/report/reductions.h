// The reductions that a search made use of, and what each saved.
#ifndef GYRE_REPORT_REDUCTIONS_H
#define GYRE_REPORT_REDUCTIONS_H

#include "model/passes/passes.h"
#include "search/search.h"

#include "base/text.h"

#include <jansson.h>

// "no reductions", or "reductions: dead variables (2 variables, 5 resets), …"
void gy_reductions_text(const gy_saved *saved, const gy_search_result *result, gy_text *out);
// Sets `reductions` (the names) and `reduced` (what each did) in `stats`.
void gy_reductions_json(const gy_saved *saved, const gy_search_result *result, json_t *stats);

#endif
