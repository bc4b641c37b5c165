// The scanner: one function per kind of word.
#include "lang/ltl/formula/formula_scan.h"

#include <ctype.h>
#include <string.h>

static char look(const ltl_scanner *s, size_t ahead)
{
    return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(ltl_scanner *s)
{
    while (s->at < s->length && isspace((unsigned char)s->text[s->at]))
        s->at++;
}

static bool starts(const ltl_scanner *s, const char *what)
{
    size_t n = strlen(what);
    return s->length - s->at >= n && !memcmp(s->text + s->at, what, n);
}

// From an opening bracket to after its partner. False: there is none.
static bool skip_balanced(ltl_scanner *s, char open, char close)
{
    size_t depth = 0;
    for (; s->at < s->length; s->at++) {
        if (s->text[s->at] == open)
            depth++;
        else if (s->text[s->at] == close && --depth == 0) {
            s->at++;
            return true;
        }
    }
    return false;
}

static ltl_token bad(size_t start, size_t end, const char *problem, const char *hint)
{
    return (ltl_token){LTL_T_BAD, start, end, problem, hint};
}

// ---- operators of signs -------------------------------------------------------------------

static const struct {
    const char *text;
    ltl_token_kind kind;
} signs[] = {
    // longest first
    {"<->", LTL_T_EQUIV},  {"<=>", LTL_T_EQUIV},  {"[]", LTL_T_ALWAYS}, {"<>", LTL_T_EVENTUALLY},
    {"->", LTL_T_IMPLIES}, {"=>", LTL_T_IMPLIES}, {"&&", LTL_T_AND},    {"||", LTL_T_OR},
    {"/\\", LTL_T_AND},    {"\\/", LTL_T_OR},     {"==", LTL_T_EQUAL},  {"!=", LTL_T_EQUAL},
    {"<=", LTL_T_ORDER},   {">=", LTL_T_ORDER},   {"<<", LTL_T_SHIFT},  {">>", LTL_T_SHIFT},
    {"<", LTL_T_ORDER},    {">", LTL_T_ORDER},    {"!", LTL_T_NOT},     {"~", LTL_T_COMPLEMENT},
    {"&", LTL_T_AND},      {"|", LTL_T_OR},       {"^", LTL_T_XOR},     {"(", LTL_T_OPEN},
    {")", LTL_T_CLOSE},    {"+", LTL_T_PLUS},     {"-", LTL_T_PLUS},    {"*", LTL_T_TIMES},
    {"/", LTL_T_TIMES},    {"%", LTL_T_TIMES},
};

static ltl_token scan_sign(ltl_scanner *s)
{
    size_t start = s->at;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (starts(s, signs[i].text)) {
            s->at += strlen(signs[i].text);
            return (ltl_token){signs[i].kind, start, s->at, NULL, NULL};
        }
    s->at++;
    while (s->at < s->length && ((unsigned char)s->text[s->at] & 0xc0) == 0x80)
        s->at++; // the rest of a UTF-8 character
    if (s->text[start] == '=')
        return bad(start, s->at, "`=` cannot be used in a formula", "use `==` to compare");
    return bad(start, s->at, "this character cannot be used in a formula", NULL);
}

// ---- words ----------------------------------------------------------------------------------

static const struct {
    const char *text;
    ltl_token_kind kind;
} words[] = {
    {"U", LTL_T_UNTIL},
    {"V", LTL_T_RELEASE},
    {"R", LTL_T_RELEASE},
    {"W", LTL_T_WEAK},
    {"M", LTL_T_STRONG},
    {"always", LTL_T_ALWAYS},
    {"until", LTL_T_UNTIL},
    {"stronguntil", LTL_T_UNTIL},
    {"weakuntil", LTL_T_WEAK},
    {"release", LTL_T_RELEASE},
    {"next", LTL_T_NEXT},
    {"eventually", LTL_T_EVENTUALLY},
    {"implies", LTL_T_IMPLIES},
    {"equivalent", LTL_T_EQUIV},
    {"not", LTL_T_NOT},
    {"xor", LTL_T_XOR},
    {"true", LTL_T_TRUE},
    {"false", LTL_T_FALSE},
    {"strongrelease", LTL_T_STRONG},
};

static const char *const calls[] = {"len",     "empty",        "nempty",   "full",    "nfull",
                                    "enabled", "get_priority", "pc_value", "timeout", "cond_expr"};

static bool is_one_of(const ltl_scanner *s, size_t start, const char *word)
{
    return strlen(word) == s->at - start && !memcmp(s->text + start, word, s->at - start);
}

// After a name: [index], @label, :label, .field, ?[…], (…) of a call, as long as there is one.
static bool scan_suffixes(ltl_scanner *s, bool is_call)
{
    for (;;) {
        size_t before = s->at;
        skip_blanks(s);
        if (look(s, 0) == '[' && look(s, 1) != ']') {
            if (!skip_balanced(s, '[', ']'))
                return false;
        } else if (look(s, 0) == '(' && is_call) {
            is_call = false;
            if (!skip_balanced(s, '(', ')'))
                return false;
        } else if (starts(s, "?[") || starts(s, "??[")) {
            s->at += look(s, 1) == '?' ? 2 : 1;
            if (!skip_balanced(s, '[', ']'))
                return false;
        } else if ((look(s, 0) == '@' || look(s, 0) == ':' || look(s, 0) == '.') &&
                   is_letter(look(s, 1))) {
            s->at++;
            while (is_word(look(s, 0)))
                s->at++;
        } else {
            s->at = before;
            return true;
        }
    }
}

static ltl_token scan_word(ltl_scanner *s)
{
    size_t start = s->at;
    while (is_word(look(s, 0)))
        s->at++;
    size_t n = s->at - start;
    if (strspn(s->text + start, "GFX") >= n) { // GF p, XX p: one operator per letter
        s->at = start + 1;
        char c = s->text[start];
        ltl_token_kind kind = c == 'G' ? LTL_T_ALWAYS : c == 'F' ? LTL_T_EVENTUALLY : LTL_T_NEXT;
        return (ltl_token){kind, start, s->at, NULL, NULL};
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_one_of(s, start, words[i].text))
            return (ltl_token){words[i].kind, start, s->at, NULL, NULL};
    if (is_one_of(s, start, "c_expr")) {
        skip_blanks(s);
        if (look(s, 0) != '{' || !skip_balanced(s, '{', '}'))
            return bad(start, start + n, "`c_expr` needs { … } after it", NULL);
        return (ltl_token){LTL_T_NAME, start, s->at, NULL, NULL};
    }
    bool is_call = false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        is_call = is_call || is_one_of(s, start, calls[i]);
    if (!scan_suffixes(s, is_call))
        return bad(start, start + n, "a bracket after this name is never closed", NULL);
    return (ltl_token){LTL_T_NAME, start, s->at, NULL, NULL};
}

static ltl_token scan_quoted(ltl_scanner *s)
{
    size_t start = s->at;
    for (s->at++; s->at < s->length && s->text[s->at] != '"'; s->at++)
        if (s->text[s->at] == '\\')
            s->at++;
    if (s->at >= s->length) {
        s->at = s->length;
        return bad(start, start + 1, "this quote is never closed", NULL);
    }
    s->at++;
    return (ltl_token){LTL_T_VERBATIM, start, s->at, NULL, NULL};
}

ltl_token ltl_scan(ltl_scanner *s)
{
    skip_blanks(s);
    size_t start = s->at;
    if (start >= s->length)
        return (ltl_token){LTL_T_END, s->length, s->length, NULL, NULL};
    char c = s->text[start];
    if (is_letter(c))
        return scan_word(s);
    if (isdigit((unsigned char)c)) {
        while (is_word(look(s, 0)))
            s->at++;
        return (ltl_token){LTL_T_NUMBER, start, s->at, NULL, NULL};
    }
    if (c == '"')
        return scan_quoted(s);
    if (c == '{') {
        if (!skip_balanced(s, '{', '}'))
            return bad(start, start + 1, "this brace is never closed", NULL);
        return (ltl_token){LTL_T_VERBATIM, start, s->at, NULL, NULL};
    }
    return scan_sign(s);
}
