// The line on the terminal while a search runs, and Ctrl-C, which ends a verification but not the
// program: the figures so far are still reported. A second Ctrl-C ends the program.
#ifndef GYRE_CLI_PROGRESS_H
#define GYRE_CLI_PROGRESS_H

#include "verify/request.h"

typedef struct gy_progress {
    bool visible; // standard error is a terminal
    bool shown;   // there is a line to be wiped out
} gy_progress;

// Sets `interrupt`, `progress` and `progress_user` of the request.
void gy_progress_begin(gy_progress *progress, gy_request *request, bool quiet);
void gy_progress_end(gy_progress *progress);

#endif
