// Following a trail. Spin merges local statements into the one before them and then leaves
// them out of the trail, so a line may stand for several steps. Where a process must get to is
// identified by its own next line; if it has none, it goes on for as long as Spin would have
// merged.
#include "model/spin_numbers.h"
#include "exec/describe/naming.h"
#include "verify/trail/trail.h"

#include <ctype.h>
#include <limits.h>

typedef struct trail_line {
    uint32_t number; // in the file
    int32_t pid, transition;
    bool cycle; // the cycle begins before this line
} trail_line;

typedef struct walker {
    gy_path *path;
    const gy_model *model;
    GY_VEC(trail_line) lines;
    bool has_claim, merged;
    bool stops; // the cycle begins after the last line: the system has stopped
    gy_choices choices;
    gy_trail_problem *problem;
    gy_text *note;
} walker;

enum { MOST_MERGED = 100000 };

// ---- reading ------------------------------------------------------------------------

static bool read_number(const char **at, const char *end, int32_t *value)
{
    bool negative = *at < end && **at == '-';
    int64_t number = 0;
    const char *p = *at + negative, *start = p;
    for (; p < end && isdigit((unsigned char)*p) && number < INT_MAX; p++)
        number = number * 10 + (*p - '0');
    *value = (int32_t)(negative ? -number : number);
    *at = p;
    return p > start && number <= INT_MAX;
}

static bool parse_line(const char *at, const char *end, int32_t part[3])
{
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    if (at < end && *at == '!') // a failing statement: Spin stops before it, we do not
        at++;
    for (int i = 0; i < 3; i++) {
        if (i > 0 && (at == end || *at++ != ':'))
            return false;
        if (!read_number(&at, end, &part[i]))
            return false;
    }
    return at == end;
}

static bool refuse(walker *w, uint32_t line, const char *text)
{
    w->problem->line = line;
    gy_text_add(&w->problem->detail, text);
    return false;
}

static bool read_lines(walker *w, const char *text, size_t bytes)
{
    const char *at = text, *end = text + bytes;
    bool cycle = false;
    for (uint32_t number = 1; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop ? stop + 1 : end;
        int32_t part[3];
        bool blank = true;
        for (const char *p = at; p < (stop ? stop : end); p++)
            blank = blank && isspace((unsigned char)*p);
        if (!blank && !parse_line(at, stop ? stop : end, part))
            return refuse(w, number, "this is not a line of a trail (depth:process:transition)");
        at = next;
        if (blank)
            continue;
        if (part[0] == -1) {
            cycle = true;
        } else if (part[0] == -2) {
            w->has_claim = true;
        } else if (part[0] == -4) {
            w->merged = true;
        } else if (part[0] >= 0) {
            if (w->has_claim && part[1] == 0)
                continue; // a transition of the claim: it is no part of the system
            trail_line line = {number, part[1] - w->has_claim, part[2], cycle};
            cycle = false;
            gy_vec_push(&w->lines, line);
        }
    }
    w->stops = cycle;
    return true;
}

// ---- following ------------------------------------------------------------------------

// Where a process is, or NULL if it does not live.
static const gy_node *node_of(const walker *w, int32_t pid)
{
    const gy_path_state *last = gy_path_last(w->path);
    const gy_node *node = NULL;
    gy_state_view *view = gy_alloc(sizeof *view);
    gy_state_view_state(w->path->worker, last->state, last->words, view);
    if (pid >= 0 && (uint32_t)pid < view->process_count) {
        const gy_state_view_process *process = &view->processes[pid];
        node = &w->model->templates[process->tmpl].nodes[process->node];
    }
    free(view);
    return node;
}

static bool offers(const walker *w, const gy_node *node, int32_t transition)
{
    for (int32_t i = 0; node && i < node->edge_count; i++)
        if (gy_spin_transition(w->model, node->first_edge + i) == transition)
            return true;
    return false;
}

static bool reads_or_writes_shared(const gy_model *model, const gy_edge *edge)
{
    for (uint32_t i = 0; i < edge->touch_count; i++) {
        const gy_touch *touch = &edge->touches[i];
        if (touch->kind != GY_TOUCH_VAR || model->vars[touch->var].owner == GY_NONE)
            return true;
    }
    return false;
}

// Does an edge lead back to where this one starts? (Nodes are numbered in the order of the text.)
static bool starts_at_loop_head(const gy_model *model, const gy_edge *edge)
{
    const gy_template *tmpl = &model->templates[edge->tmpl];
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++)
        if (model->edges[e].to == edge->from && model->edges[e].from >= edge->from)
            return true;
    return false;
}

// Would Spin merge the only statement at this node into the one before it? (In Spin's source:
// eligible.)
static bool may_follow(const walker *w, const gy_node *node, bool atomic)
{
    if (!node || node->edge_count != 1 || node->label)
        return false;
    const gy_edge *edge = &w->model->edges[node->first_edge];
    return edge->kind == GY_EDGE_NORMAL && !edge->guard && edge->sync == GY_SYNC_NONE &&
           !edge->is_d_step && (atomic || !reads_or_writes_shared(w->model, edge)) &&
           !starts_at_loop_head(w->model, edge);
}

static bool has_rendezvous(const gy_model *model)
{
    for (uint32_t c = 0; c < model->channel_type_count; c++)
        if (model->channel_types[c].capacity == 0)
            return true;
    return false;
}

