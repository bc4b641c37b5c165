// What the files of the formatter share. No other file includes this.
//
//   items.c    a text becomes items (tokens, comments, directives, embedded C) and lines of them
//   indent.c   how far each line is indented: a stack of what is open
//   spacing.c  how many spaces stand between two items of a line
//   columns.c  what the author put below each other stays so
//   write_lines.c  the new text
//   same.c     have two texts the same tokens? Are its brackets closed?
//   format.c   the entry points
#ifndef GYRE_SERVE_FORMAT_PARTS_H
#define GYRE_SERVE_FORMAT_PARTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "lang/promela/read/scan.h"
#include "serve/format/format.h"

enum { FMT_TAB = 8 };

typedef enum { FMT_TOKEN, FMT_COMMENT, FMT_DIRECTIVE, FMT_VERBATIM } fmt_kind;

typedef struct fmt_item {
    fmt_kind kind;
    uint8_t token, punct; // TOKEN: pp_kind, pml_punct
    uint16_t keyword;     // a pml_token_kind, or 0
    const char *text;     // as it is in the source
    size_t length;
    unsigned breaks;         // line breaks before it
    size_t blanks;           // columns between it and the item before it on its line
    size_t column;           // in the source, from 0
    bool whole_lines;        // VERBATIM: comes with its own indentation (what #if 0 leaves out)
    bool joined;             // a backslash joins it to the line before: leave what is between them
    const char *joined_text; // that
    // What the layout says:
    bool unary, tight, glued, is_label, copies; // see spacing.c
    bool as_written;                            // inside a macro call: leave the spaces
    size_t gap; // columns before it, unless it is the first of its line
} fmt_item;

typedef struct fmt_line {
    size_t first, end; // items
    size_t column;     // where its first item stood
    size_t indent;     // where it will be
    size_t base;       // VERBATIM: where the closing brace goes
} fmt_line;

typedef struct fmt_text {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_words words;
    gy_location base; // of the first byte
    const char *text;
    size_t bytes;
    gy_format_style style;
    bool plain; // indentation alone: all spaces inside lines stay
    GY_VEC(fmt_item) items;
    GY_VEC(fmt_line) lines;
    GY_VEC(const char *) macros; // names of macros with parameters, interned
} fmt_text;

bool fmt_scan(fmt_text *f); // false: it complained
void fmt_layout(fmt_text *f);
void fmt_columns(fmt_text *f);
void fmt_emit(fmt_text *f, gy_text *out);

// ---- items ----------------------------------------------------------------------------------

static inline bool fmt_is(const fmt_item *item, unsigned punct)
{
    return item && item->kind == FMT_TOKEN && item->token == PP_PUNCT && item->punct == punct;
}

static inline bool fmt_is_keyword(const fmt_item *item, unsigned keyword)
{
    return item && item->kind == FMT_TOKEN && item->keyword == keyword;
}

// Columns of a text that starts at `column`; only what follows its last line break counts.
size_t fmt_column_after(const char *text, size_t length, size_t column);
bool fmt_has_break(const fmt_item *item);

// ---- spacing --------------------------------------------------------------------------------

typedef enum {
    FMT_TOP,
    FMT_BLOCK,
    FMT_LIST,
    FMT_CHOICE,
    FMT_OPTION,
    FMT_PAREN,
    FMT_FORMULA
} fmt_frame_kind;

typedef struct fmt_context {
    bool list;      // in parentheses or braces that hold a list
    bool formula;   // somewhere in an ltl block
    bool statement; // a statement begins here
} fmt_context;

// Can an operand, and so perhaps a statement, end here?
bool fmt_ends_operand(const fmt_item *item, bool formula);
// A line that ends so goes on in the next one.
bool fmt_goes_on(const fmt_item *last);
// Once the spaces before an operator are known: those after it are as many.
void fmt_settle(fmt_item *item);
// Decides what `cur` is (unary, tight …) and sets cur->gap. `prev` is the token before it.
void fmt_space(fmt_text *f, const fmt_item *prev, fmt_item *cur, const fmt_item *next,
               const fmt_context *context);

// ---- check ----------------------------------------------------------------------------------

// Are all brackets, do and if closed, after preprocessing? Complains if not.
bool fmt_is_closed(gy_diags *diags, gy_sources *sources, const gy_format_input *input);
bool fmt_same(const gy_format_input *before, const gy_text *after);

#endif
