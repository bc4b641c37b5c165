// An interpreter of m4, the macro language that templates of DVE models are written in.
//
// It has the macros, the text and the arithmetic of GNU m4 1.4, with exactly its output, and
// nothing that reaches outside: no files, no commands, no environment. Builtins that are left out
// are refused by name. Work and memory are bounded, whatever the text: see the limits in
// m4_internal.h. Calls may overlap; nothing is shared.
#ifndef GYRE_LANG_DVE_M4_M4_H
#define GYRE_LANG_DVE_M4_M4_H

#include "base/text.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From `offset` of the output on, text comes from line `line` of the template.
typedef struct m4_mark {
    size_t offset;
    uint32_t line;
} m4_mark;

typedef struct m4_output {
    gy_text text;
    GY_VEC(m4_mark) marks; // in the order of offsets
} m4_output;

typedef struct m4_request {
    const char *prelude;        // macros that the template finds defined; NULL: none
    const char *comment;        // what begins a comment, up to the end of its line; NULL: `#`
    const char *const *defines; // "NAME" or "NAME=VALUE", NULL-terminated, or NULL
    const char *text;
    size_t bytes;
    uint64_t most_steps, most_bytes; // 0: the usual limits
    const atomic_bool *stop; // once it is true, expansion ends soon, with a problem; or NULL
} m4_request;

// Why a template cannot be expanded: of diagnostics, a line each.
typedef struct m4_problem {
    gy_text message, hint; // the hint may be empty
    size_t offset;         // in the template
    uint32_t line;         // of that, from 1; 0: before the template begins
} m4_problem;

// False: see the problem; what is in `out` is of no use then. Both begin zeroed and are the
// caller's to free.
bool m4_expand(const m4_request *request, m4_output *out, m4_problem *problem);

void m4_output_free(m4_output *out);
void m4_problem_free(m4_problem *problem);

#endif