// Would Spin merge anything into this statement? (canfill_in, FSM_MERGER)
static bool may_lead(const walker *w, const gy_edge *edge, bool atomic)
{
    if (edge->kind != GY_EDGE_NORMAL || edge->is_d_step || edge->escape > 0 ||
        (edge->sync == GY_SYNC_SEND && has_rendezvous(w->model)))
        return false;
    return atomic || edge->keeps_atomic || !reads_or_writes_shared(w->model, edge);
}

// The only step that process pid can take by itself, or NULL.
static const gy_path_state *only_choice(walker *w, int32_t pid)
{
    const gy_path_state *found = NULL;
    gy_path_choices(w->path, &w->choices);
    for (size_t i = 0; i < w->choices.list.n; i++) {
        if (w->choices.list.at[i].step.pid != pid)
            continue;
        if (found)
            return NULL;
        found = &w->choices.list.at[i];
    }
    return found && found->step.partner < 0 ? found : NULL;
}

// The statements that were merged into line i, which was executed as `edge`.
static void take_merged(walker *w, size_t i, int32_t edge, bool atomic)
{
    int32_t pid = w->lines.at[i].pid;
    size_t next = i + 1;
    while (next < w->lines.n && w->lines.at[next].pid != pid)
        next++;
    if (next == w->lines.n && !may_lead(w, &w->model->edges[edge], atomic))
        return;
    for (int n = 0; n < MOST_MERGED; n++) {
        const gy_path_state *last = gy_path_last(w->path);
        if (last->fault)
            return;
        const gy_node *node = node_of(w, pid);
        if (next < w->lines.n ? offers(w, node, w->lines.at[next].transition)
                              : !may_follow(w, node, last->exclusive == pid))
            return;
        const gy_path_state *step = only_choice(w, pid);
        if (!step)
            return;
        gy_path_take(w->path, step);
    }
}

// Takes the step of line i (and, for a rendezvous, of the line after it: *used is 2 then).
static bool take_line(walker *w, size_t i, size_t *used)
{
    const trail_line *line = &w->lines.at[i];
    const trail_line *second = i + 1 < w->lines.n ? &w->lines.at[i + 1] : NULL;
    gy_path_choices(w->path, &w->choices);
    for (size_t c = 0; c < w->choices.list.n; c++) {
        const gy_step *step = &w->choices.list.at[c].step;
        if (step->pid != line->pid || gy_spin_transition(w->model, step->edge) != line->transition)
            continue;
        // An event that violates a trace assertion ends Spin's trail between the two halves.
        bool half = !second && w->choices.list.at[c].fault;
        if (step->partner >= 0 && !half &&
            (!second || second->pid != step->partner ||
             gy_spin_transition(w->model, step->partner_edge) != second->transition))
            continue;
        *used = step->partner >= 0 && !half ? 2 : 1;
        gy_path_take(w->path, &w->choices.list.at[c]);
        return true;
    }
    return false;
}

static void explain(walker *w, const trail_line *line)
{
    gy_text *out = &w->problem->detail;
    const gy_node *node = node_of(w, line->pid);
    w->problem->line = line->number;
    gy_text_printf(out, "process %d cannot take transition %d here: ", line->pid, line->transition);
    if (!node) {
        gy_text_add(out, "no such process exists");
    } else if (offers(w, node, line->transition)) {
        gy_text_add(out, "it is blocked");
    } else {
        gy_text_add(out, "it is at ");
        gy_name_place(w->model, node->place, out);
        gy_text_add(out, ", which has no such statement");
    }
    gy_text_printf(out,
                   " (after %llu steps; is this the trail of another model or of an older "
                   "version of it?)",
                   (unsigned long long)gy_path_steps(w->path));
}

// Spin writes a line too many at the end of two kinds of trails: its breadth-first search at an
// invalid end state, and any search when an event violates a trace assertion (the line twice).
static bool is_surplus(walker *w, size_t i)
{
    const gy_path_state *last = gy_path_last(w->path);
    if (i + 1 < w->lines.n)
        return false;
    if (gy_fault_row_of(w->path->system, last->fault)->traits & GY_FAULT_OF_EVENTS)
        return true;
    if (last->fault || w->choices.list.n > 0 || !node_of(w, w->lines.at[i].pid))
        return false;
    gy_text_printf(w->note,
                   "line %u of the trail, its last, cannot be executed: no process is enabled "
                   "(Spin's breadth-first search adds such a line)",
                   w->lines.at[i].number);
    return true;
}

static bool walk(walker *w)
{
    for (size_t i = 0, used; i < w->lines.n; i += used) {
        if (w->lines.at[i].cycle)
            w->path->cycle_start = (int64_t)gy_path_steps(w->path);
        if (!take_line(w, i, &used)) {
            if (is_surplus(w, i))
                return true;
            explain(w, &w->lines.at[i]);
            return false;
        }
        if (w->merged) {
            gy_step step = gy_path_last(w->path)->step;
            bool atomic = gy_path_before_last(w->path)->exclusive == step.pid;
            take_merged(w, i, step.edge, atomic);
            if (used == 2)
                take_merged(w, i + 1, step.partner_edge, false);
        }
    }
    return true;
}

bool gy_trail_walk(gy_path *path, const char *trail, size_t bytes, gy_trail_problem *problem,
                   gy_text *note)
{
    walker w = {.path = path, .model = path->system->model, .problem = problem, .note = note};
    bool fits = gy_path_start(path, 0);
    if (!fits)
        refuse(&w, 0, "the model has no initial state");
    fits = fits && read_lines(&w, trail, bytes) && walk(&w);
    if (fits && w.stops)
        path->cycle_start = (int64_t)gy_path_steps(path);
    gy_vec_free(&w.lines);
    gy_choices_free(&w.choices);
    return fits;
}
