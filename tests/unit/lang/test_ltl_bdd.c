// Decision diagrams: operations, sums of products, splitting, primes, limits.
#include "lang/ltl/automaton/bdd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VARS = 6 };

// A random function as a diagram and as a table of 64 bits.
static gy_bdd random_function(gy_bdds *b, unsigned *seed, uint64_t *table)
{
    gy_bdd f = GY_BDD_FALSE;
    *table = 0;
    for (int i = 0; i < 8; i++) {
        gy_bdd cube = GY_BDD_TRUE;
        uint64_t care = (uint64_t)rand_r(seed) % 64, value = (uint64_t)rand_r(seed) % 64;
        for (uint32_t v = 0; v < VARS; v++)
            if (care >> v & 1)
                cube = gy_bdd_and(b, cube, gy_bdd_literal(b, v, value >> v & 1));
        f = gy_bdd_or(b, f, cube);
        for (uint64_t point = 0; point < 64; point++)
            if (((point ^ value) & care) == 0)
                *table |= 1ull << point;
    }
    return f;
}

static void assert_table(gy_bdds *b, gy_bdd f, uint64_t table)
{
    for (uint64_t point = 0; point < 64; point++)
        assert_int_equal(gy_bdd_value(b, f, point), table >> point & 1);
}

static void test_operations(void **state)
{
    (void)state;
    gy_bdds *b = gy_bdds_new(1000000, 0), *other = gy_bdds_new(1000000, 0);
    unsigned seed = 3;
    for (int i = 0; i < 100; i++) {
        uint64_t x, y;
        gy_bdd f = random_function(b, &seed, &x), g = random_function(b, &seed, &y);
        assert_table(b, f, x);
        assert_table(b, gy_bdd_and(b, f, g), x & y);
        assert_table(b, gy_bdd_or(b, f, g), x | y);
        assert_table(b, gy_bdd_minus(b, f, g), x & ~y);
        assert_table(b, gy_bdd_not(b, f), ~x);
        assert_int_equal(gy_bdd_implies(b, f, g), (x & ~y) == 0);
        assert_int_equal(gy_bdd_disjoint(b, f, g), (x & y) == 0);
        assert_int_equal(f == g, x == y);
        gy_bdd there = gy_bdd_copy(other, b, f, 5);
        assert_int_equal(gy_bdd_copy(b, other, there, -5), f);
    }
    gy_bdds_free(b);
    gy_bdds_free(other);
}

struct sum {
    uint64_t table;
    int cubes;
};

static void add_cube(void *context, gy_cube cube)
{
    struct sum *sum = context;
    sum->cubes++;
    for (uint64_t point = 0; point < 64; point++)
        if ((point & cube.positive) == cube.positive && !(point & cube.negative))
            sum->table |= 1ull << point;
}

static void test_cubes_cover_the_function(void **state)
{
    (void)state;
    gy_bdds *b = gy_bdds_new(1000000, 0);
    unsigned seed = 4;
    for (int i = 0; i < 100; i++) {
        uint64_t x;
        gy_bdd f = random_function(b, &seed, &x);
        struct sum sum = {0};
        gy_bdd_cubes(b, f, add_cube, &sum);
        assert_true(sum.table == x);
        assert_true(sum.cubes <= 8 + 4);
    }
    gy_bdds_free(b);
}

struct parts {
    gy_bdds *b;
    gy_bdd sum, labels;
    bool overlap;
};

static void add_part(void *context, gy_bdd label, gy_bdd remainder)
{
    struct parts *p = context;
    p->overlap = p->overlap || !gy_bdd_disjoint(p->b, p->labels, label);
    p->labels = gy_bdd_or(p->b, p->labels, label);
    p->sum = gy_bdd_or(p->b, p->sum, gy_bdd_and(p->b, label, remainder));
}

static void test_split(void **state)
{
    (void)state;
    gy_bdds *b = gy_bdds_new(1000000, 0);
    unsigned seed = 5;
    for (int i = 0; i < 100; i++) {
        uint64_t x;
        gy_bdd f = random_function(b, &seed, &x);
        struct parts p = {.b = b};
        gy_bdd_split(b, f, 3, add_part, &p);
        assert_int_equal(p.sum, f);
        assert_false(p.overlap);
    }
    gy_bdds_free(b);
}

struct seen {
    gy_bdds *b;
    gy_bdd sum;
    int count;
};

static void add_prime(void *context, const uint32_t *vars, uint32_t count, gy_bdd label)
{
    struct seen *s = context;
    for (uint32_t i = 0; i < count; i++)
        label = gy_bdd_and(s->b, label, gy_bdd_var(s->b, vars[i]));
    s->sum = gy_bdd_or(s->b, s->sum, label);
    s->count++;
}

static void test_primes(void **state)
{
    (void)state;
    gy_bdds *b = gy_bdds_new(1000000, 0);
    gy_bdd v[6];
    for (uint32_t i = 0; i < 6; i++)
        v[i] = gy_bdd_var(b, i);
    // a b | c, under letter 5: a c is no prime next to c
    gy_bdd f = gy_bdd_or(b, gy_bdd_and(b, v[0], v[1]), v[2]);
    f = gy_bdd_or(b, f, gy_bdd_and(b, v[5], gy_bdd_and(b, v[0], v[2])));
    struct seen s = {.b = b};
    gy_bdd_primes(b, f, 5, add_prime, &s);
    assert_int_equal(s.sum, f);
    assert_int_equal(s.count, 2);
    // Under letter 5 just a; without it, a b or a c.
    f = gy_bdd_and(b, v[0], gy_bdd_or(b, v[5], gy_bdd_or(b, v[1], v[2])));
    s = (struct seen){.b = b};
    gy_bdd_primes(b, f, 5, add_prime, &s);
    assert_int_equal(s.sum, f);
    assert_int_equal(s.count, 3);
    gy_bdds_free(b);
}

static void test_limit(void **state)
{
    (void)state;
    gy_bdds *b = gy_bdds_new(100, 0);
    gy_bdd f = GY_BDD_FALSE;
    for (uint32_t i = 0; i < 20; i++) // worst order: exponential
        f = gy_bdd_or(b, f, gy_bdd_and(b, gy_bdd_var(b, i), gy_bdd_var(b, 20 + i)));
    assert_true(gy_bdd_exhausted(b));
    assert_true(gy_bdds_size(b) <= 100);
    gy_bdds_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_cubes_cover_the_function),
        cmocka_unit_test(test_split),      cmocka_unit_test(test_primes),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
