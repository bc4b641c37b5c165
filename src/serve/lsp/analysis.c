#include "serve/lsp/analysis.h"

#include "base/clock.h"
#include "base/fatal_guard.h"
#include "lang/editor_parse.h"
#include "load/front_ends.h"
#include "load/load.h"
#include "model/passes/passes.h"
#include "serve/document/uri.h"

#include <string.h>
#include <sys/stat.h>

// ---- texts ----------------------------------------------------------------------------------

lsp_text *lsp_text_new(const char *bytes, size_t n)
{
    lsp_text *text = gy_alloc(sizeof *text + n + 1);
    atomic_init(&text->holders, 1);
    text->bytes = n;
    if (n)
        memcpy(text->at, bytes, n);
    text->at[n] = 0;
    return text;
}

lsp_text *lsp_text_hold(lsp_text *text)
{
    atomic_fetch_add(&text->holders, 1);
    return text;
}

void lsp_text_drop(lsp_text *text)
{
    if (text && atomic_fetch_sub(&text->holders, 1) == 1)
        free(text);
}

static void free_list(char **list)
{
    for (char **at = list; at && *at; at++)
        free(*at);
    free(list);
}

void lsp_work_free(lsp_work *work)
{
    if (!work)
        return;
    for (size_t i = 0; i < work->overlays.n; i++) {
        free(work->overlays.at[i].path);
        lsp_text_drop(work->overlays.at[i].text);
    }
    gy_vec_free(&work->overlays);
    free_list(work->defines);
    free_list(work->include_dirs);
    free(work->path);
    free(work);
}

void lsp_analysis_free(lsp_analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t i = 0; i < analysis->problems.n; i++) {
        free(analysis->problems.at[i].message);
        free(analysis->problems.at[i].hint);
    }
    gy_vec_free(&analysis->problems);
    gy_vec_free(&analysis->facts);
    lsp_index_drop(analysis->index);
    free(analysis->path);
    free(analysis);
}

const lsp_fact *lsp_analysis_fact(const lsp_analysis *analysis, uint32_t symbol)
{
    for (size_t i = 0; i < analysis->facts.n; i++)
        if (analysis->facts.at[i].symbol == symbol)
            return &analysis->facts.at[i];
    return NULL;
}

// ---- one text -------------------------------------------------------------------------------

typedef struct session {
    const lsp_work *work;
    const atomic_bool *stop;
    void (*partial)(void *user, lsp_analysis *analysis); // NULL: nothing waits
    void *user;
    gy_names names;
    gy_diags *diags;
    gy_model *model;
    lsp_index *index; // once it was made
    lsp_analysis *result;
    double started;
} session;

static const lsp_text *text_of(const lsp_work *work, const char *path)
{
    char *clean = gy_path_clean(path);
    const lsp_text *found = NULL;
    for (size_t i = 0; i < work->overlays.n && !found; i++)
        if (strcmp(work->overlays.at[i].path, clean) == 0)
            found = work->overlays.at[i].text;
    free(clean);
    return found;
}

// A file may be open under another name (a link on the way).
static const lsp_text *text_of_file(const lsp_work *work, const char *path)
{
    const lsp_text *text = text_of(work, path);
    struct stat info, other;
    if (text || work->overlays.n < 2 || stat(path, &info) != 0)
        return text;
    for (size_t i = 0; i < work->overlays.n; i++)
        if (stat(work->overlays.at[i].path, &other) == 0 && other.st_ino == info.st_ino &&
            other.st_dev == info.st_dev)
            return work->overlays.at[i].text;
    return NULL;
}

static const char *overlay(void *user, const char *path, size_t *bytes)
{
    const session *s = user;
    const lsp_text *text = text_of_file(s->work, path);
    *bytes = text ? text->bytes : 0;
    return text ? text->at : NULL;
}

static lsp_analysis *new_analysis(const session *s)
{
    lsp_analysis *a = gy_alloc_zero(sizeof *a);
    a->path = strdup(s->work->path);
    a->serial = s->work->serial;
    a->clean = gy_diags_errors(s->diags) == 0;
    return a;
}

static void parsed(void *user)
{
    session *s = user;
    if (!s->partial || gy_diags_errors(s->diags) || atomic_load(s->stop))
        return; // the whole of it will not take longer
    lsp_analysis *a = new_analysis(s);
    s->index = lsp_index_new(&s->names, gy_diags_sources(s->diags));
    a->index = lsp_index_hold(s->index);
    s->partial(s->user, a);
}

// Of a language that is expanded before it is read, the text that was read is not the one that is
// open.
static bool find_by_line(const lsp_analysis *a, const gy_sources *sources, const gy_diag *diag,
                         lsp_problem *problem)
{
    gy_location_info info = gy_location_user(sources, diag->place);
    const char *name = gy_source_name(sources, info.file);
    uint32_t file = lsp_index_file(a->index, name);
    if (file == LSP_NOWHERE || info.line == 0)
        return false;
    const gy_lines *lines = &a->index->files.at[file].lines;
    size_t line = info.line - 1 < lines->starts.n ? info.line - 1 : lines->starts.n - 1;
    size_t length = gy_line_length(lines, (uint32_t)line);
    size_t column = info.column ? info.column - 1 : 0;
    problem->file = file;
    problem->offset = (uint32_t)(lines->starts.at[line] + (column < length ? column : length));
    return true;
}

