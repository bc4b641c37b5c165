// The forms of a report. A renderer is a function that reads an outcome, and nothing else, and a
// row of renderers.def: its name, its option on the command line and the help for it. Nothing else
// has to change for a new one.
//
// A renderer appends to sink->text and may call gy_sink_drain wherever the text may get long: what
// was written is then passed on, so that no report is ever in memory as a whole.
#ifndef GYRE_REPORT_RENDER_H
#define GYRE_REPORT_RENDER_H

#include "gyre/verify.h"
#include "report/style.h"

#include <stdio.h>

typedef struct gy_render_options {
    gy_style style;
    bool quiet;     // the verdict alone
    bool verbose;   // the plan and all figures
    bool full;      // do not fold long counterexamples
    bool unreached; // list the statements that were never executed
    // Of a file that has the reports of several models: the last character of what is there,
    // without the end of the file (gy_renderer). 0: it begins.
    char goes_on;
    const char *variant; // of the model: the options that it was verified with; or NULL
    // The command that replays the model's counterexample, or NULL: not shown. `replay_finds`: it
    // finds the counterexample itself; else it needs the trail.
    const char *replay;
    bool replay_finds;
} gy_render_options;

typedef struct gy_sink {
    gy_text text;
    bool (*put)(gy_text *text); // passes the text on and clears it
    FILE *file;                 // or it is written there; neither: it is kept
    size_t columns;             // of the terminal, where lines are to be broken; else 0
} gy_sink;

// Passes the text on if there is much of it. False: nothing reads any more.
bool gy_sink_drain(gy_sink *sink);
// All of it. False: that was not possible.
bool gy_sink_empty(gy_sink *sink);

typedef void gy_render(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink);

typedef struct gy_renderer {
    const char *name;
    gy_render *render;
    // What a file with this report ends with, and another report can be put before. NULL: a
    // file is about one model.
    const char *end;
} gy_renderer;

gy_render gy_render_text;
gy_render gy_render_github;       // lines for the log of a job
gy_render gy_render_summary;      // Markdown for the summary of a step; quiet: its heading alone
gy_render gy_render_code_quality; // --code-quality FILE
#define RENDERER(id, name, commands, help) gy_render gy_render_##name;
#define REPORT(id, name, commands, end, help) gy_render gy_render_##name;
#include "report/renderers.def"

// The first counterexample to a property as it is reported on a terminal, escaped for XML.
void gy_junit_counterexample(const gy_outcome *outcome, const gy_property_outcome *property,
                             gy_sink *sink);

// The renderer of this name, or NULL. "text" is what there is without any option.
const gy_renderer *gy_renderer_named(const char *name);

#endif
