// A session from its beginning to its end: what the adapter can do, finding what is stepped
// through, ending.
#include "serve/dap/adapter.h"

#include "report/json.h"

static const char progress_id[] = "verification";

// ---- initialize ---------------------------------------------------------------------------

static json_t *filter(const char *id, const char *label, const char *about, bool otherwise)
{
    return json_pack("{s:s, s:s, s:s, s:b}", "filter", id, "label", label, "description", about,
                     "default", otherwise);
}

static json_t *filters(void)
{
    json_t *list = json_array();
    json_array_append_new(
        list, filter("assertion", "Failed assertions", "Stops where an assertion fails", true));
    json_array_append_new(list,
                          filter("error", "Other run-time errors",
                                 "Stops at an index out of bounds, a division by zero …", true));
    json_array_append_new(
        list,
        filter("deadlock", "Invalid end states",
               "Stops where no process is enabled and one is not in a valid end state", true));
    json_array_append_new(
        list,
        filter("cycle", "The cycle of an infinite run",
               "Stops where it begins and where it closes; otherwise continue never stops", true));
    json_array_append_new(list, filter("choice", "Choices of a simulation",
                                       "Stops wherever several steps are possible", false));
    return list;
}

static bool do_initialize(gy_adapter *adapter, const json_t *arguments, json_t *body,
                          gy_text *problem)
{
    static const char *const abilities[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsLogPoints",
        "supportsDataBreakpoints",
        "supportsBreakpointLocationsRequest",
        "supportsEvaluateForHovers",
        "supportsStepBack",
        "supportsStepInTargetsRequest",
        "supportsGotoTargetsRequest",
        "supportsRestartRequest",
        "supportsExceptionInfoRequest",
        "supportsTerminateRequest",
        "supportsCancelRequest",
        "supportsDelayedStackTraceLoading",
        "supportsLoadedSourcesRequest",
        "supportsCompletionsRequest",
    };
    const char *format = gy_dap_text(arguments, "pathFormat");
    if (adapter->initialized)
        return gy_dap_refuse(problem, "`initialize` was sent before");
    if (format && strcmp(format, "path") != 0)
        return gy_dap_refuse(problem, "the only pathFormat that is understood is `path`");
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
        json_object_set_new(body, abilities[i], json_true());
    json_object_set_new(body, "exceptionBreakpointFilters", filters());
    adapter->initialized = true;
    adapter->lines_from_0 = !gy_dap_truth(arguments, "linesStartAt1", true);
    adapter->columns_from_0 = !gy_dap_truth(arguments, "columnsStartAt1", true);
    adapter->tells_progress = gy_dap_truth(arguments, "supportsProgressReporting", false);
    return true;
}

// ---- beginning ----------------------------------------------------------------------------

static void begin_walk(gy_adapter *adapter)
{
    adapter->stage = GY_DAP_WALKS;
    gy_debuggee_count_all(&adapter->debuggee);
    bool debugs = !gy_dap_truth(adapter->launch, "noDebug", false);
    if (!debugs) // a cycle has an end
        adapter->debuggee.stops |= GY_STOPS_CYCLE;
    if (debugs && gy_dap_truth(adapter->launch, "stopOnEntry", true))
        gy_dap_stop_now(adapter, GY_STOP_ENTRY, "the initial state");
    else
        gy_dap_go(adapter, GY_GO_ON, false, -1);
    // The first step may be one to stop before.
    adapter->debuggee.go.fresh = adapter->debuggee.goes;
}

void gy_dap_end(gy_adapter *adapter, int status)
{
    adapter->stage = GY_DAP_OVER;
    gy_dap_event(adapter, "exited", json_pack("{s:i}", "exitCode", status));
    gy_dap_event(adapter, "terminated", NULL);
}

static void begin_verification(gy_adapter *adapter)
{
    gy_request *request = adapter->request;
    adapter->request = NULL;
    adapter->stage = GY_DAP_VERIFIES;
    adapter->terminates = false;
    adapter->verification = gy_verification_start(request, adapter->wake[1]);
    if (!adapter->verification) {
        gy_dap_say(adapter, "stderr", "gyre: no thread for the verification\n");
        gy_dap_end(adapter, 4);
    } else if (adapter->tells_progress) {
        gy_dap_event(adapter, "progressStart",
                     json_pack("{s:s, s:s, s:b}", "progressId", progress_id, "title", "Verifying",
                               "cancellable", 1));
    }
}

void gy_dap_begin(gy_adapter *adapter)
{
    const json_t *launch = adapter->launch;
    if (gy_dap_text(launch, "trail") || gy_dap_truth(launch, "simulate", false))
        begin_walk(adapter);
    else
        begin_verification(adapter);
}

static bool do_configuration_done(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                  gy_text *problem)
{
    (void)arguments, (void)body;
    if (adapter->configured)
        return gy_dap_refuse(problem, "`configurationDone` was sent before");
    adapter->configured = true;
    gy_dap_begin(adapter);
    return true;
}

// ---- what the verification has found ------------------------------------------------------

static void tell_property(gy_adapter *adapter, const gy_property_outcome *property)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s: %s", property->name, gy_verdict_text(property->verdict));
    if (property->counterexample_count > 0) {
        const gy_counterexample *one = &property->counterexamples[0];
        gy_text_printf(&text, ", %s (%llu step%s)", one->title, (unsigned long long)one->length,
                       one->length == 1 ? "" : "s");
        if (one->explanation && *one->explanation)
            gy_text_printf(&text, "\n  %s", one->explanation);
    } else if (property->problem && *property->problem) {
        gy_text_printf(&text, ", %s", property->problem);
    }
    if (property->figures) {
        gy_text_add(&text, "\n  ");
        gy_text_count(&text, property->figures->states);
        gy_text_add(&text, " states");
        if (property->figures->limit_text && *property->figures->limit_text)
            gy_text_printf(&text, "; %s", property->figures->limit_text);
    }
    gy_dap_say(adapter, "console", "%s\n", gy_text_str(&text));
    gy_text_free(&text);
}

