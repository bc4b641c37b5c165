#include "lang/common/token_reader.h"

enum { MOST_NAME = 2000, MOST_STRAYS = 5 };

typedef struct lexer {
    const gy_lexicon *lexicon;
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    uint32_t file;
    const char *text;
    size_t bytes, at;
    unsigned strays;
    GY_VEC(gy_token) tokens;
} lexer;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static gy_location here(const lexer *l)
{
    return gy_place_at(l->sources, l->file, l->at);
}

static void push(lexer *l, int kind, size_t length, const char *text, int32_t value)
{
    gy_token token = {
        .kind = kind, .place = here(l), .length = (uint32_t)length, .text = text, .value = value};
    gy_vec_push(&l->tokens, token);
    l->at += length;
}

// ---- white space ----------------------------------------------------------------------------

static void skip_block_comment(lexer *l)
{
    size_t start = l->at;
    for (l->at += 2; l->at + 1 < l->bytes; l->at++)
        if (l->text[l->at] == '*' && l->text[l->at + 1] == '/') {
            l->at += 2;
            return;
        }
    l->at = l->bytes;
    gy_diag *diag =
        gy_error(l->diags, gy_place_at(l->sources, l->file, start), "this comment has no end");
    gy_hint(diag, "it is closed by */");
}

static bool skip_space(lexer *l)
{
    size_t left = l->bytes - l->at;
    char c = l->text[l->at], next = left > 1 ? l->text[l->at + 1] : 0;
    size_t own = l->lexicon->skips ? l->lexicon->skips(l->text + l->at, left) : 0;
    if (own) {
        l->at += own;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        l->at++;
    } else if (c == '/' && next == '/') {
        while (l->at < l->bytes && l->text[l->at] != '\n')
            l->at++;
    } else if (c == '/' && next == '*') {
        skip_block_comment(l);
    } else if (l->at == 0 && left >= 3 && memcmp(l->text, "\xef\xbb\xbf", 3) == 0) {
        l->at += 3; // a mark of the byte order
    } else {
        return false;
    }
    if (l->tokens.n)
        l->tokens.at[l->tokens.n - 1].spaced = true;
    return true;
}

// ---- tokens ---------------------------------------------------------------------------------

static bool is_in_name(const lexer *l, char c)
{
    return is_letter(c) || is_digit(c) ||
           (c && l->lexicon->in_names && strchr(l->lexicon->in_names, c));
}

static void lex_name(lexer *l)
{
    const char *start = l->text + l->at;
    size_t n = 0;
    while (l->at + n < l->bytes && is_in_name(l, start[n]))
        n++;
    for (const gy_lexeme *word = l->lexicon->words; word->text; word++)
        if (strlen(word->text) == n && memcmp(word->text, start, n) == 0) {
            push(l, word->kind, n, start, 0);
            return;
        }
    if (n > MOST_NAME) {
        gy_error(l->diags, here(l), "this name has %zu characters (the limit is %d)", n, MOST_NAME);
        push(l, GY_T_BAD, n, start, 0);
        return;
    }
    push(l, GY_T_NAME, n, gy_arena_strndup(l->arena, start, n), 0);
}

static void lex_number(lexer *l)
{
    const char *start = l->text + l->at;
    size_t n = 0;
    uint64_t value = 0;
    bool too_large = false;
    for (; l->at + n < l->bytes && is_digit(start[n]); n++) {
        value = value * 10 + (uint64_t)(start[n] - '0');
        too_large = too_large || value > INT32_MAX;
        value &= INT32_MAX;
    }
    if (too_large) {
        gy_diag *diag =
            gy_error(l->diags, here(l), "this number is too large (the largest is %d)", INT32_MAX);
        diag->length = (uint32_t)n;
    }
    push(l, GY_T_NUMBER, n, start, too_large ? 0 : (int32_t)value);
}

static void lex_string(lexer *l)
{
    const char *start = l->text + l->at;
    size_t n = 1;
    while (l->at + n < l->bytes && start[n] != '"' && start[n] != '\n')
        n++;
    if (l->at + n < l->bytes && start[n] == '"')
        n++;
    else
        gy_error(l->diags, here(l), "this text has no end");
    push(l, GY_T_STRING, n, start, 0);
}

static void report_stray(lexer *l)
{
    unsigned char c = (unsigned char)l->text[l->at];
    gy_location place = here(l);
    size_t n = 1;
    if (c >= 0xc0) // a whole character
        while (n < 4 && l->at + n < l->bytes && ((unsigned char)l->text[l->at + n] & 0xc0) == 0x80)
            n++;
    const char *text = l->text + l->at, *language = l->lexicon->language;
    l->at += n;
    if (l->strays++ >= MOST_STRAYS)
        return;
    if ((c > 32 && c < 127) || n > 1)
        gy_error(l->diags, place, "`%.*s` has no meaning in %s", (int)n, text, language);
    else
        gy_error(l->diags, place, "a byte with the value %u has no meaning in %s", c, language);
}

static void lex_sign(lexer *l)
{
    const char *start = l->text + l->at;
    size_t left = l->bytes - l->at;
    for (const gy_lexeme *sign = l->lexicon->signs; sign->text; sign++) {
        size_t n = strlen(sign->text);
        if (n <= left && memcmp(sign->text, start, n) == 0) {
            push(l, sign->kind, n, start, 0);
            return;
        }
    }
    if (*start && strchr(l->lexicon->characters, *start))
        push(l, *start, 1, start, 0);
    else
        report_stray(l);
}

