// From a name to its definition, its uses, and the definition of its type.
#include "serve/lsp/features.h"

#include "serve/document/uri.h"

#include <string.h>

// The uses at params.position. 0: there are none, or it was refused.
static uint32_t uses_at(lsp_server *server, lsp_document *document, const json_t *params,
                        lsp_refusal *refusal, lsp_view *view, const lsp_use **uses)
{
    size_t offset;
    *view = lsp_view_of(server, document);
    if (!lsp_offset_in(server, document, params, &offset, refusal) || !view->index)
        return 0;
    return lsp_uses_at(view->index, view->file, offset, uses);
}

static void add_once(json_t *list, json_t *value)
{
    size_t i;
    json_t *other;
    json_array_foreach(list, i, other)
    {
        if (json_equal(other, value)) {
            json_decref(value);
            return;
        }
    }
    json_array_append_new(list, value);
}

static void add_symbol(const lsp_server *server, const lsp_index *index, uint32_t number,
                       json_t *list)
{
    const lsp_symbol *s = &index->symbols.at[number];
    if (s->file != LSP_NOWHERE)
        add_once(list,
                 lsp_location(server, index, s->file, s->offset, s->offset + strlen(s->name.text)));
}

// The file that an #include on this line names.
static json_t *included_file(const lsp_server *server, const lsp_document *document,
                             const lsp_view *view, size_t offset)
{
    uint32_t line = gy_line_of(&document->lines, offset);
    size_t start = document->lines.starts.at[line], length = gy_line_length(&document->lines, line);
    const char *text = document->text->at + start, *end = text + length;
    const char *word = memmem(text, length, "include", 7);
    const char *open = word ? memchr(word, '"', (size_t)(end - word)) : NULL;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close || memchr(text, '#', (size_t)(word - text)) == NULL || !view->index)
        return NULL;
    size_t n = (size_t)(close - open - 1);
    for (size_t i = 0; i < view->index->files.n; i++) {
        const char *path = view->index->files.at[i].path;
        size_t m = strlen(path);
        if (m > n && memcmp(path + m - n, open + 1, n) == 0 && path[m - n - 1] == '/')
            return lsp_location(server, view->index, (uint32_t)i, 0, 0);
    }
    return NULL;
}

json_t *lsp_definition(lsp_server *server, lsp_document *document, const json_t *params,
                       lsp_refusal *refusal)
{
    lsp_view view;
    const lsp_use *uses;
    uint32_t count = uses_at(server, document, params, refusal, &view, &uses);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        add_symbol(server, view.index, uses[i].symbol, list);
    size_t offset;
    if (count == 0 && lsp_offset_in(server, document, params, &offset, refusal)) {
        json_t *file = included_file(server, document, &view, offset);
        if (file)
            json_array_append_new(list, file);
    }
    return list;
}

json_t *lsp_type_definition(lsp_server *server, lsp_document *document, const json_t *params,
                            lsp_refusal *refusal)
{
    lsp_view view;
    const lsp_use *uses;
    uint32_t count = uses_at(server, document, params, refusal, &view, &uses);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const char *type = view.index->symbols.at[uses[i].symbol].name.type;
        for (size_t k = 0; k < view.index->symbols.n; k++)
            if (view.index->symbols.at[k].name.kind == GY_NAME_TYPE &&
                strcmp(view.index->symbols.at[k].name.text, type) == 0)
                add_symbol(server, view.index, (uint32_t)k, list);
    }
    return list;
}

static bool means(const lsp_use *uses, uint32_t count, uint32_t symbol)
{
    for (uint32_t i = 0; i < count; i++)
        if (uses[i].symbol == symbol)
            return true;
    return false;
}

json_t *lsp_references(lsp_server *server, lsp_document *document, const json_t *params,
                       lsp_refusal *refusal)
{
    lsp_view view;
    const lsp_use *uses;
    uint32_t count = uses_at(server, document, params, refusal, &view, &uses);
    json_t *list = json_array();
    const json_t *asked = lsp_at(params, "context.includeDeclaration");
    bool definitions = !asked || json_is_true(asked);
    const lsp_use *last = NULL;
    for (size_t i = 0; count && i < view.index->uses.n; i++) {
        const lsp_use *use = &view.index->uses.at[i];
        bool again = last && last->file == use->file && last->offset == use->offset;
        if (again || !means(uses, count, use->symbol) ||
            (!definitions && use->role == GY_USE_DEFINED))
            continue;
        last = use;
        json_array_append_new(list, lsp_location(server, view.index, use->file, use->offset,
                                                 use->offset + use->length));
    }
    return list;
}

json_t *lsp_highlight(lsp_server *server, lsp_document *document, const json_t *params,
                      lsp_refusal *refusal)
{
    enum { READ = 2, WRITE = 3 };
    lsp_view view;
    const lsp_use *uses;
    uint32_t count = uses_at(server, document, params, refusal, &view, &uses);
    json_t *list = json_array();
    const lsp_use *last = NULL;
    for (size_t i = 0; count && i < view.index->uses.n; i++) {
        const lsp_use *use = &view.index->uses.at[i];
        if (use->file != view.file || !means(uses, count, use->symbol) ||
            (last && last->offset == use->offset))
            continue;
        last = use;
        bool write = use->role == GY_USE_WRITTEN || use->role == GY_USE_DEFINED;
        json_array_append_new(list, json_pack("{s:o, s:i}", "range",
                                              lsp_range(server, &document->lines, use->offset,
                                                        use->offset + use->length),
                                              "kind", write ? WRITE : READ));
    }
    return list;
}