// The counterexample that was asked for. False: there is none such, or it cannot be followed.
static bool walk_through(gy_adapter *adapter, const gy_verified *verified)
{
    int64_t which = 1, n = 0;
    gy_text problem = {0}, note = {0};
    gy_user_error complaint = {0};
    gy_dap_number(adapter->launch, "counterexample", 1, INT32_MAX, &which, &problem);
    gy_text_free(&problem);
    for (size_t i = 0; i < verified->trails.list.n; i++) {
        const gy_found_trail *trail = &verified->trails.list.at[i];
        if (++n < which)
            continue;
        bool good =
            gy_debuggee_retrace(&adapter->debuggee, &verified->outcome->properties[trail->property]
                                                         .counterexamples[trail->counterexample]) ||
            gy_debuggee_follow(&adapter->debuggee, trail->text, trail->bytes, &note, &complaint);
        if (!good)
            gy_dap_say(adapter, "stderr", "gyre: %s\n", gy_text_str(&complaint.message));
        gy_text_free(&note);
        gy_user_error_free(&complaint);
        return good;
    }
    if (n > 0)
        gy_dap_say(adapter, "stderr", "gyre: no counterexample %lld, only %lld\n", (long long)which,
                   (long long)n);
    return false;
}

static void conclude(gy_adapter *adapter, const gy_verified *verified)
{
    static const int statuses[] = {
        [GY_HOLDS] = 0, [GY_VIOLATED] = 1, [GY_INCONCLUSIVE] = 3, [GY_BROKEN] = 2};
    const gy_outcome *outcome = verified->outcome;
    if (adapter->tells_progress)
        gy_dap_event(adapter, "progressEnd", json_pack("{s:s}", "progressId", progress_id));
    if (!outcome) {
        gy_dap_say(adapter, "stderr", "gyre: %s\n", gy_text_str(&verified->complaint.message));
        gy_dap_end(adapter, 2);
        return;
    }
    int status = outcome->internal ? 4 : statuses[outcome->verdict];
    if (verified->complaint.message.n > 0)
        gy_dap_say(adapter, "stderr", "gyre: %s\n", gy_text_str(&verified->complaint.message));
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++)
        if (strcmp(outcome->diagnostics[i].severity, "error") == 0)
            gy_dap_say(adapter, "stderr", "gyre: %s\n", outcome->diagnostics[i].message);
    for (int asked = 1; asked >= 0; asked--)
        for (uint32_t i = 0; i < outcome->property_count; i++)
            if (outcome->properties[i].asked == asked)
                tell_property(adapter, &outcome->properties[i]);
    if (adapter->terminates || gy_dap_truth(adapter->launch, "noDebug", false)) {
        gy_dap_end(adapter, status);
    } else if (walk_through(adapter, verified)) {
        begin_walk(adapter);
    } else {
        gy_dap_say(adapter, "console", "%s: %s; nothing to step through\n",
                   outcome->model ? outcome->model : "the model",
                   gy_verdict_text(outcome->verdict));
        gy_dap_end(adapter, status);
    }
}

void gy_dap_verification_news(gy_adapter *adapter)
{
    gy_text figures = {0};
    const gy_verified *verified = gy_verification_result(adapter->verification);
    if (verified) {
        conclude(adapter, verified);
        gy_verification_free(adapter->verification);
        adapter->verification = NULL;
    } else if (gy_verification_figures(adapter->verification, &figures) &&
               adapter->tells_progress) {
        gy_dap_event(adapter, "progressUpdate",
                     json_pack("{s:s, s:o}", "progressId", progress_id, "message",
                               gy_json_string(gy_text_str(&figures))));
    }
    gy_text_free(&figures);
}

// ---- ending -------------------------------------------------------------------------------

static bool do_cancel(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    const char *progress = gy_dap_text(arguments, "progressId");
    (void)body, (void)problem;
    if (progress && strcmp(progress, progress_id) == 0 && adapter->verification)
        gy_verification_stop(adapter->verification);
    return true; // what was asked before is answered already
}

static bool do_terminate(gy_adapter *adapter, const json_t *arguments, json_t *body,
                         gy_text *problem)
{
    (void)arguments, (void)body, (void)problem;
    adapter->debuggee.goes = false;
    adapter->terminates = true;
    if (adapter->verification)
        gy_verification_stop(adapter->verification); // its end is ours
    else if (adapter->stage != GY_DAP_OVER)
        gy_dap_end(adapter, 0);
    return true;
}

static bool do_disconnect(gy_adapter *adapter, const json_t *arguments, json_t *body,
                          gy_text *problem)
{
    (void)arguments, (void)body, (void)problem;
    adapter->done = true;
    return true;
}

const gy_dap_command gy_dap_session_commands[] = {
    {"initialize", do_initialize, GY_DAP_ANY},
    {"configurationDone", do_configuration_done, GY_DAP_MODEL},
    {"cancel", do_cancel, GY_DAP_ANY},
    {"terminate", do_terminate, GY_DAP_ANY},
    {"disconnect", do_disconnect, GY_DAP_ANY},
    {0},
};
