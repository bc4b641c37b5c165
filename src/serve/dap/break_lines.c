#include "serve/dap/break_lines.h"

#include "base/file.h"
#include "base/vec.h"

bool gy_is_file_of(const gy_model *model, const char *file)
{
    for (uint32_t i = 0; i < gy_sources_count(model->sources); i++)
        if (gy_is_same_file(gy_source_name(model->sources, i), file))
            return true;
    return false;
}

// ---- places -------------------------------------------------------------------------------

// The file that is meant, and which of the model's it is, as far as was asked.
typedef struct meant {
    const gy_model *model;
    const char *file;
    GY_VEC(uint8_t) answers; // by file: 0 not asked yet, 1 no, 2 yes
} meant;

static bool is_meant(meant *m, uint32_t file)
{
    while (m->answers.n <= file)
        gy_vec_push(&m->answers, 0);
    if (!m->answers.at[file])
        m->answers.at[file] =
            gy_is_same_file(gy_source_name(m->model->sources, file), m->file) ? 2 : 1;
    return m->answers.at[file] == 2;
}

static bool is_there(meant *m, gy_location place, uint32_t *line)
{
    if (!place)
        return false;
    gy_location_info info = gy_location_user(m->model->sources, place);
    *line = info.line;
    return is_meant(m, info.file);
}

static int compare_places(const gy_model *model, gy_location a, gy_location b)
{
    gy_location_info one = gy_location_user(model->sources, a),
                     two = gy_location_user(model->sources, b);
    return one.line != two.line      ? (one.line < two.line ? -1 : 1)
           : one.column < two.column ? -1
                                     : one.column > two.column;
}

// The calls of inlines that a statement is in, the innermost first.
enum { MOST_CALLS = 100 };
typedef struct calls {
    gy_location at[MOST_CALLS];
    const char *names[MOST_CALLS];
    uint32_t n;
} calls;

static void find_calls(const gy_model *model, gy_location place, calls *found)
{
    found->n = 0;
    while (place && found->n < MOST_CALLS) {
        gy_location_info info = gy_location_user(model->sources, place);
        place = info.origin == GY_FROM_INLINE ? info.used_at : 0;
        if (place) {
            found->names[found->n] = info.via ? info.via : "";
            found->at[found->n++] = place;
        }
    }
}

// Are the outermost calls of both, down to number `depth` from the outside, the same?
static bool is_same_call(const gy_model *model, const calls *a, const calls *b, uint32_t depth)
{
    for (uint32_t i = 0; i <= depth; i++)
        if (i >= a->n || i >= b->n ||
            compare_places(model, a->at[a->n - 1 - i], b->at[b->n - 1 - i]) != 0)
            return false;
    return true;
}

// Which statement comes first: by the calls they are in, from the outside, then by themselves.
static int compare_statements(const gy_model *model, const calls *a, gy_location own_a,
                              const calls *b, gy_location own_b)
{
    int order = 0;
    for (uint32_t i = 0; order == 0 && i <= a->n && i <= b->n; i++)
        order = compare_places(model, i < a->n ? a->at[a->n - 1 - i] : own_a,
                               i < b->n ? b->at[b->n - 1 - i] : own_b);
    return order;
}

static bool can_stop_at(const gy_model *model, uint32_t edge)
{
    return gy_is_process(&model->templates[model->edges[edge].tmpl]) &&
           model->edges[edge].kind != GY_EDGE_END;
}

// Marks are, of an edge that is in a call, 1 and how deep inside that call is. For each call
// its first statement stays marked, with 1; the others are taken off.
static void keep_first(const gy_model *model, uint8_t *marks)
{
    calls one, two;
    uint8_t *kept = gy_alloc_zero(model->edge_count + 1);
    for (uint32_t e = 0; e < model->edge_count; e++) {
        bool first = marks[e] > 0;
        if (first)
            find_calls(model, model->edges[e].place, &one);
        for (uint32_t k = 0; first && k < model->edge_count; k++) {
            if (marks[k] != marks[e] || model->edges[k].tmpl != model->edges[e].tmpl)
                continue;
            find_calls(model, model->edges[k].place, &two);
            first = !is_same_call(model, &one, &two, marks[e] - 1u) ||
                    compare_statements(model, &two, model->edges[k].place, &one,
                                       model->edges[e].place) >= 0;
        }
        kept[e] = first;
    }
    memcpy(marks, kept, model->edge_count);
    free(kept);
}

