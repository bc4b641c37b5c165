#include "report/json.h"

#include "base/visible.h"

#include "gyre/gyre.h"

#include <stdlib.h>
#include <string.h>

json_t *gy_json_string(const char *text)
{
    if (!text)
        return json_null();
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    gy_text clean = {0};
    gy_text_utf8(&clean, text, strlen(text));
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

// Of all that a terminal or a pipeline may obey, jansson escapes the control characters of ASCII.
static void add_escaped(gy_text *out, const gy_text *json)
{
    for (size_t i = 0; i < json->n;) {
        const char *at = json->at + i;
        unsigned columns;
        size_t length = gy_visible_next(at, json->n - i, &columns);
        if (*at == 127)
            gy_text_add(out, "\\u007f");
        else if (*at == '#' && i && at[-1] == '#') // Azure obeys "##vso[" anywhere in a line
            gy_text_add(out, "\\u0023");
        else if (columns > 1 && *at != '\n')
            gy_text_visible(out, at, length);
        else
            gy_text_bytes(out, at, length);
        i += length;
    }
}

void gy_json_text(const json_t *value, size_t flags, gy_text *out)
{
    gy_text json = {0};
    json_dump_callback(value, append, &json, flags | JSON_ENCODE_ANY);
    add_escaped(out, &json);
    gy_text_free(&json);
}

void gy_json_dump(json_t *value, gy_text *out, bool compact)
{
    gy_json_text(value, compact ? JSON_COMPACT : JSON_INDENT(2), out);
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
            gy_location_info info = gy_location_user(sources, diag->place);
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
