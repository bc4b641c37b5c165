// Searches on a device, whose kernels run on this machine: the same states, transitions and levels
// as by breadth-first search, also with a table that is full at every chance; small levels many at
// a time.
#include "search/device/beside.h"

#include "gyre/gyre.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gy_system *load(const char *text)
{
    char *problem = NULL;
    gy_system *system = gy_load_text("model.pml", text, strlen(text), NULL, &problem);
    if (!system)
        fail_msg("%s", problem);
    gy_free(problem);
    return system;
}

static gy_search_result *search(gy_system *system, gy_search_kind kind, bool hostile)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = kind;
    options.hostile = hostile;
    options.max_errors = 0;
    options.check_end_states = false;
    return gy_search(system, &options);
}

// How often states were expanded, as the note says.
static unsigned long launches(const gy_search_result *result)
{
    assert_non_null(result->device_note);
    const char *text = strstr(result->device_note, " launches");
    assert_non_null(text);
    while (text[-1] != ' ')
        text--;
    return strtoul(text, NULL, 10);
}

static void equals(const char *text)
{
    gy_system *system = load(text);
    gy_search_result *truth = search(system, GY_SEARCH_BFS, false);
    for (int hostile = 0; hostile < 2; hostile++) {
        gy_search_result *told = search(system, GY_SEARCH_DEVICE, hostile);
        assert_true(told->on_device);
        assert_int_equal(told->completeness, truth->completeness);
        assert_int_equal(told->states, truth->states);
        assert_int_equal(told->transitions, truth->transitions);
        assert_int_equal(told->errors, truth->errors);
        assert_int_equal(told->witness_count, truth->witness_count);
        if (!truth->errors) // with errors, it is in statements
            assert_int_equal(told->depth, truth->depth);
        if (truth->witness_count)
            assert_int_equal(told->witnesses[0].depth, truth->witnesses[0].depth);
        assert_memory_equal(told->reached_edges, truth->reached_edges, truth->edge_count);
        gy_search_result_free(told);
    }
    gy_search_result_free(truth);
    gy_system_free(system);
}

#define COUNTER(name, most)                                                                        \
    "byte " name "; active proctype P" name "() { do :: " name " < " most " -> " name "++"         \
    " :: " name " == " most " -> " name " = 0 od }\n"

static void counts_are_those_of_the_processors(void **unused)
{
    (void)unused;
    equals(COUNTER("a", "3") COUNTER("b", "5"));
    equals(COUNTER("a", "20") COUNTER("b", "30") COUNTER("c", "17"));
    // states in two pieces
    equals(COUNTER("a", "9") COUNTER(
        "b", "9") "int x, y, z; active proctype W() { do :: x = a * 70000 :: y = b * 90000 od }\n"
                  "active proctype V() { do :: z = a - b od }");
    // processes that come and go
    equals("byte n; proctype C(byte i) { n = n + i; n = n - i }\n"
           "init { do :: _nr_pr < 5 -> run C(1) :: _nr_pr < 4 -> run C(2) od }");
    // nothing goes but by timeout, repeatedly
    equals("byte a; active proctype P() { do :: a < 200 -> timeout -> a++ od }");
}

// With partial order and symmetry, too, however small the table is at first.
static void reduces_alike(const char *text)
{
    gy_system *system = load(text);
    gy_search_result *truth = NULL;
    for (int round = 0; round < 3; round++) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = round ? GY_SEARCH_DEVICE : GY_SEARCH_BFS;
        options.reduce = options.symmetry = true;
        options.hostile = round == 2;
        gy_search_result *told = gy_search(system, &options);
        assert_int_equal(told->completeness, GY_COMPLETE);
        if (!round) {
            truth = told;
            assert_true(truth->reduced || truth->symmetric_types);
            continue;
        }
        assert_true(told->on_device);
        assert_int_equal(told->states, truth->states);
        assert_int_equal(told->transitions, truth->transitions);
        assert_int_equal(told->depth, truth->depth);
        assert_int_equal(told->expanded_reduced, truth->expanded_reduced);
        assert_memory_equal(told->reached_edges, truth->reached_edges, truth->edge_count);
        gy_search_result_free(told);
    }
    gy_search_result_free(truth);
    gy_system_free(system);
}

