// Framed messages of JSON: whole, in pieces, and from a client that means ill.
#include "serve/rpc/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static gy_frame_result next_of(gy_frame_reader *reader, json_t **message)
{
    gy_text problem = {0};
    gy_frame_result result = gy_frame_next(reader, message, &problem);
    if (result == GY_FRAME_MORE || result == GY_FRAME_MESSAGE)
        assert_int_equal(problem.n, 0);
    else
        assert_true(problem.n > 0);
    assert_int_equal(result == GY_FRAME_MESSAGE, *message != NULL);
    gy_text_free(&problem);
    return result;
}

// What the first message of these bytes is.
static gy_frame_result first_of(const char *bytes, size_t limit)
{
    gy_frame_reader *reader = gy_frame_reader_new(limit);
    gy_frame_feed(reader, bytes, strlen(bytes));
    json_t *message;
    gy_frame_result result = next_of(reader, &message);
    json_decref(message);
    gy_frame_reader_free(reader);
    return result;
}

static void messages_in_pieces(void **state)
{
    (void)state;
    const char *stream =
        "Content-Length: 7\r\n\r\n{\"a\":1}"
        "content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n[]"
        "Content-Length: 4\n\nnull";
    for (size_t piece = 1; piece < strlen(stream); piece++) {
        gy_frame_reader *reader = gy_frame_reader_new(1000);
        json_t *messages[3];
        int count = 0;
        assert_true(gy_frame_at_boundary(reader));
        for (size_t at = 0; at < strlen(stream); at += piece) {
            size_t left = strlen(stream) - at;
            gy_frame_feed(reader, stream + at, left < piece ? left : piece);
            json_t *message;
            gy_frame_result result;
            while ((result = next_of(reader, &message)) == GY_FRAME_MESSAGE)
                messages[count++] = message;
            assert_int_equal(result, GY_FRAME_MORE);
        }
        assert_int_equal(count, 3);
        assert_true(gy_frame_at_boundary(reader));
        assert_int_equal(json_integer_value(json_object_get(messages[0], "a")), 1);
        assert_true(json_is_array(messages[1]));
        assert_true(json_is_null(messages[2]));
        for (int i = 0; i < 3; i++)
            json_decref(messages[i]);
        gy_frame_reader_free(reader);
    }
}

static void headers_that_make_no_sense(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "\r\n\r\n{}",
        "Content-Type: x\r\n\r\n{}",
        "Content-Length: \r\n\r\n{}",
        "Content-Length: -2\r\n\r\n{}",
        "Content-Length: 2x\r\n\r\n{}",
        "Content-Length: 0x2\r\n\r\n{}",
        "Content-Length: 99999999999999999999999\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "Content-Length: 2\r\nGET / HTTP/1.1\r\n\r\n{}",
        "Content-LengthX: 2\r\n\r\n{}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(first_of(wrong[i], 1000), GY_FRAME_BROKEN);
    assert_int_equal(first_of("Content-Length: 2", 1000), GY_FRAME_MORE);
    assert_int_equal(first_of("Content-Length: 2\r\n\r\n{", 1000), GY_FRAME_MORE);
}

static void endless_header(void **state)
{
    (void)state;
    gy_frame_reader *reader = gy_frame_reader_new(1000);
    json_t *message;
    size_t fed = 0;
    while (next_of(reader, &message) == GY_FRAME_MORE) {
        gy_frame_feed(reader, "aaaa", 4);
        fed += 4;
        assert_true(fed <= GY_FRAME_HEADER_MAX);
    }
    // and nothing fixes it
    gy_frame_feed(reader, "\r\n\r\nContent-Length: 2\r\n\r\n{}", 27);
    assert_int_equal(next_of(reader, &message), GY_FRAME_BROKEN);
    gy_frame_reader_free(reader);
}

