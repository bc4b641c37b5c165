#include "report/steps/ending.h"

#include "report/json.h"
#include "report/steps/values.h"
#include "verify/tell/why.h"

gy_ending gy_ending_of(const gy_path *path, const gy_choices *choices, bool empty_channels)
{
    const gy_moment *last = gy_path_last(path);
    if (last->fault)
        return GY_ENDING_FAULT;
    if (choices->list.n > 0)
        return GY_ENDING_OPEN;
    if (!gy_is_end_state(path->worker, last->state, last->words, empty_channels))
        return GY_ENDING_DEADLOCK;
    if (path->system->model) {
        gy_view *view = gy_alloc(sizeof *view);
        gy_view_state(path->worker, last->state, last->words, view);
        uint32_t alive = view->process_count;
        free(view);
        return alive == 0 ? GY_ENDING_FINISHED : GY_ENDING_REST;
    }
    return GY_ENDING_REST;
}

const char *gy_ending_name(gy_ending ending)
{
    static const char *const names[] = {
        [GY_ENDING_FAULT] = "fault",     [GY_ENDING_DEADLOCK] = "invalid-end-state",
        [GY_ENDING_REST] = "end-state",  [GY_ENDING_FINISHED] = "finished",
        [GY_ENDING_OPEN] = "not-at-end",
    };
    return names[ending];
}

static bool can_move(const gy_choices *choices, int32_t pid, const gy_moment **first)
{
    for (size_t i = 0; i < choices->list.n; i++) {
        if (choices->list.at[i].step.pid == pid || choices->list.at[i].step.partner == pid) {
            *first = &choices->list.at[i];
            return true;
        }
    }
    return false;
}

static void say_reason(const gy_path *path, gy_ending ending, bool empty_channels,
                       const gy_style *style, gy_text *out)
{
    const gy_moment *last = gy_path_last(path);
    switch (ending) {
    case GY_ENDING_FAULT:
        gy_text_printf(out, "%s%s%s\n", style->bad, last->message, style->off);
        if (path->system->model && last->fault_edge >= 0) {
            const gy_edge *edge = &path->system->model->edges[last->fault_edge];
            gy_text_add(out, "  in ");
            gy_name_process(path->system->model, edge->tmpl, last->fault_pid, out);
            gy_text_add(out, ", ");
            gy_name_place(path->system->model, edge->place, out);
            gy_text_add(out, ": ");
            gy_name_statement(edge->text, 0, out);
            gy_text_char(out, '\n');
        }
        break;
    case GY_ENDING_DEADLOCK:
        gy_text_printf(out,
                       "%sinvalid end state%s: no process can move, but not every one may "
                       "stop where it is%s\n",
                       style->bad, style->off, empty_channels ? " with all channels empty" : "");
        break;
    case GY_ENDING_REST:
        gy_text_add(out, "No process can move; every one of them may stop where it is.\n");
        break;
    case GY_ENDING_FINISHED:
        gy_text_add(out, "All processes have ended.\n");
        break;
    case GY_ENDING_OPEN:
        break;
    }
}

// What keeps a process that can't move, or what it does next.
static void say_prospect(const gy_scene *scene, int32_t pid, const gy_choices *choices,
                         const gy_moment *last, gy_text *out)
{
    const gy_view_process *process = &scene->view.processes[pid];
    const gy_node *node = &scene->model->templates[process->tmpl].nodes[process->node];
    const gy_moment *next = NULL;
    if (can_move(choices, pid, &next)) {
        int32_t edge = next->step.pid == pid ? next->step.edge : next->step.partner_edge;
        gy_text_add(out, "can go on: ");
        gy_name_statement(scene->model->edges[edge].text, 60, out);
    } else if (last->stuck) {
        if (node->edge_count > 0) {
            gy_text_add(out, "at: ");
            gy_name_statement(scene->model->edges[node->first_edge].text, 60, out);
        }
    } else if (last->exclusive >= 0 && last->exclusive != pid &&
               can_move(choices, last->exclusive, &next)) {
        gy_text_add(out, "waits for ");
        gy_name_scene_process(scene, last->exclusive, out);
        gy_text_add(out, ", which is inside an atomic sequence");
    } else {
        gy_why_blocked(scene, pid, out);
        if (gy_may_rest(scene, pid))
            gy_text_add(out, " (may stop here)");
    }
}

static void say_process(const gy_scene *scene, int32_t pid, const gy_choices *choices,
                        const gy_moment *last, size_t name_width, size_t place_width,
                        const gy_style *style, gy_text *out)
{
    const gy_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &scene->model->templates[process->tmpl];
    gy_text text = {0};
    gy_name_scene_process(scene, pid, &text);
    gy_text_printf(out, "  %s", style->name);
    gy_pad(out, gy_text_str(&text), name_width + 2);
    gy_text_add(out, style->off);
    gy_text_clear(&text);
    gy_name_place_short(scene->model, tmpl->nodes[process->node].place, &text);
    gy_text_add(out, style->faint);
    gy_pad(out, gy_text_str(&text), place_width + 2);
    gy_text_add(out, style->off);
    gy_text_clear(&text);
    say_prospect(scene, pid, choices, last, out);
    gy_text_char(out, '\n');
    gy_values_locals(scene, pid, &text);
    if (text.n > 0) {
        gy_blanks(out, name_width + 4);
        gy_text_printf(out, "%s%s%s\n", style->faint, gy_text_str(&text), style->off);
    }
    gy_text_free(&text);
}

