// A new engine is a file and a row: this one expands the states that it found last first. It is not
// in engines.def but given with the options; nothing else knows of it.
#include "search/run.h"
#include "search/safety/parents.h"

#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct newest {
    gy_run *run;
    gy_parents origins;
    GY_VEC(uint64_t) open;
    uint64_t parent;
    uint32_t ordinal;
} newest;

static int visit(void *user, const gy_transition *transition)
{
    newest *n = user;
    uint64_t id, cost = gy_run_note(n->run, transition);
    if (transition->fault)
        gy_run_note_fault(n->run, transition->fault, n->ordinal, cost);
    n->run->result->transitions += transition->state != NULL;
    if (transition->state &&
        gy_numbered_enter(n->run->store, transition->state, transition->words, &id) ==
            GY_STORE_NEW &&
        gy_parents_add(&n->origins, n->parent, n->ordinal))
        gy_vec_push(&n->open, id);
    n->ordinal++;
    return 0;
}

static void report(newest *n, int64_t ordinal, gy_fault_kind kind)
{
    gy_route path = {0};
    gy_parents_path(&n->origins, n->parent, ordinal, &path);
    gy_run_report(n->run, &path, kind, false);
    gy_vec_free(&path);
}

static void search(gy_run *run)
{
    newest n = {.run = run, .parent = GY_ORIGINS_START};
    gy_parents_init(&n.origins, &run->budget);
    gy_initial(run->worker, visit, &n);
    while (n.open.n && !gy_run_tick(run)) {
        uint32_t words;
        n.parent = n.open.at[--n.open.n];
        n.ordinal = 0;
        const gy_word *state = gy_numbered_state(run->store, n.parent, &words);
        gy_successors(run->worker, state, words, visit, &n);
        if (n.ordinal == 0 && gy_run_bad_end(run, state, words))
            report(&n, -1, GY_FAULT_NONE);
        for (size_t i = 0; i < run->faults.n; i++)
            if (gy_run_fault_is_new(run, &run->faults.at[i]))
                report(&n, run->faults.at[i].ordinal, run->faults.at[i].kind);
        run->faults.n = 0;
    }
    gy_parents_free(&n.origins);
    gy_vec_free(&n.open);
}

static const gy_engine newest_first = {
    .name = "newest", .title = "newest first", .search = search, .complete = true};

static void finds_what_others_find(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        toy t = {.nodes = 2000, .degree = 4, .reach = 30, .dead_rate = 40, .fault_rate = 50};
        t.seed = seed;
        gy_system *system = toy_system(&t);
        gy_search_options options;
        gy_search_defaults(&options);
        options.max_errors = 0;
        gy_search_result *others = gy_search(system, &options);
        options.engine = &newest_first;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->completeness, GY_COMPLETE);
        assert_int_equal(result->states, others->states);
        assert_int_equal(result->transitions, others->transitions);
        assert_int_equal(result->errors, others->errors);
        for (uint32_t i = 0; i < result->witness_count; i++)
            assert_true(gy_witness_check(system, &result->witnesses[i], false, NULL));
        gy_search_result_free(result);
        gy_search_result_free(others);
        gy_system_free(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_others_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
