// The summary of a job on GitHub: Markdown, with the verdicts and the counterexamples folded.
#include "base/visible.h"
#include "report/outcome/outcome_text.h"
#include "report/outcome/problems.h"

#include <stdlib.h>

// Text that means itself: in a cell of a table, in a heading.
static void add_plain(gy_text *out, const char *text)
{
    size_t left = strlen(text), n;
    for (unsigned columns; *text; text += n, left -= n) {
        n = gy_visible_next(text, left, &columns);
        if (strchr("\n\t\r", *text))
            gy_text_char(out, ' ');
        else if (strchr("\\`*_{}[]()<>#+-!|&~", *text))
            gy_text_printf(out, "\\%c", *text);
        else
            gy_text_visible(out, text, n);
    }
}

static void add_html(gy_text *out, const char *text)
{
    size_t left = strlen(text), n;
    for (unsigned columns; *text; text += n, left -= n) {
        n = gy_visible_next(text, left, &columns);
        if (strchr("&<>\"", *text))
            gy_text_printf(out, "&#%u;", (unsigned char)*text);
        else
            gy_text_visible(out, text, n);
    }
}

static size_t longest_run_of_ticks(const char *text)
{
    size_t longest = 0, run = 0;
    for (; *text; text++) {
        run = *text == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

// The first line is what is seen of it, the others are folded.
static void add_folded(gy_text *out, char *text)
{
    char fence[16], *line;
    size_t ticks = longest_run_of_ticks(text) + 1;
    memset(fence, '`', sizeof fence);
    fence[ticks < 3 ? 3 : ticks < sizeof fence ? ticks : sizeof fence - 1] = '\0';
    text += strspn(text, "\n");
    line = strsep(&text, "\n");
    gy_text_add(out, "\n<details><summary>");
    add_html(out, line);
    gy_text_printf(out, "</summary>\n\n%stext\n", fence);
    while ((line = strsep(&text, "\n")) && text) { // what is after the last end of a line is empty
        gy_text_visible(out, line, strlen(line));
        gy_text_char(out, '\n');
    }
    gy_text_printf(out, "%s\n\n</details>\n", fence);
}

static bool is_expected(const gy_outcome *outcome, const gy_property_outcome *property)
{
    return property->expected ? !strcmp(property->expected, gy_verdict_text(property->verdict))
                              : outcome->expected && !*outcome->unexpected;
}

static void add_property(const gy_outcome *outcome, const gy_property_outcome *property,
                         gy_text *out)
{
    bool expected = is_expected(outcome, property);
    const char *limit = property->figures ? property->figures->limit_text : NULL;
    gy_text_add(out, "| ");
    add_plain(out, property->name);
    gy_text_printf(out, " | %s | ", gy_verdict_text(property->verdict));
    if (property->expected && property->verdict == GY_HOLDS && !expected)
        gy_text_printf(out, "%s was expected", property->expected);
    else if (property->verdict != GY_HOLDS && expected)
        gy_text_add(out, "as expected");
    else if (property->counterexample_count)
        add_plain(out, property->counterexamples[0].title);
    else if (property->verdict != GY_HOLDS)
        add_plain(out, *property->problem ? property->problem : limit ? limit : "no verdict");
    gy_text_add(out, " |\n");
}

static void add_diagnostics(const gy_outcome *outcome, gy_text *out)
{
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *d = &outcome->diagnostics[i];
        if (strcmp(d->severity, "error") != 0)
            continue;
        gy_text_add(out, "\n- ");
        if (d->file) {
            add_plain(out, d->file);
            gy_text_printf(out, d->line ? ":%u: " : ": ", d->line);
        }
        add_plain(out, d->message);
        gy_text_char(out, '\n');
    }
}

static void add_counterexamples(const gy_outcome *outcome, gy_sink *sink)
{
    gy_render_options options = {.style = gy_style_make(false)};
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        for (uint32_t k = 0; k < property->counterexample_count; k++) {
            gy_sink told = {0};
            if (is_expected(outcome, property))
                continue;
            gy_text_counterexample(outcome, property, k, &options, &told);
            char *text = gy_text_take(&told.text);
            add_folded(&sink->text, text);
            free(text);
        }
    }
}

// With options->quiet, the heading alone.
void gy_render_summary(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_text *out = &sink->text;
    const char *verdict = gy_verdict_text(outcome->verdict);
    gy_text_add(out, "\n### ");
    add_plain(out, gy_tidy_path(outcome->model));
    if (options->variant && *options->variant) {
        gy_text_add(out, " with ");
        add_plain(out, options->variant);
    }
    gy_text_printf(out, ": %s%s\n", verdict,
                   !outcome->has_expectations ? ""
                   : *outcome->unexpected     ? ", not as expected"
                                              : ", as expected");
    if (options->quiet)
        return;
    if (outcome->verdict == GY_BROKEN && !(outcome->expected && !*outcome->unexpected))
        add_diagnostics(outcome, out);
    if (outcome->property_count)
        gy_text_add(out, "\n| property | verdict | |\n|---|---|---|\n");
    for (uint32_t i = 0; i < outcome->property_count; i++)
        add_property(outcome, &outcome->properties[i], out);
    add_counterexamples(outcome, sink);
}