static void reductions_are_those_of_the_processors(void **unused)
{
    (void)unused;
    // They go round for ever, and depend on nothing: only the proviso makes them expand.
    reduces_alike(COUNTER("a", "3") COUNTER("b", "5") COUNTER("c", "7"));
    // twins, and who waits for one of several things
    reduces_alike(
        "chan q = [2] of {byte}; byte n; active [3] proctype S() { byte k; do :: k < 3 -> "
        "q!k; k++ :: else -> k = 0 od }\n"
        "active proctype R() { do :: q?n; n = n + 1 :: n > 2 && len(q) < 2 -> n = 0 od }");
    // in two pieces
    reduces_alike("int x[3]; active [3] proctype P() { int k; do :: k < 4 -> k++; x[_pid] = k * "
                  "100000 :: else -> k = 0 od }");
}

static void errors_are_found_at_the_same_depth(void **unused)
{
    (void)unused;
    equals(COUNTER("a", "40")
               COUNTER("b", "30") "active proctype W() { (a == 40 && b == 30) -> assert(false) }");
    equals("short n; active proctype P() { do :: n < 3000 -> n++; assert(n != 2000) "
           ":: else -> break od }");
}

static void priorities_and_enabled(void **unused)
{
    (void)unused;
    equals("byte n, m; active proctype A() priority 3 { do :: n < 9 -> n++; "
           "set_priority(_pid, 1 + n % 5) :: m > 5 -> n = 0 od }\n"
           "active proctype B() priority 2 { do :: m < 9 -> m++ :: else -> m = 0 od }");
    equals("byte n; active proctype A() { do :: n < 5 -> n++ od }\n"
           "active proctype B() { do :: !enabled(0) -> n = 0 :: enabled(0) -> n = n + 0 od }");
}

static void small_levels_are_done_many_at_a_time(void **unused)
{
    (void)unused;
    gy_system *system =
        load("short n, m; active proctype P() { do :: n < 10000 -> n++ :: n == 10000 "
             "-> m = 1 - m od }\nactive proctype Q() { m = 2; m = 3 }");
    gy_search_result *truth = search(system, GY_SEARCH_BFS, false);
    gy_search_result *told = search(system, GY_SEARCH_DEVICE, false);
    assert_true(truth->depth > 20000);
    assert_int_equal(told->depth, truth->depth);
    assert_int_equal(told->states, truth->states);
    assert_int_equal(told->transitions, truth->transitions);
    // 512 levels in each; the first ones and the last one differ
    assert_in_range(launches(told), truth->depth / 512, truth->depth / 512 + 8);
    gy_search_result_free(truth);
    gy_search_result_free(told);
    gy_system_free(system);
}

// ---- next to the processors ------------------------------------------------------------------

static gy_search_result *search_beside(gy_system *system, uint64_t memory)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.device_too = true;
    options.device_seconds = 0;
    options.device_states = options.device_waiting = 0;
    options.check_end_states = false;
    options.store = GY_STORE_PLAIN;
    options.memory_limit = memory;
    return gy_search(system, &options);
}

// States with 600 words that nothing changes: a device does not keep them.
static void what_the_processors_cannot_hold_a_device_may(void **unused)
{
    (void)unused;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); // they take memory of their own, and the limit is of all of it
#endif
    gy_system *system = load(COUNTER("a", "20") COUNTER("b", "30") COUNTER(
        "c", "17") "int x[600]; active proctype W() { x[a] == 1 }");
    gy_search_result *truth = search(system, GY_SEARCH_BFS, false);
    assert_int_equal(truth->completeness, GY_COMPLETE);
    gy_search_result *told = search_beside(system, 64 << 20);
    assert_int_equal(told->completeness, GY_COMPLETE);
    assert_true(told->on_device);
    assert_int_equal(told->states, truth->states);
    assert_int_equal(told->transitions, truth->transitions);
    gy_search_result_free(truth);
    gy_search_result_free(told);
    gy_system_free(system);
}

