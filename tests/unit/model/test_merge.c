// Statement merging: which steps go on, and which must not.
#include "base/text.h"
#include "load/load.h"
#include "model/passes/merge.h"
#include "model/passes/passes.h"
#include "model/passes/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static gy_model *read_model(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test", text, strlen(text), NULL, &diags);
    assert_non_null(model);
    gy_diags_free(diags);
    return model;
}

static const gy_edge *edge_named(const gy_model *model, const char *text)
{
    for (uint32_t e = 0; e < model->edge_count; e++)
        if (model->edges[e].text && strcmp(model->edges[e].text, text) == 0)
            return &model->edges[e];
    fail_msg("no statement `%s`", text);
    return NULL;
}

// After merging, does the process go on after this statement?
static bool goes_on_watched(const char *model_text, const char *statement, gy_watched watched)
{
    gy_model *model = read_model(model_text);
    gy_model_merge(model, &watched);
    bool on = edge_named(model, statement)->keeps_atomic;
    gy_model_free(model);
    return on;
}

static bool goes_on(const char *model_text, const char *statement)
{
    return goes_on_watched(model_text, statement, (gy_watched){0});
}

static uint32_t merged(const char *text)
{
    gy_model *model = read_model(text);
    uint32_t count = gy_model_merge(model, &(gy_watched){0});
    gy_model_free(model);
    return count;
}

#define SHARED "byte g, h; active proctype Other() { g = 9; h = 9; if :: g + h > 3 fi }\n"

static void own_variables(void **state)
{
    (void)state;
    const char *text = SHARED "active proctype P() { byte l; g = 1; l = 2; assert(l == 2); h = 3 }";
    assert_true(goes_on(text, "g = 1"));
    assert_true(goes_on(text, "l = 2"));
    assert_false(goes_on(text, "assert(l == 2)")); // h is shared
    assert_false(goes_on(text, "h = 3"));        // its end may be waited for
}

static void globals_of_one_process(void **state)
{
    (void)state;
    const char *one = SHARED "byte mine; active proctype P() { g = 1; mine = 2; h = mine }";
    assert_true(goes_on(one, "g = 1"));
    const char *two = SHARED "byte mine; active [2] proctype P() { g = 1; mine = 2; h = mine }";
    assert_false(goes_on(two, "g = 1"));
    const char *started = SHARED "byte mine; proctype P() { g = 1; mine = 2; h = mine }"
                                 "init { run P() }";
    assert_true(goes_on(started, "g = 1"));
    const char *again = SHARED "byte mine; proctype P() { g = 1; mine = 2; h = mine }"
                               "init { do :: run P() od }";
    assert_false(goes_on(again, "g = 1"));
    // Read by others: a write is seen; a read of what only the reader writes is not.
    const char *read = SHARED "byte mine; active proctype Q() { mine == 1 }\n"
                              "active proctype P() { byte l; g = 1; l = mine; mine = 1 }";
    assert_true(goes_on(read, "g = 1"));
    assert_false(goes_on(read, "l = mine"));
    const char *constant =
        SHARED "byte k = 7; active [2] proctype P() { byte l; g = 1; l = k; h = l }";
    assert_true(goes_on(constant, "g = 1"));
}

static void choices_on_own_variables(void **state)
{
    (void)state;
    const char *text = SHARED "active proctype P() { byte l; g = 1;"
                              "if :: l == 0 -> l = 1 :: else -> l = 2 fi; h = l }";
    assert_true(goes_on(text, "g = 1"));
    assert_true(goes_on(text, "l == 0"));
    // Blocked on a variable of its own: stays there, for good.
    assert_true(goes_on(SHARED "active proctype P() { byte l; g = 1; l == 5; h = 1 }", "g = 1"));
    assert_false(goes_on(SHARED "active proctype P() { g = 1; h == 5; h = 1 }", "g = 1"));
}

