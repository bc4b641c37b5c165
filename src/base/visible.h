// What a terminal or the log of a pipeline must not take for an order: control characters, bytes
// that are no UTF-8, marks that turn the direction of text, and lines that pipelines obey. They are
// shown: \x1b, \u202e, :\:error.
#ifndef GYRE_BASE_VISIBLE_H
#define GYRE_BASE_VISIBLE_H

#include "base/text.h"

#include <stdbool.h>

// The bytes of what is at `at`, which takes so many columns: one if it is printable (a tab is),
// more if it is shown. The end of a line is shown.
size_t gy_visible_next(const char *at, size_t left, unsigned *columns);
// Appends n bytes; what is no UTF-8 becomes U+FFFD.
void gy_text_utf8(gy_text *out, const char *text, size_t n);
// Appends n bytes of one line in visible form.
void gy_text_visible(gy_text *out, const char *text, size_t n);

enum {
    GY_VISIBLE_COLOURS = 1, // the colours and links that Gyre itself uses stay
    GY_VISIBLE_LOG = 2,     // for a pipeline (GitHub, Azure, TeamCity): its commands are shown
};

// All of a text, of any number of lines. *line_begins, if it is not NULL: does what is printed now
// begin a line? It is kept up to date.
void gy_make_visible(gy_text *text, unsigned how, bool *line_begins);

#endif
