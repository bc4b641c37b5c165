#include "serve/document/lexical.h"

#include <ctype.h>
#include <string.h>

typedef struct scan {
    gy_lexical *out;
    const char *text;
    size_t at, bytes;
    bool line_start; // nothing but spaces since the line began
    bool in_directive;
    enum { NO_C, C_COMES, IN_BRACKETS } c; // after c_code, c_expr, c_decl: its braces hold C
} scan;

static void add(scan *s, gy_lex_kind kind, size_t from)
{
    gy_lex_token token = {kind, s->in_directive, (uint32_t)from, (uint32_t)(s->at - from)};
    gy_vec_push(&s->out->tokens, token);
    s->line_start = false;
}

static char peek(const scan *s, size_t ahead)
{
    return s->at + ahead < s->bytes ? s->text[s->at + ahead] : '\0';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static void scan_comment(scan *s)
{
    size_t from = s->at;
    bool line = peek(s, 1) == '/';
    s->at += 2;
    while (s->at < s->bytes &&
           (line ? s->text[s->at] != '\n' : !(peek(s, 0) == '*' && peek(s, 1) == '/')))
        s->at++;
    if (!line && s->at < s->bytes)
        s->at += 2;
    bool start = s->line_start;
    add(s, GY_LEX_COMMENT, from);
    s->line_start = start;
}

static void skip_quoted(scan *s)
{
    char quote = s->text[s->at++];
    while (s->at < s->bytes && s->text[s->at] != quote && s->text[s->at] != '\n')
        s->at += s->text[s->at] == '\\' && s->at + 1 < s->bytes ? 2 : 1;
    if (s->at < s->bytes && s->text[s->at] == quote)
        s->at++;
}

static void scan_directive(scan *s)
{
    size_t from = s->at++;
    while (peek(s, 0) == ' ' || peek(s, 0) == '\t')
        s->at++;
    while (s->at < s->bytes && is_word(s->text[s->at]))
        s->at++;
    s->in_directive = true;
    add(s, GY_LEX_DIRECTIVE, from);
}

// Up to the brace that closes; quotes and comments are minded.
static void scan_c(scan *s)
{
    size_t from = s->at;
    unsigned depth = 0;
    while (s->at < s->bytes) {
        char c = s->text[s->at];
        if (c == '"' || c == '\'') {
            skip_quoted(s);
            continue;
        }
        if (c == '/' && (peek(s, 1) == '/' || peek(s, 1) == '*')) {
            bool line = peek(s, 1) == '/';
            s->at += 2;
            while (s->at < s->bytes &&
                   (line ? s->text[s->at] != '\n' : !(peek(s, 0) == '*' && peek(s, 1) == '/')))
                s->at++;
            s->at += !line && s->at < s->bytes ? 2 : 0;
            continue;
        }
        if (c == '{')
            depth++;
        else if (c == '}' && depth-- == 0)
            break;
        s->at++;
    }
    if (s->at > s->bytes)
        s->at = s->bytes;
    if (s->at > from)
        add(s, GY_LEX_C, from);
}

static bool is_c_word(const char *text, size_t n)
{
    return n == 6 &&
           (!memcmp(text, "c_code", 6) || !memcmp(text, "c_expr", 6) || !memcmp(text, "c_decl", 6));
}

static void scan_punct(scan *s)
{
    static const char *const pairs[] = {"::", "->", "<-", "==", "!=", "<=", ">=", "&&", "||",
                                        "++", "--", "<<", ">>", "..", "!!", "??", "[]", "<>"};
    size_t from = s->at++;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && s->at < s->bytes; i++)
        if (s->text[from] == pairs[i][0] && s->text[from + 1] == pairs[i][1])
            s->at = from + 2;
    char first = s->text[from];
    bool c = s->c == C_COMES && first == '{';
    if (s->c == IN_BRACKETS)
        s->c = first == ']' ? C_COMES : IN_BRACKETS;
    else if (s->c == C_COMES)
        s->c = first == '[' ? IN_BRACKETS : NO_C;
    add(s, GY_LEX_PUNCT, from);
    if (c)
        scan_c(s);
}

static void scan_one(scan *s)
{
    char c = s->text[s->at];
    if (c == '\n') {
        size_t back = s->at;
        if (back > 0 && s->text[back - 1] == '\r')
            back--;
        if (!(back > 0 && s->text[back - 1] == '\\'))
            s->in_directive = false;
        s->line_start = true;
        s->at++;
    } else if (isspace((unsigned char)c) || c == '\0') {
        s->at++;
    } else if (c == '/' && (peek(s, 1) == '/' || peek(s, 1) == '*')) {
        scan_comment(s);
    } else if (c == '"' || c == '\'') {
        size_t from = s->at;
        skip_quoted(s);
        add(s, GY_LEX_STRING, from);
    } else if (c == '#' && s->line_start && !s->in_directive) {
        scan_directive(s);
    } else if (is_word(c)) {
        size_t from = s->at;
        while (s->at < s->bytes && is_word(s->text[s->at]))
            s->at++;
        add(s, isdigit((unsigned char)c) ? GY_LEX_NUMBER : GY_LEX_WORD, from);
        if (s->c != IN_BRACKETS)
            s->c = is_c_word(s->text + from, s->at - from) ? C_COMES : NO_C;
    } else {
        scan_punct(s);
    }
}

void gy_lexical_init(gy_lexical *lexical, const char *text, size_t bytes)
{
    *lexical = (gy_lexical){.text = text, .bytes = bytes};
    scan s = {.out = lexical, .text = text, .bytes = bytes, .line_start = true};
    while (s.at < bytes)
        scan_one(&s);
}

void gy_lexical_free(gy_lexical *lexical)
{
    gy_vec_free(&lexical->tokens);
}

bool gy_lex_is(const gy_lexical *lexical, size_t token, const char *text)
{
    if (token >= lexical->tokens.n)
        return false;
    const gy_lex_token *t = &lexical->tokens.at[token];
    return t->length == strlen(text) && memcmp(lexical->text + t->at, text, t->length) == 0;
}

size_t gy_lex_find(const gy_lexical *lexical, size_t offset)
{
    size_t low = 0, high = lexical->tokens.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const gy_lex_token *t = &lexical->tokens.at[middle];
        if (t->at + t->length > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int opens(const gy_lexical *l, size_t i)
{
    static const char *const pairs[][2] = {
        {"{", "}"}, {"(", ")"}, {"[", "]"}, {"do", "od"}, {"if", "fi"}};
    for (int k = 0; k < 5; k++)
        if (gy_lex_is(l, i, pairs[k][0]))
            return k + 1;
        else if (gy_lex_is(l, i, pairs[k][1]))
            return -(k + 1);
    return 0;
}

static bool counts(const gy_lex_token *t)
{
    return (t->kind == GY_LEX_WORD || t->kind == GY_LEX_PUNCT) && !t->in_directive;
}

size_t gy_lex_closing(const gy_lexical *lexical, size_t token)
{
    int what = opens(lexical, token);
    unsigned depth = 0;
    for (size_t i = token; what > 0 && i < lexical->tokens.n; i++) {
        if (!counts(&lexical->tokens.at[i]))
            continue;
        int here = opens(lexical, i);
        if (here == what)
            depth++;
        else if (here == -what && --depth == 0)
            return i;
    }
    return lexical->tokens.n;
}