// What is only written leaves the state; what it was computed from is not read then.
static void lost_assignments(void **state)
{
    (void)state;
    gy_model *exact = read_model(SHARED "byte out[4]; active proctype P() { g = 1; out[h & 3] = g;"
                                        "h = 3 }\n"
                                        "byte few[2]; active proctype Q() { h = 1; few[g] = 1 }");
    gy_saved saved;
    gy_model *model =
        gy_model_reduced(exact, &(gy_passes){.slice = true, .ranges = true, .merge = true},
                         &(gy_watched){0}, &saved);
    assert_true(edge_named(model, "g = 1")->keeps_atomic);
    assert_null(edge_named(model, "out[h & 3] = g")->effect);
    assert_false(edge_named(model, "h = 1")->keeps_atomic); // few[9] is a fault
    assert_non_null(edge_named(model, "few[g] = 1")->effect);
    assert_non_null(edge_named(exact, "out[h & 3] = g")->effect);
    gy_model_free(exact);
}

// pc_value() and enabled() see where one process is: the others are merged.
static void looks_at_one_process(void **state)
{
    (void)state;
    const char *both = SHARED "active proctype P() { byte l; g = 1; l = 2; h = l }\n"
                              "active proctype Q() { byte l; h = 1; l = 2; g = l }\n";
    gy_text text = {0};
    gy_text_printf(&text, "%s active proctype R() { pc_value(1) > 3 }", both);
    assert_false(goes_on(gy_text_str(&text), "g = 1"));
    assert_true(goes_on(gy_text_str(&text), "h = 1"));
    gy_text_clear(&text);
    gy_text_printf(&text, "%s active proctype R() { enabled(2) }", both);
    assert_true(goes_on(gy_text_str(&text), "g = 1"));
    assert_false(goes_on(gy_text_str(&text), "h = 1"));
    gy_text_clear(&text);
    gy_text_printf(&text, "%s byte i; active proctype R() { enabled(i) }", both);
    assert_false(goes_on(gy_text_str(&text), "g = 1"));
    gy_text_clear(&text);
    gy_text_printf(&text, "%s active proctype R() { enabled(2); run S() } proctype S() { skip }",
                   both);
    assert_false(goes_on(gy_text_str(&text), "g = 1"));
    gy_text_free(&text);
}

static void every_cycle_keeps_a_state(void **state)
{
    (void)state;
    gy_model *model =
        read_model("active proctype P() { byte l; do :: l < 9 -> l++ :: l > 3 -> l = 0 od }");
    gy_model_merge(model, &(gy_watched){0});
    uint32_t stops = 0;
    for (uint32_t e = 0; e < model->edge_count; e++)
        stops += !model->edges[e].keeps_atomic && model->edges[e].to == model->edges[0].from;
    assert_int_equal(stops, 2);
    gy_model_free(model);
}

static void atomic_sequences(void **state)
{
    (void)state;
    // Going on would carry the step into the sequence, where others must not be shut out.
    assert_false(
        goes_on(SHARED "active proctype P() { byte l; g = 1; atomic { l = 1; h = 2 } }", "g = 1"));
    assert_true(goes_on(
        SHARED "active proctype P() { byte l; g = 1; atomic { l = 1; l = 2 }; h = 1 }", "g = 1"));
    assert_true(goes_on(
        SHARED "active proctype P() { byte l; atomic { g = 1; h = 1 }; l = 2; h = 3 }", "h = 1"));
}

static void messages(void **state)
{
    (void)state;
    const char *rendezvous = "chan q = [0] of { byte }; byte g;\n"
                             "active proctype S() { byte l; q!1; l = 2; g = l }\n"
                             "active proctype R() { byte l; q?l; l = 3; g = l }";
    assert_false(goes_on(rendezvous, "q!1")); // the receiver is the one to go on
    assert_true(goes_on(rendezvous, "q?l"));
    const char *buffered = "chan q = [1] of { byte }; byte g;\n"
                           "active proctype S() { byte l; q!1; l = 2; q!3 }\n"
                           "active proctype R() { byte l; q?l; q?l; g = l }";
    assert_true(goes_on(buffered, "q!1"));
    assert_false(goes_on(buffered, "q?l"));
}

