// The engines on toy systems with known answers: counts, shortest errors, limits.
#include "search/hunt/hunt.h"
#include "search/search.h"

#include "toy.h"

#include "base/clock.h"
#include "base/memory.h"
#include "sample.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const gy_search_kind searches[] = {GY_SEARCH_BFS, GY_SEARCH_DFS, GY_SEARCH_DEEPENING,
                                          GY_SEARCH_BEST};
enum { SEARCHES = sizeof searches / sizeof *searches };

static bool is_lossy(gy_store_kind store)
{
    return store == GY_STORE_COMPACT || store == GY_STORE_BITSTATE;
}

static void counts_are_exact(void **unused)
{
    (void)unused;
    uint64_t seeds = sample_every() > 1 ? 1 : 3;
    for (unsigned s = 0; s < TOY_SHAPES; s++)
        for (uint64_t seed = 0; seed < seeds; seed++) {
            toy t = toy_shapes[s];
            t.seed = seed;
            toy_truth truth = toy_solve(&t);
            for (unsigned e = 0; e < SEARCHES; e++)
                for (gy_store_kind store = 0; store <= GY_STORE_AUTOMATON; store++) {
                    bool gives_back = store == GY_STORE_TREE || store == GY_STORE_PLAIN;
                    if (store == GY_STORE_AUTOMATON && (e > 1 || s == TOY_SHAPES - 1))
                        continue; // slow
                    if (!gives_back && searches[e] == GY_SEARCH_DEEPENING)
                        continue; // not complete without ids
                    gy_system *system = toy_system(&t);
                    gy_search_options options;
                    gy_search_defaults(&options);
                    options.search = searches[e];
                    options.store = store;
                    options.max_errors = 0;
                    options.bitstate_bytes = 4 << 20;
                    gy_search_result *result = gy_search(system, &options);
                    if (!gives_back && searches[e] == GY_SEARCH_BEST) {
                        assert_int_equal(result->completeness, GY_FAILED);
                        assert_non_null(result->failure);
                    } else {
                        assert_int_equal(result->completeness,
                                         is_lossy(store) ? GY_LOSSY : GY_COMPLETE);
                        assert_int_equal(result->states, truth.states);
                        assert_int_equal(result->transitions, truth.transitions);
                        assert_int_equal(result->errors, truth.errors);
                        assert_int_equal(result->matched, truth.transitions - truth.states);
                        // Without errors and limits: levels.
                        if (searches[e] == GY_SEARCH_BFS && !truth.errors)
                            assert_int_equal(result->depth, truth.levels);
                        else if (searches[e] == GY_SEARCH_BFS)
                            assert_int_equal(result->depth, truth.depth);
                        else if (!(searches[e] == GY_SEARCH_DFS && !truth.errors))
                            assert_true(result->depth >= truth.depth);
                    }
                    for (uint32_t i = 0; i < result->witness_count; i++) {
                        const char *why;
                        assert_true(gy_witness_check(system, &result->witnesses[i], false, &why));
                    }
                    gy_search_result_free(result);
                    gy_system_free(system);
                }
            free(truth.costs);
        }
}

