// A JSON text that is written as it grows: only one small value at a time is a tree in memory.
#ifndef GYRE_REPORT_OUTCOME_JSON_STREAM_H
#define GYRE_REPORT_OUTCOME_JSON_STREAM_H

#include "report/render.h"

#include <jansson.h>

enum { GY_JSON_DEPTH = 16 };

typedef struct gy_json_stream {
    gy_sink *sink;
    unsigned depth;
    struct {
        char closing;
        bool any; // something was written in it
    } open[GY_JSON_DEPTH];
} gy_json_stream;

// An object ('{') or a list ('['); `key` is its name in the object that it is in, else NULL.
void gy_json_begin(gy_json_stream *stream, const char *key, char bracket);
void gy_json_end(gy_json_stream *stream);
// Goes on with a text that ended with the ends of these brackets, the outermost first, which were
// taken off. Is there a value already in the innermost?
void gy_json_resume(gy_json_stream *stream, const char *brackets, bool any);
// A value, which is dropped.
void gy_json_put(gy_json_stream *stream, const char *key, json_t *value);

#endif
