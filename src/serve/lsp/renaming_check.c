// Whether the changed text means the same. See renaming.h.
#include "serve/lsp/renaming.h"

#include <string.h>

// ----------------------------------------------------------------------

static lsp_text *changed_text(const renaming *r, uint32_t number)
{
    const lsp_file *file = &r->view.index->files.at[number];
    gy_text text = {0};
    size_t at = 0, n = strlen(r->old);
    for (size_t i = 0; i < r->words.n; i++) {
        if (r->words.at[i].file != number)
            continue;
        gy_text_bytes(&text, file->text + at, r->words.at[i].offset - at);
        gy_text_add(&text, r->new);
        at = r->words.at[i].offset + n;
    }
    gy_text_bytes(&text, file->text + at, file->bytes - at);
    lsp_text *result = lsp_text_new(gy_text_str(&text), text.n);
    gy_text_free(&text);
    return result;
}

// The model as it is, or changed; with one more macro, if that is not NULL.
static lsp_analysis *read_model(const renaming *r, bool changed, const char *define)
{
    lsp_work *work = lsp_work_for(r->server, r->view.model->path);
    for (uint32_t f = 0; changed && f < r->view.index->files.n; f++) {
        lsp_overlay overlay = {strdup(r->view.index->files.at[f].path), changed_text(r, f)};
        size_t i = 0;
        while (i < work->overlays.n && strcmp(work->overlays.at[i].path, overlay.path) != 0)
            i++;
        if (i < work->overlays.n) {
            free(work->overlays.at[i].path);
            lsp_text_drop(work->overlays.at[i].text);
            work->overlays.at[i] = overlay;
        } else {
            gy_vec_push(&work->overlays, overlay);
        }
    }
    if (define) {
        size_t n = 0;
        while (work->defines[n])
            n++;
        work->defines = gy_realloc(work->defines, (n + 2) * sizeof *work->defines);
        work->defines[n] = strdup(define);
        work->defines[n + 1] = NULL;
    }
    lsp_analysis *now = lsp_analyse(work, NULL, NULL, NULL);
    lsp_work_free(work);
    return now;
}

static const lsp_problem *first_error(const lsp_analysis *a)
{
    for (size_t i = 0; i < a->problems.n; i++)
        if (a->problems.at[i].severity == LSP_ERROR)
            return &a->problems.at[i];
    return NULL;
}

// Each word means the same in both.
static bool same_uses(const lsp_index *before, const lsp_index *after)
{
    if (!before || !after || after->uses.n != before->uses.n ||
        after->symbols.n != before->symbols.n)
        return before == after;
    for (size_t i = 0; i < before->uses.n; i++) {
        const lsp_use *a = &before->uses.at[i], *b = &after->uses.at[i];
        if (a->symbol != b->symbol || a->file != b->file || a->role != b->role)
            return false;
    }
    return true;
}

static bool compare_models(renaming *r, const lsp_analysis *before, const lsp_analysis *after,
                           const char *define)
{
    const char *with = define ? " with -D " : "", *name = define ? define : "";
    const lsp_problem *error = first_error(after);
    if (error && !first_error(before))
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "the model would have errors%s%s: %s", with,
                   name, error->message);
    else if (!same_uses(before->index, after->index))
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                   "`%s` would mean something else%s%s: that name is taken where `%s` is used",
                   r->new, with, name, r->old);
    else
        return true;
    return false;
}

bool lsp_renaming_check(renaming *r)
{
    lsp_analysis *after = read_model(r, true, NULL);
    bool same = r->view.analysis->complete || r->view.analysis->clean;
    lsp_analysis *again = same ? NULL : read_model(r, false, NULL);
    same = compare_models(r, again ? again : r->view.analysis, after, NULL);
    lsp_analysis_free(again);
    lsp_analysis_free(after);
    for (size_t i = 0; i < r->conditions.n && same; i++) {
        lsp_analysis *before = read_model(r, false, r->conditions.at[i]);
        after = read_model(r, true, r->conditions.at[i]);
        same = compare_models(r, before, after, r->conditions.at[i]);
        lsp_analysis_free(before);
        lsp_analysis_free(after);
    }
    return same;
}