static void add_problem(lsp_analysis *a, const gy_sources *sources, const gy_diag *diag)
{
    static const lsp_severity severities[] = {LSP_ERROR, LSP_WARNING, LSP_INFORMATION};
    lsp_problem problem = {.severity = severities[diag->severity],
                           .file = LSP_NOWHERE,
                           .length = diag->length ? diag->length : 1,
                           .message = strdup(diag->message),
                           .hint = diag->hint ? strdup(diag->hint) : NULL};
    uint32_t source;
    size_t offset;
    if (diag->place && (!a->expands || !find_by_line(a, sources, diag, &problem)) &&
        gy_location_user_text(sources, diag->place, &source, &offset)) {
        char *path = gy_path_clean(gy_source_name(sources, source));
        problem.file = lsp_index_file(a->index, path);
        problem.offset = (uint32_t)offset;
        free(path);
    }
    gy_vec_push(&a->problems, problem);
}

static void add_facts(lsp_analysis *a, gy_model *model)
{
    gy_passes passes = {.ranges = true};
    gy_watched watched = {0};
    gy_saved saved = {0};
    const gy_model *narrowed = gy_model_reduced(model, &passes, &watched, &saved);
    for (uint32_t i = 0; i < narrowed->var_count; i++) {
        const gy_variable *v = &narrowed->vars[i];
        uint32_t source, file;
        size_t offset, line_start;
        const lsp_use *uses;
        if ((v->min == model->vars[i].min && v->max == model->vars[i].max) ||
            strchr(v->name, '.') || v->type.kind == GY_CHAN ||
            !gy_location_text(model->sources, v->place, &source, &offset, &line_start))
            continue;
        char *path = gy_path_clean(gy_source_name(model->sources, source));
        file = lsp_index_file(a->index, path);
        free(path);
        if (lsp_uses_at(a->index, file, offset, &uses) == 0 || uses->role != GY_USE_DEFINED ||
            lsp_analysis_fact(a, uses->symbol))
            continue;
        lsp_fact fact = {uses->symbol, v->min, v->max};
        gy_vec_push(&a->facts, fact);
    }
}

static void read_now(void *user)
{
    enum { MOST_VARIABLES = 2000 };
    session *s = user;
    const lsp_work *work = s->work;
    const lsp_text *text = text_of(work, work->path);
    gy_load_options options = {.defines = (const char *const *)work->defines,
                               .include_dirs = (const char *const *)work->include_dirs};
    gy_reading reading = {
        .overlay = overlay, .parsed = parsed, .user = s, .stop = s->stop, .names = &s->names};
    s->model =
        gy_load_model_writing(work->path, text->at, text->bytes, &options, &reading, &s->diags);
    if (atomic_load(s->stop))
        return;
    const gy_sources *sources = gy_diags_sources(s->diags);
    lsp_analysis *a = new_analysis(s);
    a->index = s->index ? lsp_index_hold(s->index) : lsp_index_new(&s->names, sources);
    a->complete = true;
    a->expands = gy_front_end_for(work->path, text->at, text->bytes)->expands;
    if (a->expands)
        lsp_index_show(a->index, work->path, text->at, text->bytes);
    if (s->model) {
        a->has_c = s->model->c_code_count > 0 || s->model->c_unit_count > 0;
    }
    for (size_t i = 0; i < gy_diags_count(s->diags); i++)
        add_problem(a, sources, gy_diags_at(s->diags, i));
    if (s->model && s->model->var_count < MOST_VARIABLES && !a->has_c)
        add_facts(a, s->model);
    a->seconds = gy_clock() - s->started;
    s->result = a;
}

static lsp_analysis *read_safely(session *s)
{
    char message[256];
    s->started = gy_clock();
    gy_names_init(&s->names);
    if (gy_rescue(read_now, s, message, sizeof message)) {
        gy_diags_free(s->diags);
        gy_model_free(s->model);
        gy_names_free(&s->names);
        lsp_index_drop(s->index);
        return s->result;
    }
    // What there was of it is lost; the words are those of `gyre info`.
    lsp_analysis *a = gy_alloc_zero(sizeof *a);
    gy_text said = {0};
    gy_text_printf(&said, "this model cannot be read: %s", message);
    lsp_problem problem = {
        .severity = LSP_ERROR, .file = LSP_NOWHERE, .message = gy_text_take(&said)};
    a->path = strdup(s->work->path);
    a->serial = s->work->serial;
    a->complete = true;
    gy_vec_push(&a->problems, problem);
    return a;
}

lsp_analysis *lsp_analyse(const lsp_work *work, const atomic_bool *stop,
                          void (*partial)(void *user, lsp_analysis *analysis), void *user)
{
    atomic_bool never = false;
    session s = {.work = work, .stop = stop ? stop : &never, .partial = partial, .user = user};
    return read_safely(&s);
}
