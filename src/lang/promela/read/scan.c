// Joined lines are removed before scanning: the scanner then runs over a text without them
// and adds, for places, the number of bytes that were removed before a token. Texts without
// joined lines, the usual case, are not copied.
#include "lang/promela/read/scan.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <string.h>

enum { BLANK = 1, DIGIT = 2, WORD = 4 }; // WORD: may start a name

static const uint8_t class_of[256] = {
    [' '] = BLANK,         ['\t'] = BLANK,       ['\r'] = BLANK,
    ['\f'] = BLANK,        ['\v'] = BLANK,       ['_'] = WORD,
    ['0' ... '9'] = DIGIT, ['a' ... 'z'] = WORD, ['A' ... 'Z'] = WORD,
};

static bool is(char c, int classes)
{
    return class_of[(unsigned char)c] & classes;
}

// If a backslash joins the line at `at` with the next one, the start of the next one.
static const char *joined(const char *at, const char *end)
{
    for (at++; at < end && is(*at, BLANK); at++)
        ;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

void pp_scanner_init(pp_scanner *scanner, pml_words *words, const char *text, size_t bytes,
                     gy_location base, char **copy, struct pp_splice **splices)
{
    *scanner =
        (pp_scanner){.text = text, .at = text, .end = text + bytes, .base = base, .words = words};
    *copy = NULL;
    *splices = NULL;
    GY_VEC(struct pp_splice) found = {0};
    const char *end = text + bytes, *from = text;
    char *to = NULL;
    for (const char *at = text; (at = memchr(at, '\\', (size_t)(end - at)));) {
        const char *next = joined(at, end);
        if (!next) {
            at++;
            continue;
        }
        if (!*copy)
            to = *copy = gy_alloc(bytes + 1);
        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        struct pp_splice splice = {(uint32_t)(to - *copy),
                                   (uint32_t)((next - text) - (to - *copy))};
        if (found.n && found.at[found.n - 1].offset == splice.offset)
            found.at[found.n - 1] = splice;
        else
            gy_vec_push(&found, splice);
        from = at = next;
    }
    if (!*copy)
        return;
    memcpy(to, from, (size_t)(end - from));
    to += end - from;
    *to = '\0';
    gy_vec_push(&found, ((struct pp_splice){UINT32_MAX, 0}));
    *splices = found.at;
    scanner->splices = found.at;
    scanner->text = scanner->at = *copy;
    scanner->end = to;
}

gy_location pp_scanner_place(const pp_scanner *scanner, const char *at)
{
    if (!scanner->base)
        return scanner->fixed;
    size_t offset = (size_t)(at - scanner->text), removed = scanner->removed;
    if (scanner->splices)
        for (const struct pp_splice *s = scanner->splices; s->offset <= offset; s++)
            removed = s->removed;
    return scanner->base + (gy_location)(offset + removed);
}

// The place of a token that starts at `at`, which only ever moves forward.
static gy_location place_at(pp_scanner *scanner, const char *at)
{
    if (!scanner->base)
        return scanner->fixed;
    size_t offset = (size_t)(at - scanner->text);
    if (scanner->splices)
        for (; scanner->splices->offset <= offset; scanner->splices++) {
            scanner->removed = scanner->splices->removed;
            scanner->joined = true;
        }
    return scanner->base + (gy_location)(offset + scanner->removed);
}

// ---- white space ------------------------------------------------------------------------

// After the comment that starts at `at`; flags says whether it held a line break.
static const char *skip_comment(pp_scanner *scanner, const char *at, unsigned *flags)
{
    const char *end = scanner->end;
    if (at[1] == '/') {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        return eol ? eol : end;
    }
    const char *body = at + 2;
    for (const char *star = body; (star = memchr(star, '*', (size_t)(end - star))); star++) {
        if (star[1] != '/')
            continue;
        if (memchr(body, '\n', (size_t)(star - body)))
            *flags |= PP_JOINED;
        return star + 2;
    }
    scanner->open_comment = at;
    return end;
}

static unsigned skip_space(pp_scanner *scanner)
{
    unsigned flags = 0;
    const char *at = scanner->at;
    for (;; flags |= PP_SPACE) {
        char c = *at;
        if (is(c, BLANK) || (c == '\0' && at < scanner->end)) {
            at++;
        } else if (c == '\n' && !scanner->in_directive) {
            at++;
            flags |= PP_NEWLINE;
        } else if (c == '/' && (at[1] == '*' || at[1] == '/')) {
            at = skip_comment(scanner, at, &flags);
        } else {
            break;
        }
    }
    scanner->at = at;
    return flags;
}

bool pp_skip_blanks(pp_scanner *scanner)
{
    bool was = scanner->in_directive;
    scanner->in_directive = true;
    bool any = skip_space(scanner) != 0;
    scanner->in_directive = was;
    return any;
}

// After the closing quote; at the line break or the end of the text if there is none.
static const char *skip_quoted(const pp_scanner *scanner, const char *at, bool *closed)
{
    char quote = *at++;
    for (; at < scanner->end && *at != '\n'; at++) {
        if (*at == quote) {
            *closed = true;
            return at + 1;
        }
        if (*at == '\\' && at + 1 < scanner->end && at[1] != '\n')
            at++;
    }
    *closed = false;
    return at;
}

void pp_skip_line(pp_scanner *scanner)
{
    const char *at = scanner->at;
    bool closed;
    unsigned flags;
    while (at < scanner->end && *at != '\n') {
        if (*at == '"' || *at == '\'')
            at = skip_quoted(scanner, at, &closed);
        else if (*at == '/' && (at[1] == '*' || at[1] == '/'))
            at = skip_comment(scanner, at, &flags);
        else
            at++;
    }
    scanner->at = at;
}

// ---- tokens -----------------------------------------------------------------------------

// The punctuation at `at`: the longest, with the readings of Spin's own lexer for `-->`
// (an arrow), `!!=` (unequal), `<=<` and `>=>` (shifts).
static unsigned punctuation(const char *at, uint8_t *punct)
{
    static const struct {
        char text[4];
        uint8_t punct;
    } known[] = {
        // the longest first: what begins like a shorter one is that one only if nothing longer fits
        {"-->", PML_P_ARROW},  {"!!=", PML_P_NE},     {"<=<", PML_P_SHL},
        {"<->", PML_P_EQUIV},  {">=>", PML_P_SHR},    {"[]", PML_P_ALWAYS},
        {"::", PML_P_SEP},     {"..", PML_P_DOTDOT},  {"==", PML_P_EQ},
        {"->", PML_P_ARROW},   {"--", PML_P_DECR},    {"++", PML_P_INCR},
        {"!=", PML_P_NE},      {"!!", PML_P_SNDSORT}, {"??", PML_P_RCVRAND},
        {"/\\", PML_P_WEDGE},  {"\\/", PML_P_VEE},    {"&&", PML_P_ANDAND},
        {"||", PML_P_OROR},    {"<<", PML_P_SHL},     {"<>", PML_P_EVENTUALLY},
        {"<=", PML_P_LE},      {">>", PML_P_SHR},     {">=", PML_P_GE},
        {"##", PP_P_HASHHASH}, {"(", PML_P_LPAREN},   {")", PML_P_RPAREN},
        {"{", PML_P_LBRACE},   {"}", PML_P_RBRACE},   {"[", PML_P_LBRACKET},
        {"]", PML_P_RBRACKET}, {",", PML_P_COMMA},    {";", PML_P_SEMI},
        {":", PML_P_COLON},    {".", PML_P_DOT},      {"@", PML_P_AT},
        {"=", PML_P_ASSIGN},   {"-", PML_P_MINUS},    {"+", PML_P_PLUS},
        {"!", PML_P_SND},      {"?", PML_P_RCV},      {"*", PML_P_STAR},
        {"/", PML_P_SLASH},    {"%", PML_P_PERCENT},  {"&", PML_P_AMP},
        {"|", PML_P_BAR},      {"^", PML_P_CARET},    {"~", PML_P_TILDE},
        {"<", PML_P_LT},       {">", PML_P_GT},       {"#", PML_P_HASH}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *text = known[i].text;
        if (at[0] != text[0] || (text[1] && at[1] != text[1]))
            continue;
        if (text[1] && text[2] && at[2] != text[2])
            continue;
        *punct = known[i].punct;
        return (unsigned)strlen(text);
    }
    return 0;
}

static const char *skip_number(const char *at)
{
    for (;; at++) {
        if ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]))
            continue;
        if (!is(*at, DIGIT | WORD) && *at != '.')
            return at;
    }
}

