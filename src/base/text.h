// A string that grows while it is written: the way all text output is built.
//
// The gy_text owns its buffer; gy_text_free releases it; gy_text_take hands it over.
// `at` is always NUL-terminated once anything was written; use gy_text_str for reading.
#ifndef GYRE_BASE_TEXT_H
#define GYRE_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

typedef struct gy_text {
    char *at;
    size_t n, room;
} gy_text;

void gy_text_free(gy_text *text);
void gy_text_clear(gy_text *text);
const char *gy_text_str(const gy_text *text); // "" when nothing was written
char *gy_text_take(gy_text *text);            // malloc'ed; the text is empty afterwards

void gy_text_char(gy_text *text, char c);
void gy_text_bytes(gy_text *text, const char *bytes, size_t n);
void gy_text_add(gy_text *text, const char *string);
void gy_text_quote(gy_text *text, const char *string); // in double quotes, on one line
void gy_text_printf(gy_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gy_text_vprintf(gy_text *text, const char *format, va_list args);

// For people: 1,119,560 / 12.4 MB / 1.5 s (or 30 ms).
void gy_text_count(gy_text *text, unsigned long long number);
void gy_text_size(gy_text *text, unsigned long long bytes);
void gy_text_seconds(gy_text *text, double seconds);
// Columns that a terminal needs for this UTF-8 text (no wide characters).
size_t gy_columns(const char *text);

#endif