static void first_error_is_a_shortest(void **unused)
{
    (void)unused;
    unsigned violated = 0;
    for (uint64_t seed = 0; seed < 150; seed++)
        for (gy_store_kind store = 0; store <= GY_STORE_AUTOMATON; store++)
            for (unsigned e = 0; e < SEARCHES; e++) {
                toy t = {.seed = seed,
                         .nodes = 600,
                         .degree = 3,
                         .reach = 6 + (uint32_t)seed % 20,
                         .weighted = seed % 2,
                         .varied = seed % 3 == 0,
                         .fault_rate = 100 + 50 * (uint32_t)(seed % 5),
                         .dead_rate = 100 + 50 * (uint32_t)(seed % 7)};
                bool gives_back = store == GY_STORE_TREE || store == GY_STORE_PLAIN;
                if ((store == GY_STORE_AUTOMATON && seed % 8) || (!gives_back && e > 1))
                    continue;
                gy_system *system = toy_system(&t);
                toy_truth truth = toy_solve(&t);
                gy_search_options options;
                gy_search_defaults(&options);
                options.search = searches[e];
                options.store = store;
                options.bitstate_bytes = 1 << 20;
                gy_search_result *result = gy_search(system, &options);
                if (truth.shortest == UINT64_MAX) {
                    assert_int_equal(result->witness_count, 0);
                } else {
                    const char *why = "";
                    violated++;
                    assert_int_equal(result->witness_count, 1);
                    assert_int_equal(result->completeness, GY_STOPPED_AT_ERROR);
                    assert_true(gy_witness_check(system, result->witnesses, false, &why));
                    uint64_t cost = toy_cost(result->witnesses);
                    if (searches[e] == GY_SEARCH_BFS || searches[e] == GY_SEARCH_DEEPENING)
                        assert_int_equal(cost, truth.shortest);
                    else
                        assert_true(cost >= truth.shortest);
                    // A witness with another ending, or a step that is not there, is refused.
                    gy_witness bad = *result->witnesses;
                    bad.error = bad.error == GY_ERROR_FAULT ? GY_ERROR_END_STATE : GY_ERROR_FAULT;
                    assert_false(gy_witness_check(system, &bad, false, &why));
                    if (bad.step_count) {
                        bad = *result->witnesses;
                        bad.steps[0].pid += 50;
                        assert_false(gy_witness_check(system, &bad, false, &why));
                    }
                }
                gy_search_result_free(result);
                gy_system_free(system);
                free(truth.costs);
            }
    assert_true(violated > 500);
}

static void depth_limit_means_the_same_everywhere(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < TOY_SHAPES; s++)
        for (uint64_t limit = 1; limit < 400; limit = limit * 2 + 1) {
            toy t = toy_shapes[s];
            t.seed = 11;
            gy_system *system = toy_system(&t);
            toy_truth truth = toy_solve(&t);
            uint64_t within = 0;
            for (uint32_t i = 0; i < t.nodes; i++)
                within += truth.costs[i] <= limit;
            for (unsigned e = 0; e < 3; e++) {
                gy_search_options options;
                gy_search_defaults(&options);
                options.search = searches[e];
                options.depth_limit = limit;
                options.threads = 1 + limit % 4;
                options.max_errors = 0;
                gy_search_result *result = gy_search(system, &options);
                assert_int_equal(result->states, within);
                if (within < truth.states)
                    assert_int_equal(result->completeness, GY_LIMIT_DEPTH);
                assert_true(result->depth <= limit);
                gy_search_result_free(result);
            }
            free(truth.costs);
            gy_system_free(system);
        }
}

static void all_errors_are_distinct(void **unused)
{
    (void)unused;
    toy t = {
        .seed = 1, .nodes = 5000, .degree = 4, .reach = 30, .fault_rate = 30, .dead_rate = 200};
    gy_system *system = toy_system(&t);
    for (unsigned e = 0; e < 2; e++) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = searches[e];
        options.max_errors = 0;
        options.check_end_states = false;
        gy_search_result *all = gy_search(system, &options);
        assert_true(all->witness_count > 10 && all->witness_count <= 64);
        assert_true(all->errors > all->witness_count);
        for (uint32_t i = 1; i < all->witness_count; i++)
            assert_true(all->witnesses[i - 1].step_count <= all->witnesses[i].step_count);
        options.max_errors = 5;
        gy_search_result *five = gy_search(system, &options);
        assert_int_equal(five->witness_count, 5);
        assert_int_equal(five->completeness, GY_STOPPED_AT_ERROR);
        options.max_errors = 0;
        options.check_assertions = false;
        gy_search_result *fewer = gy_search(system, &options);
        assert_true(fewer->witness_count < all->witness_count);
        assert_int_equal(fewer->states, all->states);
        options.check_faults = false;
        gy_search_result *none = gy_search(system, &options);
        assert_int_equal(none->errors, 0);
        assert_int_equal(none->completeness, GY_COMPLETE);
        gy_search_result_free(all);
        gy_search_result_free(five);
        gy_search_result_free(fewer);
        gy_search_result_free(none);
    }
    gy_system_free(system);
}

