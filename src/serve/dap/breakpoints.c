#include "serve/dap/breakpoints.h"

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

bool gy_same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    char *one = realpath(a, NULL), *two = realpath(b, NULL);
    bool same = one && two && strcmp(one, two) == 0;
    free(one);
    free(two);
    return same;
}

void gy_breakpoints_drop(gy_breakpoints *breakpoints, gy_break_group group, const char *file)
{
    size_t kept = 0;
    for (size_t i = 0; i < breakpoints->list.n; i++) {
        gy_breakpoint *b = &breakpoints->list.at[i];
        if (b->group == group && (group != GY_BREAKS_LINES || gy_same_file(b->file, file)))
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

// ---- lines --------------------------------------------------------------------------------

static bool is_there(const gy_model *model, gy_place place, const uint8_t *files, uint32_t *line)
{
    if (!place)
        return false;
    gy_place_info info = gy_place_user(model->sources, place);
    *line = info.line;
    return files[info.file];
}

// By file of the model, whether it is meant.
static uint8_t *files_meant(const gy_model *model, const char *file)
{
    // #line can name more files than there are texts; the largest index is not told, so places are
    // looked at.
    uint32_t most = gy_sources_count(model->sources);
    for (uint32_t e = 0; e < model->edge_count; e++) {
        uint32_t index = gy_place_user(model->sources, model->edges[e].place).file;
        most = index >= most ? index + 1 : most;
    }
    uint8_t *meant = gy_alloc_zero(most + 1);
    for (uint32_t e = 0, last = UINT32_MAX; e < model->edge_count; e++) {
        uint32_t index = gy_place_user(model->sources, model->edges[e].place).file;
        if (model->edges[e].place && index != last && !meant[index])
            meant[index] = gy_same_file(gy_source_name(model->sources, index), file);
        last = index;
    }
    return meant;
}

typedef void line_visit(void *user, uint32_t edge, uint32_t line);

// Every line of the file at which a statement of the edge stands; those inside a d_step too.
static void visit_lines(const gy_model *model, const char *file, line_visit *visit, void *user)
{
    uint8_t *files = files_meant(model, file);
    uint32_t line;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        if (!gy_is_process(&model->templates[edge->tmpl]) || edge->kind == GY_EDGE_END)
            continue;
        if (is_there(model, edge->place, files, &line))
            visit(user, e, line);
        for (uint32_t a = 0; edge->is_d_step && edge->effect && a < edge->effect->count; a++) {
            gy_place place = edge->effect->actions[a].place;
            if (is_there(model, place, files, &line))
                visit(user, e, line);
        }
    }
    free(files);
}

// The calls of inlines that a statement stands in, the innermost first.
enum { MOST_CALLS = 100 };
typedef struct calls {
    gy_place at[MOST_CALLS];
    uint32_t n;
} calls;

static void find_calls(const gy_model *model, gy_place place, calls *found)
{
    found->n = 0;
    while (place && found->n < MOST_CALLS) {
        gy_place_info info = gy_place_user(model->sources, place);
        place = info.origin == GY_FROM_INLINE ? info.used_at : 0;
        if (place)
            found->at[found->n++] = place;
    }
}

// Lines at which an inline is called, with every statement that is there because of that.
static void visit_calls(const gy_model *model, const char *file, line_visit *visit, void *user)
{
    uint8_t *files = files_meant(model, file);
    calls now;
    uint32_t line;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        find_calls(model, model->edges[e].place, &now);
        for (uint32_t i = 0; i < now.n; i++)
            if (is_there(model, now.at[i], files, &line))
                visit(user, e, line);
    }
    free(files);
}

static int compare_places(const gy_model *model, gy_place a, gy_place b)
{
    gy_place_info one = gy_place_user(model->sources, a), two = gy_place_user(model->sources, b);
    return one.line != two.line      ? (one.line < two.line ? -1 : 1)
           : one.column < two.column ? -1
                                     : one.column > two.column;
}

// Of two statements: the calls they stand in and, in those, where they stand; from the outside.
static int compare_in_call(const gy_model *model, const calls *a, gy_place own_a, const calls *b,
                           gy_place own_b)
{
    int order = 0;
    for (uint32_t i = 0; order == 0 && i <= a->n && i <= b->n; i++)
        order = compare_places(model, i < a->n ? a->at[a->n - 1 - i] : own_a,
                               i < b->n ? b->at[b->n - 1 - i] : own_b);
    return order;
}

// Where an inline is called, its first statement stands for the call: of those that were marked for
// one call, the others are taken off.
static void keep_first(gy_breakpoint *b, const gy_model *model)
{
    calls one, two;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        gy_place place = model->edges[e].place;
        if (!b->edges[e])
            continue;
        find_calls(model, place, &one);
        for (uint32_t k = 0; one.n > 0 && k < model->edge_count; k++) {
            if (b->edges[k] != 1 || model->edges[k].tmpl != model->edges[e].tmpl)
                continue;
            find_calls(model, model->edges[k].place, &two);
            if (two.n > 0 && compare_places(model, one.at[one.n - 1], two.at[two.n - 1]) == 0 &&
                compare_in_call(model, &two, model->edges[k].place, &one, place) < 0) {
                b->edges[e] = 2; // to go, when all were compared
                break;
            }
        }
    }
    for (uint32_t e = 0; e < model->edge_count; e++)
        b->edges[e] = b->edges[e] == 1;
}

static void lower_line(void *user, uint32_t edge, uint32_t line)
{
    gy_breakpoint *b = user;
    (void)edge;
    if (line >= b->line && (b->at == 0 || line < b->at))
        b->at = line;
}

