// gyre stats MODEL: the facts of a state space.
#include "base/new_file.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/watchdog.h"
#include "graph/structure.h"
#include "report/json.h"
#include "report/structure/structure_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void show_progress(void *user, const gy_graph_progress *now)
{
    gy_request *request = user;
    gy_search_progress progress = {
        .seconds = now->seconds,
        .states = now->states,
        .transitions = now->edges,
        .pending = now->states > now->done ? now->states - now->done : 0,
        .memory = gy_memory_resident(),
    };
    request->progress(request->progress_user, &progress);
}

static gy_structure *measure(gy_system *system, const gy_arguments *arguments, gy_request *request,
                             gy_local_states *local)
{
    gy_progress progress;
    double seconds = arguments->value[GY_OPT_TIME].seconds;
    bool timed = gy_given(arguments, GY_OPT_TIME);
    gy_progress_begin(&progress, request, gy_given(arguments, GY_OPT_QUIET));
    gy_graph_limits limits = {
        .started = arguments->started,
        .until = timed ? arguments->started + seconds : 0,
        .interrupt = request->interrupt,
        .progress = show_progress,
        .progress_user = request,
    };
    gy_graph_limits_begin(&limits, request->memory.number);
    gy_graph *graph = gy_graph_make(system, &limits, local ? gy_local_states_look : NULL, local);
    gy_structure *structure;
    if (graph) {
        structure = gy_structure_make(graph, &limits, request->seed.set ? request->seed.number : 1);
    } else {
        structure = gy_alloc_zero(sizeof *structure);
        structure->end = limits.end;
    }
    gy_graph_free(graph);
    gy_progress_end(&progress);
    return structure;
}

static int write_svg(const gy_arguments *arguments, const gy_structure *structure)
{
    const char *path = arguments->value[GY_OPT_SVG].text, *name = arguments->files[0];
    gy_text svg = {0};
    gy_structure_svg(structure, strrchr(name, '/') ? strrchr(name, '/') + 1 : name, &svg);
    bool good = gy_new_file_put(path, GY_NAMED, gy_text_str(&svg), svg.n);
    int error = errno;
    gy_text_free(&svg);
    return good ? 0 : gy_complain(arguments, "cannot write %s: %s", path, strerror(error));
}

static void tell(const gy_arguments *arguments, const gy_loaded_model *subject,
                 const gy_structure *structure, gy_local_states *local)
{
    gy_text out = {0};
    if (gy_given(arguments, GY_OPT_JSON)) {
        json_t *report = gy_json_report("stats"),
               *facts = gy_structure_json(structure, subject->system);
        json_object_update(report, facts);
        json_decref(facts);
        if (local)
            json_object_set_new(report, "local_states", gy_structure_local_json(local));
        json_object_set_new(report, "model", gy_json_string(arguments->files[0]));
        json_object_set_new(report, "diagnostics", gy_json_diagnostics(subject->diags));
        gy_json_dump(report, &out, false);
    } else {
        gy_style style = gy_command_style(arguments);
        const char *end = gy_structure_end_text(structure->end);
        gy_text_printf(&out, "%s%s%s%s%s%s%s\n", style.strong, arguments->files[0], style.off,
                       end ? ": " : "", end ? style.unsure : "", end ? "incomplete: " : "",
                       end ? end : "");
        gy_text_add(&out, end ? style.off : "");
        gy_structure_text(structure, subject->system, &style, gy_given(arguments, GY_OPT_FULL),
                          &out);
        if (local)
            gy_structure_local_text(local, &style, &out);
    }
    gy_put(&out);
    gy_text_free(&out);
}

int gy_command_stats(const gy_arguments *arguments)
{
    gy_loaded_model subject;
    gy_user_error complaint = {0};
    gy_request *request = gy_request_for(arguments);
    if (!request)
        return GY_EXIT_WRONG;
    bool device = request->backend.number == GY_BACKEND_CUDA;
    int status = device ? gy_complain(arguments, "--backend cuda: a GPU finds errors "
                                                 "alone; gyre stats needs vm, native or auto")
                        : gy_read_for(arguments, request, &subject);
    if (status) {
        gy_request_free(request);
        return status;
    }
    static const gy_native_mode modes[] = {GY_NATIVE_AUTO, GY_NATIVE_OFF, GY_NATIVE_WAIT};
    double seconds = gy_given(arguments, GY_OPT_TIME) ? arguments->value[GY_OPT_TIME].seconds : 0;
    gy_watchdog *watchdog = gy_watchdog_start(arguments, seconds);
    if (subject.model && gy_has_c(subject.model))
        watchdog = gy_watchdog_heed(watchdog, arguments);
    gy_native_mode mode = modes[request->backend.set ? request->backend.number : GY_BACKEND_AUTO];
    if (!subject.system && !gy_loaded_model_start(&subject, mode, &complaint)) {
        status = gy_complain(arguments, "%s", gy_text_str(&complaint.message));
    } else {
        bool full = gy_given(arguments, GY_OPT_FULL) && subject.model;
        gy_local_states *local = full ? gy_local_states_new(subject.model) : NULL;
        gy_structure *structure = measure(subject.system, arguments, request, local);
        gy_watchdog_end(watchdog);
        watchdog = NULL;
        tell(arguments, &subject, structure, local);
        gy_local_states_free(local);
        if (gy_given(arguments, GY_OPT_SVG))
            status = write_svg(arguments, structure);
        if (!status && structure->end != GY_GRAPH_COMPLETE)
            status = GY_EXIT_INCONCLUSIVE;
        gy_structure_free(structure);
    }
    gy_watchdog_end(watchdog);
    gy_user_error_free(&complaint);
    gy_loaded_model_free(&subject);
    gy_request_free(request);
    return status;
}