static void what_others_see(void **state)
{
    (void)state;
    assert_int_equal(merged("byte g; active proctype P() { byte l; g = 1; l = 2; g = 3 }\n"
                            "active proctype Q() { P:l == 2; g = 4 }"),
                     0);
    const char *label = "byte g; active proctype P() { byte l; g = 1; here: l = 2; g = 3 }\n"
                        "active proctype Q() { P@here; g = 4 }";
    assert_int_equal(merged(label), 0);
    const char *behind = "byte g; active proctype P() { byte l; g = 1; l = 2; here: g = 3 }\n"
                         "active proctype Q() { P@here; g = 4 }";
    assert_int_equal(merged(behind), 0);
    assert_int_equal(
        merged("byte g; active proctype P() { byte l; g = 1; progress: l = 2; g = 3 }\n"
               "active proctype Q() { g = 4 }"),
        0);
    assert_int_equal(
        merged("byte g; active proctype P() provided (g < 5) { byte l; g = 1; l = 2; g = 3 }\n"
               "active proctype Q() { g = 4 }"),
        0);
    assert_int_equal(
        merged("byte g; active proctype P() { byte l; { g = 1; l = 2; g = 3 } unless { g == 4 } }\n"
               "active proctype Q() { g = 4 }"),
        0);
    assert_int_equal(merged("byte g; active proctype P() { byte l; g = 1; l = 2; g = 3 }\n"
                            "active proctype Q() { !timeout; g = 4 }"),
                     0);
    assert_int_equal(merged("byte g; active proctype P() { byte l; g = 1; l = 2; g = 3 }\n"
                            "active proctype Q() { timeout; g = 4 }"),
                     1);
}

// Where P stands after `g = 1` decides what else is enabled.
static void who_asks_what_is_enabled(void **state)
{
    (void)state;
    const gy_watched none = {0}, statements = {.fair_statements = true},
                     processes = {.fair_statements = true, .fair_processes = true};
    const char *plain = SHARED "active proctype P() { byte l; do :: g = 1; l = 2; h = 1 od }";
    assert_true(goes_on_watched(plain, "g = 1", processes));
    // Its own labelled statement, before and after.
    const char *label = SHARED "active proctype P() { byte l; g = 1; l = 2; wfair: h = 1 }";
    assert_true(goes_on_watched(label, "g = 1", none));
    assert_false(goes_on_watched(label, "g = 1", statements));
    const char *first = SHARED "active proctype P() { byte l; g = 1; wfair: l = 2; h = 1 }";
    assert_true(goes_on_watched(first, "g = 1", none));
    assert_false(goes_on_watched(first, "g = 1", statements));
    // A partner of a rendezvous.
    const char *meets = "chan c = [0] of { bit };" SHARED "active proctype Q() { do :: c!1 od }\n"
                        "active proctype P() { byte l; do :: g = 1; l = 2; c?_ od }";
    assert_true(goes_on_watched(meets, "g = 1", none));
    assert_true(goes_on_watched(meets, "g = 1", statements)); // there are none
    assert_false(goes_on_watched(meets, "g = 1", processes));
    const char *labelled =
        "chan c = [0] of { bit };" SHARED "active proctype Q() { do :: sfair: c!1 od }\n"
        "active proctype P() { byte l; do :: g = 1; l = 2; c?_ od }";
    assert_false(goes_on_watched(labelled, "g = 1", statements));
    const char *buffered =
        "chan c = [1] of { bit };" SHARED "active proctype Q() { do :: sfair: c!1 od }\n"
        "active proctype P() { byte l; do :: g = 1; l = 2; c?_ od }";
    assert_true(goes_on_watched(buffered, "g = 1", processes));
    // Who waits until no process is enabled.
    const char *late = SHARED "active proctype Q() { timeout }\n"
                              "active proctype P() { byte l; do :: g = 1; l = 2; h == 1 od }";
    assert_true(goes_on_watched(late, "g = 1", none));
    assert_false(goes_on_watched(late, "g = 1", processes));
    const char *busy = SHARED "active proctype Q() { timeout }\n"
                              "active proctype P() { byte l; do :: g = 1; l = 2; h = 1 od }";
    assert_true(goes_on_watched(busy, "g = 1", processes));
    const char *priority = SHARED "active proctype P() priority 2 { byte l; g = 1; l = 2; h = 1 }";
    assert_true(goes_on_watched(priority, "g = 1", none));
    assert_false(goes_on_watched(priority, "g = 1", processes));
}

