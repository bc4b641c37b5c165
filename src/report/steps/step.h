// The one way to show a step: who moved, where, which statement, what changed, what was
// printed. Verification, simulation and replay all go through here, in text and in JSON.
#ifndef GYRE_REPORT_STEPS_STEP_H
#define GYRE_REPORT_STEPS_STEP_H

#include "report/style.h"
#include "verify/tell/changes.h"
#include "verify/tell/message.h"
#include "verify/walk.h"

#include <jansson.h>

typedef struct gy_actor {
    char *process; // user(1)
    const char *type;
    int32_t pid;
    const char *file;
    uint32_t line;
    char *text; // the statement on one line
} gy_actor;

// All there is to tell about one step. Borrows the moment.
typedef struct gy_told {
    uint64_t number;
    gy_actor actor, partner; // partner.process is NULL if there is none
    gy_changes changes;
    gy_moved moved;
    bool has_moved;
    const gy_moment *now;
    bool atomic_before, atomic_after; // tied to the step before (after) by an atomic sequence
} gy_told;

typedef struct gy_step_layout {
    size_t number, process, place, statement; // widths of the columns
} gy_step_layout;

// What is shown besides process, place and statement.
typedef struct gy_step_show {
    bool steps; // false: only what the model prints
    bool changes, globals, locals, messages, prints;
    bool full;                        // nothing is cut
    const struct gy_watches *watches; // expressions whose values are shown; or NULL
} gy_step_show;

gy_step_layout gy_step_layout_for(const gy_system *system, uint64_t steps);
// `last` is the number of the step; path moments `last` and `last - 1` must be kept.
void gy_tell_step(gy_told *told, const gy_path *path, uint64_t number);
void gy_told_free(gy_told *told);

void gy_step_text_line(const gy_told *told, const gy_step_layout *layout, const gy_step_show *show,
                       const gy_style *style, const gy_path *path, gy_text *out);
json_t *gy_step_json(const gy_told *told);

#endif
