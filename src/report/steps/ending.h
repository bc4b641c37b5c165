// The last state of a path, and why it ends there: a fault, a deadlock, a proper end, or
// simply the last step that was asked for.
#ifndef GYRE_REPORT_STEPS_ENDING_H
#define GYRE_REPORT_STEPS_ENDING_H

#include "report/style.h"
#include "verify/walk.h"

#include <jansson.h>

typedef enum {
    GY_ENDING_FAULT,    // a failed assertion or another run-time error
    GY_ENDING_DEADLOCK, // nothing can move and some process may not rest where it is
    GY_ENDING_REST,     // nothing can move, and that is all right
    GY_ENDING_FINISHED, // every process has ended
    GY_ENDING_OPEN,     // something can still move
} gy_ending;

// `choices` are the steps possible in the last state (gy_path_choices).
gy_ending gy_ending_of(const gy_path *path, const gy_choices *choices, bool empty_channels);
const char *gy_ending_name(gy_ending ending); // for JSON: "fault", "invalid-end-state" …

// Why it is wrong, then the values, then every process: where it is and what it waits for.
void gy_ending_text(const gy_path *path, const gy_choices *choices, bool empty_channels,
                    const gy_style *style, gy_text *out);
// {ending, message?, globals, channels, processes: [{process, pid, file, line, locals,
// can_move, may_rest, waits}]}
json_t *gy_ending_json(const gy_path *path, const gy_choices *choices, bool empty_channels);

#endif
