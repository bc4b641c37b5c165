// Diagnostics: what is kept, how it is printed, and "did you mean".
#include "base/diag.h"

#include "lexing.h"

struct fixture {
    gy_sources *sources;
    gy_diags *diags;
    uint32_t file;
};

static struct fixture begin(const char *text)
{
    struct fixture f = {.sources = gy_sources_new()};
    f.diags = gy_diags_new(f.sources);
    f.file = gy_sources_add(f.sources, "m.pml", text, strlen(text), 0);
    return f;
}

// Prints, compares and frees.
static void assert_printed(struct fixture *f, const char *expected)
{
    gy_text out = {0};
    gy_diags_print(f->diags, &out, false);
    assert_string_equal(gy_text_str(&out), expected);
    gy_text_free(&out);
    gy_diags_free(f->diags);
    gy_sources_free(f->sources);
}

static gy_location at(struct fixture *f, uint32_t line, uint32_t column)
{
    return gy_location_in_file(f->sources, f->file, line, column);
}

static void an_error_shows_line_caret_and_hint(void **state)
{
    (void)state;
    struct fixture f = begin("byte request;\ninit { reqest = 1 }\n");
    gy_diag *diag = gy_error(f.diags, at(&f, 2, 8), "`%s` is not declared", "reqest");
    diag->length = 6;
    gy_hint(diag, "a similar name exists: `%s`", "request");
    assert_printed(&f, "m.pml:2:8: error: `reqest` is not declared\n"
                       "     2 | init { reqest = 1 }\n"
                       "       |        ^~~~~~\n"
                       "         hint: a similar name exists: `request`\n");
}

static void a_message_without_a_place_stands_alone(void **state)
{
    (void)state;
    struct fixture f = begin("");
    gy_hint(gy_error(f.diags, 0, "cannot read `x`"), "is it there?");
    assert_printed(&f, "error: cannot read `x`\n  hint: is it there?\n");
}

static void tabs_keep_the_caret_aligned(void **state)
{
    (void)state;
    struct fixture f = begin("\ta\tb\r\n");
    gy_warn(f.diags, at(&f, 1, 4), "here");
    assert_printed(&f, "m.pml:1:4: warning: here\n"
                       "     1 | \ta\tb\n"
                       "       | \t \t^\n");
}

static void unprintable_bytes_are_escaped(void **state)
{
    (void)state;
    struct fixture f = begin("a\x01\xff\xc3\xa9z\n");
    gy_error(f.diags, at(&f, 1, 6), "odd \x1b[31m");
    assert_printed(&f, "m.pml:1:6: error: odd \\x1b[31m\n"
                       "     1 | a\\x01\\xff\xc3\xa9z\n"
                       "       |           ^\n");
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
    (void)state;
    gy_text text = {0};
    for (int i = 0; i < 100000; i++)
        gy_text_add(&text, "0123456789");
    struct fixture f = begin(text.at);
    gy_error(f.diags, at(&f, 1, 500001), "in the middle")->length = 3;
    gy_text out = {0};
    gy_diags_print(f.diags, &out, false);
    assert_true(out.n < 400);
    assert_non_null(strstr(out.at, "| ...0123456789"));
    assert_non_null(strstr(out.at, "9...\n"));
    assert_non_null(strstr(out.at, "^~~\n"));
    // The caret stands under the 0 that it names.
    char *line = strstr(out.at, "     1 | "), *caret_line = strchr(line, '\n') + 1;
    size_t column = (size_t)(strchr(caret_line, '^') - caret_line);
    assert_int_equal(line[column], '0');
    gy_text_free(&out);
    gy_text_free(&text);
    gy_diags_free(f.diags);
    gy_sources_free(f.sources);
}

static void a_macro_is_traced_from_its_use(void **state)
{
    (void)state;
    struct fixture f = begin("#define M (foo + 1)\ninit { x = M }\n");
    gy_location place =
        gy_location_expanded(f.sources, at(&f, 1, 12), GY_FROM_MACRO, "M", at(&f, 2, 12));
    gy_error(f.diags, place, "`foo` is not declared")->length = 3;
    assert_printed(&f, "m.pml:2:12: error: `foo` is not declared\n"
                       "     2 | init { x = M }\n"
                       "       |            ^\n"
                       "  in expansion of macro `M`, written at m.pml:1:12\n"
                       "     1 | #define M (foo + 1)\n"
                       "       |            ^~~\n");
}

