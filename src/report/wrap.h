// Long lines for a terminal: broken between words, and indented so that columns stay columns.
#ifndef GYRE_REPORT_WRAP_H
#define GYRE_REPORT_WRAP_H

#include "report/style.h"

// Where the text of a line that is broken goes on: below what follows here. Nothing without a
// terminal. Without any of them, a little to the right of where the line begins.
void gy_hang(const gy_style *style, gy_text *out);

// From byte `from` on, the text stays in one line. Nothing without a terminal.
void gy_keep_together(const gy_style *style, gy_text *out, size_t from);

// Breaks the lines of the text, in place, that need more than so many columns. Escape sequences
// need none. A word that is too long stays whole.
void gy_wrap(gy_text *text, size_t columns);

#endif
