// Open texts: their changes, and which analysis is of which text.
//
// A text that another open model includes is not read by itself: alone it would be full of names
// that nothing declares. What is known of it comes from that model.
#include "serve/lsp/server.h"

#include "base/clock.h"
#include "serve/document/uri.h"
#include "serve/lsp/lens.h"

#include <string.h>

// How long to wait for another keystroke: as long as reading takes, since it would be for nothing.
static const double LONGEST_DEBOUNCE = 0.15;

// ---- finding --------------------------------------------------------------------------------

lsp_document *lsp_document_at(lsp_server *server, const char *path)
{
    for (size_t i = 0; i < server->documents.n; i++)
        if (strcmp(server->documents.at[i]->path, path) == 0)
            return server->documents.at[i];
    return NULL;
}

lsp_document *lsp_document_of(lsp_server *server, const json_t *params)
{
    const char *uri = lsp_string(params, "textDocument.uri");
    if (!uri)
        return NULL;
    char *path = gy_uri_path(uri);
    lsp_document *document = lsp_document_at(server, path);
    free(path);
    return document;
}

// The open model that includes this text; else the text itself.
static const lsp_document *model_of(const lsp_server *server, const lsp_document *document)
{
    for (size_t i = 0; i < server->documents.n; i++) {
        const lsp_document *other = server->documents.at[i];
        const lsp_analysis *a =
            other->analysis && other->analysis->index ? other->analysis : other->clean;
        if (other == document || !a || !a->index)
            continue;
        uint32_t file = lsp_index_file(a->index, document->path);
        if (file != LSP_NOWHERE && file > 0)
            return other;
    }
    return document;
}

lsp_view lsp_view_of(const lsp_server *server, const lsp_document *document)
{
    lsp_view view = {.model = model_of(server, document), .file = LSP_NOWHERE};
    view.analysis = view.model->analysis;
    if (view.analysis && !view.analysis->index)
        view.analysis = view.model->clean;
    view.index = view.analysis ? view.analysis->index : NULL;
    if (view.index)
        view.file = lsp_index_file(view.index, document->path);
    return view;
}

bool lsp_view_is_current(const lsp_view *view, const lsp_document *document, bool complete)
{
    const lsp_analysis *a = view->model->analysis;
    return a && a->serial >= document->serial && (a->complete || !complete);
}

bool lsp_offset_in(const lsp_server *server, const lsp_document *document, const json_t *params,
                   size_t *offset, lsp_refusal *refusal)
{
    gy_position position;
    if (!lsp_number(params, "position.line", &position.line) ||
        !lsp_number(params, "position.character", &position.character)) {
        lsp_refuse(refusal, LSP_INVALID_PARAMS, "the position is missing");
        return false;
    }
    *offset = gy_offset_of(&document->lines, position, server->encoding);
    return true;
}

bool lsp_range_in(const lsp_server *server, const lsp_document *document, const json_t *params,
                  size_t *from, size_t *to, lsp_refusal *refusal)
{
    const json_t *range = json_object_get(params, "range");
    gy_position start, end;
    *from = 0;
    *to = document->text->bytes;
    if (!range)
        return true;
    if (!lsp_number(range, "start.line", &start.line) ||
        !lsp_number(range, "start.character", &start.character) ||
        !lsp_number(range, "end.line", &end.line) ||
        !lsp_number(range, "end.character", &end.character)) {
        lsp_refuse(refusal, LSP_INVALID_PARAMS, "the range is invalid");
        return false;
    }
    *from = gy_offset_of(&document->lines, start, server->encoding);
    *to = gy_offset_of(&document->lines, end, server->encoding);
    if (*to < *from)
        *to = *from;
    return true;
}

// ---- reading --------------------------------------------------------------------------------

static char **copy_list(char **list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    char **copy = gy_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = strdup(list[i]);
    copy[n] = NULL;
    return copy;
}

lsp_work *lsp_work_for(const lsp_server *server, const char *path)
{
    lsp_work *work = gy_alloc_zero(sizeof *work);
    work->path = strdup(path);
    work->serial = server->serial;
    work->defines = copy_list(server->defines);
    work->include_dirs = copy_list(server->include_dirs);
    for (size_t i = 0; i < server->documents.n; i++) {
        const lsp_document *d = server->documents.at[i];
        lsp_overlay overlay = {strdup(d->path), lsp_text_hold(d->text)};
        gy_vec_push(&work->overlays, overlay);
    }
    return work;
}

static void want(lsp_server *server, lsp_document *document, bool at_once)
{
    double delay = document->seconds < LONGEST_DEBOUNCE ? document->seconds : LONGEST_DEBOUNCE;
    document->wanted = true;
    document->due = gy_clock() + (at_once ? 0 : delay);
    lsp_analyser_forget(server->analyser, document->path); // of the text before
}

