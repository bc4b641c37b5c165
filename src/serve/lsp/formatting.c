// Formatting: what `gyre format` does, as edits.
#include "serve/lsp/features.h"

#include "load/front_ends.h"
#include "report/json.h"
#include "serve/format/format.h"

#include <stdint.h>
#include <string.h>

// Lines of `gyre format` end with \n; those of the protocol end with a lone \r, too.
static size_t line_at(const lsp_document *document, size_t offset)
{
    const char *at = document->text->at, *end = at + offset;
    size_t line = 0;
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        line++;
    return line;
}

// The offset of a line that is `lines` further on.
static size_t lines_on(const lsp_document *document, size_t offset, size_t lines)
{
    const char *start = document->text->at, *at = start + offset,
               *end = start + document->text->bytes;
    while (lines-- > 0) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    return (size_t)(at - start);
}

static json_t *edits_of(const lsp_server *server, const lsp_document *document,
                        const gy_text *formatted, size_t first, size_t end)
{
    gy_format_edit *edits;
    json_t *list = json_array();
    size_t n =
        gy_format_edits(document->text->at, document->text->bytes, formatted, first, end, &edits);
    size_t at = 0, line = 0;
    for (size_t i = 0; i < n; i++) {
        json_t *text = json_stringn(formatted->at + edits[i].at, edits[i].bytes);
        size_t from = lines_on(document, at, edits[i].first_line - line);
        at = lines_on(document, from, edits[i].end_line - edits[i].first_line);
        line = edits[i].end_line;
        json_array_append_new(list, json_pack("{s:o, s:o}", "range",
                                              lsp_range(server, &document->lines, from, at),
                                              "newText", text));
    }
    free(edits);
    return list;
}

static bool formats(const gy_front_end *language)
{
    return language->formats;
}

static json_t *refuse_language(lsp_refusal *refusal)
{
    gy_text names = {0};
    gy_front_ends_that(formats, &names);
    lsp_refuse(refusal, LSP_REQUEST_FAILED, "only %s can be formatted", gy_text_str(&names));
    gy_text_free(&names);
    return NULL;
}

static json_t *format_lines(lsp_server *server, const lsp_document *document, const json_t *params,
                            size_t first, size_t end, lsp_refusal *refusal)
{
    uint32_t width = 0;
    const json_t *spaces = lsp_at(params, "options.insertSpaces");
    if (!gy_front_end_for(document->path, document->text->at, document->text->bytes)->formats)
        return refuse_language(refusal);
    gy_format_input input = {.name = document->path,
                             .text = document->text->at,
                             .bytes = document->text->bytes,
                             .include_dirs = (const char *const *)server->include_dirs};
    if (lsp_number(params, "options.tabSize", &width) && width > 0 && width <= 16 && spaces)
        input.style = (gy_format_style){.indent = width, .tabs = !json_is_true(spaces)};
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_text formatted = {0};
    json_t *list = NULL;
    if (gy_format(sources, diags, &input, &formatted))
        list = edits_of(server, document, &formatted, first, end);
    else
        lsp_refuse(refusal, LSP_REQUEST_FAILED, "this text cannot be formatted: %s",
                   gy_diags_count(diags) ? gy_diags_at(diags, 0)->message : "it has errors");
    gy_text_free(&formatted);
    gy_diags_free(diags);
    gy_sources_free(sources);
    return list;
}

json_t *lsp_format(lsp_server *server, lsp_document *document, const json_t *params,
                   lsp_refusal *refusal)
{
    return format_lines(server, document, params, 0, SIZE_MAX, refusal);
}

json_t *lsp_format_range(lsp_server *server, lsp_document *document, const json_t *params,
                         lsp_refusal *refusal)
{
    size_t from, to;
    if (!lsp_range_in(server, document, params, &from, &to, refusal))
        return NULL;
    return format_lines(server, document, params, line_at(document, from),
                        line_at(document, to) + 1, refusal);
}