pp_token pp_scan(pp_scanner *scanner)
{
    pp_token token = {.flags = (uint8_t)skip_space(scanner)};
    const char *start = scanner->at, *at = start;
    token.place = place_at(scanner, start);
    if (scanner->joined && (token.flags & PP_SPACE)) {
        token.flags |= PP_JOINED;
        scanner->joined = false;
    }
    if (is(*at, WORD)) {
        while (is(*++at, WORD | DIGIT))
            ;
        token.kind = PP_NAME;
    } else if (is(*at, DIGIT) || (*at == '.' && is(at[1], DIGIT))) {
        at = skip_number(at + 1);
        token.kind = PP_NUMBER;
    } else if (*at == '"' || *at == '\'') {
        bool closed;
        token.kind = *at == '"' ? PP_STRING : PP_CHAR;
        at = skip_quoted(scanner, at, &closed);
        if (!closed)
            token.flags |= PP_UNCLOSED;
    } else if (at == scanner->end || *at == '\n') {
        token.kind = PP_END;
    } else {
        bool closed = false;
        unsigned length = punctuation(at, &token.punct);
        token.kind = length ? PP_PUNCT : PP_OTHER;
        if (!length && *at == '$' && at >= scanner->no_dollar) { // Spin: $...$ is a string
            const char *behind = skip_quoted(scanner, at, &closed);
            if (closed) {
                token.kind = PP_STRING;
                length = (unsigned)(behind - at);
            } else {
                scanner->no_dollar = behind;
            }
        }
        at += length ? length : 1;
    }
    token.text = start;
    token.length = (uint32_t)(at - start);
    if (token.kind == PP_NAME)
        token.text = pml_word_of(scanner->words, start, token.length)->text;
    scanner->at = at;
    return token;
}
