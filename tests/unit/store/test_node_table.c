// Rows of words: numbered densely, each once, for good; by one thread and by several.
#include "store/node_table.h"

#include "crowd.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __SANITIZE_THREAD__
enum { SLOW = 8 };
#else
enum { SLOW = 1 };
#endif

static const uint32_t lengths[] = {1, 2, 3, 4, 5, GY_ROW_PAIRS};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

// Row i of those of this length, all different. Many begin alike, and many end alike.
static uint64_t make_row(uint64_t *row, uint32_t pairs, uint64_t i)
{
    uint64_t hash = GY_ROW_SEED;
    memset(row, 0, pairs * sizeof *row);
    row[i % pairs] = i + 1;
    row[(i / 7) % pairs] += i << 40;
    for (uint32_t k = 0; k < pairs; k++)
        hash = gy_row_hash(hash, row[k]);
    return hash;
}

// Rows 0 .. n-1 are there, with these numbers, and those after them are not.
static void check_rows(const gy_node_table *rows, const uint32_t *numbers, uint64_t n)
{
    uint64_t row[GY_ROW_PAIRS];
    assert_int_equal(gy_node_table_count(rows), n);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t hash = make_row(row, rows->pairs, i);
        assert_int_equal(gy_node_table_find(rows, row, hash), numbers[i]);
        assert_memory_equal(gy_node_table_get(rows, numbers[i]), row, rows->pairs * sizeof *row);
    }
    for (uint64_t i = n; i < n + 100; i++) {
        uint64_t hash = make_row(row, rows->pairs, i);
        assert_int_equal(gy_node_table_find(rows, row, hash), GY_ROW_NONE);
    }
}

// In the order of i: so they get these numbers.
static uint32_t *counting(uint64_t n)
{
    uint32_t *numbers = gy_alloc(n * sizeof *numbers);
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = (uint32_t)i;
    return numbers;
}

static void numbers_are_dense_and_stay(void **unused)
{
    (void)unused;
    uint64_t row[GY_ROW_PAIRS];
    for (unsigned l = 0; l < LENGTHS; l++)
        for (unsigned hostile = 0; hostile < 2; hostile++) {
            uint64_t n = (l == LENGTHS - 1 ? 3000 : 40000) / SLOW, grown = 0;
            uint32_t *numbers = counting(n);
            gy_budget budget;
            gy_node_table rows;
            gy_budget_init(&budget, 0);
            gy_node_table_init(&rows, lengths[l], &budget, hostile);
            assert_int_equal(gy_node_table_add(&rows, row, make_row(row, lengths[l], 0)),
                             GY_ROW_NONE);
            for (uint64_t i = 0; i < n; i++) {
                uint64_t hash = make_row(row, lengths[l], i), lines = rows.lines;
                assert_int_equal(gy_node_table_intern(&rows, row, hash), i);
                assert_int_equal(gy_node_table_intern(&rows, row, hash), i);
                assert_int_equal(gy_node_table_add(&rows, row, hash), i);
                if (rows.lines != lines) {
                    check_rows(&rows, numbers, i + 1);
                    grown++;
                }
            }
            check_rows(&rows, numbers, n);
            assert_true(grown > 2);
            gy_node_table_free(&rows);
            assert_int_equal(budget.used, 0);
            free(numbers);
        }
}

// Rows with the same hash: only their words tell them apart.
static void hashes_may_be_equal(void **unused)
{
    (void)unused;
    enum { N = 200 };
    uint64_t row[3], same = 0x123456789abcdef0ull;
    gy_budget budget;
    gy_node_table rows;
    gy_budget_init(&budget, 0);
    gy_node_table_init(&rows, 3, &budget, false);
    for (unsigned i = 0; i < 10; i++) // they do not grow in between: that would hash them
        assert_true(gy_node_table_grow(&rows, NULL));
    for (unsigned times = 0; times < 2; times++)
        for (uint64_t i = 0; i < N; i++) {
            make_row(row, 3, i);
            assert_int_equal(gy_node_table_find(&rows, row, same), times ? i : GY_ROW_NONE);
            assert_int_equal(gy_node_table_add(&rows, row, same), i);
        }
    assert_int_equal(gy_node_table_count(&rows), N);
    gy_node_table_free(&rows);
}

