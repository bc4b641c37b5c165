// What the builtins do, and what the macros of a template expand to.
#include "lang/dve/m4/m4_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- arguments and results ------------------------------------------------------------------

// Empty where there is none.
static m4_span argument(const m4_arguments *args, size_t i)
{
    return i < args->n ? args->at[i] : (m4_span){"", 0};
}

// Nothing that GNU m4 keeps in an argument has a 0 inside, and all of them end with one.
static const char *text_of(const m4_arguments *args, size_t i)
{
    return argument(args, i).at;
}

static bool is_same(m4_span a, m4_span b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static void put(m4 *m, const char *text, size_t n)
{
    if (m4_work(m, n) && m4_room(m, m->expansion.n + n))
        gy_text_bytes(&m->expansion, text, n);
}

static void put_char(m4 *m, char c)
{
    put(m, &c, 1);
}

static void put_span(m4 *m, m4_span span)
{
    put(m, span.at, span.n);
}

static void put_int(m4 *m, int number)
{
    char digits[16];
    put(m, digits, (size_t)snprintf(digits, sizeof digits, "%d", number));
}

static void put_quoted(m4 *m, m4_span span)
{
    put(m, m->left_quote.at, m->left_quote.n);
    put_span(m, span);
    put(m, m->right_quote.at, m->right_quote.n);
}

static void put_list(m4 *m, const m4_arguments *args, size_t from, bool quoted)
{
    for (size_t i = from; i < args->n && !m4_failed(m); i++) {
        if (i > from)
            put_char(m, ',');
        (quoted ? put_quoted : put_span)(m, args->at[i]);
    }
}

// As m4 reads it. False after having failed.
static bool read_number(m4 *m, const m4_arguments *args, size_t i, int *value)
{
    const char *text = text_of(args, i);
    char *end;
    *value = 0;
    if (!*text)
        return true;
    *value = (int)strtol(text, &end, 10);
    if (!*end)
        return true;
    m4_fail(m, "a parameter that has no value is set with -D NAME=VALUE",
            "argument %zu of `%s` is not a number: `%.40s`", i, text_of(args, 0), text);
    return false;
}

// ---- macros of the template -----------------------------------------------------------------

static size_t read_index(const char *text, size_t n, size_t *value)
{
    size_t used = 0;
    for (*value = 0; used < n && isdigit((unsigned char)text[used]); used++)
        *value = *value > SIZE_MAX / 100 ? *value : *value * 10 + (size_t)(text[used] - '0');
    return used;
}

void m4_run_user(m4 *m, const m4_macro *macro, const m4_arguments *args)
{
    const char *at = macro->text, *end = at + macro->n;
    while (at < end && !m4_failed(m)) {
        const char *dollar = memchr(at, '$', (size_t)(end - at));
        put(m, at, (size_t)((dollar ? dollar : end) - at));
        if (!dollar)
            return;
        size_t index, digits = read_index(dollar + 1, (size_t)(end - dollar - 1), &index);
        char kind = dollar + 1 < end ? dollar[1] : '\0';
        at = dollar + 1 + (digits ? digits : kind == '#' || kind == '*' || kind == '@');
        if (digits)
            put_span(m, argument(args, index));
        else if (kind == '#')
            put_int(m, (int)args->n - 1);
        else if (kind == '*' || kind == '@')
            put_list(m, args, 1, kind == '@');
        else
            put_char(m, '$');
    }
}

// ---- definitions ----------------------------------------------------------------------------

static void run_define(m4 *m, const m4_arguments *args)
{
    if (args->n > 1)
        m4_define(m, args->at[1], argument(args, 2), false);
}

static void run_pushdef(m4 *m, const m4_arguments *args)
{
    if (args->n > 1)
        m4_define(m, args->at[1], argument(args, 2), true);
}

static void run_undefine(m4 *m, const m4_arguments *args)
{
    for (size_t i = 1; i < args->n; i++)
        m4_undefine(m, args->at[i], true);
}

static void run_popdef(m4 *m, const m4_arguments *args)
{
    for (size_t i = 1; i < args->n; i++)
        m4_undefine(m, args->at[i], false);
}

static void run_defn(m4 *m, const m4_arguments *args)
{
    for (size_t i = 1; i < args->n; i++) {
        const m4_macro *macro = m4_find(m, args->at[i].at, args->at[i].n);
        if (macro && macro->builtin)
            m4_fail(m, "call it by its own name", "`defn` of the builtin `%s` is not available",
                    macro->builtin->name);
        else if (macro)
            put_quoted(m, (m4_span){macro->text, macro->n});
    }
}

static void run_ifdef(m4 *m, const m4_arguments *args)
{
    if (args->n > 2)
        put_span(m, argument(args, m4_find(m, args->at[1].at, args->at[1].n) ? 2 : 3));
}

static void run_ifelse(m4 *m, const m4_arguments *args)
{
    if (args->n < 4)
        return;
    for (size_t i = 1;; i += 3) {
        if (is_same(argument(args, i), argument(args, i + 1))) {
            put_span(m, argument(args, i + 2));
            return;
        }
        if (args->n - i <= 5) {
            put_span(m, argument(args, i + 3));
            return;
        }
    }
}

static void run_shift(m4 *m, const m4_arguments *args)
{
    put_list(m, args, 2, true);
}

// ---- syntax ---------------------------------------------------------------------------------

static void run_dnl(m4 *m, const m4_arguments *args)
{
    (void)args;
    m4_skip_line(m);
}

// A left quote that is empty: none; else there is always a right one.
static void run_changequote(m4 *m, const m4_arguments *args)
{
    m4_span left = args->n > 1 ? args->at[1] : (m4_span){"`", 1};
    m4_span right = args->n > 2 ? args->at[2] : (m4_span){"'", 1};
    if (left.n && !right.n)
        right = (m4_span){"'", 1};
    m4_set_text(&m->left_quote, left.at, left.n);
    m4_set_text(&m->right_quote, right.at, right.n);
}

static void run_changecom(m4 *m, const m4_arguments *args)
{
    m4_span begin = argument(args, 1), end = argument(args, 2);
    if (begin.n && !end.n)
        end = (m4_span){"\n", 1};
    m4_set_text(&m->comment_begin, begin.at, begin.n);
    m4_set_text(&m->comment_end, end.at, end.n);
}

static void run_divert(m4 *m, const m4_arguments *args)
{
    int number = 0;
    if (args->n < 2 || read_number(m, args, 1, &number))
        m4_divert(m, number);
}

static void run_divnum(m4 *m, const m4_arguments *args)
{
    (void)args;
    put_int(m, m->diversion);
}

static void run_undivert(m4 *m, const m4_arguments *args)
{
    if (args->n == 1)
        m4_undivert_all(m);
    for (size_t i = 1; i < args->n && !m4_failed(m); i++) {
        int number;
        if (isspace((unsigned char)*text_of(args, i)))
            m4_fail(m, NULL, "argument %zu of `undivert` is not a number", i);
        else if (read_number(m, args, i, &number))
            m4_undivert(m, number);
    }
}

// ---- numbers --------------------------------------------------------------------------------

static void run_incr(m4 *m, const m4_arguments *args)
{
    int value;
    if (read_number(m, args, 1, &value))
        put_int(m, (int)((unsigned)value + 1));
}

static void run_decr(m4 *m, const m4_arguments *args)
{
    int value;
    if (read_number(m, args, 1, &value))
        put_int(m, (int)((unsigned)value - 1));
}

static void put_repeated(m4 *m, char c, int64_t n)
{
    if (n > 0 && m4_work(m, (size_t)n) && m4_room(m, m->expansion.n + (size_t)n))
        for (; n > 0; n--)
            gy_text_char(&m->expansion, c);
}

static void put_number(m4 *m, int32_t value, int radix, int width)
{
    char digits[40];
    int at = sizeof digits;
    uint32_t left = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
    if (value < 0)
        put_char(m, '-');
    if (radix == 1) {
        put_repeated(m, '0', (int64_t)width - left);
        put_repeated(m, '1', left);
        return;
    }
    do
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % (uint32_t)radix];
    while ((left /= (uint32_t)radix));
    put_repeated(m, '0', width - ((int64_t)sizeof digits - at));
    put(m, digits + at, sizeof digits - (size_t)at);
}

