// The lines of a text, and positions in it as editors count them: lines and characters from 0,
// characters in units of UTF-16 or of UTF-8. A line ends with \n, \r\n or \r. Bytes that are not
// UTF-8 count as one unit each. Borrows the text; read-only once it was made, for any thread.
#ifndef GYRE_SERVE_LINES_H
#define GYRE_SERVE_LINES_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_lines {
    const char *text;
    size_t bytes;
    GY_VEC(size_t) starts; // of each line; there is at least one
} gy_lines;

typedef struct gy_position {
    uint32_t line, character;
} gy_position;

typedef enum { GY_UTF16, GY_UTF8 } gy_encoding;

void gy_lines_init(gy_lines *lines, const char *text, size_t bytes);
void gy_lines_free(gy_lines *lines);

// The line that this offset is in; the end of the text is in the last one.
uint32_t gy_line_of(const gy_lines *lines, size_t offset);
// The bytes of a line, without what ends it.
size_t gy_line_length(const gy_lines *lines, uint32_t line);
gy_position gy_position_of(const gy_lines *lines, size_t offset, gy_encoding encoding);
// Positions after the end of a line, or of the text, mean that end.
size_t gy_offset_of(const gy_lines *lines, gy_position position, gy_encoding encoding);
// Units of a piece of text.
uint32_t gy_units(const char *text, size_t bytes, gy_encoding encoding);

#endif
