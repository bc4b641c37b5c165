#include "serve/dap/breakpoints.h"

#include "base/file.h"
#include "base/number.h"

#include <ctype.h>
#include <stdio.h>

static char *copy(const char *text)
{
    return text ? strcpy(gy_alloc(strlen(text) + 1), text) : NULL;
}

static void release(gy_breakpoint *breakpoint)
{
    free(breakpoint->file);
    free(breakpoint->edges);
    free(breakpoint->name);
    free(breakpoint->condition);
    free(breakpoint->log);
    free(breakpoint->problem);
}

void gy_breakpoints_free(gy_breakpoints *breakpoints)
{
    for (size_t i = 0; i < breakpoints->list.n; i++)
        release(&breakpoints->list.at[i]);
    gy_vec_free(&breakpoints->list);
}

void gy_breakpoints_drop(gy_breakpoints *breakpoints, gy_break_group group, const char *file)
{
    size_t kept = 0;
    for (size_t i = 0; i < breakpoints->list.n; i++) {
        gy_breakpoint *b = &breakpoints->list.at[i];
        if (b->group == group && (group != GY_BREAKS_LINES || gy_is_same_file(b->file, file)))
            release(b);
        else
            breakpoints->list.at[kept++] = *b;
    }
    breakpoints->list.n = kept;
}

static bool say_problem(gy_breakpoint *b, const char *problem)
{
    if (!b->problem)
        b->problem = copy(problem);
    return false;
}

// "5", "== 5", ">= 5", "> 5", "% 5"
static void read_hits(gy_breakpoint *b, const char *text)
{
    static const struct {
        const char *sign;
        gy_hits_kind kind;
    } signs[] = {{"==", GY_HITS_EQ}, {"=", GY_HITS_EQ},  {">=", GY_HITS_GE},
                 {">", GY_HITS_GT},  {"%", GY_HITS_MOD}, {"", GY_HITS_EQ}};
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].sign);
        if (strncmp(text, signs[i].sign, n) != 0)
            continue;
        b->hits_kind = signs[i].kind;
        text += n;
        break;
    }
    text += strspn(text, " ");
    char number[32];
    snprintf(number, sizeof number, "%.*s", (int)strcspn(text, " "), text);
    if (!gy_number_count(number, &b->hits_number) || text[strcspn(text, " ")] ||
        (b->hits_kind == GY_HITS_MOD && b->hits_number == 0))
        say_problem(b, "a hit condition is a number, or >= N, > N, == N or % N");
}

// "send q", "receive q", "start P", or an expression.
static void read_name(gy_breakpoint *b, const char *text)
{
    static const struct {
        const char *word;
        gy_break_kind kind;
    } words[] = {{"send", GY_BREAK_SEND}, {"receive", GY_BREAK_RECEIVE}, {"start", GY_BREAK_START}};
    text += strspn(text, " \t");
    b->kind = GY_BREAK_TRUE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if (strncmp(text, words[i].word, n) != 0 || (text[n] && !isspace((unsigned char)text[n])))
            continue;
        b->kind = words[i].kind;
        text += n + strspn(text + n, " \t");
        break;
    }
    b->name = copy(text);
    for (size_t n = strlen(b->name); n > 0 && isspace((unsigned char)b->name[n - 1]); n--)
        b->name[n - 1] = '\0';
}

gy_breakpoint *gy_breakpoints_add(gy_breakpoints *breakpoints, gy_break_group group,
                                  const gy_break_request *request)
{
    gy_breakpoint made = {.id = ++breakpoints->last_id,
                          .group = group,
                          .file = copy(request->file),
                          .line = request->line,
                          .condition = copy(request->condition),
                          .log = copy(request->log)};
    if (group == GY_BREAKS_FUNCTIONS)
        read_name(&made, request->name);
    else if (group == GY_BREAKS_DATA)
        made.kind = GY_BREAK_CHANGE, made.name = copy(request->name);
    if (request->hits && *request->hits)
        read_hits(&made, request->hits);
    if (made.condition && !made.condition[strspn(made.condition, " \t")]) {
        free(made.condition);
        made.condition = NULL;
    }
    gy_vec_push(&breakpoints->list, made);
    return &breakpoints->list.at[breakpoints->list.n - 1];
}

// ---- names --------------------------------------------------------------------------------

static void resolve_line(gy_breakpoint *b, const gy_model *model)
{
    free(b->edges);
    b->at = gy_break_line(model, b->file, b->line, &b->edges);
    if (b->at == 0)
        say_problem(b, gy_is_file_of(model, b->file) ? "no statement is in this line or below it"
                                                     : "this file is not part of the model");
}

