// Embedded C: c_code, c_expr, c_decl, c_state and c_track, with Spin's conventions.
//
// All C of a model is one shared object, compiled when the system is made, whatever runs the
// rest. In it, `now` is a struct with a field for every global variable and `Pname->` one for
// every local of the process that executes. Before a fragment runs, these are filled from the
// state; after a c_code they are written back.
//
// Memory that belongs to the state but not to Promela (c_state "Global" and "Local", whatever
// c_track names) stands as bytes after the variables of the global block or of the process's
// block. It is copied out before a fragment runs and in after it. C memory that nothing tracks
// is shared by all states, as in Spin.
//
// "UnMatched" memory comes last, and states that differ in it alone count as one: all of them get
// what the first one of them had (embedded_table.h), so that the code that compares states finds
// them equal.
//
// Fragments of one system run one at a time, under its lock: C code need not be thread-safe.
//
// C that divides by zero or follows a bad pointer, and C that calls exit or abort, is a fault of
// the model like any other (GY_FAULT_C). See trap.h for what cannot be caught.
#ifndef GYRE_EXEC_EMBEDDED_EMBEDDED_H
#define GYRE_EXEC_EMBEDDED_EMBEDDED_H

#include "base/text.h"
#include "exec/native/native_build.h"
#include "model/model.h"

typedef struct gy_embedded gy_embedded;
struct gy_machine;

// The C of a model as one file.
void gy_embedded_source(const gy_model *model, gy_text *out);
// Does any c_state say an initial value, for all (tmpl < 0) or for processes of a type?
bool gy_embedded_starts(const gy_model *model, int32_t tmpl);
// A name of Spin's verifier in a compiler's message that C code cannot use here, or NULL.
const char *gy_embedded_pan_name(const char *message);
// Compiles it and makes room for its memory in the layout of the model, which no backend may
// use yet. `build` says where and how; its source is filled in here. NULL: see build->problem.
gy_embedded *gy_embedded_new(gy_model *model, gy_native_build *build);
void gy_embedded_free(gy_embedded *embedded);

// ---- for the VM ----------------------------------------------------------------------

// Runs fragment `id` on the VM's state, as its current process. A statement may change the
// state; what an expression changes in it is lost. False: a fault was raised.
bool gy_embedded_run(struct gy_machine *m, int32_t id, bool is_statement, int32_t *value);
// It has just failed, in compiled code: the fault is cleared, and raised where the VM comes
// to the same.
void gy_embedded_keep_failure(struct gy_machine *m, int32_t id);
// Fills in the C memory of a state that begins: as it was declared; then, once the first processes
// are there, as c_state says. The same for a process that was just made, whose variables have their
// values. False: a fault was raised.
bool gy_embedded_is_new(gy_embedded *embedded); // to the first who asks
void gy_embedded_begin(struct gy_machine *m);
bool gy_embedded_start(struct gy_machine *m);
bool gy_embedded_start_process(struct gy_machine *m, int32_t pid);
// Of a state that is complete: its unmatched memory becomes what it is for all that are equal to
// it.
void gy_embedded_settle(struct gy_machine *m, uint32_t *state, uint32_t words);

#endif
