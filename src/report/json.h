// JSON values out of text that may hold any bytes.
#ifndef GYRE_REPORT_JSON_H
#define GYRE_REPORT_JSON_H

#include "base/diag.h"
#include "base/text.h"

#include <jansson.h>

// A string; bytes that are not UTF-8 become U+FFFD. NULL becomes null.
json_t *gy_json_string(const char *text);
// Takes over the text: a string, and the text is freed.
json_t *gy_json_take(gy_text *text);
// What a terminal or the log of a pipeline may obey is escaped.
void gy_json_text(const json_t *value, size_t flags, gy_text *out);
void gy_json_dump(json_t *value, gy_text *out, bool compact); // and a newline; drops the value

enum { GY_JSON_SCHEMA = 1 }; // docs/gyre.schema.json

// An object that is a report of its own: versions, and what it is about ("verification", "error"
// …).
json_t *gy_json_report(const char *report);

// Each diagnostic as {severity, file, line, column, end_line, end_column, message, hint}. diags may
// be NULL.
json_t *gy_json_diagnostics(const gy_diags *diags);
// One that has no place. What follows "\n  hint: " in the message is its hint.
void gy_json_add_diagnostic(json_t *list, const char *severity, const char *message);

#endif
