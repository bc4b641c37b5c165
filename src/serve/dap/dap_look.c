// Threads and their frames: where each process is, and why it is blocked.
#include "serve/dap/adapter.h"

#include "report/json.h"
#include "exec/describe/blocked.h"

enum { STATEMENT_COLUMNS = 60 };

static bool do_threads(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    json_t *list = json_array();
    (void)arguments, (void)problem;
    if (adapter->stage == GY_DAP_WALKS) {
        gy_decoded_state *scene = gy_alloc(sizeof *scene);
        gy_debuggee_scene(&adapter->debuggee, scene);
        for (uint32_t p = 0; p < scene->view.process_count; p++) {
            gy_text name = {0};
            gy_name_scene_process(scene, (int32_t)p, &name);
            json_array_append_new(
                list, json_pack("{s:i, s:o}", "id", (int)p + 1, "name", gy_json_take(&name)));
        }
        free(scene);
    }
    if (json_array_size(list) == 0)
        json_array_append_new(list, json_pack("{s:i, s:s}", "id", GY_DAP_NO_PROCESS, "name",
                                              adapter->stage == GY_DAP_VERIFIES ? "verification"
                                              : adapter->stage == GY_DAP_WALKS
                                                  ? "no process exists"
                                                  : "nothing was launched yet"));
    json_object_set_new(body, "threads", list);
    return true;
}

// ---- frames -------------------------------------------------------------------------------

static int32_t edge_of(const gy_step *step, int32_t pid)
{
    return step->pid == pid ? step->edge : step->partner == pid ? step->partner_edge : -1;
}

// The statement that a process is to execute next, or waits at.
static int32_t edge_before(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid,
                           bool *moves)
{
    gy_debuggee *d = &adapter->debuggee;
    const gy_path_state *next = gy_debuggee_next(d), *now = gy_debuggee_now(d);
    const gy_choices *choices = gy_cursor_choices(&d->cursor);
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_node *node = &scene->model->templates[process->tmpl].nodes[process->node];
    int32_t edge = next ? edge_of(&next->step, pid) : -1;
    *moves = edge >= 0;
    for (size_t i = 0; edge < 0 && i < choices->list.n; i++) {
        edge = edge_of(&choices->list.at[i].step, pid);
        *moves = edge >= 0;
    }
    // What went wrong is shown, not what would come after it.
    if (now->fault && now->fault_pid == pid && now->fault_edge >= 0)
        return now->fault_edge;
    return edge >= 0 ? edge : node->edge_count > 0 ? node->first_edge : -1;
}

bool gy_dap_prospect(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid, int32_t *edge,
                     gy_text *out)
{
    const gy_path_state *now = gy_debuggee_now(&adapter->debuggee);
    bool moves;
    *edge = edge_before(adapter, scene, pid, &moves);
    if (now->fault && now->fault_pid == pid) {
        gy_text_add(out, now->message
                             ? now->message
                             : gy_fault_row_of(adapter->debuggee.path->system, now->fault)->name);
    } else if (moves) {
        gy_name_next(&scene->model->edges[*edge], STATEMENT_COLUMNS, out);
    } else if (now->exclusive >= 0 && now->exclusive != pid) {
        gy_text_add(out, "waits for ");
        gy_name_scene_process(scene, now->exclusive, out);
        gy_text_add(out, ", which executes an atomic sequence");
    } else {
        gy_why_blocked(scene, pid, out);
        if (gy_may_rest(scene, pid))
            gy_text_add(out, " (valid end state)");
    }
    return moves;
}

static json_t *frame_json(const gy_adapter *adapter, int64_t id, gy_text *name,
                          const gy_location_info *place)
{
    const gy_model *model = adapter->debuggee.subject.model;
    json_t *frame =
        json_pack("{s:I, s:o, s:I, s:I}", "id", (json_int_t)id, "name", gy_json_take(name), "line",
                  (json_int_t)gy_dap_line(adapter, place->line), "column",
                  (json_int_t)gy_dap_column(adapter, place));
    if (place->line)
        json_object_set_new(frame, "source",
                            gy_dap_source(gy_source_name(model->sources, place->file)));
    return frame;
}

