// The variables and channels of a state, as text and as JSON.
#ifndef GYRE_REPORT_STEPS_SHOWN_VALUES_H
#define GYRE_REPORT_STEPS_SHOWN_VALUES_H

#include "base/text.h"
#include "gyre/verify.h"

#include <jansson.h>

// "x = 1, a = [0, 2], q holds [req,1]" on lines that start with `indent` spaces and have at most so
// many columns (0: as many as are good to read).
void gy_values_globals(const gy_final *state, size_t indent, size_t columns, gy_text *out);
// On one line, without indentation; nothing if there are none.
void gy_values_locals(const gy_process_value *process, gy_text *out);

json_t *gy_value_json(const gy_value *value);
// {name: value}; arrays are lists (inside structures: one name for each element).
json_t *gy_values_json(const gy_binding *bindings, uint32_t count);
json_t *gy_message_json(const gy_message *message); // [3, "req"]
json_t *gy_messages_json(const gy_message *messages, uint32_t count);
// [{name, capacity, messages, values}]
json_t *gy_channel_json(const gy_channel_value *channel);
json_t *gy_channels_json(const gy_final *state);

#endif
