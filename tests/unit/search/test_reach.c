// Reachability by many threads: the same counts whatever their number, whatever the order, with
// tables that grow at every chance, a hundred times over; those of Spin for models that run as
// native code; and the paths to errors in these.
#include "search/findings.h"
#include "search/search.h"

#include "toy.h"

#include "base/memory.h"
#include "exec/native/native.h"
#include "load/load.h"
#include "sample.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const toy graphs[] = {
    {.nodes = 1, .degree = 0, .reach = 1},
    {.nodes = 1, .degree = 2, .reach = 1, .empty_states = true},
    {.nodes = 4000, .degree = 3, .reach = 40},
    {.nodes = 4000, .degree = 4, .reach = 900, .varied = true, .padding = 5},
    {.nodes = 3000, .degree = 3, .reach = 200, .weighted = true, .padding = 90},
    {.nodes = 60, .degree = 3, .reach = 5, .padding = 4000},
    {.nodes = 6000, .degree = 6, .reach = 5000, .padding = 7},
    // Some states are short enough for a flat shape, some are not: both are under way at once.
    {.nodes = 4000, .degree = 4, .reach = 900, .varied = true, .padding = 63},
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
#ifdef __SANITIZE_THREAD__
    static const unsigned threads[] = {3, 8}; // slow, and one alone has no races
#else
    static const unsigned threads[] = {1, 2, 3, 8};