static void mark_edge(void *user, uint32_t edge, uint32_t line)
{
    gy_breakpoint *b = user;
    if (line == b->at)
        b->edges[edge] = 1;
}

static void resolve_line(gy_breakpoint *b, const gy_model *model)
{
    b->at = 0;
    visit_lines(model, b->file, lower_line, b);
    visit_calls(model, b->file, lower_line, b);
    if (b->at == 0) {
        say_problem(b, "no statement stands in this line or below it");
        return;
    }
    free(b->edges);
    b->edges = gy_alloc_zero(model->edge_count + 1);
    visit_calls(model, b->file, mark_edge, b);
    keep_first(b, model);
    visit_lines(model, b->file, mark_edge, b);
}

typedef struct line_set {
    uint32_t first, last;
    uint8_t *seen;
} line_set;

static void see_line(void *user, uint32_t edge, uint32_t line)
{
    line_set *set = user;
    (void)edge;
    if (line >= set->first && line <= set->last)
        set->seen[line - set->first] = 1;
}

size_t gy_break_lines(const gy_model *model, const char *file, uint32_t first, uint32_t last,
                      uint32_t *lines, size_t room)
{
    enum { MOST_LINES = 1000000 };
    size_t n = 0;
    if (last < first)
        return 0;
    if (last - first > MOST_LINES)
        last = first + MOST_LINES;
    line_set set = {first, last, gy_alloc_zero(last - first + 1)};
    visit_lines(model, file, see_line, &set);
    visit_calls(model, file, see_line, &set);
    for (uint32_t line = first; line <= last; line++)
        if (set.seen[line - first] && n++ < room)
            lines[n - 1] = line;
    free(set.seen);
    return n;
}

// ---- names --------------------------------------------------------------------------------

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

// Can a process of this type come by?
static bool concerns(const gy_breakpoint *b, const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    bool comes = b->kind != GY_BREAK_LINE;
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
                            const gy_scene *scene, int32_t pid)
{
    const char *problem;
    int32_t value;
    bool live = pid >= 0 && (uint32_t)pid < scene->view.process_count;
    int32_t tmpl = live ? scene->view.processes[pid].tmpl : GY_NONE;
    if (!b->condition)
        return true;
    const gy_expr *expr = gy_expressions_get(expressions, tmpl, b->condition, &problem);
    return expr &&
           gy_view_eval(scene->worker, scene->state, scene->words, live ? pid : -1, expr, &value) &&
           value;
}

// Is the channel that this edge uses the one that is meant?
static bool uses_channel(const gy_breakpoint *b, const gy_scene *scene, int32_t pid, int32_t number)
{
    const gy_edge *edge = &scene->model->edges[number];
    gy_sync sync = b->kind == GY_BREAK_SEND ? GY_SYNC_SEND : GY_SYNC_RECV;
    int32_t identity;
    if (edge->sync != sync || !edge->chan ||
        !gy_view_eval(scene->worker, scene->state, scene->words, pid, edge->chan, &identity) ||
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

static bool is_before(const gy_breakpoint *b, const gy_scene *scene, int32_t pid, int32_t edge)
{
    if (edge < 0 || (uint32_t)edge >= scene->model->edge_count)
        return false;
    switch (b->kind) {
    case GY_BREAK_LINE:
        return b->edges && b->edges[edge];
    case GY_BREAK_SEND:
    case GY_BREAK_RECEIVE:
        return uses_channel(b, scene, pid, edge);
    default:
        return false;
    }
}

bool gy_breakpoint_is_before(gy_breakpoint *b, gy_expressions *expressions, const gy_scene *scene,
                             const gy_moment *next)
{
    const gy_step *step = &next->step;
    if (b->problem)
        return false;
    return (is_before(b, scene, step->pid, step->edge) &&
            condition_holds(b, expressions, scene, step->pid)) ||
           (step->partner >= 0 && is_before(b, scene, step->partner, step->partner_edge) &&
            condition_holds(b, expressions, scene, step->partner));
}

static bool has_started(const gy_breakpoint *b, const gy_scene *from, const gy_scene *to)
{
    for (uint32_t p = from->view.process_count; p < to->view.process_count; p++) {
        const gy_template *tmpl = &to->model->templates[to->view.processes[p].tmpl];
        if (!*b->name || strcmp(gy_template_name(tmpl), b->name) == 0)
            return true;
    }
    return false;
}

bool gy_breakpoint_is_between(gy_breakpoint *b, gy_expressions *expressions, const gy_scene *from,
                              const gy_scene *to)
{
    const char *problem;
    int32_t was = 0, is = 0;
    if (b->problem || !gy_breakpoint_looks_back(b))
        return false;
    if (b->kind == GY_BREAK_START)
        return has_started(b, from, to) && condition_holds(b, expressions, to, -1);
    const gy_expr *expr = gy_expressions_get(expressions, GY_NONE, b->name, &problem);
    if (!expr)
        return false;
    bool before = gy_view_eval(from->worker, from->state, from->words, -1, expr, &was);
    bool after = gy_view_eval(to->worker, to->state, to->words, -1, expr, &is);
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

void gy_breakpoint_log(const gy_breakpoint *b, gy_expressions *expressions, const gy_scene *scene,
                       int32_t pid, gy_text *out)
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
        const gy_expr *expr = gy_expressions_get(expressions, tmpl, gy_text_str(&part), &problem);
        if (!expr || !gy_expression_text(scene, live ? pid : -1, expr, out))
            gy_text_add(out, "?");
        gy_text_free(&part);
        at = end + 1;
    }
}
