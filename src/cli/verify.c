// gyre MODEL; gyre hunt MODEL, unless it is an experiment
#include "base/clock.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/events.h"
#include "cli/github.h"
#include "cli/progress.h"
#include "cli/report_file.h"
#include "cli/report_write.h"
#include "cli/watchdog.h"
#include "dist/mpi/launch.h"
#include "exec/describe/naming.h"
#include "report/json.h"
#include "report/render.h"
#include "verify/stages.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int status_of_verdict(const gy_outcome *outcome)
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

// Is all that is not as expected without a verdict, because of some limit?
static bool only_open(const gy_outcome *outcome)
{
    bool open = !outcome->expected || outcome->verdict == GY_INCONCLUSIVE ||
                strcmp(outcome->expected, gy_verdict_text(outcome->verdict)) == 0;
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        open = open && (!property->expected || property->verdict == GY_INCONCLUSIVE ||
                        strcmp(property->expected, gy_verdict_text(property->verdict)) == 0);
    }
    return open;
}

// With expectations: 0 if they are met, 3 if nothing but a limit kept them from being met, else 1.
static int exit_status(const gy_outcome *outcome)
{
    int status = status_of_verdict(outcome);
    if (outcome->has_expectations && outcome->verdict != GY_BROKEN)
        status = !*outcome->unexpected ? GY_EXIT_HOLDS
                 : only_open(outcome)  ? GY_EXIT_INCONCLUSIVE
                                       : GY_EXIT_VIOLATED;
    if (status == GY_EXIT_HOLDS && outcome->least_coverage >= 0 && !outcome->covered)
        status = GY_EXIT_VIOLATED;
    return status;
}

// 0, or the exit status after having complained about a trail, as about other files that were asked
// for.
static int trail_status(const gy_arguments *arguments, const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->note_count; i++)
        if (outcome->notes[i].code && !strcmp(outcome->notes[i].code, GY_TRAIL_NOT_WRITTEN))
            return gy_complain(arguments, "%s", outcome->notes[i].message);
    return 0;
}

// The one form that is asked for; NULL: there are several.
static const gy_renderer *choose_renderer(const gy_arguments *arguments)
{
    static const struct {
        gy_option_id option;
        const char *name;
    } forms[] = {
#define RENDERER(id, name, commands, help) {GY_OPT_##id, #name},
#define REPORT(id, name, commands, end, help)
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
            gy_say("%s", diagnostic->excerpt);
        gy_say_error(arguments, diagnostic->message);
        if (!diagnostic->excerpt && diagnostic->hint && *diagnostic->hint)
            gy_say("  hint: %s\n", diagnostic->hint);
    }
}

// `gyre replay` with the options that say how the model is read. False: other options were given,
// so that it may find another counterexample, or none.
static bool replay_command(const gy_arguments *arguments, gy_text *out)
{
    bool finds = arguments->command != GY_ON_HUNT;
    if (arguments->input) // standard input was read
        return false;
    gy_text_printf(out, "gyre replay %s", arguments->files[0]);
    for (size_t i = 0; i < arguments->given.n; i++) {
        const gy_given_option *given = &arguments->given.at[i];
        const gy_option_info *info = &gy_option_table[given->id];
        if (info->commands & GY_ON_REPLAY && info->group != GY_GROUP_REPORTING)
            gy_text_printf(out, info->kind == GY_KIND_FLAG ? " %s" : " %s %s", info->name,
                           given->text);
        else
            finds = finds && info->group == GY_GROUP_REPORTING;
    }
    return finds;
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
    gy_text replay = {0};
    if (prose && isatty(STDOUT_FILENO))
        options.replay_finds = replay_command(arguments, &replay);
    options.replay = replay.n > 0 ? gy_text_str(&replay) : NULL;
    if (*outcome->backend_note)
        gy_say("gyre: note: %s\n", outcome->backend_note);
    if (outcome->verdict == GY_BROKEN)
        complain(arguments, outcome);
    if (outcome->verdict != GY_BROKEN || !prose)
        renderer->render(outcome, &options, &sink);
    gy_sink_empty(&sink);
    gy_text_free(&sink.text);
    gy_text_free(&replay);
}

