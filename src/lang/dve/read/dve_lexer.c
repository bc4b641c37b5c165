// From text to tokens. Names may contain $ and # after their first character; numbers are decimal;
// comments are // and /* */; a backslash at the end of a line is white space.
#include "lang/dve/read/dve_token.h"

#include "base/vec.h"

#include <string.h>

enum { MOST_NAME = 2000, MOST_STRAYS = 5 };

typedef struct lexer {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    uint32_t file;
    const char *text;
    size_t bytes, at;
    unsigned strays;
    GY_VEC(dve_token) tokens;
} lexer;

typedef struct word {
    const char *text;
    int kind;
} word;

static const word words[] = {
    {"accept", DVE_T_ACCEPT}, {"and", DVE_T_AND},         {"assert", DVE_T_ASSERT},
    {"async", DVE_T_ASYNC},   {"byte", DVE_T_BYTE},       {"channel", DVE_T_CHANNEL},
    {"commit", DVE_T_COMMIT}, {"const", DVE_T_CONST},     {"effect", DVE_T_EFFECT},
    {"false", DVE_T_FALSE},   {"guard", DVE_T_GUARD},     {"imply", DVE_T_IMPLY},
    {"init", DVE_T_INIT},     {"int", DVE_T_INT},         {"not", DVE_T_NOT},
    {"or", DVE_T_OR},         {"process", DVE_T_PROCESS}, {"property", DVE_T_PROPERTY},
    {"state", DVE_T_STATE},   {"sync", DVE_T_SYNC},       {"system", DVE_T_SYSTEM},
    {"trans", DVE_T_TRANS},   {"true", DVE_T_TRUE},
};

// The longest of those that begin alike first.
static const word signs[] = {
    {"<->", DVE_T_EQUIV},  {"->", DVE_T_ARROW}, {"=>", DVE_T_WIDE_ARROW}, {"<<", DVE_T_SHL},
    {">>", DVE_T_SHR},     {"<=", DVE_T_LE},    {">=", DVE_T_GE},         {"==", DVE_T_EQ},
    {"!=", DVE_T_NE},      {"||", DVE_T_OR},    {"&&", DVE_T_AND},        {"[]", DVE_T_BOX},
    {"<>", DVE_T_DIAMOND},
};

enum { WORDS = sizeof words / sizeof *words, SIGNS = sizeof signs / sizeof *signs };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void push(lexer *l, int kind, size_t length, const char *text, int32_t value)
{
    dve_token token = {.kind = kind,
                       .place = gy_place_at(l->sources, l->file, l->at),
                       .length = (uint32_t)length,
                       .text = text,
                       .value = value};
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

static bool is_continuation(const lexer *l)
{
    size_t i = l->at + 1;
    while (i < l->bytes && (l->text[i] == ' ' || l->text[i] == '\t' || l->text[i] == '\r'))
        i++;
    return i < l->bytes && l->text[i] == '\n';
}

static bool skip_space(lexer *l)
{
    char c = l->text[l->at], next = l->at + 1 < l->bytes ? l->text[l->at + 1] : 0;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        l->at++;
    } else if (c == '/' && next == '/') {
        while (l->at < l->bytes && l->text[l->at] != '\n')
            l->at++;
    } else if (c == '/' && next == '*') {
        skip_block_comment(l);
    } else if (c == '\\' && is_continuation(l)) {
        l->at++;
    } else {
        return false;
    }
    return true;
}

// ---- tokens ---------------------------------------------------------------------------------

