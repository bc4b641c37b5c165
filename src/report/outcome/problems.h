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
    const char *file;
    uint32_t line, column; // 0: not known
} gy_problem;

void gy_each_problem(const gy_outcome *outcome,
                     void (*visit)(void *user, const gy_problem *problem), void *user);

#endif
