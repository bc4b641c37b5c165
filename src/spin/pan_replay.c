#include "spin/pan_replay.h"

#include "base/source.h"
#include "cli/command.h"
#include "model/spin_numbers.h"
#include "spin/pan_run.h"
#include "spin/spin_simulate.h"
#include "spin/trail_lines.h"
#include "verify/explain/explain.h"
#include "verify/trail/trail.h"

#include <stdio.h>

typedef struct replay {
    const gy_pan *pan;
    const gy_model *model;
    gy_path *path; // takes the steps of the guide one by one
    gy_trail_lines lines;
    long long number;
    int shift; // a claim is process 0
    gy_text out;
} replay;

// ---- one step -----------------------------------------------------------------------------

static void put_source(const replay *r, gy_location at, gy_text *out)
{
    gy_location_info place = gy_location_user(r->model->sources, at);
    gy_text_printf(out, "%s:%u", gy_source_name(r->model->sources, place.file), place.line);
}

static bool is_shown(const replay *r, int32_t pid)
{
    return !r->pan->silent && (r->pan->only_process < 0 || r->pan->only_process == pid + r->shift);
}

static void put_head(replay *r, int32_t pid, int32_t e)
{
    const gy_edge *edge = &r->model->edges[e];
    const gy_template *tmpl = &r->model->templates[edge->tmpl];
    const gy_node *node = &tmpl->nodes[edge->from];
    gy_text_printf(&r->out, "%3lld:\tproc %2d (%s) ", r->number, (int)pid + r->shift, tmpl->name);
    if (edge->kind == GY_EDGE_END) {
        gy_text_add(&r->out, "-:0 (state 0)\t[");
        return;
    }
    put_source(r, gy_pan_place(r->model, node), &r->out);
    gy_text_printf(&r->out, " (state %d)\t[", (int)r->model->spin->states[edge->tmpl][edge->from]);
}

// The values of a message: the number of its channel and its fields.
static void put_values(replay *r, const gy_message_event *moved, bool sends, gy_text *out)
{
    gy_decoded_state scene;
    const gy_path_state *last = gy_path_last(r->path);
    gy_arena *arena = gy_arena_new();
    uint32_t count, number = 0;
    gy_decoded_state_open(&scene, r->path->worker, last->state, last->words);
    const gy_channel_value *channels = gy_tell_channels(arena, &scene, &count);
    for (uint32_t i = 0; i < count && !number; i++)
        if (strcmp(channels[i].name, moved->channel) == 0)
            number = i + 1;
    gy_text_printf(out, "values: %u%c%s]\n", number, sends ? '!' : '?', moved->contents);
    gy_arena_free(arena);
}

static void put_half(replay *r, int32_t pid, int32_t e, const gy_message_event *moved, bool sends)
{
    const char *name = r->model->templates[r->model->edges[e].tmpl].name;
    if (!is_shown(r, pid))
        return;
    if (r->pan->columnated) {
        gy_text_printf(&r->out, "%lld: ", r->number);
        for (int i = 0; i < pid + r->shift; i++)
            gy_text_add(&r->out, "\t\t");
        gy_text_printf(&r->out, "%s(%d):[", name, (int)pid + r->shift);
    } else {
        if (r->pan->with_values && moved) {
            put_head(r, pid, e);
            put_values(r, moved, sends, &r->out);
        }
        put_head(r, pid, e);
    }
    gy_pan_statement(r->model, e, &r->out);
    gy_text_add(&r->out, "]\n");
}

// True: the transition has a line of its own; else it was merged into the one before.
static bool next_line(replay *r, int32_t pid, int32_t e)
{
    size_t next = r->lines.at;
    while (next < r->lines.list.n && r->lines.list.at[next].of_claim)
        next++;
    if (next == r->lines.list.n)
        return false;
    const gy_trail_line *line = &r->lines.list.at[next];
    if (line->process != pid || line->transition != gy_spin_transition(r->model, e))
        return false;
    r->number = line->number;
    r->lines.at = next + 1;
    return true;
}

static void put_fault(replay *r, const gy_path_state *moment)
{
    int32_t e = moment->fault_edge >= 0 ? moment->fault_edge : moment->step.edge;
    const char *text = r->model->spin->texts[e];
    size_t n = strlen(text);
    if (moment->fault == GY_FAULT_ASSERTION && n > strlen("assert()"))
        gy_text_printf(&r->out, "pan:1: assertion violated %.*s (at depth %lld)\n",
                       (int)(n - strlen("assert()")), text + strlen("assert("), r->number);
    else
        gy_text_printf(&r->out, "pan:1: %s (at depth %lld)\n", moment->message, r->number);
}

