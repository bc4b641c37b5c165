#include "serve/format/parts.h"

#include <ctype.h>
#include <string.h>

size_t fmt_column_after(const char *text, size_t length, size_t column)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            column = 0;
        else if (c == '\t')
            column = (column / FMT_TAB + 1) * FMT_TAB;
        else if ((c & 0xc0) != 0x80) // not inside a UTF-8 character
            column++;
    }
    return column;
}

bool fmt_has_break(const fmt_item *item)
{
    return memchr(item->text, '\n', item->length) != NULL;
}

// ---- white space and comments -------------------------------------------------------------------

// Where the scan is: what is before the next item.
typedef struct trivia {
    const char *from; // after the last item
    size_t column;    // of that
    unsigned breaks;
    bool joined;
} trivia;

static bool is_blank(char c)
{
    return c != '\n' && isspace((unsigned char)c);
}

// If a backslash joins the line with the next one: the start of that.
static const char *joined_line(const char *at, const char *end)
{
    if (*at != '\\')
        return NULL;
    for (at++; at < end && is_blank(*at); at++)
        ;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

// Does a text that goes on to `behind`, of which blanks from `last` on are left out, end with a
// line that is joined with an empty one, the last of the file? The end of that line is no part of
// it.
static bool joins_with_nothing(const fmt_text *f, const char *behind, const char *last)
{
    const char *end = f->text + f->bytes;
    while (behind < end && isspace((unsigned char)*behind))
        behind++;
    return behind == end && last[-1] == '\n';
}

static const char *comment_end(const char *at, const char *end)
{
    if (at[1] == '*') {
        const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
        return close ? close + 2 : end;
    }
    while (at < end && *at != '\n') {
        const char *next = joined_line(at, end);
        at = next ? next : at + 1;
    }
    return at;
}

static void add_item(fmt_text *f, trivia *t, fmt_item item, const char *start, const char *end)
{
    item.text = start;
    item.length = (size_t)(end - start);
    item.breaks = f->items.n == 0 ? 1 : t->joined ? 0 : t->breaks;
    item.column = fmt_column_after(t->from, (size_t)(start - t->from), t->column);
    if (t->joined) { // all that is between the two stays
        item.joined = true;
        item.joined_text = t->from;
    }
    if (item.joined)
        item.blanks = 1;
    else if (item.breaks == 0)
        item.blanks = item.column - t->column;
    gy_vec_push(&f->items, item);
    *t = (trivia){.from = end, .column = fmt_column_after(start, item.length, item.column)};
}

// From here on the next item is looked for; what is in between belongs to the last one.
static void move_on(trivia *t, const char *to)
{
    t->column = fmt_column_after(t->from, (size_t)(to - t->from), t->column);
    t->from = to;
}

// The gap between two tokens becomes comments and line breaks.
static void add_gap(fmt_text *f, trivia *t, const char *end)
{
    const char *at = t->from;
    while (at < end) {
        const char *next = joined_line(at, end);
        if (next) {
            t->joined = true;
            at = next;
        } else if (*at == '\n') {
            t->breaks++;
            at++;
        } else if (*at == '/' && (at[1] == '*' || at[1] == '/')) {
            const char *behind = comment_end(at, end), *last = behind;
            while (last > at && is_blank(last[-1]))
                last--;
            if (joins_with_nothing(f, behind, last))
                last--;
            add_item(f, t, (fmt_item){.kind = FMT_COMMENT}, at, last);
            move_on(t, at = behind);
        } else {
            at++;
        }
    }
}

// ---- directives -----------------------------------------------------------------------------

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0 &&
           (at + n == end || !(isalnum((unsigned char)at[n]) || at[n] == '_'));
}

// # define NAME( : what is between the parentheses of its calls may become a string.
static void note_macro(fmt_text *f, const char *at, const char *end)
{
    at = skip_blanks(at + 1, end);
    if (!is_word(at, end, "define"))
        return;
    at = skip_blanks(at + strlen("define"), end);
    const char *name = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    if (at < end && *at == '(' && at > name)
        gy_vec_push(&f->macros, pml_word_of(&f->words, name, (size_t)(at - name))->text);
}

