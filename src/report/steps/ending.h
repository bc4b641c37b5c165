// The last state of a path, and why it ends there, as text and as JSON.
#ifndef GYRE_REPORT_STEPS_ENDING_H
#define GYRE_REPORT_STEPS_ENDING_H

#include "gyre/verify.h"
#include "report/style.h"

#include <jansson.h>

// Why it is wrong, then the values, then every process: where it is and what it waits for.
void gy_ending_text(const gy_final *final, const gy_style *style, gy_text *out);
// The values alone: {globals, channels, processes}; null if there are none.
json_t *gy_state_json(const gy_final *state);
// {ending, kind?, message?, globals, channels, processes: [{process, pid, file, line, locals,
// can_move, may_rest, waits}]}
json_t *gy_ending_json(const gy_final *final);

#endif
