#include "serve/lsp/completion_context.h"

#include <string.h>

static bool is_unit(const gy_lexical *l, size_t i)
{
    static const char *const words[] = {"proctype", "D_proctype", "inline",  "init",   "never",
                                        "ltl",      "trace",      "notrace", "typedef"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (gy_lex_is(l, i, words[k]))
            return true;
    return false;
}

lsp_context lsp_context_at(const lsp_document *d, size_t offset)
{
    const gy_lexical *l = &d->lexical;
    lsp_context c = {
        .prefix = offset, .before = LSP_NO_TOKEN, .unit = LSP_NO_TOKEN, .name = LSP_NO_TOKEN};
    for (size_t i = 0; i < l->tokens.n && l->tokens.at[i].at < offset; i++) {
        const gy_lex_token *t = &l->tokens.at[i];
        bool ends_behind = t->at + t->length >= offset;
        if (ends_behind && (t->kind == GY_LEX_WORD || t->kind == GY_LEX_DIRECTIVE)) {
            c.prefix = t->at;
            c.directive = t->in_directive;
            break;
        }
        bool line_comment = t->kind == GY_LEX_COMMENT && l->text[t->at + 1] == '/';
        if ((t->at + t->length > offset || (ends_behind && line_comment)) &&
            (t->kind == GY_LEX_COMMENT || t->kind == GY_LEX_STRING || t->kind == GY_LEX_C)) {
            c.outside = true;
            return c;
        }
        if (t->kind == GY_LEX_COMMENT)
            continue;
        c.before = (uint32_t)i;
        c.directive =
            t->in_directive && gy_line_of(&d->lines, t->at) == gy_line_of(&d->lines, offset);
        if (t->in_directive)
            continue;
        if (gy_lex_is(l, i, "{")) {
            c.depth++;
        } else if (gy_lex_is(l, i, "}") && c.depth > 0) {
            if (--c.depth == 0)
                c.unit = c.name = LSP_NO_TOKEN;
        } else if (c.depth == 0 && is_unit(l, i)) {
            c.unit = (uint32_t)i;
            c.name = (uint32_t)i + 1;
        }
    }
    return c;
}

// ---- calls
// ----------------------------------------------------------------------------------------

static bool ends_statement(const gy_lexical *l, size_t i)
{
    return gy_lex_is(l, i, "::") || gy_lex_is(l, i, "{") || gy_lex_is(l, i, "}") ||
           gy_lex_is(l, i, "->");
}

static bool is_message_sign(const gy_lexical *l, size_t i)
{
    return gy_lex_is(l, i, "!") || gy_lex_is(l, i, "!!") || gy_lex_is(l, i, "?") ||
           gy_lex_is(l, i, "??");
}

bool lsp_called_at(const lsp_document *d, size_t offset, lsp_called *called)
{
    enum { FAR = 400 };
    const gy_lexical *l = &d->lexical;
    size_t i = gy_lex_find(l, offset);
    if (i < l->tokens.n && l->tokens.at[i].at < offset && l->tokens.at[i].kind != GY_LEX_WORD &&
        l->tokens.at[i].kind != GY_LEX_NUMBER && l->tokens.at[i].kind != GY_LEX_PUNCT)
        return false; // in a comment, say
    unsigned depth = 0;
    *called = (lsp_called){0};
    for (size_t left = FAR; i-- > 0 && left-- > 0;) {
        const gy_lex_token *t = &l->tokens.at[i];
        if (t->kind != GY_LEX_PUNCT)
            continue;
        if (gy_lex_is(l, i, ")") || gy_lex_is(l, i, "]"))
            depth++;
        else if ((gy_lex_is(l, i, "(") || gy_lex_is(l, i, "[")) && depth > 0)
            depth--;
        else if (depth == 0 && (gy_lex_is(l, i, ",") || gy_lex_is(l, i, "("))) {
            bool opens = gy_lex_is(l, i, "(");
            bool word = i > 0 && l->tokens.at[i - 1].kind == GY_LEX_WORD;
            bool sent = opens && i > 1 && is_message_sign(l, i - 2);
            if (opens && word && !sent) {
                called->name = (uint32_t)i - 1;
                return true;
            }
            called->argument += !opens || sent; // q!m(a): m is the first field
        } else if (depth == 0 && is_message_sign(l, i) && i > 0) {
            size_t name = i - 1;
            if (gy_lex_is(l, name, "]")) { // q[i]!…
                unsigned inner = 0;
                do {
                    inner += gy_lex_is(l, name, "]");
                    inner -= gy_lex_is(l, name, "[");
                } while (inner > 0 && name-- > 0);
                name -= name > 0;
            }
            if (name >= l->tokens.n || l->tokens.at[name].kind != GY_LEX_WORD)
                continue;
            called->name = (uint32_t)name;
            called->message = true;
            return true;
        } else if (depth == 0 && (ends_statement(l, i) || gy_lex_is(l, i, ";"))) {
            return false;
        }
    }
    return false;
}

// ---- names
// ----------------------------------------------------------------------------------------

static bool is_named(const lsp_symbol *s, const char *text, size_t length)
{
    return strlen(s->name.text) == length && memcmp(s->name.text, text, length) == 0;
}

uint32_t lsp_part(const lsp_view *view, const lsp_document *d, const lsp_context *c)
{
    if (!view->index || c->unit == LSP_NO_TOKEN || c->name >= d->lexical.tokens.n)
        return GY_NO_NAME;
    uint32_t token = gy_lex_is(&d->lexical, c->unit, "init") ? c->unit : c->name;
    const gy_lex_token *t = &d->lexical.tokens.at[token];
    for (size_t i = 0; i < view->index->symbols.n; i++) {
        const lsp_symbol *s = &view->index->symbols.at[i];
        if ((s->name.kind == GY_NAME_PROCESS || s->name.kind == GY_NAME_CLAIM ||
             s->name.kind == GY_NAME_INLINE) &&
            is_named(s, d->text->at + t->at, t->length))
            return (uint32_t)i;
    }
    return GY_NO_NAME;
}

uint32_t lsp_meaning(const lsp_view *view, const lsp_document *d, const lsp_context *c,
                     uint32_t token)
{
    if (!view->index || token >= d->lexical.tokens.n)
        return GY_NO_NAME;
    const gy_lex_token *t = &d->lexical.tokens.at[token];
    uint32_t part = lsp_part(view, d, c), best = GY_NO_NAME;
    for (size_t i = 0; i < view->index->symbols.n; i++) {
        const lsp_symbol *s = &view->index->symbols.at[i];
        if (!is_named(s, d->text->at + t->at, t->length) || s->name.kind == GY_NAME_FIELD ||
            s->name.kind == GY_NAME_LABEL)
            continue;
        if (s->name.owner != GY_NO_NAME && s->name.owner == part)
            return (uint32_t)i;
        if (s->name.owner == GY_NO_NAME)
            best = (uint32_t)i;
    }
    return best;
}
