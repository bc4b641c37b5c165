// What was written, from the tokens that were taken: macros by their names, inlines with their
// arguments.
//
// A use of a macro is identified by its name if all that it stands for belongs to the text; else
// what it stands for is reported (the two statements of `#define both a = 1; b = 2`).
#include "lang/promela/read/parser.h"

#include <ctype.h>
#include <inttypes.h>

enum { DEEPEST = 32 };

// The text of a use, in a file: bytes begin .. end - 1.
typedef struct use {
    gy_location place;
    uint32_t file;
    size_t begin, end;
    bool called; // with arguments
} use;

typedef struct writing {
    pml_parser *p;
    const pml_token *tokens;
    size_t count;
    gy_location before; // of the token before them
    pml_token after;    // that comes next
    gy_text text;
    gy_location told; // the use that was reported last
} writing;

// The uses of macros through which a token came about, the innermost first.
static unsigned uses_of(const pml_parser *p, gy_location place, gy_location chain[DEEPEST])
{
    unsigned n = 0;
    while (place && n < DEEPEST) {
        gy_location written = gy_location_written(p->sources, place);
        if (!written)
            break;
        gy_location_info info = gy_location_lookup(p->sources, place);
        if (info.origin == GY_FROM_MACRO)
            chain[n++] = info.used_at;
        place = info.origin == GY_FROM_MACRO ? info.used_at : written;
    }
    return n;
}

static bool comes_from(const pml_parser *p, gy_location place, gy_location of)
{
    gy_location chain[DEEPEST];
    unsigned n = uses_of(p, place, chain);
    for (unsigned i = 0; i < n; i++)
        if (chain[i] == of)
            return true;
    return false;
}

static bool is_plain(const pml_parser *p, gy_location place)
{
    gy_location chain[DEEPEST];
    return uses_of(p, place, chain) == 0;
}

// Where a token of no macro stands.
static bool stands_in(const pml_parser *p, gy_location place, const use *u, size_t from, size_t end)
{
    uint32_t file;
    size_t at, line;
    return is_plain(p, place) && gy_location_text(p->sources, place, &file, &at, &line) &&
           file == u->file && at >= from && at < end;
}

// ---- the text of a use --------------------------------------------------------------------

// After the parenthesis that closes the one at `at`; 0: none does.
static size_t behind_arguments(const char *text, size_t bytes, size_t at)
{
    size_t depth = 0;
    for (char quote = 0; at < bytes; at++) {
        if (quote && text[at] == '\\') {
            at++;
        } else if (quote || text[at] == '"' || text[at] == '\'') {
            quote = !quote ? text[at] : quote == text[at] ? 0 : quote;
        } else {
            depth += text[at] == '(';
            depth -= text[at] == ')';
            if (depth == 0)
                return at + 1;
        }
    }
    return 0;
}

// Is the parenthesis at `at` a token of the text, or the next one? Then it holds no arguments.
static bool is_token(const writing *w, const use *u, size_t at)
{
    bool it = stands_in(w->p, w->after.place, u, at, at + 1);
    for (size_t i = 0; i < w->count && !it; i++)
        it = stands_in(w->p, w->tokens[i].place, u, at, at + 1);
    return it;
}

static bool find_use(const writing *w, gy_location place, use *u)
{
    size_t line, bytes;
    *u = (use){.place = place};
    if (!gy_location_text(w->p->sources, place, &u->file, &u->begin, &line))
        return false;
    const char *text = gy_source_text(w->p->sources, u->file, &bytes);
    for (u->end = u->begin; u->end < bytes; u->end++)
        if (!isalnum((unsigned char)text[u->end]) && text[u->end] != '_')
            break;
    size_t next = u->end;
    while (next < bytes && isspace((unsigned char)text[next]))
        next++;
    if (next < bytes && text[next] == '(' && !is_token(w, u, next)) {
        size_t end = behind_arguments(text, bytes, next);
        u->called = end > 0;
        u->end = end ? end : u->end;
    }
    return u->end > u->begin;
}

// Does anything of its macro come after this separator?
static bool ends_macro(const pml_parser *p, const pml_token *separator)
{
    uint32_t file;
    size_t at, line, bytes;
    if (!gy_location_text(p->sources, separator->place, &file, &at, &line))
        return false;
    const char *text = gy_source_text(p->sources, file, &bytes);
    for (at += separator->length; at < bytes && (text[at] == ' ' || text[at] == '\t'); at++)
        ;
    return at >= bytes || text[at] == '\n' || text[at] == '\r' || text[at] == '/';
}

// The arguments have a parameter of the inline in which they are: it has been replaced.
static bool has_parameter(const pml_parser *p, const use *u)
{
    const pml_feed_frame *frame = pml_feed_inline(p);
    const char *text = gy_source_text(p->sources, u->file, NULL);
    for (uint32_t i = 0; frame && i < frame->def->formal_count; i++) {
        const char *name = frame->def->formals[i].text;
        size_t n = strlen(name);
        for (size_t at = u->begin; at + n <= u->end; at++)
            if (memcmp(text + at, name, n) == 0)
                return true;
    }
    return false;
}

