// What a model says is expected of it, in comments (gyre test):
//
//     gyre: expect violated                       of the whole
//     gyre: expect NAME violated                  of one property
//     gyre: with -D FIXED expect holds            another run, with options
#ifndef GYRE_CLI_EXPECTATIONS_H
#define GYRE_CLI_EXPECTATIONS_H

#include "base/vec.h"
#include "verify/request.h"

typedef struct gy_expectation {
    char *options;  // "" for the run without any
    char *property; // NULL: the whole
    char *verdict;
    uint32_t line;
} gy_expectation;

typedef GY_VEC(gy_expectation) gy_expectations;

// False: some line begins like an expectation, but is none; *bad is its number. A text that says
// nothing is expected to hold.
bool gy_expectations_read(const char *text, gy_expectations *list, uint32_t *bad);
void gy_expectations_free(gy_expectations *list);

// "-D X --fairness weak": options as on the command line. False: *problem says what is wrong.
bool gy_expectation_options(gy_request *request, const char *options, gy_text *problem);

// Records in an outcome what was expected of the run with these options: reports mark what is not
// so.
void gy_expectations_tell(gy_outcome *outcome, const gy_expectations *list, const char *options);

#endif
