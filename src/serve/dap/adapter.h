// Inside the debug adapter: what its files share.
//
//   adapter.c     the loop: reads requests, lets the path go on in between, writes what comes of it
//   dap_session.c  initialize, finding what is stepped through, the end
//   dap_launch.c  what a launch asks for, loading the model
//   dap_break.c   breakpoints       dap_move.c  going on and back, choosing
//   dap_look.c    threads, frames   dap_values.c  scopes, variables, expressions
//   dap_complete.c  what could be typed   dap_custom.c  requests of our own
//
// A request is a function that reads `arguments` and fills `body`, or returns false with a problem
// in one line. Events that it leads to are put off until its response was written. Everything runs
// in one thread, but for a verification.
#ifndef GYRE_SERVE_DAP_ADAPTER_H
#define GYRE_SERVE_DAP_ADAPTER_H

#include "serve/dap/dap.h"
#include "serve/dap/debuggee.h"
#include "serve/dap/value_tree.h"
#include "serve/dap/verification.h"
#include "serve/rpc/frame.h"

// Ids of threads are pids and one more; this is the one that stands for none.
enum { GY_DAP_NO_PROCESS = 1000, GY_DAP_FRAMES = 128 };

typedef enum {
    GY_DAP_NEW,      // no launch yet
    GY_DAP_LOADED,   // there is a model; the client configures
    GY_DAP_VERIFIES, // what is stepped through is looked for
    GY_DAP_WALKS,
    GY_DAP_OVER, // nothing more to step through
} gy_dap_stage;

typedef struct gy_dap_trees { // of a process, in the state that is examined
    int32_t pid;
    gy_tree *locals, *process;
} gy_dap_trees;

typedef struct gy_dap_target { // where a goto can go
    uint32_t id;
    bool is_choice;
    uint64_t number; // of the choice, or the step
} gy_dap_target;

typedef struct gy_adapter {
    gy_dap_options options;
    int in, out, wake[2];
    gy_frame_reader *reader;
    json_t *events; // put off
    int64_t seq;
    bool done, broken, lost;
    // The client.
    bool initialized, lines_from_0, columns_from_0, tells_progress;
    // What it debugs.
    gy_dap_stage stage;
    bool configured;
    bool terminates; // the client does not want what the verification finds
    json_t *launch;  // its arguments
    char *folder;    // that relative paths begin at, or NULL
    gy_request *request;
    gy_verification *verification;
    gy_debuggee debuggee;
    gy_stop stop; // the last one
    // What it has examined, of this state.
    gy_forest forest;
    gy_tree *globals, *channels;
    GY_VEC(gy_dap_trees) trees;
    GY_VEC(gy_dap_target) targets;
    uint32_t last_target;
} gy_adapter;

static inline bool gy_dap_has_model(const gy_adapter *adapter)
{
    return adapter->debuggee.subject.model != NULL;
}

typedef bool gy_dap_handler(gy_adapter *adapter, const json_t *arguments, json_t *body,
                            gy_text *problem);

typedef struct gy_dap_command {
    const char *name;
    gy_dap_handler *obey;
    enum { GY_DAP_ANY, GY_DAP_MODEL, GY_DAP_STANDING } needs;
} gy_dap_command;

extern const gy_dap_command gy_dap_session_commands[], gy_dap_launch_commands[],
    gy_dap_break_commands[], gy_dap_move_commands[], gy_dap_look_commands[],
    gy_dap_value_commands[], gy_dap_complete_commands[],
    gy_dap_custom_commands[]; // each ends with a row without a name

// ---- adapter.c ----------------------------------------------------------------------------

// Writes the problem; false, for `return`.
bool gy_dap_refuse(gy_text *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gy_dap_event(gy_adapter *adapter, const char *name, json_t *body); // takes over the body
void gy_dap_say(gy_adapter *adapter, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Numbers and texts of arguments. The first: absent is fine, *number stays; false: it is no such
// number. The second: NULL if it is absent or no text.
bool gy_dap_number(const json_t *arguments, const char *name, int64_t least, int64_t most,
                   int64_t *number, gy_text *problem);
const char *gy_dap_text(const json_t *arguments, const char *name);
bool gy_dap_truth(const json_t *arguments, const char *name, bool otherwise);
// The process that `threadId` means. False: there is none such.
bool gy_dap_thread(gy_adapter *adapter, const json_t *arguments, int32_t *pid, gy_text *problem);
int64_t gy_dap_line(const gy_adapter *adapter, uint32_t line); // as the client counts
// The column of a place, which is in bytes, as the protocol has it: in units of UTF-16.
int64_t gy_dap_column(const gy_adapter *adapter, const gy_location_info *place);
json_t *gy_dap_source(const char *file); // {name, path}

// ---- dap_session.c ------------------------------------------------------------------------

// The client has configured what it wants: the path, or the search for one, begins.
void gy_dap_begin(gy_adapter *adapter);
// The verification has something to report.
void gy_dap_verification_news(gy_adapter *adapter);
void gy_dap_end(gy_adapter *adapter, int status); // there is nothing (more) to step through

// ---- dap_launch.c -------------------------------------------------------------------------

void gy_dap_unload(gy_adapter *adapter);
char *gy_dap_path(const gy_adapter *adapter, const char *path); // absolute; free it

// ---- dap_move.c ---------------------------------------------------------------------------

// It stands somewhere else now: informs the client, with adapter->stop.
void gy_dap_stopped(gy_adapter *adapter);
void gy_dap_stop_now(gy_adapter *adapter, gy_stop_kind kind, const char *text);
void gy_dap_go(gy_adapter *adapter, gy_go_kind kind, bool back, int32_t pid);
// Takes this choice. False: see the problem.
bool gy_dap_choose(gy_adapter *adapter, uint64_t number, gy_text *problem);
bool gy_dap_goto(gy_adapter *adapter, uint64_t step, gy_text *problem);
// "P(1): q!3 → Q(2): q?x"
void gy_dap_name_step(const gy_model *model, const gy_step *step, gy_text *out);

// ---- dap_values.c -------------------------------------------------------------------------

// The process of `frameId`; -1 if it is not given. False: there is none such.
bool gy_dap_frame(const gy_decoded_state *scene, const json_t *arguments, int32_t *pid,
                  gy_text *problem);
// The trees of this state; of a process that is none (-1) NULL.
const gy_tree *gy_dap_globals(gy_adapter *adapter, const gy_decoded_state *scene);
const gy_tree *gy_dap_locals(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid);
// What a path of names leads to, for this process, or NULL.
const gy_tree *gy_dap_find(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid,
                           const char *text);

// ---- dap_look.c ---------------------------------------------------------------------------

// What process `pid` does next, or why it cannot: "waits to receive from q (empty)". The edge that
// it precedes, or -1. False: it is blocked.
bool gy_dap_prospect(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid, int32_t *edge,
                     gy_text *out);

#endif
