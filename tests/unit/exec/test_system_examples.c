// The examples of examples/embed: the counting program on a shipped model, and a foreign shared
// object that is built here, loaded and explored.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define main count_main
#include "../../examples/embed/count.c"
#undef main

#include <unistd.h>

static void count_all(gy_system *system, space *s)
{
    gy_worker *worker = gy_worker_new(system);
    s->last = &s->first;
    gy_initial(worker, visit, s);
    for (state *at = s->first; at; at = at->next)
        gy_successors(worker, at->at, at->words, visit, s);
    tdestroy(s->set, free);
    gy_worker_free(worker);
    gy_system_free(system);
}

static void counts_a_model(void **unused)
{
    (void)unused;
    static const char model[] = "byte n; active [2] proctype P() { byte t; t = n; n = t + 1 }";
    char *problem = NULL;
    gy_system *system = gy_load_text("two.pml", model, sizeof model - 1, NULL, &problem);
    assert_non_null(system);
    gy_free(problem);
    space s = {0};
    count_all(system, &s);
    assert_int_equal(s.states, 21); // as Spin counts
    assert_int_equal(s.transitions, 27);
}

// A program that loads strangers' models may refuse to run their C.
static void refuses_embedded_c(void **unused)
{
    (void)unused;
    static const char model[] = "byte n; active proctype P() { c_code { int i = 1; now.n = i; } }";
    char *problem = NULL;
    gy_load_options options = {.no_c = true};
    assert_null(gy_load_text("c.pml", model, sizeof model - 1, &options, &problem));
    assert_non_null(strstr(problem, "embedded C"));
    gy_free(problem);
    options.no_c = false;
    gy_system *system = gy_load_text("c.pml", model, sizeof model - 1, &options, &problem);
    assert_non_null(system);
    gy_free(problem);
    gy_system_free(system);
    // C that is no more than Promela is not run as C, but who refuses C need not know which is.
    static const char plain[] = "byte n; active proctype P() { n = 1; c_code { now.n = 2; } }";
    options.no_c = true;
    assert_null(gy_load_text("plain.pml", plain, sizeof plain - 1, &options, &problem));
    assert_non_null(strstr(problem, "embedded C"));
    gy_free(problem);
}

// A model that is too large for Gyre does not end the program that loads it: an error in its place.
// (test_fatal_guard.c has what cannot be determined beforehand.)
static void survives_large_models(void **unused)
{
    (void)unused;
    enum { PARAMETERS = 300 }; // the machine passes at most 255
    char text[PARAMETERS * 20], *at = text, *problem = NULL;
    at += sprintf(at, "proctype P(byte p0");
    for (int i = 1; i < PARAMETERS; i++)
        at += sprintf(at, "; byte p%d", i);
    at += sprintf(at, ") { skip } init { run P(0");
    for (int i = 1; i < PARAMETERS; i++)
        at += sprintf(at, ",0");
    at += sprintf(at, ") }");
    assert_null(gy_load_text("large.pml", text, (size_t)(at - text), NULL, &problem));
    assert_non_null(strstr(problem, "large.pml:1:10: error: proctype `P` has 300 parameters"));
    gy_free(problem);
}

static void explores_a_foreign_object(void **unused)
{
    (void)unused;
    char dir[] = "/tmp/gyre-embed-XXXXXX", command[400], path[100];
    if (access("examples/embed/puzzle.c", R_OK) || !mkdtemp(dir))
        skip();
    snprintf(path, sizeof path, "%s/puzzle.so", dir);
    snprintf(command, sizeof command,
             "cc -shared -fPIC -Wall -Wextra -Werror -Iinclude examples/embed/puzzle.c -o %s",
             path);
    assert_int_equal(system(command), 0);
    char *problem = NULL;
    gy_system *puzzle = gy_load(path, NULL, &problem);
    assert_non_null(puzzle);
    assert_string_equal(gy_system_name(puzzle), "river crossing");
    gy_free(problem);
    space s = {0};
    count_all(puzzle, &s);
    assert_int_equal(s.states, 10);
    assert_int_equal(s.transitions, 21);
    unlink(path);
    rmdir(dir);
}

static void says_what_is_wrong(void **unused)
{
    (void)unused;
    char *problem = NULL;
    assert_null(gy_load("/nowhere/missing.so", NULL, &problem));
    assert_non_null(strstr(problem, "/nowhere/missing.so"));
    gy_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_a_model),        cmocka_unit_test(refuses_embedded_c),
        cmocka_unit_test(survives_large_models), cmocka_unit_test(explores_a_foreign_object),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
