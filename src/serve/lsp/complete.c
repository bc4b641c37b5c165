// What could be written next.
#include "serve/lsp/features.h"

#include "report/json.h"
#include "serve/lsp/completion_context.h"
#include "serve/lsp/describe.h"
#include "serve/lsp/keywords.h"

#include <string.h>

enum { // of the protocol
    ITEM_FUNCTION = 3,
    ITEM_FIELD = 5,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_KEYWORD = 14,
    ITEM_SNIPPET = 15,
    ITEM_REFERENCE = 18,
    ITEM_ENUM_MEMBER = 20,
    ITEM_CONSTANT = 21,
    ITEM_STRUCT = 22,
    ITEM_EVENT = 23,
    ITEM_TYPE = 25,
};

static int kind_of(const gy_name *name)
{
    switch (name->kind) {
    case GY_NAME_MACRO:
        return ITEM_CONSTANT;
    case GY_NAME_TYPE:
        return ITEM_STRUCT;
    case GY_NAME_FIELD:
        return ITEM_FIELD;
    case GY_NAME_CONSTANT:
        return ITEM_ENUM_MEMBER;
    case GY_NAME_PROCESS:
    case GY_NAME_CLAIM:
        return ITEM_CLASS;
    case GY_NAME_INLINE:
        return ITEM_FUNCTION;
    case GY_NAME_LABEL:
        return ITEM_REFERENCE;
    default:
        return name->channel ? ITEM_EVENT : ITEM_VARIABLE;
    }
}

typedef struct offer {
    const lsp_server *server;
    const lsp_document *document;
    lsp_view view;
    lsp_context context;
    uint32_t part;
    json_t *items;
} offer;

// ---- single items
// -----------------------------------------------------------------------------------

static bool has_item(const offer *o, const char *label)
{
    for (size_t i = 0; i < json_array_size(o->items); i++) {
        const char *other =
            json_string_value(json_object_get(json_array_get(o->items, i), "label"));
        if (other && strcmp(other, label) == 0)
            return true;
    }
    return false;
}

// A call, with places for its arguments.
static void add_call(const offer *o, json_t *item, const gy_name *name)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s(", name->text);
    for (uint32_t i = 0; i < name->param_count; i++) {
        const char *word = strrchr(name->params[i], ' ');
        gy_text_printf(&text, "%s${%u:%s}", i ? ", " : "", i + 1,
                       word ? word + 1 : name->params[i]);
    }
    gy_text_add(&text, ")");
    if (o->server->can.snippets) {
        json_object_set_new(item, "insertText", gy_json_take(&text));
        json_object_set_new(item, "insertTextFormat", json_integer(2));
    }
    gy_text_free(&text);
}

// `rank`: those that fit best come first.
static void add_symbol(offer *o, const lsp_index *index, uint32_t number, int rank, bool call)
{
    const lsp_symbol *s = &index->symbols.at[number];
    if (has_item(o, s->name.text))
        return;
    json_t *item = json_object();
    gy_text detail = {0}, sort = {0}, comment = {0};
    lsp_declaration(s, &detail);
    lsp_comment(index, s, &comment);
    gy_text_printf(&sort, "%d%s", rank, s->name.text);
    json_object_set_new(item, "label", gy_json_string(s->name.text));
    json_object_set_new(item, "kind", json_integer(kind_of(&s->name)));
    json_object_set_new(item, "detail", gy_json_take(&detail));
    json_object_set_new(item, "sortText", gy_json_take(&sort));
    if (comment.n)
        json_object_set_new(item, "documentation", lsp_markdown(&comment));
    gy_text_free(&comment);
    bool macro_call = s->name.kind == GY_NAME_MACRO && s->name.param_count > 0;
    if ((call && (s->name.kind == GY_NAME_PROCESS || s->name.kind == GY_NAME_INLINE)) || macro_call)
        add_call(o, item, &s->name);
    json_array_append_new(o->items, item);
}

