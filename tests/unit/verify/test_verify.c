// The public interface of the driver (include/gyre/verify.h), as a stranger's program uses it.
// Expected values are counted by hand in models of a few statements; 21 states are Spin's count.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/verify.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static const char LOST_UPDATE[] = "byte n;\n"
                                  "active [2] proctype P() { byte t; t = n; n = t + 1 }\n";
static const char FAILS[] = "byte x;\n"
                            "active proctype P() {\n"
                            "  x = 1;\n"
                            "  x = 2;\n"
                            "  assert(x == 1)\n"
                            "}\n";
// Each process makes a choice at each of its steps, as does nothing that reductions could use.
static const char LARGE[] = "int a, b, c, d;\n"
                            "active proctype P() { do :: a = a + 1 :: b = a + b od }\n"
                            "active proctype Q() { do :: b = b + 1 :: c = b + c od }\n"
                            "active proctype R() { do :: c = c + 1 :: d = c + d; a = d od }\n"
                            "ltl p { [] (a != -7 || b != -7 || c != -7 || d != -7) }\n";

static gy_request *ask(const char *text)
{
    gy_request *request = gy_request_new();
    gy_request_text(request, "model.pml", text, strlen(text));
    return request;
}

static void set(gy_request *request, const char *option, const char *value)
{
    assert_true(gy_request_set(request, option, value, NULL));
}

static gy_outcome *answer(gy_request *request)
{
    gy_outcome *outcome = gy_verify(request);
    gy_request_free(request); // an outcome needs no request
    assert_non_null(outcome);
    return outcome;
}

static void holds(void **unused)
{
    (void)unused;
    gy_request *request = ask(LOST_UPDATE);
    set(request, "exact", NULL);
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_HOLDS);
    assert_string_equal(gy_verdict_text(outcome->verdict), "holds");
    assert_string_equal(outcome->model, "model.pml");
    assert_int_equal(outcome->property_count, 1);
    assert_string_equal(outcome->properties[0].name, "safety");
    assert_int_equal(outcome->properties[0].counterexample_count, 0);
    assert_int_equal(outcome->figures->states, 21); // as Spin counts
    assert_int_equal(outcome->figures->transitions, 27);
    assert_true(outcome->figures->complete);
    assert_int_equal(outcome->statements, outcome->reached);
    assert_true(outcome->seconds >= outcome->figures->seconds);
    assert_true(outcome->memory >= outcome->figures->memory);
    assert_true(outcome->plan_count > 0);
    for (uint32_t i = 0; i < outcome->plan_count; i++)
        assert_true(strlen(outcome->plan[i].reason) > 0);
    gy_outcome_free(outcome);
}

// The whole path: places, statements, changes, the fault, the last state.
static void walks_through_a_counterexample(void **unused)
{
    (void)unused;
    gy_outcome *outcome = answer(ask(FAILS));
    assert_int_equal(outcome->verdict, GY_VIOLATED);
    const gy_property_outcome *safety = &outcome->properties[0];
    assert_int_equal(safety->counterexample_count, 1);
    const gy_counterexample *found = &safety->counterexamples[0];
    assert_string_equal(found->kind, "assertion");
    assert_non_null(strstr(found->message, "x == 1"));
    assert_int_equal(found->length, 3);
    assert_int_equal(found->step_count, 3);
    assert_null(found->cut);
    assert_int_equal(found->cycle_start, -1);
    assert_true(found->shortest);
    for (uint64_t i = 0; i < 3; i++) {
        const gy_report_step *step = &found->steps[i];
        assert_int_equal(step->number, i + 1);
        assert_string_equal(step->actor.process, "P(0)");
        assert_string_equal(step->actor.type, "P");
        assert_int_equal(step->actor.line, 3 + i);
        assert_null(step->partner);
        if (i < 2) {
            assert_int_equal(step->change_count, 1);
            assert_string_equal(step->changes[0].name, "x");
            assert_int_equal(step->changes[0].before.number, i);
            assert_int_equal(step->changes[0].after.number, i + 1);
            assert_null(step->fault);
        }
    }
    assert_string_equal(found->steps[2].fault, "assertion");
    assert_int_equal(found->final.ending, GY_ENDING_FAULT);
    assert_int_equal(found->final.global_count, 1);
    assert_string_equal(found->final.globals[0].values[0].text, "2");
    gy_outcome_free(outcome);
}

