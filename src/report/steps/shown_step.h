// The one way to show a step: which process executed it, where, which statement, what changed, what
// was printed. Verification, simulation and replay all go through here, in text and in JSON.
#ifndef GYRE_REPORT_STEPS_SHOWN_STEP_H
#define GYRE_REPORT_STEPS_SHOWN_STEP_H

#include "gyre/verify.h"
#include "report/steps/watches.h"
#include "report/style.h"

#include <jansson.h>

typedef struct gy_step_layout {
    size_t number, process, place, statement; // widths of the columns
    size_t short_place;                       // of a place without directories
} gy_step_layout;

// What is shown besides process, place and statement.
typedef struct gy_step_show {
    bool steps; // false: only what the model prints
    bool changes, globals, locals, messages, prints;
    bool full; // nothing is cut
    const gy_style *style;
    // The path that the steps belong to, or NULL. `globals` and `locals` are those of its last
    // state: they are shown with its last step only.
    gy_path *path;
    const gy_watches *watches; // expressions whose values are shown; or NULL; needs the path
} gy_step_show;

// For paths of up to that many steps, on the terminal of this style.
gy_step_layout gy_step_layout_for(const gy_widths *widths, uint64_t steps, const gy_style *style);

void gy_step_text_line(const gy_report_step *told, const gy_step_layout *layout,
                       const gy_step_show *show, gy_text *out);
// For lines that stand for several steps.
void gy_step_layout_widen(gy_step_layout *layout, const gy_style *style);
// Several steps of one process in one line: all their statements, and what they change together.
void gy_step_text_folded(const gy_report_step *steps, uint64_t count, const gy_step_layout *layout,
                         const gy_step_show *show, gy_text *out);
// Sets process, pid, file, line, column and text.
void gy_actor_json(const gy_actor *actor, json_t *item);
// Sets pid, state, file, line and column.
json_t *gy_position_json(const gy_position *position);
json_t *gy_step_json(const gy_report_step *told);

#endif
