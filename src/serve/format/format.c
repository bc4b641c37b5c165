#include "serve/format/format.h"

#include "serve/format/parts.h"

#include <stdint.h>
#include <string.h>

// ---- formatting -----------------------------------------------------------------------------

// Where a text is, and who hears of what is wrong with it.
typedef struct subject {
    gy_sources *sources;
    gy_diags *diags;
    gy_location base;
    const char *text;
    size_t bytes;
} subject;

static bool begin(fmt_text *f, const subject *of, gy_format_style style)
{
    *f = (fmt_text){.arena = gy_arena_new(),
                    .sources = of->sources,
                    .diags = of->diags,
                    .base = of->base,
                    .text = of->text,
                    .bytes = of->bytes,
                    .style = style};
    if (style.tabs || style.indent == 0)
        f->style.indent = style.tabs ? FMT_TAB : 4;
    pml_words_init(&f->words, f->arena);
    return fmt_scan(f);
}

static void end(fmt_text *f)
{
    gy_vec_free(&f->items);
    gy_vec_free(&f->lines);
    gy_vec_free(&f->macros);
    pml_words_free(&f->words);
    gy_arena_free(f->arena);
}

static bool lay_out(const subject *of, gy_format_style style, bool plain, gy_text *out)
{
    fmt_text f;
    bool good = begin(&f, of, style);
    f.plain = plain;
    gy_text_clear(out);
    if (good) {
        fmt_layout(&f);
        if (!plain)
            fmt_columns(&f);
        fmt_emit(&f, out);
    }
    end(&f);
    return good;
}

// Do more of the lines that are to be indented begin with a tab than with a space?
static bool has_tabs(const char *text, size_t bytes)
{
    size_t tabs = 0, blanks = 0;
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    uint32_t file = gy_sources_add(sources, "", text, bytes, 0);
    subject of = {sources, diags, gy_place_at(sources, file, 0), text, bytes};
    fmt_text f;
    if (begin(&f, &of, (gy_format_style){0})) {
        fmt_layout(&f);
        for (size_t i = 0; i < f.lines.n; i++) {
            const fmt_line *line = &f.lines.at[i];
            const char *at = f.items.at[line->first].text;
            while (at > text && at[-1] != '\n')
                at--;
            tabs += line->indent > 0 && *at == '\t';
            blanks += line->indent > 0 && *at == ' ';
        }
    }
    end(&f);
    gy_diags_free(diags);
    gy_sources_free(sources);
    return tabs > blanks;
}

// The style that a text has now. It must still be found to have tabs when it has been formatted
// with them: else there is too little to go by.
static bool format_as_found(const subject *of, bool plain, gy_text *out)
{
    if (has_tabs(of->text, of->bytes)) {
        if (!lay_out(of, (gy_format_style){.tabs = true}, plain, out))
            return false;
        if (has_tabs(gy_text_str(out), out->n))
            return true;
    }
    return lay_out(of, (gy_format_style){0}, plain, out);
}

// Line breaks as on Unix; true: some were not.
static bool drop_returns(const char *text, size_t bytes, gy_text *out)
{
    bool any = false;
    for (size_t i = 0; i < bytes; i++) {
        bool drop = text[i] == '\r' && i + 1 < bytes && text[i + 1] == '\n';
        any |= drop;
        if (!drop)
            gy_text_char(out, text[i]);
    }
    return any;
}

static void add_returns(const gy_text *text, gy_text *out)
{
    for (size_t i = 0; i < text->n; i++) {
        if (text->at[i] == '\n')
            gy_text_char(out, '\r');
        gy_text_char(out, text->at[i]);
    }
}

bool gy_format(gy_sources *sources, gy_diags *diags, const gy_format_input *input, gy_text *out)
{
    gy_text unix_text = {0}, result = {0};
    size_t mark =
        input->bytes >= 3 && memcmp(input->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // of UTF-8
    bool returns = drop_returns(input->text + mark, input->bytes - mark, &unix_text);
    gy_format_input clean = *input;
    clean.text = gy_text_str(&unix_text);
    clean.bytes = unix_text.n;
    uint32_t file = gy_sources_add(sources, input->name, clean.text, clean.bytes, 0);
    const char *zero = memchr(clean.text, '\0', clean.bytes);
    if (zero)
        gy_error(diags, gy_place_at(sources, file, (size_t)(zero - clean.text)),
                 "this is not a text: it contains a NUL byte");
    bool good = !zero && fmt_is_closed(diags, sources, &clean), same = false;
    // Where spaces matter after all (a macro that makes a string of its argument, in a file that is
    // included), the indentation alone is changed.
    for (int plain = 0; good && !same && plain < 2; plain++) {
        subject of = {sources, diags, gy_place_at(sources, file, 0), clean.text, clean.bytes};
        bool found = input->style.indent == 0 && !input->style.tabs;
        good = found ? format_as_found(&of, plain, &result)
                     : lay_out(&of, input->style, plain, &result);
        same = good && fmt_same(&clean, &result);
    }
    if (good && !same)
        gy_error(diags, 0,
                 "the formatted text would have another meaning; the file is not changed");
    if (good && same)
        gy_text_bytes(out, input->text, mark);
    if (good && same && returns)
        add_returns(&result, out);
    else if (good && same)
        gy_text_bytes(out, gy_text_str(&result), result.n);
    gy_text_free(&result);
    gy_text_free(&unix_text);
    return good && same;
}

// ---- edits ----------------------------------------------------------------------------------

typedef struct cursor {
    const char *at, *end;
    size_t line;
} cursor;

static size_t line_length(const cursor *c)
{
    const char *eol = memchr(c->at, '\n', (size_t)(c->end - c->at));
    return eol ? (size_t)(eol + 1 - c->at) : (size_t)(c->end - c->at);
}

static bool is_empty(const cursor *c)
{
    size_t n = line_length(c);
    for (size_t i = 0; i < n; i++)
        if (!memchr(" \t\r\n\f\v", c->at[i], 6))
            return false;
    return true;
}

static void step(cursor *c)
{
    c->at += line_length(c);
    c->line++;
}

size_t gy_format_edits(const char *text, size_t bytes, const gy_text *formatted, size_t first_line,
                       size_t end_line, gy_format_edit **edits)
{
    GY_VEC(gy_format_edit) list = {0};
    const char *start = gy_text_str(formatted);
    cursor old = {text, text + bytes, 0}, new = {start, start + formatted->n, 0};
    while (old.at < old.end) { // lines that are not empty follow each other in both
        gy_format_edit edit = {
            .first_line = old.line, .end_line = old.line + 1, .at = (size_t)(new.at - start)};
        bool dropped = is_empty(&old) && (new.at == new.end || !is_empty(&new));
        if (!dropped)
            edit.bytes = line_length(&new);
        bool same =
            !dropped && edit.bytes == line_length(&old) && memcmp(old.at, new.at, edit.bytes) == 0;
        step(&old);
        if (!dropped)
            step(&new);
        if (same || edit.first_line < first_line || edit.first_line >= end_line)
            continue;
        gy_format_edit *last = list.n > 0 ? &list.at[list.n - 1] : NULL;
        if (last && last->end_line == edit.first_line && last->at + last->bytes == edit.at) {
            last->end_line = edit.end_line;
            last->bytes += edit.bytes;
        } else {
            gy_vec_push(&list, edit);
        }
    }
    *edits = list.at;
    return list.n;
}