// A model that cannot be read has reports, too: the errors have been printed already.
static void report_broken(const gy_arguments *arguments, gy_request *request,
                          gy_report_writer *reports)
{
    gy_loaded_model subject;
    gy_user_error complaint = {0};
    bool reads = gy_loaded_model_read_safely(&subject, request, &complaint);
    gy_loaded_model_free(&subject);
    gy_user_error_free(&complaint);
    if (reads) // it was refused for where its reports should go
        return;
    gy_outcome *outcome = gy_verify(request);
    if (outcome->verdict == GY_BROKEN) {
        gy_github_tell(outcome, NULL);
        gy_report_write(reports, arguments, outcome, NULL);
    }
    gy_outcome_free(outcome);
}

// ---- one model, or several ---------------------------------------------------------------

// What the command has come to.
typedef struct verified {
    gy_watchdog *watchdog;   // of the current model, while it is verified
    gy_transport *transport; // with --mpi; else NULL
    const gy_renderer *renderer;
    gy_verdict verdict; // the worst
    uint64_t count[GY_BROKEN + 1];
    json_t *models; // with --json and several models; else NULL
    gy_text summary;
    gy_report_writer reports;
} verified;

static double seconds_between_lines(const gy_arguments *arguments)
{
    const char *wish = getenv("GYRE_PROGRESS"); // seconds
    double seconds = wish ? atof(wish) : 0;
    if (gy_given(arguments, GY_OPT_EVENTS))
        return seconds > 0 ? seconds : 1;
    return !gy_given(arguments, GY_OPT_VERBOSE) ? 0 : seconds > 0 ? seconds : 30;
}

static void summarise(const gy_arguments *arguments, verified *all, gy_verdict verdict,
                      const gy_outcome *outcome)
{
    static const int severity[] = {
        [GY_HOLDS] = 0, [GY_INCONCLUSIVE] = 1, [GY_VIOLATED] = 2, [GY_BROKEN] = 3};
    gy_style style = gy_command_style(arguments);
    const char *colour = verdict == GY_HOLDS          ? style.good
                         : verdict == GY_INCONCLUSIVE ? style.unsure
                                                      : style.bad;
    all->count[verdict]++;
    if (severity[verdict] > severity[all->verdict])
        all->verdict = verdict;
    gy_text_printf(&all->summary, "  %s%-12s%s  %s", colour, gy_verdict_text(verdict), style.off,
                   arguments->files[0]);
    if (outcome && outcome->has_expectations)
        gy_text_add(&all->summary, *outcome->unexpected ? " (not as expected)" : " (as expected)");
    gy_text_char(&all->summary, '\n');
}

static void keep_json(verified *all, const gy_arguments *arguments, const gy_outcome *outcome)
{
    gy_sink sink = {0};
    gy_render_options options = {.style = gy_style_make(false),
                                 .verbose = gy_given(arguments, GY_OPT_VERBOSE)};
    gy_render_json(outcome, &options, &sink);
    json_array_append_new(all->models, json_loads(gy_text_str(&sink.text), 0, NULL));
    gy_text_free(&sink.text);
}

// Rank 0 alone says what was found.
static bool is_silent(const verified *all)
{
    return all->transport && all->transport->rank > 0;
}

// All ranks read the options and the model; what one of them says about that is enough. Standard
// error as it was is what speak_again takes; -1: nothing has changed.
static int fall_silent(const verified *all)
{
    if (!is_silent(all))
        return -1;
    fflush(stderr);
    int out = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
    return out;
}

static void speak_again(int out)
{
    if (out < 0)
        return;
    fflush(stderr);
    dup2(out, STDERR_FILENO);
    close(out);
}

// If one of the ranks cannot read it, none goes on.
static int agree_on_reading(const verified *all, const gy_arguments *arguments,
                            gy_loaded_model *subject, int status)
{
    gy_transport *t = all->transport;
    uint64_t first = status ? t->rank : UINT64_MAX;
    t->reduce(t, &first, 1, GY_TRANSPORT_LEAST);
    if (first == UINT64_MAX || status)
        return status;
    gy_loaded_model_free(subject);
    if (t->rank == 0)
        gy_complain(arguments,
                    "rank %llu cannot read the model, though rank 0 can\n  hint: all ranks need "
                    "the same files",
                    (unsigned long long)first);
    return GY_EXIT_WRONG;
}