static void no_states_at_all(void **unused)
{
    (void)unused;
    toy t = {.nodes = 0, .reach = 1};
    gy_system *system = toy_system(&t);
    for (gy_search_kind search = 0; search <= GY_SEARCH_BEST; search++) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = search;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->states, 0);
        assert_int_equal(result->errors, 0);
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

// ---- limits -----------------------------------------------------------------------------

static const toy large = {.nodes = 1u << 30, .degree = 4, .reach = 100000, .padding = 12};

typedef struct watch {
    uint64_t most, calls;
} watch;

static void see(void *user, const gy_search_progress *progress)
{
    watch *w = user;
    (void)progress;
    w->calls++;
}

static void memory_limit_holds(void **unused)
{
    enum { ROOM = 8 << 20, MORE = 2 << 20 };
    (void)unused;
    for (unsigned e = 0; e < SEARCHES; e++)
        for (gy_store_kind store = 0; store <= GY_STORE_AUTOMATON; store++) {
            bool gives_back = store == GY_STORE_TREE || store == GY_STORE_PLAIN;
            if (store == GY_STORE_AUTOMATON || (!gives_back && e > 1))
                continue;
            toy t = large;
            gy_system *system = toy_system(&t);
            gy_search_options options;
            gy_search_defaults(&options);
            uint64_t before = gy_memory_resident();
            options.search = searches[e];
            options.store = store;
            options.memory_limit = before + ROOM;
            options.depth_limit = e == 2 ? 100000 : 0;
            options.time_limit = store == GY_STORE_BITSTATE ? 0.3 : 2; // that one takes any number
            gy_search_result *result = gy_search(system, &options);
            uint64_t after = gy_memory_resident();
            if (store == GY_STORE_BITSTATE && result->completeness == GY_LOSSY) {
                assert_true(result->fill > 0.9);
            } else if (result->completeness != GY_LIMIT_TIME) {
                assert_int_equal(result->completeness, GY_LIMIT_MEMORY);
                assert_true(result->states > 10000);
            }
            assert_true(result->memory <= ROOM);
            assert_true(after < before + ROOM + MORE);
            gy_search_result_free(result);
            gy_system_free(system);
        }
}

static void state_limit_holds(void **unused)
{
    (void)unused;
    for (unsigned e = 0; e < SEARCHES; e++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            toy t = large;
            gy_system *system = toy_system(&t);
            gy_search_options options;
            gy_search_defaults(&options);
            options.search = searches[e];
            options.threads = threads;
            options.depth_limit = searches[e] == GY_SEARCH_DEEPENING ? 100000 : 0;
            options.state_limit = 20000;
            options.time_limit = 20;
            gy_search_result *result = gy_search(system, &options);
            assert_int_equal(result->completeness, GY_LIMIT_STATES);
            // Of what deepening has stored, some lies beyond its bound.
            assert_true(result->states > 20000 || searches[e] == GY_SEARCH_DEEPENING);
            if (threads == 1) // one looks by count; of two, one may look while the other goes on
                assert_true(result->states < 2 * options.state_limit);
            gy_search_result_free(result);
            gy_system_free(system);
        }
}

