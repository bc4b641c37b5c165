// Code actions: what the hints of diagnostics say, done.
#include "serve/lsp/features.h"

#include "report/json.h"

#include <ctype.h>
#include <string.h>

typedef struct fixes {
    lsp_server *server;
    lsp_document *document;
    const lsp_problem *problem;
    json_t *list;
} fixes;

// Text [from, to) becomes `text`.
static void offer(fixes *f, size_t from, size_t to, const char *text, const char *title)
{
    json_t *range = lsp_range(f->server, &f->document->lines, from, to);
    json_t *edit = json_pack("{s:o, s:o}", "range", range, "newText", gy_json_string(text));
    json_t *changes = json_object();
    json_object_set_new(changes, f->document->uri, json_pack("[o]", edit));
    json_t *action = json_object();
    json_object_set_new(action, "title", gy_json_string(title));
    json_object_set_new(action, "kind", json_string("quickfix"));
    json_object_set_new(action, "isPreferred", json_true());
    json_object_set_new(action, "diagnostics",
                        json_pack("[o]", lsp_diagnostic(f->server, f->document, f->problem)));
    json_object_set_new(action, "edit", json_pack("{s:o}", "changes", changes));
    json_array_append_new(f->list, action);
}

static const char *text_at(const fixes *f, size_t offset)
{
    return f->document->text->at + offset;
}

// What stands between the first two back quotes after `before`; to be freed. NULL: nothing does.
static char *quoted(const char *words, const char *before)
{
    const char *from = words ? strstr(words, before) : NULL;
    const char *open = from ? strchr(from + strlen(before), '`') : NULL;
    const char *close = open ? strchr(open + 1, '`') : NULL;
    return close ? strndup(open + 1, (size_t)(close - open - 1)) : NULL;
}

// ---- similar names
// -----------------------------------------------------------------------------

static void fix_spelling(fixes *f)
{
    char *meant = quoted(f->problem->hint, "a similar ");
    size_t from = f->problem->offset, to = from + f->problem->length;
    if (!meant || to > f->document->text->bytes) {
        free(meant);
        return;
    }
    gy_text title = {0};
    gy_text_printf(&title, "Change `%.*s` to `%s`", (int)(to - from), text_at(f, from), meant);
    // an unknown directive is underlined without its `#`
    offer(f, from, to, meant + (*meant == '#' && *text_at(f, from) != '#'), gy_text_str(&title));
    gy_text_free(&title);
    free(meant);
}

// `and`, `or`, `not` of other languages
static void fix_operator(fixes *f)
{
    char *meant = f->problem->hint && strncmp(f->problem->hint, "write `", 7) == 0
                      ? quoted(f->problem->hint, "write ")
                      : NULL;
    if (meant && *meant && strspn(meant, "&|!=<>+-*/%^~") == strlen(meant) &&
        strlen(f->problem->hint) == 8 + strlen(meant)) {
        gy_text title = {0};
        gy_text_printf(&title, "Write `%s`", meant);
        offer(f, f->problem->offset, f->problem->offset + f->problem->length, meant,
              gy_text_str(&title));
        gy_text_free(&title);
    }
    free(meant);
}

static void fix_equals(fixes *f)
{
    if (strcmp(f->problem->message, "`=` inside a condition") == 0 &&
        *text_at(f, f->problem->offset) == '=')
        offer(f, f->problem->offset, f->problem->offset + 1, "==", "Compare: `==`");
    if (strncmp(f->problem->message, "`:=` is not", 11) == 0 &&
        strncmp(text_at(f, f->problem->offset), ":=", 2) == 0)
        offer(f, f->problem->offset, f->problem->offset + 2, "=", "Assign: `=`");
}

// A statement that assigns where something should be compared.
static void fix_guard(fixes *f)
{
    const gy_lexical *l = &f->document->lexical;
    if (strncmp(f->problem->message, "an assignment as a guard", 24) != 0)
        return;
    for (size_t i = gy_lex_find(l, f->problem->offset); i < l->tokens.n; i++) {
        if (gy_lex_is(l, i, ";") || gy_lex_is(l, i, "->") || gy_lex_is(l, i, "::"))
            return; // it is in a macro
        if (gy_lex_is(l, i, "=")) {
            offer(f, l->tokens.at[i].at, l->tokens.at[i].at + 1, "==", "Compare: `==`");
            return;
        }
    }
}

static void fix_semicolon(fixes *f)
{
    if (strncmp(f->problem->message, "missing `;` before", 18) != 0)
        return;
    size_t at = f->problem->offset;
    while (at > 0 && isspace((unsigned char)*text_at(f, at - 1)))
        at--;
    offer(f, at, at, ";", "Add the missing `;`");
}