static void add_word(offer *o, const lsp_word *word, int rank)
{
    json_t *item = json_object();
    gy_text sort = {0}, about = {0};
    bool snippet = word->snippet && o->server->can.snippets;
    gy_text_printf(&sort, "%d%s", rank, word->text);
    gy_text_printf(&about, "```promela\n%s\n```\n\n%s", word->shape, word->about);
    json_object_set_new(item, "label", json_string(word->text));
    json_object_set_new(item, "kind", json_integer(snippet ? ITEM_SNIPPET : ITEM_KEYWORD));
    json_object_set_new(item, "sortText", gy_json_take(&sort));
    json_object_set_new(item, "documentation", lsp_markdown(&about));
    if (snippet) {
        const char *text = word->snippet;
        // what is replaced begins after the `#`, for editors to which that is no letter
        bool behind = text[0] == '#' && o->context.prefix < o->document->text->bytes &&
                      o->document->text->at[o->context.prefix] == '#';
        json_object_set_new(item, "insertText", json_string(text + behind));
        json_object_set_new(item, "insertTextFormat", json_integer(2));
        json_object_set_new(item, "filterText", json_string(word->text + behind));
    }
    json_array_append_new(o->items, item);
}

static void add_words(offer *o, unsigned kinds, int rank)
{
    for (size_t i = 0; i < lsp_word_count; i++)
        if (kinds & 1u << lsp_words[i].kind)
            add_word(o, &lsp_words[i], rank);
}

// Symbols of these kinds, of an owner or (GY_NO_NAME) of the model as a whole.
static void add_symbols_of(offer *o, const lsp_index *index, unsigned kinds, uint32_t owner,
                           int rank, bool call)
{
    for (size_t i = 0; index && i < index->symbols.n; i++) {
        const gy_name *name = &index->symbols.at[i].name;
        if ((kinds & 1u << name->kind) && name->owner == owner)
            add_symbol(o, index, (uint32_t)i, rank, call);
    }
}

// The same of the whole model; what the last good text had is not forgotten while this one is
// wrong.
static void add_globals(offer *o, unsigned kinds, int rank, bool call)
{
    add_symbols_of(o, o->view.index, kinds, GY_NO_NAME, rank, call);
    const lsp_analysis *clean = o->view.model->clean;
    if (clean && clean->index != o->view.index)
        add_symbols_of(o, clean->index, kinds, GY_NO_NAME, rank, call);
}

#define K(kind) (1u << GY_NAME_##kind)
#define W(kind) (1u << LSP_WORD_##kind)

// ---- places
// -------------------------------------------------------------------------------------------

// After a dot: the fields of the type that the reference before it has.
static void offer_fields(offer *o)
{
    const gy_lexical *l = &o->document->lexical;
    uint32_t chain[16], n = 0, i = o->context.before;
    while (n < 16 && i != LSP_NO_TOKEN && gy_lex_is(l, i, ".") && i > 0) {
        i--;
        for (unsigned depth = 0; i > 0; i--) { // an index
            depth += gy_lex_is(l, i, "]");
            if (depth == 0)
                break;
            depth -= gy_lex_is(l, i, "[");
        }
        if (l->tokens.at[i].kind != GY_LEX_WORD)
            return;
        chain[n++] = i;
        i = i > 0 ? i - 1 : LSP_NO_TOKEN;
    }
    uint32_t symbol =
        n ? lsp_meaning(&o->view, o->document, &o->context, chain[n - 1]) : GY_NO_NAME;
    for (uint32_t k = n; symbol != GY_NO_NAME && k-- > 0;) {
        const lsp_index *index = o->view.index;
        uint32_t type = GY_NO_NAME, field = GY_NO_NAME;
        for (size_t s = 0; s < index->symbols.n; s++)
            if (index->symbols.at[s].name.kind == GY_NAME_TYPE &&
                strcmp(index->symbols.at[s].name.text, index->symbols.at[symbol].name.type) == 0)
                type = (uint32_t)s;
        if (type == GY_NO_NAME)
            return;
        if (k == 0) {
            add_symbols_of(o, index, K(FIELD), type, 1, false);
            return;
        }
        const gy_lex_token *t = &l->tokens.at[chain[k - 1]];
        for (size_t s = 0; s < index->symbols.n; s++)
            if (index->symbols.at[s].name.owner == type &&
                strlen(index->symbols.at[s].name.text) == t->length &&
                memcmp(index->symbols.at[s].name.text, o->document->text->at + t->at, t->length) ==
                    0)
                field = (uint32_t)s;
        symbol = field;
    }
}

