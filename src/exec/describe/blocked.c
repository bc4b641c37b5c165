#include "exec/describe/blocked.h"

#include "base/vec.h"
#include "model/operators.h"

typedef struct value_list {
    const gy_decoded_state *scene;
    int32_t pid;
    gy_text *out;
    GY_VEC(char *) seen; // the clauses written so far, so that none is said twice
} value_list;

static bool evaluate(const gy_decoded_state *scene, int32_t pid, const gy_expr *expr,
                     int32_t *value)
{
    return gy_state_view_eval(scene->worker, scene->state, scene->words, pid, expr, value);
}

static void say_once(value_list *list, gy_text *clause)
{
    for (size_t i = 0; i < list->seen.n; i++) {
        if (strcmp(list->seen.at[i], gy_text_str(clause)) == 0) {
            gy_text_free(clause);
            return;
        }
    }
    if (list->seen.n > 0)
        gy_text_add(list->out, ", ");
    gy_text_add(list->out, gy_text_str(clause));
    gy_vec_push(&list->seen, gy_text_take(clause));
}

static void say_variable(value_list *list, const gy_expr *expr)
{
    const gy_variable *var = &list->scene->model->vars[expr->var];
    int32_t index = 0, value, pid = list->pid;
    gy_text clause = {0};
    if (!evaluate(list->scene, list->pid, expr, &value))
        return;
    const gy_expr *at = expr->op == GY_E_REMOTE_VAR ? expr->b : expr->a;
    if (at && !evaluate(list->scene, list->pid, at, &index))
        return;
    if (expr->op == GY_E_REMOTE_VAR) {
        gy_text_add(&clause, gy_template_name(&list->scene->model->templates[expr->tmpl]));
        if (expr->a && evaluate(list->scene, list->pid, expr->a, &pid))
            gy_text_printf(&clause, "(%d)", pid);
        gy_text_char(&clause, ':');
    }
    gy_variable_name(var, (uint32_t)index, &clause);
    gy_text_add(&clause, " = ");
    gy_value_text(list->scene, var->type, value, &clause);
    say_once(list, &clause);
}

static void say_system(value_list *list, const gy_expr *expr, const char *what)
{
    int32_t value;
    gy_text clause = {0};
    if (!evaluate(list->scene, list->pid, expr, &value))
        return;
    gy_text_printf(&clause, "%s = %d", what, value);
    say_once(list, &clause);
}

static void say_channel(value_list *list, const gy_expr *expr)
{
    int32_t identity;
    gy_text clause = {0};
    if (!evaluate(list->scene, list->pid, expr->a, &identity))
        return;
    if (identity <= 0 || (uint32_t)identity > list->scene->view.channel_count) {
        gy_text_add(&clause, "the channel is not initialised");
    } else {
        uint32_t channel = (uint32_t)identity - 1;
        gy_name_channel(list->scene, channel, &clause);
        gy_text_add(&clause, list->scene->view.channels[channel].length ? " holds " : " is ");
        gy_channel_text(list->scene, channel, &clause);
    }
    say_once(list, &clause);
}

static void say_location(value_list *list, const gy_expr *expr)
{
    const gy_decoded_state *scene = list->scene;
    int32_t pid = -1;
    if (expr->a) {
        if (!evaluate(scene, list->pid, expr->a, &pid))
            return;
    } else {
        for (uint32_t p = 0; p < scene->view.process_count; p++)
            if (scene->view.processes[p].tmpl == expr->tmpl)
                pid = (int32_t)p;
    }
    gy_text clause = {0};
    if (pid < 0 || (uint32_t)pid >= scene->view.process_count) {
        gy_text_printf(&clause, "%s is not running",
                       gy_template_name(&scene->model->templates[expr->tmpl]));
    } else {
        const gy_state_view_process *process = &scene->view.processes[pid];
        gy_name_scene_process(scene, pid, &clause);
        gy_text_add(&clause, " is at ");
        gy_name_place(scene->model,
                      scene->model->templates[process->tmpl].nodes[process->node].place, &clause);
    }
    say_once(list, &clause);
}

