// Embedded C: state and transition counts as Spin has them (`spin -a -o1 -o2 -o3`, pan with
// -DNOREDUCE -DSAFETY -E -c0; Spin also counts the initial state as a transition), on the machine
// alone and with native code around it.
#include "exec/native/native.h"
#include "load/load.h"

#include "successor_lists.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct counts {
    uint64_t states, transitions, faults;
    char message[200];
} counts;

static int note(void *user, const gy_transition *transition)
{
    counts *c = user;
    c->transitions++;
    if (transition->fault) {
        c->faults++;
        snprintf(c->message, sizeof c->message, "%s", transition->fault->message);
    }
    return 0;
}

static counts explore_all(gy_system *system)
{
    counts c = {0};
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    GY_VEC(gy_word) state = {0};
    gy_initial(worker, add_visit, &set);
    for (size_t i = 0; i < set.states.n; i++) {
        uint32_t words = set.states.at[i].words;
        gy_vec_reserve(&state, words);
        memcpy(state.at, set.words.at + set.states.at[i].at, words * sizeof(gy_word));
        gy_successors(worker, state.at, words, note, &c);
        gy_successors(worker, state.at, words, add_visit, &set);
    }
    c.states = set.states.n;
    gy_vec_free(&state);
    free_set(&set);
    gy_worker_free(worker);
    return c;
}

static gy_system *open_file(const char *path, gy_native_mode mode, char **problem)
{
    gy_diags *diags;
    gy_model *model = gy_load_model(path, NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    gy_native_options options = {.mode = mode};
    gy_system *system = gy_system_native(model, true, NULL, &options, problem);
    if (!system)
        gy_model_free(model);
    return system;
}

static void counts_are_spins(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        uint64_t states, transitions, faults;
    } known[] = {
        {"tests/embedded/tracked.pml", 128, 316, 0},
        {"tests/embedded/c_state.pml", 469, 941, 0},
        {"tests/embedded/in_guard.pml", 47, 77, 0},
        {"tests/embedded/precondition.pml", 10, 12, 1},
        {"tests/embedded/fields.pml", 23, 22, 0},
        {"tests/embedded/starts.pml", 22, 33, 0},
        {"tests/embedded/unmatched.pml", 134, 257, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int mode = GY_NATIVE_WAIT; mode <= GY_NATIVE_OFF; mode++) {
            char *problem = NULL;
            gy_system *system = open_file(known[i].path, (gy_native_mode)mode, &problem);
            if (!system)
                fail_msg("%s: %s", known[i].path, problem);
            counts c = explore_all(system);
            gy_system_free(system);
            if (c.states != known[i].states || c.transitions != known[i].transitions ||
                c.faults != known[i].faults)
                fail_msg("%s, mode %d: %llu states, %llu transitions, %llu faults (%s)",
                         known[i].path, mode, (unsigned long long)c.states,
                         (unsigned long long)c.transitions, (unsigned long long)c.faults,
                         c.message);
        }
}

static gy_system *open_text(const char *text, char **problem)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    gy_native_options options = {.mode = GY_NATIVE_OFF};
    gy_system *system = gy_system_native(model, true, NULL, &options, problem);
    if (!system)
        gy_model_free(model);
    return system;
}

static void faults(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"byte x; active proctype P() { c_code { assert(now.x == 1); } }", "now.x == 1"},
        {"byte x; active proctype P() { c_code { uerror(\"never here\"); } }", "never here"},
        {"byte x; active proctype P() { c_expr [now.x > 0] { 1 } }",
         "precondition false: now.x > 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gy_system *system = open_text(wrong[i].text, NULL);
        counts c = explore_all(system);
        assert_int_equal(c.faults, 1);
        assert_non_null(strstr(c.message, wrong[i].message));
        gy_system_free(system);
    }
}

// C that crashes is a fault of the model: once for each state in which it does, and the rest of
// the search goes on as if nothing had happened.
static void crashes(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
        uint64_t states; // by hand: those before the statement that crashes
    } wrong[] = {
        {"byte x = 1, y; active proctype P() { x = 0; c_code { now.y = 10 / now.x; } }",
         "division by zero", 2},
        {"byte x = 1, y; active proctype P() { x = 0; c_expr { 10 % now.x } }", "division by zero",
         2},
        {"c_decl { int *where; }; active proctype P() { c_code { *where = 1; } }", "null pointer",
         1},
        {"c_decl { long *where; }; active proctype P() { c_code { where = (long *)0x1000000000; } ;"
         " c_code { where[5] = 1; } }",
         "bad pointer", 2},
        {"c_decl { int f(int n) { volatile char b[999]; b[n % 999] = 1; return f(n + 1) + b[7]; } }"
         "; active proctype P() { c_code { f(1); } }",
         "stack overflow", 1},
        {"byte x; active proctype P() { x = 3; c_code { exit(now.x); } }", "exit(3) called", 2},
        {"active proctype P() { c_code { abort(); } }", "abort() called", 1},
        {"c_decl {\n\\#include <assert.h>\nstatic void f(int a) { assert(a > 3); } }; "
         "active proctype P() { c_code { f(2); } }",
         "assertion failed: a > 3", 1},
        {"chan q; active proctype P() { c_code { q_len(now.q); } }", "uninitialised channel", 1},
        {"c_track \"(char *)16\" \"8\"; active proctype P() { c_code { ; } }", "c_track", 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *problem = NULL;
        gy_system *system = open_text(wrong[i].text, &problem);
        if (!wrong[i].states) { // it cannot even start
            assert_null(system);
            assert_non_null(strstr(problem, wrong[i].message));
            free(problem);
            continue;
        }
        assert_non_null(system);
        counts c = explore_all(system);
        if (c.faults != 1 || !strstr(c.message, wrong[i].message) || c.states != wrong[i].states)
            fail_msg("%s: %llu faults, %llu states: %s", wrong[i].text,
                     (unsigned long long)c.faults, (unsigned long long)c.states, c.message);
        assert_non_null(strstr(c.message, "test.pml:"));
        gy_system_free(system);
    }
}

