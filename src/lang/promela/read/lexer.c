// From preprocessing tokens to tokens of Promela, with the readings of Spin's own lexer:
//
// - A number is decimal digits and nothing else: `010` is ten, `0x10` is `0` and the name
//   `x10` (we say so), `2fi` is `2` and `fi`, `1..n` is `1`, `..` and `n`. It is cut to 32 bits.
// - '\n' '\r' '\t' '\f' are what they are in C; a backslash before anything else is dropped,
//   so '\0' is 48.
// - A `*/` outside a comment is ignored.
// - Implied semicolons: Spin's lexer puts a `;` at a line break inside a sequence, outside
//   parentheses, after a token that can end a statement. Where that is so, only the parser
//   knows: it gets newline_before.
#include "lang/promela/read/lexer.h"

#include <string.h>

enum { MAX_NAME = 2000, MAX_STRAYS = 5 };

pp_token pml_take(pml_tokens *tokens)
{
    if (tokens->has_held) {
        tokens->has_held = false;
        return tokens->held;
    }
    return pp_next(tokens->pp);
}

void pml_hold(pml_tokens *tokens, const pp_token *token)
{
    tokens->held = *token;
    tokens->has_held = true;
}

pml_token pml_token_from(pml_token_kind kind, const pp_token *token)
{
    return (pml_token){.kind = kind,
                       .place = token->place,
                       .length = token->length,
                       .space_before = token->flags & PP_SPACE,
                       .newline_before = token->flags & PP_NEWLINE};
}

static void queue_bad(pml_tokens *tokens, const pp_token *token)
{
    pml_token bad = pml_token_from(PML_T_BAD, token);
    pml_queue(tokens, &bad);
}

static void lex_name(pml_tokens *tokens, const pp_token *token)
{
    pml_token result = pml_token_from(PML_T_NAME, token);
    result.text = token->text;
    uint16_t keyword = pml_word_from_text(token->text)->keyword;
    if (keyword) {
        result.kind = (pml_token_kind)keyword;
        result.value = keyword == PML_T_SKIP;
        tokens->expect_c =
            keyword == PML_T_C_CODE || keyword == PML_T_C_DECL || keyword == PML_T_C_EXPR;
    } else if (token->text == tokens->word_true || token->text == tokens->word_false) {
        result.kind = PML_T_NUMBER;
        result.value = token->text == tokens->word_true;
    } else if (token->length > MAX_NAME) {
        gy_error(tokens->diags, token->place, "this name has %u characters (the limit is %d)",
                 token->length, MAX_NAME);
        queue_bad(tokens, token);
        return;
    }
    pml_queue(tokens, &result);
}

