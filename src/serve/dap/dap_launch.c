// From a launch to a path: the request that it makes, the model that is loaded.
#include "serve/dap/adapter.h"

#include "base/file.h"
#include "load/load.h"
#include "report/json.h"
#include "verify/stages.h"

#include <stdio.h>

// ---- the request that a launch makes ------------------------------------------------------

char *gy_dap_path(const gy_adapter *adapter, const char *path)
{
    gy_text made = {0};
    if (*path != '/' && adapter->folder)
        gy_text_printf(&made, "%s/", adapter->folder);
    gy_text_add(&made, path);
    return gy_text_take(&made);
}

static bool set(gy_request *request, const char *option, const char *value, gy_text *problem)
{
    gy_text_clear(problem);
    return gy_request_put(request, option, value, problem);
}

// A setting that is a text, a number, true, or several of them.
static bool put_option(gy_request *request, const char *name, const json_t *value, gy_text *problem)
{
    char number[64];
    size_t i;
    json_t *item;
    if (gy_request_knows(name) && !gy_setting_may(name, GY_BY_EDITOR))
        return gy_dap_refuse(problem, "--%s cannot be set %s", name, gy_set_by_text(GY_BY_EDITOR));
    if (json_is_false(value) || json_is_null(value))
        return true;
    if (json_is_true(value))
        return set(request, name, NULL, problem);
    if (json_is_string(value))
        return set(request, name, json_string_value(value), problem);
    if (json_is_number(value)) {
        if (json_is_integer(value))
            snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        else
            snprintf(number, sizeof number, "%g", json_real_value(value));
        return set(request, name, number, problem);
    }
    if (!json_is_array(value))
        return gy_dap_refuse(problem, "the option `%s` must be a text, a number or true", name);
    json_array_foreach(value, i, item)
    {
        if (!json_is_string(item) || !set(request, name, json_string_value(item), problem))
            return gy_text_str(problem)[0]
                       ? false
                       : gy_dap_refuse(problem, "`%s` must be a list of texts", name);
    }
    return true;
}

static bool put_list(gy_adapter *adapter, gy_request *request, const json_t *arguments,
                     const char *name, const char *option, gy_text *problem)
{
    const json_t *list = json_object_get(arguments, name);
    size_t i;
    json_t *item;
    if (!list || json_is_null(list))
        return true;
    if (!json_is_array(list))
        return gy_dap_refuse(problem, "`%s` must be a list of texts", name);
    json_array_foreach(list, i, item)
    {
        if (!json_is_string(item))
            return gy_dap_refuse(problem, "`%s` must be a list of texts", name);
        bool is_folder = strcmp(option, "I") == 0;
        char *path = is_folder ? gy_dap_path(adapter, json_string_value(item)) : NULL;
        bool good = set(request, option, path ? path : json_string_value(item), problem);
        free(path);
        if (!good)
            return false;
    }
    return true;
}

static bool put_property(gy_request *request, const json_t *arguments, gy_text *problem)
{
    static const char *const kinds[] = {"safety", "liveness", "progress", "deadlock"};
    const char *property = gy_dap_text(arguments, "property");
    if (!property || !*property)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], property) == 0)
            return set(request, "check", property, problem);
    return set(request, "ltl", property, problem);
}

static bool fill_request(gy_adapter *adapter, gy_request *request, const json_t *arguments,
                         gy_text *problem)
{
    const char *name;
    json_t *value, *options = json_object_get(arguments, "options");
    bool c = adapter->options.embedded_c || gy_dap_truth(arguments, "embeddedC", false);
    if (options && !json_is_object(options) && !json_is_null(options))
        return gy_dap_refuse(problem, "`options` must be an object");
    json_object_foreach(options, name, value)
    {
        if (!put_option(request, name, value, problem))
            return false;
    }
    return put_list(adapter, request, arguments, "defines", "D", problem) &&
           put_list(adapter, request, arguments, "includes", "I", problem) &&
           put_property(request, arguments, problem) &&
           (!gy_dap_truth(arguments, "lossy", false) || set(request, "lossy", NULL, problem)) &&
           (c || set(request, "no-c", NULL, problem));
}

// ---- loading ------------------------------------------------------------------------------

