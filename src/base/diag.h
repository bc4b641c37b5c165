// Diagnostics: errors, warnings and notes about a model, with their place.
//
// A gy_diags collects them in order while a model is read; the caller prints them
// (gy_diags_print: source line, caret, hint, expansion trail) or traverses them for
// --json. It borrows the gy_sources. After GY_MAX_ERRORS errors the front end should stop
// (gy_diags_full); further ones are counted, not kept.
#ifndef GYRE_BASE_DIAG_H
#define GYRE_BASE_DIAG_H

#include "base/source.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>

enum { GY_MAX_ERRORS = 20 };

typedef enum { GY_ERROR, GY_WARNING, GY_NOTE } gy_severity;

typedef struct gy_diag {
    gy_severity severity;
    gy_location place; // 0: no place (missing file, command line)
    uint32_t length;   // bytes to underline on that line; 0 or 1: a caret alone
    char *message;     // one line, no full stop, no file name
    char *hint;        // NULL, or one line that helps ("did you mean `request`?")
} gy_diag;

typedef struct gy_diags gy_diags;

gy_diags *gy_diags_new(gy_sources *sources); // sources may be NULL
void gy_diags_free(gy_diags *diags);
// Hands the sources over: they are freed with the diagnostics.
void gy_diags_adopt_sources(gy_diags *diags);

// Each returns the diagnostic just added, so that a hint or length can be attached.
gy_diag *gy_error(gy_diags *diags, gy_location place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
gy_diag *gy_warn(gy_diags *diags, gy_location place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A note belongs to the error or warning before it ("first declared here").
gy_diag *gy_note(gy_diags *diags, gy_location place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gy_hint(gy_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

size_t gy_diags_count(const gy_diags *diags);
const gy_diag *gy_diags_at(const gy_diags *diags, size_t i);
unsigned gy_diags_errors(const gy_diags *diags);
unsigned gy_diags_warnings(const gy_diags *diags);
bool gy_diags_full(const gy_diags *diags);
const gy_sources *gy_diags_sources(const gy_diags *diags);

// file:line:column: error: message / source line / caret / hint, for each.
void gy_diags_print(const gy_diags *diags, gy_text *out, bool colour);
// As a program of this name prints them: where there is no location, "NAME: " takes its place.
void gy_diags_print_by(const char *program, const gy_diags *diags, gy_text *out, bool colour);

// The candidate nearest to `name` by edit distance if it is near enough to be a typing
// error, else NULL. Feed candidates one at a time, starting with *best = NULL.
void gy_nearest_offer(const char *name, const char *candidate, const char **best,
                      unsigned *best_distance);

#endif
