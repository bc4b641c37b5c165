// A walk that is debugged, without a client: going both ways, breakpoints, values as trees.
#include "serve/dap/debuggee.h"
#include "serve/dap/value_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char model_text[] = "typedef pair { byte a; short b[2] };\n" // 1
                                 "pair p[2]; byte n; chan q = [2] of { byte };\n"
                                 "active proctype P() {\n"
                                 "  do\n"
                                 "  :: n < 4 -> n++; q!n; q?_\n" // 5
                                 "  :: else -> break\n"
                                 "  od;\n"
                                 "  p[1].b[0] = 3\n"
                                 "}\n"
                                 "active proctype Q() { (n == 9) }\n"; // 10

static void open_walk(gy_debuggee *d)
{
    gy_request *request = gy_request_new();
    gy_loaded_model subject;
    gy_user_error complaint = {0};
    gy_request_text(request, "model.pml", model_text, strlen(model_text));
    assert_true(gy_loaded_model_read(&subject, request, &complaint));
    assert_true(gy_loaded_model_start(&subject, GY_NATIVE_OFF, &complaint));
    *d = (gy_debuggee){.stops = GY_STOPS_DEADLOCK};
    gy_debuggee_init(d, &subject);
    assert_true(gy_debuggee_simulate(d, 1, &complaint));
    gy_request_free(request);
}

static gy_stop_kind go(gy_debuggee *d, gy_go_kind kind, bool back)
{
    gy_stop stop = {0};
    gy_debuggee_go(d, kind, back, 0);
    while (!gy_debuggee_run(d, 3, &stop)) // in small portions
        assert_int_equal(stop.kind, GY_STOP_NONE);
    gy_text_free(&stop.text);
    return stop.kind;
}

static int32_t value(gy_debuggee *d, const char *text)
{
    const char *problem;
    int32_t value;
    const gy_path_state *now = gy_debuggee_now(d);
    gy_atom atom = gy_expressions_get(&d->expressions, GY_NONE, text, &problem);
    assert_int_not_equal(atom, 0);
    assert_true(gy_state_view_value(d->path->worker, now->state, now->words, -1, atom, &value));
    return value;
}

static void a_step_is_drawn_before_it_is_taken(void **state)
{
    gy_debuggee d;
    (void)state;
    open_walk(&d);
    const gy_path_state *next = gy_debuggee_next(&d);
    assert_non_null(next);
    gy_step drawn = next->step;
    assert_int_equal(gy_debuggee_total(&d), 0); // it does not count yet
    assert_int_equal(go(&d, GY_GO_STEP, false), GY_STOP_STEP);
    assert_true(gy_same_step(&gy_debuggee_now(&d)->step, &drawn));
    assert_int_equal(gy_debuggee_step(&d), 1);
    assert_int_equal(go(&d, GY_GO_STEP, true), GY_STOP_STEP);
    assert_int_equal(gy_debuggee_total(&d), 1); // followed, it does
    assert_int_equal(go(&d, GY_GO_STEP, true), GY_STOP_START);
    assert_int_equal(go(&d, GY_GO_ON, false), GY_STOP_DEADLOCK);
    // 4 rounds of 4 steps, else, the assignment; P cannot end before Q does.
    assert_int_equal(gy_debuggee_step(&d), 18);
    assert_int_equal(gy_debuggee_total(&d), 18);
    assert_null(gy_debuggee_next(&d));
    assert_false(gy_debuggee_jump(&d, 19));
    assert_true(gy_debuggee_jump(&d, 0));
    assert_int_equal(value(&d, "n"), 0);
    gy_debuggee_free(&d);
}

