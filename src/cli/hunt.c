// gyre hunt MODEL: a verification by another search, or an experiment (--trials).
#include "base/new_file.h"
#include "cli/command.h"
#include "cli/hunt_report.h"
#include "cli/progress.h"
#include "report/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int write_csv(const gy_arguments *arguments, const gy_trials *trials)
{
    const char *path = arguments->value[GY_OPT_CSV].text;
    gy_text csv = {0};
    gy_trials_csv(trials, &csv);
    bool good = gy_new_file_put(path, GY_NAMED, gy_text_str(&csv), csv.n);
    int error = errno;
    gy_text_free(&csv);
    return good ? 0 : gy_complain(arguments, "cannot write %s: %s", path, strerror(error));
}

// As a verification: violated if any trial has found an error, holds if one was complete.
static gy_verdict verdict_of(const gy_trials *trials, bool *broken)
{
    bool found = false, complete = false;
    for (uint32_t m = 0; m < trials->method_count; m++)
        for (uint64_t i = 0; i < trials->trial_count; i++) {
            const gy_trial *trial = &trials->methods[m].trials[i];
            found = found || trial->found;
            complete = complete || trial->complete;
            *broken = *broken || trial->broken;
        }
    return found ? GY_VIOLATED : complete ? GY_HOLDS : GY_INCONCLUSIVE;
}

static void tell(const gy_arguments *arguments, const gy_loaded_model *subject,
                 const gy_trials *trials, gy_verdict verdict)
{
    gy_text out = {0};
    const char *trail = trials->best ? arguments->value[GY_OPT_TRAIL].text : NULL;
    if (gy_given(arguments, GY_OPT_JSON)) {
        json_t *report = gy_json_report("trials");
        json_object_set_new(report, "verdict", json_string(gy_verdict_text(verdict)));
        json_object_set_new(report, "model", gy_json_string(arguments->files[0]));
        json_object_set_new(report, "trials", json_integer((json_int_t)trials->wanted));
        json_object_set_new(report, "seed", json_integer((json_int_t)trials->seed));
        json_object_set_new(report, "effort", json_integer((json_int_t)trials->effort));
        json_object_set_new(report, "finished", json_boolean(!trials->interrupted));
        if (trail)
            json_object_set_new(report, "trail", gy_json_string(trail));
        json_object_set_new(report, "strategies", gy_trials_json(trials));
        json_object_set_new(report, "diagnostics", gy_json_diagnostics(subject->diags));
        gy_json_dump(report, &out, false);
    } else {
        gy_style style = gy_command_style(arguments);
        gy_text_printf(&out, "%s%s%s: ", style.strong, arguments->files[0], style.off);
        gy_trials_text(trials, &style, &out);
        if (trail)
            gy_text_printf(&out, "Its trail was written to %s\n", trail);
    }
    gy_put(&out);
    gy_text_free(&out);
}

static int experiment(const gy_arguments *arguments, gy_request *request, gy_loaded_model *subject)
{
    gy_user_error complaint = {0};
    gy_arena *arena = gy_arena_new();
    gy_progress progress;
    gy_progress_begin(&progress, request, gy_given(arguments, GY_OPT_QUIET));
    gy_trials *trials = gy_experiment(request, subject, arguments->value[GY_OPT_COMPARE].text,
                                      arguments->value[GY_OPT_TRIALS].number, arena, &complaint);
    gy_progress_end(&progress);
    bool broken = false;
    int status = GY_EXIT_WRONG;
    if (trials) {
        gy_verdict verdict = verdict_of(trials, &broken);
        tell(arguments, subject, trials, verdict);
        status = gy_given(arguments, GY_OPT_CSV) ? write_csv(arguments, trials) : 0;
        if (!status)
            status = broken                   ? GY_EXIT_INTERNAL
                     : verdict == GY_VIOLATED ? GY_EXIT_VIOLATED
                     : verdict == GY_HOLDS    ? GY_EXIT_HOLDS
                                              : GY_EXIT_INCONCLUSIVE;
        if (broken)
            gy_refuse_internally(&complaint, "the path to an error cannot be replayed");
        if (broken)
            gy_complain(arguments, "%s\n  hint: %s", gy_text_str(&complaint.message),
                        gy_user_error_hint(&complaint, subject->model && gy_has_c(subject->model)));
    } else {
        if (complaint.excerpt.n > 0)
            gy_say_text(&complaint.excerpt);
        const char *hint =
            gy_user_error_hint(&complaint, subject->model && gy_has_c(subject->model));
        gy_complain(arguments, "%s%s%s", gy_text_str(&complaint.message), *hint ? "\n  hint: " : "",
                    hint);
        status = complaint.internal ? GY_EXIT_INTERNAL : status;
    }
    gy_trials_free(trials);
    gy_arena_free(arena);
    gy_user_error_free(&complaint);
    return status;
}

int gy_command_hunt(const gy_arguments *arguments)
{
    static const gy_option_id of_trials[] = {GY_OPT_COMPARE, GY_OPT_CSV};
    gy_loaded_model subject;
    for (size_t i = 0; i < sizeof of_trials / sizeof *of_trials; i++)
        if (gy_given(arguments, of_trials[i]) && !gy_given(arguments, GY_OPT_TRIALS))
            return gy_complain(arguments, "%s needs an experiment\n  hint: add --trials N",
                               gy_option_table[of_trials[i]].name);
    if (!gy_given(arguments, GY_OPT_TRIALS))
        return gy_command_verify(arguments);
    if (arguments->paths.n > 1)
        return gy_complain(arguments, "--trials supports one model only");
    gy_request *request = gy_request_for(arguments);
    if (!request)
        return GY_EXIT_WRONG;
    int status = gy_read_for(arguments, request, &subject);
    if (!status) {
        status = experiment(arguments, request, &subject);
        gy_loaded_model_free(&subject);
    }
    gy_request_free(request);
    return status;
}
