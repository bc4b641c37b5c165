#include "base/visible.h"

#include <string.h>

// ---- characters ---------------------------------------------------------------------------

// U+202A to U+202E and U+2066 to U+2069 change the order in which text is shown.
static bool turns(const unsigned char *at)
{
    return at[0] == 0xe2 && ((at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) ||
                             (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

// The bytes of a well-formed character of UTF-8, or 0.
static size_t utf8_length(const unsigned char *at, size_t left)
{
    unsigned char c = at[0];
    size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if ((c >= 0x80 && c < 0xc2) || c > 0xf4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool surrogate = c == 0xed && at[1] >= 0xa0, longer = c == 0xe0 && at[1] < 0xa0;
    bool wide = (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] >= 0x90);
    return surrogate || longer || wide ? 0 : length;
}

void gy_text_utf8(gy_text *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = utf8_length((const unsigned char *)text + i, n - i);
        gy_text_bytes(out, length ? text + i : "\xef\xbf\xbd", length ? length : 3);
        i += length ? length : 1;
    }
}

// The bytes of a printable character, or 0.
static size_t printable_length(const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return at[0] == '\t' || (at[0] >= 32 && at[0] != 127);
    size_t length = utf8_length(at, left);
    bool control = at[0] == 0xc2 && length && at[1] < 0xa0;
    return control || (length == 3 && turns(at)) ? 0 : length;
}

// Shows what is at `at`; returns its bytes.
static size_t show(gy_text *out, const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t length = utf8_length(at, left);
    if (length == 2)
        gy_text_printf(out, "\\u%04x", (at[0] & 31u) << 6 | (at[1] & 63u));
    else if (length == 3)
        gy_text_printf(out, "\\u%04x", (at[0] & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u));
    else
        gy_text_printf(out, "\\x%02x", at[0]);
    return length > 1 ? length : 1;
}

size_t gy_visible_next(const char *at, size_t left, unsigned *columns)
{
    gy_text shown = {0};
    size_t length = printable_length(at, left);
    *columns = 1;
    if (!length) {
        length = show(&shown, at, left);
        *columns = (unsigned)shown.n;
    }
    gy_text_free(&shown);
    return length;
}

void gy_text_visible(gy_text *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = printable_length(text + i, n - i);
        if (length)
            gy_text_bytes(out, text + i, length);
        i += length ? length : show(out, text + i, n - i);
    }
}

// ---- what Gyre itself sends ---------------------------------------------------------------

// The bytes of a colour or a link of Gyre's own (report/style.c, base/diag_print.c), or 0.
static size_t own_length(const char *at, size_t left)
{
    static const char *const colours[] = {"\033[0m",    "\033[1m",    "\033[2m",    "\033[7m",
                                          "\033[36m",   "\033[1;31m", "\033[1;32m", "\033[1;33m",
                                          "\033[1;35m", "\033[1;36m"};
    static const char link[] = "\033]8;;", file[] = "file://", end[] = "\033\\";
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (left >= strlen(colours[i]) && memcmp(at, colours[i], strlen(colours[i])) == 0)
            return strlen(colours[i]);
    if (left < strlen(link) || memcmp(at, link, strlen(link)) != 0)
        return 0;
    size_t n = strlen(link);
    const char *stop = memchr(at + n, '\033', left - n);
    size_t target = stop ? (size_t)(stop - at) - n : 0;
    bool good = stop && left - n - target >= 2 && memcmp(stop, end, 2) == 0 &&
                (!target || (target > strlen(file) && memcmp(at + n, file, strlen(file)) == 0));
    for (size_t i = n; i < n + target && good; i++)
        good = at[i] > ' ' && at[i] < 127;
    return good ? n + target + strlen(end) : 0;
}

// ---- what pipelines obey ------------------------------------------------------------------

// "::" where a line begins (GitHub), "##[" and "##vso[" anywhere (GitHub's old ones, Azure,
// TeamCity). A blank behind "::" makes it an option of Promela, and the name of no command: models
// and claims are printed as they are.
static bool is_order(const char *at, size_t left, bool line_begins)
{
    if (left < 2 || at[0] != at[1])
        return false;
    if (at[0] == ':')
        return line_begins && (left == 2 || (at[2] != ' ' && at[2] != '\t'));
    if (at[0] != '#')
        return false;
    size_t n = 2;
    while (n < left && ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= 'A' && at[n] <= 'Z')))
        n++;
    return n < left && at[n] == '[';
}

// ---- a text -------------------------------------------------------------------------------

static bool is_plain(const gy_text *text, unsigned how)
{
    for (size_t i = 0; i < text->n; i++) {
        unsigned char c = (unsigned char)text->at[i];
        if ((c < 32 && c != '\n' && c != '\t') || c >= 127 ||
            ((how & GY_VISIBLE_LOG) && (c == ':' || c == '#')))
            return false;
    }
    return true;
}

void gy_make_visible(gy_text *text, unsigned how, bool *line_begins)
{
    gy_text out = {0};
    bool begins = !line_begins || *line_begins;
    if (line_begins && text->n)
        *line_begins = text->at[text->n - 1] == '\n';
    if (is_plain(text, how))
        return;
    for (size_t i = 0; i < text->n;) {
        const char *at = text->at + i;
        size_t left = text->n - i, length = *at == '\n' ? 1 : printable_length(at, left);
        size_t own = how & GY_VISIBLE_COLOURS ? own_length(at, left) : 0;
        if ((how & GY_VISIBLE_LOG) && is_order(at, left, begins))
            gy_text_printf(&out, "%c\\", *at);
        else if (own || length)
            gy_text_bytes(&out, at, own ? own : length);
        begins = *at == '\n' || (begins && (own || *at == ' ' || *at == '\t'));
        i += own ? own : length ? length : show(&out, at, left);
    }
    gy_text_free(text);
    *text = out;
}
