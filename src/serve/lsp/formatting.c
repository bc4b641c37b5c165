// Formatting: what `gyre format` does, as edits.
#include "serve/lsp/features.h"

#include "load/front_ends.h"
#include "report/json.h"
#include "serve/format/format.h"

#include <stdint.h>
#include <string.h>

static json_t *edits_of(const lsp_document *document, const gy_text *formatted, size_t first,
                        size_t end)
{
    gy_format_edit *edits;
    json_t *list = json_array();
    size_t n =
        gy_format_edits(document->text->at, document->text->bytes, formatted, first, end, &edits);
    for (size_t i = 0; i < n; i++) {
        json_t *text = json_stringn(formatted->at + edits[i].at, edits[i].bytes);
        json_array_append_new(list,
                              json_pack("{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:o}", "range", "start",
                                        "line", (int)edits[i].first_line, "character", 0, "end",
                                        "line", (int)edits[i].end_line, "character", 0, "newText",
                                        text ? text : json_string("")));
    }
    free(edits);
    return list;
}

static json_t *format_lines(lsp_server *server, const lsp_document *document, const json_t *params,
                            size_t first, size_t end, lsp_refusal *refusal)
{
    uint32_t width = 0;
    const json_t *spaces = lsp_at(params, "options.insertSpaces");
    const gy_front_end *language =
        gy_front_end_for(document->path, document->text->at, document->text->bytes);
    if (strcmp(language->language, "promela") != 0)
        return lsp_refuse(refusal, LSP_REQUEST_FAILED, "only Promela can be formatted");
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
        list = edits_of(document, &formatted, first, end);
    else
        lsp_refuse(refusal, LSP_REQUEST_FAILED, "this text can't be formatted: %s",
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
    return format_lines(server, document, params, gy_line_of(&document->lines, from),
                        gy_line_of(&document->lines, to) + 1, refusal);
}
