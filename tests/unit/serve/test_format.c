// The edits between a text and its formatted form: applied, they give it; of a range, only what is
// in it.
#include "serve/format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char messy[] = "\n\nbyte x;\n\n\n\n\ninit {\n x=1;\n    y = 2;\nz=3\n}\n\n";
static const char tidy[] = "byte x;\n\n\ninit {\n    x = 1;\n    y = 2;\n    z = 3\n}\n";

static gy_text formatted_from(const char *text)
{
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_format_input input = {.name = "t.pml", .text = text, .bytes = strlen(text)};
    gy_text out = {0};
    assert_true(gy_format(sources, diags, &input, &out));
    gy_diags_free(diags);
    gy_sources_free(sources);
    return out;
}

static const char *line_start(const char *text, size_t line)
{
    while (line-- > 0) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    return text;
}

// As a client does it: from the last to the first.
static char *apply(const char *text, const gy_text *formatted, const gy_format_edit *edits,
                   size_t n)
{
    char *result = strdup(text);
    while (n-- > 0) {
        gy_text next = {0};
        const char *from = line_start(result, edits[n].first_line);
        gy_text_bytes(&next, result, (size_t)(from - result));
        gy_text_bytes(&next, formatted->at + edits[n].at, edits[n].bytes);
        gy_text_add(&next, line_start(result, edits[n].end_line));
        free(result);
        result = gy_text_take(&next);
    }
    return result;
}

static void edits_give_the_formatted_text(void **unused)
{
    (void)unused;
    gy_format_edit *edits;
    gy_text formatted = formatted_from(messy);
    assert_string_equal(gy_text_str(&formatted), tidy);
    size_t n = gy_format_edits(messy, strlen(messy), &formatted, 0, SIZE_MAX, &edits);
    assert_int_equal(n, 5); // at the top, after x, line 8, line 10, at the end
    char *result = apply(messy, &formatted, edits, n);
    assert_string_equal(result, tidy);
    free(result);
    free(edits);
    gy_text_free(&formatted);
}

static void a_range_has_its_own_edits(void **unused)
{
    (void)unused;
    gy_format_edit *edits;
    gy_text formatted = formatted_from(messy);
    size_t n = gy_format_edits(messy, strlen(messy), &formatted, 8, 10, &edits);
    assert_int_equal(n, 1);
    assert_int_equal(edits[0].first_line, 8);
    assert_int_equal(edits[0].end_line, 9);
    char *result = apply(messy, &formatted, edits, n);
    assert_string_equal(result, "\n\nbyte x;\n\n\n\n\ninit {\n    x = 1;\n    y = 2;\nz=3\n}\n\n");
    free(result);
    free(edits);
    gy_text_free(&formatted);
}

static void what_is_formatted_has_no_edits(void **unused)
{
    (void)unused;
    gy_format_edit *edits;
    gy_text formatted = formatted_from(tidy);
    assert_int_equal(gy_format_edits(tidy, strlen(tidy), &formatted, 0, SIZE_MAX, &edits), 0);
    free(edits);
    gy_text_free(&formatted);
}

static void a_last_line_without_a_break_gets_one(void **unused)
{
    (void)unused;
    gy_format_edit *edits;
    gy_text formatted = formatted_from("byte x;\nbyte y");
    assert_int_equal(gy_format_edits("byte x;\nbyte y", 14, &formatted, 0, SIZE_MAX, &edits), 1);
    assert_int_equal(edits[0].first_line, 1);
    assert_int_equal(edits[0].bytes, 7);
    free(edits);
    gy_text_free(&formatted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_give_the_formatted_text),
        cmocka_unit_test(a_range_has_its_own_edits),
        cmocka_unit_test(what_is_formatted_has_no_edits),
        cmocka_unit_test(a_last_line_without_a_break_gets_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