static void time_limit_and_interrupt(void **unused)
{
    (void)unused;
    static atomic_int now = 1;
    toy t = large;
    gy_system *system = toy_system(&t);
    for (gy_search_kind search = 0; search <= GY_SEARCH_BEST; search++) {
        watch w = {0};
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = search;
        options.time_limit = search == GY_SEARCH_BFS ? 1.2 : 0.1;
        options.progress = see;
        options.progress_user = &w;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->completeness, GY_LIMIT_TIME);
        assert_true(search != GY_SEARCH_BFS || w.calls > 0); // once a second
        gy_search_result_free(result);
        options.time_limit = 0;
        options.interrupt = &now;
        result = gy_search(system, &options);
        assert_int_equal(result->completeness, GY_LIMIT_INTERRUPT);
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

// ---- random walks and heuristics ----------------------------------------------------------

static void walks_depend_on_the_seed_alone(void **unused)
{
    (void)unused;
    toy t = {.seed = 4, .nodes = 100000, .degree = 3, .reach = 500, .weighted = true};
    gy_system *system = toy_system(&t);
    uint64_t states[3];
    for (unsigned i = 0; i < 3; i++) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = GY_SEARCH_RANDOM;
        options.seed = i / 2;
        options.walks = 20;
        options.walk_length = 300;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->completeness, GY_LOSSY);
        assert_int_equal(result->transitions, 20 * 301);
        states[i] = result->states;
        gy_search_result_free(result);
    }
    assert_int_equal(states[0], states[1]);
    assert_int_not_equal(states[0], states[2]);
    gy_system_free(system);
}

static void walks_find_errors(void **unused)
{
    (void)unused;
    toy t = {.seed = 9, .nodes = 10000, .degree = 3, .reach = 50, .dead_rate = 300};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    const char *why;
    gy_search_defaults(&options);
    options.search = GY_SEARCH_RANDOM;
    gy_search_result *result = gy_search(system, &options);
    assert_int_equal(result->witness_count, 1);
    assert_int_equal(result->witnesses[0].error, GY_ERROR_END_STATE);
    assert_true(gy_witness_check(system, result->witnesses, false, &why));
    gy_search_result_free(result);
    gy_system_free(system);
}

static int64_t far_ahead(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)self;
    (void)notebook;
    return -(int64_t)at->state[0];
}

static void a_heuristic_leads(void **unused)
{
    (void)unused;
    // Errors are far ahead; going there directly needs few states.
    toy t = {.seed = 2, .nodes = 40000, .degree = 4, .reach = 60, .fault_rate = 5000};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    gy_search_defaults(&options);
    gy_search_result *blind = gy_search(system, &options);
    options.search = GY_SEARCH_BEST;
    gy_heuristic guide = {.name = "far ahead", .value = far_ahead};
    const gy_heuristic *guides[] = {&guide};
    gy_hunt_options hunt = {.guides = guides, .guide_count = 1};
    options.hunt = &hunt;
    gy_search_result *led = gy_search(system, &options);
    assert_int_equal(led->witness_count, 1);
    assert_true(led->states < blind->states || blind->states < 3000);
    gy_search_result_free(blind);
    gy_search_result_free(led);
    gy_system_free(system);
}

static void bitstate_coverage_is_near_the_truth(void **unused)
{
    (void)unused;
    toy t = {.seed = 6, .nodes = 100000, .degree = 5, .reach = 3000};
    gy_system *system = toy_system(&t);
    toy_truth truth = toy_solve(&t);
    for (uint64_t bytes = 256 << 10; bytes >= 32 << 10; bytes /= 2) {
        gy_search_options options;
        gy_search_defaults(&options);
        options.store = GY_STORE_BITSTATE;
        options.bitstate_bytes = bytes;
        gy_search_result *result = gy_search(system, &options);
        double seen = (double)result->states / (double)truth.states;
        assert_int_equal(result->completeness, GY_LOSSY);
        assert_true(result->coverage > seen - 0.1 && result->coverage < seen + 0.1);
        gy_search_result_free(result);
    }
    free(truth.costs);
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(first_error_is_a_shortest),
        cmocka_unit_test(depth_limit_means_the_same_everywhere),
        cmocka_unit_test(all_errors_are_distinct),
        cmocka_unit_test(no_states_at_all),
        cmocka_unit_test(memory_limit_holds),
        cmocka_unit_test(state_limit_holds),
        cmocka_unit_test(time_limit_and_interrupt),
        cmocka_unit_test(walks_depend_on_the_seed_alone),
        cmocka_unit_test(walks_find_errors),
        cmocka_unit_test(a_heuristic_leads),
        cmocka_unit_test(bitstate_coverage_is_near_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