// Content that is not JSON, or too long, costs that message alone.
static void bad_content_is_passed_over(void **state)
{
    (void)state;
    gy_frame_reader *reader = gy_frame_reader_new(10);
    json_t *message;
    const char *stream = "Content-Length: 3\r\n\r\n{x}"
                         "Content-Length: 2\r\n\r\n\xff\xfe"
                         "Content-Length: 0\r\n\r\n"
                         "Content-Length: 11\r\n\r\n";
    gy_frame_feed(reader, stream, strlen(stream));
    for (int i = 0; i < 3; i++)
        assert_int_equal(next_of(reader, &message), GY_FRAME_NOT_JSON);
    assert_int_equal(next_of(reader, &message), GY_FRAME_TOO_LARGE);
    gy_frame_feed(reader, "{\"a\":1,", 7);
    assert_int_equal(next_of(reader, &message), GY_FRAME_MORE);
    assert_false(gy_frame_at_boundary(reader));
    gy_frame_feed(reader, "\"b\"}Content-Length: 4\r\n\r\ntrue", 29);
    assert_int_equal(next_of(reader, &message), GY_FRAME_MESSAGE);
    assert_true(json_is_true(message));
    gy_frame_reader_free(reader);
}

static void too_large_is_counted_exactly(void **state)
{
    (void)state;
    gy_frame_reader *reader = gy_frame_reader_new(10);
    json_t *message;
    gy_frame_feed(reader, "Content-Length: 4000000000000\r\n\r\n", 33);
    assert_int_equal(next_of(reader, &message), GY_FRAME_TOO_LARGE);
    char bytes[1000];
    memset(bytes, '\n', sizeof bytes);
    for (int i = 0; i < 1000; i++) {
        gy_frame_feed(reader, bytes, sizeof bytes);
        assert_int_equal(next_of(reader, &message), GY_FRAME_MORE);
    }
    gy_frame_reader_free(reader);
    reader = gy_frame_reader_new(10);
    gy_frame_feed(reader, "Content-Length: 11\r\n\r\n12345678901Content-Length: 4\r\n\r\ntrue", 58);
    assert_int_equal(next_of(reader, &message), GY_FRAME_TOO_LARGE);
    assert_int_equal(next_of(reader, &message), GY_FRAME_MESSAGE);
    assert_true(json_is_true(message));
    gy_frame_reader_free(reader);
}

static void deep_json(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *stream = malloc(DEPTH + 100);
    int n = sprintf(stream, "Content-Length: %d\r\n\r\n", DEPTH);
    memset(stream + n, '[', DEPTH);
    stream[n + DEPTH] = 0;
    assert_int_equal(first_of(stream, 1 << 20), GY_FRAME_NOT_JSON);
    free(stream);
}

// Any bytes: it ends, and keeps within what it was fed.
static void random_bytes(void **state)
{
    (void)state;
    static const char *const parts[] = {"Content-Length", ":",  " ", "3", "\r", "\n", "{}", "1",
                                        "\r\n\r\n",       "\0", "x"};
    uint64_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        gy_frame_reader *reader = gy_frame_reader_new(40);
        for (int i = 0; i < 60; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *part = parts[(seed >> 33) % 11];
            gy_frame_feed(reader, part, *part ? strlen(part) : 1);
            json_t *message;
            gy_frame_result result;
            int count = 0;
            while ((result = next_of(reader, &message)) != GY_FRAME_MORE &&
                   result != GY_FRAME_BROKEN) {
                json_decref(message);
                assert_true(count++ < 100);
            }
        }
        gy_frame_reader_free(reader);
    }
}

static void through_a_pipe(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    json_t *sent = json_pack("{s:s, s:[i,i]}", "word", "gr\xc3\xbc\xc3\x9f", "list", 1, 2);
    assert_true(gy_frame_write(ends[1], sent));
    assert_true(gy_frame_write(ends[1], sent));
    close(ends[1]);
    gy_frame_reader *reader = gy_frame_reader_new(GY_FRAME_LIMIT);
    assert_true(gy_frame_fill(reader, ends[0]) > 0);
    for (int i = 0; i < 2; i++) {
        json_t *message;
        assert_int_equal(next_of(reader, &message), GY_FRAME_MESSAGE);
        assert_true(json_equal(sent, message));
        json_decref(message);
    }
    assert_int_equal(gy_frame_fill(reader, ends[0]), 0);
    close(ends[0]);
    gy_frame_reader_free(reader);
    json_decref(sent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_in_pieces),
        cmocka_unit_test(headers_that_make_no_sense),
        cmocka_unit_test(endless_header),
        cmocka_unit_test(bad_content_is_passed_over),
        cmocka_unit_test(too_large_is_counted_exactly),
        cmocka_unit_test(deep_json),
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(through_a_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
