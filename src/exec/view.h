// Looking into a state: values of variables, locations of processes, contents of channels,
// and why a process is blocked. For simulation, replay and reports; not for hot loops.
#ifndef GYRE_EXEC_VIEW_H
#define GYRE_EXEC_VIEW_H

#include "exec/system.h"

// The live processes and channels of a state. pid p is processes[p].
typedef struct gy_state_view_process {
    int32_t tmpl;
    int32_t node;
    uint32_t offset; // of its block in the state, in words
    int32_t priority;
} gy_state_view_process;

typedef struct gy_state_view_channel {
    int32_t type; // channel type; its identity (the value of a chan variable) is index + 1
    uint32_t offset;
    uint32_t length;
    int32_t creator; // pid of the process that created it, -1 for a global channel
} gy_state_view_channel;

typedef struct gy_state_view {
    gy_state_view_process processes[256];
    uint32_t process_count;
    gy_state_view_channel channels[256];
    uint32_t channel_count;
} gy_state_view;

// What a backend has for this: how it looks into a state, and what an expression of the MODEL is
// there.
typedef struct gy_state_viewer {
    void (*view)(void *worker, const gy_word *state, uint32_t words, gy_state_view *view);
    bool (*eval)(void *worker, const gy_word *state, uint32_t words, int32_t pid,
                 const gy_expr *expr, int32_t *value);
} gy_state_viewer;

void gy_state_view_state(gy_worker *worker, const gy_word *state, uint32_t words,
                         gy_state_view *view);
int32_t gy_state_view_global(const gy_model *model, const gy_word *state, int32_t var,
                             uint32_t element);
int32_t gy_state_view_local(const gy_model *model, const gy_word *state, const gy_state_view *view,
                            uint32_t pid, int32_t var, uint32_t element);
int32_t gy_state_view_field(const gy_model *model, const gy_word *state, const gy_state_view *view,
                            uint32_t channel, uint32_t message, uint32_t field);
// The value of an expression as process `pid` sees it (-1: globals and remote references
// only). False if the evaluation faults.
bool gy_state_view_eval(gy_worker *worker, const gy_word *state, uint32_t words, int32_t pid,
                        const gy_expr *expr, int32_t *value);
// The same of an atom.
bool gy_state_view_value(gy_worker *worker, const gy_word *state, uint32_t words, int32_t pid,
                         gy_atom atom, int32_t *value);
// The truth of up to 64 atoms, as no process sees them: a bit for each. *unknown: those that are 0
// or whose evaluation faults.
uint64_t gy_state_view_truths(gy_worker *worker, const gy_word *state, uint32_t words,
                              const gy_atom *atoms, uint32_t count, uint64_t *unknown);
// The same of many states, where all can be reported at once, a word for each. False: they cannot.
bool gy_state_view_letters(gy_worker *worker, const gy_many *states, const gy_atom *atoms,
                           uint32_t count, uint64_t *letters);
// Called with each line that printf and printm of an executed step would print. `redo` runs
// one step (as found in a transition from this state) again and reports its output.
void gy_step_output(gy_worker *worker, const gy_word *state, uint32_t words,
                    const gy_transition *transition, gy_print_hook *hook, void *user);

#endif