static void fix_include(fixes *f)
{
    size_t from = f->problem->offset;
    if (!f->problem->hint || !strstr(f->problem->hint, "write #include \"") ||
        *text_at(f, from) != '<')
        return;
    const char *close = strpbrk(text_at(f, from), ">\n");
    if (!close || *close != '>')
        return;
    gy_text text = {0};
    gy_text_printf(&text, "\"%.*s\"", (int)(close - text_at(f, from) - 1), text_at(f, from) + 1);
    offer(f, from, (size_t)(close + 1 - f->document->text->at), gy_text_str(&text),
          "Search next to this file");
    gy_text_free(&text);
}

// ---- what is missing
// ------------------------------------------------------------------------------

// The word `proctype` before the name at an offset.
static bool find_proctype(const fixes *f, size_t name, size_t *at)
{
    const gy_lexical *l = &f->document->lexical;
    size_t i = gy_lex_find(l, name);
    if (i == 0 || i >= l->tokens.n || !gy_lex_is(l, i - 1, "proctype"))
        return false;
    *at = l->tokens.at[i - 1].at;
    return true;
}

static void fix_never_run(fixes *f)
{
    size_t at;
    const char *m = f->problem->message;
    if (strncmp(m, "proctype `", 10) == 0 && strstr(m, "is never run") &&
        find_proctype(f, f->problem->offset, &at))
        offer(f, at, at, "active ", "Start it with the model: `active`");
    if (strcmp(m, "no process is ever started") != 0)
        return;
    const gy_lexical *l = &f->document->lexical;
    for (size_t i = 0; i + 1 < l->tokens.n; i++)
        if (gy_lex_is(l, i, "proctype") && !l->tokens.at[i].in_directive) {
            gy_text title = {0};
            gy_text_printf(&title, "Start `%.*s` with the model", (int)l->tokens.at[i + 1].length,
                           l->text + l->tokens.at[i + 1].at);
            offer(f, l->tokens.at[i].at, l->tokens.at[i].at, "active ", gy_text_str(&title));
            gy_text_free(&title);
            return;
        }
    offer(f, f->document->text->bytes, f->document->text->bytes, "init {\n    skip\n}\n",
          "Add `init`");
}

// The first of a part of the model that the offset is in.
static size_t start_of_part(const fixes *f, size_t offset)
{
    const gy_lexical *l = &f->document->lexical;
    size_t start = 0;
    unsigned depth = 0;
    bool fresh = true;
    for (size_t i = 0; i < l->tokens.n && l->tokens.at[i].at <= offset; i++) {
        const gy_lex_token *t = &l->tokens.at[i];
        if (t->kind == GY_LEX_COMMENT || t->in_directive)
            continue;
        if (depth == 0 && fresh)
            start = t->at;
        fresh = false;
        if (gy_lex_is(l, i, "{"))
            depth++;
        else if (gy_lex_is(l, i, "}") && depth > 0)
            depth--;
        fresh = depth == 0 && (gy_lex_is(l, i, "}") || gy_lex_is(l, i, ";"));
    }
    return f->document->lines.starts.at[gy_line_of(&f->document->lines, start)];
}

static void fix_undeclared(fixes *f)
{
    if (strncmp(f->problem->message, "undeclared variable `", 21) != 0)
        return;
    char *name = quoted(f->problem->message, "undeclared variable");
    if (!name)
        return;
    gy_text text = {0}, title = {0};
    size_t at = start_of_part(f, f->problem->offset);
    gy_text_printf(&text, "byte %s;\n", name);
    gy_text_printf(&title, "Declare `byte %s`", name);
    offer(f, at, at, gy_text_str(&text), gy_text_str(&title));
    gy_text_free(&text);
    gy_text_free(&title);
    free(name);
}

// ------------------------------------------------------------------------------------------------------

static bool wants_fixes(const json_t *params)
{
    const json_t *only = lsp_at(params, "context.only");
    if (!json_is_array(only))
        return true;
    for (size_t i = 0; i < json_array_size(only); i++) {
        const char *kind = json_string_value(json_array_get(only, i));
        if (kind && (*kind == 0 || strncmp(kind, "quickfix", 8) == 0))
            return true;
    }
    return false;
}

json_t *lsp_actions(lsp_server *server, lsp_document *document, const json_t *params,
                    lsp_refusal *refusal)
{
    size_t from, to;
    if (!lsp_range_in(server, document, params, &from, &to, refusal))
        return NULL;
    lsp_view view = lsp_view_of(server, document);
    fixes f = {.server = server, .document = document, .list = json_array()};
    if (!view.analysis || !wants_fixes(params))
        return f.list;
    for (size_t i = 0; i < view.analysis->problems.n; i++) {
        const lsp_problem *p = &view.analysis->problems.at[i];
        bool everywhere = p->file == LSP_NOWHERE;
        if (!everywhere && (p->file != view.file || p->offset > to ||
                            p->offset + p->length < from || p->offset >= document->text->bytes))
            continue;
        f.problem = p;
        fix_never_run(&f);
        if (everywhere)
            continue;
        fix_spelling(&f);
        fix_operator(&f);
        fix_equals(&f);
        fix_guard(&f);
        fix_semicolon(&f);
        fix_include(&f);
        fix_undeclared(&f);
    }
    return f.list;
}
