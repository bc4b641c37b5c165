// Requests of our own, for clients that know Gyre: the steps of the path, choices, whole states.
#include "serve/dap/adapter.h"

#include "base/new_file.h"
#include "report/json.h"
#include "report/steps/counterexample_text.h"
#include "exec/describe/blocked.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdio.h>

static void set_position(const gy_adapter *adapter, json_t *body)
{
    const gy_debuggee *d = &adapter->debuggee;
    int64_t cycle = d->path->cycle_start;
    json_object_set_new(body, "step", json_integer((json_int_t)gy_debuggee_step(d)));
    json_object_set_new(body, "total", json_integer((json_int_t)gy_debuggee_total(d)));
    json_object_set_new(body, "guided", json_boolean(d->cursor.guided));
    json_object_set_new(body, "cycleStart", cycle < 0 ? json_null() : json_integer(cycle));
    json_object_set_new(body, "round", json_integer((json_int_t)d->round));
}

static json_t *actor_json(gy_explainer *teller, int32_t pid, int32_t edge)
{
    json_t *item = json_object();
    gy_actor actor = gy_tell_actor(teller, pid, edge);
    gy_actor_json(&actor, item);
    json_object_set_new(item, "threadId", json_integer(pid + 1));
    return item;
}

static bool do_choices(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    gy_debuggee *d = &adapter->debuggee;
    const gy_path_state *next = gy_debuggee_next(d);
    const gy_choices *choices = gy_cursor_choices(&d->cursor);
    json_t *list = json_array();
    gy_explainer teller;
    (void)arguments, (void)problem;
    gy_explainer_init(&teller, gy_arena_new(), d->path->system);
    for (size_t i = 0; i < choices->list.n; i++) {
        const gy_step *step = &choices->list.at[i].step;
        bool is_next = next && gy_same_step(step, &next->step);
        if (d->cursor.guided && !is_next)
            continue;
        json_t *item = actor_json(&teller, step->pid, step->edge);
        json_object_set_new(item, "id", json_integer((json_int_t)i + 1));
        json_object_set_new(item, "next", json_boolean(is_next));
        if (step->partner >= 0)
            json_object_set_new(item, "partner",
                                actor_json(&teller, step->partner, step->partner_edge));
        json_array_append_new(list, item);
    }
    gy_arena_free(teller.arena);
    set_position(adapter, body);
    json_object_set_new(body, "ahead",
                        json_integer((json_int_t)(gy_debuggee_total(d) - gy_debuggee_step(d))));
    json_object_set_new(body, "choices", list);
    return true;
}

static bool do_choose(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    int64_t id = 0;
    (void)body;
    return gy_dap_number(arguments, "id", 1, INT32_MAX, &id, problem) &&
           gy_dap_choose(adapter, (uint64_t)id, problem);
}

static bool do_goto_step(gy_adapter *adapter, const json_t *arguments, json_t *body,
                         gy_text *problem)
{
    int64_t step = -1;
    (void)body;
    if (!gy_dap_number(arguments, "step", 0, INT64_MAX, &step, problem))
        return false;
    return step < 0 ? gy_dap_refuse(problem, "`step` is missing")
                    : gy_dap_goto(adapter, (uint64_t)step, problem);
}

static bool do_state(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    gy_final final;
    gy_arena *arena = gy_tell_final_alone(adapter->debuggee.path, false, &final);
    (void)arguments, (void)problem;
    set_position(adapter, body);
    json_object_set_new(body, "state", gy_ending_json(&final));
    gy_arena_free(arena);
    return true;
}

static bool do_steps(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    enum { MOST = 100000 };
    int64_t start = 1, count = 1000;
    json_t *list = json_array();
    bool good = gy_dap_number(arguments, "start", 1, INT64_MAX / 2, &start, problem) &&
                gy_dap_number(arguments, "count", 1, MOST, &count, problem);
    for (int64_t n = start; good && n < start + count; n++) {
        gy_report_step told;
        gy_arena *arena = gy_debuggee_tell(&adapter->debuggee, (uint64_t)n, &told);
        if (!arena)
            break;
        json_array_append_new(list, gy_step_json(&told));
        gy_arena_free(arena);
    }
    set_position(adapter, body);
    json_object_set_new(body, "steps", list);
    return good;
}

static bool do_why(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    int32_t only = -1;
    if (json_object_get(arguments, "threadId") &&
        !gy_dap_thread(adapter, arguments, &only, problem))
        return false;
    json_t *list = json_array();
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(&adapter->debuggee, scene);
    for (int32_t p = 0; p < (int32_t)scene->view.process_count; p++) {
        gy_text text = {0}, name = {0};
        int32_t edge;
        if (only >= 0 && p != only)
            continue;
        bool moves = gy_dap_prospect(adapter, scene, p, &edge, &text);
        gy_name_scene_process(scene, p, &name);
        json_array_append_new(list, json_pack("{s:o, s:i, s:i, s:b, s:b, s:o}", "process",
                                              gy_json_take(&name), "pid", (int)p, "threadId",
                                              (int)p + 1, "canMove", moves, "mayRest",
                                              gy_may_rest(scene, p), "text", gy_json_take(&text)));
    }
    free(scene);
    json_object_set_new(body, "processes", list);
    return true;
}

static bool do_save_trail(gy_adapter *adapter, const json_t *arguments, json_t *body,
                          gy_text *problem)
{
    const char *name = gy_dap_text(arguments, "file");
    if (!name || !*name)
        return gy_dap_refuse(problem, "`file` is missing");
    char *path = gy_dap_path(adapter, name);
    if (gy_is_file_of(adapter->debuggee.subject.model, path)) {
        free(path);
        return gy_dap_refuse(problem, "this is a file of the model itself");
    }
    gy_text trail = {0};
    gy_trail_text(adapter->debuggee.path, &trail);
    bool good = gy_new_file_put(path, GY_NAMED, gy_text_str(&trail), trail.n);
    if (!good)
        gy_dap_refuse(problem, "cannot write %s: %s", path, strerror(errno));
    json_object_set_new(body, "steps",
                        json_integer((json_int_t)gy_debuggee_step(&adapter->debuggee)));
    gy_text_free(&trail);
    free(path);
    return good;
}

const gy_dap_command gy_dap_custom_commands[] = {
    {"gyre/choices", do_choices, GY_DAP_STANDING},      {"gyre/choose", do_choose, GY_DAP_STANDING},
    {"gyre/goto", do_goto_step, GY_DAP_STANDING},       {"gyre/state", do_state, GY_DAP_STANDING},
    {"gyre/steps", do_steps, GY_DAP_STANDING},          {"gyre/why", do_why, GY_DAP_STANDING},
    {"gyre/saveTrail", do_save_trail, GY_DAP_STANDING}, {0},
};
