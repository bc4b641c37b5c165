// Reachability by many threads: the same counts whatever their number, whatever the order, with
// tables that grow at every chance, a hundred times over.
#include "search/search.h"

#include "toy.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const toy graphs[] = {
    {.nodes = 1, .degree = 0, .reach = 1},
    {.nodes = 1, .degree = 2, .reach = 1, .empty_states = true},
    {.nodes = 4000, .degree = 3, .reach = 40},
    {.nodes = 4000, .degree = 4, .reach = 900, .varied = true, .padding = 5},
    {.nodes = 3000, .degree = 3, .reach = 200, .weighted = true, .padding = 90},
    {.nodes = 60, .degree = 3, .reach = 5, .padding = 4000},
    {.nodes = 6000, .degree = 6, .reach = 5000, .padding = 7},
};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

static gy_search_result *search(gy_system *system, gy_store_kind store, gy_search_kind kind,
                                unsigned threads, bool hostile)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.store = store;
    options.search = kind;
    options.threads = threads;
    options.hostile = hostile;
    options.check_end_states = false; // toys end where they like
    return gy_search(system, &options);
}

static void check_counts(toy *t, const toy_truth *truth, unsigned threads, bool hostile)
{
    gy_system *system = toy_system(t);
    for (gy_store_kind store = GY_STORE_TREE; store <= GY_STORE_PLAIN; store++)
        for (gy_search_kind kind = GY_SEARCH_BFS; kind <= GY_SEARCH_DFS; kind++) {
            gy_search_result *result = search(system, store, kind, threads, hostile);
            assert_int_equal(result->completeness, GY_COMPLETE);
            assert_int_equal(result->states, truth->states);
            assert_int_equal(result->transitions, truth->transitions);
            assert_int_equal(result->threads, threads);
            if (kind == GY_SEARCH_BFS)
                assert_int_equal(result->depth, truth->levels);
            gy_search_result_free(result);
        }
    gy_system_free(system);
}

static void counts_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    static const unsigned threads[] = {1, 2, 3, 8};
    for (unsigned g = 0; g < GRAPHS; g++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            toy t = graphs[g];
            t.seed = seed;
            toy_truth truth = toy_solve(&t);
            for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++)
                for (unsigned hostile = 0; hostile < 2; hostile++)
                    check_counts(&t, &truth, threads[i], hostile);
            free(truth.costs);
        }
}

static void a_hundred_times_with_more_threads_than_cores(void **unused)
{
    (void)unused;
#ifdef __SANITIZE_THREAD__
    enum { TIMES = 5 }; // slow
#else
    enum { TIMES = 100 };
#endif
    toy t = {.nodes = 5000, .degree = 4, .reach = 4000, .padding = 3};
    toy_truth truth = toy_solve(&t);
    for (unsigned i = 0; i < TIMES; i++)
        check_counts(&t, &truth, 7 + i % 3, i % 2);
    free(truth.costs);
}

// Errors are found whatever the number of threads, and a shortest one is reported.
static void errors_are_found(void **unused)
{
    (void)unused;
    unsigned violated = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        toy t = {.seed = seed, .nodes = 3000, .degree = 3, .reach = 900, .fault_rate = 3000};
        toy_truth truth = toy_solve(&t);
        gy_system *system = toy_system(&t);
        for (unsigned threads = 1; threads < 5; threads++) {
            gy_search_result *result =
                search(system, GY_STORE_TREE, GY_SEARCH_BFS, threads, seed % 2);
            bool wrong = truth.shortest != UINT64_MAX;
            assert_int_equal(result->witness_count, wrong);
            if (wrong) {
                const char *why;
                assert_int_equal(result->witnesses[0].step_count, truth.shortest);
                assert_true(gy_witness_check(system, &result->witnesses[0], false, &why));
            }
            violated += wrong;
            gy_search_result_free(result);
        }
        gy_system_free(system);
        free(truth.costs);
    }
    assert_in_range(violated, 20, 220); // some of each
}

static void a_small_budget_is_an_answer(void **unused)
{
    (void)unused;
    toy t = {.nodes = 400000, .degree = 3, .reach = 300000, .padding = 30};
    gy_system *system = toy_system(&t);
    for (gy_store_kind store = GY_STORE_TREE; store <= GY_STORE_PLAIN; store++)
        for (unsigned threads = 1; threads < 4; threads++) {
            gy_search_options options;
            gy_search_defaults(&options);
            options.store = store;
            options.threads = threads;
            options.check_end_states = false;
            options.memory_limit = gy_memory_resident() + (6 << 20);
            gy_search_result *result = gy_search(system, &options);
            assert_int_equal(result->completeness, GY_LIMIT_MEMORY);
            assert_true(result->memory <= 6 << 20);
            gy_search_result_free(result);
        }
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_do_not_depend_on_threads),
        cmocka_unit_test(a_hundred_times_with_more_threads_than_cores),
        cmocka_unit_test(errors_are_found),
        cmocka_unit_test(a_small_budget_is_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
