// Formatting of Promela: indentation and spaces, never what a model means.
//
// Line breaks between tokens stay where their author put them, since Promela reads most of them as
// semicolons; what changes is the indentation, the spaces between tokens and the number of empty
// lines. Comments, directives and embedded C stay as they are. The result is read again, by the
// front end's own scanner and preprocessor, and is given out only if it has the same tokens.
// Formatting a formatted text changes nothing.
//
// For the subcommand `gyre format` and the language server. Callable from any thread; nothing is
// kept between calls.
#ifndef GYRE_SERVE_FORMAT_FORMAT_H
#define GYRE_SERVE_FORMAT_FORMAT_H

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gy_format_style {
    unsigned indent; // columns of a level; 0: 4, or tabs if the text is indented by tabs now
    bool tabs;       // a level is a tab
} gy_format_style;

typedef struct gy_format_input {
    const char *name; // of the file: the directory it is in is searched for what it includes
    const char *text;
    size_t bytes;
    gy_format_style style;
    const char *const *include_dirs; // NULL-terminated, or NULL
} gy_format_input;

// Adds the formatted text to `out`. False: nothing was added, and `diags` says why (a text that
// has no tokens, or whose brackets do not match). The text is added to `sources`.
bool gy_format(gy_sources *sources, gy_diags *diags, const gy_format_input *input, gy_text *out);

// Lines [first_line, end_line) of the old text, counted from 0, become the `bytes` bytes of the new
// one from `at` on: whole lines, with their line breaks.
typedef struct gy_format_edit {
    size_t first_line, end_line;
    size_t at, bytes;
} gy_format_edit;

// The edits, in order, that make `formatted`, a result of gy_format, of `text`: of these, the ones
// that touch lines [first_line, end_line). Returns their number; the caller frees the list.
size_t gy_format_edits(const char *text, size_t bytes, const gy_text *formatted, size_t first_line,
                       size_t end_line, gy_format_edit **edits);

#endif
