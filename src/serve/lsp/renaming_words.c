// Which words are to be changed. See renaming.h.
#include "serve/lsp/renaming.h"

#include "base/file.h"
#include "serve/lsp/completion_context.h"

#include <ctype.h>
#include <string.h>

static uint32_t line_at(const lsp_index *index, uint32_t file, size_t offset)
{
    return gy_line_of(&index->files.at[file].lines, offset) + 1;
}

// ---- what is to be changed
// ------------------------------------------------------------------------

// Words that stand for several things tie these together.
static void close_over(renaming *r)
{
    const lsp_index *index = r->view.index;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < index->uses.n;) {
            size_t end = i;
            bool any = false;
            for (; end < index->uses.n && index->uses.at[end].file == index->uses.at[i].file &&
                   index->uses.at[end].offset == index->uses.at[i].offset;
                 end++)
                any |= r->renamed[index->uses.at[end].symbol];
            for (; i < end; i++)
                if (any && !r->renamed[index->uses.at[i].symbol])
                    again = r->renamed[index->uses.at[i].symbol] = true;
        }
    }
}

static bool collect(renaming *r)
{
    const lsp_index *index = r->view.index;
    for (size_t i = 0; i < index->uses.n; i++) {
        const lsp_use *use = &index->uses.at[i];
        if (!r->renamed[use->symbol])
            continue;
        const lsp_use *last = r->words.n ? &r->words.at[r->words.n - 1] : NULL;
        if (last && last->file == use->file && last->offset == use->offset)
            continue;
        if (!use->exact) {
            lsp_refuse(
                r->refusal, LSP_REQUEST_FAILED,
                "`%s` is made by a macro in line %u of %s: it has no spelling of its own there",
                r->old, line_at(index, use->file, use->offset), index->files.at[use->file].path);
            return false;
        }
        gy_vec_push(&r->words, *use);
    }
    return true;
}

// Edits count from the texts that were read: those must be the texts that are there.
static bool check_texts(renaming *r)
{
    for (size_t i = 0; i < r->view.index->files.n; i++) {
        const lsp_file *f = &r->view.index->files.at[i];
        const lsp_document *open = lsp_document_at(r->server, f->path);
        gy_file file = {0};
        bool same =
            open ? open->text->bytes == f->bytes && memcmp(open->text->at, f->text, f->bytes) == 0
                 : gy_file_read(f->path, NULL, &file) && file.bytes == f->bytes &&
                       memcmp(file.text, f->text, f->bytes) == 0;
        gy_file_free(&file);
        if (!same) {
            lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "%s has just been changed: try again",
                       f->path);
            return false;
        }
    }
    return true;
}

// ---- what could be meant, too
// --------------------------------------------------------------------

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Is the word in a text that is not Promela?
static bool mentions(const char *text, size_t bytes, const char *word, size_t *at)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= bytes; i++) {
        if (memcmp(text + i, word, n) == 0 && (i == 0 || !is_letter(text[i - 1])) &&
            (i + n == bytes || !is_letter(text[i + n]))) {
            *at = i;
            return true;
        }
    }
    return false;
}

// A parameter of the macro that is defined on this line.
static bool is_macro_parameter(const gy_lexical *l, size_t token, const char *name)
{
    size_t i = token;
    while (i > 0 && l->tokens.at[i].kind != GY_LEX_DIRECTIVE)
        i--;
    if (!l->tokens.at[token].in_directive || i + 2 >= l->tokens.n || !gy_lex_is(l, i + 2, "(") ||
        l->tokens.at[i + 2].at != l->tokens.at[i + 1].at + l->tokens.at[i + 1].length)
        return false;
    for (size_t k = i + 3; k < l->tokens.n && !gy_lex_is(l, k, ")"); k++)
        if (gy_lex_is(l, k, name))
            return true;
    return false;
}

static bool is_known(const renaming *r, uint32_t file, size_t offset)
{
    const lsp_use *uses;
    return lsp_uses_at(r->view.index, file, offset, &uses) > 0 && uses->offset == offset;
}

