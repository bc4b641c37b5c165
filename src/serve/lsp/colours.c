// Semantic tokens: what each word is, and for names what they stand for.
#include "serve/lsp/colours.h"

#include "serve/lsp/features.h"
#include "serve/lsp/keywords.h"

#include <string.h>

enum {
    TOKEN_NONE = -1,
    TOKEN_MACRO,
    TOKEN_TYPE,
    TOKEN_STRUCT,
    TOKEN_PROPERTY,
    TOKEN_ENUM_MEMBER,
    TOKEN_VARIABLE,
    TOKEN_PARAMETER,
    TOKEN_CLASS,
    TOKEN_FUNCTION,
    TOKEN_LABEL,
    TOKEN_INTERFACE,
    TOKEN_EVENT, // a channel
    TOKEN_KEYWORD,
    TOKEN_COMMENT,
    TOKEN_STRING,
    TOKEN_NUMBER,
};
static const char *const types[] = {
    "macro",    "type",  "struct",    "property", "enumMember", "variable", "parameter", "class",
    "function", "label", "interface", "event",    "keyword",    "comment",  "string",    "number"};
enum { DECLARATION = 1, READONLY = 2, STATIC = 4, MODIFICATION = 8, DEFAULT_LIBRARY = 16 };
static const char *const modifiers[] = {"declaration", "readonly", "static", "modification",
                                        "defaultLibrary"};

json_t *lsp_token_legend(void)
{
    json_t *kinds = json_array(), *marks = json_array();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        json_array_append_new(kinds, json_string(types[i]));
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        json_array_append_new(marks, json_string(modifiers[i]));
    return json_pack("{s:o, s:o}", "tokenTypes", kinds, "tokenModifiers", marks);
}

static int type_of(const gy_name *name, unsigned *marks)
{
    static const int by_kind[GY_NAME_KINDS] = {
        [GY_NAME_MACRO] = TOKEN_MACRO,     [GY_NAME_TYPE] = TOKEN_STRUCT,
        [GY_NAME_FIELD] = TOKEN_PROPERTY,  [GY_NAME_CONSTANT] = TOKEN_ENUM_MEMBER,
        [GY_NAME_GLOBAL] = TOKEN_VARIABLE, [GY_NAME_PARAMETER] = TOKEN_PARAMETER,
        [GY_NAME_LOCAL] = TOKEN_VARIABLE,  [GY_NAME_BUILTIN] = TOKEN_VARIABLE,
        [GY_NAME_PROCESS] = TOKEN_CLASS,   [GY_NAME_CLAIM] = TOKEN_INTERFACE,
        [GY_NAME_INLINE] = TOKEN_FUNCTION, [GY_NAME_ARGUMENT] = TOKEN_PARAMETER,
        [GY_NAME_LABEL] = TOKEN_LABEL,     [GY_NAME_PROPERTY] = TOKEN_INTERFACE,
    };
    if (name->kind == GY_NAME_CONSTANT)
        *marks |= READONLY;
    if (name->kind == GY_NAME_GLOBAL)
        *marks |= STATIC;
    if (name->kind == GY_NAME_BUILTIN)
        *marks |= DEFAULT_LIBRARY | READONLY;
    if (name->channel && (name->kind == GY_NAME_GLOBAL || name->kind == GY_NAME_LOCAL))
        return TOKEN_EVENT;
    return by_kind[name->kind];
}

static int type_of_word(const lsp_document *d, const gy_lex_token *t)
{
    const lsp_word *word = lsp_word_of(d->text->at + t->at, t->length);
    if (!word)
        return TOKEN_NONE;
    return word->kind == LSP_WORD_TYPE         ? TOKEN_TYPE
           : word->kind == LSP_WORD_PREDEFINED ? TOKEN_VARIABLE
                                               : TOKEN_KEYWORD;
}

typedef struct writer {
    const lsp_server *server;
    const lsp_document *document;
    json_t *data;
    gy_position last;
} writer;

// A token of several lines becomes one for each.
static void put(writer *w, size_t from, size_t to, int type, unsigned marks)
{
    const gy_lines *lines = &w->document->lines;
    while (from < to) {
        uint32_t line = gy_line_of(lines, from);
        size_t end = lines->starts.at[line] + gy_line_length(lines, line);
        if (end > to)
            end = to;
        gy_position at = gy_position_of(lines, from, w->server->encoding);
        uint32_t length =
            gy_units(lines->text + from, end > from ? end - from : 0, w->server->encoding);
        if (length > 0) {
            bool same = at.line == w->last.line;
            json_array_append_new(w->data, json_integer(at.line - w->last.line));
            json_array_append_new(
                w->data, json_integer(same ? at.character - w->last.character : at.character));
            json_array_append_new(w->data, json_integer(length));
            json_array_append_new(w->data, json_integer(type));
            json_array_append_new(w->data, json_integer(marks));
            w->last = at;
        }
        if (line + 1 >= lines->starts.n)
            break;
        from = lines->starts.at[line + 1];
    }
}

static void put_token(writer *w, const lsp_view *view, const gy_lex_token *t)
{
    static const int by_kind[] = {[GY_LEX_NUMBER] = TOKEN_NUMBER,
                                  [GY_LEX_STRING] = TOKEN_STRING,
                                  [GY_LEX_COMMENT] = TOKEN_COMMENT,
                                  [GY_LEX_DIRECTIVE] = TOKEN_KEYWORD};
    unsigned marks = 0;
    int type = TOKEN_NONE;
    const lsp_use *uses;
    if (t->kind == GY_LEX_PUNCT || t->kind == GY_LEX_C)
        return;
    if (t->kind == GY_LEX_WORD) {
        bool known = view->index && lsp_uses_at(view->index, view->file, t->at, &uses) > 0 &&
                     uses->offset == t->at && uses->length == t->length;
        if (known && !(view->index->symbols.at[uses->symbol].name.kind == GY_NAME_PROCESS &&
                       lsp_word_of(w->document->text->at + t->at, t->length))) {
            type = type_of(&view->index->symbols.at[uses->symbol].name, &marks);
            marks |= uses->role == GY_USE_DEFINED   ? DECLARATION
                     : uses->role == GY_USE_WRITTEN ? MODIFICATION
                                                    : 0;
        } else {
            type = type_of_word(w->document, t);
        }
    } else {
        type = by_kind[t->kind];
    }
    if (type != TOKEN_NONE)
        put(w, t->at, t->at + t->length, type, marks);
}

static json_t *tokens_between(const lsp_server *server, const lsp_document *document, size_t from,
                              size_t to)
{
    lsp_view view = lsp_view_of(server, document);
    writer w = {.server = server, .document = document, .data = json_array()};
    const gy_lexical *l = &document->lexical;
    for (size_t i = gy_lex_find(l, from); i < l->tokens.n && l->tokens.at[i].at < to; i++)
        put_token(&w, &view, &l->tokens.at[i]);
    return json_pack("{s:o}", "data", w.data);
}

json_t *lsp_tokens(lsp_server *server, lsp_document *document, const json_t *params,
                   lsp_refusal *refusal)
{
    (void)params, (void)refusal;
    return tokens_between(server, document, 0, document->text->bytes);
}

json_t *lsp_tokens_range(lsp_server *server, lsp_document *document, const json_t *params,
                         lsp_refusal *refusal)
{
    size_t from, to;
    if (!lsp_range_in(server, document, params, &from, &to, refusal))
        return NULL;
    return tokens_between(server, document, from, to);
}