static void put_step(replay *r, const gy_path_state *moment)
{
    const gy_step *step = &moment->step;
    gy_report_step told;
    gy_arena *arena;
    bool own = next_line(r, step->pid, step->edge);
    gy_path_take(r->path, moment);
    const gy_path_state *taken = gy_path_last(r->path);
    for (uint32_t i = 0; i < taken->print_count; i++)
        gy_text_add(&r->out, taken->prints[i]);
    if (taken->fault) {
        put_fault(r, taken);
        return;
    }
    arena = gy_tell_step_alone(r->path, gy_path_steps(r->path), &told);
    if (own)
        put_half(r, step->pid, step->edge, told.moved, told.moved && told.moved->is_send);
    if (step->partner >= 0) {
        next_line(r, step->partner, step->partner_edge);
        put_half(r, step->partner, step->partner_edge, told.moved, false);
    }
    gy_arena_free(arena);
}

// ---- the last state -----------------------------------------------------------------------

static const char *type_name(gy_type_kind kind)
{
    switch (kind) {
    case GY_BIT:
    case GY_BOOL:
        return "bit";
    case GY_SHORT:
        return "short";
    case GY_INT:
        return "int";
    case GY_MTYPE:
        return "mtype";
    case GY_UNSIGNED:
        return "unsigned";
    case GY_CHAN:
        return "chan";
    default:
        return "byte";
    }
}

static void put_channel(replay *r, const gy_decoded_state *scene, const char *name, int32_t id)
{
    gy_arena *arena = gy_arena_new();
    uint32_t count;
    const gy_channel_value *channels = gy_tell_channels(arena, scene, &count);
    if (id > 0 && (uint32_t)id <= count) {
        const gy_channel_value *channel = &channels[id - 1];
        gy_text_printf(&r->out, "\tchan %s (=%d):\tlen %u:\t", name, (int)id,
                       (unsigned)channel->message_count);
        for (uint32_t m = 0; m < channel->message_count; m++) {
            size_t n = strlen(channel->messages[m]);
            gy_text_printf(&r->out, " [%.*s,],", (int)(n > 2 ? n - 2 : 0),
                           channel->messages[m] + 1);
        }
        gy_text_char(&r->out, '\n');
    }
    gy_arena_free(arena);
}

static void put_variable(replay *r, const gy_decoded_state *scene, int32_t v, int32_t pid,
                         const char **structure)
{
    const gy_variable *var = &r->model->vars[v];
    const char *dot = strrchr(var->name, '.'), *name = dot ? dot + 1 : var->name;
    if (dot &&
        (!*structure || strncmp(*structure, var->name, (size_t)(dot - var->name) + 1) != 0)) {
        gy_text_printf(&r->out, "\t(struct %.*s)\n", (int)(dot - var->name), var->name);
        *structure = var->name;
    }
    for (uint32_t i = 0; i < var->count; i++) {
        int32_t value = pid < 0 ? gy_state_view_global(r->model, scene->state, v, i)
                                : gy_state_view_local(r->model, scene->state, &scene->view,
                                                      (uint32_t)pid, v, i);
        char element[24] = "";
        if (var->is_array)
            snprintf(element, sizeof element, "[%u]", i);
        if (var->type.kind == GY_CHAN) {
            gy_text full = {0};
            gy_text_printf(&full, "%s%s", name, element);
            put_channel(r, scene, gy_text_str(&full), value);
            gy_text_free(&full);
        } else {
            gy_text_printf(&r->out, "\t%-6s %s%s:\t%d\n", type_name(var->type.kind), name, element,
                           (int)value);
        }
    }
}

static bool has_variables(const gy_model *model, int32_t owner)
{
    for (uint32_t v = 0; v < model->var_count; v++)
        if (model->vars[v].owner == owner && !model->vars[v].hidden)
            return true;
    return false;
}

static void put_variables(replay *r, const gy_decoded_state *scene, int32_t owner, int32_t pid)
{
    const char *structure = NULL;
    for (uint32_t v = 0; v < r->model->var_count; v++)
        if (r->model->vars[v].owner == owner && !r->model->vars[v].hidden)
            put_variable(r, scene, (int32_t)v, pid, &structure);
}