static void end_watch(verified *all)
{
    gy_watchdog_end(all->watchdog);
    all->watchdog = NULL;
}

static int verify_subject(const gy_arguments *arguments, gy_request *request,
                          gy_loaded_model *subject, verified *all)
{
    gy_progress progress;
    bool events = gy_given(arguments, GY_OPT_EVENTS);
    gy_progress_begin(&progress, request, gy_given(arguments, GY_OPT_QUIET) || is_silent(all));
    progress.events = events && !is_silent(all);
    progress.every = is_silent(all) ? 0 : seconds_between_lines(arguments);
    progress.last = progress.begun;
    if (progress.events)
        gy_event_begin(arguments->files[0]);
    gy_outcome *outcome = gy_verify_subject(request, subject);
    int status = exit_status(outcome);
    end_watch(all); // who reads the report may take his time
    gy_loaded_model_free(subject);
    if (is_silent(all)) {
        gy_progress_end(&progress);
        gy_outcome_free(outcome);
        return status;
    }
    if (events) {
        gy_event_end(outcome, &progress.told, status);
        if (outcome->verdict == GY_BROKEN)
            complain(arguments, outcome);
    }
    gy_progress_end(&progress);
    if (all->models)
        keep_json(all, arguments, outcome);
    else if (!events)
        report(arguments, all->renderer, outcome);
    summarise(arguments, all, outcome->verdict, outcome);
    gy_github_tell(outcome, NULL);
    int unwritten = trail_status(arguments, outcome);
    int failed = gy_report_write(&all->reports, arguments, outcome, NULL);
    failed = failed ? failed : unwritten;
    gy_outcome_free(outcome);
    return failed ? failed : status;
}

static int verify_model(const gy_arguments *arguments, verified *all)
{
    gy_loaded_model subject;
    int out = fall_silent(all);
    gy_request *request = gy_request_for(arguments);
    speak_again(out);
    if (!request)
        return all->transport ? agree_on_reading(all, arguments, NULL, GY_EXIT_WRONG)
                              : GY_EXIT_WRONG;
    if (is_silent(all)) {
        free(request->trail);
        request->trail = NULL;
    }
    request->hunt = arguments->command == GY_ON_HUNT;
    if (arguments->prepare)
        arguments->prepare(arguments->prepare_user, request);
    request->state_graph = gy_given(arguments, GY_OPT_HTML); // it is drawn there
    gy_arguments quiet = *arguments; // of several models, the JSON is one report
    if (all->models)
        quiet.value[GY_OPT_JSON].set = false;
    all->watchdog = gy_watchdog_start(arguments, request->time);
    request->transport = all->transport;
    out = fall_silent(all);
    int status = gy_read_for(&quiet, request, &subject);
    speak_again(out);
    int own = status;
    if (all->transport)
        status = agree_on_reading(all, &quiet, &subject, status);
    if (status && !own) {
        // it was reported
    } else if (!status) {
        if (subject.model && gy_has_c(subject.model))
            all->watchdog = gy_watchdog_heed(all->watchdog, arguments);
        status = verify_subject(arguments, request, &subject, all);
    } else {
        if (all->models) {
            gy_outcome *outcome = gy_verify(request);
            keep_json(all, arguments, outcome);
            gy_outcome_free(outcome);
        }
        summarise(arguments, all, GY_BROKEN, NULL);
        if (!is_silent(all))
            report_broken(arguments, request, &all->reports);
    }
    end_watch(all);
    gy_request_free(request);
    return status;
}

// Of several models: the worst of their statuses, by how much there is to be done about it.
static int worse(int a, int b)
{
    static const int rank[] = {[GY_EXIT_HOLDS] = 0,
                               [GY_EXIT_INCONCLUSIVE] = 1,
                               [GY_EXIT_VIOLATED] = 2,
                               [GY_EXIT_WRONG] = 3,
                               [GY_EXIT_INTERNAL] = 4};
    return rank[b] > rank[a] ? b : a;
}

