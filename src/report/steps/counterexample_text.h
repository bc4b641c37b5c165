// A whole path from the first step to the last: the counterexample as text or JSON.
// Long ones are folded in the middle unless they are wanted in full.
#ifndef GYRE_REPORT_STEPS_COUNTEREXAMPLE_TEXT_H
#define GYRE_REPORT_STEPS_COUNTEREXAMPLE_TEXT_H

#include "report/render.h"
#include "report/steps/ending.h"
#include "report/steps/shown_step.h"

void gy_story_text(const gy_counterexample *walk, const gy_step_layout *layout,
                   const gy_step_show *show, gy_sink *sink);

#endif
