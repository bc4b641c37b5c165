// Budgets and regions: promises kept, contents kept, zeros where nothing was written.
#include "base/memory.h"

#include "base/atomic_file.h"
#include "base/random.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void regions_keep_their_contents(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_region region;
    gy_random random;
    size_t filled = 0;
    gy_budget_init(&budget, 0);
    gy_region_init(&region, &budget);
    gy_random_seed(&random, 1);
    while (filled < 40 << 20) {
        size_t more = (size_t)gy_random_below(&random, filled / 3 + 100) + 1;
        assert_true(gy_region_reserve(&region, filled + more));
        assert_true(region.room >= filled + more);
        assert_int_equal(budget.used, region.room);
        unsigned char *bytes = region.at;
        for (size_t i = 0; i < filled; i += 997)
            assert_int_equal(bytes[i], (unsigned char)(i * 7 + 1));
        for (size_t i = filled; i < region.room; i += 61)
            assert_int_equal(bytes[i], 0);
        for (size_t i = filled; i < filled + more; i++)
            bytes[i] = (unsigned char)(i * 7 + 1);
        filled += more;
    }
    gy_region_free(&region);
    assert_int_equal(budget.used, 0);
    assert_true(budget.peak >= filled);
}

static void budgets_say_no(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_region a, b;
    gy_budget_init(&budget, gy_memory_resident() + (10 << 20));
    gy_region_init(&a, &budget);
    gy_region_init(&b, &budget);
    assert_true(gy_region_resize(&a, 6 << 20));
    assert_false(gy_region_resize(&b, 6 << 20));
    assert_null(b.at);
    assert_true(gy_budget_room(&budget) < 5 << 20);
    assert_false(gy_region_resize(&a, 60 << 20));
    assert_int_equal(a.room, 6 << 20);
    memset(a.at, 1, a.room);
    assert_true(gy_budget_measure(&budget));
    gy_region_free(&a);
    assert_true(gy_region_resize(&b, 6 << 20));
    assert_false(gy_region_resize(&b, SIZE_MAX - 5));
    gy_region_free(&b);
    gy_budget_init(&budget, 1);
    assert_false(gy_budget_measure(&budget));
    assert_false(gy_region_resize(&b, 1));
}

static void snapshots_are_whole_or_not_there(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gyre-test-memory-XXXXXX";
    const char *why;
    gy_budget budget;
    gy_region region, copy;
    close(mkstemp(path));
    gy_budget_init(&budget, 0);
    gy_region_init(&region, &budget);
    gy_region_init(&copy, &budget);
    for (size_t n = 0; n < 3000000; n = n * 3 + 1) {
        assert_true(gy_region_reserve(&region, n));
        for (size_t i = 0; i < n; i++)
            ((unsigned char *)region.at)[i] = (unsigned char)(i * i + n);
        gy_writer *writer = gy_writer_open(path);
        gy_write_u64(writer, n);
        gy_write_region(writer, &region, n);
        gy_write_u64(writer, ~n);
        assert_true(gy_writer_commit(writer));
        gy_reader *reader = gy_reader_open(path, &why);
        assert_non_null(reader);
        assert_int_equal(gy_read_u64(reader), n);
        assert_true(gy_read_region(reader, &copy));
        assert_true(n == 0 || !memcmp(region.at, copy.at, n));
        assert_int_equal(gy_read_u64(reader), ~n);
        assert_false(gy_reader_failed(reader));
        assert_int_equal(gy_reader_left(reader), 0);
        assert_int_equal(gy_read_u64(reader), 0);
        assert_true(gy_reader_failed(reader));
        gy_reader_close(reader);
    }
    unlink(path);
    assert_null(gy_reader_open(path, &why));
    gy_region_free(&region);
    gy_region_free(&copy);
}

enum { PIECES = 4000, PIECE = 1 << 10, MANY = 8 << 20 };

// What was taken and is not there yet must not make room for what is.
static void what_is_not_there_hides_nothing(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_region empty;
    char *pieces[PIECES];
    if (!mallinfo2().arena)
        skip(); // the allocator of a sanitizer does not say what it has
    gy_budget_init(&budget, gy_memory_resident() + (100 << 20));
    uint64_t before = budget.other;
    gy_region_init(&empty, &budget);
    assert_true(gy_region_resize(&empty, MANY));
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = malloc(PIECE);
        memset(pieces[i], 1, PIECE);
    }
    assert_true(gy_budget_measure(&budget));
    assert_true(budget.other >= before + PIECES * (uint64_t)PIECE * 3 / 4); // some was free
    for (int i = 0; i < PIECES; i++)
        free(pieces[i]);
    gy_region_free(&empty);
}

static void promises_are_no_memory(void **unused)
{
    (void)unused;
    gy_budget budget, other;
    gy_region full;
    gy_budget_init(&other, 0);
    gy_budget_init(&budget, gy_memory_resident() + (100 << 20));
    uint64_t before = budget.other;
    assert_true(gy_budget_take(&budget, MANY));
    gy_budget_promise(&budget, MANY);
    gy_region_init(&full, &other); // this budget knows nothing of it
    assert_true(gy_region_fill(&full, MANY));
    assert_true(gy_budget_measure(&budget));
    assert_true(budget.other + (1 << 20) > before + MANY);
    gy_budget_keep(&budget, MANY);
    gy_budget_give(&budget, MANY);
    gy_region_free(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_keep_their_contents),
        cmocka_unit_test(budgets_say_no),
        cmocka_unit_test(what_is_not_there_hides_nothing),
        cmocka_unit_test(promises_are_no_memory),
        cmocka_unit_test(snapshots_are_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