// ---- budgets ----------------------------------------------------------------------------

static void small_budgets(void **unused)
{
    (void)unused;
    uint64_t row[GY_ROW_PAIRS];
    for (unsigned l = 0; l < LENGTHS; l++)
        for (unsigned hostile = 0; hostile < 2; hostile++)
            for (uint64_t limit = 1 << 10; limit <= 1 << 19; limit *= 2) {
                gy_budget budget;
                gy_node_table rows;
                uint64_t i = 0, hash;
                gy_budget_init(&budget, limit);
                budget.other = 0;
                gy_node_table_init(&rows, lengths[l], &budget, hostile);
                while (hash = make_row(row, lengths[l], i),
                       gy_node_table_intern(&rows, row, hash) != GY_ROW_NONE)
                    i++;
                uint32_t *numbers = counting(i + 1001);
                assert_true(budget.peak <= limit);
                // Refused again, and again: nothing changes.
                assert_false(gy_node_table_grow(&rows, NULL));
                assert_int_equal(gy_node_table_intern(&rows, row, hash), GY_ROW_NONE);
                if (i) {
                    assert_int_equal(gy_node_table_add(&rows, row, hash), GY_ROW_NONE);
                    check_rows(&rows, numbers, i);
                }
                budget.limit = 0;
                for (uint64_t end = i + 1000; i < end; i++)
                    assert_int_equal(gy_node_table_intern(&rows, row, make_row(row, lengths[l], i)),
                                     i);
                check_rows(&rows, numbers, i);
                gy_node_table_free(&rows);
                assert_int_equal(budget.used, 0);
                free(numbers);
            }
}

// ---- files ------------------------------------------------------------------------------

static gy_reader *reader_of(const char *path)
{
    const char *why;
    gy_reader *reader = gy_reader_open(path, &why);
    assert_non_null(reader);
    return reader;
}

static void files(void **unused)
{
    (void)unused;
    char path[64];
    uint64_t row[GY_ROW_PAIRS];
    snprintf(path, sizeof path, "/tmp/gyre-test-rows-%ld", (long)getpid());
    for (unsigned l = 0; l < LENGTHS; l++)
        for (uint64_t n = 0; n < 5000; n = n * 3 + 1) {
            uint32_t *numbers = counting(n + 1);
            gy_budget budget;
            gy_node_table rows, again;
            gy_budget_init(&budget, 0);
            gy_node_table_init(&rows, lengths[l], &budget, n % 2);
            gy_node_table_init(&again, lengths[l], &budget, l % 2);
            for (uint64_t i = 0; i < n; i++)
                gy_node_table_intern(&rows, row, make_row(row, lengths[l], i));
            gy_writer *writer = gy_writer_open(path);
            gy_node_table_save(&rows, writer);
            gy_write_u64(writer, 77);
            assert_true(gy_writer_commit(writer));
            gy_reader *reader = reader_of(path);
            assert_true(gy_node_table_load(&again, reader));
            assert_int_equal(gy_read_u64(reader), 77); // not more, not less was read
            gy_reader_close(reader);
            check_rows(&again, numbers, n);
            assert_int_equal(gy_node_table_intern(&again, row, make_row(row, lengths[l], n)), n);
            gy_node_table_free(&rows);
            gy_node_table_free(&again);
            free(numbers);
        }
    unlink(path);
}

// Files that no table has written: a row twice, or fewer rows than said.
static void bad_files(void **unused)
{
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "/tmp/gyre-test-rows-%ld", (long)getpid());
    for (unsigned kind = 0; kind < 3; kind++) {
        uint64_t said = kind == 0 ? 3 : kind == 1 ? 5 : UINT64_MAX / 16;
        uint64_t words[] = {1, 2, 3, 4, 1, 2};
        gy_budget budget;
        gy_node_table rows;
        gy_budget_init(&budget, 0);
        gy_node_table_init(&rows, 2, &budget, false);
        gy_writer *writer = gy_writer_open(path);
        gy_write_u64(writer, said);
        gy_write(writer, words, kind == 0 ? sizeof words : sizeof words - 16);
        assert_true(gy_writer_commit(writer));
        gy_reader *reader = reader_of(path);
        assert_false(gy_node_table_load(&rows, reader));
        gy_reader_close(reader);
        gy_node_table_free(&rows);
    }
    unlink(path);
}

