// Directives: one line each, read from the file on top. Groups that a condition leaves out
// are skipped line by line without being cut into tokens, so that anything may be there.
#include "lang/promela/read/pp_state.h"

#include <stdio.h>
#include <string.h>

void pp_read_line(struct pp_file *file, pp_list *out)
{
    for (pp_token token; (token = pp_scan(&file->scan)).kind != PP_END;) {
        token.flags &= (uint8_t)~PP_JOINED;
        gy_vec_push(out, token);
    }
}

static bool is_name(const pp_token *token, const char *text)
{
    return token->kind == PP_NAME && strcmp(token->text, text) == 0;
}

bool pp_is_defined(pp *p, const pp_token *name)
{
    const pp_macro *macro = pml_word_from_text(name->text)->macro;
    if (macro && p->names)
        gy_names_use(p->names, macro, name->place, name->length, GY_USE_READ);
    return macro != NULL;
}

// ---- conditionals -------------------------------------------------------------------------

static bool read_condition(pp *p, const pp_token *directive)
{
    pp_list line = {0};
    pp_read_line(pp_file_now(p), &line);
    bool value = pp_condition(p, directive, line.at, line.n);
    gy_vec_free(&line);
    return value;
}

static bool check_else(pp *p, struct pp_conditional *now, const pp_token *directive)
{
    if (!now->seen_else)
        return true;
    gy_error(p->diags, directive->place, "#%s after #else", directive->text)->length =
        directive->length;
    gy_note(p->diags, now->place, "the #%s is here", now->name)->length =
        (uint32_t)strlen(now->name);
    return false;
}

// Reads on until a group of the innermost conditional is to be read, or it ends. The rest of
// the line that ends it is still to be skipped.
static void skip_groups(pp *p)
{
    struct pp_file *file = pp_file_now(p);
    pp_scanner *scan = &file->scan;
    struct pp_conditional *now = &p->conditionals.at[p->conditionals.n - 1];
    unsigned depth = 0;
    for (;;) {
        pp_skip_line(scan);
        if (scan->at >= scan->end || p->stopped)
            return;
        scan->at++;
        pp_skip_blanks(scan);
        if (*scan->at != '#')
            continue;
        scan->at++;
        pp_token directive = pp_scan(scan);
        if (is_name(&directive, "if") || is_name(&directive, "ifdef") ||
            is_name(&directive, "ifndef")) {
            depth++;
        } else if (is_name(&directive, "endif")) {
            if (depth-- == 0) {
                p->conditionals.n--;
                return;
            }
        } else if (depth == 0 && is_name(&directive, "else")) {
            if (check_else(p, now, &directive) && !now->taken) {
                now->taken = now->seen_else = true;
                return;
            }
            now->seen_else = true;
        } else if (depth == 0 && is_name(&directive, "elif")) {
            if (check_else(p, now, &directive) && !now->taken && read_condition(p, &directive)) {
                now->taken = true;
                return;
            }
        }
    }
}

static void begin_conditional(pp *p, const pp_token *directive)
{
    struct pp_file *file = pp_file_now(p);
    bool value;
    if (directive->text[2] == '\0') {
        value = read_condition(p, directive);
    } else {
        pp_token name = pp_scan(&file->scan);
        bool wanted = directive->text[2] == 'd';
        value = false;
        if (name.kind == PP_NAME)
            value = pp_is_defined(p, &name) == wanted;
        else
            gy_error(p->diags, directive->place, "#%s needs a name", directive->text)->length =
                directive->length;
    }
    struct pp_conditional now = {directive->place, value, false, directive->text};
    gy_vec_push(&p->conditionals, now);
    if (!value)
        skip_groups(p);
}

// #else, #elif and #endif at the end of a group that was read.
static void end_group(pp *p, const pp_token *directive)
{
    if (p->conditionals.n <= pp_file_now(p)->conditionals) {
        gy_error(p->diags, directive->place, "#%s without #if", directive->text)->length =
            directive->length;
        return;
    }
    struct pp_conditional *now = &p->conditionals.at[p->conditionals.n - 1];
    if (directive->text[1] == 'n') {
        p->conditionals.n--;
        return;
    }
    check_else(p, now, directive);
    if (directive->text[2] == 's')
        now->seen_else = true;
    skip_groups(p);
}

void pp_end_conditionals(pp *p, struct pp_file *file)
{
    enum { MOST = 3 };
    for (int i = 0; p->conditionals.n > file->conditionals; i++) {
        struct pp_conditional *open = &p->conditionals.at[--p->conditionals.n];
        if (i >= MOST)
            continue;
        gy_error(p->diags, open->place, "this #%s has no #endif", open->name)->length =
            (uint32_t)strlen(open->name);
    }
}

// ---- the others -----------------------------------------------------------------------------

// The rest of the line, as written, cut to what fits a message.
static void rest_of_line(struct pp_file *file, char *out, size_t room)
{
    pp_skip_blanks(&file->scan);
    const char *from = file->scan.at;
    pp_skip_line(&file->scan);
    int length = (int)(file->scan.at - from < (long)room ? file->scan.at - from : (long)room - 1);
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\r'))
        length--;
    snprintf(out, room, "%.*s", length, from);
}