static void say_values(value_list *list, const gy_expr *expr)
{
    if (!expr || list->seen.n >= 12)
        return;
    if (gy_op_asks_channel(expr->op)) {
        say_channel(list, expr);
        return;
    }
    switch (expr->op) {
    case GY_E_VAR:
    case GY_E_REMOTE_VAR:
        if (list->scene->model->vars[expr->var].type.kind != GY_CHAN)
            say_variable(list, expr);
        break;
    case GY_E_REMOTE_LABEL:
        say_location(list, expr);
        return;
    case GY_E_NR_PR:
        say_system(list, expr, "_nr_pr");
        return;
    case GY_E_LAST:
        say_system(list, expr, "_last");
        return;
    case GY_E_PID:
        say_system(list, expr, "_pid");
        return;
    default:
        break;
    }
    say_values(list, expr->a);
    say_values(list, expr->b);
    say_values(list, expr->c);
}

void gy_why_values(const gy_decoded_state *scene, int32_t pid, const gy_expr *expr, gy_text *out)
{
    value_list list = {.scene = scene, .pid = pid, .out = out};
    say_values(&list, expr);
    for (size_t i = 0; i < list.seen.n; i++)
        free(list.seen.at[i]);
    gy_vec_free(&list.seen);
}

static const gy_node *node_of(const gy_decoded_state *scene, int32_t pid)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    return &scene->model->templates[process->tmpl].nodes[process->node];
}

bool gy_may_rest(const gy_decoded_state *scene, int32_t pid)
{
    const gy_expr *rests = scene->model->templates[scene->view.processes[pid].tmpl].rests;
    int32_t value;
    return (node_of(scene, pid)->flags & (GY_NODE_END | GY_NODE_FINAL)) != 0 ||
           (rests &&
            gy_state_view_eval(scene->worker, scene->state, scene->words, GY_NONE, rests, &value) &&
            value);
}

// A condition without the parentheses around all of it.
static void say_condition(const char *text, gy_text *out)
{
    gy_text line = {0};
    gy_name_statement(text, 60, &line);
    const char *at = gy_text_str(&line);
    size_t n = strlen(at);
    int depth = 0;
    bool around = n > 2 && at[0] == '(' && at[n - 1] == ')';
    for (size_t i = 0; around && i + 1 < n; i++) {
        depth += (at[i] == '(') - (at[i] == ')');
        around = depth > 0;
    }
    gy_text_bytes(out, around ? at + 1 : at, around ? n - 2 : n);
    gy_text_free(&line);
}

// Is a guard the reason that this edge cannot fire?
static bool guard_fails(const gy_decoded_state *scene, int32_t pid, const gy_expr *guard)
{
    int32_t value;
    return guard && (!evaluate(scene, pid, guard, &value) || value == 0);
}

static void why_sync(const gy_decoded_state *scene, int32_t pid, const gy_edge *edge, gy_text *out)
{
    bool send = edge->sync == GY_SYNC_SEND;
    int32_t identity;
    gy_text_add(out, send ? "waits to send: " : "waits to receive: ");
    gy_name_statement(edge->text, 60, out);
    if (!evaluate(scene, pid, edge->chan, &identity) || identity <= 0 ||
        (uint32_t)identity > scene->view.channel_count) {
        gy_text_add(out, " (the channel is not initialised)");
        return;
    }
    uint32_t channel = (uint32_t)identity - 1;
    const gy_state_view_channel *live = &scene->view.channels[channel];
    uint32_t capacity = scene->model->channel_types[live->type].capacity;
    gy_text_add(out, " (");
    if (capacity == 0) {
        gy_text_add(out, send ? "no process is ready to receive from "
                              : "no process is ready to send to ");
        gy_name_channel(scene, channel, out);
    } else {
        gy_name_channel(scene, channel, out);
        if (send && live->length >= capacity)
            gy_text_printf(out, " is full: ");
        else if (live->length == 0)
            gy_text_add(out, " is ");
        else
            gy_text_add(out, " holds ");
        gy_channel_text(scene, channel, out);
    }
    gy_text_char(out, ')');
}

// Another process with a higher priority keeps this one from executing.
static bool outranked(const gy_decoded_state *scene, int32_t pid)
{
    if (!scene->model->uses_priority)
        return false;
    for (uint32_t p = 0; p < scene->view.process_count; p++)
        if (scene->view.processes[p].priority > scene->view.processes[pid].priority)
            return true;
    return false;
}