gy_token_reader gy_read_tokens(const gy_lexicon *lexicon, gy_arena *arena, gy_sources *sources,
                               gy_diags *diags, uint32_t file)
{
    lexer l = {
        .lexicon = lexicon, .arena = arena, .sources = sources, .diags = diags, .file = file};
    l.text = gy_source_text(sources, file, &l.bytes);
    while (l.at < l.bytes) {
        if (skip_space(&l))
            continue;
        if (is_letter(l.text[l.at]))
            lex_name(&l);
        else if (is_digit(l.text[l.at]))
            lex_number(&l);
        else if (l.text[l.at] == '"' && lexicon->strings)
            lex_string(&l);
        else
            lex_sign(&l);
    }
    push(&l, GY_T_END, 0, "", 0);
    gy_token *found;
    size_t count;
    gy_keep(arena, &l.tokens, gy_token, found, count);
    (void)count;
    return (gy_token_reader){.lexicon = lexicon, .diags = diags, .at = found};
}

// ---- for messages ---------------------------------------------------------------------------

void gy_token_text(const gy_token *token, gy_text *out)
{
    enum { MOST = 40 };
    int shown = token->length < MOST ? (int)token->length : MOST;
    if (token->kind == GY_T_END)
        gy_text_add(out, "the end of the file");
    else if (token->kind == GY_T_NAME)
        gy_text_printf(out, "the name `%.*s`", shown, token->text);
    else
        gy_text_printf(out, "`%.*s`", shown, token->text);
}

static const char *find_kind(const gy_lexeme *list, int kind)
{
    const char *found = NULL; // the last one: the language's own form, after what ASCII has for it
    for (; list->text; list++)
        if (list->kind == kind)
            found = list->text;
    return found;
}

static void kind_text(const gy_lexicon *lexicon, int kind, gy_text *out)
{
    const char *text = find_kind(lexicon->words, kind);
    if (!text)
        text = find_kind(lexicon->signs, kind);
    if (text)
        gy_text_printf(out, "`%s`", text);
    else if (kind < GY_T_END)
        gy_text_printf(out, "`%c`", kind);
    else
        gy_text_add(out, kind == GY_T_NAME     ? "a name"
                         : kind == GY_T_NUMBER ? "a number"
                         : kind == GY_T_STRING ? "a text"
                                               : "the end of the file");
}

bool gy_is_word(const gy_lexicon *lexicon, const gy_token *token)
{
    return token->kind >= GY_T_OF_LANGUAGE && token->length && is_letter(*token->text) &&
           find_kind(lexicon->words, token->kind);
}

// ---- taking tokens --------------------------------------------------------------------------

bool gy_accept(gy_token_reader *in, int kind)
{
    if (in->at->kind != kind)
        return false;
    if (kind != GY_T_END)
        in->at++;
    return true;
}

gy_diag *gy_unexpected(gy_token_reader *in, const char *expected, const char *where)
{
    if (in->last_error == in->at || in->at->kind == GY_T_BAD)
        return NULL;
    in->last_error = in->at;
    gy_text found = {0};
    gy_token_text(in->at, &found);
    gy_diag *diag = gy_error(in->diags, in->at->place, "expected %s %s, found %s", expected, where,
                             gy_text_str(&found));
    diag->length = in->at->length;
    gy_text_free(&found);
    return diag;
}

bool gy_expect(gy_token_reader *in, int kind, const char *where)
{
    if (gy_accept(in, kind))
        return true;
    gy_text expected = {0};
    kind_text(in->lexicon, kind, &expected);
    gy_unexpected(in, gy_text_str(&expected), where);
    gy_text_free(&expected);
    return false;
}

bool gy_take_name(gy_token_reader *in, gy_name *name, const char *what)
{
    if (in->at->kind != GY_T_NAME) {
        gy_diag *diag = gy_unexpected(in, what, "here");
        if (diag && gy_is_word(in->lexicon, in->at))
            gy_hint(diag, "`%.*s` is a word of the language", (int)in->at->length, in->at->text);
        *name = (gy_name){"", in->at->place};
        return false;
    }
    *name = (gy_name){in->at->text, in->at->place};
    in->at++;
    return true;
}

bool gy_enter(gy_token_reader *in, unsigned most)
{
    if (in->depth < most) {
        in->depth++;
        return true;
    }
    if (in->last_error != in->at)
        gy_error(in->diags, in->at->place, "this is nested too deeply");
    in->last_error = in->at;
    return false;
}

static bool is_among(const int *kinds, int kind)
{
    for (; kinds && *kinds; kinds++)
        if (*kinds == kind)
            return true;
    return false;
}

void gy_skip_to(gy_token_reader *in, const int *kinds, const int *always)
{
    unsigned open = 0;
    for (; in->at->kind != GY_T_END; in->at++) {
        int kind = in->at->kind;
        if ((!open && is_among(kinds, kind)) || is_among(always, kind))
            return;
        if (kind == '{' || kind == '(' || kind == '[')
            open++;
        else if ((kind == '}' || kind == ')' || kind == ']') && open)
            open--;
    }
}