static void an_inline_is_traced_to_its_call(void **state)
{
    (void)state;
    struct fixture f = begin("inline g() { foo }\ninline h() { g() }\ninit { h() }\n");
    gy_location call_g =
        gy_location_expanded(f.sources, at(&f, 2, 14), GY_FROM_INLINE, "h", at(&f, 3, 8));
    gy_location place = gy_location_expanded(f.sources, at(&f, 1, 14), GY_FROM_INLINE, "g", call_g);
    gy_error(f.diags, place, "bad")->length = 3;
    assert_printed(&f, "m.pml:1:14: error: bad\n"
                       "     1 | inline g() { foo }\n"
                       "       |              ^~~\n"
                       "  in inline `g`, called at m.pml:2:14\n"
                       "  in inline `h`, called at m.pml:3:8\n");
}

static void an_included_file_is_traced(void **state)
{
    (void)state;
    struct fixture f = begin("#include \"h\"\n");
    uint32_t h = gy_sources_add(f.sources, "h", "foo\n", 4, at(&f, 1, 10));
    gy_error(f.diags, gy_location_in_file(f.sources, h, 1, 1), "bad");
    assert_printed(&f, "h:1:1: error: bad\n"
                       "     1 | foo\n"
                       "       | ^\n"
                       "  included from m.pml:1:10\n");
}

static void errors_beyond_the_limit_are_counted_not_kept(void **state)
{
    (void)state;
    gy_diags *diags = gy_diags_new(NULL);
    for (int i = 0; i < GY_MAX_ERRORS + 5; i++) {
        gy_hint(gy_error(diags, 0, "error %d", i), "hint %d", i);
        gy_note(diags, 0, "note");
        assert_int_equal(gy_diags_full(diags), i + 1 >= GY_MAX_ERRORS);
    }
    assert_int_equal(gy_diags_errors(diags), GY_MAX_ERRORS + 5);
    assert_int_equal(gy_diags_count(diags), 2 * GY_MAX_ERRORS);
    gy_text out = {0};
    gy_diags_print(diags, &out, false);
    assert_non_null(strstr(out.at, "too many errors: 5 more not shown\n"));
    gy_text_free(&out);
    gy_diags_free(diags);
}

static void the_same_complaint_about_the_same_text_is_kept_once(void **state)
{
    (void)state;
    struct fixture f = begin("x\n");
    for (int i = 0; i < 3; i++)
        gy_error(f.diags, at(&f, 1, 1), "bad");
    gy_error(f.diags, at(&f, 1, 1), "worse");
    assert_int_equal(gy_diags_count(f.diags), 2);
    assert_int_equal(gy_diags_errors(f.diags), 4);
    gy_diags_free(f.diags);
    gy_sources_free(f.sources);
}

static void colours_only_when_asked_for(void **state)
{
    (void)state;
    struct fixture f = begin("x\n");
    gy_error(f.diags, at(&f, 1, 1), "bad");
    gy_text out = {0};
    gy_diags_print(f.diags, &out, true);
    assert_non_null(strstr(out.at, "\033[1;31merror:\033[0m"));
    gy_text_free(&out);
    gy_diags_free(f.diags);
    gy_sources_free(f.sources);
}

static const char *nearest(const char *name, const char *const *candidates)
{
    const char *best = NULL;
    unsigned distance = 0;
    for (; *candidates; candidates++)
        gy_nearest_offer(name, *candidates, &best, &distance);
    return best;
}

static void the_nearest_name_is_a_typing_error_away(void **state)
{
    (void)state;
    const char *const names[] = {"request", "reply", "count", "N", "turn", NULL};
    assert_string_equal(nearest("reqest", names), "request");
    assert_string_equal(nearest("reuqest", names), "request");
    assert_string_equal(nearest("replay", names), "reply");
    assert_string_equal(nearest("Turn", names), "turn");
    assert_string_equal(nearest("TURN", names), "turn");
    assert_string_equal(nearest("n", names), "N");
    assert_null(nearest("m", names));
    assert_null(nearest("ticket", names));
    assert_null(nearest("", names));
    char longer[5000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(nearest(longer, names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_shows_line_caret_and_hint),
        cmocka_unit_test(a_message_without_a_place_stands_alone),
        cmocka_unit_test(tabs_keep_the_caret_aligned),
        cmocka_unit_test(unprintable_bytes_are_escaped),
        cmocka_unit_test(a_long_line_is_cut_around_the_caret),
        cmocka_unit_test(a_macro_is_traced_from_its_use),
        cmocka_unit_test(an_inline_is_traced_to_its_call),
        cmocka_unit_test(an_included_file_is_traced),
        cmocka_unit_test(errors_beyond_the_limit_are_counted_not_kept),
        cmocka_unit_test(the_same_complaint_about_the_same_text_is_kept_once),
        cmocka_unit_test(colours_only_when_asked_for),
        cmocka_unit_test(the_nearest_name_is_a_typing_error_away),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