static void why_edge(const gy_decoded_state *scene, int32_t pid, const gy_edge *edge, gy_text *out)
{
    if (edge->kind == GY_EDGE_END) {
        gy_text_add(out, "has terminated and waits for ");
        gy_name_scene_process(scene, (int32_t)scene->view.process_count - 1, out);
        gy_text_add(out, " to terminate first");
        return;
    }
    if (edge->needs_timeout && !edge->sync) {
        gy_text_add(out, "waits for ");
        gy_name_statement(edge->text, 60, out);
        return;
    }
    if (edge->sync != GY_SYNC_NONE && !guard_fails(scene, pid, edge->guard)) {
        why_sync(scene, pid, edge, out);
        return;
    }
    if (!edge->guard && edge->sync == GY_SYNC_NONE && outranked(scene, pid)) {
        gy_text_add(out, "waits for a process of higher priority");
        return;
    }
    gy_text values = {0};
    gy_text_add(out, "waits for ");
    say_condition(edge->text, out);
    gy_why_values(scene, pid, edge->guard, &values);
    if (values.n > 0)
        gy_text_printf(out, " (%s)", gy_text_str(&values));
    gy_text_free(&values);
}

void gy_why_blocked(const gy_decoded_state *scene, int32_t pid, gy_text *out)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &scene->model->templates[process->tmpl];
    const gy_node *node = node_of(scene, pid);
    if (guard_fails(scene, pid, tmpl->provided)) {
        gy_text values = {0};
        gy_text_add(out, "its `provided` clause does not hold");
        gy_why_values(scene, pid, tmpl->provided, &values);
        if (values.n > 0)
            gy_text_printf(out, " (%s)", gy_text_str(&values));
        gy_text_free(&values);
        return;
    }
    size_t start = out->n;
    for (int32_t i = 0; i < node->edge_count; i++) {
        const gy_edge *edge = &scene->model->edges[node->first_edge + i];
        if (edge->kind == GY_EDGE_ELSE)
            continue;
        gy_text clause = {0};
        why_edge(scene, pid, edge, &clause);
        bool said = out->n > start && strstr(gy_text_str(out) + start, gy_text_str(&clause));
        if (!said && out->n > start)
            gy_text_add(out, "; or ");
        bool enough = !said && out->n - start > 400;
        if (!said)
            gy_text_add(out, enough ? "…" : gy_text_str(&clause));
        gy_text_free(&clause);
        if (enough)
            break;
    }
    if (out->n == start)
        gy_text_add(out, "has nothing left to do");
}

static const char *code_of_sync(const gy_decoded_state *scene, int32_t pid, const gy_edge *edge)
{
    int32_t identity;
    if (!evaluate(scene, pid, edge->chan, &identity) || identity <= 0 ||
        (uint32_t)identity > scene->view.channel_count)
        return "channel";
    const gy_state_view_channel *live = &scene->view.channels[identity - 1];
    if (scene->model->channel_types[live->type].capacity == 0)
        return "rendezvous";
    return edge->sync == GY_SYNC_SEND ? "send" : "receive";
}

static const char *code_of(const gy_decoded_state *scene, int32_t pid, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END)
        return "process-end";
    if (edge->needs_timeout && !edge->sync)
        return "timeout";
    if (edge->sync != GY_SYNC_NONE && !guard_fails(scene, pid, edge->guard))
        return code_of_sync(scene, pid, edge);
    if (!edge->guard && edge->sync == GY_SYNC_NONE && outranked(scene, pid))
        return "priority";
    return "condition";
}

uint32_t gy_why_codes(const gy_decoded_state *scene, int32_t pid, const char *codes[GY_WHY_CODES])
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_node *node = node_of(scene, pid);
    uint32_t count = 0;
    if (guard_fails(scene, pid, scene->model->templates[process->tmpl].provided))
        codes[count++] = "provided";
    for (int32_t i = 0; i < node->edge_count && count < GY_WHY_CODES; i++) {
        const gy_edge *edge = &scene->model->edges[node->first_edge + i];
        if (edge->kind == GY_EDGE_ELSE)
            continue;
        codes[count++] = code_of(scene, pid, edge);
        for (uint32_t k = 0; k + 1 < count; k++)
            if (codes[k] == codes[count - 1]) {
                count--;
                break;
            }
    }
    if (count == 0)
        codes[count++] = "done";
    return count;
}