// ---- lines --------------------------------------------------------------------------------

// `mark` as above; 0: the statement itself stands in the line.
typedef void line_visit(void *user, uint32_t edge, uint32_t line, uint8_t mark);

// Every line of the file at which a statement of the edge is, also inside a d_step.
static void visit_lines(meant *m, line_visit *visit, void *user)
{
    const gy_model *model = m->model;
    uint32_t line;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        if (!can_stop_at(model, e))
            continue;
        if (is_there(m, edge->place, &line))
            visit(user, e, line, 0);
        for (uint32_t a = 0; edge->is_d_step && edge->effect && a < edge->effect->count; a++)
            if (is_there(m, edge->effect->actions[a].place, &line))
                visit(user, e, line, 0);
    }
}

// Lines at which an inline is called, with every statement that is there because of that.
static void visit_calls(meant *m, line_visit *visit, void *user)
{
    calls now;
    uint32_t line;
    for (uint32_t e = 0; e < m->model->edge_count; e++) {
        if (!can_stop_at(m->model, e))
            continue;
        find_calls(m->model, m->model->edges[e].place, &now);
        for (uint32_t i = 0; i < now.n; i++)
            if (is_there(m, now.at[i], &line))
                visit(user, e, line, (uint8_t)(now.n - i));
    }
}

typedef struct search {
    uint32_t from, at;
    uint8_t *edges;
} search;

static void lower_line(void *user, uint32_t edge, uint32_t line, uint8_t mark)
{
    search *s = user;
    (void)edge, (void)mark;
    if (line >= s->from && (s->at == 0 || line < s->at))
        s->at = line;
}

static void mark_edge(void *user, uint32_t edge, uint32_t line, uint8_t mark)
{
    search *s = user;
    if (line == s->at)
        s->edges[edge] = mark ? mark : 1;
}

uint32_t gy_break_line(const gy_model *model, const char *file, uint32_t line, uint8_t **edges)
{
    meant m = {.model = model, .file = file};
    search s = {.from = line};
    visit_lines(&m, lower_line, &s);
    visit_calls(&m, lower_line, &s);
    *edges = s.edges = s.at ? gy_alloc_zero(model->edge_count + 1) : NULL;
    if (s.at) {
        visit_calls(&m, mark_edge, &s);
        keep_first(model, s.edges);
        visit_lines(&m, mark_edge, &s);
    }
    gy_vec_free(&m.answers);
    return s.at;
}

bool gy_break_inline(const gy_model *model, const char *name, uint8_t **edges)
{
    uint8_t *marks = gy_alloc_zero(model->edge_count + 1);
    bool any = false;
    calls now;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        if (!can_stop_at(model, e))
            continue;
        find_calls(model, model->edges[e].place, &now);
        for (uint32_t i = 0; i < now.n; i++)
            if (strcmp(now.names[i], name) == 0) {
                marks[e] = (uint8_t)(now.n - i);
                any = true;
            }
    }
    keep_first(model, marks);
    *edges = any ? marks : NULL;
    if (!any)
        free(marks);
    return any;
}

typedef struct line_set {
    uint32_t first, last;
    uint8_t *seen;
} line_set;

static void see_line(void *user, uint32_t edge, uint32_t line, uint8_t mark)
{
    line_set *set = user;
    (void)edge, (void)mark;
    if (line >= set->first && line <= set->last)
        set->seen[line - set->first] = 1;
}

size_t gy_break_lines(const gy_model *model, const char *file, uint32_t first, uint32_t last,
                      uint32_t *lines, size_t room)
{
    enum { MOST_LINES = 1000000 };
    size_t n = 0;
    meant m = {.model = model, .file = file};
    if (last < first)
        return 0;
    if (last - first > MOST_LINES)
        last = first + MOST_LINES;
    line_set set = {first, last, gy_alloc_zero(last - first + 1)};
    visit_lines(&m, see_line, &set);
    visit_calls(&m, see_line, &set);
    for (uint32_t line = first; line <= last; line++)
        if (set.seen[line - first] && n++ < room)
            lines[n - 1] = line;
    free(set.seen);
    gy_vec_free(&m.answers);
    return n;
}
