// Messages of JSON over a stream of bytes, each after a header that says its length
// ("Content-Length: 12", an empty line, twelve bytes): what language servers and debug adapters
// speak.
//
// A reader gets bytes as they come (gy_frame_feed, or gy_frame_fill from a file descriptor) and
// gives out whole messages (gy_frame_next). It trusts nothing: headers are limited to
// GY_FRAME_HEADER_MAX bytes, a message to the limit that the reader was made with; one that is
// longer is passed over without being kept. Where the header itself makes no sense, the start of
// the next message cannot be known any more: the reader is broken for good, and its owner should
// end. Who may call: servers of src/serve. One thread per reader; writers of one descriptor must
// take turns.
#ifndef GYRE_SERVE_FRAME_H
#define GYRE_SERVE_FRAME_H

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { GY_FRAME_HEADER_MAX = 4096 };
// Enough for any text that people edit.
#define GY_FRAME_LIMIT ((size_t)64 << 20)

typedef struct gy_frame_reader gy_frame_reader;

typedef enum {
    GY_FRAME_MORE,      // no whole message yet: feed it
    GY_FRAME_MESSAGE,   // *message is one, any value of JSON; the caller owns it
    GY_FRAME_NOT_JSON,  // a whole message was passed over: it is not JSON
    GY_FRAME_TOO_LARGE, // a message is being passed over: longer than the limit
    GY_FRAME_BROKEN,    // the header makes no sense; so will everything after it
} gy_frame_result;

gy_frame_reader *gy_frame_reader_new(size_t limit);
void gy_frame_reader_free(gy_frame_reader *reader);

void gy_frame_feed(gy_frame_reader *reader, const char *bytes, size_t n);
// Reads once from `fd`, blocking if that does: the number of bytes, 0 at the end of the stream, -1
// after an error (errno).
long gy_frame_fill(gy_frame_reader *reader, int fd);
// The next message. *problem says what is wrong for the last three results; it may be NULL.
gy_frame_result gy_frame_next(gy_frame_reader *reader, json_t **message, gy_text *problem);
// Whether the stream could end here: no part of a message has come.
bool gy_frame_at_boundary(const gy_frame_reader *reader);

// Writes one message, as short as JSON can be, whole. False: the other side is gone (errno; the
// caller ignores SIGPIPE).
bool gy_frame_write(int fd, const json_t *message);

#endif
