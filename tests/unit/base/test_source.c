// Places: lines and columns from offsets, macro and inline origins, #line.
#include "base/source.h"

#include "lexing.h"

static uint32_t add(gy_sources *s, const char *name, const char *text)
{
    return gy_sources_add(s, name, text, strlen(text), 0);
}

static void assert_at(const gy_sources *s, gy_location place, uint32_t line, uint32_t column)
{
    gy_location_info info = gy_location_lookup(s, place);
    assert_int_equal(info.line, line);
    assert_int_equal(info.column, column);
}

static void offsets_become_lines_and_columns(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "a", "ab\n\ncd");
    assert_at(s, gy_place_at(s, f, 0), 1, 1);
    assert_at(s, gy_place_at(s, f, 2), 1, 3); // the line break belongs to its line
    assert_at(s, gy_place_at(s, f, 3), 2, 1);
    assert_at(s, gy_place_at(s, f, 4), 3, 1);
    assert_at(s, gy_place_at(s, f, 6), 3, 3); // the end
    assert_at(s, gy_place_at(s, f, 99), 3, 3);
    gy_sources_free(s);
}

static void lines_and_columns_become_places_and_back(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    gy_text text = {0};
    for (int i = 1; i <= 3000; i++)
        gy_text_printf(&text, "line %d%s\n", i, i % 7 ? "" : " is longer than the others");
    uint32_t f = gy_sources_add(s, "a", text.at, text.n, 0);
    for (uint32_t line = 1; line <= 3000; line += 13) {
        assert_at(s, gy_location_in_file(s, f, line, 1), line, 1);
        assert_at(s, gy_location_in_file(s, f, line, 5), line, 5);
    }
    gy_text_free(&text);
    gy_sources_free(s);
}

static void a_position_outside_the_text_is_kept(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "empty", "");
    gy_location place = gy_location_in_file(s, f, 7, 9);
    assert_at(s, place, 7, 9);
    uint32_t file;
    size_t offset, start;
    assert_int_equal(gy_location_text(s, place, &file, &offset, &start), 0);
    gy_sources_free(s);
}

static void places_name_their_file(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t a = add(s, "a", "xyz");
    gy_location use = gy_place_at(s, a, 1);
    uint32_t b = gy_sources_add(s, "b", "q\nr", 3, use);
    assert_string_equal(gy_source_name(s, gy_location_lookup(s, gy_place_at(s, a, 3)).file), "a");
    assert_string_equal(gy_source_name(s, gy_location_lookup(s, gy_place_at(s, b, 0)).file), "b");
    assert_int_equal(gy_source_included_at(s, b), use);
    assert_int_equal(gy_sources_count(s), 2);
    size_t bytes;
    assert_string_equal(gy_source_text(s, b, &bytes), "q\nr");
    assert_int_equal(bytes, 3);
    gy_sources_free(s);
}

static void nowhere_has_no_line(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    assert_int_equal(gy_location_lookup(s, 0).line, 0);
    assert_int_equal(gy_location_user(s, 0).line, 0);
    gy_sources_free(s);
}

static void a_macro_place_knows_text_and_use(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "a", "#define M x\nM\n");
    gy_location body = gy_location_in_file(s, f, 1, 11), use = gy_location_in_file(s, f, 2, 1);
    gy_location place = gy_location_expanded(s, body, GY_FROM_MACRO, "M", use);
    gy_location_info info = gy_location_lookup(s, place);
    assert_int_equal(info.line, 1);
    assert_int_equal(info.origin, GY_FROM_MACRO);
    assert_string_equal(info.via, "M");
    assert_int_equal(info.used_at, use);
    assert_int_equal(gy_location_written(s, place), body);
    assert_int_equal(gy_location_written(s, use), 0);
    assert_int_equal(gy_location_user(s, place).line, 2);
    assert_int_equal(gy_location_user(s, place).origin, GY_FROM_FILE);
    gy_sources_free(s);
}

static void the_user_place_undoes_macros_but_not_inlines(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "a", "1\n2\n3\n4\n5\n");
    gy_location m =
        gy_location_expanded(s, gy_location_in_file(s, f, 1, 1), GY_FROM_MACRO, "M",
                             gy_location_in_file(s, f, 2, 1)); // M used in the inline body
    gy_location place =
        gy_location_expanded(s, m, GY_FROM_INLINE, "f", gy_location_in_file(s, f, 5, 1));
    gy_location_info info = gy_location_user(s, place);
    assert_int_equal(info.line, 2);
    assert_int_equal(info.origin, GY_FROM_INLINE);
    assert_string_equal(info.via, "f");
    assert_int_equal(gy_location_lookup(s, info.used_at).line, 5);
    gy_sources_free(s);
}

static void names_of_macros_are_copied(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "a", "x");
    char name[16];
    gy_location places[200];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "m%d", i);
        places[i] = gy_location_expanded(s, gy_place_at(s, f, 0), GY_FROM_MACRO, name, 1);
    }
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "m%d", i);
        assert_string_equal(gy_location_lookup(s, places[i]).via, name);
    }
    gy_sources_free(s);
}

static void line_marks_change_file_and_line_but_not_the_text(void **state)
{
    (void)state;
    gy_sources *s = gy_sources_new();
    uint32_t f = add(s, "a", "one\ntwo\nthree\nfour\n");
    gy_source_mark_line(s, f, 4, 100, "b");
    gy_source_mark_line(s, f, 14, 7, NULL);
    assert_at(s, gy_place_at(s, f, 0), 1, 1);
    assert_at(s, gy_place_at(s, f, 8), 101, 1);
    assert_at(s, gy_place_at(s, f, 15), 7, 2);
    gy_location_info info = gy_location_lookup(s, gy_place_at(s, f, 4));
    assert_string_equal(gy_source_name(s, info.file), "b");
    uint32_t file;
    size_t offset, start;
    assert_int_equal(gy_location_text(s, gy_place_at(s, f, 9), &file, &offset, &start), 1);
    assert_int_equal(file, f);
    assert_int_equal(start, 8);
    gy_sources_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_become_lines_and_columns),
        cmocka_unit_test(lines_and_columns_become_places_and_back),
        cmocka_unit_test(a_position_outside_the_text_is_kept),
        cmocka_unit_test(places_name_their_file),
        cmocka_unit_test(nowhere_has_no_line),
        cmocka_unit_test(a_macro_place_knows_text_and_use),
        cmocka_unit_test(the_user_place_undoes_macros_but_not_inlines),
        cmocka_unit_test(names_of_macros_are_copied),
        cmocka_unit_test(line_marks_change_file_and_line_but_not_the_text),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
