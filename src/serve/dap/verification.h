// A verification in parallel with everything else: runs in a thread of its own, and wakes whoever
// waits on a file descriptor when there is something to report.
//
// Owner: gy_verification_free, which ends it and waits for that. All calls from one thread.
#ifndef GYRE_SERVE_DAP_VERIFICATION_H
#define GYRE_SERVE_DAP_VERIFICATION_H

#include "verify/trail/found_trails.h"

typedef struct gy_verification gy_verification;

typedef struct gy_verified {
    gy_outcome *outcome; // NULL: see the complaint
    gy_found_trails trails;
    gy_user_error complaint;
} gy_verified;

// Takes over the request. `wake` gets a byte from time to time. NULL: there can be no more threads.
gy_verification *gy_verification_start(gy_request *request, int wake);
// New figures in one line, if there are any since the last call.
bool gy_verification_figures(gy_verification *verification, gy_text *out);
// Has it ended? Then its results can be examined until it is freed.
const gy_verified *gy_verification_result(gy_verification *verification);
void gy_verification_stop(gy_verification *verification); // soon
void gy_verification_free(gy_verification *verification);

#endif
