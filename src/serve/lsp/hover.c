// What is reported about a word that the mouse rests on.
#include "serve/lsp/features.h"

#include "serve/lsp/describe.h"
#include "serve/lsp/keywords.h"
#include "serve/lsp/lens.h"

#include <string.h>

static void add_word(const lsp_word *word, gy_text *out)
{
    gy_text_printf(out, "```promela\n%s\n```\n\n%s\n\n", word->shape, word->about);
}

// The words of the language that are written at the offset.
static const lsp_word *word_at(const lsp_document *d, size_t offset, size_t *from, size_t *to)
{
    size_t i = gy_lex_find(&d->lexical, offset);
    if (i >= d->lexical.tokens.n)
        return NULL;
    const gy_lex_token *t = &d->lexical.tokens.at[i];
    if (t->at > offset || (t->kind != GY_LEX_WORD && t->kind != GY_LEX_DIRECTIVE))
        return NULL;
    *from = t->at;
    *to = t->at + t->length;
    return lsp_word_of(d->text->at + t->at, t->length);
}

json_t *lsp_hover(lsp_server *server, lsp_document *document, const json_t *params,
                  lsp_refusal *refusal)
{
    size_t offset, from = 0, to = 0;
    lsp_view view = lsp_view_of(server, document);
    const lsp_use *uses;
    if (!lsp_offset_in(server, document, params, &offset, refusal))
        return NULL;
    gy_text text = {0};
    uint32_t count = view.index ? lsp_uses_at(view.index, view.file, offset, &uses) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const gy_name *name = &view.index->symbols.at[uses[i].symbol].name;
        const lsp_word *builtin =
            name->kind == GY_NAME_BUILTIN ? lsp_word_of(name->text, strlen(name->text)) : NULL;
        if (i > 0 && uses[i].symbol == uses[i - 1].symbol)
            continue;
        if (text.n)
            gy_text_add(&text, "---\n\n");
        if (builtin)
            add_word(builtin, &text);
        else
            lsp_describe(&view, uses[i].symbol, &text);
        from = uses[i].offset;
        to = from + uses[i].length;
    }
    if (count == 0) {
        const lsp_word *word = word_at(document, offset, &from, &to);
        if (word)
            add_word(word, &text);
    }
    lsp_lens_reached(server, document, offset, &text);
    if (text.n == 0) {
        gy_text_free(&text);
        return NULL;
    }
    if (to <= from)
        to = from = offset;
    json_t *hover = json_object();
    json_object_set_new(hover, "contents", lsp_markdown(&text));
    json_object_set_new(hover, "range", lsp_range(server, &document->lines, from, to));
    return hover;
}