// A lasso: x stays 0 for ever, because Q may be passed over.
static void walks_through_a_lasso(void **unused)
{
    (void)unused;
    gy_request *request = ask("byte x; bool y;\n"
                              "active proctype P() { do :: y = !y od }\n"
                              "active proctype Q() { x = 1 }\n");
    set(request, "ltl", "<> (x == 1)");
    set(request, "check", "liveness");
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_VIOLATED);
    assert_int_equal(outcome->property_count, 1);
    const gy_property_outcome *property = &outcome->properties[0];
    assert_string_equal(property->kind, "ltl");
    assert_string_equal(property->name, "<> (x == 1)");
    const gy_counterexample *found = &property->counterexamples[0];
    assert_true(found->cycle_start >= 0);
    assert_true((uint64_t)found->cycle_start < found->length);
    for (uint64_t i = 0; i < found->step_count; i++)
        assert_string_equal(found->steps[i].actor.type, "P");
    assert_true(strlen(found->explanation) > 0);
    gy_outcome_free(outcome);
}

// As the model states it, it holds with weak fairness.
static void assumes_fairness(void **unused)
{
    (void)unused;
    gy_request *request = ask("byte x; bool y;\n"
                              "active proctype P() { do :: y = !y od }\n"
                              "active proctype Q() { x = 1 }\n");
    set(request, "ltl", "<> (x == 1)");
    set(request, "fairness", "weak");
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_HOLDS);
    assert_int_equal(outcome->property_count, 2);
    gy_outcome_free(outcome);
}

static void tells_which_limit(void **unused)
{
    (void)unused;
    gy_request *request = ask(LARGE);
    set(request, "check", "safety");
    set(request, "exact", NULL); // or nothing would be left that anything examines
    set(request, "depth", "5");
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_INCONCLUSIVE);
    assert_string_equal(outcome->figures->limit, "depth");
    gy_outcome_free(outcome);
    request = ask(LARGE);
    set(request, "time", "0.3");
    outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_INCONCLUSIVE);
    assert_string_equal(outcome->figures->limit, "time");
    assert_int_equal(outcome->properties[1].verdict, GY_INCONCLUSIVE); // one limit for all searches
    assert_in_range((int)outcome->seconds, 0, 100);
    assert_true(strlen(outcome->properties[1].problem) > 0);
    gy_outcome_free(outcome);
}

static void says_what_is_wrong(void **unused)
{
    (void)unused;
    gy_outcome *outcome = answer(ask("byte x;\nactive proctype P() { y = 1 }\n"));
    assert_int_equal(outcome->verdict, GY_BROKEN);
    assert_false(outcome->internal);
    assert_int_equal(outcome->property_count, 0);
    assert_true(outcome->diagnostic_count > 0);
    assert_string_equal(outcome->diagnostics[0].severity, "error");
    assert_string_equal(outcome->diagnostics[0].file, "model.pml");
    assert_int_equal(outcome->diagnostics[0].line, 2);
    gy_outcome_free(outcome);

    gy_request *request = gy_request_new();
    gy_request_file(request, "/nowhere/there-is-no-such.pml");
    outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_BROKEN);
    gy_outcome_free(outcome);

    outcome = answer(gy_request_new()); // no model at all
    assert_int_equal(outcome->verdict, GY_BROKEN);
    assert_true(outcome->diagnostic_count > 0);
    gy_outcome_free(outcome);

    request = ask(FAILS);
    set(request, "ltl", "[] nothing_of_that_name");
    outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_BROKEN);
    gy_outcome_free(outcome);
}

static void refuses_embedded_c(void **unused)
{
    (void)unused;
    gy_request *request = ask("active proctype P() { c_code { int i = 0; (void)i; } }\n");
    set(request, "no-c", NULL);
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_BROKEN);
    assert_non_null(strstr(outcome->diagnostics[0].message, "embedded C"));
    gy_outcome_free(outcome);
    request = gy_request_new();
    gy_request_file(request, "./there.so");
    set(request, "no-c", NULL);
    outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_BROKEN);
    assert_non_null(strstr(outcome->diagnostics[0].message, "compiled code"));
    gy_outcome_free(outcome);
    char *problem = NULL;
    assert_null(gy_load("./there.so", &(gy_load_options){.no_c = true}, &problem));
    assert_non_null(strstr(problem, "compiled code"));
    gy_free(problem);
}