void gy_dap_unload(gy_adapter *adapter)
{
    // Breakpoints and filters are the client's: they outlive what they are set in.
    gy_breakpoints kept = adapter->debuggee.breakpoints;
    unsigned stops = adapter->debuggee.stops;
    gy_verification_free(adapter->verification);
    adapter->verification = NULL;
    gy_request_free(adapter->request);
    adapter->request = NULL;
    free(adapter->folder);
    adapter->folder = NULL;
    adapter->debuggee.breakpoints = (gy_breakpoints){0};
    gy_debuggee_free(&adapter->debuggee);
    for (size_t i = 0; i < kept.list.n; i++)
        kept.list.at[i].hits = 0;
    adapter->debuggee.breakpoints = kept;
    adapter->debuggee.stops = stops;
    adapter->stage = GY_DAP_NEW;
    gy_forest_clear(&adapter->forest);
    adapter->globals = adapter->channels = NULL;
    adapter->trees.n = 0;
    adapter->targets.n = 0;
}

// What reading has found, to the console; the first error is the problem.
static void tell_diagnostics(gy_adapter *adapter, const gy_loaded_model *subject, gy_text *problem)
{
    gy_text text = {0};
    for (size_t i = 0; problem->n == 0 && i < gy_diags_count(subject->diags); i++) {
        const gy_diag *diag = gy_diags_at(subject->diags, i);
        if (diag->severity != GY_ERROR)
            continue;
        if (diag->place) {
            const gy_sources *sources = gy_diags_sources(subject->diags);
            gy_location_info info = gy_location_user(sources, diag->place);
            gy_text_printf(problem, "%s:%u: ", gy_base_name(gy_source_name(sources, info.file)),
                           info.line);
        }
        gy_text_add(problem, diag->message);
    }
    gy_diags_print(subject->diags, &text, false);
    if (text.n > 0)
        gy_dap_say(adapter, "stderr", "%s", gy_text_str(&text));
    gy_text_free(&text);
}

static void say(void *user, const char *text, bool prints)
{
    gy_dap_say(user, prints ? "stdout" : "console", "%s", text);
}

static bool load(gy_adapter *adapter, gy_text *problem)
{
    gy_loaded_model subject = {0};
    gy_user_error complaint = {0};
    // Before its code may run.
    bool good = !gy_is_shared_object(adapter->request->path) ||
                gy_refuse(&complaint, "a shared object has no statements to step through");
    good = good && gy_loaded_model_read_safely(&subject, adapter->request, &complaint);
    if (subject.diags)
        tell_diagnostics(adapter, &subject, problem);
    good = good && gy_loaded_model_start(&subject, GY_NATIVE_OFF, &complaint);
    if (good) {
        gy_debuggee_init(&adapter->debuggee, &subject);
        adapter->debuggee.say = say;
        adapter->debuggee.say_user = adapter;
    } else if (complaint.message.n > 0) {
        gy_dap_refuse(problem, "%s", gy_text_str(&complaint.message));
    } else if (problem->n == 0) {
        gy_dap_refuse(problem, "the model cannot be used");
    }
    if (good)
        gy_text_clear(problem); // of warnings
    gy_loaded_model_free(&subject);
    gy_user_error_free(&complaint);
    return good;
}

static bool follow(gy_adapter *adapter, const char *name, gy_text *problem)
{
    gy_file_rules rules = {.most_bytes = 256u << 20, .regular_only = true};
    gy_file file;
    gy_text note = {0};
    gy_user_error complaint = {0};
    char *path = gy_dap_path(adapter, name);
    bool good = gy_file_read(path, &rules, &file);
    if (!good) {
        gy_dap_refuse(problem, "cannot read %s: %s", path, file.problem);
        free(path);
        return false;
    }
    good = gy_debuggee_follow(&adapter->debuggee, file.text, file.bytes, &note, &complaint);
    if (!good)
        gy_dap_refuse(problem, "%s: %s", path, gy_text_str(&complaint.message));
    else if (note.n > 0)
        gy_dap_say(adapter, "console", "note: %s\n", gy_text_str(&note));
    gy_file_free(&file);
    gy_text_free(&note);
    gy_user_error_free(&complaint);
    free(path);
    return good;
}

static bool simulate(gy_adapter *adapter, const json_t *arguments, gy_text *problem)
{
    int64_t seed = 1, most = 0;
    gy_user_error complaint = {0};
    if (!gy_dap_number(arguments, "seed", 0, INT64_MAX, &seed, problem) ||
        !gy_dap_number(arguments, "maxSteps", 1, INT64_MAX, &most, problem))
        return false;
    if (most)
        adapter->debuggee.most_steps = (uint64_t)most;
    bool good = gy_debuggee_simulate(&adapter->debuggee, (uint64_t)seed, &complaint);
    if (!good)
        gy_dap_refuse(problem, "%s", gy_text_str(&complaint.message));
    gy_user_error_free(&complaint);
    return good;
}

