// A whole path told from the first step to the last: the counterexample as text or JSON.
// Long ones are folded in the middle unless they are wanted in full.
#ifndef GYRE_REPORT_STEPS_STORY_H
#define GYRE_REPORT_STEPS_STORY_H

#include "report/steps/ending.h"
#include "report/steps/step.h"

typedef struct gy_story_options {
    gy_step_show show;
    gy_style style;
    bool empty_channels;
} gy_story_options;

void gy_story_text(gy_path *path, const gy_story_options *options, gy_text *out);
// A list of steps.
json_t *gy_story_json(gy_path *path);

#endif
