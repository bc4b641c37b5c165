// The reader keeps what has come and was not given out yet in one buffer, of which `taken` bytes
// are done with. `skip` counts the bytes of a message that is too large and still has to come.
#include "serve/rpc/frame.h"

#include "base/fatal.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct gy_frame_reader {
    char *at;
    size_t n, room, taken;
    size_t limit;
    uint64_t skip;
    uint64_t content; // length of the message whose header was read
    bool in_content;
    bool broken;
};

gy_frame_reader *gy_frame_reader_new(size_t limit)
{
    gy_frame_reader *reader = gy_alloc_zero(sizeof *reader);
    reader->limit = limit;
    return reader;
}

void gy_frame_reader_free(gy_frame_reader *reader)
{
    if (reader) {
        free(reader->at);
        free(reader);
    }
}

static void make_room(gy_frame_reader *reader, size_t n)
{
    if (reader->taken > 0) {
        memmove(reader->at, reader->at + reader->taken, reader->n - reader->taken);
        reader->n -= reader->taken;
        reader->taken = 0;
    }
    if (reader->room - reader->n < n) {
        size_t room = reader->room ? reader->room * 2 : 4096;
        reader->room = room < reader->n + n ? reader->n + n : room;
        reader->at = gy_realloc(reader->at, reader->room);
    }
}

// What is to be passed over is not kept.
static size_t pass_over(gy_frame_reader *reader, size_t n)
{
    size_t over = reader->skip < n ? (size_t)reader->skip : n;
    reader->skip -= over;
    return over;
}

void gy_frame_feed(gy_frame_reader *reader, const char *bytes, size_t n)
{
    if (reader->broken)
        return;
    size_t over = pass_over(reader, n);
    if (over == n)
        return;
    make_room(reader, n - over);
    memcpy(reader->at + reader->n, bytes + over, n - over);
    reader->n += n - over;
}

long gy_frame_fill(gy_frame_reader *reader, int fd)
{
    char bytes[65536];
    ssize_t got;
    do
        got = read(fd, bytes, sizeof bytes);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        gy_frame_feed(reader, bytes, (size_t)got);
    return (long)got;
}

static gy_frame_result broken(gy_frame_reader *reader, gy_text *problem, const char *what)
{
    reader->broken = true;
    reader->n = reader->taken = 0;
    if (problem) {
        gy_text_clear(problem);
        gy_text_add(problem, what);
    }
    return GY_FRAME_BROKEN;
}

// The value of a header of this name, without spaces; false: it is another one.
static bool header_value(const char *line, size_t n, const char *name, const char **value,
                         size_t *length)
{
    size_t name_length = strlen(name);
    if (n <= name_length || line[name_length] != ':' || strncasecmp(line, name, name_length) != 0)
        return false;
    const char *at = line + name_length + 1, *end = line + n;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *value = at;
    *length = (size_t)(end - at);
    return true;
}

static bool read_length(const char *digits, size_t n, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        if (digits[i] < '0' || digits[i] > '9' || *value > UINT64_MAX / 100)
            return false;
        *value = *value * 10 + (uint64_t)(digits[i] - '0');
    }
    return n > 0;
}

// Other headers (Content-Type) mean nothing to us: all that is spoken is UTF-8.
static const char *read_headers(const char *at, size_t n, uint64_t *content)
{
    bool known = false;
    for (const char *end = at + n; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (length > 0 && at[length - 1] == '\r')
            length--;
        const char *value;
        size_t value_length;
        if (header_value(at, length, "Content-Length", &value, &value_length)) {
            uint64_t number;
            if (!read_length(value, value_length, &number) || (known && number != *content))
                return "the header has a Content-Length that is not a number";
            *content = number;
            known = true;
        } else if (length > 0 && !memchr(at, ':', length)) {
            return "a line of the header has no colon";
        }
        at = stop ? stop + 1 : end;
    }
    return known ? NULL : "the header has no Content-Length";
}

// The number of bytes before and with the empty line, or 0: it has not come.
static size_t header_end(const char *at, size_t n, size_t *text)
{
    for (size_t i = 0; i + 1 < n; i++) {
        if (at[i] != '\n')
            continue;
        size_t next = at[i + 1] == '\r' ? i + 2 : i + 1;
        if (next < n && at[next] == '\n') {
            *text = i + 1;
            return next + 1;
        }
    }
    return 0;
}

static gy_frame_result take_header(gy_frame_reader *reader, gy_text *problem)
{
    const char *at = reader->at + reader->taken;
    size_t n = reader->n - reader->taken, text = 0;
    size_t end =
        n > 0 ? header_end(at, n < GY_FRAME_HEADER_MAX ? n : GY_FRAME_HEADER_MAX, &text) : 0;
    if (end == 0) {
        if (n >= GY_FRAME_HEADER_MAX)
            return broken(reader, problem, "the header is too long");
        return GY_FRAME_MORE;
    }
    const char *wrong = read_headers(at, text, &reader->content);
    if (wrong)
        return broken(reader, problem, wrong);
    reader->taken += end;
    if (reader->content > reader->limit) {
        if (problem) {
            gy_text_clear(problem);
            gy_text_add(problem, "a message of ");
            gy_text_size(problem, reader->content);
            gy_text_add(problem, " is more than the limit of ");
            gy_text_size(problem, reader->limit);
        }
        reader->skip = reader->content;
        reader->taken += pass_over(reader, reader->n - reader->taken);
        return GY_FRAME_TOO_LARGE;
    }
    reader->in_content = true;
    return GY_FRAME_MESSAGE;
}

gy_frame_result gy_frame_next(gy_frame_reader *reader, json_t **message, gy_text *problem)
{
    *message = NULL;
    if (reader->broken)
        return broken(reader, problem, "an earlier header was invalid");
    if (!reader->in_content) {
        gy_frame_result result = take_header(reader, problem);
        if (result != GY_FRAME_MESSAGE)
            return result;
    }
    if (reader->n - reader->taken < reader->content)
        return GY_FRAME_MORE;
    json_error_t error;
    *message = json_loadb(reader->at + reader->taken, (size_t)reader->content,
                          JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    reader->taken += (size_t)reader->content;
    reader->in_content = false;
    if (*message)
        return GY_FRAME_MESSAGE;
    if (problem) {
        gy_text_clear(problem);
        gy_text_printf(problem, "a message is not JSON: %s", error.text);
    }
    return GY_FRAME_NOT_JSON;
}

bool gy_frame_at_boundary(const gy_frame_reader *reader)
{
    return !reader->in_content && reader->skip == 0 && reader->taken == reader->n;
}

static bool write_all(int fd, const char *at, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(fd, at, n);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        at += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

bool gy_frame_write(int fd, const json_t *message)
{
    char *content = json_dumps(message, JSON_COMPACT | JSON_ENCODE_ANY);
    if (!content) {
        errno = ENOMEM;
        return false;
    }
    gy_text text = {0};
    size_t n = strlen(content);
    gy_text_printf(&text, "Content-Length: %zu\r\n\r\n", n);
    gy_text_bytes(&text, content, n);
    free(content);
    bool done = write_all(fd, text.at, text.n);
    gy_text_free(&text);
    return done;
}