static void resolve_channel(gy_breakpoint *b, const gy_model *model)
{
    size_t n = strcspn(b->name, "[.");
    if (!*b->name)
        return;
    for (uint32_t v = 0; v < model->var_count; v++)
        if (model->vars[v].type.kind == GY_CHAN && strlen(model->vars[v].name) >= n &&
            strncmp(model->vars[v].name, b->name, n) == 0)
            return;
    say_problem(b, "the model has no channel of this name");
}

static void resolve_type(gy_breakpoint *b, const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++)
        if (gy_is_process(&model->templates[t]) &&
            (!*b->name || strcmp(gy_template_name(&model->templates[t]), b->name) == 0))
            return;
    say_problem(b, "the model has no process type of this name");
}

// A name alone may be that of a process type or of an inline; else it is an expression.
static void resolve_function(gy_breakpoint *b, const gy_model *model)
{
    free(b->edges);
    b->edges = NULL;
    b->kind = GY_BREAK_TRUE;
    if (gy_break_inline(model, b->name, &b->edges))
        b->kind = GY_BREAK_INLINE;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (gy_is_process(&model->templates[t]) &&
            strcmp(gy_template_name(&model->templates[t]), b->name) == 0)
            b->kind = GY_BREAK_START;
}

// Can a process of this type come by?
static bool concerns(const gy_breakpoint *b, const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    bool comes = b->kind != GY_BREAK_LINE && b->kind != GY_BREAK_INLINE;
    for (int32_t e = 0; b->edges && e < tmpl->edge_count; e++)
        comes = comes || b->edges[tmpl->first_edge + e];
    return comes && gy_is_process(tmpl);
}

// A condition may use the variables of the process that comes by.
static void resolve_condition(gy_breakpoint *b, gy_expressions *expressions)
{
    const gy_model *model = expressions->model;
    const char *problem = NULL;
    bool good = gy_breakpoint_looks_back(b) &&
                gy_expressions_get(expressions, GY_NONE, b->condition, &problem);
    for (int32_t t = 0; !good && !gy_breakpoint_looks_back(b) && t < (int32_t)model->template_count;
         t++)
        good = concerns(b, model, t) && gy_expressions_get(expressions, t, b->condition, &problem);
    if (!good)
        say_problem(b, problem ? problem : "no process comes by");
}

void gy_breakpoint_resolve(gy_breakpoint *b, gy_expressions *expressions)
{
    const gy_model *model = expressions->model;
    const char *problem = NULL;
    if (b->problem)
        return;
    if (b->kind == GY_BREAK_TRUE || b->kind == GY_BREAK_INLINE)
        resolve_function(b, model);
    switch (b->kind) {
    case GY_BREAK_LINE:
        resolve_line(b, model);
        break;
    case GY_BREAK_SEND:
    case GY_BREAK_RECEIVE:
        resolve_channel(b, model);
        break;
    case GY_BREAK_START:
        resolve_type(b, model);
        break;
    case GY_BREAK_INLINE:
        break;
    case GY_BREAK_TRUE:
    case GY_BREAK_CHANGE:
        if (!gy_expressions_get(expressions, GY_NONE, b->name, &problem))
            say_problem(b, problem);
        break;
    }
    if (b->condition && !b->problem)
        resolve_condition(b, expressions);
}

// ---- stopping -----------------------------------------------------------------------------

bool gy_breakpoint_looks_back(const gy_breakpoint *b)
{
    return b->kind == GY_BREAK_TRUE || b->kind == GY_BREAK_CHANGE || b->kind == GY_BREAK_START;
}

static bool condition_holds(const gy_breakpoint *b, gy_expressions *expressions,
                            const gy_decoded_state *scene, int32_t pid)
{
    const char *problem;
    int32_t value;
    bool live = pid >= 0 && (uint32_t)pid < scene->view.process_count;
    int32_t tmpl = live ? scene->view.processes[pid].tmpl : GY_NONE;
    if (!b->condition)
        return true;
    gy_atom atom = gy_expressions_get(expressions, tmpl, b->condition, &problem);
    return atom &&
           gy_state_view_value(scene->worker, scene->state, scene->words, live ? pid : -1, atom,
                               &value) &&
           value;
}

