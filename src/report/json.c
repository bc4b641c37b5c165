#include "report/json.h"

#include "gyre/gyre.h"

#include <stdlib.h>
#include <string.h>

// Length of the valid UTF-8 character at `at`, or 0.
static size_t utf8_length(const unsigned char *at)
{
    size_t n = at[0] < 0x80 ? 1 : (at[0] & 0xE0) == 0xC0 ? 2 : (at[0] & 0xF0) == 0xE0 ? 3 : 4;
    if (at[0] >= 0x80 && (at[0] < 0xC2 || at[0] > 0xF4))
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
        (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return n;
}

json_t *gy_json_string(const char *text)
{
    if (!text)
        return json_null();
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    gy_text clean = {0};
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t n = utf8_length(at);
        if (n == 0) {
            gy_text_add(&clean, "\xEF\xBF\xBD");
            at++;
        } else {
            gy_text_bytes(&clean, (const char *)at, n);
            at += n;
        }
    }
    return gy_json_take(&clean);
}

json_t *gy_json_take(gy_text *text)
{
    json_t *value = gy_json_string(gy_text_str(text));
    gy_text_free(text);
    return value;
}

static int append(const char *buffer, size_t size, void *data)
{
    gy_text_bytes(data, buffer, size);
    return 0;
}

void gy_json_dump(json_t *value, gy_text *out, bool compact)
{
    json_dump_callback(value, append, out, compact ? JSON_COMPACT : JSON_INDENT(2));
    gy_text_char(out, '\n');
    json_decref(value);
}

json_t *gy_json_report(const char *report)
{
    return json_pack("{s:s, s:i, s:s}", "gyre", GY_VERSION, "schema", GY_JSON_SCHEMA, "report",
                     report);
}

json_t *gy_json_diagnostics(const gy_diags *diags)
{
    static const char *const severities[] = {"error", "warning", "note"};
    json_t *list = json_array();
    const gy_sources *sources = diags ? gy_diags_sources(diags) : NULL;
    for (size_t i = 0; diags && i < gy_diags_count(diags); i++) {
        const gy_diag *diag = gy_diags_at(diags, i);
        json_t *item = json_object();
        json_object_set_new(item, "severity", json_string(severities[diag->severity]));
        if (diag->place && sources) {
            gy_place_info info = gy_place_user(sources, diag->place);
            json_object_set_new(item, "file", gy_json_string(gy_source_name(sources, info.file)));
            json_object_set_new(item, "line", json_integer(info.line));
            json_object_set_new(item, "column", json_integer(info.column));
            json_object_set_new(item, "end_line", json_integer(info.line));
            json_object_set_new(item, "end_column",
                                json_integer(info.column + (diag->length ? diag->length : 1)));
        }
        json_object_set_new(item, "message", gy_json_string(diag->message));
        if (diag->hint)
            json_object_set_new(item, "hint", gy_json_string(diag->hint));
        json_array_append_new(list, item);
    }
    return list;
}

void gy_json_add_diagnostic(json_t *list, const char *severity, const char *message)
{
    json_t *item = json_object();
    static const char mark[] = "\n  hint: ";
    const char *hint = strstr(message, mark);
    gy_text first = {0};
    gy_text_bytes(&first, message, hint ? (size_t)(hint - message) : strlen(message));
    json_object_set_new(item, "severity", json_string(severity));
    json_object_set_new(item, "message", gy_json_take(&first));
    if (hint)
        json_object_set_new(item, "hint", gy_json_string(hint + sizeof mark - 1));
    json_array_append_new(list, item);
}
