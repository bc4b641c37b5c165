// The rules of a SARIF report: what Gyre can find fault with. All of them are in every report, so
// that reports of several models and versions can be compared. Private to report/outcome.
#ifndef GYRE_REPORT_OUTCOME_SARIF_RULES_H
#define GYRE_REPORT_OUTCOME_SARIF_RULES_H

#include "gyre/verify.h"

#include <jansson.h>

json_t *gy_sarif_rules(const gy_outcome *outcome);
// The position of the rule for a problem with this code; what has no rule of its own is about the
// model.
int gy_sarif_rule_of(const json_t *rules, const char *code);
const char *gy_sarif_rule_id(const json_t *rules, int at);

#endif
