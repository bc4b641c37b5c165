// The macros of a model as text, so that a formula read later can use them.
#include "lang/promela/read/lexer.h"
#include "lang/promela/read/pp_state.h"

static void write_macro(const pp_macro *macro, gy_text *out)
{
    gy_text_printf(out, "#define %s", macro->name);
    if (macro->function_like) {
        gy_text_char(out, '(');
        for (uint32_t i = 0; i < macro->param_count; i++) {
            bool last = i + 1 == macro->param_count;
            gy_text_printf(out, "%sparameter_%u%s", i ? "," : "", i,
                           last && macro->variadic ? "..." : "");
        }
        gy_text_char(out, ')');
    }
    gy_text_char(out, ' ');
    for (size_t i = 0; i < macro->body_count; i++) {
        const pp_token *t = &macro->body[i];
        if (i && t->flags & PP_SPACE)
            gy_text_char(out, ' ');
        if (t->flags & PP_STRINGIZE)
            gy_text_char(out, '#');
        if (t->kind == PP_PARAM)
            gy_text_printf(out, "parameter_%u", t->length);
        else
            gy_text_bytes(out, t->text, t->length);
        if (t->flags & PP_PASTE)
            gy_text_add(out, " ## ");
    }
    gy_text_char(out, '\n');
}

void pml_tokens_definitions(pml_tokens *tokens, gy_text *out)
{
    for (size_t i = 0; i < tokens->words.list.n; i++) {
        const pml_word *word = tokens->words.list.at[i];
        // The predefined ones have no place.
        if (word->macro && word->macro->place && word->macro->builtin == PP_B_NONE)
            write_macro(word->macro, out);
    }
}
