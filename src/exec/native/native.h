// The native backend: C for the model, compiled by the system's compiler, loaded and run.
//
// A native system is a virtual machine that may be overtaken: it starts on the VM and, when
// the compiled code is there, lets that do all states that it covers. Both produce the same
// successors in the same order, so the switch may happen between any two states.
//
//     automatic   the compiler is started in the background once the search has lasted a little.
//                 If there is tcc, it gives quick code first; good code follows if the search
//                 lasts longer. Not so if the user has chosen a compiler
//     wait        it is started at once and waited for; if it cannot be used, that is an error
//     off         the VM does everything; only embedded C is compiled. Without embedded C,
//                 this is just gy_system_vm
//
// Embedded C (embedded.h) is compiled before anything else, in all three modes.
//
// Compiled code is kept in the user's cache directory under a hash of everything that it depends
// on ($XDG_CACHE_HOME/gyre or ~/.cache/gyre; GYRE_CACHE overrides both). The compiler is
// GYRE_CC, or the first of cc, gcc, clang and tcc on PATH.
//
// gy_system_native's systems can be used wherever a VM system can: views, claims, reports.
#ifndef GYRE_EXEC_NATIVE_NATIVE_H
#define GYRE_EXEC_NATIVE_NATIVE_H

#include "base/text.h"
#include "exec/system.h"

#include <stdatomic.h>

typedef enum { GY_NATIVE_AUTO, GY_NATIVE_WAIT, GY_NATIVE_OFF } gy_native_mode;

typedef struct gy_native_options {
    gy_native_mode mode;         // see above
    const char *cache_dir;       // NULL: the user's
    const char *compiler;        // NULL: see above
    double delay;                // automatic: seconds of search before a compiler starts; 0: as it
                                 // thinks best
    const atomic_int *interrupt; // not 0: embedded C is not waited for any more; or NULL
    bool no_singles;             // gy_only_successor is never asked: code without it is faster
} gy_native_options;

// Like gy_system_vm. NULL, with *problem saying why (free it) and the model still the caller's,
// if the code cannot be compiled in mode `wait`, or the model's embedded C in any mode.
gy_system *gy_system_native(gy_model *model, bool own, const gy_exec_options *options,
                            const gy_native_options *native, char **problem);

typedef enum {
    GY_NATIVE_IDLE,     // the compiler was not started
    GY_NATIVE_BUILDING, // at work
    GY_NATIVE_READY,    // the compiled code runs
    GY_NATIVE_FAILED,   // the VM does everything; `message` says why
} gy_native_stage;

typedef struct gy_native_status {
    gy_native_stage stage;
    const char *message; // one line for the report, or "": lives as long as the system
    bool from_cache;
    double seconds;           // generating and compiling took
    uint64_t native, machine; // states done by each, of workers that were freed
} gy_native_status;

// False if this is not a native system.
bool gy_native_look(gy_system *system, gy_native_status *status);
// "native" or "vm": what runs now. For other systems, the backend's name.
const char *gy_native_name(gy_system *system);

// The generated C (`gyre info --c`). Needs no compiler.
void gy_native_source(gy_model *model, const gy_exec_options *options, gy_text *out);

#endif
