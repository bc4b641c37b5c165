// Liveness over many ranks, as threads of one process: verdicts are those of one process, which are
// compared with Spin elsewhere, and every lasso is run again. For any number of ranks and threads,
// every fairness, both ways to look for cycles, and with names of nodes so short that what is
// noticed early is mostly nothing.
//
// With names of files: these models instead (tests/diff/mpi_live.py makes random ones).
#include "sample.h"

#include "dist/mpi/in_process.h"
#include "dist/mpi/rank_product.h"

#include "exec/observe/observe.h"
#include "load/load.h"
#include "load/property.h"
#include "model/model.h"

#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RANKS = 8, CLAIM = -1, ACCEPTANCE = -2, PROGRESS = -3 };

typedef struct rank_run {
    gy_system *system;
    gy_observer *observer;
    gy_fairness fairness;
    gy_search_options options;
    gy_product_result *result;
    pthread_t thread;
} rank_run;

// How many ranks, and what is different for them; 0: by n.
typedef struct crew {
    unsigned ranks;
    const char *checkpoint, *resume;
    uint64_t limit;
} crew;

typedef struct tally {
    unsigned compared, violated, fair;
} tally;

// Each rank has its own, as processes would.
static gy_observer *observe(const gy_model *model, int which)
{
    gy_text problem = {0};
    gy_vacuity vacuity;
    gy_observer *observer = NULL;
    if (which >= 0)
        observer = gy_observe_ltl(model, model->ltls[which].formula, false, 0, &vacuity, &problem);
    for (uint32_t t = 0; which == CLAIM && t < model->template_count && !observer; t++)
        if (model->templates[t].kind == GY_TMPL_NEVER)
            observer = gy_observe_claim(model, (int32_t)t, &problem);
    if (which == ACCEPTANCE && gy_model_has_flag(model, GY_NODE_ACCEPT))
        observer = gy_observe_acceptance(model);
    if (which == PROGRESS && gy_model_has_flag(model, GY_NODE_PROGRESS))
        observer = gy_observe_progress(model);
    gy_text_free(&problem);
    return observer;
}

static void *run_rank(void *user)
{
    rank_run *r = user;
    r->result = gy_ranks_product_search(r->system, r->observer, r->fairness, &r->options);
    return NULL;
}

// What rank 0 says, with the observer that it means; the others say the same.
static rank_run search_together(gy_system *system, int which, gy_fairness fairness, unsigned n,
                                gy_search_options options, const crew *given)
{
    rank_run runs[MOST_RANKS];
    unsigned ranks = given ? given->ranks : 1u << n % 4;
    if (given) {
        options.checkpoint_file = given->checkpoint;
        options.resume_file = given->resume;
        options.state_limit = given->limit;
        options.checkpoint_seconds = 1e-9; // after every level, nearly
    }
    gy_in_process *all = gy_in_process_new(ranks, n);
    options.threads = 1 + n / 4 % 2;
    options.hostile = n / 2 % 3 == 1;
    options.cycles = n / 4 % 3 == 1 ? GY_CYCLES_MAP : GY_CYCLES_AUTO;
    for (unsigned i = 0; i < ranks; i++) {
        runs[i] = (rank_run){system, observe(system->model, which), fairness, options, NULL, 0};
        runs[i].options.transport = gy_in_process_rank(all, i);
    }
    for (unsigned i = 0; i < ranks; i++)
        assert_int_equal(pthread_create(&runs[i].thread, NULL, run_rank, &runs[i]), 0);
    for (unsigned i = 0; i < ranks; i++)
        pthread_join(runs[i].thread, NULL);
    gy_in_process_free(all);
    for (unsigned i = 1; i < ranks; i++) {
        const gy_search_result *first = runs[0].result->figures, *other = runs[i].result->figures;
        assert_int_equal(other->completeness, first->completeness);
        assert_int_equal(other->states, first->states);
        assert_int_equal(runs[i].result->lasso == NULL, runs[0].result->lasso == NULL);
        gy_product_result_free(runs[i].result);
        gy_observer_free(runs[i].observer);
    }
    return runs[0];
}