// Whoever is first, the answer is the same.
static void either_may_be_first(void **unused)
{
    (void)unused;
    gy_system *system = load(COUNTER("a", "30") COUNTER("b", "40") COUNTER("c", "20"));
    gy_search_result *truth = search(system, GY_SEARCH_BFS, false);
    for (int i = 0; i < 3; i++) {
        gy_search_result *told = search_beside(system, 0);
        assert_int_equal(told->completeness, GY_COMPLETE);
        assert_int_equal(told->states, truth->states);
        assert_int_equal(told->transitions, truth->transitions);
        gy_search_result_free(told);
    }
    gy_search_result_free(truth);
    gy_system_free(system);
}

static void a_device_is_for_large_searches(void **unused)
{
    (void)unused;
    gy_search_options options;
    gy_search_defaults(&options);
    gy_search_progress at = {.seconds = 3, .states = 9000000, .pending = 100000};
    assert_true(gy_beside_is_large(&options, &at));
    at.pending = 300; // thin
    assert_false(gy_beside_is_large(&options, &at));
    at = (gy_search_progress){.seconds = 1, .states = 9000000, .pending = 100000};
    assert_false(gy_beside_is_large(&options, &at));
    at = (gy_search_progress){.seconds = 9, .states = 90000, .pending = 50000};
    assert_false(gy_beside_is_large(&options, &at));
}

// Two searches that end as they are told to, one on the device.
typedef struct endings {
    uint64_t max_errors;
    gy_completeness own;
    uint32_t own_errors;
    gy_completeness told;
    uint32_t told_errors;
    uint32_t errors; // of the result that is chosen
    gy_completeness chosen;
} endings;

static const endings *ends;

static gy_search_result *end_with(gy_completeness completeness, uint32_t errors)
{
    gy_search_result *result = calloc(1, sizeof *result);
    result->completeness = completeness;
    result->errors = result->witness_count = errors;
    result->witnesses = calloc(errors + 1, sizeof *result->witnesses);
    result->device_note = strdup("a device");
    return result;
}

static gy_search_result *end_as_told(gy_system *system, const gy_search_options *options)
{
    gy_search_progress large = {.seconds = 9, .states = 9000000, .pending = 100000};
    (void)system;
    if (options->search == GY_SEARCH_DEVICE)
        return end_with(ends->told, ends->told_errors);
    options->progress(options->progress_user, &large);
    return end_with(ends->own, ends->own_errors);
}

static void no_error_and_no_answer_is_lost(void **unused)
{
    (void)unused;
    static const endings list[] = {
        // one error is enough
        {1, GY_LIMIT_INTERRUPT, 0, GY_STOPPED_AT_ERROR, 1, 1, GY_STOPPED_AT_ERROR},
        {1, GY_STOPPED_AT_ERROR, 1, GY_COMPLETE, 0, 1, GY_STOPPED_AT_ERROR},
        {1, GY_LIMIT_MEMORY, 0, GY_COMPLETE, 0, 0, GY_COMPLETE},
        {1, GY_COMPLETE, 0, GY_STOPPED_AT_ERROR, 1, 1, GY_STOPPED_AT_ERROR},
        // all are asked for
        {0, GY_LIMIT_INTERRUPT, 1, GY_COMPLETE, 3, 3, GY_COMPLETE},
        {0, GY_LIMIT_TIME, 0, GY_LIMIT_MEMORY, 2, 2, GY_LIMIT_MEMORY},
        {0, GY_LIMIT_TIME, 1, GY_COMPLETE, 0, 1, GY_LIMIT_TIME},
        {0, GY_COMPLETE, 2, GY_LIMIT_MEMORY, 1, 2, GY_COMPLETE},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.max_errors = list[i].max_errors;
        ends = &list[i];
        gy_search_result *chosen = gy_search_beside(NULL, &options, end_as_told);
        assert_int_equal(chosen->witness_count, list[i].errors);
        assert_int_equal(chosen->completeness, list[i].chosen);
        gy_search_result_free(chosen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_processors),
        cmocka_unit_test(reductions_are_those_of_the_processors),
        cmocka_unit_test(errors_are_found_at_the_same_depth),
        cmocka_unit_test(priorities_and_enabled),
        cmocka_unit_test(small_levels_are_done_many_at_a_time),
        cmocka_unit_test(what_the_processors_cannot_hold_a_device_may),
        cmocka_unit_test(either_may_be_first),
        cmocka_unit_test(a_device_is_for_large_searches),
        cmocka_unit_test(no_error_and_no_answer_is_lost),
    };
    setenv("GYRE_DEVICE", "host", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
