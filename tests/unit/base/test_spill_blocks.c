// Blocks that leave memory and come back with what was in them.
#include "base/spill_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 4096, MANY = 1000 };

static void fill(unsigned char *block, unsigned i)
{
    memset(block, (int)(i * 7 + 1) & 255, BLOCK);
}

static void is_filled(const unsigned char *block, unsigned i)
{
    for (unsigned k = 0; k < BLOCK; k++)
        assert_int_equal(block[k], (i * 7 + 1) & 255);
}

static void contents_stay(void **state)
{
    static unsigned char *blocks[MANY];
    gy_budget budget;
    gy_spill_blocks pages;
    (void)state;
    gy_budget_init(&budget, 0);
    gy_spill_blocks_init(&pages, &budget, BLOCK - 100);
    for (unsigned i = 0; i < MANY / 2; i++) {
        blocks[i] = gy_spill_blocks_new(&pages);
        fill(blocks[i], i);
        gy_spill_blocks_rest(&pages, blocks[i]); // nothing happens as long as they are in memory
    }
    assert_int_equal(budget.used, (uint64_t)MANY / 2 * BLOCK);
    assert_true(gy_spill_blocks_to_file(&pages));
    assert_false(gy_spill_blocks_to_file(&pages));
    assert_int_equal(budget.used, 0);
    for (unsigned i = MANY / 2; i < MANY; i++) {
        blocks[i] = gy_spill_blocks_new(&pages);
        fill(blocks[i], i);
        gy_spill_blocks_rest(&pages, blocks[i]);
    }
    assert_int_equal(budget.used, 0);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = MANY; i-- > 0;) {
            gy_spill_blocks_wake(&pages, blocks[i]);
            is_filled(blocks[i], i);
            gy_spill_blocks_rest(&pages, blocks[i]);
        }
    gy_spill_blocks_free(&pages);
}

static void budget_says_no(void **state)
{
    static unsigned char *blocks[MANY];
    gy_budget budget;
    gy_spill_blocks pages;
    (void)state;
    gy_budget_init(&budget, 0);
    budget.limit = budget.other + GY_PAGES_TIGHT + 99 * BLOCK; // the hundredth still leaves them
    gy_spill_blocks_init(&pages, &budget, BLOCK);
    for (unsigned i = 0; i < MANY; i++) {
        blocks[i] = gy_spill_blocks_new(&pages);
        assert_non_null(blocks[i]);
        fill(blocks[i], i);
        assert_int_equal(gy_spill_blocks_pressed(&pages), i >= 100);
    }
    assert_int_equal(budget.used, 100 * BLOCK);
    assert_true(gy_spill_blocks_to_file(&pages));
    assert_false(gy_spill_blocks_pressed(&pages));
    assert_int_equal(budget.used, 0);
    for (unsigned i = 0; i < MANY; i++)
        is_filled(blocks[i], i);
    gy_spill_blocks_free(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_stay),
        cmocka_unit_test(budget_says_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
