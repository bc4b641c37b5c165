// What a verification has found fault with, one by one, each with its place: for reports that mark
// lines of the source. What was expected is no problem.
#ifndef GYRE_REPORT_OUTCOME_PROBLEMS_H
#define GYRE_REPORT_OUTCOME_PROBLEMS_H

#include "gyre/verify.h"

typedef struct gy_problem {
    const char *severity; // "error", "warning", "note"
    const char *code;     // "assertion", "invalid-end-state", "time", "unreached" …
    const char *title;    // the property, or what it is about
    const char *message;  // one line
    const char *hint;     // or NULL
    const char *file;
    uint32_t line, column; // 0: not known
    // The same in every run as long as the problem and the text of its line stay, wherever that
    // line moves; another for each problem of a report.
    const char *fingerprint;
    const gy_property_outcome *property; // NULL: it is about the model, or its coverage
    const gy_counterexample *walk;       // or NULL
} gy_problem;

// Without `./` at its front.
const char *gy_tidy_path(const char *path);

void gy_each_problem(const gy_outcome *outcome,
                     void (*visit)(void *user, const gy_problem *problem), void *user);

#endif
