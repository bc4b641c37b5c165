// textDocument/rename: what may be renamed, to what, and the edits.
#include "serve/lsp/renaming.h"

#include "report/json.h"
#include "serve/document/uri.h"
#include "serve/lsp/keywords.h"

#include <ctype.h>
#include <string.h>

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
        good = (isalnum((unsigned char)*at) || *at == '_');
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
        lsp_refuse(r->refusal, LSP_REQUEST_FAILED, "no name here can be changed");
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
        return lsp_refuse(r->refusal, LSP_REQUEST_FAILED,
                          "labels that begin with `%s` have a meaning: the model would change",
                          *special_prefix(r->new) ? special_prefix(r->new)
                                                  : special_prefix(r->old));
    for (uint32_t i = 0; i < count; i++)
        r->renamed[uses[i].symbol] = true;
    return lsp_renaming_collect(r) && lsp_renaming_check(r) ? edits_of(r) : NULL;
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
        return lsp_refuse(refusal, LSP_INVALID_PARAMS, "the new name is missing");
    uint32_t count = uses_of(&r, params, &uses);
    if (count == 0)
        return NULL;
    r.renamed = gy_alloc_zero(r.view.index->symbols.n + 1);
    json_t *result = rename_all(&r, uses, count);
    for (size_t i = 0; i < r.conditions.n; i++)
        free(r.conditions.at[i]);
    gy_vec_free(&r.conditions);
    gy_vec_free(&r.words);
    free(r.renamed);
    return result;
}
