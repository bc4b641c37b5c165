// Stepping through a path by hand: what `gyre replay` and `gyre sim --interactive` share.
//
// Where it is, and how it moves, is a cursor (verify/cursor.h): of a replay a guided one.
//
// Input comes in lines: gy_stepper_obey does what one says, gy_stepper_lines reads them from any
// file, gy_stepper_screen from a terminal where single keys are enough for most things.
// Owner: gy_stepper_free; the path belongs to the caller.
#ifndef GYRE_CLI_STEPPER_H
#define GYRE_CLI_STEPPER_H

#include "cli/command.h"
#include "report/steps/counterexample_text.h"
#include "report/steps/msc.h"
#include "report/steps/watches.h"
#include "verify/cursor.h"

#include <stdio.h>

typedef struct gy_stepper {
    const gy_arguments *arguments;
    gy_cursor cursor;
    gy_watches watches;
    gy_watches stops;            // conditions at which going on stops when they become true
    GY_VEC(uint32_t) stop_lines; // and lines of the model
    gy_step_layout layout;
    gy_step_show show;
    gy_style style;
    gy_text out; // what there is to say
} gy_stepper;

void gy_stepper_init(gy_stepper *stepper, const gy_arguments *arguments, gy_path *path,
                     gy_model *model);
void gy_stepper_free(gy_stepper *stepper);
// Adds the expressions of --show; 0, or the exit status after having complained.
int gy_watch_for(const gy_arguments *arguments, const gy_loaded_model *subject,
                 gy_watches *watches);

// The chart that --chart asks for.
void gy_put_chart(const gy_arguments *arguments, const gy_path *path, gy_text *out);

// ---- moving (and cursor.h) -------------------------------------------------------------

// On to the next stop, the end, or, in a simulation, the next real choice.
void gy_stepper_run(gy_stepper *stepper);
bool gy_stepper_is_at_stop(const gy_stepper *stepper); // is what was done last a reason to stop?
bool gy_stepper_search(gy_stepper *stepper, const char *text); // on, to a step that shows this text

// ---- printing: appended to stepper->out ---------------------------------------------------

void gy_stepper_tell_step(gy_stepper *stepper); // the one that led here
void gy_stepper_tell_values(gy_stepper *stepper);
void gy_stepper_tell_blocked(gy_stepper *stepper);
void gy_stepper_tell_steps(gy_stepper *stepper);
void gy_stepper_tell_chart(gy_stepper *stepper);
void gy_stepper_tell_menu(gy_stepper *stepper);
void gy_stepper_tell_watches(gy_stepper *stepper);

// ---- input ------------------------------------------------------------------------------

// False: the user has had enough.
bool gy_stepper_obey(gy_stepper *stepper, const char *line);
void gy_stepper_lines(gy_stepper *stepper, FILE *input);    // until the end of the input
void gy_stepper_protocol(gy_stepper *stepper, FILE *input); // the same for programs, in JSON
// True if standard input and output are a terminal that can be drawn on.
bool gy_stepper_has_screen(const gy_arguments *arguments);
void gy_stepper_screen(gy_stepper *stepper);

#endif
