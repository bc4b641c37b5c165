// Hints between the words of a text: what an argument is given for, and which values a variable can
// hold.
#include "serve/lsp/features.h"

#include "report/json.h"

#include <string.h>

enum { HINT_TYPE = 1, HINT_PARAMETER = 2 };

static void add(const lsp_server *server, const lsp_document *d, json_t *list, size_t offset,
                gy_text *label, int kind)
{
    gy_position at = gy_position_of(&d->lines, offset, server->encoding);
    json_t *hint = json_pack("{s:{s:i, s:i}, s:i, s:b}", "position", "line", (int)at.line,
                             "character", (int)at.character, "kind", kind,
                             kind == HINT_PARAMETER ? "paddingRight" : "paddingLeft", 1);
    json_object_set_new(hint, "label", gy_json_take(label));
    json_array_append_new(list, hint);
}

// `run P(id)` for a parameter `id` needs no words.
static bool says_itself(const lsp_document *d, const lsp_argument *a)
{
    size_t n = strlen(a->label);
    return a->offset + n <= d->text->bytes && memcmp(d->text->at + a->offset, a->label, n) == 0;
}

json_t *lsp_inlay(lsp_server *server, lsp_document *document, const json_t *params,
                  lsp_refusal *refusal)
{
    size_t from, to;
    if (!lsp_range_in(server, document, params, &from, &to, refusal))
        return NULL;
    lsp_view view = lsp_view_of(server, document);
    json_t *list = json_array();
    size_t last = SIZE_MAX;
    for (size_t i = 0; view.index && i < view.index->arguments.n; i++) {
        const lsp_argument *a = &view.index->arguments.at[i];
        if (a->file != view.file || a->offset < from || a->offset > to || a->offset == last ||
            says_itself(document, a))
            continue;
        gy_text label = {0};
        last = a->offset;
        gy_text_printf(&label, "%s:", a->label);
        add(server, document, list, a->offset, &label, HINT_PARAMETER);
    }
    for (size_t i = 0; view.index && i < view.analysis->facts.n; i++) {
        const lsp_fact *fact = &view.analysis->facts.at[i];
        const lsp_symbol *s = &view.index->symbols.at[fact->symbol];
        size_t end = s->offset + strlen(s->name.text);
        if (s->file != view.file || s->offset < from || s->offset > to)
            continue;
        gy_text label = {0};
        if (fact->min == fact->max)
            gy_text_printf(&label, "= %d", fact->min);
        else
            gy_text_printf(&label, "%d…%d", fact->min, fact->max);
        add(server, document, list, end, &label, HINT_TYPE);
    }
    return list;
}
