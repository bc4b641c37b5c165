// Giving a name another spelling, wherever it is used: through macros and inlines too.
//
// A word of an inline's body may stand for variables of several processes; these are then renamed
// together. What can't be told (embedded C, text that #if leaves out, names made by ##) is refused.
// In the end the changed text is read, and each word in it must mean what it meant before: no rule
// about scopes is needed here, and none can be forgotten.
#include "serve/lsp/features.h"

#include "base/file.h"
#include "report/json.h"
#include "serve/document/uri.h"
#include "serve/lsp/keywords.h"

#include <ctype.h>
#include <string.h>

typedef struct renaming {
    lsp_server *server;
    lsp_document *document;
    lsp_view view;
    const char *old, *new;
    bool *renamed;         // by symbol
    GY_VEC(lsp_use) words; // to be changed, in order, each once
    lsp_refusal *refusal;
} renaming;

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

static bool check_token(renaming *r, uint32_t file, const gy_lexical *l, size_t i)
{
    const gy_lex_token *t = &l->tokens.at[i];
    size_t at;
    if (t->kind == GY_LEX_C && mentions(l->text + t->at, t->length, r->old, &at)) {
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                   "embedded C in line %u uses `%s`: change it there first",
                   line_at(r->view.index, file, t->at + at), r->old);
        return false;
    }
    if (t->kind != GY_LEX_WORD || !gy_lex_is(l, i, r->old) || is_known(r, file, t->at) ||
        is_macro_parameter(l, i, r->old))
        return true;
    lsp_refuse(
        r->refusal, LSP_REQUEST_FAILED,
        "what `%s` means in line %u can't be told: that text is never used, or left out by #if",
        r->old, line_at(r->view.index, file, t->at));
    return false;
}

static bool check_rest(renaming *r)
{
    for (uint32_t f = 0; f < r->view.index->files.n; f++) {
        const lsp_file *file = &r->view.index->files.at[f];
        gy_lexical l;
        bool good = true;
        gy_lexical_init(&l, file->text, file->bytes);
        for (size_t i = 0; i < l.tokens.n && good; i++)
            good = check_token(r, f, &l, i);
        gy_lexical_free(&l);
        if (!good)
            return false;
    }
    return true;
}

// ---- reading the changed text
// ----------------------------------------------------------------------

static lsp_text *changed_text(const renaming *r, uint32_t number)
{
    const lsp_file *file = &r->view.index->files.at[number];
    gy_text text = {0};
    size_t at = 0, n = strlen(r->old);
    for (size_t i = 0; i < r->words.n; i++) {
        if (r->words.at[i].file != number)
            continue;
        gy_text_bytes(&text, file->text + at, r->words.at[i].offset - at);
        gy_text_add(&text, r->new);
        at = r->words.at[i].offset + n;
    }
    gy_text_bytes(&text, file->text + at, file->bytes - at);
    lsp_text *result = lsp_text_new(gy_text_str(&text), text.n);
    gy_text_free(&text);
    return result;
}

static lsp_analysis *read_changed(const renaming *r)
{
    lsp_work *work = lsp_work_for(r->server, r->view.model->path);
    for (uint32_t f = 0; f < r->view.index->files.n; f++) {
        lsp_overlay overlay = {strdup(r->view.index->files.at[f].path), changed_text(r, f)};
        size_t i = 0;
        while (i < work->overlays.n && strcmp(work->overlays.at[i].path, overlay.path) != 0)
            i++;
        if (i < work->overlays.n) {
            free(work->overlays.at[i].path);
            lsp_text_drop(work->overlays.at[i].text);
            work->overlays.at[i] = overlay;
        } else {
            gy_vec_push(&work->overlays, overlay);
        }
    }
    lsp_analysis *now = lsp_analyse(work, NULL, NULL, NULL);
    lsp_work_free(work);
    return now;
}

static bool same_meaning(renaming *r, const lsp_analysis *now)
{
    const lsp_index *before = r->view.index, *after = now->index;
    for (size_t i = 0; i < now->problems.n && r->view.analysis->clean; i++) {
        const lsp_problem *p = &now->problems.at[i];
        if (p->severity != LSP_ERROR)
            continue;
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "the model would be wrong then: %s", p->message);
        return false;
    }
    bool same = after && after->uses.n == before->uses.n && after->symbols.n == before->symbols.n;
    size_t i = 0;
    for (; same && i < before->uses.n; i++)
        same = before->uses.at[i].symbol == after->uses.at[i].symbol &&
               before->uses.at[i].file == after->uses.at[i].file &&
               before->uses.at[i].role == after->uses.at[i].role;
    if (!same)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                   "`%s` would mean something else then: that name is taken where `%s` is used",
                   r->new, r->old);
    return same;
}

// ---- what may be renamed, to what
// -------------------------------------------------------------------

static const char *special_prefix(const char *label)
{
    static const char *const words[] = {"accept", "end", "progress", "wfair", "sfair"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(label, words[i], strlen(words[i])) == 0)
            return words[i];
    return "";
}