static void lex_name(lexer *l)
{
    const char *start = l->text + l->at;
    size_t n = 0;
    while (l->at + n < l->bytes &&
           (is_letter(start[n]) || is_digit(start[n]) || start[n] == '$' || start[n] == '#'))
        n++;
    for (int i = 0; i < WORDS; i++)
        if (strlen(words[i].text) == n && memcmp(words[i].text, start, n) == 0) {
            push(l, words[i].kind, n, start, 0);
            return;
        }
    if (n > MOST_NAME) {
        gy_error(l->diags, gy_place_at(l->sources, l->file, l->at),
                 "this name has %zu characters (the limit is %d)", n, MOST_NAME);
        push(l, DVE_T_BAD, n, start, 0);
        return;
    }
    push(l, DVE_T_NAME, n, gy_arena_strndup(l->arena, start, n), 0);
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
        gy_diag *diag = gy_error(l->diags, gy_place_at(l->sources, l->file, l->at),
                                 "this number is too large (the largest is %d)", INT32_MAX);
        diag->length = (uint32_t)n;
    }
    push(l, DVE_T_NUMBER, n, start, too_large ? 0 : (int32_t)value);
}

static void report_stray(lexer *l)
{
    unsigned char c = (unsigned char)l->text[l->at];
    gy_place place = gy_place_at(l->sources, l->file, l->at);
    l->at++;
    if (l->strays++ >= MOST_STRAYS)
        return;
    if (c > 32 && c < 127)
        gy_error(l->diags, place, "`%c` has no meaning in DVE", c);
    else
        gy_error(l->diags, place, "a byte with the value %u has no meaning in DVE", c);
}

static void lex_sign(lexer *l)
{
    const char *start = l->text + l->at;
    size_t left = l->bytes - l->at;
    for (int i = 0; i < SIGNS; i++) {
        size_t n = strlen(signs[i].text);
        if (n <= left && memcmp(signs[i].text, start, n) == 0) {
            push(l, signs[i].kind, n, start, 0);
            return;
        }
    }
    if (*start && strchr(".,;:{}[]()?!~=+-*/%|&^<>", *start))
        push(l, *start, 1, start, 0);
    else
        report_stray(l);
}

dve_tokens dve_lex(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file)
{
    lexer l = {.arena = arena, .sources = sources, .diags = diags, .file = file};
    l.text = gy_source_text(sources, file, &l.bytes);
    while (l.at < l.bytes) {
        if (skip_space(&l))
            continue;
        if (is_letter(l.text[l.at]))
            lex_name(&l);
        else if (is_digit(l.text[l.at]))
            lex_number(&l);
        else
            lex_sign(&l);
    }
    push(&l, DVE_T_END, 0, "", 0);
    dve_tokens found = {.count = (uint32_t)l.tokens.n};
    found.at = GY_NEW_ARRAY(arena, dve_token, l.tokens.n);
    memcpy(found.at, l.tokens.at, l.tokens.n * sizeof *found.at);
    gy_vec_free(&l.tokens);
    return found;
}

// ---- for messages ---------------------------------------------------------------------------

void dve_token_text(const dve_token *token, gy_text *out)
{
    enum { MOST = 40 };
    int shown = token->length < MOST ? (int)token->length : MOST;
    if (token->kind == DVE_T_END)
        gy_text_add(out, "the end of the file");
    else if (token->kind == DVE_T_NAME)
        gy_text_printf(out, "the name `%.*s`", shown, token->text);
    else
        gy_text_printf(out, "`%.*s`", shown, token->text);
}

const char *dve_kind_text(int kind)
{
    static const char *const one[] = {
        [';'] = "`;`", [','] = "`,`", ['{'] = "`{`", ['}'] = "`}`", ['('] = "`(`",
        [')'] = "`)`", ['['] = "`[`", [']'] = "`]`", ['='] = "`=`", [':'] = "`:`",
    };
    if (kind == DVE_T_NAME)
        return "a name";
    if (kind == DVE_T_NUMBER)
        return "a number";
    if (kind == DVE_T_ARROW)
        return "`->`";
    if (kind == DVE_T_STATE)
        return "`state`";
    if (kind == DVE_T_END)
        return "the end of the file";
    return kind < (int)(sizeof one / sizeof *one) && one[kind] ? one[kind] : "something else";
}
