// What is debugged: a path through a model, along a trail or by random and chosen steps, with
// breakpoints; it goes on and back, and says why it stopped.
//
// A simulation is a trail that is made while it is followed: the step that comes next is drawn
// before it is taken, so that one can stop before it, and be replaced by another
// (gy_debuggee_choose). A lasso can be gone round for ever: positions are a step and a round.
//
// Knows nothing of the protocol. Owner: gy_debuggee_free. One thread at a time.
#ifndef GYRE_SERVE_DAP_DEBUGGEE_H
#define GYRE_SERVE_DAP_DEBUGGEE_H

#include "serve/dap/breakpoints.h"
#include "verify/cursor.h"
#include "verify/explain/explain.h"
#include "verify/loaded_model.h"

// Conditions that going on stops at, unless they are switched off: bits.
enum {
    GY_STOPS_ASSERTION = 1, // a failed assertion
    GY_STOPS_ERROR = 2,     // any other run-time error
    GY_STOPS_DEADLOCK = 4,  // an invalid end state
    GY_STOPS_CYCLE = 8,     // where the cycle of a lasso begins, and where it closes
    GY_STOPS_CHOICE = 16,   // a simulation: where there are several steps
};

typedef enum {
    GY_STOP_NONE,
    GY_STOP_ENTRY,
    GY_STOP_STEP, // what was asked for was done
    GY_STOP_GOTO,
    GY_STOP_BREAKPOINT, // see `breakpoint`
    GY_STOP_ASSERTION,
    GY_STOP_ERROR,
    GY_STOP_DEADLOCK,
    GY_STOP_CYCLE_START,
    GY_STOP_CYCLE_END,
    GY_STOP_CHOICE,
    GY_STOP_START, // gone back to the first state
    GY_STOP_END,   // nothing comes after this
    GY_STOP_LIMIT, // a simulation: enough steps for now
    GY_STOP_PAUSE,
} gy_stop_kind;

typedef struct gy_stop {
    gy_stop_kind kind;
    int breakpoint; // its id, or 0
    gy_break_kind breakpoint_kind;
    gy_text text; // one line about it
} gy_stop;

// How far to go.
typedef enum {
    GY_GO_ON,    // until something stops it
    GY_GO_STEP,  // one step of the path
    GY_GO_MOVED, // until process `pid` has executed
    GY_GO_OUT,   // until another process is to execute, or the atomic sequence ends
} gy_go_kind;

typedef struct gy_go {
    gy_go_kind kind;
    bool back;
    int32_t pid;
    bool atomic;    // OUT: it began in an atomic sequence
    bool fresh;     // looks around before the first step
    uint64_t steps; // gone so far
} gy_go;

typedef struct gy_debuggee {
    gy_loaded_model subject;
    gy_path *path;
    gy_cursor cursor;
    bool simulates;
    bool drawn;          // the last moment ahead was drawn only, never traversed
    uint64_t most_steps; // of a simulation, at a time
    unsigned stops;      // GY_STOPS_…
    uint64_t round;      // of a cycle, from 0
    bool closes;         // the last state of the trail is the one before its cycle
    gy_breakpoints breakpoints;
    gy_expressions expressions;
    gy_go go; // what is being done, if `goes`
    bool goes;
    // Told what log points say and what the model prints while it goes on; may be NULL.
    void (*say)(void *user, const char *text, bool prints);
    void *say_user;
} gy_debuggee;

// Takes over the subject, which was read and started (gy_loaded_model_start), and whose breakpoints
// are resolved now.
void gy_debuggee_init(gy_debuggee *debuggee, gy_loaded_model *subject);
void gy_debuggee_free(gy_debuggee *debuggee);

// To the start of a path. The first: of a counterexample that was found; false: it cannot be
// replayed like this. The others: along a trail, or a simulation; false: see the complaint.
bool gy_debuggee_retrace(gy_debuggee *debuggee, const gy_counterexample *told);
bool gy_debuggee_follow(gy_debuggee *debuggee, const char *trail, size_t bytes, gy_text *note,
                        gy_user_error *complaint);
bool gy_debuggee_simulate(gy_debuggee *debuggee, uint64_t seed, gy_user_error *complaint);

// ---- looking ------------------------------------------------------------------------------

uint64_t gy_debuggee_step(const gy_debuggee *debuggee);  // how many were taken
uint64_t gy_debuggee_total(const gy_debuggee *debuggee); // with those that lie ahead
const gy_path_state *gy_debuggee_now(const gy_debuggee *debuggee);
// The step that comes next; of a simulation it is drawn. NULL: this is the end.
const gy_path_state *gy_debuggee_next(gy_debuggee *debuggee);
void gy_debuggee_scene(const gy_debuggee *debuggee, gy_decoded_state *scene); // of this state
// The process that a user should examine: the one that executes next or, at the end, whose step was
// wrong or the last one. -1: there is none.
int32_t gy_debuggee_focus(gy_debuggee *debuggee);
// Any step of the path by number (from 1), in an arena of its own; NULL: there is no such step.
gy_arena *gy_debuggee_tell(const gy_debuggee *debuggee, uint64_t number, gy_report_step *told);
// How the path is here, in one line: of the end, why it ends.
gy_stop_kind gy_debuggee_ending(gy_debuggee *debuggee, gy_text *out);

// ---- moving -------------------------------------------------------------------------------

// Begins to go; gy_debuggee_run goes at most so many steps, and returns true when it has stopped.
void gy_debuggee_go(gy_debuggee *debuggee, gy_go_kind kind, bool back, int32_t pid);
bool gy_debuggee_run(gy_debuggee *debuggee, uint32_t steps, gy_stop *stop);
// Takes this one of gy_cursor_choices. False: a trail goes another way, or there is none such.
bool gy_debuggee_choose(gy_debuggee *debuggee, size_t choice);
// The hits of a breakpoint that is new, or of all where the path is: from its start to here.
void gy_debuggee_count(gy_debuggee *debuggee, gy_breakpoint *breakpoint);
void gy_debuggee_count_all(gy_debuggee *debuggee);
// To a step of the path that was already made. False: there is none such.
bool gy_debuggee_jump(gy_debuggee *debuggee, uint64_t step);

#endif
