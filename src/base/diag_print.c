// Printing diagnostics for people.
//
//     model.pml:12:5: error: `reqest` is not declared
//        12 |     ACK(reqest)
//           |         ^~~~~~
//           hint: a similar name exists: `request`
//       in expansion of macro `ACK`, written at defs.h:3:17
//         3 | #define ACK(x) ...
//           |                ^
//       in inline `serve`, called at model.pml:40:9
//       included from model.pml:1:1
//
// The headline names the user's own text: for what a macro stands for, the use of the macro.
#include "base/diag.h"

#include "base/visible.h"

#include <string.h>

enum {
    WINDOW = 100,      // columns of a source line shown
    MAX_TRAIL = 8,     // lines about macros, inlines and includes
    MAX_MESSAGE = 2000 // bytes of a message
};

struct style {
    const char *bold, *error, *warning, *note, *caret, *off;
};

static const struct style plain = {"", "", "", "", "", ""};
static const struct style coloured = {"\033[1m",    "\033[1;31m", "\033[1;35m",
                                      "\033[1;36m", "\033[1;32m", "\033[0m"};

static const struct style *style_of(bool colour)
{
    return colour ? &coloured : &plain;
}

static void add_place(gy_text *out, const gy_sources *sources, const gy_location_info *info)
{
    const char *name = gy_source_name(sources, info->file);
    gy_text_visible(out, name, strlen(name));
    gy_text_printf(out, ":%u:%u", info->line, info->column);
}

// As many columns of `filler` as the text takes; a tab stays a tab.
static void add_columns(gy_text *out, const char *text, size_t n, char filler)
{
    for (size_t i = 0; i < n;) {
        unsigned columns;
        size_t length = gy_visible_next(text + i, n - i, &columns);
        if (text[i] == '\t' && filler == ' ')
            gy_text_char(out, '\t');
        else
            for (; columns > 0; columns--)
                gy_text_char(out, filler);
        i += length;
    }
}

// The source line of a place, with the text from there on underlined.
static void add_excerpt(gy_text *out, const gy_sources *sources, gy_location place, uint32_t line,
                        uint32_t length, const struct style *style)
{
    uint32_t file;
    size_t offset, start, bytes;
    if (!gy_location_text(sources, place, &file, &offset, &start))
        return;
    const char *text = gy_source_text(sources, file, &bytes);
    size_t from = start, to;
    if (offset - start > WINDOW * 3 / 4)
        from = offset - WINDOW / 2;
    while (from > start && ((unsigned char)text[from] & 0xc0) == 0x80)
        from--;
    const char *eol =
        memchr(text + offset, '\n', bytes - offset < WINDOW ? bytes - offset : WINDOW);
    to = eol ? (size_t)(eol - text) : bytes - offset < WINDOW ? bytes : offset + WINDOW;
    if (!eol && to < bytes)
        to = from + WINDOW > offset + 1 ? from + WINDOW : offset + 1;
    if (to > bytes)
        to = bytes;
    bool cut = to < bytes && text[to] != '\n';
    if (to > from && text[to - 1] == '\r')
        to--;

    int gutter = line < 1000000 ? 6 : 10;
    gy_text_printf(out, "%*u | %s", gutter, line, from > start ? "..." : "");
    gy_text_visible(out, text + from, to - from);
    gy_text_add(out, cut ? "...\n" : "\n");

    gy_text_printf(out, "%*s | %s", gutter, "", from > start ? "   " : "");
    add_columns(out, text + from, offset - from, ' ');
    gy_text_printf(out, "%s^", style->caret);
    size_t behind = offset + (length ? length : 1) < to ? offset + (length ? length : 1) : to;
    if (behind > offset + 1) {
        unsigned columns;
        size_t first = gy_visible_next(text + offset, behind - offset, &columns);
        for (; columns > 1; columns--) // the caret is one of them
            gy_text_char(out, '~');
        add_columns(out, text + offset + first, behind - offset - first, '~');
    }
    gy_text_printf(out, "%s\n", style->off);
}

// Undoes macro uses until text of the user's own is reached (which an inline body is).
// *macro is the outermost macro undone, if any.
static gy_location own_text(const gy_sources *sources, gy_location place, const char **macro)
{
    for (;;) {
        gy_location_info info = gy_location_lookup(sources, place);
        if (info.origin == GY_FROM_MACRO) {
            *macro = info.via;
            place = info.used_at;
        } else if (info.origin == GY_FROM_INLINE) {
            place = gy_location_written(sources, place);
        } else {
            return place;
        }
    }
}

