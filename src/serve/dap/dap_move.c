// Going on and back, and choosing what comes next.
#include "serve/dap/adapter.h"

#include "report/json.h"

// ---- stopping -----------------------------------------------------------------------------

static const char *reason_of(const gy_stop *stop)
{
    switch (stop->kind) {
    case GY_STOP_ENTRY:
        return "entry";
    case GY_STOP_STEP:
        return "step";
    case GY_STOP_GOTO:
        return "goto";
    case GY_STOP_BREAKPOINT:
        return stop->breakpoint_kind == GY_BREAK_LINE     ? "breakpoint"
               : stop->breakpoint_kind == GY_BREAK_CHANGE ? "data breakpoint"
                                                          : "function breakpoint";
    case GY_STOP_ASSERTION:
    case GY_STOP_ERROR:
    case GY_STOP_DEADLOCK:
        return "exception";
    default:
        return "pause";
    }
}

static const char *describe(const gy_stop *stop)
{
    switch (stop->kind) {
    case GY_STOP_ASSERTION:
        return "Assertion violated";
    case GY_STOP_ERROR:
        return "Run-time error";
    case GY_STOP_DEADLOCK:
        return "Invalid end state";
    case GY_STOP_CYCLE_START:
        return "The cycle begins";
    case GY_STOP_CYCLE_END:
        return "The cycle closes";
    case GY_STOP_CHOICE:
        return "Choice";
    case GY_STOP_START:
        return "The start";
    case GY_STOP_END:
        return "The end";
    case GY_STOP_LIMIT:
        return "Enough steps for now";
    case GY_STOP_PAUSE:
        return "Paused";
    default:
        return NULL;
    }
}

// Where the path is.
static json_t *position(const gy_adapter *adapter)
{
    const gy_debuggee *d = &adapter->debuggee;
    int64_t cycle = d->path->cycle_start;
    return json_pack("{s:I, s:I, s:o, s:I}", "step", (json_int_t)gy_debuggee_step(d), "total",
                     (json_int_t)gy_debuggee_total(d), "cycleStart",
                     cycle < 0 ? json_null() : json_integer(cycle), "round", (json_int_t)d->round);
}

// Run without debugging: breakpoints do not count, and the first end is the end.
static void end_run(gy_adapter *adapter)
{
    const gy_stop *stop = &adapter->stop;
    if (stop->kind == GY_STOP_BREAKPOINT || stop->kind == GY_STOP_CYCLE_START ||
        stop->kind == GY_STOP_CHOICE) {
        gy_dap_go(adapter, GY_GO_ON, false, -1);
        return;
    }
    if (stop->text.n > 0)
        gy_dap_say(adapter, "console", "step %llu: %s\n",
                   (unsigned long long)gy_debuggee_step(&adapter->debuggee),
                   gy_text_str(&stop->text));
    gy_dap_end(adapter, stop->kind >= GY_STOP_ASSERTION && stop->kind <= GY_STOP_CYCLE_END);
}

void gy_dap_stopped(gy_adapter *adapter)
{
    const gy_stop *stop = &adapter->stop;
    if (gy_dap_truth(adapter->launch, "noDebug", false)) {
        end_run(adapter);
        return;
    }
    int32_t pid = gy_debuggee_focus(&adapter->debuggee);
    json_t *body = json_pack("{s:s, s:i, s:b}", "reason", reason_of(stop), "threadId",
                             pid < 0 ? GY_DAP_NO_PROCESS : pid + 1, "allThreadsStopped", 1);
    adapter->debuggee.goes = false;
    gy_forest_clear(&adapter->forest);
    adapter->globals = adapter->channels = NULL;
    adapter->trees.n = 0;
    adapter->targets.n = 0;
    if (describe(stop))
        json_object_set_new(body, "description", json_string(describe(stop)));
    if (stop->text.n > 0)
        json_object_set_new(body, "text", gy_json_string(gy_text_str(&stop->text)));
    if (stop->breakpoint)
        json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", stop->breakpoint));
    if (stop->kind >= GY_STOP_ASSERTION && stop->text.n > 0)
        gy_dap_say(adapter, "console", "step %llu: %s\n",
                   (unsigned long long)gy_debuggee_step(&adapter->debuggee),
                   gy_text_str(&stop->text));
    gy_dap_event(adapter, "gyre/position", position(adapter));
    gy_dap_event(adapter, "stopped", body);
}

void gy_dap_stop_now(gy_adapter *adapter, gy_stop_kind kind, const char *text)
{
    gy_text_clear(&adapter->stop.text);
    gy_text_add(&adapter->stop.text, text);
    adapter->stop.kind = kind;
    adapter->stop.breakpoint = 0;
    gy_dap_stopped(adapter);
}

// ---- going --------------------------------------------------------------------------------

void gy_dap_go(gy_adapter *adapter, gy_go_kind kind, bool back, int32_t pid)
{
    adapter->stop.kind = GY_STOP_NONE;
    adapter->stop.breakpoint = 0;
    gy_debuggee_go(&adapter->debuggee, kind, back, pid);
}

