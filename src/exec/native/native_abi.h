// What the host and the C that it generates agree on. The generated text declares the same
// structures (gen_prelude.c), and says how it lays them out: GY_NATIVE_LAYOUT must agree.
//
// The generated code of a shape is one function. It writes the successors of a state into the
// run's buffers and returns how it went; it never calls back. All or nothing: whenever it meets
// something that it does not cover (a fault among it), it says GY_NATIVE_VM, and the host lets
// the virtual machine do the whole state.
#ifndef GYRE_EXEC_NATIVE_NATIVE_ABI_H
#define GYRE_EXEC_NATIVE_NATIVE_ABI_H

#include "gyre/gyre.h"

// Results. Anything else: all successors are in the buffers.
enum { GY_NATIVE_VM = -1, GY_NATIVE_FULL = -2 };

// Limits of the generated code: longer atomic sequences are left to the VM.
// A run of statements without a choice (at most GY_NATIVE_TAIL) may stick out.
enum { GY_NATIVE_DEPTH = 400, GY_NATIVE_SEEN = 64, GY_NATIVE_TAIL = 32 };

// A state inside an atomic sequence that the sequence may come back to.
typedef struct gy_native_seen {
    const gy_word *state;
    int32_t pid;
} gy_native_seen;

typedef struct gy_native_run {
    gy_word *at, *end;         // free words; beyond `end` the longest successor fits
    gy_transition *transition; // next free; there is one for every state that fits
    gy_step *step, *step_end;  // free steps, for transitions of several statements
    gy_step *path;             // DEPTH + TAIL: statements executed on the way
    gy_native_seen *seen;      // GY_NATIVE_SEEN
    uint32_t seen_count;
    int32_t timeout;       // no other process is enabled
    int32_t top;           // the highest priority of a process that could
    uint32_t only;         // 0: all successors; else those by this process, its pid plus one
    const int32_t *hidden; // variables: as they are next to the current state
    // Runs a fragment of the model's C on a state of the current shape. Not 0: it failed.
    int (*c)(struct gy_native_run *run, gy_word *state, int32_t pid, int32_t id, int is_statement,
             int32_t *value);
} gy_native_run;

// The object's `gyre_layout`, on this side.
#define GY_NATIVE_LAYOUT                                                                           \
    {                                                                                              \
        sizeof(gy_step), sizeof(gy_transition), offsetof(gy_transition, words),                    \
            offsetof(gy_transition, steps), offsetof(gy_transition, step_count),                   \
            offsetof(gy_transition, written), sizeof(gy_native_run),                               \
            offsetof(gy_native_run, path), offsetof(gy_native_run, timeout),                       \
            offsetof(gy_native_run, top), offsetof(gy_native_run, only), GY_NATIVE_DEPTH,          \
            GY_NATIVE_SEEN                                                                         \
    }

typedef int gy_native_code(gy_native_run *run, const gy_word *state);

#endif