// Is the channel that this edge uses the one that is meant?
static bool uses_channel(const gy_breakpoint *b, const gy_decoded_state *scene, int32_t pid,
                         int32_t number)
{
    const gy_edge *edge = &scene->model->edges[number];
    gy_sync sync = b->kind == GY_BREAK_SEND ? GY_SYNC_SEND : GY_SYNC_RECV;
    int32_t identity;
    if (edge->sync != sync || !edge->chan ||
        !gy_state_view_eval(scene->worker, scene->state, scene->words, pid, edge->chan,
                            &identity) ||
        identity <= 0 || (uint32_t)identity > scene->view.channel_count)
        return false;
    if (!*b->name)
        return true;
    gy_text name = {0};
    gy_name_channel(scene, (uint32_t)identity - 1, &name);
    const char *full = gy_text_str(&name), *colon = strrchr(full, ':');
    const char *bare = colon ? colon + 1 : full;
    size_t n = strlen(b->name); // `q` means all of q[0], q[1] …
    bool same = strcmp(full, b->name) == 0 ||
                (strncmp(bare, b->name, n) == 0 && (bare[n] == '\0' || bare[n] == '['));
    gy_text_free(&name);
    return same;
}

static bool is_before(const gy_breakpoint *b, const gy_decoded_state *scene, int32_t pid,
                      int32_t edge)
{
    if (edge < 0 || (uint32_t)edge >= scene->model->edge_count)
        return false;
    switch (b->kind) {
    case GY_BREAK_LINE:
    case GY_BREAK_INLINE:
        return b->edges && b->edges[edge];
    case GY_BREAK_SEND:
    case GY_BREAK_RECEIVE:
        return uses_channel(b, scene, pid, edge);
    default:
        return false;
    }
}

bool gy_breakpoint_is_before(gy_breakpoint *b, gy_expressions *expressions,
                             const gy_decoded_state *scene, const gy_path_state *next)
{
    const gy_step *step = &next->step;
    if (b->problem)
        return false;
    return (is_before(b, scene, step->pid, step->edge) &&
            condition_holds(b, expressions, scene, step->pid)) ||
           (step->partner >= 0 && is_before(b, scene, step->partner, step->partner_edge) &&
            condition_holds(b, expressions, scene, step->partner));
}

static bool has_started(const gy_breakpoint *b, const gy_decoded_state *from,
                        const gy_decoded_state *to)
{
    for (uint32_t p = from->view.process_count; p < to->view.process_count; p++) {
        const gy_template *tmpl = &to->model->templates[to->view.processes[p].tmpl];
        if (!*b->name || strcmp(gy_template_name(tmpl), b->name) == 0)
            return true;
    }
    return false;
}

bool gy_breakpoint_is_between(gy_breakpoint *b, gy_expressions *expressions,
                              const gy_decoded_state *from, const gy_decoded_state *to)
{
    const char *problem;
    int32_t was = 0, is = 0;
    if (b->problem || !gy_breakpoint_looks_back(b))
        return false;
    if (b->kind == GY_BREAK_START)
        return has_started(b, from, to) && condition_holds(b, expressions, to, -1);
    gy_atom atom = gy_expressions_get(expressions, GY_NONE, b->name, &problem);
    if (!atom)
        return false;
    bool before = gy_state_view_value(from->worker, from->state, from->words, -1, atom, &was);
    bool after = gy_state_view_value(to->worker, to->state, to->words, -1, atom, &is);
    bool met = b->kind == GY_BREAK_TRUE ? after && is && !(before && was)
                                        : before != after || (after && is != was);
    return met && condition_holds(b, expressions, to, -1);
}

bool gy_breakpoint_counts(const gy_breakpoint *b)
{
    int64_t number = (int64_t)b->hits_number;
    switch (b->hits_kind) {
    case GY_HITS_ANY:
        break;
    case GY_HITS_EQ:
        return b->hits == number;
    case GY_HITS_GE:
        return b->hits >= number;
    case GY_HITS_GT:
        return b->hits > number;
    case GY_HITS_MOD:
        return b->hits % number == 0;
    }
    return true;
}

void gy_breakpoint_log(const gy_breakpoint *b, gy_expressions *expressions,
                       const gy_decoded_state *scene, int32_t pid, gy_text *out)
{
    bool live = pid >= 0 && (uint32_t)pid < scene->view.process_count;
    int32_t tmpl = live ? scene->view.processes[pid].tmpl : GY_NONE;
    for (const char *at = b->log; *at;) {
        size_t n = strcspn(at, "{");
        const char *end = at[n] ? strchr(at + n, '}') : NULL, *problem;
        gy_text_bytes(out, at, end ? n : strlen(at));
        if (!end)
            break;
        gy_text part = {0};
        gy_text_bytes(&part, at + n + 1, (size_t)(end - at) - n - 1);
        gy_atom atom = gy_expressions_get(expressions, tmpl, gy_text_str(&part), &problem);
        if (!atom || !gy_expression_text(scene, live ? pid : -1, atom, out))
            gy_text_add(out, "?");
        gy_text_free(&part);
        at = end + 1;
    }
}
