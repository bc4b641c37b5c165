// Checkpoints of products: a search that is ended, wherever that is, and goes on, comes to the same
// verdict and the same figures as one that was left alone, in every kind of product, with fairness
// and without; files that are not what they seem are refused, and never touch what is not theirs.
#include "search/liveness/product.h"

#include "toy_observer.h"

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/random.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static toy graph = {.seed = 7, .nodes = 1500, .degree = 3, .reach = 60, .dead_rate = 90};
static char path[] = "/tmp/gyre-test-product-XXXXXX";

typedef struct way {
    unsigned kind;
    gy_fairness fairness;
    uint32_t rare;
    gy_store_kind store;
} way;

static gy_product_result *search(gy_system *system, way w, gy_search_options *options,
                                 atomic_int *interrupt, uint64_t after)
{
    toy_observer o = {
        .t = &graph, .kind = w.kind, .rare = w.rare, .interrupt = interrupt, .after = after};
    gy_observer observer = toy_observe(&o);
    options->cycles = GY_CYCLES_COMPONENTS;
    options->store = w.store;
    options->interrupt = interrupt;
    gy_product_result *result = gy_product_search(system, &observer, w.fairness, options);
    gy_vec_free(&o.numbers);
    return result;
}

static void same(const gy_product_result *a, const gy_product_result *b)
{
    assert_int_equal(a->figures->states, b->figures->states);
    assert_int_equal(a->figures->transitions, b->figures->transitions);
    assert_int_equal(a->figures->depth, b->figures->depth);
    assert_int_equal(a->figures->completeness, b->figures->completeness);
    assert_int_equal(a->lasso != NULL, b->lasso != NULL);
    if (a->lasso)
        assert_int_equal(a->lasso->cost, b->lasso->cost);
}

// Ended after so many nodes, repeatedly, until it comes to its end. Returns how often.
static unsigned in_pieces(gy_system *system, way w, uint64_t piece, const gy_product_result *whole)
{
    gy_search_options options;
    unsigned ended = 0;
    gy_search_defaults(&options);
    options.any_store = false;
    options.checkpoint_file = path;
    for (;; ended++) {
        atomic_int interrupt = 0;
        gy_product_result *result = search(system, w, &options, &interrupt, piece);
        if (result->figures->completeness != GY_LIMIT_INTERRUPT) {
            same(whole, result);
            gy_product_result_free(result);
            return ended;
        }
        // Ended when there was a cycle already, and only the path to it was looked for: then it
        // goes on from where it was before.
        bool written = result->figures->checkpoints == 1;
        assert_true(written || result->figures->error_met);
        gy_product_result_free(result);
        piece += !written * 2000;
        if (written)
            options.resume_file = path;
    }
}

static void comes_to_the_same(void **unused)
{
    (void)unused;
    static const gy_fairness all[] = {GY_FAIRNESS_NONE, GY_FAIRNESS_WEAK, GY_FAIRNESS_STRONG};
    gy_system *system = toy_system(&graph);
    unsigned ended = 0, empty = 0, violated = 0;
    for (unsigned n = 0; n < TOY_OBSERVERS * 3 * 2; n++) {
        way w = {.kind = n % TOY_OBSERVERS,
                 .fairness = all[n / TOY_OBSERVERS % 3],
                 .rare = n / TOY_OBSERVERS / 3 ? UINT32_MAX : 40,
                 .store = n % 2 ? GY_STORE_PLAIN : GY_STORE_TREE};
        gy_search_options options;
        gy_search_defaults(&options);
        options.any_store = false;
        gy_product_result *whole = search(system, w, &options, NULL, 0);
        empty += whole->figures->completeness == GY_COMPLETE;
        violated += whole->lasso != NULL;
        ended += in_pieces(system, w, w.kind == TOY_FEW ? 700 : 4000, whole);
        gy_product_result_free(whole);
    }
    assert_true(ended > 40 && empty > 3 && violated > 3);
    gy_system_free(system);
}

// With contents that were changed, but a checksum that is right.
static void survives_damage(void **unused)
{
    (void)unused;
    gy_system *system = toy_system(&graph);
    gy_random random;
    gy_random_seed(&random, 3);
    unsigned refused = 0;
    for (unsigned kind = 0; kind < TOY_OBSERVERS; kind++) {
        way w = {kind, kind == TOY_MANY ? GY_FAIRNESS_STRONG : GY_FAIRNESS_NONE, UINT32_MAX,
                 GY_STORE_PLAIN};
        gy_search_options options;
        atomic_int interrupt = 0;
        gy_file file;
        gy_search_defaults(&options);
        options.any_store = false;
        options.checkpoint_file = path;
        gy_product_result_free(search(system, w, &options, &interrupt, 300));
        assert_true(gy_file_read(path, NULL, &file));
        options.checkpoint_file = NULL;
        options.resume_file = path;
        options.state_limit = 20000;
        options.memory_limit = (uint64_t)1 << 30;
        for (unsigned n = 0; n < 150; n++) {
            size_t bytes = file.bytes - 16; // between the magic number and the checksum
            char *changed = memcpy(gy_alloc(bytes), file.text + 8, bytes);
            // Most of it is states: what comes after them matters more.
            size_t at = n % 2 ? gy_random_below(&random, bytes)
                              : bytes - 1 - gy_random_below(&random, bytes / 6);
            changed[at] = n % 3 ? (char)(changed[at] + 1) : (char)gy_random_below(&random, 256);
            gy_writer *writer = gy_writer_open(path);
            gy_write(writer, changed, n % 7 ? bytes : at);
            assert_true(gy_writer_commit(writer));
            free(changed);
            gy_product_result *result = search(system, w, &options, NULL, 0);
            refused += result->figures->completeness == GY_FAILED;
            gy_product_result_free(result);
        }
        gy_file_free(&file);
    }
    assert_true(refused > 100);
    gy_system_free(system);
}

static void belongs_to_its_search(void **unused)
{
    (void)unused;
    gy_system *system = toy_system(&graph);
    way w = {TOY_FEW, GY_FAIRNESS_NONE, UINT32_MAX, GY_STORE_PLAIN};
    gy_search_options options;
    atomic_int interrupt = 0;
    gy_search_defaults(&options);
    options.any_store = false;
    options.checkpoint_file = path;
    gy_product_result_free(search(system, w, &options, &interrupt, 300));
    options.checkpoint_file = NULL;
    options.resume_file = path;
    w.kind = TOY_MANY;
    gy_product_result *result = search(system, w, &options, NULL, 0);
    assert_int_equal(result->figures->completeness, GY_FAILED);
    gy_product_result_free(result);
    w.kind = TOY_FEW;
    options.variant = 1;
    result = search(system, w, &options, NULL, 0);
    assert_int_equal(result->figures->completeness, GY_FAILED);
    gy_product_result_free(result);
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_the_same),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(belongs_to_its_search),
    };
    close(mkstemp(path));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
