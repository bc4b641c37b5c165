// gyre MODEL
#include "cli/command.h"
#include "cli/progress.h"
#include "report/render.h"
#include "verify/drive.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int exit_status(const gy_outcome *outcome)
{
    switch (outcome->verdict) {
    case GY_HOLDS:
        return GY_EXIT_HOLDS;
    case GY_VIOLATED:
        return GY_EXIT_VIOLATED;
    case GY_INCONCLUSIVE:
        return GY_EXIT_INCONCLUSIVE;
    case GY_BROKEN:
        break;
    }
    return outcome->internal ? GY_EXIT_INTERNAL : GY_EXIT_WRONG;
}

// The one form that is asked for; NULL: there are several.
static const gy_renderer *choose_renderer(const gy_arguments *arguments)
{
    static const struct {
        gy_option_id option;
        const char *name;
    } forms[] = {
#define RENDERER(id, name, commands, help) {GY_OPT_##id, #name},
#define REPORT(id, name, commands, help)
#include "report/renderers.def"
    };
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!gy_given(arguments, forms[i].option))
            continue;
        if (chosen)
            return NULL;
        chosen = forms[i].name;
    }
    return gy_renderer_named(chosen ? chosen : "text");
}

// What went wrong, for people: forms for programs say it, too.
static void complain(const gy_arguments *arguments, const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *diagnostic = &outcome->diagnostics[i];
        if (strcmp(diagnostic->severity, "error") != 0)
            continue;
        if (diagnostic->excerpt)
            fputs(diagnostic->excerpt, stderr);
        gy_say_error(arguments, diagnostic->message);
    }
}

static void report(const gy_arguments *arguments, const gy_renderer *renderer,
                   const gy_outcome *outcome)
{
    bool prose = strcmp(renderer->name, "text") == 0;
    gy_style style = gy_command_style(arguments);
    gy_sink sink = {.put = gy_put, .columns = prose ? style.columns : 0};
    gy_render_options options = {
        .style = style,
        .quiet = gy_given(arguments, GY_OPT_QUIET),
        .verbose = gy_given(arguments, GY_OPT_VERBOSE),
        .full = gy_given(arguments, GY_OPT_FULL),
        .unreached = gy_given(arguments, GY_OPT_UNREACHED),
    };
    if (*outcome->backend_note)
        fprintf(stderr, "gyre: note: %s\n", outcome->backend_note);
    if (outcome->verdict == GY_BROKEN)
        complain(arguments, outcome);
    if (outcome->verdict != GY_BROKEN || !prose)
        renderer->render(outcome, &options, &sink);
    gy_sink_empty(&sink);
    gy_text_free(&sink.text);
}

// 0, or the exit status after having complained.
static int write_report(const gy_arguments *arguments, const gy_renderer *renderer,
                        const char *path, const gy_outcome *outcome)
{
    gy_render_options options = {.style = gy_style_make(false), .full = true, .unreached = true};
    gy_sink sink = {.file = fopen(path, "w")};
    if (!sink.file)
        return gy_complain(arguments, "can't write %s: %s", path, strerror(errno));
    renderer->render(outcome, &options, &sink);
    bool written = gy_sink_empty(&sink) && !ferror(sink.file);
    int error = errno;
    gy_text_free(&sink.text);
    if (fclose(sink.file) == 0 && written)
        return 0;
    return gy_complain(arguments, "can't write %s: %s", path, strerror(written ? errno : error));
}

static int write_reports(const gy_arguments *arguments, const gy_outcome *outcome)
{
    static const struct {
        gy_option_id option;
        const char *name;
    } reports[] = {
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, help) {GY_OPT_##id, #name},
#include "report/renderers.def"
    };
    int status = 0;
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        const char *path = arguments->value[reports[i].option].text;
        int failed =
            path ? write_report(arguments, gy_renderer_named(reports[i].name), path, outcome) : 0;
        status = status ? status : failed;
    }
    return status;
}

static bool wants_reports(const gy_arguments *arguments)
{
    return false
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, help) || gy_given(arguments, GY_OPT_##id)
#include "report/renderers.def"
        ;
}

// A model that can't be read has reports, too: the errors have been printed already.
static void report_broken(const gy_arguments *arguments, gy_request *request)
{
    if (!wants_reports(arguments))
        return;
    gy_outcome *outcome = gy_verify(request);
    if (outcome->verdict == GY_BROKEN)
        write_reports(arguments, outcome);
    gy_outcome_free(outcome);
}

int gy_command_verify(const gy_arguments *arguments)
{
    const gy_renderer *renderer = choose_renderer(arguments);
    gy_subject subject;
    gy_progress progress;
    if (!renderer)
        return gy_complain(arguments, "a report can have one form only");
    gy_request *request = gy_request_for(arguments);
    if (!request)
        return GY_EXIT_WRONG;
    int status = gy_read_for(arguments, request, &subject);
    if (!status) {
        gy_progress_begin(&progress, request, gy_given(arguments, GY_OPT_QUIET));
        gy_outcome *outcome = gy_verify_subject(request, &subject);
        gy_progress_end(&progress);
        gy_subject_free(&subject);
        report(arguments, renderer, outcome);
        status = write_reports(arguments, outcome);
        status = status ? status : exit_status(outcome);
        gy_outcome_free(outcome);
    } else {
        report_broken(arguments, request);
    }
    gy_request_free(request);
    return status;
}
