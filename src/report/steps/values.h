// All variables of a state, as text and as JSON.
#ifndef GYRE_REPORT_STEPS_VALUES_H
#define GYRE_REPORT_STEPS_VALUES_H

#include "verify/tell/naming.h"
#include "verify/walk.h"

#include <jansson.h>

// "x = 1, a = [0, 2], q = [req,1]" on lines that start with `indent` blanks. Locals are those
// of the process that moved last (and its partner).
void gy_values_text(gy_worker *worker, const gy_moment *moment, bool globals, bool locals,
                    size_t indent, gy_text *out);
// The locals of process pid on one line, without indentation; nothing if it has none.
void gy_values_locals(const gy_scene *scene, int32_t pid, gy_text *out);
void gy_values_globals(const gy_scene *scene, size_t indent, gy_text *out);

// {name: value}; arrays are lists (inside structures: one name for each element). pid -1: the
// globals.
json_t *gy_values_json(const gy_scene *scene, int32_t pid);
// [{name, capacity, messages}]
json_t *gy_channels_json(const gy_scene *scene);

#endif