// What has to be read again after this text has changed: the models that it is part of.
static void want_models(lsp_server *server, lsp_document *changed, bool at_once)
{
    bool alone = true;
    for (size_t i = 0; i < server->documents.n; i++) {
        lsp_document *other = server->documents.at[i];
        const lsp_analysis *a =
            other->analysis && other->analysis->index ? other->analysis : other->clean;
        if (other == changed || !a || !a->index)
            continue;
        uint32_t file = lsp_index_file(a->index, changed->path);
        if (file == LSP_NOWHERE || file == 0)
            continue;
        want(server, other, at_once);
        alone = false;
    }
    if (alone)
        want(server, changed, at_once);
}

void lsp_read_all(lsp_server *server)
{
    server->serial++;
    for (size_t i = 0; i < server->documents.n; i++)
        lsp_lens_outdate(server, server->documents.at[i]);
    for (size_t i = 0; i < server->documents.n; i++) {
        server->documents.at[i]->serial = server->serial;
        want(server, server->documents.at[i], true);
    }
}

static bool is_waited_for(const lsp_server *server, const lsp_document *model)
{
    for (size_t i = 0; i < server->waiting.n; i++)
        if (model_of(server, server->waiting.at[i].document) == model)
            return true;
    return false;
}

void lsp_start_due(lsp_server *server, double now)
{
    for (size_t i = 0; i < server->documents.n; i++) {
        lsp_document *d = server->documents.at[i];
        if (!d->wanted || (d->due > now && !is_waited_for(server, d)))
            continue;
        d->wanted = false;
        lsp_analyser_start(server->analyser, lsp_work_for(server, d->path));
    }
}

double lsp_next_due(const lsp_server *server)
{
    double due = -1;
    for (size_t i = 0; i < server->documents.n; i++) {
        const lsp_document *d = server->documents.at[i];
        if (d->wanted && (due < 0 || d->due < due))
            due = d->due;
    }
    return due;
}

static void replace_analysis(lsp_document *d, lsp_analysis *analysis)
{
    lsp_analysis *old = d->analysis;
    if (old && old->clean && !analysis->clean) {
        lsp_analysis_free(d->clean);
        d->clean = old;
    } else {
        lsp_analysis_free(old);
    }
    if (analysis->clean) {
        lsp_analysis_free(d->clean);
        d->clean = NULL;
    }
    d->analysis = analysis;
}

// Texts that this model includes need no reading of their own any more.
static void adopt(lsp_server *server, const lsp_document *model)
{
    const lsp_index *index = model->analysis->index;
    for (size_t i = 1; index && i < index->files.n; i++) {
        lsp_document *d = lsp_document_at(server, index->files.at[i].path);
        if (d && d != model && d->reported) {
            lsp_unpublish(server, d);
            d->wanted = false;
        }
    }
}

void lsp_take_analysis(lsp_server *server, lsp_analysis *analysis)
{
    lsp_document *d = lsp_document_at(server, analysis->path);
    if (!d || d->wanted || analysis->serial < d->serial || model_of(server, d) != d) {
        lsp_analysis_free(analysis);
        return;
    }
    if (analysis->complete)
        d->seconds = analysis->seconds;
    replace_analysis(d, analysis);
    if (!analysis->complete)
        return;
    adopt(server, d);
    lsp_publish(server, d);
    if (server->can.inlay_refresh && analysis->facts.n > 0)
        lsp_request(server, "workspace/inlayHint/refresh", NULL);
}

// ---- opening, changing, closing ----------------------------------------------------------------

static void set_text(lsp_server *server, lsp_document *d, lsp_text *text)
{
    if (d->text) {
        gy_lines_free(&d->lines);
        gy_lexical_free(&d->lexical);
        lsp_text_drop(d->text);
    }
    d->text = text;
    gy_lines_init(&d->lines, text->at, text->bytes);
    gy_lexical_init(&d->lexical, text->at, text->bytes);
    d->serial = ++server->serial;
}

static void free_document(lsp_server *server, lsp_document *d)
{
    lsp_runs_drop(server, d);
    gy_lines_free(&d->lines);
    gy_lexical_free(&d->lexical);
    lsp_text_drop(d->text);
    lsp_analysis_free(d->analysis);
    lsp_analysis_free(d->clean);
    json_decref(d->reported);
    free(d->uri);
    free(d->path);
    free(d);
}

void lsp_documents_free(lsp_server *server)
{
    for (size_t i = 0; i < server->documents.n; i++)
        free_document(server, server->documents.at[i]);
    gy_vec_free(&server->documents);
}

