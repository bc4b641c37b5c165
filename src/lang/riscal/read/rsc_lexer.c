// From text to tokens. Operators are those that RISCAL prints (UTF-8) and their ASCII forms;
// comments are // and /* */; numbers are decimal. `[[`, `]]` and `[]` stay single brackets:
// `a[b[i]]` ends with two that have nothing to do with a state formula.
#include "lang/riscal/read/rsc_token.h"

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
    GY_VEC(rsc_token) tokens;
} lexer;

typedef struct word {
    const char *text;
    int kind;
} word;

static const word words[] = {
    {"action", RSC_T_ACTION},
    {"Array", RSC_T_ARRAY},
    {"assert", RSC_T_ASSERT},
    {"Bool", RSC_T_BOOL},
    {"choose", RSC_T_CHOOSE},
    {"decreases", RSC_T_DECREASES},
    {"do", RSC_T_DO},
    {"else", RSC_T_ELSE},
    {"enumtype", RSC_T_ENUMTYPE},
    {"fairness", RSC_T_FAIRNESS},
    {"for", RSC_T_FOR},
    {"fun", RSC_T_FUN},
    {"if", RSC_T_IF},
    {"in", RSC_T_IN_WORD},
    {"init", RSC_T_INIT},
    {"invariant", RSC_T_INVARIANT},
    {"let", RSC_T_LET},
    {"ltl", RSC_T_LTL},
    {"Map", RSC_T_MAP},
    {"pred", RSC_T_PRED},
    {"Record", RSC_T_RECORD},
    {"Set", RSC_T_SET},
    {"shared", RSC_T_SHARED},
    {"system", RSC_T_SYSTEM},
    {"then", RSC_T_THEN},
    {"Tuple", RSC_T_TUPLE},
    {"type", RSC_T_TYPE},
    {"val", RSC_T_VAL},
    {"var", RSC_T_VAR},
    {"while", RSC_T_WHILE},
    {"with", RSC_T_WITH},
    {"Nat", RSC_T_NAT},
    {"Int", RSC_T_INT},
    {"true", RSC_T_TRUE},
    {"false", RSC_T_FALSE},
    {"forall", RSC_T_FORALL},
    {"exists", RSC_T_EXISTS},
    {"sum", RSC_T_SUM},
    {"product", RSC_T_PRODUCT},
    {"isin", RSC_T_IN},
    {"subseteq", RSC_T_SUBSET},
    {"union", RSC_T_UNION},
    {"intersect", RSC_T_INTERSECT},
    {"times", RSC_T_TIMES},
    // proofs, contracts, and what belongs to sequential programs
    {"axiom", RSC_T_OUTSIDE},
    {"check", RSC_T_OUTSIDE},
    {"component", RSC_T_OUTSIDE},
    {"distributed", RSC_T_OUTSIDE},
    {"ensures", RSC_T_OUTSIDE},
    {"letpar", RSC_T_OUTSIDE},
    {"match", RSC_T_OUTSIDE},
    {"modular", RSC_T_OUTSIDE},
    {"multiple", RSC_T_OUTSIDE},
    {"print", RSC_T_OUTSIDE},
    {"proc", RSC_T_OUTSIDE},
    {"rectype", RSC_T_OUTSIDE},
    {"requires", RSC_T_OUTSIDE},
    {"return", RSC_T_OUTSIDE},
    {"theorem", RSC_T_OUTSIDE},
    {"Unit", RSC_T_OUTSIDE},
};

// The longest of those that begin alike first.
static const word signs[] = {
    {"<=>", RSC_T_EQUIV},
    {"=>", RSC_T_IMPLIES},
    {"<=", RSC_T_LE},
    {">=", RSC_T_GE},
    {"~=", RSC_T_NE},
    {"!=", RSC_T_NE},
    {":=", RSC_T_ASSIGN},
    {"..", RSC_T_DOTS},
    {"/\\", RSC_T_AND},
    {"\\/", RSC_T_OR},
    {"<>", RSC_T_DIAMOND},
    {"<<", RSC_T_OPEN_TUPLE},
    {">>", RSC_T_CLOSE_TUPLE},
    {"\\", RSC_T_WITHOUT},
    {"~", RSC_T_NOT},
    {"≔", RSC_T_ASSIGN},
    {"ℕ", RSC_T_NAT},
    {"ℤ", RSC_T_INT},
    {"⊤", RSC_T_TRUE},
    {"⊥", RSC_T_FALSE},
    {"∀", RSC_T_FORALL},
    {"∃", RSC_T_EXISTS},
    {"∑", RSC_T_SUM},
    {"Σ", RSC_T_SUM},
    {"∏", RSC_T_PRODUCT},
    {"Π", RSC_T_PRODUCT},
    {"¬", RSC_T_NOT},
    {"∧", RSC_T_AND},
    {"∨", RSC_T_OR},
    {"⇒", RSC_T_IMPLIES},
    {"⇔", RSC_T_EQUIV},
    {"≠", RSC_T_NE},
    {"≤", RSC_T_LE},
    {"≥", RSC_T_GE},
    {"∈", RSC_T_IN},
    {"∉", RSC_T_NOTIN},
    {"⊆", RSC_T_SUBSET},
    {"∪", RSC_T_UNION},
    {"∩", RSC_T_INTERSECT},
    {"∖", RSC_T_WITHOUT},
    {"×", RSC_T_TIMES},
    {"∅", RSC_T_EMPTYSET},
    {"⟨", RSC_T_OPEN_TUPLE},
    {"⟩", RSC_T_CLOSE_TUPLE},
    {"⟦", RSC_T_OPEN_STATE},
    {"⟧", RSC_T_CLOSE_STATE},
    {"□", RSC_T_BOX},
    {"◇", RSC_T_DIAMOND},
    {"○", RSC_T_NEXT},
    {"⋅", '*'},
    {"·", '*'},
    {"−", '-'},
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
    rsc_token token = {.kind = kind,
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
    } else if (l->bytes - l->at >= 3 && memcmp(l->text + l->at, "\xef\xbb\xbf", 3) == 0) {
        l->at += 3; // a mark of the byte order
    } else {
        return false;
    }
    if (l->tokens.n)
        l->tokens.at[l->tokens.n - 1].spaced = true;
    return true;
}