static void run_eval(m4 *m, const m4_arguments *args)
{
    int radix = 10, width = 1;
    int32_t value = 0;
    const char *problem = NULL, *text = text_of(args, 1);
    if (*text_of(args, 2) && !read_number(m, args, 2, &radix))
        return;
    if (args->n > 3 && !read_number(m, args, 3, &width))
        return;
    if (radix < 1 || radix > 36)
        m4_fail(m, NULL, "the radix %d of `eval` is not between 1 and 36", radix);
    else if (width < 0)
        m4_fail(m, NULL, "the width of `eval` is negative");
    else if (*text && (problem = m4_eval(text, &value)))
        m4_fail(m, "a parameter that has no value is set with -D NAME=VALUE", "eval: %s: `%.60s`",
                problem, text);
    else
        put_number(m, value, radix, width);
}

// ---- text -----------------------------------------------------------------------------------

static void run_len(m4 *m, const m4_arguments *args)
{
    put_int(m, (int)argument(args, 1).n);
}

static void run_index(m4 *m, const m4_arguments *args)
{
    m4_span in = argument(args, 1), what = argument(args, 2);
    const char *found = args->n > 2 ? memmem(in.at, in.n, what.at, what.n) : in.at;
    put_int(m, found ? (int)(found - in.at) : -1);
}

