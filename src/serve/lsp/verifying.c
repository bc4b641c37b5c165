#include "serve/lsp/verifying.h"

#include "base/clock.h"
#include "base/file.h"

#include <string.h>
#include <unistd.h>

static const double SHOWN_EVERY = 0.5; // seconds between two showings of figures

// ---- starting -----------------------------------------------------------------------------------

static bool is_saved(const lsp_document *document)
{
    gy_file_rules rules = {.regular_only = true};
    gy_file file;
    bool same = gy_file_read(document->path, &rules, &file) &&
                file.bytes == document->text->bytes &&
                memcmp(file.text, document->text->at, file.bytes) == 0;
    gy_file_free(&file);
    return same;
}

// An included text that is open and not saved: a child would read another one.
static const char *unsaved_part(const lsp_server *server, const lsp_document *document)
{
    const lsp_index *index = document->analysis ? document->analysis->index : NULL;
    for (size_t i = 0; index && i < server->documents.n; i++) {
        const lsp_document *d = server->documents.at[i];
        if (d != document && lsp_index_file(index, d->path) != LSP_NOWHERE && !is_saved(d))
            return d->path;
    }
    return NULL;
}

typedef GY_VEC(const char *) arguments;

static void add_all(arguments *a, const char *option, char **list)
{
    for (; list && *list; list++) {
        gy_vec_push(a, option);
        gy_vec_push(a, *list);
    }
}

static void wake(void *user)
{
    ssize_t wrote = write(*(const int *)user, "j", 1); // a full pipe has woken its reader already
    (void)wrote;
}

static gy_job *start_job(lsp_server *server, const lsp_document *d, const char *property)
{
    arguments a = {0};
    bool saved = is_saved(d);
    char *folder = strdup(d->path), time[32];
    *strrchr(folder, '/') = 0;
    snprintf(time, sizeof time, "%u", server->most_seconds);
    gy_vec_push(&a, saved ? d->path : "-");
    gy_vec_push(&a, "--events");
    if (!saved) {
        gy_vec_push(&a, "--stdin-name");
        gy_vec_push(&a, d->path);
    }
    if (!server->allow_c)
        gy_vec_push(&a, "--no-c");
    gy_vec_push(&a, "--time");
    gy_vec_push(&a, time);
    add_all(&a, "-D", server->defines);
    add_all(&a, "-I", server->include_dirs);
    if (property) {
        gy_vec_push(&a, "--ltl");
        gy_vec_push(&a, property);
    }
    gy_vec_push(&a, (const char *)NULL);
    gy_job_request request = {.arguments = a.at,
                              .folder = *folder && access(folder, X_OK) == 0 ? folder : "/",
                              .input = saved ? NULL : d->text->at,
                              .input_bytes = d->text->bytes,
                              .progress = SHOWN_EVERY,
                              .changed = wake,
                              .user = &server->wake[1]};
    gy_job *job = gy_job_start(&request);
    gy_vec_free(&a);
    free(folder);
    return job;
}

// Stops its job without waiting, and forgets what it found.
static void clear(lsp_server *server, lsp_run *run)
{
    if (run->job) {
        gy_job_stop(run->job);
        gy_vec_push(&server->dropped, run->job);
    }
    if (run->file)
        unlink(run->file);
    json_decref(run->report);
    free(run->problem);
    free(run->file);
    *run = (lsp_run){.property = run->property};
}

lsp_run *lsp_run_of(const lsp_document *document, const char *property)
{
    for (size_t i = 0; document->runs && i < document->runs->list.n; i++) {
        lsp_run *run = &document->runs->list.at[i];
        if (property ? run->property && strcmp(run->property, property) == 0 : !run->property)
            return run;
    }
    return NULL;
}

void lsp_run_start(lsp_server *server, lsp_document *document, const char *property)
{
    if (!document->runs)
        document->runs = gy_alloc_zero(sizeof *document->runs);
    lsp_run *run = lsp_run_of(document, property);
    if (!run) {
        lsp_run new = {.property = property ? strdup(property) : NULL};
        gy_vec_push(&document->runs->list, new);
        run = &document->runs->list.at[document->runs->list.n - 1];
    }
    clear(server, run);
    const char *unsaved = unsaved_part(server, document);
    if (unsaved) {
        gy_text problem = {0};
        gy_text_printf(&problem, "%s is not saved", unsaved);
        run->problem = gy_text_take(&problem);
    } else {
        run->job = start_job(server, document, property);
        gy_job_look(run->job, &run->view);
    }
}

void lsp_run_stop(lsp_document *document, const char *property)
{
    lsp_run *run = lsp_run_of(document, property);
    if (run && run->job)
        gy_job_stop(run->job);
}

// ---- while they run
// -------------------------------------------------------------------------------

static void finish(lsp_run *run)
{
    const json_t *report = gy_job_result(run->job);
    if (report)
        run->report = json_deep_copy(report);
    else
        run->problem = strdup(run->view.stopped ? "stopped" : "gyre has ended without a report");
    gy_job_free(run->job); // it has ended: nothing is waited for
    run->job = NULL;
}

bool lsp_runs_look(lsp_server *server, lsp_document *document)
{
    bool changed = false;
    (void)server;
    for (size_t i = 0; document->runs && i < document->runs->list.n; i++) {
        lsp_run *run = &document->runs->list.at[i];
        if (!run->job)
            continue;
        gy_job_look(run->job, &run->view);
        double now = gy_clock();
        if (run->view.phase == GY_JOB_ENDED) {
            finish(run);
            changed = true;
        } else if (now - run->shown >= SHOWN_EVERY) {
            run->shown = now;
            changed = true;
        }
    }
    return changed;
}

bool lsp_runs_drop(lsp_server *server, lsp_document *document)
{
    if (!document->runs)
        return false;
    for (size_t i = 0; i < document->runs->list.n; i++) {
        clear(server, &document->runs->list.at[i]);
        free(document->runs->list.at[i].property);
    }
    gy_vec_free(&document->runs->list);
    free(document->runs);
    document->runs = NULL;
    return true;
}

void lsp_runs_sweep(lsp_server *server, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < server->dropped.n; i++) {
        gy_job_view view;
        gy_job_look(server->dropped.at[i], &view);
        if (all || view.phase == GY_JOB_ENDED)
            gy_job_free(server->dropped.at[i]);
        else
            server->dropped.at[kept++] = server->dropped.at[i];
    }
    server->dropped.n = kept;
    if (all)
        gy_vec_free(&server->dropped);
}

// ---- what was found
// -------------------------------------------------------------------------------

static const json_t *property_in(const lsp_run *run, const char *name)
{
    const json_t *list = run ? json_object_get(run->report, "properties") : NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *its = json_string_value(json_object_get(one, "name"));
        if (its && strcmp(its, name) == 0)
            return one;
    }
    return NULL;
}

const json_t *lsp_run_property(const lsp_document *document, const char *name)
{
    const json_t *own = property_in(lsp_run_of(document, name), name);
    return own ? own : property_in(lsp_run_of(document, NULL), name);
}