static void compare(const char *name, gy_system *system, int which, gy_fairness fairness,
                    unsigned n, tally *t)
{
    enum {
        MOST_STATES = 20000,
        MOST_FOR_ALL = 100000
    }; // where one process has found a cycle early
    gy_search_options options;
    gy_search_defaults(&options);
    options.state_limit = MOST_STATES;
    options.cycles = GY_CYCLES_COMPONENTS; // all states are seen if there is no cycle
    gy_observer *observer = observe(system->model, which);
    if (!observer || gy_ranks_cant(observer)) {
        if (observer)
            gy_observer_free(observer);
        return;
    }
    gy_product_result *alone = gy_product_search(system, observer, fairness, &options);
    bool violated = alone->lasso != NULL, whole = alone->figures->completeness == GY_COMPLETE;
    options.state_limit = MOST_FOR_ALL;
    if (violated || whole) {
        const char *why = "";
        rank_run r = search_together(system, which, fairness, n, options, NULL);
        bool limited = r.result->figures->completeness == GY_LIMIT_STATES;
        bool same =
            violated == (r.result->lasso != NULL) &&
            r.result->figures->completeness == (violated ? GY_STOPPED_AT_ERROR : GY_COMPLETE) &&
            (violated || r.result->figures->states == alone->figures->states);
        if (!same && !limited)
            fail_msg("%s, property %d, fairness %d, %u: %s (%d %s), %llu states, not %s, %llu",
                     name, which, fairness, n, r.result->lasso ? "violated" : "holds",
                     r.result->figures->completeness,
                     r.result->figures->failure ? r.result->figures->failure : "",
                     (unsigned long long)r.result->figures->states, violated ? "violated" : "holds",
                     (unsigned long long)alone->figures->states);
        if (r.result->lasso && !gy_lasso_check(system, r.observer, fairness, r.result->lasso, &why))
            fail_msg("%s, property %d, fairness %d, %u: %s", name, which, fairness, n, why);
        t->compared += !limited;
        t->violated += violated && !limited;
        t->fair += fairness == GY_FAIRNESS_STRONG || fairness == GY_FAIRNESS_ACTIONS;
        gy_product_result_free(r.result);
        gy_observer_free(r.observer);
    }
    gy_product_result_free(alone);
    gy_observer_free(observer);
}

static void compare_model(const char *path, unsigned n, unsigned every, tally *t)
{
    gy_load_options no_c = {.no_c = true};
    gy_system *system = gy_load(path, &no_c, NULL);
    if (!system)
        return;
    for (int which = PROGRESS; which < (int)system->model->ltl_count; which++)
        for (unsigned k = 0; k < 4; k++, n++)
            if (n % every == 0)
                compare(path, system, which, (gy_fairness)k, n / every, t);
    gy_system_free(system);
}

static void verdicts_are_those_of_one_process(void **unused)
{
    (void)unused;
    glob_t found;
    tally t = {0};
    unsigned every = sample_every();
    assert_int_equal(glob("tests/models/liveness/*.pml", 0, NULL, &found), 0);
    for (unsigned i = 0; i < found.gl_pathc; i += every)
        compare_model(found.gl_pathv[i], i / every * 16, 2, &t);
    globfree(&found);
    assert_true(t.compared > 150 / every);
    assert_true(t.violated > 40 / every && t.compared - t.violated > 40 / every);
    assert_true(t.fair > 50 / every);
}

static void check_lasso(gy_system *system, const rank_run *r, gy_fairness fairness)
{
    const char *why = "";
    if (r->result->lasso && !gy_lasso_check(system, r->observer, fairness, r->result->lasso, &why))
        fail_msg("fairness %d: %s", fairness, why);
}

// A search that ended early, while nodes were found, or was written at the end, goes on over
// another number of ranks.
static void go_on(gy_system *system, int which, gy_fairness fairness, unsigned n,
                  const char *folder, tally *t)
{
    gy_search_options options;
    gy_search_defaults(&options);
    gy_observer *observer = observe(system->model, which);
    bool can = observer && !gy_ranks_cant(observer);
    if (observer)
        gy_observer_free(observer);
    if (!can)
        return;
    crew c = {.ranks = 1 + n % 3, .limit = 100000};
    rank_run whole = search_together(system, which, fairness, n, options, &c);
    const gy_search_result *all = whole.result->figures;
    // A checkpoint of every level reads the files of all levels before: without sanitizers, that
    // may be hundreds.
    bool shallow = all->depth < 200 || sample_every() == 1;
    if (shallow && all->states > 20 && (all->completeness == GY_COMPLETE || whole.result->lasso)) {
        uint64_t half = 1 + all->states / 2;
        c = (crew){.ranks = 1 + n % 4, .checkpoint = folder, .limit = n % 3 ? half : 0};
        rank_run first = search_together(system, which, fairness, n, options, &c);
        bool ended = first.result->figures->completeness == GY_LIMIT_STATES;
        assert_null(first.result->figures->checkpoint_problem);
        bool written = first.result->figures->checkpoints > 0; // small ones are done before
        c = (crew){.ranks = 1 + (n + 1 + n / 4) % 4, .resume = written ? folder : NULL};
        rank_run rest = search_together(system, which, fairness, n, options, &c);
        if ((rest.result->lasso == NULL) != (whole.result->lasso == NULL))
            fail_msg("property %d, fairness %d, %u, went on: %s (%d %s), not %s", which, fairness,
                     n, rest.result->lasso ? "violated" : "holds",
                     rest.result->figures->completeness,
                     rest.result->figures->failure ? rest.result->figures->failure : "",
                     whole.result->lasso ? "violated" : "holds");
        check_lasso(system, &rest, fairness);
        if (!whole.result->lasso) {
            assert_int_equal(rest.result->figures->states, all->states);
            assert_int_equal(rest.result->figures->transitions, all->transitions);
            assert_int_equal(rest.result->figures->depth, all->depth);
        }
        t->compared += written;
        t->fair += ended;
        t->violated += whole.result->lasso != NULL;
        gy_product_result_free(first.result);
        gy_observer_free(first.observer);
        gy_product_result_free(rest.result);
        gy_observer_free(rest.observer);
    }
    gy_product_result_free(whole.result);
    gy_observer_free(whole.observer);
}