static bool prepare(gy_adapter *adapter, const json_t *arguments, gy_text *problem)
{
    const char *program = gy_dap_text(arguments, "program"),
               *folder = gy_dap_text(arguments, "cwd");
    const char *trail = gy_dap_text(arguments, "trail");
    int64_t which = 1;
    if (!program || !*program)
        return gy_dap_refuse(problem, "`program` must name a model");
    if (!gy_dap_number(arguments, "counterexample", 1, INT32_MAX, &which, problem))
        return false;
    if ((trail != NULL) + gy_dap_truth(arguments, "simulate", false) +
            (gy_dap_text(arguments, "property") != NULL) >
        1)
        return gy_dap_refuse(problem, "only one of `trail`, `simulate` and `property` is possible");
    adapter->folder = folder ? gy_dap_path(adapter, folder) : NULL;
    adapter->request = gy_request_new();
    char *path = gy_dap_path(adapter, program);
    gy_request_file(adapter->request, path);
    free(path);
    if (!fill_request(adapter, adapter->request, arguments, problem) || !load(adapter, problem))
        return false;
    if (trail)
        return follow(adapter, trail, problem);
    return !gy_dap_truth(arguments, "simulate", false) || simulate(adapter, arguments, problem);
}

// Breakpoints that were set before there was a model have their places now.
static void tell_breakpoints(gy_adapter *adapter)
{
    for (size_t i = 0; i < adapter->debuggee.breakpoints.list.n; i++) {
        const gy_breakpoint *b = &adapter->debuggee.breakpoints.list.at[i];
        json_t *told = json_pack("{s:i, s:b}", "id", b->id, "verified", b->problem == NULL);
        if (b->at)
            json_object_set_new(told, "line", json_integer(gy_dap_line(adapter, b->at)));
        if (b->problem)
            json_object_set_new(told, "message", gy_json_string(b->problem));
        gy_dap_event(adapter, "breakpoint",
                     json_pack("{s:s, s:o}", "reason", "changed", "breakpoint", told));
    }
}

static bool do_launch(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    (void)body;
    if (adapter->stage != GY_DAP_NEW)
        return gy_dap_refuse(problem, "something was launched before");
    if (!prepare(adapter, arguments, problem)) {
        gy_dap_unload(adapter);
        return false;
    }
    adapter->launch = json_deep_copy(arguments);
    adapter->stage = GY_DAP_LOADED;
    tell_breakpoints(adapter);
    gy_dap_event(adapter, "initialized", NULL);
    return true;
}

static bool do_attach(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    (void)adapter, (void)arguments, (void)body;
    return gy_dap_refuse(problem, "there is nothing to attach to: a model is launched");
}

static bool do_restart(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    const json_t *given = json_object_get(arguments, "arguments");
    json_t *launch = json_deep_copy(json_is_object(given) ? given : adapter->launch);
    (void)body;
    if (!launch || adapter->verification || !adapter->configured) {
        json_decref(launch);
        return gy_dap_refuse(problem, adapter->verification ? "the verification is still running"
                                                            : "there is nothing to restart");
    }
    gy_dap_unload(adapter);
    for (size_t i = 0; i < adapter->debuggee.breakpoints.list.n; i++) {
        gy_breakpoint *b = &adapter->debuggee.breakpoints.list.at[i];
        free(b->problem); // of the model as it was
        b->problem = NULL;
    }
    json_decref(adapter->launch);
    adapter->launch = launch;
    if (!prepare(adapter, launch, problem)) {
        gy_dap_unload(adapter);
        adapter->stage = GY_DAP_OVER;
        gy_dap_event(adapter, "terminated", NULL);
        return false;
    }
    adapter->stage = GY_DAP_LOADED;
    tell_breakpoints(adapter);
    gy_dap_begin(adapter);
    return true;
}

const gy_dap_command gy_dap_launch_commands[] = {
    {"launch", do_launch, GY_DAP_ANY},
    {"attach", do_attach, GY_DAP_ANY},
    {"restart", do_restart, GY_DAP_ANY},
    {0},
};