static void put_summary(const gy_arguments *arguments, verified *all)
{
    gy_text out = {0};
    double seconds = gy_clock() - arguments->started;
    if (all->models) {
        json_t *whole = gy_json_report("verifications");
        json_object_set_new(whole, "verdict", json_string(gy_verdict_text(all->verdict)));
        json_object_set_new(whole, "seconds", json_real(seconds));
        json_object_set_new(whole, "models", all->models);
        all->models = NULL;
        gy_json_dump(whole, &out, false);
    } else {
        static const char *const words[] = {[GY_HOLDS] = "hold",
                                            [GY_VIOLATED] = "violated",
                                            [GY_INCONCLUSIVE] = "inconclusive",
                                            [GY_BROKEN] = "with errors"};
        gy_text_printf(&out, "\n%zu models: ", arguments->paths.n);
        const char *between = "";
        for (int v = GY_HOLDS; v <= GY_BROKEN; v++) {
            if (!all->count[v])
                continue;
            gy_text_printf(&out, "%s%llu %s%s", between, (unsigned long long)all->count[v],
                           words[v], v == GY_HOLDS && all->count[v] == 1 ? "s" : "");
            between = ", ";
        }
        gy_text_add(&out, "; ");
        gy_text_seconds(&out, seconds);
        gy_text_printf(&out, "\n%s", gy_text_str(&all->summary));
    }
    gy_put(&out);
    gy_text_free(&out);
}

// False: it complained.
static bool have_files_of_their_own(const gy_arguments *arguments, bool mpi)
{
    gy_text why = {0};
    bool good = gy_report_files_suffice(arguments, &why) && gy_report_files_differ(arguments, &why);
    if (!good)
        gy_complain_once(arguments, mpi, gy_text_str(&why));
    gy_text_free(&why);
    return good;
}

// False: it complained.
static bool launch(const gy_arguments *arguments, verified *all)
{
    gy_text problem = {0};
    bool tells;
    all->transport = gy_launch(&problem);
    if (problem.n)
        gy_complain(arguments, "%s", gy_text_str(&problem));
    gy_text_free(&problem);
    if (all->transport && !gy_launch_agree(all->transport, true, &tells)) {
        all->transport->close(all->transport); // another has a wrong command line, and reports it
        all->transport = NULL;
    }
    if (all->transport && all->transport->rank > 0 && !freopen("/dev/null", "w", stdout))
        return false;
    if (all->transport && all->transport->size > 1)
        setenv("NO_COLOR", "1", 0); // the terminal is the launcher's, who may write to a file
    return all->transport != NULL;
}

// All ranks end with the same status.
static int land(verified *all, int status)
{
    int32_t agreed = status;
    all->transport->broadcast(all->transport, 0, &agreed, sizeof agreed);
    all->transport->close(all->transport);
    return agreed;
}

int gy_command_verify(const gy_arguments *arguments)
{
    verified all = {.renderer = choose_renderer(arguments)};
    int status = GY_EXIT_HOLDS;
    bool several = arguments->paths.n > 1, json = gy_given(arguments, GY_OPT_JSON);
    bool mpi = gy_given(arguments, GY_OPT_MPI);
    if (!all.renderer || (json && gy_given(arguments, GY_OPT_EVENTS)))
        return gy_complain_once(arguments, mpi,
                                "--json and --events cannot be combined\n  hint: use only one of "
                                "them");
    if (!have_files_of_their_own(arguments, mpi))
        return GY_EXIT_WRONG;
    if (mpi && !launch(arguments, &all))
        return GY_EXIT_WRONG;
    if (several && json)
        all.models = json_array();
    for (size_t i = 0; i < arguments->paths.n; i++) {
        gy_arguments one = *arguments;
        gy_text gap = {0};
        one.files[0] = arguments->paths.at[i];
        if (i > 0 && !all.models && !gy_given(arguments, GY_OPT_EVENTS) &&
            !gy_given(arguments, GY_OPT_QUIET)) {
            gy_text_char(&gap, '\n');
            gy_put(&gap);
        }
        gy_text_free(&gap);
        status = worse(status, verify_model(&one, &all));
    }
    if (several && !gy_given(arguments, GY_OPT_EVENTS))
        put_summary(arguments, &all);
    json_decref(all.models);
    gy_text_free(&all.summary);
    return all.transport ? land(&all, status) : status;
}