// ---- tokens ---------------------------------------------------------------------------------

static void lex_name(lexer *l)
{
    const char *start = l->text + l->at;
    size_t n = 0;
    while (l->at + n < l->bytes && (is_letter(start[n]) || is_digit(start[n]) || start[n] == '\''))
        n++;
    for (int i = 0; i < WORDS; i++)
        if (strlen(words[i].text) == n && memcmp(words[i].text, start, n) == 0) {
            push(l, words[i].kind, n, start, 0);
            return;
        }
    if (n > MOST_NAME) {
        gy_error(l->diags, gy_place_at(l->sources, l->file, l->at),
                 "this name has %zu characters (the limit is %d)", n, MOST_NAME);
        push(l, RSC_T_BAD, n, start, 0);
        return;
    }
    push(l, RSC_T_NAME, n, gy_arena_strndup(l->arena, start, n), 0);
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
    push(l, RSC_T_NUMBER, n, start, too_large ? 0 : (int32_t)value);
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
        gy_error(l->diags, gy_place_at(l->sources, l->file, l->at), "this text has no end");
    push(l, RSC_T_STRING, n, start, 0);
}

static void report_stray(lexer *l)
{
    unsigned char c = (unsigned char)l->text[l->at];
    gy_place place = gy_place_at(l->sources, l->file, l->at);
    size_t n = 1;
    if (c >= 0xc0) // a whole character
        while (n < 4 && l->at + n < l->bytes && ((unsigned char)l->text[l->at + n] & 0xc0) == 0x80)
            n++;
    const char *text = l->text + l->at;
    l->at += n;
    if (l->strays++ >= MOST_STRAYS)
        return;
    if ((c > 32 && c < 127) || n > 1)
        gy_error(l->diags, place, "`%.*s` has no meaning in RISCAL", (int)n, text);
    else
        gy_error(l->diags, place, "a byte with the value %u has no meaning in RISCAL", c);
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
    if (*start && strchr(".,;:{}[]()!=+-*/%|^<>#", *start))
        push(l, *start, 1, start, 0);
    else
        report_stray(l);
}

rsc_tokens rsc_lex(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file)
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
        else if (l.text[l.at] == '"')
            lex_string(&l);
        else
            lex_sign(&l);
    }
    push(&l, RSC_T_END, 0, "", 0);
    rsc_tokens found = {.count = (uint32_t)l.tokens.n};
    found.at = GY_NEW_ARRAY(arena, rsc_token, l.tokens.n);
    memcpy(found.at, l.tokens.at, l.tokens.n * sizeof *found.at);
    gy_vec_free(&l.tokens);
    return found;
}

// ---- for messages ---------------------------------------------------------------------------

void rsc_token_text(const rsc_token *token, gy_text *out)
{
    enum { MOST = 40 };
    int shown = token->length < MOST ? (int)token->length : MOST;
    if (token->kind == RSC_T_END)
        gy_text_add(out, "the end of the file");
    else if (token->kind == RSC_T_NAME)
        gy_text_printf(out, "the name `%.*s`", shown, token->text);
    else
        gy_text_printf(out, "`%.*s`", shown, token->text);
}

const char *rsc_kind_text(int kind)
{
    static const char *const one[] = {
        [';'] = "`;`", [','] = "`,`", ['{'] = "`{`", ['}'] = "`}`", ['('] = "`(`",
        [')'] = "`)`", ['['] = "`[`", [']'] = "`]`", ['='] = "`=`", [':'] = "`:`",
        ['.'] = "`.`", ['|'] = "`|`", ['!'] = "`!`",
    };
    switch (kind) {
    case RSC_T_NAME:
        return "a name";
    case RSC_T_NUMBER:
        return "a number";
    case RSC_T_THEN:
        return "`then`";
    case RSC_T_ELSE:
        return "`else`";
    case RSC_T_DO:
        return "`do`";
    case RSC_T_IN_WORD:
        return "`in`";
    case RSC_T_SYSTEM:
        return "`system`";
    case RSC_T_CLOSE_TUPLE:
        return "`⟩`";
    case RSC_T_CLOSE_STATE:
        return "`⟧`";
    case RSC_T_EQUIV:
        return "`⇔`";
    case RSC_T_END:
        return "the end of the file";
    default:
        return kind < (int)(sizeof one / sizeof *one) && one[kind] ? one[kind] : "something else";
    }
}
