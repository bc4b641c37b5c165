#include "report/outcome/json_stream.h"

#include "report/json.h"

static void new_line(gy_json_stream *stream)
{
    gy_text_char(&stream->sink->text, '\n');
    gy_blanks(&stream->sink->text, 2 * (size_t)stream->depth);
}

// What goes before a value: a comma, a new line, its name.
static void begin_value(gy_json_stream *stream, const char *key)
{
    gy_text *out = &stream->sink->text;
    if (stream->depth > 0) {
        if (stream->open[stream->depth - 1].any)
            gy_text_char(out, ',');
        stream->open[stream->depth - 1].any = true;
        new_line(stream);
    }
    if (key)
        gy_text_printf(out, "\"%s\": ", key);
}

void gy_json_begin(gy_json_stream *stream, const char *key, char bracket)
{
    begin_value(stream, key);
    gy_text_char(&stream->sink->text, bracket);
    stream->open[stream->depth].closing = bracket == '{' ? '}' : ']';
    stream->open[stream->depth++].any = false;
}

void gy_json_end(gy_json_stream *stream)
{
    stream->depth--;
    if (stream->open[stream->depth].any)
        new_line(stream);
    gy_text_char(&stream->sink->text, stream->open[stream->depth].closing);
    gy_sink_drain(stream->sink);
}

void gy_json_resume(gy_json_stream *stream, const char *brackets, bool any)
{
    for (; *brackets; brackets++) {
        stream->open[stream->depth].closing = *brackets == '{' ? '}' : ']';
        stream->open[stream->depth++].any = true;
    }
    stream->open[stream->depth - 1].any = any;
}

// A line break inside a string is escaped: every one that there is belongs to the layout.
void gy_json_put(gy_json_stream *stream, const char *key, json_t *value)
{
    gy_text dumped = {0};
    begin_value(stream, key);
    gy_json_text(value, JSON_INDENT(2), &dumped);
    json_decref(value);
    for (size_t i = 0, next; i < dumped.n; i = next) {
        for (next = i; next < dumped.n && dumped.at[next] != '\n'; next++)
            continue;
        gy_text_bytes(&stream->sink->text, dumped.at + i, next - i);
        if (next < dumped.n) {
            new_line(stream);
            next++;
        }
    }
    gy_text_free(&dumped);
    gy_sink_drain(stream->sink);
}