// After `P@` or `P[0]@`.
static void offer_labels(offer *o)
{
    const gy_lexical *l = &o->document->lexical;
    uint32_t i = o->context.before;
    if (i == 0)
        return;
    i--;
    while (i > 0 && l->tokens.at[i].kind != GY_LEX_WORD)
        i--;
    uint32_t process = lsp_meaning(&o->view, o->document, &o->context, i);
    add_symbols_of(o, o->view.index, K(LABEL), process, 1, false);
}

static void offer_directive(offer *o)
{
    const gy_lexical *l = &o->document->lexical;
    size_t at = gy_lex_find(l, o->context.prefix);
    if (at < l->tokens.n && l->tokens.at[at].kind == GY_LEX_DIRECTIVE &&
        l->tokens.at[at].at == o->context.prefix) {
        add_words(o, W(DIRECTIVE), 1);
        return;
    }
    add_globals(o, K(MACRO) | K(GLOBAL) | K(CONSTANT), 2, true);
}

static void offer_between_parts(offer *o)
{
    add_words(o, W(UNIT) | W(TYPE), 2);
    add_globals(o, K(TYPE), 1, false);
    add_globals(o, K(MACRO), 3, true);
}

static void offer_in_formula(offer *o)
{
    add_words(o, W(LTL) | W(EXPRESSION), 3);
    add_globals(o, K(GLOBAL) | K(CONSTANT) | K(MACRO) | K(PROCESS), 2, false);
}

static void offer_in_body(offer *o)
{
    add_symbols_of(o, o->view.index, K(PARAMETER) | K(LOCAL) | K(ARGUMENT), o->part, 1, true);
    add_globals(o, K(GLOBAL) | K(CONSTANT), 2, false);
    add_globals(o, K(INLINE) | K(MACRO), 3, true);
    add_globals(o, K(TYPE), 4, false);
    add_words(o, W(STATEMENT) | W(EXPRESSION), 4);
    add_words(o, W(TYPE) | W(PREDEFINED), 5);
}

static void offer_at(offer *o)
{
    const gy_lexical *l = &o->document->lexical;
    const lsp_context *c = &o->context;
    if (c->outside)
        return;
    size_t word = gy_lex_find(l, c->prefix);
    bool directive = word < l->tokens.n && l->tokens.at[word].kind == GY_LEX_DIRECTIVE &&
                     l->tokens.at[word].at == c->prefix;
    if (c->directive || directive)
        offer_directive(o);
    else if (c->before != LSP_NO_TOKEN && gy_lex_is(l, c->before, "."))
        offer_fields(o);
    else if (c->before != LSP_NO_TOKEN && gy_lex_is(l, c->before, "@"))
        offer_labels(o);
    else if (c->before != LSP_NO_TOKEN && gy_lex_is(l, c->before, "goto"))
        add_symbols_of(o, o->view.index, K(LABEL), o->part, 1, false);
    else if (c->before != LSP_NO_TOKEN && gy_lex_is(l, c->before, "run"))
        add_globals(o, K(PROCESS), 1, true);
    else if (c->unit == LSP_NO_TOKEN)
        offer_between_parts(o);
    else if (gy_lex_is(l, c->unit, "ltl"))
        offer_in_formula(o);
    else if (c->depth == 0 || gy_lex_is(l, c->unit, "typedef")) {
        add_words(o, W(TYPE), 2);
        add_globals(o, K(TYPE), 1, false);
    } else
        offer_in_body(o);
}

json_t *lsp_completion(lsp_server *server, lsp_document *document, const json_t *params,
                       lsp_refusal *refusal)
{
    size_t offset;
    if (!lsp_offset_in(server, document, params, &offset, refusal))
        return NULL;
    offer o = {.server = server, .document = document, .view = lsp_view_of(server, document)};
    o.context = lsp_context_at(document, offset);
    o.part = lsp_part(&o.view, document, &o.context);
    o.items = json_array();
    offer_at(&o);
    return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", o.items);
}
