// The parameters of what is being called: proctypes, inlines, macros; the fields of what is being
// sent.
#include "serve/lsp/features.h"

#include "report/json.h"
#include "serve/lsp/completion_context.h"
#include "serve/lsp/describe.h"
#include "serve/lsp/keywords.h"

#include <string.h>

// Where a parameter is in the label, from `*from` on; it goes on after it.
static json_t *parameter_of(const lsp_server *server, const char *label, const char *text,
                            size_t *from)
{
    const char *found = strstr(label + *from, text);
    json_t *parameter = json_object();
    if (found && server->can.label_offsets) {
        size_t at = (size_t)(found - label), end = at + strlen(text);
        *from = end;
        json_object_set_new(parameter, "label",
                            json_pack("[i, i]", (int)gy_units(label, at, GY_UTF16),
                                      (int)gy_units(label, end, GY_UTF16)));
    } else {
        json_object_set_new(parameter, "label", gy_json_string(text));
    }
    return parameter;
}

json_t *lsp_signature(lsp_server *server, lsp_document *document, const json_t *params,
                      lsp_refusal *refusal)
{
    size_t offset;
    lsp_called called;
    if (!lsp_offset_in(server, document, params, &offset, refusal) ||
        !lsp_called_at(document, offset, &called))
        return NULL;
    lsp_view view = lsp_view_of(server, document);
    lsp_context context = lsp_context_at(document, offset);
    uint32_t number = lsp_meaning(&view, document, &context, called.name);
    if (number == GY_NO_NAME)
        return NULL;
    const lsp_symbol *s = &view.index->symbols.at[number];
    bool callable = s->name.kind == GY_NAME_PROCESS || s->name.kind == GY_NAME_INLINE ||
                    s->name.kind == GY_NAME_MACRO;
    if ((called.message && !s->name.channel) || (!called.message && !callable) ||
        s->name.param_count == 0)
        return NULL;
    gy_text label = {0}, comment = {0};
    lsp_declaration(s, &label);
    size_t from = strcspn(gy_text_str(&label), "({");
    json_t *parameters = json_array();
    for (uint32_t i = 0; i < s->name.param_count; i++)
        json_array_append_new(parameters,
                              parameter_of(server, gy_text_str(&label), s->name.params[i], &from));
    json_t *signature = json_object();
    json_object_set_new(signature, "label", gy_json_take(&label));
    json_object_set_new(signature, "parameters", parameters);
    lsp_comment(view.index, s, &comment);
    if (comment.n)
        json_object_set_new(signature, "documentation", lsp_markdown(&comment));
    gy_text_free(&comment);
    uint32_t argument =
        called.argument < s->name.param_count ? called.argument : s->name.param_count - 1;
    return json_pack("{s:[o], s:i, s:i}", "signatures", signature, "activeSignature", 0,
                     "activeParameter", (int)argument);
}
