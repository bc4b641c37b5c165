// What can be folded: bodies, if and do, comments, #if groups, runs of #define and #include.
#include "serve/lsp/features.h"

#include <string.h>

typedef struct folds {
    const lsp_document *document;
    json_t *list;
} folds;

static void add(folds *f, size_t from, size_t to, const char *kind, bool keep_last)
{
    uint32_t first = gy_line_of(&f->document->lines, from),
             last = gy_line_of(&f->document->lines, to);
    if (keep_last && last > first)
        last--;
    if (last <= first)
        return;
    json_t *fold = json_pack("{s:i, s:i}", "startLine", (int)first, "endLine", (int)last);
    if (kind)
        json_object_set_new(fold, "kind", json_string(kind));
    json_array_append_new(f->list, fold);
}

static void fold_blocks(folds *f)
{
    const gy_lexical *l = &f->document->lexical;
    GY_VEC(size_t) open = {0};
    GY_VEC(size_t) groups = {0};
    for (size_t i = 0; i < l->tokens.n; i++) {
        const gy_lex_token *t = &l->tokens.at[i];
        if (t->kind == GY_LEX_DIRECTIVE) {
            const char *word = l->text + t->at + 1;
            size_t n = t->length - 1;
            while (n > 0 && (*word == ' ' || *word == '\t'))
                word++, n--;
            bool begins = n >= 2 && memcmp(word, "if", 2) == 0;
            bool ends = (n == 5 && memcmp(word, "endif", 5) == 0);
            bool turns = n == 4 && (memcmp(word, "else", 4) == 0 || memcmp(word, "elif", 4) == 0);
            if ((ends || turns) && groups.n)
                add(f, groups.at[--groups.n], t->at, NULL, true);
            if (begins || turns)
                gy_vec_push(&groups, t->at);
            continue;
        }
        if (t->in_directive || (t->kind != GY_LEX_WORD && t->kind != GY_LEX_PUNCT))
            continue;
        if (gy_lex_is(l, i, "{") || gy_lex_is(l, i, "if") || gy_lex_is(l, i, "do"))
            gy_vec_push(&open, i);
        else if ((gy_lex_is(l, i, "}") || gy_lex_is(l, i, "fi") || gy_lex_is(l, i, "od")) &&
                 open.n) {
            size_t from = open.at[--open.n];
            add(f, l->tokens.at[from].at, t->at, NULL, true);
        }
    }
    gy_vec_free(&open);
    gy_vec_free(&groups);
}

// A comment of several lines, or several of one line each.
static void fold_comments(folds *f)
{
    const gy_lexical *l = &f->document->lexical;
    for (size_t i = 0; i < l->tokens.n;) {
        const gy_lex_token *t = &l->tokens.at[i];
        if (t->kind != GY_LEX_COMMENT) {
            i++;
            continue;
        }
        size_t end = t->at + t->length, k = i + 1;
        while (k < l->tokens.n && l->tokens.at[k].kind == GY_LEX_COMMENT &&
               gy_line_of(&f->document->lines, l->tokens.at[k].at) ==
                   gy_line_of(&f->document->lines, end) + 1) {
            end = l->tokens.at[k].at + l->tokens.at[k].length;
            k++;
        }
        add(f, t->at, end, "comment", false);
        i = k;
    }
}

json_t *lsp_folding(lsp_server *server, lsp_document *document, const json_t *params,
                    lsp_refusal *refusal)
{
    (void)server, (void)params, (void)refusal;
    folds f = {document, json_array()};
    fold_blocks(&f);
    fold_comments(&f);
    return f.list;
}
