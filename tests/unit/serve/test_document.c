// Lines, positions, URIs and words of a text as an editor sees them.
#include "serve/document/lexical.h"
#include "serve/document/lines.h"
#include "serve/document/uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void positions(void **state)
{
    (void)state;
    // a, é (2 bytes), 𝄞 (4 bytes, 2 units), b
    const char *text = "a\xc3\xa9\xf0\x9d\x84\x9e"
                       "b\r\nsecond\rthird\n";
    gy_lines l;
    gy_lines_init(&l, text, strlen(text));
    assert_int_equal(l.starts.n, 4);
    static const struct {
        size_t offset;
        uint32_t line, utf16, utf8;
    } known[] = {{0, 0, 0, 0}, {1, 0, 1, 1},  {3, 0, 2, 3},  {7, 0, 4, 7},
                 {8, 0, 5, 8}, {10, 1, 0, 0}, {17, 2, 0, 0}, {23, 3, 0, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gy_position p = gy_position_of(&l, known[i].offset, GY_UTF16);
        assert_int_equal(p.line, known[i].line);
        assert_int_equal(p.character, known[i].utf16);
        assert_int_equal(gy_offset_of(&l, p, GY_UTF16), known[i].offset);
        p = gy_position_of(&l, known[i].offset, GY_UTF8);
        assert_int_equal(p.character, known[i].utf8);
        assert_int_equal(gy_offset_of(&l, p, GY_UTF8), known[i].offset);
    }
    // after the end of a line, and of the text
    assert_int_equal(gy_offset_of(&l, (gy_position){0, 99}, GY_UTF16), 8);
    assert_int_equal(gy_offset_of(&l, (gy_position){99, 0}, GY_UTF16), strlen(text));
    assert_int_equal(gy_line_length(&l, 1), 6);
    // the middle of a surrogate pair is after it
    assert_int_equal(gy_offset_of(&l, (gy_position){0, 3}, GY_UTF16), 7);
    gy_lines_free(&l);
}

static void bytes_that_are_no_characters(void **state)
{
    (void)state;
    const char text[] = "\xff\xc3(\xe2\x82\n\xf0\x9d";
    gy_lines l;
    gy_lines_init(&l, text, sizeof text - 1);
    for (size_t i = 0; i < sizeof text; i++)
        assert_int_equal(gy_offset_of(&l, gy_position_of(&l, i, GY_UTF16), GY_UTF16),
                         i < sizeof text ? i : 0);
    gy_lines_free(&l);
    gy_lines_init(&l, "", 0);
    assert_int_equal(gy_offset_of(&l, (gy_position){3, 3}, GY_UTF16), 0);
    gy_lines_free(&l);
}

static void check_uri(const char *uri, const char *path, const char *back)
{
    char *found = gy_uri_path(uri), *again = gy_uri_of(found);
    assert_string_equal(found, path);
    if (back)
        assert_string_equal(again, back);
    free(found);
    free(again);
}

static void uris(void **state)
{
    (void)state;
    check_uri("file:///a/b.pml", "/a/b.pml", "file:///a/b.pml");
    check_uri("file:///a%20b/%C3%A9.pml", "/a b/\xc3\xa9.pml", "file:///a%20b/%C3%A9.pml");
    check_uri("file://host/a.pml", "/a.pml", NULL);
    check_uri("FILE:///a.pml", "/a.pml", NULL);
    check_uri("file:///a/../../etc/./x//y", "/etc/x/y", NULL);
    check_uri("file:///a%2", "/a%2", NULL);
    check_uri("file:///a%00b", "/a%00b", NULL);
    check_uri("untitled:Untitled-1", "/untitled:Untitled-1", NULL);
    check_uri("", "/", NULL);
    check_uri("vscode-vfs://github/a/../b.pml", "/vscode-vfs:/github/b.pml", NULL);
}

static const char *kinds(const char *text, char *out)
{
    static const char letters[] = "wnsc#Cp";
    gy_lexical l;
    gy_lexical_init(&l, text, strlen(text));
    size_t n = 0, end = 0;
    for (; n < l.tokens.n; n++) {
        assert_true(l.tokens.at[n].at >= end && l.tokens.at[n].length > 0);
        end = l.tokens.at[n].at + l.tokens.at[n].length;
        assert_true(end <= strlen(text));
        out[n] = letters[l.tokens.at[n].kind];
    }
    out[n] = 0;
    gy_lexical_free(&l);
    return out;
}

static void words(void **state)
{
    (void)state;
    char out[100];
    assert_string_equal(kinds("byte x = 3; // c", out), "wwpnpc");
    assert_string_equal(kinds("#define N 4\nx", out), "#wnw");
    assert_string_equal(kinds("/* a\n b */ \"s\\\"t\" 'c'", out), "css");
    assert_string_equal(kinds("c_code { if (x) { } } ; y", out), "wpCppw");
    assert_string_equal(kinds("c_expr [ a ] { b }", out), "wpwppCp");
    assert_string_equal(kinds("a->b :: c", out), "wpwpw");
    // nothing is ever closed
    assert_string_equal(kinds("/* a", out), "c");
    assert_string_equal(kinds("\"a", out), "s");
    assert_string_equal(kinds("c_code { a", out), "wpC");
    assert_string_equal(kinds("/", out), "p");
    assert_string_equal(kinds("", out), "");
}

static void pairs(void **state)
{
    (void)state;
    const char *text = "{ do :: ( a [ b ] ) od }\n#define x }\n}";
    gy_lexical l;
    gy_lexical_init(&l, text, strlen(text));
    assert_int_equal(gy_lex_closing(&l, 0), 10);
    assert_int_equal(gy_lex_closing(&l, 1), 9);
    assert_int_equal(gy_lex_closing(&l, 3), 8);
    assert_int_equal(gy_lex_closing(&l, 2), l.tokens.n);
    assert_int_equal(gy_lex_find(&l, 2), 1);
    assert_int_equal(gy_lex_find(&l, 4), 2);
    assert_int_equal(gy_lex_find(&l, 1000), l.tokens.n);
    assert_true(l.tokens.at[12].in_directive);
    assert_false(l.tokens.at[14].in_directive);
    gy_lexical_free(&l);
}

// Any bytes: it ends, and keeps within the text.
static void any_text(void **state)
{
    (void)state;
    static const char *const parts[] = {"/*",     "*/", "//", "\n", "\"", "'",  "\\", "#",
                                        "c_code", "{",  "}",  "x",  " ",  "\r", "é",  "1"};
    uint64_t seed = 3;
    char text[200], out[200];
    for (int round = 0; round < 3000; round++) {
        size_t n = 0;
        for (int i = 0; i < 25; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *part = parts[(seed >> 33) % 16];
            memcpy(text + n, part, strlen(part));
            n += strlen(part);
        }
        text[n] = 0;
        kinds(text, out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions), cmocka_unit_test(bytes_that_are_no_characters),
        cmocka_unit_test(uris),      cmocka_unit_test(words),
        cmocka_unit_test(pairs),     cmocka_unit_test(any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
