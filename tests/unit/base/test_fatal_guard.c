// Coming back from gy_fatal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fatal.h"
#include "base/fatal_guard.h"

#include <string.h>

static void do_nothing(void *user)
{
    *(int *)user += 1;
}

static void fails(void *user)
{
    gy_fatal("number %d", *(int *)user);
}

static void fails_inside(void *user)
{
    char inner[64];
    assert_false(gy_rescue(fails, user, inner, sizeof inner));
    assert_string_equal(inner, "number 7");
    gy_fatal("and outside");
}

static void comes_back(void **unused)
{
    (void)unused;
    char message[64] = "";
    int number = 6;
    assert_true(gy_rescue(do_nothing, &number, message, sizeof message));
    assert_int_equal(number, 7);
    assert_string_equal(message, "");
    assert_false(gy_rescue(fails, &number, message, sizeof message));
    assert_string_equal(message, "number 7");
    assert_false(gy_rescue(fails_inside, &number, message, sizeof message));
    assert_string_equal(message, "and outside");
    assert_false(gy_rescue(fails, &number, message, 4)); // as much as there is room for
    assert_string_equal(message, "num");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
