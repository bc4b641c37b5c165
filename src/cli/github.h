// In a job on GitHub (GITHUB_ACTIONS): lines of the source are marked, and the summary of the step
// says what was verified (GITHUB_STEP_SUMMARY).
#ifndef GYRE_CLI_GITHUB_H
#define GYRE_CLI_GITHUB_H

#include "gyre/verify.h"

// `variant`: the options of this run of the model, or NULL.
void gy_github_tell(const gy_outcome *outcome, const char *variant);

// An error of a file that was not verified. `line`: 0, if it has no place there.
void gy_github_mark(const char *file, uint32_t line, const char *message);

#endif
