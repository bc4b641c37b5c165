// A set on disk, next to one in memory that is known to be right: a table with a flag for each
// number that may occur.
#include "store/disk_set.h"
#include "store/sort.h"

#include "base/random.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { NUMBERS = 50000, PIECE = 100 };

// Number i of all that may occur: near each other, far from each other, and at both ends.
static uint64_t number(uint64_t i)
{
    return i == 0             ? 0
           : i == NUMBERS - 1 ? UINT64_MAX - 1
                              : (i / 64 << 40) + i % 64 * (i / 64 % 3 + 1);
}

typedef struct crowd {
    uint64_t at[NUMBERS];
    uint32_t index[NUMBERS];
    uint64_t n;
    unsigned char found[NUMBERS];
} crowd;

static void each(void *of, uint64_t piece, gy_disk_take *take, void *to)
{
    const crowd *c = of;
    uint64_t from = piece * PIECE, n = c->n - from < PIECE ? c->n - from : PIECE;
    take(to, c->at + from, (uint32_t)n, from);
}

static void found(void *of, uint64_t where)
{
    crowd *c = of;
    c->found[where]++;
}

static gy_disk_source source_of(crowd *c)
{
    return (gy_disk_source){(c->n + PIECE - 1) / PIECE, c->n, each, found, c};
}