// Each of several threads meets the fault, at the same time.
static void *explore_faults(void *system)
{
    return (void *)(uintptr_t)explore_all(system).faults;
}

static void crashes_in_threads(void **unused)
{
    (void)unused;
    gy_system *system = open_text("byte x, y; active proctype P() { do :: x < 200 -> x++ "
                                  ":: x > 0 -> c_code { now.y = 10 / (now.x % 10); } od }",
                                  NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, explore_faults, system), 0);
    for (int i = 0; i < 4; i++) {
        void *faults;
        pthread_join(threads[i], &faults);
        assert_true((uintptr_t)faults > 20);
    }
    gy_system_free(system);
}

// A fault of the program itself is not caught: it ends it as if there were no embedded C.
static void own_faults(void **unused)
{
    (void)unused;
    for (int while_loaded = 0; while_loaded < 2; while_loaded++) {
        pid_t child = fork();
        if (child == 0) {
            struct rlimit none = {0, 0};
            setrlimit(RLIMIT_CORE, &none);
            signal(SIGSEGV, SIG_DFL);
            gy_system *system = open_text("byte x; active proctype P() { x = 1; "
                                          "c_code { now.x = 2; } }",
                                          NULL);
            explore_all(system);
            if (!while_loaded)
                gy_system_free(system);
            volatile int *volatile nowhere = (volatile int *)64; // not NULL: a sanitizer would
            *nowhere = 1;                                        // say so before it happens
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
#ifdef __SANITIZE_ADDRESS__ // its own handler tells of the fault and ends the program
        assert_true(WIFEXITED(status) ? WEXITSTATUS(status) != 0 : WTERMSIG(status) == SIGSEGV);
#else
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
#endif
    }
}

// Spin's own functions for channels, against Promela's.
static void channel_functions(void **unused)
{
    (void)unused;
    gy_system *system = open_text(
        "chan q = [3] of { byte, int }; chan r = [0] of { bit }; byte n, z; bool f, e; "
        "active proctype P() { byte k; do :: nfull(q) -> q!1,2 :: nempty(q) -> q?_,_ "
        ":: c_code { now.n = q_len(now.q); now.f = q_full(now.q); now.e = q_empty(now.q); "
        "            now.z = q_zero(now.q) * 4 + q_zero(now.r) * 2 + q_full(now.r); }; "
        "   assert(n == len(q) && f == (len(q) == 3) && e == (len(q) == 0) && z == 2) od }",
        NULL);
    assert_non_null(system);
    counts c = explore_all(system);
    assert_true(c.states > 8);
    assert_int_equal(c.faults, 0);
    gy_system_free(system);
}

static void no_such_helper(void **unused)
{
    (void)unused;
    char *problem = NULL;
    assert_null(
        open_text("active proctype P() { byte x; c_code { ((P0 *)pptr(0))->x = 1; } }", &problem));
    assert_non_null(strstr(problem, "`pptr` is a part of Spin's verifier"));
    free(problem);
}

static void wrong_c(void **unused)
{
    (void)unused;
    char *problem = NULL;
    assert_null(open_text("active proctype P() { c_code { now.nothing = 1; } }", &problem));
    assert_non_null(strstr(problem, "nothing"));
    free(problem);
}

static void *explore_thread(void *system)
{
    return (void *)(uintptr_t)explore_all(system).states;
}

// Threads share the C part under its lock; systems share nothing.
static void threads_and_systems(void **unused)
{
    (void)unused;
    gy_system *systems[2] = {open_file("tests/embedded/tracked.pml", GY_NATIVE_OFF, NULL),
                             open_file("tests/embedded/tracked.pml", GY_NATIVE_OFF, NULL)};
    pthread_t threads[6];
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, explore_thread, systems[i % 2]), 0);
    for (int i = 0; i < 6; i++) {
        void *states;
        pthread_join(threads[i], &states);
        assert_int_equal((uintptr_t)states, 128);
    }
    gy_system_free(systems[0]);
    gy_system_free(systems[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_spins),
        cmocka_unit_test(faults),
        cmocka_unit_test(crashes),
        cmocka_unit_test(crashes_in_threads),
        cmocka_unit_test(own_faults),
        cmocka_unit_test(channel_functions),
        cmocka_unit_test(no_such_helper),
        cmocka_unit_test(wrong_c),
        cmocka_unit_test(threads_and_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
