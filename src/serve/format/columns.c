// What the author put below each other stays below each other.
//
// Two or more lines of the same indentation, one below the other, that have a token of the same
// kind in the same column, at least one of them after more than one space: a column. It stays
// where it was, as seen from the start of its lines, or goes as far to the right as the longest
// line needs. The same for comments at the ends of lines.
#include "serve/format/parts.h"

static bool is_plain_line(const fmt_text *f, const fmt_line *line)
{
    for (size_t i = line->first; i < line->end; i++) {
        const fmt_item *item = &f->items.at[i];
        if (item->kind == FMT_DIRECTIVE || item->joined || item->whole_lines ||
            (i + 1 < line->end && fmt_has_break(item)))
            return false;
    }
    return true;
}

// The column that an item will have.
static size_t column_of(const fmt_text *f, const fmt_line *line, size_t wanted)
{
    size_t column = line->indent;
    for (size_t i = line->first; i < wanted; i++) {
        const fmt_item *item = &f->items.at[i];
        if (i > line->first)
            column += item->gap;
        column = fmt_column_after(item->text, item->length, column);
    }
    return column + (wanted > line->first ? f->items.at[wanted].gap : 0);
}

static bool alike(const fmt_item *a, const fmt_item *b)
{
    bool punct = a->token == PP_PUNCT;
    return punct == (b->token == PP_PUNCT) && (!punct || a->punct == b->punct);
}

// The item of the line in that column of the source that has a space before it, or 0.
static size_t item_in(const fmt_text *f, const fmt_line *line, size_t column)
{
    for (size_t i = line->first + 1; i < line->end; i++) {
        const fmt_item *item = &f->items.at[i];
        if (item->column == column)
            return item->kind == FMT_TOKEN && item->blanks > 0 && !item->as_written ? i : 0;
    }
    return 0;
}

// Each of the lines keeps a space there, and one of them more than one: or else nothing could say
// that it is a column, and formatting it again would undo it.
static void align_run(fmt_text *f, size_t from, size_t to, size_t column)
{
    fmt_line *line = &f->lines.at[from];
    size_t goal = column + line->indent > line->column ? column + line->indent - line->column : 0;
    bool shows = false;
    for (size_t i = from; i < to; i++) {
        size_t item = item_in(f, &f->lines.at[i], column), gap = f->items.at[item].gap;
        size_t at = column_of(f, &f->lines.at[i], item) + (gap == 0);
        if (at > goal)
            goal = at;
    }
    for (size_t i = from; i < to; i++) {
        size_t item = item_in(f, &f->lines.at[i], column);
        shows |= f->items.at[item].gap + goal - column_of(f, &f->lines.at[i], item) > 1;
    }
    for (size_t i = from; shows && i < to; i++) {
        size_t item = item_in(f, &f->lines.at[i], column);
        f->items.at[item].gap += goal - column_of(f, &f->lines.at[i], item);
    }
}

// Runs of lines in [from, to) that share this column.
static void align_column(fmt_text *f, size_t from, size_t to, size_t column)
{
    for (size_t i = from; i < to;) {
        size_t first = item_in(f, &f->lines.at[i], column), end = i + 1;
        bool wide = first && f->items.at[first].blanks > 1;
        for (; first && end < to; end++) {
            size_t item = item_in(f, &f->lines.at[end], column);
            if (!item || !alike(&f->items.at[first], &f->items.at[item]))
                break;
            wide |= f->items.at[item].blanks > 1;
        }
        if (first && wide && end - i > 1)
            align_run(f, i, end, column);
        i = end;
    }
}

static int by_size(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Lines of one indentation, one below the other.
static void align_block(fmt_text *f, size_t from, size_t to)
{
    GY_VEC(size_t) columns = {0};
    for (size_t i = from; i < to; i++)
        for (size_t k = f->lines.at[i].first + 1; k < f->lines.at[i].end; k++)
            if (f->items.at[k].kind == FMT_TOKEN && f->items.at[k].blanks > 1)
                gy_vec_push(&columns, f->items.at[k].column);
    if (columns.n > 1)
        qsort(columns.at, columns.n, sizeof *columns.at, by_size);
    for (size_t i = 0; i < columns.n; i++)
        if (i == 0 || columns.at[i] != columns.at[i - 1])
            align_column(f, from, to, columns.at[i]);
    gy_vec_free(&columns);
}

// ---- comments at the ends of lines --------------------------------------------------------------

static const fmt_item *trailing_comment(const fmt_text *f, const fmt_line *line)
{
    const fmt_item *last = &f->items.at[line->end - 1];
    bool code = line->end - line->first > 1;
    return code && last->kind == FMT_COMMENT && is_plain_line(f, line) ? last : NULL;
}

// A comment alone on its line that goes on with the one at the end of the line before.
static bool is_continued(const fmt_text *f, const fmt_line *line, size_t column)
{
    return line->end == line->first + 1 && f->items.at[line->first].kind == FMT_COMMENT &&
           line->column == column;
}

static void align_comments(fmt_text *f, size_t from)
{
    const fmt_item *comment = trailing_comment(f, &f->lines.at[from]);
    size_t column = comment->column, goal = column, end = from;
    for (; end < f->lines.n; end++) {
        const fmt_line *line = &f->lines.at[end];
        const fmt_item *here = trailing_comment(f, line);
        if ((end > from && f->items.at[line->first].breaks > 1) ||
            !(is_continued(f, line, column) || (here && here->column == column)))
            break;
        if (!here)
            continue;
        size_t before = column_of(f, line, line->end - 1) - here->gap;
        if (before + 1 > goal)
            goal = before + 1;
    }
    if (end - from < 2 && comment->blanks <= 2)
        return;
    for (size_t i = from; i < end; i++) {
        fmt_line *line = &f->lines.at[i];
        if (line->end == line->first + 1)
            line->indent = goal;
        else
            f->items.at[line->end - 1].gap += goal - column_of(f, line, line->end - 1);
    }
}

void fmt_columns(fmt_text *f)
{
    for (size_t i = 0; i < f->lines.n;) {
        size_t end = i + 1;
        const fmt_line *line = &f->lines.at[i];
        bool plain = is_plain_line(f, line);
        while (plain && end < f->lines.n && f->items.at[f->lines.at[end].first].breaks == 1 &&
               f->lines.at[end].indent == line->indent && f->lines.at[end].column == line->column &&
               is_plain_line(f, &f->lines.at[end]))
            end++;
        if (plain && end > i + 1)
            align_block(f, i, end);
        i = end;
    }
    size_t last = SIZE_MAX; // column of the comments of the run that was just aligned
    for (size_t i = 0; i < f->lines.n; i++) {
        const fmt_line *line = &f->lines.at[i];
        const fmt_item *comment = trailing_comment(f, line);
        bool same = last != SIZE_MAX && f->items.at[line->first].breaks == 1 &&
                    ((comment && comment->column == last) || is_continued(f, line, last));
        if (comment && !same)
            align_comments(f, i);
        last = same ? last : comment ? comment->column : SIZE_MAX;
    }
}