#endif
    uint64_t seeds = sample_every() > 1 ? 1 : 2;
    for (unsigned g = 0; g < GRAPHS; g++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
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

// Errors are found whatever the number of threads, and a shortest one is reported, by all of them.
// Weights: transitions of several statements wait until they are due.
static void errors_are_found(void **unused)
{
    (void)unused;
    unsigned violated = 0, step = sample_step();
    for (uint64_t seed = 0; seed < 60; seed += step) {
        toy t = {.seed = seed, .nodes = 3000, .degree = 3, .reach = 900, .fault_rate = 3000};
        t.weighted = seed % 3 == 0;
        t.reach = seed % 4 ? 900 : 9; // few successors: a long way
        gy_store_kind store = seed % 5 ? GY_STORE_TREE : GY_STORE_PLAIN;
        toy_truth truth = toy_solve(&t);
        gy_system *system = toy_system(&t);
        for (unsigned threads = 1; threads < 5; threads++) {
            gy_search_result *result = search(system, store, GY_SEARCH_BFS, threads, seed % 2);
            bool wrong = truth.shortest != UINT64_MAX;
            assert_int_equal(result->witness_count, wrong);
            if (wrong) {
                const char *why;
                uint64_t cost = result->witnesses[0].step_count;
                for (uint64_t i = 0; i < result->witnesses[0].step_count; i++)
                    cost += result->witnesses[0].steps[i].partner >= 0;
                assert_int_equal(cost, truth.shortest);
                assert_true(result->witnesses[0].shortest);
                assert_int_equal(result->threads, threads);
                assert_true(gy_witness_check(system, &result->witnesses[0], false, &why));
            }
            violated += wrong;
            gy_search_result_free(result);
        }
        gy_system_free(system);
        free(truth.costs);
    }
    assert_in_range(violated, 20 / step, 220 / step); // some of each
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

// ---- models -----------------------------------------------------------------------------

// The counts are Spin's: spin -a -o1 -o2 -o3, cc -DSAFETY -DNOREDUCE -DVECTORSZ=8192, pan -E.
typedef struct truth {
    const char *text;
    uint64_t states, transitions;
} truth;

// tests/models/basics/grid_walk.pml; either process may die, One only before Two.
static const truth grid = {"byte x1, y1, x2 = 9, y2 = 9;\n"
                           "active proctype One() { do\n"
                           ":: x1 < 9 && !(x1 + 1 == x2 && y1 == y2) -> x1++\n"
                           ":: y1 < 9 && !(x1 == x2 && y1 + 1 == y2) -> y1++\n"
                           ":: x1 == 9 && y1 == 9 -> break\n"
                           ":: x1 > 0 && y1 == 9 && !(x1 - 1 == x2 && y1 == y2) -> x1-- od }\n"
                           "active proctype Two() { do\n"
                           ":: x2 > 0 && !(x2 - 1 == x1 && y1 == y2) -> x2--\n"
                           ":: y2 > 0 && !(x1 == x2 && y2 - 1 == y1) -> y2--\n"
                           ":: x2 == 0 && y2 == 0 -> break od }\n",
                           81572, 210360};

// Processes start and die all the time: states of three lengths, all of them flat.
static const truth runs = {
    "byte n; proctype W(byte k) { byte x; do :: x < k -> x++ "
    ":: x > 1 -> n = (n + 1) % 3; break od }\n"
    "init { do :: _nr_pr < 3 -> run W(2 + n) :: n == 2 && _nr_pr == 1 -> n = 0 od }\n",
    1492, 2817};

// Some so large that the states with them are not flat, and those without them are; those with two
// have too many nodes to be put aside. All are under way at once, and the tables of any may grow
// meanwhile.
static const truth births = {
    "byte g, h; proctype W() { int b[70]; b[69] = g * 8 + h; h = 0 }\n"
    "active proctype P() { do :: g < 3 -> g++ :: h < 2 -> h++ :: g > 0 -> g-- "
    ":: _nr_pr < 3 -> run W() od }\n",
    22866, 64339};

// Too many words for a flat shape; a few inner nodes: successors are put aside and named together.
static const truth medium = {
    "int a[100]; byte s; active [2] proctype P() { byte k; do\n"
    ":: k < 2 -> a[k * 17 + _pid * 50] = (a[k * 17 + _pid * 50] + 1) % 2; k++\n"
    ":: k > 0 -> s = (s + k) % 3; k-- od }\n",
    5808, 12673};

// Many inner nodes.
static const truth big = {
    "int a[600]; byte s; active [2] proctype P() { byte k; do\n"
    ":: k < 2 -> a[k * 97 + _pid * 311] = (a[k * 97 + _pid * 311] + 1) % 2; k++\n"
    ":: k > 0 -> s = (s + k) % 3; k-- od }\n",
    5808, 12673};

static char cache[] = "/tmp/gyre-test-reach-XXXXXX";

static void empty_cache(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    if (system(command))
        fprintf(stderr, "cannot remove %s\n", cache);
}

static gy_system *native_system(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    bool quick = access("/usr/bin/tcc", X_OK) == 0;
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = cache, .compiler = quick ? "tcc" : NULL};
    char *problem = NULL;
    gy_system *system = gy_system_native(model, true, NULL, &options, &problem);
    if (!system)
        fail_msg("%s", problem);
    return system;
}

static void check_model(const truth *t, unsigned times)
{
    static const unsigned threads[] = {1, 2, 3, 7};
#ifdef __SANITIZE_THREAD__
    enum { FIRST = 8, STEP = 5 }; // slow: some kinds, with more than one thread
    times = 1;
#else
    enum { FIRST = 0, STEP = 1 };
#endif
    gy_system *system = native_system(t->text);
    for (unsigned i = 0; i < times; i++)
        for (unsigned kind = FIRST; kind < 32; kind += STEP) {
            gy_search_result *result =
                search(system, kind & 1 ? GY_STORE_PLAIN : GY_STORE_TREE,
                       kind & 2 ? GY_SEARCH_DFS : GY_SEARCH_BFS, threads[kind / 8], kind & 4);
            assert_int_equal(result->completeness, GY_COMPLETE);
            assert_int_equal(result->states, t->states);
            assert_int_equal(result->transitions, t->transitions);
            gy_search_result_free(result);
        }
    gy_native_status status; // what was to be tested is native code
    assert_true(gy_native_look(system, &status));
    assert_true(status.native > status.machine);
    gy_system_free(system);
}

static void models_with_short_states(void **unused)
{
    (void)unused;
#ifndef __SANITIZE_THREAD__ // slow
    check_model(&grid, 1);
#else
    (void)grid;
#endif
    check_model(&runs, 20);
}

static void models_with_short_and_long_states(void **unused)
{
    (void)unused;
    check_model(&births, 2);
}

static void models_with_long_states(void **unused)
{
    (void)unused;
    check_model(&medium, 2);
    check_model(&big, 1);
}

// Compiled code hands all successors of a state over at once: those that cost 1 are taken at once,
// more expensive ones when they are due. Three steps of A in one cost 4 statements, one costs 2;
// each of Q costs 3, a rendezvous being two: 10 * 4 + 20 * 3, and 2 of W.
static const char *const dear =
    "byte a, b; chan c = [0] of { bit };\n"
    "active proctype A() { do :: atomic { a < 28 -> a++; a++; a++ } :: a < 30 -> a++ od }\n"
    "active proctype P() { do :: c!1 od }\n"
    "active proctype Q() { do :: atomic { c?_ -> b = (b < 20 -> b + 1 : 20) } od }\n"
    "active proctype W() { (a == 30 && b == 20) -> assert(false) }\n";
enum { DEAR_COST = 10 * 4 + 20 * 3 + 2 };

static void dear_transitions_wait(void **unused)
{
    (void)unused;
    static const gy_store_kind stores[] = {GY_STORE_TREE, GY_STORE_PLAIN, GY_STORE_COMPACT};
    gy_system *system = native_system(dear);
    for (unsigned kind = 0; kind < 18; kind++) {
        gy_search_result *result =
            search(system, stores[kind % 3], GY_SEARCH_BFS, 1 + kind / 6, kind / 3 % 2);
        const char *why;
        assert_int_equal(result->witness_count, 1);
        assert_int_equal(gy_witness_cost(&result->witnesses[0]), DEAR_COST);
        assert_true(result->witnesses[0].shortest == (kind % 3 < 2));
        assert_true(gy_witness_check(system, &result->witnesses[0], false, &why));
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

// With a reduction, and any way will do: what it keeps of the successors of many states is entered
// together, and each knows by which transition it was found.
static void reduced_ways_can_be_walked(void **unused)
{
    (void)unused;
    gy_system *system =
        native_system("byte g[3]; proctype P(byte i) { byte x, y;\n"
                      "do :: g[i] < 9 -> x = 1; y = x; x = 0; y = 0; g[i]++ od }\n"
                      "active proctype W() { (g[0] + g[1] + g[2] == 27) -> assert(false) }\n"
                      "init { atomic { run P(0); run P(1); run P(2) } }\n");
    for (unsigned kind = 0; kind < 6; kind++) {
        gy_search_options options;
        const char *why;
        gy_search_defaults(&options);
        options.reduce = options.any_way = true;
        options.check_end_states = false;
        options.threads = 1 + kind / 2;
        options.hostile = kind % 2;
        gy_search_result *result = gy_search(system, &options);
        assert_true(result->reduced && result->expanded_reduced > 0);
        assert_int_equal(result->witness_count, 1);
        assert_true(gy_witness_check(system, &result->witnesses[0], false, &why));
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
        cmocka_unit_test(models_with_short_states),
        cmocka_unit_test(models_with_short_and_long_states),
        cmocka_unit_test(models_with_long_states),
        cmocka_unit_test(dear_transitions_wait),
        cmocka_unit_test(reduced_ways_can_be_walked),
    };
    if (!mkdtemp(cache))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_cache();
    return failed;
}
