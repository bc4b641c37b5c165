#include "serve/format/parts.h"

#include <string.h>

enum { MOST_EMPTY_LINES = 2 };

static void add_indent(const fmt_text *f, size_t column, gy_text *out)
{
    if (f->style.tabs)
        for (; column >= FMT_TAB; column -= FMT_TAB)
            gy_text_char(out, '\t');
    while (column-- > 0)
        gy_text_char(out, ' ');
}

static void add_blanks(const fmt_text *f, size_t column, size_t gap, bool after_label, gy_text *out)
{
    bool tabs = f->style.tabs && (gap > 1 || after_label) && (column + gap) % FMT_TAB == 0;
    size_t count = tabs ? (column + gap) / FMT_TAB - column / FMT_TAB : gap;
    while (count-- > 0)
        gy_text_char(out, tabs ? '\t' : ' ');
}

static size_t without_blanks(const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return length;
}

// A comment of several lines: they move together.
static void add_comment(const fmt_text *f, const fmt_item *item, size_t column, gy_text *out)
{
    const char *at = item->text, *end = at + item->length;
    for (bool first = true; at <= end; first = false) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        const char *stop = eol ? eol : end;
        size_t length = without_blanks(at, (size_t)(stop - at)), lead = 0;
        if (!first && length > 0 && column != item->column) {
            while (lead < length && (at[lead] == ' ' || at[lead] == '\t'))
                lead++;
            size_t old = fmt_column_after(at, lead, 0);
            size_t now = old + column > item->column ? old + column - item->column : 0;
            add_indent(f, now, out);
        }
        gy_text_bytes(out, at + lead, length - lead);
        if (eol)
            gy_text_char(out, '\n');
        at = stop + 1;
    }
}

// Embedded C stays as it is; a closing brace that is alone on its line goes below the
// statement.
static void add_verbatim(const fmt_text *f, const fmt_line *line, const fmt_item *item,
                         gy_text *out)
{
    const char *last = memrchr(item->text, '\n', item->length);
    size_t kept = item->length;
    if (last && !item->whole_lines) {
        size_t after = (size_t)(item->text + item->length - last) - 1;
        if (without_blanks(last + 1, after - 1) == 0)
            kept = (size_t)(last + 1 - item->text);
    }
    gy_text_bytes(out, item->text, kept);
    if (kept == item->length)
        return;
    add_indent(f, line->base, out);
    gy_text_char(out, item->text[item->length - 1]);
}

static void add_line(fmt_text *f, const fmt_line *line, gy_text *out)
{
    size_t column = 0, counted = out->n; // the column that the text up to there ends in
    for (size_t i = line->first; i < line->end; i++) {
        const fmt_item *item = &f->items.at[i];
        if (item->joined) {
            gy_text_bytes(out, item->joined_text, (size_t)(item->text - item->joined_text));
        } else if (i == line->first) {
            if (!item->whole_lines)
                add_indent(f, line->indent, out);
        } else {
            column = fmt_column_after(out->at + counted, out->n - counted, column);
            counted = out->n;
            add_blanks(f, column, item->gap, i == line->first + 2 && item[-1].is_label, out);
        }
        if (out->n > counted)
            column = fmt_column_after(out->at + counted, out->n - counted, column);
        counted = out->n;
        if (item->kind == FMT_COMMENT)
            add_comment(f, item, column, out);
        else if (item->kind == FMT_VERBATIM)
            add_verbatim(f, line, item, out);
        else
            gy_text_bytes(out, item->text, item->length);
    }
    gy_text_char(out, '\n');
}

void fmt_emit(fmt_text *f, gy_text *out)
{
    for (size_t i = 0; i < f->lines.n; i++) {
        const fmt_line *line = &f->lines.at[i];
        unsigned empty = i == 0 ? 0 : f->items.at[line->first].breaks - 1;
        for (unsigned k = 0; k < empty && k < MOST_EMPTY_LINES; k++)
            gy_text_char(out, '\n');
        add_line(f, line, out);
    }
}
