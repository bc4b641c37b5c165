// The parts of the report for people. Private to report/outcome.
#ifndef GYRE_REPORT_OUTCOME_OUTCOME_TEXT_H
#define GYRE_REPORT_OUTCOME_OUTCOME_TEXT_H

#include "report/render.h"

#include <string.h>

// The counterexamples: those to what was asked for first.
void gy_text_counterexamples(const gy_outcome *outcome, const gy_render_options *options,
                             gy_sink *sink);
// One of the counterexamples to a property, for itself: what it is, and all that is said of it.
void gy_text_counterexample(const gy_outcome *outcome, const gy_property_outcome *property,
                            uint32_t which, const gy_render_options *options, gy_sink *sink);
// The figures of the safety search, and which statements it reached.
void gy_text_figures(const gy_outcome *outcome, const gy_render_options *options, gy_text *out);

const char *gy_verdict_colour(gy_verdict verdict, const gy_style *style);
bool gy_outcome_is_safety(const gy_property_outcome *property);
// "acceptance", "ltl `p`"
// Another text than its name.
bool gy_property_has_formula(const gy_property_outcome *property);
void gy_property_title(const gy_property_outcome *property, gy_text *out);

#endif
