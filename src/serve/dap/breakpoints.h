// Breakpoints of a path: what going on, or back, stops at.
//
// Some of them read the step that comes next (a line, a message sent or received); others at
// what the step between two states has done (a value that changed, a condition that became true, a
// process that was started). Hits are counted along the path: going back over one takes it off
// again, so that the fifth time is the same place whichever way one came, and whenever it was set.
//
// Owner: gy_breakpoints_free. One thread at a time.
#ifndef GYRE_SERVE_DAP_BREAKPOINTS_H
#define GYRE_SERVE_DAP_BREAKPOINTS_H

#include "serve/dap/break_lines.h"
#include "serve/dap/expressions.h"
#include "verify/execution.h"

typedef enum {
    GY_BREAK_LINE,
    GY_BREAK_SEND,    // to the channel `name`, or, "", to any
    GY_BREAK_RECEIVE, // likewise
    GY_BREAK_START,   // when a process of the type `name` (or, "", any) was started
    GY_BREAK_INLINE,  // at the calls of the inline `name`
    GY_BREAK_TRUE,    // when the expression `name` becomes true
    GY_BREAK_CHANGE,  // when the value of the expression `name` changes
} gy_break_kind;

// Clients set all breakpoints of one of these at once.
typedef enum { GY_BREAKS_LINES, GY_BREAKS_FUNCTIONS, GY_BREAKS_DATA } gy_break_group;

typedef enum { GY_HITS_ANY, GY_HITS_EQ, GY_HITS_GE, GY_HITS_GT, GY_HITS_MOD } gy_hits_kind;

typedef struct gy_breakpoint {
    int id;
    gy_break_kind kind;
    gy_break_group group;
    char *file;     // LINE: as the client named it
    uint32_t line;  // … asked for, and where it is now
    uint32_t at;    // 0: nowhere
    uint8_t *edges; // LINE, INLINE: by edge of the model, whether it stops there
    char *name;
    char *condition; // or NULL
    char *log;       // what to say instead of stopping, or NULL
    gy_hits_kind hits_kind;
    uint64_t hits_number;
    int64_t hits;
    char *problem; // why it cannot stop anywhere, or NULL
} gy_breakpoint;

typedef struct gy_breakpoints {
    GY_VEC(gy_breakpoint) list;
    int last_id;
} gy_breakpoints;

// What is asked for; strings are copied.
typedef struct gy_break_request {
    const char *file, *name, *condition, *hits, *log;
    uint32_t line;
} gy_break_request;

void gy_breakpoints_free(gy_breakpoints *breakpoints);
// All of the group (of LINES: those of the file) go; new ones follow by gy_breakpoints_add.
void gy_breakpoints_drop(gy_breakpoints *breakpoints, gy_break_group group, const char *file);
// The result moves when another is added.
gy_breakpoint *gy_breakpoints_add(gy_breakpoints *breakpoints, gy_break_group group,
                                  const gy_break_request *request);
// Finds its place in a model: sets `at` and `edges`, or the problem.
void gy_breakpoint_resolve(gy_breakpoint *breakpoint, gy_expressions *expressions);

// Does it stop before this step, taken from the state of the scene?
bool gy_breakpoint_is_before(gy_breakpoint *breakpoint, gy_expressions *expressions,
                             const gy_decoded_state *scene, const gy_path_state *next);
// Is it one of those that read what a step has done, and has this one done it?
bool gy_breakpoint_is_between(gy_breakpoint *breakpoint, gy_expressions *expressions,
                              const gy_decoded_state *from, const gy_decoded_state *to);
bool gy_breakpoint_looks_back(const gy_breakpoint *breakpoint);
// Is this number of hits one that it stops at?
bool gy_breakpoint_counts(const gy_breakpoint *breakpoint);
// The text of a log point, with {expressions} replaced by their values for process `pid`.
void gy_breakpoint_log(const gy_breakpoint *breakpoint, gy_expressions *expressions,
                       const gy_decoded_state *scene, int32_t pid, gy_text *out);

#endif