// What `#if 0` leaves out is no Promela: from the next line on to the directive that ends it.
static bool leaves_out(const char *at, const char *end)
{
    at = skip_blanks(at + 1, end);
    if (!is_word(at, end, "if"))
        return false;
    at = skip_blanks(at + strlen("if"), end);
    return is_word(at, end, "0") && skip_blanks(at + 1, end) == end;
}

static void skip_left_out(pp_scanner *scanner)
{
    unsigned depth = 0;
    while (scanner->at < scanner->end) {
        const char *line = scanner->at;
        const char *at = skip_blanks(line + 1, scanner->end), *end = scanner->end;
        if (at < end && *at == '#') {
            at = skip_blanks(at + 1, end);
            bool ends = is_word(at, end, "endif");
            if (depth == 0 && (ends || is_word(at, end, "else") || is_word(at, end, "elif")))
                return; // before the line break
            depth +=
                is_word(at, end, "if") || is_word(at, end, "ifdef") || is_word(at, end, "ifndef");
            depth -= ends;
        }
        scanner->at = line + 1;
        pp_skip_line(scanner);
    }
}

// ---- tokens -----------------------------------------------------------------------------------

static const char *source_at(const fmt_text *f, const pp_scanner *scanner)
{
    return f->text + (pp_scanner_place(scanner, scanner->at) - f->base);
}

// After the token that was just read, but before a backslash that joins its line with the next
// one.
static const char *source_behind(const fmt_text *f, const pp_scanner *scanner)
{
    return f->text + (pp_scanner_place(scanner, scanner->at - 1) - f->base) + 1;
}

// Without blanks at the end, nor lines joined with it in which there is nothing else: these belong
// to what follows.
static const char *without_empty_lines(const char *start, const char *end)
{
    for (;;) {
        while (end > start && is_blank(end[-1]))
            end--;
        if (end == start || end[-1] != '\n')
            return end;
        end--; // it is joined by a backslash, and perhaps blanks
        while (end > start && is_blank(end[-1]))
            end--;
        end--;
    }
}

static void add_directive(fmt_text *f, trivia *t, pp_scanner *scanner, const char *start)
{
    pp_skip_line(scanner);
    const char *end = source_behind(f, scanner), *behind = end;
    end = without_empty_lines(start, end);
    note_macro(f, start, end);
    bool skip = leaves_out(start, end);
    add_item(f, t, (fmt_item){.kind = FMT_DIRECTIVE}, start, end);
    if (!skip)
        return;
    skip_left_out(scanner);
    const char *left = source_at(f, scanner);
    if (left <= behind + 1)
        return;
    t->breaks = 1;
    const char *last = left;
    while (last > behind + 1 && isspace((unsigned char)last[-1]))
        last--;
    while (last > behind + 1 && last < left && *last != '\n')
        last++; // empty lines go, spaces do not: they may be part of a text that is not closed
    add_item(f, t, (fmt_item){.kind = FMT_VERBATIM, .whole_lines = true}, behind + 1, last);
}

// Embedded C from its opening to its closing bracket, which `scanner` then follows.
static bool skip_c(fmt_text *f, pp_scanner *scanner, const pp_token *open)
{
    unsigned up = open->punct, down = up == PML_P_LBRACE ? PML_P_RBRACE : PML_P_RBRACKET, depth = 1;
    while (depth > 0) {
        pp_token token = pp_scan(scanner);
        if (token.kind == PP_END) {
            gy_error(f->diags, open->place, "this `%c` is never closed", open->text[0]);
            return false;
        }
        if (token.kind != PP_PUNCT)
            continue;
        if (token.punct == PML_P_HASH && (token.flags & PP_NEWLINE))
            pp_skip_line(scanner);
        depth += token.punct == up;
        depth -= token.punct == down;
        if (token.punct == PML_P_ALWAYS && up == PML_P_LBRACKET)
            continue; // opens and closes
    }
    return true;
}

