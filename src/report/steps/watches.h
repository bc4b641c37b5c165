// Watched expressions: their values next to every step of a path.
//
// Owner: gy_watches_free.
#ifndef GYRE_REPORT_STEPS_WATCHES_H
#define GYRE_REPORT_STEPS_WATCHES_H

#include "verify/execution.h"

typedef struct gy_watch {
    char *text;
    gy_atom atom;
} gy_watch;

typedef struct gy_watches {
    gy_model *model;   // whose names the expressions use, or NULL:
    gy_system *system; // whose predicates they name
    GY_VEC(gy_watch) list;
} gy_watches;

// Adds an expression over globals and remote references (P:x, P@label), or the name of a predicate
// of a shared object. False: *problem (free it) says what is wrong with it.
bool gy_watches_add(gy_watches *watches, const char *expression, char **problem);
void gy_watches_clear(gy_watches *watches);
void gy_watches_free(gy_watches *watches);

// "x + 1 = 3, len(q) = 0"; an expression without a value (a division by zero …) is `?`.
void gy_watches_text(const gy_watches *watches, const gy_path *path, const gy_path_state *moment,
                     gy_text *out);
// False: it has no value there.
bool gy_watch_value(const gy_watch *watch, const gy_path *path, const gy_path_state *moment,
                    int32_t *value);

#endif