static bool do_continue(gy_adapter *adapter, const json_t *arguments, json_t *body,
                        gy_text *problem)
{
    (void)arguments, (void)problem;
    json_object_set_new(body, "allThreadsContinued", json_true());
    gy_dap_go(adapter, GY_GO_ON, false, -1);
    return true;
}

static bool do_reverse_continue(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                gy_text *problem)
{
    (void)arguments, (void)body, (void)problem;
    gy_dap_go(adapter, GY_GO_ON, true, -1);
    return true;
}

static bool do_next(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    int32_t pid;
    (void)body;
    if (!gy_dap_thread(adapter, arguments, &pid, problem))
        return false;
    gy_dap_go(adapter, pid < 0 ? GY_GO_STEP : GY_GO_MOVED, false, pid);
    return true;
}

static bool do_step_in(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    int64_t target = 0;
    (void)body;
    if (!gy_dap_number(arguments, "targetId", 1, INT32_MAX, &target, problem))
        return false;
    if (target)
        return gy_dap_choose(adapter, (uint64_t)target, problem);
    gy_dap_go(adapter, GY_GO_STEP, false, -1);
    return true;
}

static bool do_step_out(gy_adapter *adapter, const json_t *arguments, json_t *body,
                        gy_text *problem)
{
    int32_t pid;
    (void)body;
    if (!gy_dap_thread(adapter, arguments, &pid, problem))
        return false;
    gy_dap_go(adapter, pid < 0 ? GY_GO_STEP : GY_GO_OUT, false, pid);
    return true;
}

static bool do_step_back(gy_adapter *adapter, const json_t *arguments, json_t *body,
                         gy_text *problem)
{
    (void)arguments, (void)body, (void)problem;
    gy_dap_go(adapter, GY_GO_STEP, true, -1);
    return true;
}

static bool do_pause(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    (void)arguments, (void)body;
    if (adapter->stage == GY_DAP_VERIFIES)
        return gy_dap_refuse(problem, "a verification cannot be paused: end it, or cancel it");
    if (adapter->debuggee.goes)
        gy_dap_stop_now(adapter, GY_STOP_PAUSE, "");
    return true; // else it is already, and has reported so
}

// ---- choosing -----------------------------------------------------------------------------

void gy_dap_name_step(const gy_model *model, const gy_step *step, gy_text *out)
{
    enum { COLUMNS = 60 };
    gy_name_process(model, model->edges[step->edge].tmpl, step->pid, out);
    gy_text_add(out, ": ");
    gy_name_statement(model->edges[step->edge].text, COLUMNS, out);
    if (step->partner < 0)
        return;
    gy_text_add(out, " → ");
    gy_name_process(model, model->edges[step->partner_edge].tmpl, step->partner, out);
    gy_text_add(out, ": ");
    gy_name_statement(model->edges[step->partner_edge].text, COLUMNS, out);
}

bool gy_dap_choose(gy_adapter *adapter, uint64_t number, gy_text *problem)
{
    gy_debuggee *d = &adapter->debuggee;
    const gy_path_state *next = gy_debuggee_next(d);
    size_t count = gy_cursor_choices(&d->cursor)->list.n;
    if (number < 1 || number > count)
        return gy_dap_refuse(problem, "no choice %llu here: there are %zu",
                             (unsigned long long)number, count);
    const gy_step *step = &gy_cursor_choices(&d->cursor)->list.at[number - 1].step;
    if (d->cursor.guided && !(next && gy_same_step(step, &next->step)))
        return gy_dap_refuse(problem, "this step is not part of the counterexample");
    // Chosen, it is what comes next; then it is taken as any other.
    if (!(next && gy_same_step(step, &next->step))) {
        if (!gy_debuggee_choose(d, (size_t)number - 1))
            return gy_dap_refuse(problem, "this step cannot be taken");
        d->drawn = gy_cursor_back(&d->cursor);
    }
    gy_dap_go(adapter, GY_GO_STEP, false, -1);
    return true;
}

bool gy_dap_goto(gy_adapter *adapter, uint64_t step, gy_text *problem)
{
    if (!gy_debuggee_jump(&adapter->debuggee, step))
        return gy_dap_refuse(problem, "the run has no step %llu", (unsigned long long)step);
    gy_dap_stop_now(adapter, GY_STOP_GOTO, "");
    return true;
}

static bool do_step_in_targets(gy_adapter *adapter, const json_t *arguments, json_t *body,
                               gy_text *problem)
{
    gy_debuggee *d = &adapter->debuggee;
    const gy_model *model = d->subject.model;
    const gy_path_state *next = gy_debuggee_next(d);
    const gy_choices *choices = gy_cursor_choices(&d->cursor);
    json_t *targets = json_array();
    (void)arguments, (void)problem;
    for (size_t i = 0; i < choices->list.n; i++) {
        const gy_step *step = &choices->list.at[i].step;
        if (d->cursor.guided && !(next && gy_same_step(step, &next->step)))
            continue;
        gy_text label = {0};
        gy_location_info place = gy_location_user(model->sources, model->edges[step->edge].place);
        gy_dap_name_step(model, step, &label);
        json_array_append_new(targets,
                              json_pack("{s:I, s:o, s:I, s:I}", "id", (json_int_t)i + 1, "label",
                                        gy_json_take(&label), "line",
                                        (json_int_t)gy_dap_line(adapter, place.line), "column",
                                        (json_int_t)gy_dap_column(adapter, &place)));
    }
    json_object_set_new(body, "targets", targets);
    return true;
}