// What is possible because a rendezvous is not.
static void what_needs_no_partner(void **state)
{
    (void)state;
    const char *meets = "chan c = [0] of { bit };" SHARED
                        "active proctype P() { byte l; do :: g = 1; l = 2; c?_ od }\n"
                        "active proctype Q() { do :: c!1 :: %s od }";
    const char *unless = "chan c = [0] of { bit };" SHARED
                         "active proctype P() { byte l; do :: g = 1; l = 2; c?_ od }\n"
                         "active proctype Q() { do :: { h = 1 } unless { c!1 } od }";
    gy_text text = {0};
    gy_text_printf(&text, meets, "else");
    assert_false(goes_on(gy_text_str(&text), "g = 1"));
    gy_text_clear(&text);
    gy_text_printf(&text, meets, "h = 1");
    assert_true(goes_on(gy_text_str(&text), "g = 1"));
    gy_text_free(&text);
    assert_false(goes_on(unless, "g = 1"));
}

static void formulas(void **state)
{
    (void)state;
    const char *text = "byte g, mine; active proctype P() { g = 1; mine = 2; g = 3 }\n"
                       "active proctype Q() { g = 4 }\n"
                       "ltl other { <> (g == 3) }\n"
                       "ltl sees { <> (mine == 2) }\n"
                       "ltl counts { X (g == 1) }";
    uint32_t expected[] = {1, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        gy_model *model = read_model(text);
        const gy_formula *formula = model->ltls[i].formula;
        gy_watched watched = {.formulas = &formula, .formula_count = 1};
        assert_int_equal(gy_model_merge(model, &watched), expected[i]);
        gy_model_free(model);
    }
}

// Twelve times two ways, none of which matters in the end: never 4096 ways in one step.
static void not_too_many_ways(void **state)
{
    (void)state;
    gy_text text = {0};
    gy_text_add(&text, SHARED "active proctype P() { byte l; g = 1;\n");
    for (int i = 0; i < 12; i++)
        gy_text_add(&text, "if :: l = 1 :: l = 2 fi; l = 0;\n");
    gy_text_add(&text, "h = 1 }");
    gy_model *model = read_model(gy_text_str(&text));
    gy_model_merge(model, &(gy_watched){0});
    uint32_t stops = 0;
    for (uint32_t e = 0; e < model->edge_count; e++)
        stops += !model->edges[e].keeps_atomic && model->edges[e].text &&
                 strncmp(model->edges[e].text, "l = ", 4) == 0;
    assert_true(stops >= 3);
    assert_true(stops < 12);
    gy_model_free(model);
    gy_text_free(&text);
}

// After ranges, can this statement end in a fault?
static bool may_fail(const char *text, const char *statement)
{
    gy_model *model = read_model(text);
    gy_model_ranges(model);
    bool fails = !edge_named(model, statement)->never_fails;
    gy_model_free(model);
    return fails;
}

static void bounds_from_guards(void **state)
{
    (void)state;
    const char *loop = SHARED "active proctype P() { byte a[3], i; "
                              "do :: i < 3 -> a[i] = 1; i++ :: else -> break od; a[i] = 2 }";
    assert_false(may_fail(loop, "a[i] = 1"));
    assert_true(may_fail(loop, "a[i] = 2"));
    const char *both = SHARED "active proctype P() { bool a[3]; byte i; "
                              "do :: i < 3 && a[i] -> i++ :: a[i] -> break :: g = i; i++ od }";
    assert_false(may_fail(both, "i < 3 && a[i]")); // the second half is computed only then
    assert_true(may_fail(both, "a[i]"));
    const char *theirs = SHARED "active proctype P() { byte a[3]; if :: g < 3 -> a[g] = 1 fi }";
    assert_true(may_fail(theirs, "a[g] = 1")); // changed in between
    const char *divided = SHARED "active proctype P() { byte l, d; d = g; "
                                 "if :: d > 0 -> l = 4 / d :: else -> l = 5 / d fi; h = l }";
    assert_false(may_fail(divided, "l = 4 / d"));
    assert_true(may_fail(divided, "l = 5 / d"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_variables),
        cmocka_unit_test(globals_of_one_process),
        cmocka_unit_test(choices_on_own_variables),
        cmocka_unit_test(lost_assignments),
        cmocka_unit_test(looks_at_one_process),
        cmocka_unit_test(every_cycle_keeps_a_state),
        cmocka_unit_test(atomic_sequences),
        cmocka_unit_test(messages),
        cmocka_unit_test(what_others_see),
        cmocka_unit_test(who_asks_what_is_enabled),
        cmocka_unit_test(what_needs_no_partner),
        cmocka_unit_test(formulas),
        cmocka_unit_test(not_too_many_ways),
        cmocka_unit_test(bounds_from_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
