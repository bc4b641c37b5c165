// Inside the native backend: systems and workers. For native.c and native_worker.c only.
//
// The impl of a native system begins with a gy_vm and that of a native worker with a gy_machine,
// so everything that works on those works here. `code` is published with release order by the
// thread that builds; workers examine it from time to time. Better code may take its place, but
// nothing is freed before the system is.
#ifndef GYRE_EXEC_NATIVE_NATIVE_SYSTEM_H
#define GYRE_EXEC_NATIVE_NATIVE_SYSTEM_H

#include "exec/native/native.h"
#include "exec/native/native_abi.h"
#include "exec/native/native_sample.h"
#include "exec/vm/vm.h"

#include <pthread.h>

typedef struct gy_state_layout_code {
    gy_native_code *run; // NULL: left to the VM
    const gy_state_layout *layout;
    uint32_t code;       // word 0 of its states
    uint32_t words;      // their length
    uint32_t most_words; // of a successor
    bool linked;         // word 0 is not all that distinguishes them
} gy_state_layout_code;

typedef struct gy_compiled {
    void *handle;
    gy_state_layout_code *shapes; // a hash table with open addressing, at most half full
    uint32_t room;                // a power of two
    uint32_t least_words;         // of a state that it covers
    bool quick;                   // from the quick compiler: good code is still to come
    const struct gy_compiled *older;
} gy_compiled;

static inline uint32_t gy_compiled_slot(const gy_compiled *code, uint32_t word)
{
    return (word * 0x9e3779b1u >> 16) & (code->room - 1);
}

typedef struct gy_native_system {
    gy_vm vm; // first: this is a VM system too
    gy_backend backend;
    gy_native_options options;
    _Atomic(const gy_compiled *) code;
    _Atomic int stage;
    _Atomic bool at_work;       // a thread builds
    _Atomic bool no_quick;      // good code or none
    _Atomic bool good_tried;    // good code was built, or could not be
    _Atomic bool learnt_all;    // more states that the code does not cover would be of no use
    _Atomic int child;          // the compiler's process group; -1: give up
    _Atomic double first_state; // clock; 0: none yet

    pthread_mutex_t lock; // for all that follows
    pthread_t thread;
    bool joinable;
    bool quick; // what the thread is to build
    uint32_t builds;
    uint32_t lessons;     // how often `extra` grew
    uint64_t source_hash; // of the code that runs
    gy_state_list extra;  // of whoever has set at_work, and then of the thread
    char *message;
    bool from_cache;
    double seconds;
    uint64_t by_native, by_machine;
} gy_native_system;

// Starts a build in the background, unless one is at work: good code, or at first something
// quick. `extra`, if not NULL: states that the current code did not cover.
void gy_native_start(gy_native_system *n, bool quick, const gy_state_list *extra);

// ---- native_worker.c ----------------------------------------------------------------------

// Does the code do all of these states that it covers as the VM does? A compiler may be
// wrong; the code is not used then.
bool gy_native_agrees(gy_native_system *n, const gy_compiled *code, const gy_state_list *states);

void *gy_native_new_worker(void *system);
void gy_native_free_worker(void *worker);
const gy_transition *gy_native_batch(void *worker, const gy_word *state, uint32_t words,
                                     uint32_t *count);
const gy_transition *gy_native_append(void *worker, const gy_word *state, uint32_t words,
                                      uint32_t *count);
uint32_t gy_native_many(void *worker, gy_many *many);
const gy_transition *gy_native_only_successor(void *worker, const gy_word *state, uint32_t words,
                                              uint32_t pid, bool append);
int gy_native_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                         void *user);

#endif
