// Expressions that a user of the debugger writes: watches, conditions, what a breakpoint waits for.
//
// Each is read once for each process type that it is asked for, whatever comes of it, and kept:
// a client asks for its watches at every stop. Owner: gy_expressions_free. One thread at a time.
#ifndef GYRE_SERVE_DAP_EXPRESSIONS_H
#define GYRE_SERVE_DAP_EXPRESSIONS_H

#include "base/vec.h"
#include "exec/describe/naming.h"

typedef struct gy_read_expression {
    int32_t tmpl;
    char *text;
    gy_atom atom; // 0: see the problem
    char *problem;
} gy_read_expression;

typedef struct gy_expressions {
    gy_model *model;
    GY_VEC(gy_read_expression) list;
} gy_expressions;

void gy_expressions_free(gy_expressions *expressions);

// As a process of template `tmpl` could use it (GY_NONE: no process). 0: *problem, which lives
// as long as the expressions, is one line that says why.
gy_atom gy_expressions_get(gy_expressions *expressions, int32_t tmpl, const char *text,
                           const char **problem);

// Its value in this state, seen by process `pid` (-1: by none), as a person would write it: "true",
// "req", "3". False: it has none there.
bool gy_expression_text(const gy_decoded_state *scene, int32_t pid, gy_atom atom, gy_text *out);
const char *gy_expression_type(const gy_model *model, gy_atom atom); // "bool", "byte" …

#endif