static void remove_folder(const char *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void model_goes_on(const char *path, unsigned n, const char *folder, tally *t)
{
    gy_load_options no_c = {.no_c = true};
    gy_system *system = gy_load(path, &no_c, NULL);
    for (int which = PROGRESS; system && which < (int)system->model->ltl_count; which++)
        go_on(system, which, (gy_fairness)(n % 4), n, folder, t);
    if (system)
        gy_system_free(system);
}

static void searches_go_on(void **unused)
{
    (void)unused;
    glob_t found;
    tally t = {0};
    unsigned every = sample_every();
    char folder[] = "/tmp/test_rank_cycles_XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(glob("tests/models/liveness/*.pml", 0, NULL, &found), 0);
    for (unsigned k = 0, i = every / 2; i < found.gl_pathc; i += every, k++)
        model_goes_on(found.gl_pathv[i], k, folder, &t);
    globfree(&found);
    remove_folder(folder);
    print_message("%u went on, %u of them after a limit\n", t.compared, t.fair);
    assert_true(t.compared > (every > 1 ? 0 : 10)); // a sample shifts with every new model
}

// A search of one rank is written at its end; all others go on from there, and find a cycle as
// well.
static void go_on_from_the_end(const char *text, int which, gy_fairness fairness)
{
    char folder[] = "/tmp/test_rank_cycles_XXXXXX", *problem = NULL;
    gy_search_options options;
    gy_load_options load = {0};
    assert_non_null(mkdtemp(folder));
    gy_search_defaults(&options);
    gy_system *system = gy_load_text("t.pml", text, strlen(text), &load, &problem);
    assert_non_null(system);
    for (unsigned n = 0; n <= MOST_RANKS; n++) { // the first writes
        crew c = {.ranks = n ? n : 1, .checkpoint = n ? NULL : folder, .resume = n ? folder : NULL};
        rank_run r = search_together(system, which, fairness, n, options, &c);
        assert_true(n || r.result->figures->checkpoints);
        assert_null(r.result->figures->failure);
        assert_non_null(r.result->lasso);
        check_lasso(system, &r, fairness);
        gy_product_result_free(r.result);
        gy_observer_free(r.observer);
    }
    free(problem);
    gy_system_free(system);
    remove_folder(folder);
}

// Processes that move only where nothing looks again before cycles are looked for: who they are has
// to be known nevertheless.
static void who_is_fair_is_known(void **unused)
{
    (void)unused;
    static const char text[] =
        "bit a[5]; byte flag, n;"
        "active [5] proctype A() { do :: flag == 0 -> a[_pid] = 1 - a[_pid] :: flag -> break od }"
        "active proctype T() { a[0] && a[1] && a[2] && a[3] && a[4] -> flag = 1;"
        "  do :: n < 60 -> n++ :: else -> break od }"
        "ltl p { <> flag }"; // T can move from time to time, but need not
    go_on_from_the_end(text, 0, GY_FAIRNESS_WEAK);
    go_on_from_the_end(text, 0, GY_FAIRNESS_STRONG);
}

// The states of a claim with variables get numbers as they turn up: the first is the initial one,
// whichever a rank reads first.
static void claims_begin_where_they_did(void **unused)
{
    (void)unused;
    static const char text[] =
        "byte x; active proctype P() { do :: x < 50 -> x++ :: x > 0 -> x-- od }"
        "never { byte k; x < 60; do :: x < 40 -> k = (k + 1) % 7 :: x == 40 -> break od;"
        "  accept: do :: k < 7 -> k = (k + 1) % 7 od }";
    go_on_from_the_end(text, CLAIM, GY_FAIRNESS_WEAK);
    // What is read from a file need not be a state.
    char *problem = NULL;
    gy_load_options load = {0};
    gy_system *system = gy_load_text("t.pml", text, strlen(text), &load, &problem);
    gy_observer *observer = observe(system->model, CLAIM);
    gy_word nothing[16];
    memset(nothing, 0xff, sizeof nothing);
    assert_in_range(observer->content_words, 1, 16);
    assert_int_equal(observer->number(observer->self, nothing), UINT32_MAX);
    gy_observer_free(observer);
    gy_system_free(system);
    free(problem);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_one_process), cmocka_unit_test(searches_go_on),
        cmocka_unit_test(who_is_fair_is_known), cmocka_unit_test(claims_begin_where_they_did)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    tally t = {0}, on = {0};
    char folder[] = "/tmp/test_rank_cycles_XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int i = 1; i < argc; i++) {
        for (unsigned ranks = 0; ranks < 4; ranks++)
            compare_model(argv[i], (unsigned)i * 64 + ranks, 1, &t);
        for (unsigned n = 0; n < 4; n++)
            model_goes_on(argv[i], (unsigned)i * 7 + n, folder, &on);
    }
    remove_folder(folder);
    printf("%u compared, %u violated, %u went on\n", t.compared, t.violated, on.compared);
    return 0;
}
