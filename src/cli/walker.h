// Walking through a path by hand: what `gyre replay` and `gyre sim --interactive` share.
//
// Where it stands, and how it moves, is a cursor (verify/cursor.h): of a replay a guided one.
//
// Input comes in lines: gy_walker_obey does what one says, gy_walker_lines reads them from any
// file, gy_walker_screen from a terminal where single keys are enough for most things.
// Owner: gy_walker_free; the path belongs to the caller.
#ifndef GYRE_CLI_WALKER_H
#define GYRE_CLI_WALKER_H

#include "cli/command.h"
#include "report/steps/msc.h"
#include "report/steps/story.h"
#include "report/steps/watches.h"
#include "verify/cursor.h"

#include <stdio.h>

typedef struct gy_walker {
    const gy_arguments *arguments;
    gy_cursor cursor;
    gy_watches watches;
    gy_watches stops;            // conditions at which going on stops when they become true
    GY_VEC(uint32_t) stop_lines; // and lines of the model
    gy_step_layout layout;
    gy_step_show show;
    gy_style style;
    gy_text out; // what there is to say
} gy_walker;

void gy_walker_init(gy_walker *walker, const gy_arguments *arguments, gy_path *path,
                    gy_model *model);
void gy_walker_free(gy_walker *walker);
// Adds the expressions of --show; 0, or the exit status after having complained.
int gy_watch_for(const gy_arguments *arguments, gy_model *model, gy_watches *watches);

// The chart that --chart asks for.
void gy_put_chart(const gy_arguments *arguments, const gy_path *path, gy_text *out);

// ---- moving (and cursor.h) -------------------------------------------------------------

// On to the next stop, the end, or, in a simulation, the next real choice.
void gy_walker_run(gy_walker *walker);
bool gy_walker_is_at_stop(const gy_walker *walker); // is what was done last a reason to stop?
bool gy_walker_search(gy_walker *walker, const char *text); // on, to a step that shows this text

// ---- telling: appended to walker->out ---------------------------------------------------

void gy_walker_tell_step(gy_walker *walker); // the one that led here
void gy_walker_tell_values(gy_walker *walker);
void gy_walker_tell_blocked(gy_walker *walker);
void gy_walker_tell_steps(gy_walker *walker);
void gy_walker_tell_chart(gy_walker *walker);
void gy_walker_tell_menu(gy_walker *walker);
void gy_walker_tell_watches(gy_walker *walker);

// ---- input ------------------------------------------------------------------------------

// False: the user has had enough.
bool gy_walker_obey(gy_walker *walker, const char *line);
void gy_walker_lines(gy_walker *walker, FILE *input);    // until the end of the input
void gy_walker_protocol(gy_walker *walker, FILE *input); // the same for programs, in JSON
// True if standard input and output are a terminal that can be drawn on.
bool gy_walker_has_screen(const gy_arguments *arguments);
void gy_walker_screen(gy_walker *walker);

#endif
