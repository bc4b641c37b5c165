// Problems as GitHub's runners understand them in the log of a job: they mark the lines of the
// source.
#include "base/visible.h"
#include "report/outcome/problems.h"
#include "report/render.h"

#include <string.h>

// `also` has a meaning of its own where the text is.
static void escaped(gy_text *out, const char *text, const char *also)
{
    size_t left = strlen(text), n;
    for (unsigned columns; *text; text += n, left -= n) {
        n = gy_visible_next(text, left, &columns);
        if (strchr("%\r\n", *text) || strchr(also, *text))
            gy_text_printf(out, "%%%02X", (unsigned char)*text);
        else
            gy_text_visible(out, text, n);
    }
}

static void put(void *user, const gy_problem *problem)
{
    gy_text *out = &((gy_sink *)user)->text;
    gy_text_printf(out, "::%s file=", strcmp(problem->severity, "error") ? "warning" : "error");
    escaped(out, problem->file, ":,");
    if (problem->line)
        gy_text_printf(out, ",line=%u", problem->line);
    if (problem->line && problem->column)
        gy_text_printf(out, ",col=%u", problem->column);
    gy_text_add(out, ",title=");
    escaped(out, problem->title, ":,");
    gy_text_add(out, "::");
    escaped(out, problem->message, "");
    gy_text_char(out, '\n');
    gy_sink_drain(user);
}

void gy_render_github(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    (void)options;
    gy_each_problem(outcome, put, sink);
}