// The innermost frame is where the statement is; inlines that were called on the path there have
// frames of their own, the outermost is the process.
static json_t *frames_of(gy_adapter *adapter, int32_t pid)
{
    const gy_model *model = adapter->debuggee.subject.model;
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(&adapter->debuggee, scene);
    const gy_state_view_process *process = &scene->view.processes[pid];
    gy_text prospect = {0}, name = {0};
    int32_t edge;
    bool moves = gy_dap_prospect(adapter, scene, pid, &edge, &prospect);
    gy_location place = edge >= 0 ? model->edges[edge].place
                                  : model->templates[process->tmpl].nodes[process->node].place;
    json_t *frames = json_array();
    gy_location_info calls[GY_DAP_FRAMES - 2], info = {0};
    uint32_t count = gy_location_calls(model->sources, place, calls, GY_DAP_FRAMES - 2);
    if (place)
        info = gy_location_user(model->sources, place);
    for (uint32_t depth = 0; depth <= count; depth++) {
        if (depth < count)
            gy_text_printf(&name, "%s()", calls[depth].via ? calls[depth].via : "inline");
        else
            gy_name_scene_process(scene, pid, &name);
        if (depth == 0)
            gy_text_printf(&name, "%s %s", moves ? ":" : "", gy_text_str(&prospect));
        json_array_append_new(frames, frame_json(adapter, (int64_t)pid * GY_DAP_FRAMES + depth + 1,
                                                 &name, depth ? &calls[depth - 1] : &info));
    }
    gy_text_free(&prospect);
    free(scene);
    return frames;
}

static bool do_stack_trace(gy_adapter *adapter, const json_t *arguments, json_t *body,
                           gy_text *problem)
{
    int32_t pid;
    int64_t start = 0, levels = 0;
    if (!gy_dap_thread(adapter, arguments, &pid, problem) ||
        !gy_dap_number(arguments, "startFrame", 0, INT32_MAX, &start, problem) ||
        !gy_dap_number(arguments, "levels", 0, INT32_MAX, &levels, problem))
        return false;
    json_t *all = pid < 0 ? json_array() : frames_of(adapter, pid), *some = json_array(), *frame;
    size_t i, first = (size_t)start, end = levels ? (size_t)(start + levels) : SIZE_MAX;
    json_array_foreach(all, i, frame)
    {
        if (i >= first && i < end)
            json_array_append(some, frame);
    }
    json_object_set_new(body, "totalFrames", json_integer((json_int_t)json_array_size(all)));
    json_object_set_new(body, "stackFrames", some);
    json_decref(all);
    return true;
}

static bool do_exception_info(gy_adapter *adapter, const json_t *arguments, json_t *body,
                              gy_text *problem)
{
    const gy_stop *stop = &adapter->stop;
    (void)arguments;
    const gy_debuggee *debuggee = &adapter->debuggee;
    const char *id =
        stop->kind == GY_STOP_ASSERTION  ? "assertion"
        : stop->kind == GY_STOP_DEADLOCK ? "invalid-end-state"
        : stop->kind == GY_STOP_ERROR
            ? gy_fault_row_of(debuggee->path->system, gy_debuggee_now(debuggee)->fault)->name
            : NULL;
    if (!id)
        return gy_dap_refuse(problem, "nothing went wrong here");
    json_object_set_new(body, "exceptionId", json_string(id));
    json_object_set_new(body, "description", gy_json_string(gy_text_str(&stop->text)));
    json_object_set_new(body, "breakMode", json_string("always"));
    return true;
}

static bool do_loaded_sources(gy_adapter *adapter, const json_t *arguments, json_t *body,
                              gy_text *problem)
{
    const gy_sources *sources = adapter->debuggee.subject.model->sources;
    json_t *list = json_array();
    (void)arguments, (void)problem;
    for (uint32_t i = 0; i < gy_sources_count(sources); i++)
        if (gy_source_name(sources, i)[0] != '<') // what was typed is no file
            json_array_append_new(list, gy_dap_source(gy_source_name(sources, i)));
    json_object_set_new(body, "sources", list);
    return true;
}

const gy_dap_command gy_dap_look_commands[] = {
    {"threads", do_threads, GY_DAP_ANY},
    {"stackTrace", do_stack_trace, GY_DAP_STANDING},
    {"exceptionInfo", do_exception_info, GY_DAP_STANDING},
    {"loadedSources", do_loaded_sources, GY_DAP_MODEL},
    {0},
};
