// What partial-order reduction did in a search.
#ifndef GYRE_REPORT_PARTIAL_ORDER_H
#define GYRE_REPORT_PARTIAL_ORDER_H

#include "search/search.h"

#include "base/text.h"

#include <jansson.h>

// "no reductions", or "reductions: partial order (20 of 32 states reduced)".
void gy_partial_order_text(const gy_search_result *result, gy_text *out);
// Sets `reductions` (the names) and `reduced` (what each did) in `stats`.
void gy_partial_order_json(const gy_search_result *result, json_t *stats);

#endif