// Is an argument of an inline in the midst of what the use stands for, as far as that can be seen?
static bool takes_argument(const writing *w, const use *u)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->tokens[i].argument &&
            ((i > 0 && comes_from(w->p, w->tokens[i - 1].place, u->place)) ||
             (i + 1 < w->count && comes_from(w->p, w->tokens[i + 1].place, u->place))))
            return true;
    return false;
}

// Does all that the use stands for belong to the text?
static bool is_whole(const writing *w, const use *u)
{
    const pml_parser *p = w->p;
    if (takes_argument(w, u))
        return false;
    if (comes_from(p, w->before, u->place) || stands_in(p, w->before, u, u->begin, u->end))
        return false;
    if (comes_from(p, w->after.place, u->place) &&
        !(pml_is_separator(&w->after) && ends_macro(p, &w->after)))
        return false;
    return !stands_in(p, w->after.place, u, u->begin, u->end) &&
           !(u->called && has_parameter(p, u));
}

// ---- the tokens -----------------------------------------------------------------------------

// The use by which this token is reported: the outermost one that is whole. Arguments of one inside
// the text of another macro are reported themselves: what they stand for there is not what was
// written.
static bool use_of_token(const writing *w, const pml_token *t, use *u)
{
    gy_location chain[DEEPEST];
    unsigned n = uses_of(w->p, t->place, chain);
    for (unsigned i = n; i-- > 0;)
        if (find_use(w, chain[i], u) && (i + 1 == n || !u->called) && is_whole(w, u))
            return true;
    return false;
}

// The use of whose text this token is an argument.
static bool use_around(const writing *w, const pml_token *t, use *u)
{
    gy_location last = 0;
    if (!is_plain(w->p, t->place))
        return false;
    for (size_t i = 0; i < w->count; i++) {
        gy_location chain[DEEPEST];
        unsigned n = uses_of(w->p, w->tokens[i].place, chain);
        if (n == 0 || chain[n - 1] == last)
            continue;
        last = chain[n - 1];
        if (find_use(w, last, u) && u->called && stands_in(w->p, t->place, u, u->begin, u->end) &&
            is_whole(w, u))
            return true;
    }
    return false;
}

static void add_use(writing *w, const use *u)
{
    const char *text = gy_source_text(w->p->sources, u->file, NULL);
    for (size_t at = u->begin; at < u->end; at++) {
        bool blank = isspace((unsigned char)text[at]) || (text[at] == '\\' && text[at + 1] == '\n');
        if (!blank)
            gy_text_char(&w->text, text[at]);
        else if (w->text.n && w->text.at[w->text.n - 1] != ' ')
            gy_text_char(&w->text, ' ');
    }
    w->told = u->place;
}

static void add_spelling(writing *w, const pml_token *t)
{
    uint32_t file;
    size_t at, line, bytes;
    if (t->kind == PML_T_PUNCT)
        gy_text_add(&w->text, pml_punct_spelling(t->punct));
    else if (t->kind == PML_T_STRING)
        gy_text_printf(&w->text, "\"%s\"", t->text);
    else if (t->text)
        gy_text_add(&w->text, t->text);
    else if (gy_location_text(w->p->sources, t->place, &file, &at, &line) &&
             gy_source_text(w->p->sources, file, &bytes)[at] == '\'' && at + t->length <= bytes)
        gy_text_bytes(&w->text, gy_source_text(w->p->sources, file, &bytes) + at, t->length);
    else
        gy_text_printf(&w->text, "%" PRId64, t->value);
    w->told = 0;
}

static void add_token(writing *w, const pml_token *t, bool macros)
{
    use u;
    bool by_use = macros && (use_of_token(w, t, &u) || use_around(w, t, &u));
    if (by_use && u.place == w->told)
        return;
    if (w->text.n > 0 && (t->space_before || t->newline_before))
        gy_text_char(&w->text, ' ');
    if (by_use)
        add_use(w, &u);
    else
        add_spelling(w, t);
}

// Put in by the parser, where the text has none: the parentheses around `timeout`.
static bool is_silent(const pml_token *t)
{
    return t->made && (pml_is(t, PML_P_LPAREN) || pml_is(t, PML_P_RPAREN));
}

size_t pml_written_begin(pml_parser *p, gy_location *before)
{
    *before = p->last_place;
    p->writing++;
    return p->written.n;
}

const char *pml_written_end(pml_parser *p, size_t first, gy_location before, bool wanted)
{
    writing w = {
        .p = p, .tokens = p->written.at + first, .count = p->written.n - first, .before = before};
    bool macros = false;
    for (size_t i = 0; i < w.count; i++) {
        const pml_token *t = &w.tokens[i];
        wanted = wanted && t->kind != PML_T_C_BLOCK && (!t->made || is_silent(t));
        macros = macros || !is_plain(p, t->place);
    }
    wanted = wanted && w.count > 0 && !p->panic && !p->gave_up;
    if (wanted && macros)
        w.after = *pml_look(p);
    for (size_t i = 0; i < w.count && wanted; i++)
        if (!is_silent(&w.tokens[i]))
            add_token(&w, &w.tokens[i], macros);
    const char *kept = wanted ? gy_arena_strdup(p->arena, gy_text_str(&w.text)) : NULL;
    gy_text_free(&w.text);
    p->written.n = first;
    p->writing--;
    return kept;
}
