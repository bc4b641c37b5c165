// A path in words that users know, as values of include/gyre/verify.h: which process executed
// it, where, which statement, what changed, what was printed, how it ended. Verification,
// simulation and replay all go through here; the reports only lay out what they are given.
//
// Owner: what a teller makes lives in its arena. One thread at a time.
#ifndef GYRE_VERIFY_EXPLAIN_EXPLAIN_H
#define GYRE_VERIFY_EXPLAIN_EXPLAIN_H

#include "gyre/verify.h"

#include "base/arena.h"
#include "verify/execution.h"
#include "exec/describe/naming.h"

typedef struct gy_explainer {
    gy_arena *arena;
    gy_system *system;
    gy_actor *actors; // of each edge, once it was needed: such paths are long
    uint32_t edge_count;
} gy_explainer;

void gy_explainer_init(gy_explainer *teller, gy_arena *arena, gy_system *system);
// Copies the text to the arena and empties it.
const char *gy_keep(gy_arena *arena, gy_text *text);
const char *gy_keep_string(gy_arena *arena, const char *text); // a copy; NULL stays NULL

// Step `number` of the path, from 1; its moments `number` and `number - 1` must be kept.
void gy_tell_step(gy_explainer *teller, const gy_path *path, uint64_t number, gy_report_step *told);
// The last state of the path and why it ends there.
void gy_tell_final(gy_explainer *teller, gy_path *path, bool empty_channels, gy_final *final);
// The state before the first step that is kept, without why the path ends.
void gy_tell_initial(gy_explainer *teller, gy_path *path, gy_final *initial);
// The same in an arena of their own, which is returned: end with gy_arena_free.
gy_arena *gy_tell_step_alone(const gy_path *path, uint64_t number, gy_report_step *told);
gy_arena *gy_tell_final_alone(gy_path *path, bool empty_channels, gy_final *final);
// A state that belongs to no path, as if one ended there. `exclusive`: see gy_single_steps.
gy_arena *gy_tell_state(gy_worker *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                        gy_final *final);
// All steps and the end. `enough` (or NULL) is asked from time to time: a text ends the list of
// steps there, and is kept as the reason. Sets initial, steps, step_count, cut, length, cycle_start
// and final.
void gy_tell_walk(gy_explainer *teller, gy_path *path, bool empty_channels,
                  const char *(*enough)(void *user), void *user, gy_counterexample *told);

// The path back: starts `path`, of the same model, and takes the steps that were reported. False:
// that is not possible (a never claim that assigns had a part in it, or the model is another one).
bool gy_walk_again(gy_path *path, const gy_counterexample *told);

gy_widths gy_tell_widths(const gy_system *system);

// Parts of the above.
gy_actor gy_tell_actor(gy_explainer *teller, int32_t pid, int32_t edge); // of a model's system
void gy_tell_changes(gy_arena *arena, const gy_decoded_state *before, const gy_decoded_state *now,
                     gy_report_step *told);
const gy_message_event *gy_tell_message(gy_arena *arena, const gy_decoded_state *before,
                                        const gy_decoded_state *now, const gy_step *step);
// Of a set (gy_variable.is_set) that begins with this element: "{0, 2}", and its name.
gy_value gy_tell_set(gy_arena *arena, const gy_decoded_state *scene, int32_t var, uint32_t first,
                     int32_t pid);
void gy_set_name(const gy_model *model, int32_t var, uint32_t first, gy_text *out);
gy_position gy_tell_position(gy_arena *arena, const gy_decoded_state *scene, int32_t pid);
// Its place and its variables; nothing of what it can do.
gy_process_value gy_tell_process(gy_arena *arena, const gy_decoded_state *scene, int32_t pid);
gy_channel_value gy_tell_channel(gy_arena *arena, const gy_decoded_state *scene, uint32_t channel);
// All of a state, a value in each line.
const char *gy_tell_state_lines(gy_arena *arena, gy_worker *worker, const gy_word *state,
                                uint32_t words);
// Variables of process pid, -1: the globals. Hidden ones are left out.
const gy_binding *gy_tell_variables(gy_arena *arena, const gy_decoded_state *scene, int32_t pid,
                                    uint32_t *count);
const gy_message *gy_tell_messages(gy_arena *arena, const gy_decoded_state *scene,
                                   uint32_t channel);
const gy_channel_value *gy_tell_channels(gy_arena *arena, const gy_decoded_state *scene,
                                         uint32_t *count);
gy_value gy_tell_value(gy_arena *arena, const gy_decoded_state *scene, gy_type type, int32_t value);

#endif