// ---- threads ----------------------------------------------------------------------------

typedef struct shared {
    gy_node_table rows;
    crowd c;
    uint64_t n;       // rows
    unsigned threads; // the rows of thread t are those from t * n / threads / 2 on, half of all
    struct {
        uint64_t next, wrong;
        uint32_t *numbers; // of each row, or GY_ROW_NONE
        char apart[104];
    } of[CROWD_MOST];
} shared;

static bool fill(void *user, unsigned member)
{
    shared *s = user;
    gy_node_table *rows = &s->rows;
    uint64_t row[GY_ROW_PAIRS], first = member * s->n / s->threads / 2;
    for (uint64_t *i = &s->of[member].next; *i < s->n / 2; ++*i) {
        // Some go through their rows in the same order, some the other way round.
        uint64_t which = first + (member % 4 == 3 ? s->n / 2 - 1 - *i : *i);
        uint64_t hash = make_row(row, rows->pairs, which);
        if (atomic_load_explicit(&s->c.room_wanted, memory_order_relaxed))
            return false;
        uint32_t number = gy_node_table_find(rows, row, hash);
        if (number == GY_ROW_NONE)
            number = gy_node_table_add(rows, row, hash);
        if (number == GY_ROW_NONE || gy_node_table_want_room(rows))
            atomic_store_explicit(&s->c.room_wanted, true, memory_order_relaxed);
        if (number == GY_ROW_NONE)
            return false;
        s->of[member].numbers[which] = number;
        s->of[member].wrong += !gy_row_same(gy_node_table_get(rows, number), row, rows->pairs);
    }
    return true;
}

static void grow(void *user)
{
    shared *s = user;
    if (!gy_node_table_grow(&s->rows, &s->c.team))
        abort();
}

// What the threads reported is the same, and what is true.
static void check_shared(shared *s, uint64_t all)
{
    uint32_t *numbers = gy_alloc(s->n * sizeof *numbers);
    bool *taken = gy_alloc_zero(s->n);
    memset(numbers, 0xff, s->n * sizeof *numbers);
    for (unsigned t = 0; t < s->threads; t++) {
        assert_int_equal(s->of[t].wrong, 0);
        for (uint64_t i = 0; i < s->n; i++) {
            uint32_t told = s->of[t].numbers[i];
            if (told == GY_ROW_NONE)
                continue;
            assert_true(numbers[i] == GY_ROW_NONE || numbers[i] == told);
            numbers[i] = told;
        }
    }
    for (uint64_t i = 0; i < all; i++) {
        assert_true(numbers[i] < all); // dense
        assert_false(taken[numbers[i]]);
        taken[numbers[i]] = true;
    }
    check_rows(&s->rows, numbers, all);
    free(numbers);
    free(taken);
}

static void many_threads(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 96 / SLOW; round++) {
        shared *s = gy_alloc_apart(sizeof *s);
        uint32_t pairs = lengths[round % LENGTHS];
        gy_budget budget;
        gy_budget_init(&budget, 0);
        gy_node_table_init(&s->rows, pairs, &budget, round % 4 < 2);
        s->threads = 2 + round % 7;
        s->n = (pairs == GY_ROW_PAIRS ? 1000 : 8000) / SLOW / s->threads * s->threads * 2;
        s->c = (crowd){.user = s, .fill = fill, .begin = grow};
        for (unsigned t = 0; t < s->threads; t++) {
            s->of[t].numbers = gy_alloc(s->n * sizeof(uint32_t));
            memset(s->of[t].numbers, 0xff, s->n * sizeof(uint32_t));
        }
        assert_true(crowd_run(&s->c, s->threads));
        check_shared(s, (s->threads - 1) * s->n / s->threads / 2 + s->n / 2);
        for (unsigned t = 0; t < s->threads; t++)
            free(s->of[t].numbers);
        gy_node_table_free(&s->rows);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_dense_and_stay),
        cmocka_unit_test(hashes_may_be_equal),
        cmocka_unit_test(small_budgets),
        cmocka_unit_test(files),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