static bool is_odd(fmt_text *f, const pp_token *token)
{
    if (token->flags & PP_UNCLOSED)
        gy_error(f->diags, token->place, "the closing %c is missing", token->text[0]);
    else if (token->kind == PP_OTHER)
        gy_error(f->diags, token->place, "this is not part of Promela");
    else
        return false;
    return true;
}

static bool opens_c(const fmt_text *f, const pp_token *token)
{
    const fmt_item *last = NULL;
    for (size_t i = f->items.n; i-- > 0 && !last;)
        if (f->items.at[i].kind != FMT_COMMENT && f->items.at[i].kind != FMT_DIRECTIVE)
            last = &f->items.at[i];
    if (!last || token->kind != PP_PUNCT)
        return false;
    bool wanted = last->keyword == PML_T_C_CODE || last->keyword == PML_T_C_DECL ||
                  last->keyword == PML_T_C_EXPR;
    bool condition = last->kind == FMT_VERBATIM && last->text[0] == '[';
    return (token->punct == PML_P_LBRACE && (wanted || condition)) ||
           (token->punct == PML_P_LBRACKET && wanted);
}

// A backslash that joins the last line with nothing is kept, too: an item without text after it.
static void add_last_join(fmt_text *f, trivia *t)
{
    const char *join = memrchr(t->from, '\\', (size_t)(f->text + f->bytes - t->from));
    if (t->joined && join)
        add_item(f, t, (fmt_item){.kind = FMT_COMMENT}, join + 1, join + 1);
}

// Are there but comments before it?
static bool is_first(const fmt_text *f)
{
    for (size_t i = 0; i < f->items.n; i++)
        if (f->items.at[i].kind != FMT_COMMENT)
            return false;
    return true;
}

static bool scan_items(fmt_text *f, pp_scanner *scanner)
{
    trivia t = {.from = f->text};
    for (;;) {
        pp_token token = pp_scan(scanner);
        const char *start = f->text + (token.place - f->base);
        if (scanner->open_comment) {
            gy_error(f->diags, pp_scanner_place(scanner, scanner->open_comment),
                     "this comment never ends")
                ->length = 2;
            return false;
        }
        add_gap(f, &t, token.kind == PP_END ? f->text + f->bytes : start);
        if (token.kind == PP_END) {
            add_last_join(f, &t);
            return true;
        }
        if (token.kind == PP_PUNCT && token.punct == PML_P_HASH &&
            ((token.flags & PP_NEWLINE) || is_first(f))) {
            add_directive(f, &t, scanner, start);
            continue;
        }
        if (is_odd(f, &token))
            return false;
        fmt_item item = {.token = token.kind, .punct = token.punct};
        if (token.kind == PP_NAME)
            item.keyword = pml_word_from_text(token.text)->keyword;
        if (item.keyword == PML_T_IN) // a name, but for the head of a `for`
            item.keyword = 0;
        if (opens_c(f, &token)) {
            item = (fmt_item){.kind = FMT_VERBATIM};
            if (!skip_c(f, scanner, &token))
                return false;
        }
        add_item(f, &t, item, start, source_behind(f, scanner));
    }
}

static void cut_lines(fmt_text *f)
{
    for (size_t i = 0; i < f->items.n; i++) {
        if (f->items.at[i].breaks > 0) {
            fmt_line line = {.first = i, .column = f->items.at[i].column};
            gy_vec_push(&f->lines, line);
        }
        f->lines.at[f->lines.n - 1].end = i + 1;
    }
}

bool fmt_scan(fmt_text *f)
{
    pp_scanner scanner;
    char *copy;
    struct pp_splice *splices;
    pp_scanner_init(&scanner, &f->words, f->text, f->bytes, f->base, &copy, &splices);
    bool good = scan_items(f, &scanner);
    if (good)
        cut_lines(f);
    free(copy);
    free(splices);
    return good;
}
