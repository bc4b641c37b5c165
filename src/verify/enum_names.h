// The names that reports and settings have for what engines and witnesses number.
#ifndef GYRE_VERIFY_ENUM_NAMES_H
#define GYRE_VERIFY_ENUM_NAMES_H

#include "verify/properties.h"

const char *gy_search_text(gy_search_kind kind);    // "bfs" …
const char *gy_store_text(gy_store_kind kind);      // "tree" …
const char *gy_fairness_text(gy_fairness fairness); // "actions", "none", "weak", "strong"
const char *gy_limit_text(gy_completeness why);     // "memory", "time" …; NULL: no limit
// "assertion", "invalid-end-state" …: as long as the system is there.
const char *gy_witness_kind(const gy_system *system, const gy_witness *witness);
// Of a property that is violated by its lasso.
const char *gy_lasso_kind(const gy_property *property); // "acceptance-cycle" …
const char *gy_lasso_text(const gy_property *property); // "the claim reaches its end" …

#endif