// The macros that a place came through, innermost first.
static void add_macros(gy_text *out, const gy_sources *sources, gy_location place, uint32_t length,
                       const struct style *style, unsigned *left)
{
    for (; place && *left; (*left)--) {
        gy_location_info info = gy_location_lookup(sources, place);
        if (info.origin != GY_FROM_MACRO)
            return;
        gy_location written = gy_location_written(sources, place);
        gy_text_printf(out, "  in expansion of macro `%s`", info.via);
        if (written) {
            gy_text_add(out, ", written at ");
            add_place(out, sources, &info);
        }
        gy_text_char(out, '\n');
        if (written)
            add_excerpt(out, sources, written, info.line, length, style);
        length = (uint32_t)strlen(info.via); // next: the name of this macro inside another
        place = info.used_at;
    }
}

// How the text got where it is: macros, inline calls, includes.
static void add_trail(gy_text *out, const gy_sources *sources, gy_location place, uint32_t length,
                      const struct style *style)
{
    unsigned left = MAX_TRAIL;
    uint32_t file = gy_location_user(sources, place).file;
    for (;;) {
        gy_location_info info = gy_location_lookup(sources, place);
        if (info.origin != GY_FROM_INLINE) {
            add_macros(out, sources, place, length, style, &left);
            break;
        }
        add_macros(out, sources, gy_location_written(sources, place), length, style, &left);
        if (!left--)
            break;
        gy_location_info call = gy_location_user(sources, info.used_at);
        gy_text_printf(out, "  in inline `%s`, called at ", info.via);
        add_place(out, sources, &call);
        gy_text_char(out, '\n');
        place = info.used_at;
        length = 1;
    }
    for (gy_location at; left && (at = gy_source_included_at(sources, file)); left--) {
        gy_location_info info = gy_location_user(sources, at);
        gy_text_add(out, "  included from ");
        add_place(out, sources, &info);
        gy_text_char(out, '\n');
        file = info.file;
    }
    if (left == 0)
        gy_text_add(out, "  ...\n");
}

static void add_message(gy_text *out, const char *message)
{
    gy_text_visible(out, message, strnlen(message, MAX_MESSAGE));
    gy_text_add(out, strnlen(message, MAX_MESSAGE + 1) > MAX_MESSAGE ? "...\n" : "\n");
}

static void add_diag(gy_text *out, const char *program, const gy_sources *sources,
                     const gy_diag *diag, const struct style *style)
{
    static const char *const names[] = {"error", "warning", "note"};
    const char *const colours[] = {style->error, style->warning, style->note};
    const char *macro = NULL;
    gy_location own = 0;
    gy_location_info info = {0};
    gy_text_add(out, style->bold);
    if (sources && diag->place) {
        own = own_text(sources, diag->place, &macro);
        info = gy_location_lookup(sources, own);
    }
    if (info.line) {
        add_place(out, sources, &info);
        gy_text_add(out, ": ");
    } else if (program) {
        gy_text_printf(out, "%s: ", program);
    }
    gy_text_printf(out, "%s%s%s:%s ", style->off, colours[diag->severity], names[diag->severity],
                   style->off);
    gy_text_add(out, style->bold);
    add_message(out, diag->message);
    gy_text_add(out, style->off);
    if (info.line)
        add_excerpt(out, sources, own, info.line, macro ? (uint32_t)strlen(macro) : diag->length,
                    style);
    if (diag->hint) {
        gy_text_add(out, info.line ? "         hint: " : "  hint: ");
        add_message(out, diag->hint);
    }
    if (info.line)
        add_trail(out, sources, diag->place, diag->length, style);
}

void gy_diags_print(const gy_diags *diags, gy_text *out, bool colour)
{
    gy_diags_print_by(NULL, diags, out, colour);
}

void gy_diags_print_by(const char *program, const gy_diags *diags, gy_text *out, bool colour)
{
    const struct style *style = style_of(colour);
    for (size_t i = 0; i < gy_diags_count(diags); i++)
        add_diag(out, program, gy_diags_sources(diags), gy_diags_at(diags, i), style);
    unsigned errors = gy_diags_errors(diags);
    if (errors > GY_MAX_ERRORS)
        gy_text_printf(out, "too many errors: %u more not shown\n", errors - GY_MAX_ERRORS);
}
