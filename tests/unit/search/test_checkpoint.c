// Checkpoints: a search that is killed repeatedly, at random moments, ends with the same
// figures as one that was left alone; files that are not what they seem are refused.
#include "search/search.h"

#include "toy.h"

#include "base/random.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct figures {
    uint64_t states, transitions, depth, errors, steps;
    gy_completeness completeness;
    uint32_t witnesses;
} figures;

static figures figures_of(const gy_search_result *result)
{
    figures f = {.states = result->states,
                 .transitions = result->transitions,
                 .depth = result->depth,
                 .errors = result->errors,
                 .completeness = result->completeness,
                 .witnesses = result->witness_count};
    // Executed statements, a rendezvous being two: what makes a witness a shortest one.
    for (uint32_t i = 0; i < result->witness_count; i++)
        for (uint64_t k = 0; k < result->witnesses[i].step_count; k++)
            f.steps += 1 + (result->witnesses[i].steps[k].partner >= 0);
    return f;
}

static void same_figures(figures a, figures b)
{
    assert_int_equal(a.states, b.states);
    assert_int_equal(a.transitions, b.transitions);
    assert_int_equal(a.depth, b.depth);
    assert_int_equal(a.errors, b.errors);
    assert_int_equal(a.steps, b.steps);
    assert_int_equal(a.completeness, b.completeness);
    assert_int_equal(a.witnesses, b.witnesses);
}

// Runs the search in a child and kills it after a while. True: it came to its end before.
static bool run_and_kill(gy_system *system, const gy_search_options *options, unsigned milliseconds,
                         figures *f)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        gy_search_result *result = gy_search(system, options);
        figures mine = figures_of(result);
        if (result->failure)
            fprintf(stderr, "%s\n", result->failure);
        _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
    }
    close(ends[1]);
    usleep(milliseconds * 1000);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    bool ended = read(ends[0], f, sizeof *f) == sizeof *f;
    close(ends[0]);
    return ended;
}

static void survives_kill(toy t, gy_search_kind search, gy_store_kind store, unsigned kills)
{
    bool small = t.nodes < 10000; // then everything is made to grow, spill and re-encode
    char path[] = "/tmp/gyre-test-checkpoint-XXXXXX";
    gy_system *system = toy_system(&t);
    gy_search_options options;
    gy_random random;
    figures f = {0};
    struct stat facts;
    gy_search_defaults(&options);
    options.search = search;
    options.store = store;
    options.max_errors = 0;
    options.bitstate_bytes = 1 << 20;
    options.hostile = small;
    options.threads = 1 + t.weighted; // the figures do not depend on it
    gy_search_result *whole = gy_search(system, &options);
    unsigned span = (unsigned)(whole->seconds * 1000) + 20;
    close(mkstemp(path));
    unlink(path);
    options.checkpoint_file = path;
    options.checkpoint_seconds = 0.002;
    gy_random_seed(&random, search * 10 + store);
    bool ended = false;
    unsigned killed = 0;
    while (!ended) {
        unsigned wait = killed < kills ? (unsigned)gy_random_below(&random, span) : 100000;
        if (killed >= kills) {
            gy_search_result *result = gy_search(system, &options);
            f = figures_of(result);
            ended = true;
            gy_search_result_free(result);
        } else {
            ended = run_and_kill(system, &options, wait, &f);
        }
        killed++;
        if (!ended && !stat(path, &facts))
            options.resume_file = path;
    }
    same_figures(figures_of(whole), f);
    gy_search_result_free(whole);
    unlink(path);
    char leftover[sizeof path + 4];
    snprintf(leftover, sizeof leftover, "%s.tmp", path);
    unlink(leftover);
    gy_system_free(system);
}

static void killed_at_random_moments(void **unused)
{
    (void)unused;
    toy t = {.seed = 5,
             .nodes = 15000,
             .degree = 4,
             .reach = 500,
             .padding = 6,
             .busy = 500,
             .fault_rate = 900,
             .dead_rate = 3000};
    toy weighted = {.seed = 6,
                    .nodes = 15000,
                    .degree = 4,
                    .reach = 500,
                    .padding = 6,
                    .busy = 500,
                    .fault_rate = 900,
                    .dead_rate = 3000,
                    .weighted = true,
                    .varied = true};
    for (gy_store_kind store = 0; store <= GY_STORE_BITSTATE; store++) {
        unsigned kills = store == GY_STORE_TREE ? 10 : 4;
        survives_kill(t, GY_SEARCH_BFS, store, kills);
        survives_kill(weighted, GY_SEARCH_BFS, store, kills);
        survives_kill(t, GY_SEARCH_DFS, store, kills);
        survives_kill(weighted, GY_SEARCH_DFS, store, kills);
    }
    t.nodes = weighted.nodes = 3000;
    t.busy = 0;
    for (gy_store_kind store = 0; store <= GY_STORE_AUTOMATON; store++) {
        survives_kill(t, GY_SEARCH_BFS, store, 4);
        survives_kill(weighted, GY_SEARCH_BFS, store, 4);
        survives_kill(t, GY_SEARCH_DFS, store, 4);
    }
}

static atomic_int stop_now;