// A word in a text that was not read (left out by #if, in a macro that nothing uses): does it seem
// to mean what is renamed?
static bool seems_meant(const renaming *r, const lsp_document *d, size_t token)
{
    const gy_lexical *l = &d->lexical;
    lsp_context context = lsp_context_at(d, l->tokens.at[token].at);
    bool field = token > 0 && gy_lex_is(l, token - 1, ".");
    bool label = token > 0 && (gy_lex_is(l, token - 1, "goto") || gy_lex_is(l, token - 1, "@"));
    label |= gy_lex_is(l, token + 1, ":") && !gy_lex_is(l, token + 1, "::");
    uint32_t meaning = lsp_meaning(&r->view, d, &context, (uint32_t)token);
    uint32_t part = lsp_part(&r->view, d, &context);
    if (!field && meaning != GY_NO_NAME && r->renamed[meaning])
        return true;
    for (size_t i = 0; (field || label) && i < r->view.index->symbols.n; i++) {
        const gy_name *name = &r->view.index->symbols.at[i].name;
        if (r->renamed[i] && ((field && name->kind == GY_NAME_FIELD) ||
                              (label && name->kind == GY_NAME_LABEL &&
                               (name->owner == part || gy_lex_is(l, token - 1, "@")))))
            return true;
    }
    return false;
}

static bool check_token(renaming *r, uint32_t file, const lsp_document *d, size_t i)
{
    const gy_lexical *l = &d->lexical;
    const gy_lex_token *t = &l->tokens.at[i];
    size_t at;
    if (t->kind == GY_LEX_C && mentions(l->text + t->at, t->length, r->old, &at)) {
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                   "embedded C in line %u uses `%s`: change it there first",
                   line_at(r->view.index, file, t->at + at), r->old);
        return false;
    }
    if (t->kind != GY_LEX_WORD || !gy_lex_is(l, i, r->old) || is_known(r, file, t->at) ||
        is_macro_parameter(l, i, r->old) || !seems_meant(r, d, i))
        return true;
    lsp_use word = {.file = file, .offset = t->at, .length = t->length, .exact = true};
    gy_vec_push(&r->words, word);
    return true;
}

// The names that #if, #ifdef … ask for, unless the model defines them itself: with them it is
// another model, which must stay the same as well.
static void note_condition(renaming *r, const gy_lexical *l, size_t i)
{
    enum { MOST = 8 };
    const gy_lex_token *t = &l->tokens.at[i];
    if (t->kind != GY_LEX_WORD || !t->in_directive || gy_lex_is(l, i, "defined"))
        return;
    size_t start = i;
    while (start > 0 && l->tokens.at[start].kind != GY_LEX_DIRECTIVE)
        start--;
    const char *word = l->text + l->tokens.at[start].at, *name = l->text + t->at;
    bool asks = memmem(word, l->tokens.at[start].length, "if", 2) != NULL; // ifdef, ifndef, elif
    for (size_t k = 0; k < r->view.index->symbols.n && asks; k++) {
        const gy_name *known = &r->view.index->symbols.at[k].name;
        asks = !(known->kind == GY_NAME_MACRO && strlen(known->text) == t->length &&
                 memcmp(known->text, name, t->length) == 0);
    }
    for (size_t k = 0; k < r->conditions.n && asks; k++)
        asks = !(strlen(r->conditions.at[k]) == t->length &&
                 memcmp(r->conditions.at[k], name, t->length) == 0);
    if (asks && r->conditions.n < MOST)
        gy_vec_push(&r->conditions, strndup(name, t->length));
}

static int compare_words(const void *a, const void *b)
{
    const lsp_use *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool check_rest(renaming *r)
{
    bool good = true;
    for (uint32_t f = 0; f < r->view.index->files.n && good; f++) {
        const lsp_file *file = &r->view.index->files.at[f];
        lsp_document d = {.text = lsp_text_new(file->text, file->bytes)};
        gy_lines_init(&d.lines, d.text->at, d.text->bytes);
        gy_lexical_init(&d.lexical, d.text->at, d.text->bytes);
        for (size_t i = 0; i < d.lexical.tokens.n && good; i++) {
            good = check_token(r, f, &d, i);
            note_condition(r, &d.lexical, i);
        }
        gy_lines_free(&d.lines);
        gy_lexical_free(&d.lexical);
        lsp_text_drop(d.text);
    }
    if (r->words.n)
        qsort(r->words.at, r->words.n, sizeof *r->words.at, compare_words);
    return good;
}

bool lsp_renaming_collect(renaming *r)
{
    close_over(r);
    return check_texts(r) && collect(r) && check_rest(r);
}