// ---- going to a line ----------------------------------------------------------------------

static void add_target(gy_adapter *adapter, bool is_choice, uint64_t number, uint32_t line,
                       const gy_step *step, json_t *list)
{
    const gy_model *model = adapter->debuggee.subject.model;
    gy_dap_target target = {++adapter->last_target, is_choice, number};
    gy_text label = {0};
    if (is_choice)
        gy_text_add(&label, "take ");
    else
        gy_text_printf(&label, "before step %llu, ", (unsigned long long)number + 1);
    gy_dap_name_step(model, step, &label);
    gy_vec_push(&adapter->targets, target);
    json_array_append_new(list, json_pack("{s:I, s:o, s:I}", "id", (json_int_t)target.id, "label",
                                          gy_json_take(&label), "line",
                                          (json_int_t)gy_dap_line(adapter, line)));
}

static bool is_at(const gy_breakpoint *place, const gy_step *step)
{
    return place->edges &&
           (place->edges[step->edge] || (step->partner >= 0 && place->edges[step->partner_edge]));
}

// The nearest steps of the path there, forwards and backwards, and what could be chosen there.
static void add_targets(gy_adapter *adapter, const gy_breakpoint *place, json_t *list)
{
    gy_debuggee *d = &adapter->debuggee;
    uint64_t here = gy_debuggee_step(d), total = gy_debuggee_total(d);
    const gy_choices *choices = gy_cursor_choices(&d->cursor);
    const gy_path_state *moment;
    for (size_t i = 0; !d->cursor.guided && i < choices->list.n; i++)
        if (is_at(place, &choices->list.at[i].step))
            add_target(adapter, true, i + 1, place->at, &choices->list.at[i].step, list);
    for (uint64_t n = here + 1; n < total; n++) {
        moment = gy_cursor_moment(&d->cursor, n + 1);
        if (is_at(place, &moment->step)) {
            add_target(adapter, false, n, place->at, &moment->step, list);
            break;
        }
    }
    for (uint64_t n = here; n > 0; n--) {
        moment = gy_cursor_moment(&d->cursor, n);
        if (is_at(place, &moment->step)) {
            add_target(adapter, false, n - 1, place->at, &moment->step, list);
            break;
        }
    }
}

static bool do_goto_targets(gy_adapter *adapter, const json_t *arguments, json_t *body,
                            gy_text *problem)
{
    const char *file = gy_dap_text(json_object_get(arguments, "source"), "path");
    int64_t line = -1;
    if (!file || !*file)
        return gy_dap_refuse(problem, "`source` must have a `path`");
    if (!gy_dap_number(arguments, "line", 0, INT32_MAX, &line, problem))
        return false;
    if (line < 0)
        return gy_dap_refuse(problem, "`line` is missing");
    gy_breakpoints places = {0};
    gy_break_request wanted = {.file = file, .line = (uint32_t)line + adapter->lines_from_0};
    gy_breakpoint *place = gy_breakpoints_add(&places, GY_BREAKS_LINES, &wanted);
    gy_breakpoint_resolve(place, &adapter->debuggee.expressions);
    json_t *list = json_array();
    adapter->targets.n = 0;
    if (!place->problem)
        add_targets(adapter, place, list);
    gy_breakpoints_free(&places);
    json_object_set_new(body, "targets", list);
    return true;
}

static bool do_goto(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    int64_t id = 0;
    (void)body;
    if (!gy_dap_number(arguments, "targetId", 1, UINT32_MAX, &id, problem))
        return false;
    for (size_t i = 0; i < adapter->targets.n; i++) {
        gy_dap_target target = adapter->targets.at[i];
        if (target.id != id)
            continue;
        return target.is_choice ? gy_dap_choose(adapter, target.number, problem)
                                : gy_dap_goto(adapter, target.number, problem);
    }
    return gy_dap_refuse(problem, "no goto target %lld", (long long)id);
}

const gy_dap_command gy_dap_move_commands[] = {
    {"continue", do_continue, GY_DAP_STANDING},
    {"reverseContinue", do_reverse_continue, GY_DAP_STANDING},
    {"next", do_next, GY_DAP_STANDING},
    {"stepIn", do_step_in, GY_DAP_STANDING},
    {"stepOut", do_step_out, GY_DAP_STANDING},
    {"stepBack", do_step_back, GY_DAP_STANDING},
    {"stepInTargets", do_step_in_targets, GY_DAP_STANDING},
    {"gotoTargets", do_goto_targets, GY_DAP_STANDING},
    {"goto", do_goto, GY_DAP_STANDING},
    {"pause", do_pause, GY_DAP_MODEL},
    {0},
};
