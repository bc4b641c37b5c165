// The table of languages: a file's name says which front end reads it.
#include "load/front_ends.h"

#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void names_tell_the_language(void **state)
{
    (void)state;
    static const char riscal[] = "val N: Nat; shared  system S {}",
                      prose[] = "the system is shared";
    assert_string_equal(gy_front_end_for("a.txt", riscal, sizeof riscal - 1)->language, "riscal");
    assert_string_equal(gy_front_end_for("a.txt", prose, sizeof prose - 1)->language, "promela");
    assert_null(gy_front_end_claiming("a.txt", prose, sizeof prose - 1));
    assert_string_equal(gy_front_end_for("a/b.pml", NULL, 0)->language, "promela");
    assert_string_equal(gy_front_end_for("b.dve", NULL, 0)->language, "dve");
    assert_string_equal(gy_front_end_for("b.if", NULL, 0)->language, "if");
    assert_string_equal(gy_front_end_for("b.dve.pml", NULL, 0)->language, "promela");
    assert_string_equal(gy_front_end_for("anything", NULL, 0)->language, "promela");
    assert_string_equal(gy_front_end_for(".dve", NULL, 0)->language,
                        "promela"); // no suffix, the whole name
    assert_ptr_equal(gy_front_end_named("dve"), gy_front_end_for("b.dve", NULL, 0));
    assert_null(gy_front_end_named("cobol"));
}

static void every_front_end_is_complete(void **state)
{
    (void)state;
    static const char *const languages[] = {"promela", "dve"};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        const gy_front_end *front_end = gy_front_end_named(languages[i]);
        assert_non_null(front_end);
        assert_true(front_end->suffixes[0] && front_end->suffixes[0][0] == '.');
        assert_true(front_end->read && front_end->formula && front_end->predicate);
    }
}

// The same question in each language, of models that mean the same.
static void each_answers_in_its_own_language(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *asks;
    } cases[] = {
        {"m.pml", "byte x; active proctype P() { end: do :: x = 1 - x od }", "x == 1"},
        {"m.dve",
         "byte x; process P { state q; init q; trans q -> q { effect x = 1 - x; }; }"
         " system async;",
         "x == 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_diags *diags;
        gy_model *model =
            gy_load_model_text(cases[i].name, cases[i].text, strlen(cases[i].text), NULL, &diags);
        gy_diags_free(diags);
        assert_non_null(model);
        assert_int_not_equal(gy_load_predicate(model, cases[i].asks, &diags), 0);
        gy_diags_free(diags);
        assert_int_equal(gy_load_predicate(model, "nobody_knows == 1", &diags), 0);
        assert_true(gy_diags_errors(diags) > 0);
        gy_diags_free(diags);
        gy_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_the_language),
        cmocka_unit_test(every_front_end_is_complete),
        cmocka_unit_test(each_answers_in_its_own_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