static void read_message(pp *p, const pp_token *directive)
{
    char text[240];
    rest_of_line(pp_file_now(p), text, sizeof text);
    gy_diag *diag = directive->text[0] == 'e'
                        ? gy_error(p->diags, directive->place, "#error %s", text)
                        : gy_warn(p->diags, directive->place, "#warning %s", text);
    diag->length = directive->length;
}

// #line 7 "file" and # 7 "file": `first` is what follows the word, if it was read already.
static void read_line_number(pp *p, const pp_token *first)
{
    struct pp_file *file = pp_file_now(p);
    pp_list raw = {0}, line = {0};
    if (first->kind == PP_NUMBER)
        gy_vec_push(&raw, *first);
    pp_read_line(file, &raw);
    pp_expand_list(p, raw.at, raw.n, &line);
    uint64_t number = 0;
    bool good = line.n && line.at[0].kind == PP_NUMBER;
    for (uint32_t i = 0; good && i < line.at[0].length; i++) {
        char c = line.at[0].text[i];
        good = c >= '0' && c <= '9' && number <= INT32_MAX;
        number = number * 10 + (unsigned)(c - '0');
    }
    good = good && number <= INT32_MAX;
    char *name = NULL;
    if (good && line.n > 1) {
        const pp_token *string = &line.at[1];
        good = string->kind == PP_STRING && !(string->flags & PP_UNCLOSED);
        if (good) {
            size_t n = 0;
            name = gy_arena_alloc(p->arena, string->length);
            for (uint32_t i = 1; i + 1 < string->length; i++) {
                if (string->text[i] == '\\' && i + 2 < string->length)
                    i++;
                name[n++] = string->text[i];
            }
        }
    }
    if (good) {
        gy_location end = pp_scanner_place(&file->scan, file->scan.at);
        gy_source_mark_line(p->sources, file->index, (size_t)(end - file->scan.base) + 1,
                            (uint32_t)number, name);
    } else {
        gy_diag *diag = gy_error(p->diags, first->place, "malformed line directive");
        diag->length = first->length;
        gy_hint(diag, "write it as: #line 12 \"file\"");
    }
    gy_vec_free(&raw);
    gy_vec_free(&line);
}

static void read_undef(pp *p)
{
    pp_token name = pp_scan(&pp_file_now(p)->scan);
    if (name.kind == PP_NAME && pp_is_defined(p, &name))
        pml_word_from_text(name.text)->macro = NULL;
    else
        gy_error(p->diags, name.place, "#undef needs the name of a macro")->length = name.length;
}

static void read_pragma(pp *p)
{
    struct pp_file *file = pp_file_now(p);
    pp_token word = pp_scan(&file->scan);
    if (is_name(&word, "once") && file->path)
        gy_vec_push(&p->once, *file);
}

static void report_unknown(pp *p, const pp_token *directive)
{
    static const char *const known[] = {"define", "undef",  "include", "if",    "ifdef",
                                        "ifndef", "else",   "elif",    "endif", "error",
                                        "line",   "pragma", "warning"};
    gy_diag *diag =
        gy_error(p->diags, directive->place, "unknown directive `#%.*s`",
                 (int)(directive->length < 40 ? directive->length : 40), directive->text);
    diag->length = directive->length;
    const char *best = NULL;
    unsigned distance = 0;
    if (directive->kind == PP_NAME)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            gy_nearest_offer(directive->text, known[i], &best, &distance);
    if (best)
        gy_hint(diag, "a similar directive exists: `#%s`", best);
}

void pp_directive(pp *p)
{
    struct pp_file *file = pp_file_now(p);
    size_t index = p->files.n - 1;
    file->scan.in_directive = true;
    pp_token word = pp_scan(&file->scan);
    if (word.kind == PP_END) {
        // `#` alone: nothing
    } else if (word.kind == PP_NUMBER) {
        read_line_number(p, &word);
    } else if (is_name(&word, "define")) {
        pp_read_define(p, file);
    } else if (is_name(&word, "include") || is_name(&word, "import")) {
        pp_read_include(p, &word); // ends the line itself: the file below may have moved
        return;
    } else if (is_name(&word, "if") || is_name(&word, "ifdef") || is_name(&word, "ifndef")) {
        begin_conditional(p, &word);
    } else if (is_name(&word, "else") || is_name(&word, "elif") || is_name(&word, "endif")) {
        end_group(p, &word);
    } else if (is_name(&word, "undef")) {
        read_undef(p);
    } else if (is_name(&word, "error") || is_name(&word, "warning")) {
        read_message(p, &word);
    } else if (is_name(&word, "line")) {
        read_line_number(p, &word);
    } else if (is_name(&word, "pragma")) {
        read_pragma(p);
    } else if (!is_name(&word, "ident") && !is_name(&word, "sccs")) {
        report_unknown(p, &word);
    }
    file = &p->files.at[index];
    pp_skip_line(&file->scan);
    file->scan.in_directive = false;
}