// ---- numbers --------------------------------------------------------------------------------

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void lex_hexadecimal(pml_tokens *tokens, const pp_token *token)
{
    uint64_t value = 0;
    for (uint32_t i = 2; i < token->length; i++) {
        char c = token->text[i];
        value = value << 4 | (uint64_t)(is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
    }
    gy_diag *diag =
        gy_error(tokens->diags, token->place, "Promela has no hexadecimal numbers: `%.*s`",
                 (int)(token->length < 40 ? token->length : 40), token->text);
    diag->length = token->length;
    if (token->length <= 18)
        gy_hint(diag, "write %llu", (unsigned long long)value);
    pml_token result = pml_token_from(PML_T_NUMBER, token);
    result.value = (int32_t)value;
    pml_queue(tokens, &result);
}

static bool is_hexadecimal(const pp_token *token)
{
    if (token->length < 3 || token->text[0] != '0' || (token->text[1] | 32) != 'x')
        return false;
    return strspn(token->text + 2, "0123456789abcdefABCDEF") >= token->length - 2;
}

// Reads again what C takes as part of a number but Promela does not: `..n` of `1..n`. The
// names in it were not examined for macros; Spin does not expand them either.
static void push_rest(pml_tokens *tokens, const pp_token *token, uint32_t from)
{
    enum { MOST = 100 };
    pp_token list[MOST];
    if (token->length - from > MOST) {
        gy_error(tokens->diags, token->place, "this number is too long")->length = token->length;
        return;
    }
    size_t count = 0;
    gy_location place = token->place + from; // in a macro body, the token's own place must do
    bool in_file = !gy_location_written(tokens->sources, token->place);
    const char *end = token->text + token->length;
    const char *text =
        gy_arena_strndup(tokens->arena, token->text + from, (size_t)(end - token->text) - from);
    pp_scanner scanner = {.text = text,
                          .at = text,
                          .end = text + strlen(text),
                          .base = in_file ? place : 0,
                          .fixed = token->place,
                          .in_directive = true,
                          .words = &tokens->words};
    for (pp_token part; (part = pp_scan(&scanner)).kind != PP_END;) {
        if (part.kind == PP_NAME && pml_word_from_text(part.text)->macro) {
            gy_diag *diag =
                gy_error(tokens->diags, part.place,
                         "macro `%s` is not expanded here: the preprocessor reads `%.*s` as one "
                         "number",
                         part.text, (int)(token->length < 40 ? token->length : 40), token->text);
            diag->length = part.length;
            gy_hint(diag, "put spaces around the `..`");
        }
        list[count++] = part;
    }
    pp_push(tokens->pp, list, count);
}

static void lex_number(pml_tokens *tokens, const pp_token *token)
{
    if (is_hexadecimal(token)) {
        lex_hexadecimal(tokens, token);
        return;
    }
    uint32_t digits = 0;
    uint64_t value = 0;
    bool too_large = false; // for 63 bits
    for (; digits < token->length && is_digit(token->text[digits]); digits++) {
        unsigned digit = (unsigned)(token->text[digits] - '0');
        too_large |= value > ((uint64_t)INT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    pml_token result = pml_token_from(PML_T_NUMBER, token);
    if (digits == 0) { // .5
        result.kind = PML_T_PUNCT;
        result.punct = PML_P_DOT;
        result.text = pml_punct_spelling(PML_P_DOT);
        result.length = 1;
        pml_queue(tokens, &result);
        push_rest(tokens, token, 1);
        return;
    }
    result.length = digits;
    result.value = too_large ? -1 : (int32_t)(uint32_t)value; // what strtol and a cast make of it
    bool smallest = value == 2147483648u && tokens->after_minus;
    if (too_large || (value > INT32_MAX && !smallest)) {
        gy_warn(tokens->diags, token->place, "%.*s does not fit in 32 bits and is read as %d",
                (int)(digits < 40 ? digits : 40), token->text, (int)result.value)
            ->length = digits;
    }
    pml_queue(tokens, &result);
    if (digits < token->length)
        push_rest(tokens, token, digits);
}

// ---- quotes ---------------------------------------------------------------------------------

static void lex_char(pml_tokens *tokens, const pp_token *token)
{
    const char *text = token->text;
    pml_token result = pml_token_from(PML_T_NUMBER, token);
    if (token->flags & PP_UNCLOSED) {
        gy_error(tokens->diags, token->place, "the closing ' is missing");
        queue_bad(tokens, token);
        return;
    }
    bool escaped = text[1] == '\\';
    if (token->length != (escaped ? 4u : 3u)) {
        gy_error(tokens->diags, token->place, "a character constant holds one character, like 'a'")
            ->length = token->length;
        queue_bad(tokens, token);
        return;
    }
    char c = text[escaped ? 2 : 1];
    result.value = (unsigned char)c;
    if (escaped) {
        static const char names[] = "nrtf", codes[] = "\n\r\t\f";
        const char *known = c ? strchr(names, c) : NULL;
        if (known)
            result.value = codes[known - names];
        else if (!c || !strchr("\\'\"", c))
            gy_warn(tokens->diags, token->place, "Promela reads %.4s as '%c', that is %d", text, c,
                    (int)result.value)
                ->length = 4;
    }
    pml_queue(tokens, &result);
}

static void lex_string(pml_tokens *tokens, const pp_token *token)
{
    pml_token result = pml_token_from(PML_T_STRING, token);
    if (token->flags & PP_UNCLOSED) {
        gy_error(tokens->diags, token->place, "the closing \" is missing");
        queue_bad(tokens, token);
        return;
    }
    result.text = gy_arena_strndup(tokens->arena, token->text + 1, token->length - 2);
    pml_queue(tokens, &result);
}

// ---- symbols --------------------------------------------------------------------------------

static bool is_punct(const pp_token *token, unsigned punct)
{
    return token->kind == PP_PUNCT && token->punct == punct;
}

static void lex_punct(pml_tokens *tokens, const pp_token *token)
{
    if (token->punct == PML_P_STAR) {
        pp_token next = pml_take(tokens);
        if (is_punct(&next, PML_P_SLASH) && !(next.flags & PP_SPACE)) {
            gy_warn(tokens->diags, token->place, "`*/` without a comment is ignored")->length = 2;
            queue_bad(tokens, token);
            return;
        }
        pml_hold(tokens, &next);
    }
    if (token->punct == PML_P_HASH || token->punct == PP_P_HASHHASH) {
        gy_diag *diag = gy_error(tokens->diags, token->place,
                                 "`%.*s` does not belong here: a directive begins a line",
                                 (int)token->length, token->text);
        diag->length = token->length;
        queue_bad(tokens, token);
        return;
    }
    pml_token result = pml_token_from(PML_T_PUNCT, token);
    result.punct = (pml_punct)token->punct;
    result.text = pml_punct_spelling(result.punct);
    tokens->after_minus = result.punct == PML_P_MINUS;
    pml_queue(tokens, &result);
}

// Quotation marks as word processors make them: U+2018 to U+201F.
static bool is_typographic_quote(const char *bytes, size_t n)
{
    return n >= 3 && !memcmp(bytes, "\xe2\x80", 2) && (bytes[2] & 0xf8) == 0x98;
}

// What stands between two of them is a string with the wrong marks; it ends with the line if the
// second one is missing. `next` is the token after the first mark.
static void lex_typographic_string(pml_tokens *tokens, const pp_token *token, pp_token next)
{
    bool closed = false;
    while (next.kind != PP_END && !(next.flags & PP_NEWLINE) && !closed) {
        char mark[3];
        size_t n = 0;
        while (next.kind == PP_OTHER && n < sizeof mark) {
            mark[n++] = next.text[0];
            next = pml_take(tokens);
        }
        closed = is_typographic_quote(mark, n);
        if (!closed && n == 0)
            next = pml_take(tokens);
    }
    pml_hold(tokens, &next);
    pml_token string = pml_token_from(PML_T_STRING, token);
    string.text = "";
    pml_queue(tokens, &string);
    gy_diag *d =
        gy_error(tokens->diags, token->place, "this quotation mark is not part of Promela");
    d->length = 3;
    gy_hint(d, "use the plain one: \"");
}

// A run of bytes that no token starts with, reported once.
static void lex_stray(pml_tokens *tokens, const pp_token *token)
{
    enum { SHOWN = 16 };
    pp_token next;
    uint32_t length = token->length;
    char shown[SHOWN + 1];
    size_t n = 0;
    bool ascii = true;
    next = *token;
    do {
        if (n < SHOWN && next.length == 1)
            shown[n++] = next.text[0];
        ascii &= (unsigned char)next.text[0] >= 32 && (unsigned char)next.text[0] < 127;
        length = next.place - token->place + next.length;
        next = pml_take(tokens);
    } while (next.kind == PP_OTHER && !(next.flags & PP_SPACE));
    shown[n] = '\0';
    if (is_typographic_quote(shown, n)) {
        lex_typographic_string(tokens, token, next);
        return;
    }
    pml_hold(tokens, &next);
    queue_bad(tokens, token);
    if (++tokens->strays > MAX_STRAYS)
        return;
    gy_diag *diag =
        ascii ? gy_error(tokens->diags, token->place, "`%s` is not part of Promela", shown)
              : gy_error(tokens->diags, token->place, "these bytes are not part of Promela");
    diag->length = length < 1000 ? length : 1;
    if (!ascii)
        gy_hint(diag, "outside comments and strings only ASCII characters can be used");
}

// The next token, or what c_code and its kin need.
void pml_lex(pml_tokens *tokens)
{
    pp_token token = pml_take(tokens);
    if (token.kind == PP_END || gy_diags_full(tokens->diags)) {
        pml_token end = pml_token_from(PML_T_END, &token);
        if (!end.place)
            end.place = tokens->last_place;
        end.length = 1;
        pml_queue(tokens, &end);
        return;
    }
    tokens->last_place = token.place;
    if (tokens->expect_c) {
        tokens->expect_c = is_punct(&token, PML_P_LBRACKET);
        if (is_punct(&token, PML_P_LBRACE) || is_punct(&token, PML_P_LBRACKET)) {
            lex_punct(tokens, &token);
            pml_lex_embedded_c(tokens, &token);
            return;
        }
    }
    switch (token.kind) {
    case PP_NAME:
        lex_name(tokens, &token);
        break;
    case PP_NUMBER:
        lex_number(tokens, &token);
        break;
    case PP_CHAR:
        lex_char(tokens, &token);
        break;
    case PP_STRING:
        lex_string(tokens, &token);
        break;
    case PP_PUNCT:
        lex_punct(tokens, &token);
        return;
    default:
        lex_stray(tokens, &token);
    }
    tokens->after_minus = false;
}