static void run_substr(m4 *m, const m4_arguments *args)
{
    m4_span text = argument(args, 1);
    int from, length = (int)text.n;
    if (args->n < 3)
        put_span(m, text);
    if (args->n < 3 || !read_number(m, args, 2, &from) ||
        (args->n > 3 && !read_number(m, args, 3, &length)))
        return;
    int64_t left = (int64_t)text.n - from;
    if (from >= 0 && length > 0 && left > 0)
        put(m, text.at + from, (size_t)(length < left ? length : left));
}

// a-f for abcdef, f-a for fedcba. No character comes twice that matters: the first one counts.
static void expand_ranges(m4_span text, gy_text *out)
{
    unsigned char from = 0;
    for (size_t i = 0; i < text.n; from = (unsigned char)text.at[i++]) {
        if (text.at[i] != '-' || !from || i + 1 == text.n) {
            gy_text_char(out, text.at[i]);
            continue;
        }
        for (unsigned char to = (unsigned char)text.at[++i]; from != to;) {
            from = (unsigned char)(from < to ? from + 1 : from - 1);
            gy_text_char(out, (char)from);
        }
    }
}

static void run_translit(m4 *m, const m4_arguments *args)
{
    gy_text from = {0}, to = {0};
    int map[256];
    m4_span text = argument(args, 1);
    if (args->n < 3) {
        put_span(m, text);
        return;
    }
    for (int i = 0; i < 256; i++)
        map[i] = i;
    if (m4_work(m, 256 * (argument(args, 2).n + argument(args, 3).n))) {
        expand_ranges(argument(args, 2), &from);
        expand_ranges(argument(args, 3), &to);
    }
    for (size_t i = from.n; i-- > 0;)
        map[(unsigned char)from.at[i]] = i < to.n ? (unsigned char)to.at[i] : -1;
    for (size_t i = 0; i < text.n; i++)
        if (map[(unsigned char)text.at[i]] >= 0)
            put_char(m, (char)map[(unsigned char)text.at[i]]);
    gy_text_free(&from);
    gy_text_free(&to);
}

// ---- the table ------------------------------------------------------------------------------

static void refuse(m4 *m, const m4_arguments *args)
{
    m4_fail(m, "templates expand macros: they run no commands and read no files",
            "`%s` of m4 is not available in templates", text_of(args, 0));
}

const m4_builtin m4_builtins[] = {
    {"changecom", run_changecom, false},
    {"changequote", run_changequote, false},
    {"decr", run_decr, true},
    {"define", run_define, true},
    {"defn", run_defn, true},
    {"divert", run_divert, false},
    {"divnum", run_divnum, false},
    {"dnl", run_dnl, false},
    {"eval", run_eval, true},
    {"ifdef", run_ifdef, true},
    {"ifelse", run_ifelse, true},
    {"incr", run_incr, true},
    {"index", run_index, true},
    {"len", run_len, true},
    {"popdef", run_popdef, true},
    {"pushdef", run_pushdef, true},
    {"shift", run_shift, true},
    {"substr", run_substr, true},
    {"translit", run_translit, true},
    {"undefine", run_undefine, true},
    {"undivert", run_undivert, false},
    {"__file__", refuse, false},
    {"__line__", refuse, false},
    {"__program__", refuse, false},
    {"builtin", refuse, true},
    {"debugfile", refuse, false},
    {"debugmode", refuse, false},
    {"dumpdef", refuse, false},
    {"errprint", refuse, true},
    {"esyscmd", refuse, true},
    {"format", refuse, true},
    {"include", refuse, true},
    {"indir", refuse, true},
    {"m4exit", refuse, false},
    {"m4wrap", refuse, true},
    {"maketemp", refuse, true},
    {"mkstemp", refuse, true},
    {"patsubst", refuse, true},
    {"regexp", refuse, true},
    {"sinclude", refuse, true},
    {"syscmd", refuse, true},
    {"sysval", refuse, false},
    {"traceoff", refuse, false},
    {"traceon", refuse, false},
    {NULL, NULL, false},
};