json_t *lsp_did_open(lsp_server *server, lsp_document *document, const json_t *params,
                     lsp_refusal *refusal)
{
    (void)refusal;
    const char *uri = lsp_string(params, "textDocument.uri");
    const json_t *text = lsp_at(params, "textDocument.text");
    if (!uri || !json_is_string(text))
        return NULL;
    lsp_document *d = document;
    if (!d) {
        d = gy_alloc_zero(sizeof *d);
        d->uri = strdup(uri);
        d->path = gy_uri_path(uri);
        gy_vec_push(&server->documents, d);
    }
    d->version = json_integer_value(lsp_at(params, "textDocument.version"));
    set_text(server, d, lsp_text_new(json_string_value(text), json_string_length(text)));
    want_models(server, d, true);
    return NULL;
}

// One change: all of the text, or a range of it. False: it makes no sense.
static bool change(lsp_server *server, lsp_document *d, const json_t *given)
{
    const json_t *text = json_object_get(given, "text"), *range = json_object_get(given, "range");
    if (!json_is_string(text))
        return false;
    const char *added = json_string_value(text);
    size_t n = json_string_length(text);
    if (!range || json_is_null(range)) {
        set_text(server, d, lsp_text_new(added, n));
        return true;
    }
    gy_position from, to;
    if (!lsp_number(range, "start.line", &from.line) ||
        !lsp_number(range, "start.character", &from.character) ||
        !lsp_number(range, "end.line", &to.line) ||
        !lsp_number(range, "end.character", &to.character))
        return false;
    size_t start = gy_offset_of(&d->lines, from, server->encoding);
    size_t end = gy_offset_of(&d->lines, to, server->encoding);
    if (end < start)
        end = start;
    gy_text whole = {0};
    gy_text_bytes(&whole, d->text->at, start);
    gy_text_bytes(&whole, added, n);
    gy_text_bytes(&whole, d->text->at + end, d->text->bytes - end);
    set_text(server, d, lsp_text_new(gy_text_str(&whole), whole.n));
    gy_text_free(&whole);
    return true;
}

json_t *lsp_did_change(lsp_server *server, lsp_document *document, const json_t *params,
                       lsp_refusal *refusal)
{
    (void)refusal;
    const json_t *changes = json_object_get(params, "contentChanges");
    size_t i;
    json_t *one;
    bool any = false;
    json_array_foreach(changes, i, one) any |= change(server, document, one);
    const json_t *version = lsp_at(params, "textDocument.version");
    if (json_is_integer(version))
        document->version = json_integer_value(version);
    if (any) {
        lsp_lens_outdate(server, document);
        want_models(server, document, false);
    }
    return NULL;
}

json_t *lsp_did_save(lsp_server *server, lsp_document *document, const json_t *params,
                     lsp_refusal *refusal)
{
    (void)server, (void)document, (void)params, (void)refusal;
    return NULL;
}

json_t *lsp_did_close(lsp_server *server, lsp_document *document, const json_t *params,
                      lsp_refusal *refusal)
{
    (void)params, (void)refusal;
    lsp_analyser_forget(server->analyser, document->path);
    lsp_unpublish(server, document);
    lsp_refusal gone = {0};
    lsp_refuse(&gone, LSP_CANCELLED, "the document was closed");
    for (size_t i = 0; i < server->waiting.n;) {
        lsp_waiting now = server->waiting.at[i];
        if (now.document != document) {
            i++;
            continue;
        }
        memmove(server->waiting.at + i, server->waiting.at + i + 1,
                (--server->waiting.n - i) * sizeof now);
        lsp_answer(server, now.id, NULL, &gone);
        json_decref(now.id);
        json_decref(now.params);
    }
    lsp_refusal_free(&gone);
    for (size_t i = 0; i < server->documents.n; i++) {
        if (server->documents.at[i] != document)
            continue;
        memmove(server->documents.at + i, server->documents.at + i + 1,
                (--server->documents.n - i) * sizeof document);
    }
    // What it included is read by itself now, and what includes it is read from the disk again.
    server->serial++;
    for (size_t i = 0; i < server->documents.n; i++) {
        lsp_document *d = server->documents.at[i];
        const lsp_index *own = document->analysis ? document->analysis->index : NULL;
        const lsp_index *its = d->analysis ? d->analysis->index : NULL;
        if ((own && lsp_index_file(own, d->path) != LSP_NOWHERE) ||
            (its && lsp_index_file(its, document->path) != LSP_NOWHERE)) {
            d->serial = server->serial;
            want(server, d, true);
        }
    }
    free_document(server, document);
    return NULL;
}