static void put_process(replay *r, const gy_decoded_state *scene, int32_t pid)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &r->model->templates[process->tmpl];
    const gy_node *node = &tmpl->nodes[process->node];
    gy_text_printf(&r->out, "%3lld:\tproc %d (%s)  ", r->number, (int)pid + r->shift, tmpl->name);
    put_source(r, gy_pan_place(r->model, node), &r->out);
    gy_text_printf(&r->out, " (state %2d)%s\n",
                   (int)r->model->spin->states[process->tmpl][process->node],
                   node->flags & (GY_NODE_END | GY_NODE_FINAL) ? "" : " (invalid end state)");
    for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        gy_text_add(&r->out, "\t\t");
        gy_pan_statement(r->model, e, &r->out);
        gy_text_char(&r->out, '\n');
    }
}

static void put_end(replay *r)
{
    const gy_path_state *last = gy_path_last(r->path);
    gy_decoded_state scene;
    gy_text_printf(&r->out, "spin: trail ends after %lld steps\n", r->number);
    gy_decoded_state_open(&scene, r->path->worker, last->state, last->words);
    int32_t count = (int32_t)scene.view.process_count;
    if (r->pan->only_process >= 0) {
        int32_t pid = (int32_t)r->pan->only_process - r->shift;
        if (pid >= 0 && pid < count)
            put_process(r, &scene, pid);
        return;
    }
    gy_text_printf(&r->out, "#processes %d:\n", (int)count);
    for (int32_t pid = 0; pid < count; pid++)
        put_process(r, &scene, pid);
    gy_text_add(&r->out, "global vars:\n");
    put_variables(r, &scene, GY_NONE, -1);
    for (int32_t pid = 0; pid < count; pid++) {
        int32_t tmpl = scene.view.processes[pid].tmpl;
        if (!has_variables(r->model, tmpl))
            continue;
        gy_text_printf(&r->out, "local vars proc %d (%s):\n", (int)pid + r->shift,
                       r->model->templates[tmpl].name);
        put_variables(r, &scene, tmpl, pid);
    }
}

// ---- all ----------------------------------------------------------------------------------

static int run(const gy_pan *pan, gy_loaded_model *subject)
{
    gy_text name = {0}, note = {0};
    gy_trail_problem problem = {0};
    size_t bytes;
    char *trail = gy_find_trail(pan, pan->replay_file, pan->replay_number, &name, &bytes);
    if (!trail) {
        if (pan->replay_file)
            printf("pan: cannot find %s\n", pan->replay_file);
        else
            puts("error: there are 0 trail files:\npan: rm or mv all except one");
        gy_text_free(&name);
        return 1;
    }
    replay r = {.pan = pan, .model = subject->model, .path = gy_path_new(subject->system)};
    gy_path *guide = gy_path_new(subject->system);
    gy_trail_lines_read(&r.lines, trail, bytes);
    r.shift = r.lines.claim >= 0;
    bool fits = gy_trail_walk(guide, trail, bytes, &problem, &note);
    gy_path_start(r.path, 0);
    for (size_t i = 1; i < guide->moments.n && !gy_path_last(r.path)->fault; i++) {
        if (guide->cycle_start == (int64_t)i - 1)
            gy_text_add(&r.out, "<<<<<START OF CYCLE>>>>>\n");
        put_step(&r, &guide->moments.at[i]);
        if (!gy_put(&r.out))
            break;
    }
    if (!fits)
        gy_text_printf(&r.out, "pan: Error, line %u of the trail: %s\n", problem.line,
                       gy_text_str(&problem.detail));
    if (r.lines.last > r.number)
        r.number = r.lines.last;
    if (gy_path_last(r.path)->fault)
        gy_path_undo(r.path); // pan stays before the statement that fails
    put_end(&r);
    gy_put(&r.out);
    gy_path_free(guide);
    gy_path_free(r.path);
    gy_vec_free(&r.lines.list);
    gy_text_free(&r.out);
    gy_text_free(&name);
    gy_text_free(&note);
    gy_text_free(&problem.detail);
    free(trail);
    return fits ? 0 : 1;
}

int gy_pan_replay(const gy_pan *pan)
{
    gy_request *request = gy_request_new();
    gy_loaded_model subject = {0};
    gy_user_error complaint = {0};
    int status = 1;
    if (gy_pan_read(pan, request, &subject)) {
        if (gy_loaded_model_start(&subject, GY_NATIVE_OFF, &complaint))
            status = run(pan, &subject);
        else
            printf("pan: %s\n", gy_text_str(&complaint.message));
    }
    gy_user_error_free(&complaint);
    gy_loaded_model_free(&subject);
    gy_request_free(request);
    return status;
}