static void say_processes(const gy_scene *scene, const gy_choices *choices, const gy_moment *last,
                          const gy_style *style, gy_text *out)
{
    size_t name_width = 0, place_width = 0;
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        const gy_view_process *process = &scene->view.processes[p];
        gy_text text = {0};
        gy_name_scene_process(scene, (int32_t)p, &text);
        if (text.n > name_width)
            name_width = gy_columns(gy_text_str(&text));
        gy_text_clear(&text);
        gy_name_place_short(
            scene->model, scene->model->templates[process->tmpl].nodes[process->node].place, &text);
        if (text.n > place_width)
            place_width = gy_columns(gy_text_str(&text));
        gy_text_free(&text);
    }
    for (uint32_t p = 0; p < scene->view.process_count; p++)
        say_process(scene, (int32_t)p, choices, last, name_width, place_width, style, out);
}

void gy_ending_text(const gy_path *path, const gy_choices *choices, bool empty_channels,
                    const gy_style *style, gy_text *out)
{
    const gy_moment *last = gy_path_last(path);
    gy_ending ending = gy_ending_of(path, choices, empty_channels);
    say_reason(path, ending, empty_channels, style, out);
    if (!last->state)
        return;
    if (!path->system->model) {
        char *text = gy_state_text(path->worker, last->state, last->words);
        gy_text_printf(out, "\nLast state\n%s\n", text ? text : "");
        gy_free(text);
        return;
    }
    gy_scene *scene = gy_alloc(sizeof *scene);
    gy_text values = {0};
    gy_scene_open(scene, path->worker, last->state, last->words);
    gy_values_globals(scene, 2, &values);
    if (values.n > 0 || scene->view.process_count > 0)
        gy_text_printf(out, "\n%s%s%s\n", style->strong,
                       last->stuck ? "State before the failing statement" : "Last state",
                       style->off);
    gy_text_add(out, gy_text_str(&values));
    gy_text_free(&values);
    say_processes(scene, choices, last, style, out);
    free(scene);
}

static json_t *process_json(const gy_scene *scene, int32_t pid, const gy_choices *choices,
                            bool stuck)
{
    const gy_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &scene->model->templates[process->tmpl];
    const gy_moment *next;
    gy_place_info place = gy_place_user(scene->model->sources, tmpl->nodes[process->node].place);
    json_t *item = json_object();
    json_object_set_new(item, "process", gy_json_string(gy_template_name(tmpl)));
    json_object_set_new(item, "pid", json_integer(pid));
    json_object_set_new(item, "file",
                        gy_json_string(tmpl->nodes[process->node].place
                                           ? gy_source_name(scene->model->sources, place.file)
                                           : scene->model->name));
    json_object_set_new(item, "line", json_integer(place.line));
    json_object_set_new(item, "locals", gy_values_json(scene, pid));
    bool moves = can_move(choices, pid, &next);
    json_object_set_new(item, "can_move", json_boolean(moves));
    json_object_set_new(item, "may_rest", json_boolean(gy_may_rest(scene, pid)));
    if (!moves && !stuck) {
        gy_text text = {0};
        gy_why_blocked(scene, pid, &text);
        json_object_set_new(item, "waits", gy_json_take(&text));
    }
    return item;
}

json_t *gy_ending_json(const gy_path *path, const gy_choices *choices, bool empty_channels)
{
    const gy_moment *last = gy_path_last(path);
    gy_ending ending = gy_ending_of(path, choices, empty_channels);
    json_t *item = json_object();
    json_object_set_new(item, "ending", json_string(gy_ending_name(ending)));
    if (ending == GY_ENDING_FAULT) {
        json_object_set_new(item, "kind", json_string(gy_fault_name(last->fault)));
        json_object_set_new(item, "message", gy_json_string(last->message));
    }
    if (!path->system->model || !last->state)
        return item;
    gy_scene *scene = gy_alloc(sizeof *scene);
    json_t *processes = json_array();
    gy_scene_open(scene, path->worker, last->state, last->words);
    json_object_set_new(item, "globals", gy_values_json(scene, -1));
    json_object_set_new(item, "channels", gy_channels_json(scene));
    for (uint32_t p = 0; p < scene->view.process_count; p++)
        json_array_append_new(processes, process_json(scene, (int32_t)p, choices, last->stuck));
    json_object_set_new(item, "processes", processes);
    free(scene);
    return item;
}
