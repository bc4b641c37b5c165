// Maps, numberings and bit sets next to the plainest thing that does the same: an array that is
// searched from end to end. With good hashes, with bad ones, and with one for all keys.
#include "base/map.h"

#include "base/bits.h"
#include "base/numbering.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef uint64_t hash_function(uint64_t key);

static uint64_t plain(uint64_t key)
{
    return key;
}

static uint64_t constant(uint64_t key)
{
    (void)key;
    return 0;
}

static uint64_t few(uint64_t key)
{
    return key % 7;
}

static uint64_t upper_bits(uint64_t key)
{
    return key << 57;
}

enum { KEYS = 300 };

typedef struct model { // what a map of the keys below KEYS should hold
    uint32_t number[KEYS];
    bool there[KEYS];
} model;

static uint32_t find(const gy_map *map, const uint64_t *keys, uint64_t key, hash_function *hash)
{
    for (gy_map_probe p = gy_map_first(map, hash(key)); p.found; gy_map_next(map, &p))
        if (keys[p.number] == key)
            return p.number;
    return UINT32_MAX;
}

static void compare(const gy_map *map, const model *m, const uint64_t *keys, hash_function *hash)
{
    uint32_t count = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        assert_int_equal(find(map, keys, key, hash), m->there[key] ? m->number[key] : UINT32_MAX);
        count += m->there[key];
    }
    assert_int_equal(map->n, count);
}

static void try_map(hash_function *hash, uint64_t seed)
{
    enum { STEPS = 3000 };
    gy_random random;
    gy_map map = {0};
    model m = {0};
    static uint64_t keys[STEPS]; // by number
    uint32_t numbers = 0;
    gy_random_seed(&random, seed);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)gy_random_below(&random, KEYS);
        uint64_t mostly = step / 600 % 2 ? 3 : 7; // it grows and shrinks
        if (gy_random_below(&random, 1000) == 0) {
            gy_map_clear(&map);
            memset(&m, 0, sizeof m);
        } else if (gy_random_below(&random, 10) < mostly) {
            if (!m.there[key]) {
                keys[numbers] = key;
                gy_map_add(&map, hash(key), numbers);
                m.there[key] = true;
                m.number[key] = numbers++;
            }
        } else {
            uint32_t number = m.there[key] ? m.number[key] : numbers; // nothing has that yet
            assert_int_equal(gy_map_remove(&map, hash(key), number), m.there[key]);
            m.there[key] = false;
        }
        if (step % 50 == 0)
            compare(&map, &m, keys, hash);
    }
    compare(&map, &m, keys, hash);
    gy_map_free(&map);
    assert_int_equal(find(&map, keys, 0, hash), UINT32_MAX);
    assert_false(gy_map_remove(&map, hash(0), 0));
}

static void maps_do_as_they_should(void **unused)
{
    (void)unused;
    hash_function *const hashes[] = {plain, gy_hash_number, constant, few, upper_bits};
    for (uint64_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        for (uint64_t seed = 0; seed < 4; seed++)
            try_map(hashes[i], seed * 16 + i);
}

// Two numbers under one hash are two entries, and so is one number twice.
static void nothing_is_merged(void **unused)
{
    (void)unused;
    gy_map map = {0};
    uint32_t seen = 0;
    gy_map_add(&map, 5, 1);
    gy_map_add(&map, 5, 2);
    gy_map_add(&map, 5, 2);
    for (gy_map_probe p = gy_map_first(&map, 5); p.found; gy_map_next(&map, &p))
        seen += p.number == 1 ? 1 : p.number == 2 ? 10 : 100;
    assert_int_equal(seen, 21);
    assert_true(gy_map_remove(&map, 5, 2));
    assert_true(gy_map_remove(&map, 5, 2));
    assert_false(gy_map_remove(&map, 5, 2));
    assert_true(gy_map_remove(&map, 5, 1));
    assert_int_equal(map.n, 0);
    gy_map_free(&map);
}

static void numbers_are_dense_and_stay(void **unused)
{
    (void)unused;
    enum { MANY = 20000 };
    gy_numbering numbering = {0};
    assert_int_equal(gy_number_find(&numbering, 0), UINT32_MAX);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            uint64_t key = i % 2 ? (uint64_t)i << 40 : UINT64_MAX - i;
            assert_int_equal(gy_number_find(&numbering, key), round ? i : UINT32_MAX);
            assert_int_equal(gy_number(&numbering, key), i);
            assert_true(numbering.keys.at[i] == key);
        }
    assert_int_equal(numbering.keys.n, MANY);
    gy_numbering_free(&numbering);
    assert_int_equal(gy_number(&numbering, 7), 0); // and can be used again
    gy_numbering_free(&numbering);
}

enum { BITS = 200, WORDS = BITS / 64 + 1 };

static void compare_bits(const uint64_t *set, const bool *there)
{
    for (uint32_t i = 0; i < BITS; i++)
        assert_int_equal(gy_bits_has(set, i), there[i]);
}

static void bits_do_as_they_should(void **unused)
{
    (void)unused;
    gy_random random;
    gy_random_seed(&random, 3);
    assert_int_equal(gy_bits_words(BITS), WORDS);
    assert_true(gy_bits_words(0) >= 1 && gy_bits_words(64) * 64 >= 64);
    for (int round = 0; round < 200; round++) {
        uint64_t a[WORDS] = {0}, b[WORDS] = {0};
        bool in_a[BITS] = {0}, in_b[BITS] = {0}, more = false;
        for (uint64_t n = gy_random_below(&random, 30); n; n--) {
            uint32_t i = (uint32_t)gy_random_below(&random, BITS);
            gy_bits_add(a, i);
            in_a[i] = true;
            i = (uint32_t)gy_random_below(&random, BITS);
            gy_bits_add(b, i);
            in_b[i] = true;
            i = (uint32_t)gy_random_below(&random, BITS);
            gy_bits_drop(b, i);
            in_b[i] = false;
        }
        compare_bits(a, in_a);
        compare_bits(b, in_b);
        for (uint32_t i = 0; i < BITS; i++) {
            more = more || (!in_a[i] && in_b[i]);
            in_a[i] = in_a[i] || in_b[i];
        }
        assert_int_equal(gy_bits_join(a, b, WORDS), more);
        compare_bits(a, in_a);
        assert_false(gy_bits_join(a, b, WORDS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_do_as_they_should),
        cmocka_unit_test(nothing_is_merged),
        cmocka_unit_test(numbers_are_dense_and_stay),
        cmocka_unit_test(bits_do_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
