// The line on the terminal while a search runs; verdicts that are known before the others; and
// Ctrl-C: the first ends the current search, the second all of them, and what is known so far is
// still reported. If that takes more than some seconds, or at a third one, the program ends.
#ifndef GYRE_CLI_PROGRESS_H
#define GYRE_CLI_PROGRESS_H

#include "verify/request.h"

typedef struct gy_progress {
    bool quiet;
    bool visible; // standard error is a terminal
    bool found;   // an error is being shown
    bool shown;   // there is a line to be wiped out
    double begun; // on gy_clock
    // Set after gy_progress_begin, where that is wanted:
    bool events;  // JSON lines on standard output instead of what people read
    double every; // seconds between lines where there is no terminal; 0: none
    double last;  // when there was one
    // The search that the figures are of, counted from 1: what comes next begins at 0 again.
    uint64_t search, states;
    double seconds;
    char *property;
    gy_strings told; // verdicts of these properties (gy_event_key) were events
    gy_text known;   // verdicts that are not shown yet: if all come soon, the report is enough
} gy_progress;

// Sets `interrupt`, `progress`, `known` and `progress_user` of the request.
void gy_progress_begin(gy_progress *progress, gy_request *request, bool quiet);
void gy_progress_end(gy_progress *progress);
// Was the current search, or all, asked to end? From any thread.
bool gy_progress_interrupted(void);

#endif
