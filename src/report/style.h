// How text for a terminal is coloured. Everything that prints takes a gy_style; with colours
// off the codes are empty strings, so that callers never ask.
#ifndef GYRE_REPORT_STYLE_H
#define GYRE_REPORT_STYLE_H

#include "base/text.h"

#include <stdbool.h>

typedef struct gy_style {
    const char *good, *bad, *unsure; // verdicts
    const char *strong, *faint, *name;
    const char *off;
    bool links;     // places are hyperlinks (OSC 8)
    size_t columns; // of the terminal; 0: there is none, and lines may be long
} gy_style;

gy_style gy_style_make(bool colour); // without a terminal

// Appends the text and then spaces up to `width` columns.
void gy_pad(gy_text *out, const char *text, size_t width);
void gy_blanks(gy_text *out, size_t count);

#endif
