// Sets of numbers: what was added and nothing else is there, through growth, clearing and a budget
// that is too small.
#include "base/number_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS = 20000 };

// Different numbers, which a fixed permutation of the numbers below 2^64 makes of 0, 1, 2 …
static uint64_t number_of(uint64_t i)
{
    return i * 0x9e3779b97f4a7c15ull;
}

static void has_what_was_added(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_number_set set;
    gy_budget_init(&budget, 0);
    gy_number_set_init(&set, &budget);
    assert_false(gy_number_set_has(&set, 0));
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < NUMBERS; i += 2) // 0 among them
            for (int again = 0; again < 2; again++)
                assert_true(gy_number_set_add(&set, number_of(i)));
        assert_int_equal(set.count, NUMBERS / 2);
        for (uint64_t i = 0; i < NUMBERS; i++)
            assert_int_equal(gy_number_set_has(&set, number_of(i)), i % 2 == 0);
        if (round)
            assert_true(gy_number_set_begin(&set, 10));
        else
            gy_number_set_clear(&set);
        for (uint64_t i = 0; i < NUMBERS; i++)
            assert_false(gy_number_set_has(&set, number_of(i)));
    }
    gy_number_set_free(&set);
}

static void keeps_what_it_has_without_memory(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_number_set set;
    uint64_t n = 0;
    gy_budget_init(&budget, gy_memory_resident() + (16 << 20));
    gy_number_set_init(&set, &budget);
    while (n < 4 << 20 && gy_number_set_add(&set, number_of(n)))
        n++;
    assert_true(n > 0 && n < 4 << 20); // 64 MiB would be needed
    for (uint64_t i = 0; i < 2 * n; i++)
        assert_int_equal(gy_number_set_has(&set, number_of(i)), i < n);
    gy_number_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_what_was_added),
        cmocka_unit_test(keeps_what_it_has_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
