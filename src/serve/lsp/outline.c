// The symbols of a document, as a tree; those of all open models and what they include, as a list.
#include "serve/lsp/features.h"

#include "report/json.h"
#include "serve/lsp/extent.h"

#include <ctype.h>
#include <string.h>

enum { // of the protocol
    KIND_CLASS = 5,
    KIND_METHOD = 6,
    KIND_FIELD = 8,
    KIND_INTERFACE = 11,
    KIND_FUNCTION = 12,
    KIND_VARIABLE = 13,
    KIND_CONSTANT = 14,
    KIND_KEY = 20,
    KIND_ENUM_MEMBER = 22,
    KIND_STRUCT = 23,
    KIND_EVENT = 24,
};

static int kind_of(const gy_name *name)
{
    switch (name->kind) {
    case GY_NAME_MACRO:
        return KIND_CONSTANT;
    case GY_NAME_TYPE:
        return KIND_STRUCT;
    case GY_NAME_FIELD:
        return KIND_FIELD;
    case GY_NAME_CONSTANT:
        return KIND_ENUM_MEMBER;
    case GY_NAME_PROCESS:
        return KIND_CLASS;
    case GY_NAME_CLAIM:
    case GY_NAME_PROPERTY:
        return KIND_INTERFACE;
    case GY_NAME_INLINE:
        return KIND_FUNCTION;
    case GY_NAME_LABEL:
        return KIND_KEY;
    default:
        return name->channel ? KIND_EVENT : KIND_VARIABLE;
    }
}

static json_t *symbol_of(const lsp_server *server, const lsp_document *document,
                         const lsp_symbol *s)
{
    json_t *symbol = json_object();
    size_t from = s->offset, to = s->offset + strlen(s->name.text);
    size_t length = to - from;
    bool named = s->offset + length <= document->text->bytes &&
                 memcmp(document->text->at + s->offset, s->name.text, length) == 0;
    if (!named) // `never` without a name, say
        to = from + 1;
    size_t first = from, last = to;
    lsp_extent(&document->lexical, s->offset, s->name.kind, &first, &last);
    json_object_set_new(symbol, "name", gy_json_string(s->name.text));
    if (s->name.kind != GY_NAME_MACRO || s->name.param_count) {
        gy_text detail = {0};
        gy_text_add(&detail, s->name.type);
        gy_text_add(&detail, s->name.kind == GY_NAME_MACRO ? "" : s->name.suffix);
        json_object_set_new(symbol, "detail", gy_json_take(&detail));
    }
    json_object_set_new(symbol, "kind", json_integer(kind_of(&s->name)));
    json_object_set_new(symbol, "range", lsp_range(server, &document->lines, first, last));
    json_object_set_new(symbol, "selectionRange", lsp_range(server, &document->lines, from, to));
    return symbol;
}

typedef struct place_of_symbol {
    uint32_t offset, number;
} place_of_symbol;

static int compare_places(const void *a, const void *b)
{
    const place_of_symbol *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

json_t *lsp_symbols(lsp_server *server, lsp_document *document, const json_t *params,
                    lsp_refusal *refusal)
{
    (void)params, (void)refusal;
    lsp_view view = lsp_view_of(server, document);
    json_t *list = json_array();
    if (!view.index)
        return list;
    json_t **made = gy_alloc_zero((view.index->symbols.n + 1) * sizeof *made);
    GY_VEC(place_of_symbol) order = {0};
    for (uint32_t i = 0; i < view.index->symbols.n; i++) {
        place_of_symbol at = {view.index->symbols.at[i].offset, i};
        gy_vec_push(&order, at);
    }
    if (order.n)
        qsort(order.at, order.n, sizeof *order.at, compare_places);
    for (size_t k = 0; k < order.n; k++) {
        uint32_t i = order.at[k].number;
        const lsp_symbol *s = &view.index->symbols.at[i];
        if (s->file != view.file || s->name.kind == GY_NAME_ARGUMENT ||
            s->name.kind == GY_NAME_BUILTIN || s->offset >= document->text->bytes)
            continue;
        made[i] = symbol_of(server, document, s);
        json_t *owner = s->name.owner != GY_NO_NAME ? made[s->name.owner] : NULL;
        json_t *children = owner ? json_object_get(owner, "children") : NULL;
        if (owner && !children) {
            children = json_array();
            json_object_set_new(owner, "children", children);
        }
        json_array_append_new(children ? children : list, made[i]);
    }
    gy_vec_free(&order);
    free(made);
    return list;
}

// ---- of all models ------------------------------------------------------------------------------

enum { MOST = 1000 }; // as many as anybody reads: clients ask again with every letter

// Are the letters of the query in the name, in their order?
static bool matches(const char *name, const char *query)
{
    for (; *query && *name; name++)
        query += tolower((unsigned char)*query) == tolower((unsigned char)*name);
    return !*query;
}

static bool is_listed(const json_t *list, const json_t *location)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_object_get(json_array_get(list, i), "location"), location))
            return true;
    return false;
}

static void list_symbol(const lsp_server *server, const lsp_index *index, const lsp_symbol *s,
                        json_t *list)
{
    uint32_t owner = s->name.owner;
    json_t *location =
        lsp_location(server, index, s->file, s->offset, (size_t)s->offset + strlen(s->name.text));
    if (is_listed(list, location)) { // of a file that several models include
        json_decref(location);
        return;
    }
    json_t *symbol = json_pack("{s:o, s:i, s:o}", "name", gy_json_string(s->name.text), "kind",
                               kind_of(&s->name), "location", location);
    if (owner != GY_NO_NAME)
        json_object_set_new(symbol, "containerName",
                            gy_json_string(index->symbols.at[owner].name.text));
    json_array_append_new(list, symbol);
}

json_t *lsp_workspace_symbols(lsp_server *server, lsp_document *document, const json_t *params,
                              lsp_refusal *refusal)
{
    const char *query = lsp_string(params, "query");
    json_t *list = json_array();
    (void)document, (void)refusal;
    for (size_t d = 0; d < server->documents.n; d++) {
        lsp_view view = lsp_view_of(server, server->documents.at[d]);
        for (uint32_t i = 0; view.index && i < view.index->symbols.n; i++) {
            const lsp_symbol *s = &view.index->symbols.at[i];
            if (s->file != LSP_NOWHERE && s->name.kind != GY_NAME_ARGUMENT &&
                s->name.kind != GY_NAME_BUILTIN && matches(s->name.text, query ? query : "") &&
                json_array_size(list) < MOST)
                list_symbol(server, view.index, s, list);
        }
    }
    return list;
}
