// Diagnostics: what `gyre info` reports of the same text.
#include "serve/lsp/server.h"

#include "report/json.h"
#include "serve/document/uri.h"

#include <string.h>

json_t *lsp_range(const lsp_server *server, const gy_lines *lines, size_t from, size_t to)
{
    gy_position a = gy_position_of(lines, from, server->encoding);
    gy_position b = gy_position_of(lines, to < from ? from : to, server->encoding);
    return json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", (int)a.line, "character",
                     (int)a.character, "end", "line", (int)b.line, "character", (int)b.character);
}

json_t *lsp_location(const lsp_server *server, const lsp_index *index, uint32_t file, size_t from,
                     size_t to)
{
    char *uri = gy_uri_of(index->files.at[file].path);
    json_t *location = json_object();
    json_object_set_new(location, "uri", gy_json_string(uri));
    json_object_set_new(location, "range",
                        lsp_range(server, &index->files.at[file].lines, from, to));
    free(uri);
    return location;
}

// The end of what is underlined: on the same line.
static size_t end_of(const lsp_file *file, const lsp_problem *problem)
{
    uint32_t line = gy_line_of(&file->lines, problem->offset);
    size_t end = file->lines.starts.at[line] + gy_line_length(&file->lines, line);
    size_t wanted = (size_t)problem->offset + problem->length;
    return wanted < end ? wanted : end > problem->offset ? end : problem->offset;
}

static json_t *place_of(const lsp_server *server, const lsp_index *index,
                        const lsp_problem *problem)
{
    if (problem->file == LSP_NOWHERE || !index)
        return json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", 0, "character", 0, "end",
                         "line", 0, "character", 0);
    const lsp_file *file = &index->files.at[problem->file];
    return lsp_range(server, &file->lines, problem->offset, end_of(file, problem));
}

static json_t *words_of(const lsp_problem *problem)
{
    gy_text text = {0};
    gy_text_add(&text, problem->message);
    if (problem->hint)
        gy_text_printf(&text, "\nhint: %s", problem->hint);
    return gy_json_take(&text);
}

static json_t *diagnostic_of(const lsp_server *server, const lsp_index *index,
                             const lsp_problem *problem)
{
    json_t *d = json_object();
    json_object_set_new(d, "range", place_of(server, index, problem));
    json_object_set_new(d, "severity", json_integer(problem->severity));
    json_object_set_new(d, "source", json_string("gyre"));
    json_object_set_new(d, "message", words_of(problem));
    if (problem->hint)
        json_object_set_new(d, "data", json_pack("{s:o}", "hint", gy_json_string(problem->hint)));
    return d;
}

json_t *lsp_diagnostic(const lsp_server *server, const lsp_document *document,
                       const lsp_problem *problem)
{
    lsp_view view = lsp_view_of(server, document);
    return diagnostic_of(server, view.index, problem);
}

// A note is part of the problem before it, for clients that know such parts.
static bool join(const lsp_server *server, const lsp_index *index, json_t *last,
                 const lsp_problem *note, const char *uri)
{
    if (!last || !server->can.related || note->severity != LSP_INFORMATION)
        return false;
    json_t *list = json_object_get(last, "relatedInformation");
    if (!list) {
        list = json_array();
        json_object_set_new(last, "relatedInformation", list);
    }
    json_t *item = json_object(), *location = json_object();
    json_object_set_new(location, "uri", json_string(uri));
    json_object_set_new(location, "range", place_of(server, index, note));
    json_object_set_new(item, "location", location);
    json_object_set_new(item, "message", words_of(note));
    json_array_append_new(list, item);
    return true;
}

static json_t *diagnostics_by_file(const lsp_server *server, const lsp_document *document)
{
    const lsp_analysis *a = document->analysis;
    json_t *all = json_object(), *last = NULL;
    json_object_set_new(all, document->uri, json_array());
    for (size_t i = 0; i < a->problems.n; i++) {
        const lsp_problem *problem = &a->problems.at[i];
        char *uri = problem->file == LSP_NOWHERE || problem->file == 0 || !a->index
                        ? strdup(document->uri)
                        : gy_uri_of(a->index->files.at[problem->file].path);
        if (!join(server, a->index, last, problem, uri)) {
            last = diagnostic_of(server, a->index, problem);
            if (!json_object_get(all, uri))
                json_object_set_new(all, uri, json_array());
            json_array_append_new(json_object_get(all, uri), last);
        }
        free(uri);
    }
    return all;
}

// All that open models say about this file, each thing once.
static void publish_file(lsp_server *server, const char *uri)
{
    json_t *list = json_array();
    const lsp_document *open = NULL;
    for (size_t i = 0; i < server->documents.n; i++) {
        const lsp_document *d = server->documents.at[i];
        json_t *said = json_object_get(d->reported, uri), *one;
        size_t k, j;
        if (strcmp(d->uri, uri) == 0)
            open = d;
        json_array_foreach(said, k, one)
        {
            for (j = 0; j < json_array_size(list) && !json_equal(json_array_get(list, j), one); j++)
                ;
            if (j == json_array_size(list))
                json_array_append(list, one);
        }
    }
    json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", list);
    if (open)
        json_object_set_new(params, "version", json_integer(open->version));
    lsp_notify(server, "textDocument/publishDiagnostics", params);
}

// A file may be open under an URI that is spelled differently from ours.
static void use_open_uris(lsp_server *server, json_t *all)
{
    for (size_t i = 0; i < server->documents.n; i++) {
        const lsp_document *d = server->documents.at[i];
        char *uri = gy_uri_of(d->path);
        json_t *said = json_object_get(all, uri);
        if (said && strcmp(uri, d->uri) != 0) {
            json_object_set(all, d->uri, said);
            json_object_del(all, uri);
        }
        free(uri);
    }
}

static void replace(lsp_server *server, lsp_document *document, json_t *now)
{
    json_t *before = document->reported, *ignored;
    const char *uri;
    document->reported = now;
    json_object_foreach(now, uri, ignored) publish_file(server, uri);
    json_object_foreach(before, uri, ignored)
    {
        if (!json_object_get(now, uri))
            publish_file(server, uri);
    }
    json_decref(before);
}

void lsp_publish(lsp_server *server, lsp_document *document)
{
    json_t *now = diagnostics_by_file(server, document);
    use_open_uris(server, now);
    replace(server, document, now);
}

void lsp_unpublish(lsp_server *server, lsp_document *document)
{
    if (document->reported)
        replace(server, document, NULL);
}