// Different ones, in any order.
static void gather(crowd *c, gy_random *random, uint64_t wanted)
{
    static unsigned char taken[NUMBERS];
    memset(taken, 0, sizeof taken);
    memset(c->found, 0, sizeof c->found);
    c->n = 0;
    for (uint64_t i = 0; i < wanted; i++) {
        uint64_t k = gy_random_below(random, NUMBERS);
        if (taken[k]++)
            continue;
        c->index[c->n] = (uint32_t)k;
        c->at[c->n++] = number(k);
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void rounds(uint64_t seed, bool hostile, uint64_t most)
{
    static crowd c;
    static unsigned char in[NUMBERS];
    gy_budget budget;
    gy_random random;
    uint64_t count = 0;
    memset(in, 0, sizeof in);
    gy_budget_init(&budget, 0);
    gy_random_seed(&random, seed);
    gy_disk_set *set = gy_disk_set_new("/tmp", &budget, 1, NULL, hostile);
    assert_non_null(set);
    for (unsigned round = 0; round < 40; round++) {
        uint64_t but[3], buts = 0;
        gather(&c, &random, 1 + gy_random_below(&random, most));
        gy_disk_source source = source_of(&c);
        assert_true(gy_disk_set_find(set, &source, NULL));
        for (uint64_t i = 0; i < c.n; i++)
            assert_int_equal(c.found[i], in[c.index[i]]);
        for (uint64_t i = 0; i < c.n && buts < 3; i += c.n / 3 + 1)
            but[buts++] = c.at[i];
        qsort(but, buts, sizeof *but, compare);
        assert_true(gy_disk_set_add(set, &source, but, (uint32_t)buts, NULL));
        for (uint64_t i = 0; i < c.n; i++) {
            bool stays_out = bsearch(&c.at[i], but, buts, sizeof *but, compare) != NULL;
            count += !in[c.index[i]] && !stays_out;
            in[c.index[i]] |= !stays_out;
        }
        gy_disk_figures figures;
        gy_disk_set_look(set, &figures);
        assert_int_equal(figures.states, count);
    }
    gy_disk_set_free(set);
    assert_int_equal(budget.used, 0);
}

static void is_a_set(void **state)
{
    (void)state;
    rounds(1, false, NUMBERS);
    rounds(2, false, 50);
    rounds(3, true, NUMBERS / 20);
    rounds(4, true, 50);
}

static void sorts(void **state)
{
    static uint64_t a[3000], b[3000];
    gy_random random;
    (void)state;
    gy_random_seed(&random, 5);
    for (size_t n = 0; n < 3000; n = n * 3 / 2 + 1) {
        for (size_t i = 0; i < n; i++)
            b[i] = a[i] = gy_random_next(&random) >> (n % 60);
        gy_sort((gy_sortable){a, b}, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(!i || a[i - 1] <= a[i]);
            assert_int_equal(a[i], b[i]);
        }
    }
}

// Is that file open, and in the directory of the sets?
static bool is_ours(int fd)
{
    char link[64], target[256] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, target, sizeof target - 1) > 0 && memcmp(target, "/tmp/", 5) == 0;
}

static void damage_is_seen(void **state)
{
    enum { FILES = 64 };
    static crowd c;
    gy_budget budget;
    gy_random random;
    gy_text why = {0};
    bool before[FILES];
    int file = -1;
    (void)state;
    for (int fd = 0; fd < FILES; fd++)
        before[fd] = is_ours(fd);
    gy_budget_init(&budget, 0);
    gy_random_seed(&random, 7);
    gy_disk_set *set = gy_disk_set_new("/tmp", &budget, 1, NULL, false);
    gather(&c, &random, NUMBERS);
    gy_disk_source source = source_of(&c);
    assert_true(gy_disk_set_add(set, &source, NULL, 0, NULL));
    assert_true(gy_disk_set_find(set, &source, NULL));
    for (int fd = 0; fd < FILES && file < 0; fd++)
        file = is_ours(fd) && !before[fd] ? fd : -1;
    assert_true(file >= 0);
    unsigned char byte;
    assert_int_equal(pread(file, &byte, 1, 100), 1);
    byte ^= 4;
    assert_int_equal(pwrite(file, &byte, 1, 100), 1);
    assert_false(gy_disk_set_find(set, &source, NULL));
    gy_disk_set_problem(set, &why);
    assert_string_equal(gy_text_str(&why), "the data that was read differs from the data that was written");
    assert_false(gy_disk_set_add(set, &source, NULL, 0, NULL)); // once and for all
    gy_text_free(&why);
    gy_disk_set_free(set);
}

static void full_disk_is_told(void **state)
{
    static crowd c;
    gy_budget budget;
    gy_random random;
    gy_text why = {0};
    struct rlimit old, small;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 20000;
    gy_budget_init(&budget, 0);
    gy_random_seed(&random, 7);
    gather(&c, &random, NUMBERS);
    gy_disk_source source = source_of(&c);
    gy_disk_set *set = gy_disk_set_new("/tmp", &budget, 1, NULL, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool good = gy_disk_set_add(set, &source, NULL, 0, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(good);
    gy_disk_set_problem(set, &why);
    assert_string_equal(gy_text_str(&why), "File too large");
    gy_text_free(&why);
    gy_disk_set_free(set);
}

static void interrupted(void **state)
{
    static crowd c;
    static atomic_int interrupt;
    gy_budget budget;
    gy_random random;
    (void)state;
    gy_budget_init(&budget, 0);
    gy_random_seed(&random, 7);
    gather(&c, &random, NUMBERS);
    gy_disk_source source = source_of(&c);
    gy_disk_set *set = gy_disk_set_new("/tmp", &budget, 1, &interrupt, false);
    assert_true(gy_disk_set_add(set, &source, NULL, 0, NULL));
    assert_true(gy_disk_set_find(set, &source, NULL));
    interrupt = 1;
    assert_false(gy_disk_set_find(set, &source, NULL));
    assert_true(gy_disk_set_interrupted(set));
    gy_disk_set_free(set);
}

// A moment long past: this hangs on no clock.
static void too_late(void **state)
{
    static crowd c;
    gy_budget budget;
    gy_random random;
    (void)state;
    gy_budget_init(&budget, 0);
    gy_random_seed(&random, 8);
    gather(&c, &random, NUMBERS);
    gy_disk_source source = source_of(&c);
    gy_disk_set *set = gy_disk_set_new("/tmp", &budget, 1, NULL, false);
    assert_true(gy_disk_set_add(set, &source, NULL, 0, NULL));
    assert_true(gy_disk_set_find(set, &source, NULL));
    assert_false(gy_disk_set_late(set));
    gy_disk_set_deadline(set, 1e-9);
    assert_false(gy_disk_set_find(set, &source, NULL));
    assert_true(gy_disk_set_late(set));
    assert_false(gy_disk_set_interrupted(set));
    gy_disk_set_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_a_set),       cmocka_unit_test(sorts),
        cmocka_unit_test(damage_is_seen), cmocka_unit_test(full_disk_is_told),
        cmocka_unit_test(interrupted),    cmocka_unit_test(too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
