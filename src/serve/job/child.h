// Gyre itself, run as a child process: what background jobs and simulation sessions start.
//
// Whatever a model does there (loop, crash, fill the memory), the caller goes on. The child and
// what it starts end with this process (base/child_process.h). Nothing is shared between children;
// calls for different ones may overlap.
#ifndef GYRE_SERVE_JOB_CHILD_H
#define GYRE_SERVE_JOB_CHILD_H

#include "base/child_process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_child_request {
    const char *const *arguments; // after the name of the program; NULL-terminated
    const char *program;          // NULL: the one that runs now
    const char *folder;           // where it runs; NULL: here
    const char *within; // files of models are read below this directory only; NULL: anywhere
    const char *input;            // what standard input has; NULL: see `talks`
    size_t input_bytes;
    bool talks;           // standard input stays open: gy_child.to
    uint64_t most_memory; // bytes of address space; 0: no limit. (Verifications have --memory.)
    double progress;      // seconds between two events of progress; 0: as usual
} gy_child_request;

typedef struct gy_child {
    gy_process process;
    int from; // its standard output, to be read
    int to;   // its standard input, if it talks; else -1
} gy_child;

// False: errno says why. What it writes to standard error is lost: --json and --events have all.
bool gy_child_start(const gy_child_request *request, gy_child *child);
void gy_child_stop(const gy_child *child); // asks it to end
void gy_child_kill(const gy_child *child); // with all that it has started
// Waits for the end, closes the files. The exit status, or -1 after a signal.
int gy_child_finish(gy_child *child);

#endif