static void stop_soon(void *user, const gy_search_progress *progress)
{
    (void)user;
    (void)progress;
    stop_now = 1;
}

static void interrupt_writes_a_last_one(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gyre-test-checkpoint-XXXXXX";
    toy t = {.seed = 5, .nodes = 100000, .degree = 4, .reach = 500, .busy = 60000};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    close(mkstemp(path));
    gy_search_defaults(&options);
    options.max_errors = 0;
    options.checkpoint_file = path;
    options.interrupt = &stop_now;
    for (unsigned search = GY_SEARCH_BFS; search <= GY_SEARCH_DFS; search++) {
        options.search = search;
        options.resume_file = NULL;
        options.progress = stop_soon;
        stop_now = 0;
        t.busy = 60000;
        gy_search_result *first = gy_search(system, &options);
        assert_int_equal(first->completeness, GY_LIMIT_INTERRUPT);
        assert_int_equal(first->checkpoints, 1);
        stop_now = 0;
        t.busy = 0;
        options.resume_file = path;
        options.progress = NULL; // however slow the machine is, it goes on to the end
        gy_search_result *second = gy_search(system, &options);
        toy_truth truth = toy_solve(&t);
        assert_int_equal(second->completeness, GY_COMPLETE);
        assert_int_equal(second->states, truth.states);
        assert_int_equal(second->transitions, truth.transitions);
        assert_true(second->seconds >= first->seconds * 0.5);
        free(truth.costs);
        gy_search_result_free(first);
        gy_search_result_free(second);
    }
    gy_system_free(system);
    unlink(path);
}

// ---- files that cannot be used ---------------------------------------------------------------

static void refused(gy_system *system, gy_search_options options, const char *path)
{
    options.resume_file = path;
    gy_search_result *result = gy_search(system, &options);
    assert_int_equal(result->completeness, GY_FAILED);
    assert_non_null(result->failure);
    assert_non_null(strstr(result->failure, path));
    gy_search_result_free(result);
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void bad_files_are_refused(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gyre-test-checkpoint-XXXXXX", other[] = "/tmp/gyre-test-checkpoint-XXXXXX";
    toy t = {.seed = 5, .nodes = 3000, .degree = 4, .reach = 500, .padding = 3};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    gy_random random;
    close(mkstemp(path));
    close(mkstemp(other));
    gy_search_defaults(&options);
    options.max_errors = 0;
    options.checkpoint_file = path;
    options.checkpoint_seconds = 1e-9;
    gy_search_result *result = gy_search(system, &options);
    assert_true(result->checkpoints > 0);
    assert_null(result->checkpoint_problem);
    gy_search_result_free(result);
    options.checkpoint_file = NULL;

    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    size_t n = (size_t)ftell(file);
    char *bytes = gy_alloc(n);
    rewind(file);
    assert_int_equal(fread(bytes, 1, n, file), n);
    fclose(file);

    gy_random_seed(&random, 8);
    for (unsigned i = 0; i < 40; i++) { // cut short
        write_bytes(other, bytes, i < 30 ? i : gy_random_below(&random, n));
        refused(system, options, other);
    }
    for (unsigned i = 0; i < 60; i++) { // one bit differs
        uint64_t at = i < 20 ? i : gy_random_below(&random, n);
        bytes[at] ^= (char)(1 << gy_random_below(&random, 8));
        write_bytes(other, bytes, n);
        refused(system, options, other);
        fseek(file = fopen(path, "rb"), (long)at, SEEK_SET);
        bytes[at] = (char)fgetc(file);
        fclose(file);
    }
    refused(system, options, "/no/such/file");
    refused(system, options, "/tmp");
    gy_search_options changed = options;
    changed.store = GY_STORE_PLAIN;
    refused(system, changed, path);
    changed = options;
    changed.search = GY_SEARCH_DFS;
    refused(system, changed, path);
    changed = options;
    changed.check_end_states = false;
    refused(system, changed, path);
    changed = options;
    changed.memory_limit = 1;
    changed.resume_file = path;
    result = gy_search(system, &changed);
    assert_true(result->completeness == GY_FAILED || result->completeness == GY_LIMIT_MEMORY);
    gy_search_result_free(result);
    toy another = t;
    another.padding = 4;
    gy_system *foreign = toy_system(&another);
    refused(foreign, options, path);
    gy_system_free(foreign);

    // Engines that cannot be resumed say so.
    changed = options;
    changed.search = GY_SEARCH_RANDOM;
    changed.checkpoint_file = other;
    result = gy_search(system, &changed);
    assert_int_equal(result->completeness, GY_FAILED);
    gy_search_result_free(result);

    // A checkpoint that cannot be written is no reason to stop.
    changed = options;
    changed.checkpoint_file = "/no/such/folder/file";
    changed.checkpoint_seconds = 1e-9;
    result = gy_search(system, &changed);
    assert_int_equal(result->completeness, GY_COMPLETE);
    assert_non_null(result->checkpoint_problem);
    gy_search_result_free(result);

    free(bytes);
    unlink(path);
    unlink(other);
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_at_random_moments),
        cmocka_unit_test(interrupt_writes_a_last_one),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