static void hits_are_those_of_the_walk(void **state)
{
    gy_debuggee d;
    (void)state;
    open_walk(&d);
    gy_break_request wanted = {.name = "send q", .hits = ">= 3"};
    gy_breakpoint *b = gy_breakpoints_add(&d.breakpoints, GY_BREAKS_FUNCTIONS, &wanted);
    gy_breakpoint_resolve(b, &d.expressions);
    assert_null(b->problem);
    for (int round = 0; round < 2; round++) {
        for (int32_t n = 3; n <= 4; n++) {
            assert_int_equal(go(&d, GY_GO_ON, false), GY_STOP_BREAKPOINT);
            assert_int_equal(value(&d, "n"), n);
            assert_int_equal(d.breakpoints.list.at[0].hits, n);
        }
        assert_int_equal(go(&d, GY_GO_ON, false), GY_STOP_DEADLOCK);
        for (int32_t n = 4; n >= 3; n--) {
            assert_int_equal(go(&d, GY_GO_ON, true), GY_STOP_BREAKPOINT);
            assert_int_equal(value(&d, "n"), n);
            assert_int_equal(d.breakpoints.list.at[0].hits, n);
        }
        assert_int_equal(go(&d, GY_GO_ON, true), GY_STOP_START);
        assert_int_equal(d.breakpoints.list.at[0].hits, 0);
    }
    gy_debuggee_jump(&d, 18); // the same count without walking
    assert_int_equal(d.breakpoints.list.at[0].hits, 4);
    gy_debuggee_free(&d);
}

static void lines_are_found(void **state)
{
    gy_debuggee d;
    uint32_t lines[8];
    (void)state;
    open_walk(&d);
    assert_int_equal(gy_break_lines(d.subject.model, "model.pml", 1, 100, lines, 8), 4);
    assert_int_equal(lines[0], 5);
    assert_int_equal(lines[3], 10);
    assert_int_equal(gy_break_lines(d.subject.model, "other.pml", 1, 100, lines, 8), 0);
    assert_int_equal(gy_break_lines(d.subject.model, "model.pml", 7, 3, lines, 8), 0);
    gy_break_request wanted = {
        .file = "model.pml", .line = 7, .condition = "n == 4 && len(q) == 0"};
    gy_breakpoint *b = gy_breakpoints_add(&d.breakpoints, GY_BREAKS_LINES, &wanted);
    gy_breakpoint_resolve(b, &d.expressions);
    assert_null(b->problem);
    assert_int_equal(b->at, 8);
    assert_int_equal(go(&d, GY_GO_ON, false), GY_STOP_BREAKPOINT);
    assert_int_equal(value(&d, "p[1].b[0]"), 0);
    assert_int_equal(go(&d, GY_GO_STEP, false), GY_STOP_DEADLOCK);
    assert_int_equal(value(&d, "p[1].b[0]"), 3);
    gy_debuggee_free(&d);
}

static void values_are_trees(void **state)
{
    gy_debuggee d;
    gy_forest forest;
    gy_decoded_state *scene = malloc(sizeof *scene);
    (void)state;
    open_walk(&d);
    go(&d, GY_GO_ON, false);
    gy_debuggee_scene(&d, scene);
    gy_forest_init(&forest);
    const gy_tree *globals = gy_tree_variables(&forest, scene, -1, "Globals");
    assert_int_equal(globals->children.n, 3);
    assert_string_equal(gy_tree_find(globals, "p[1].b[0]")->value, "3");
    assert_string_equal(gy_tree_find(globals, " p [1] . b ")->value, "[3, 0]");
    assert_string_equal(gy_tree_find(globals, "p[1]")->value, "{a: 0, b: [3, 0]}");
    assert_string_equal(gy_tree_find(globals, "q")->value, "0 of 2");
    static const char *const wrong[] = {"p[2]", "p[",     "p]", ".p", "p.",    "p[1]b",
                                        "x",    "p[1].c", "]",  "",   "p.[1]", "[0]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(gy_tree_find(globals, wrong[i]));
    uint32_t number = globals->number;
    assert_ptr_equal(gy_forest_at(&forest, number), globals);
    gy_forest_clear(&forest);
    assert_null(gy_forest_at(&forest, number)); // of another state
    assert_null(gy_forest_at(&forest, 0));
    gy_forest_free(&forest);
    free(scene);
    gy_debuggee_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_drawn_before_it_is_taken),
        cmocka_unit_test(hits_are_those_of_the_walk),
        cmocka_unit_test(lines_are_found),
        cmocka_unit_test(values_are_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
