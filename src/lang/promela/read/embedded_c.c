// Embedded C: the text between the braces of c_code, c_decl and c_expr, put together again
// from preprocessing tokens. Line breaks stay where they were, so that line n of the text is
// line n of the model, counted from the first token.
#include "lang/promela/read/lexer.h"

#include <string.h>

static bool is_punct(const pp_token *token, unsigned punct)
{
    return token->kind == PP_PUNCT && token->punct == punct;
}

// Did the two tokens touch where they were written? Then they still do: `+=` arrives as `+`
// and `=`. Otherwise a space keeps them apart.
static bool touch(const gy_sources *sources, const pp_token *a, const pp_token *b)
{
    if (b->place == a->place + a->length)
        return true;
    gy_location before = gy_location_written(sources, a->place);
    gy_location after = gy_location_written(sources, b->place);
    return before && after == before + a->length &&
           gy_location_lookup(sources, a->place).used_at ==
               gy_location_lookup(sources, b->place).used_at;
}

static void add_line_breaks(pml_tokens *tokens, gy_text *text, gy_location from, gy_location to)
{
    enum { MOST = 1000 };
    gy_location_info before = gy_location_user(tokens->sources, from);
    gy_location_info now = gy_location_user(tokens->sources, to);
    uint32_t count = 1;
    if (before.file == now.file && now.line > before.line && now.line - before.line < MOST)
        count = now.line - before.line;
    while (count--)
        gy_text_char(text, '\n');
}

static void add_token(pml_tokens *tokens, gy_text *text, const pp_token *before,
                      const pp_token *token)
{
    bool delayed =
        before->kind == PP_OTHER && before->text[0] == '\\' && is_punct(token, PML_P_HASH);
    if (delayed) { // \#include: the line break may be there already
        text->at[--text->n] = '\0';
        if (text->n && text->at[text->n - 1] != '\n')
            gy_text_char(text, '\n');
    } else if (text->n == 0) {
        // starts here
    } else if (token->flags & PP_NEWLINE) {
        add_line_breaks(tokens, text, before->place, token->place);
    } else if ((token->flags & PP_SPACE) || !touch(tokens->sources, before, token)) {
        gy_text_char(text, ' ');
    }
    gy_text_bytes(text, token->text, token->length);
}

void pml_lex_embedded_c(pml_tokens *tokens, const pp_token *open)
{
    bool brace = open->punct == PML_P_LBRACE;
    unsigned up = open->punct, down = brace ? PML_P_RBRACE : PML_P_RBRACKET, depth = 0;
    gy_text text = {0};
    pp_token before = *open, first = {0}, token;
    pp_inside_c(tokens->pp, true);
    for (;; before = token) {
        token = pml_take(tokens);
        if (token.kind == PP_END)
            break;
        if (is_punct(&token, up))
            depth++;
        if (is_punct(&token, down) && depth-- == 0)
            break;
        if (token.flags & PP_UNCLOSED)
            gy_error(tokens->diags, token.place, "the closing %c is missing", token.text[0])
                ->length = 1;
        if (text.n == 0)
            first = token;
        add_token(tokens, &text, &before, &token);
    }
    pp_inside_c(tokens->pp, false);

    pp_token start = text.n ? first : token;
    pml_token block = pml_token_from(PML_T_C_BLOCK, &start);
    if (token.kind == PP_END) {
        gy_error(tokens->diags, open->place, "this `%c` is never closed", brace ? '{' : '[');
        block.place = open->place;
    }
    block.text = gy_arena_strndup(tokens->arena, gy_text_str(&text), text.n);
    pml_queue(tokens, &block);
    gy_text_free(&text);
    if (token.kind == PP_END) {
        pml_hold(tokens, &token);
        return;
    }
    pml_token close = pml_token_from(PML_T_PUNCT, &token);
    close.punct = brace ? PML_P_RBRACE : PML_P_RBRACKET;
    close.text = pml_punct_spelling(close.punct);
    pml_queue(tokens, &close);
}