static void checks_settings(void **unused)
{
    (void)unused;
    gy_request *request = ask(LOST_UPDATE);
    const char *const wrong[][2] = {{"no-such-option", "1"}, {"time", "soon"},
                                    {"time", "0"},           {"threads", "0"},
                                    {"threads", "100000"},   {"check", "safety,nothing"},
                                    {"store", "shoebox"},    {"exact", "yes"},
                                    {"ltl", NULL},           {"memory", "-1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *problem = NULL;
        assert_false(gy_request_set(request, wrong[i][0], wrong[i][1], &problem));
        assert_true(problem && strlen(problem) > 0);
        gy_free(problem);
    }
    set(request, "store", "plain");
    assert_false(gy_request_set(request, "store", "tree", NULL)); // which one?
    set(request, "check", "liveness");
    set(request, "check", "safety"); // both
    gy_outcome *outcome = answer(request);
    assert_int_equal(outcome->verdict, GY_HOLDS); // and nothing of the wrong ones
    assert_int_equal(outcome->property_count, 1);
    assert_string_equal(outcome->figures->store, "plain");
    gy_outcome_free(outcome);
}

// A system that was loaded before can be verified, and explored afterwards.
static void verifies_a_loaded_system(void **unused)
{
    (void)unused;
    gy_system *system = gy_load_text("loaded.pml", FAILS, strlen(FAILS), NULL, NULL);
    assert_non_null(system);
    for (int i = 0; i < 2; i++) {
        gy_request *request = gy_request_new();
        gy_request_system(request, system);
        gy_outcome *outcome = answer(request);
        assert_int_equal(outcome->verdict, GY_VIOLATED);
        assert_string_equal(outcome->model, "loaded.pml");
        gy_outcome_free(outcome);
    }
    gy_worker *worker = gy_worker_new(system);
    gy_worker_free(worker);
    gy_system_free(system);
}

static void renders(void **unused)
{
    (void)unused;
    gy_outcome *outcome = answer(ask(FAILS));
    char *text = gy_outcome_render(outcome, "text"), *json = gy_outcome_render(outcome, "json");
    assert_null(gy_outcome_render(outcome, "woodcut"));
    assert_non_null(strstr(text, "model.pml: violated: assertion failed"));
    assert_int_equal(json[0], '{');
    assert_non_null(strstr(json, "\"verdict\": \"violated\""));
    gy_free(text);
    gy_free(json);
    gy_outcome_free(outcome);
    outcome = answer(ask("wrong\n"));
    json = gy_outcome_render(outcome, "json");
    assert_non_null(strstr(json, "\"verdict\": \"error\""));
    gy_free(json);
    gy_outcome_free(outcome);
}

// ---- several at once ---------------------------------------------------------------------

static void *verify_often(void *user)
{
    const char *const *model = user;
    for (int i = 0; i < 20; i++) {
        gy_request *request = ask(*model);
        gy_request_set(request, "exact", NULL, NULL);
        gy_outcome *outcome = gy_verify(request);
        bool good = *model == LOST_UPDATE
                        ? outcome->verdict == GY_HOLDS && outcome->figures->states == 21
                        : outcome->verdict == GY_VIOLATED &&
                              outcome->properties[0].counterexamples[0].step_count == 3;
        gy_outcome_free(outcome);
        gy_request_free(request);
        if (!good)
            return user;
    }
    return NULL;
}

static void several_at_once(void **unused)
{
    (void)unused;
    const char *models[] = {LOST_UPDATE, FAILS};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, verify_often, &models[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

static void *stop_soon(void *user)
{
    usleep(200000);
    gy_request_stop(user);
    return NULL;
}

static void can_be_stopped(void **unused)
{
    (void)unused;
    gy_request *request = ask(LARGE);
    set(request, "time", "600");
    set(request, "memory", "2G");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, request), 0);
    gy_outcome *outcome = gy_verify(request);
    pthread_join(thread, NULL);
    assert_int_equal(outcome->verdict, GY_INCONCLUSIVE);
    assert_string_equal(outcome->figures->limit, "interrupt");
    assert_in_range((int)outcome->seconds, 0, 300);
    gy_outcome_free(outcome);
    gy_request_free(request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(walks_through_a_counterexample),
        cmocka_unit_test(walks_through_a_lasso),
        cmocka_unit_test(assumes_fairness),
        cmocka_unit_test(tells_which_limit),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(refuses_embedded_c),
        cmocka_unit_test(checks_settings),
        cmocka_unit_test(verifies_a_loaded_system),
        cmocka_unit_test(renders),
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