static bool is_good_name(const renaming *r, const char *name)
{
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *at = name; *at && good; at++)
        good = is_letter(*at);
    if (!good)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                   "`%s` is not a name: letters, digits and `_`, no digit first", name);
    else if (lsp_word_of(name, strlen(name)) &&
             lsp_word_of(name, strlen(name))->kind != LSP_WORD_LTL)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "`%s` is a word of the language", name);
    else
        return true;
    return false;
}

static bool may_change(const renaming *r, const lsp_symbol *s)
{
    const gy_name *name = &s->name;
    if (name->kind == GY_NAME_BUILTIN)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "`%s` is predefined", name->text);
    else if (s->file == LSP_NOWHERE)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "`%s` is not defined in a file that is known",
                   name->text);
    else if (lsp_word_of(name->text, strlen(name->text)) && name->kind == GY_NAME_PROCESS)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "`%s` is a word of the language", name->text);
    else
        return true;
    return false;
}

// The uses at the cursor; 0 after having refused.
static uint32_t uses_of(renaming *r, const json_t *params, const lsp_use **uses)
{
    size_t offset;
    if (!lsp_offset_in(r->server, r->document, params, &offset, r->refusal))
        return 0;
    uint32_t count = r->view.index ? lsp_uses_at(r->view.index, r->view.file, offset, uses) : 0;
    if (count == 0)
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "there is no name here that could be changed");
    for (uint32_t i = 0; i < count; i++)
        if (!may_change(r, &r->view.index->symbols.at[(*uses)[i].symbol]))
            return 0;
    return count;
}

json_t *lsp_prepare_rename(lsp_server *server, lsp_document *document, const json_t *params,
                           lsp_refusal *refusal)
{
    renaming r = {.server = server,
                  .document = document,
                  .view = lsp_view_of(server, document),
                  .refusal = refusal};
    const lsp_use *uses;
    if (uses_of(&r, params, &uses) == 0)
        return NULL;
    if (!uses->exact)
        return lsp_refuse(refusal, LSP_REQUEST_FAILED, "this name is made by a macro");
    json_t *range = lsp_range(server, &document->lines, uses->offset, uses->offset + uses->length);
    return json_pack("{s:o, s:o}", "range", range, "placeholder",
                     gy_json_string(r.view.index->symbols.at[uses->symbol].name.text));
}

// ---- the answer
// -----------------------------------------------------------------------------------

static json_t *edits_of(const renaming *r)
{
    json_t *changes = json_object();
    const lsp_index *index = r->view.index;
    for (size_t i = 0; i < r->words.n; i++) {
        const lsp_use *word = &r->words.at[i];
        const lsp_document *open = lsp_document_at(r->server, index->files.at[word->file].path);
        char *uri = open ? strdup(open->uri) : gy_uri_of(index->files.at[word->file].path);
        json_t *list = json_object_get(changes, uri);
        if (!list) {
            list = json_array();
            json_object_set_new(changes, uri, list);
        }
        json_t *range = lsp_range(r->server, &index->files.at[word->file].lines, word->offset,
                                  word->offset + word->length);
        json_array_append_new(list, json_pack("{s:o, s:s}", "range", range, "newText", r->new));
        free(uri);
    }
    return json_pack("{s:o}", "changes", changes);
}

static json_t *rename_all(renaming *r, const lsp_use *uses, uint32_t count)
{
    const lsp_symbol *first = &r->view.index->symbols.at[uses->symbol];
    r->old = first->name.text;
    if (strcmp(r->old, r->new) == 0)
        return json_pack("{s:{}}", "changes");
    if (!is_good_name(r, r->new))
        return NULL;
    if (first->name.kind == GY_NAME_LABEL &&
        strcmp(special_prefix(r->old), special_prefix(r->new)) != 0)
        return lsp_refuse(
            r->refusal, LSP_REQUEST_FAILED,
            "labels that begin with `%s` mean something: the model would be another one",
            *special_prefix(r->new) ? special_prefix(r->new) : special_prefix(r->old));
    for (uint32_t i = 0; i < count; i++)
        r->renamed[uses[i].symbol] = true;
    close_over(r);
    if (!check_texts(r) || !collect(r) || !check_rest(r))
        return NULL;
    lsp_analysis *now = read_changed(r);
    json_t *result = same_meaning(r, now) ? edits_of(r) : NULL;
    lsp_analysis_free(now);
    return result;
}

json_t *lsp_rename(lsp_server *server, lsp_document *document, const json_t *params,
                   lsp_refusal *refusal)
{
    renaming r = {.server = server,
                  .document = document,
                  .view = lsp_view_of(server, document),
                  .refusal = refusal};
    const lsp_use *uses;
    r.new = lsp_string(params, "newName");
    if (!r.new)
        return lsp_refuse(refusal, LSP_INVALID_PARAMS, "there is no new name");
    uint32_t count = uses_of(&r, params, &uses);
    if (count == 0)
        return NULL;
    r.renamed = gy_alloc_zero(r.view.index->symbols.n + 1);
    json_t *result = rename_all(&r, uses, count);
    gy_vec_free(&r.words);
    free(r.renamed);
    return result;
}
