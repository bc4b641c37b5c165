// Names and values as a person would write them: processes, channels, places, values.
//
// All functions append to a gy_text. They read a model and, where a name depends on the
// state (which channel is this?), a state with its view.
#ifndef GYRE_EXEC_DESCRIBE_NAMING_H
#define GYRE_EXEC_DESCRIBE_NAMING_H

#include "exec/view.h"

// A state of a model with its processes and channels found. Borrows the words.
typedef struct gy_decoded_state {
    const gy_model *model;
    gy_worker *worker;
    const gy_word *state;
    uint32_t words;
    gy_state_view view;
} gy_decoded_state;

void gy_decoded_state_open(gy_decoded_state *scene, gy_worker *worker, const gy_word *state,
                           uint32_t words);

// The name of a process type; Spin's ":init:" is "init" here.
const char *gy_template_name(const gy_template *tmpl);
void gy_name_process(const gy_model *model, int32_t tmpl, int32_t pid, gy_text *out); // user(1)
void gy_name_scene_process(const gy_decoded_state *scene, int32_t pid, gy_text *out);
void gy_name_place(const gy_model *model, gy_location place, gy_text *out); // model.pml:12
void gy_name_place_short(const gy_model *model, gy_location place,
                         gy_text *out); // without directories
const char *gy_base_name(const char *file);
// x, a[2]; a second x of the same process, from another block: x'2. The list is all of the array.
void gy_name_variable(const gy_model *model, int32_t var, uint32_t element, gy_text *out);
void gy_name_list(const gy_model *model, int32_t var, gy_text *out);
// x, a[2], and for a local of another process than `reader`: user(1):x.
void gy_name_element(const gy_decoded_state *scene, int32_t var, uint32_t element, int32_t pid,
                     int32_t reader, gy_text *out);
// The variable that holds the channel: q, q[1], user(2):reply. `channel` is its index.
void gy_name_channel(const gy_decoded_state *scene, uint32_t channel, gy_text *out);

void gy_value_text(const gy_decoded_state *scene, gy_type type, int32_t value, gy_text *out);
void gy_message_text(const gy_decoded_state *scene, uint32_t channel, uint32_t message,
                     gy_text *out);
void gy_channel_text(const gy_decoded_state *scene, uint32_t channel,
                     gy_text *out); // [1,req] [2,ack]

// The statement of an edge on one line: white space collapsed, cut at `limit` columns (0: not).
void gy_name_statement(const char *statement, size_t limit, gy_text *out);
// What a process does next by this edge: its statement, or that it terminates.
void gy_name_next(const gy_edge *edge, size_t limit, gy_text *out);

#endif
