// Steps of several processes (gy_build_event) and committed locations: models made by hand whose
// states, transitions and deadlocks are counted by hand (the comments do), in the virtual machine
// and in compiled code, with and without reductions.
#include "visiting.h"

#include "build_model.h"
#include "exec/native/native.h"
#include "model/model_text.h"
#include "model/passes/passes.h"
#include "search/search.h"

#include <unistd.h>

typedef struct expected {
    uint64_t states, transitions, deadlocks;
} expected;

static gy_search_result *search(gy_model *model, bool native, bool reduce, gy_search_kind kind)
{
    gy_exec_options exec = {0};
    bool quick = access("/usr/bin/tcc", X_OK) == 0;
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .compiler = quick ? "tcc" : NULL};
    char *problem = NULL;
    gy_system *system = native ? gy_system_native(model, false, &exec, &options, &problem)
                               : gy_system_vm(model, false, NULL);
    if (!system)
        fail_msg("%s", problem);
    gy_search_options asked;
    gy_search_defaults(&asked);
    asked.search = kind;
    asked.reduce = asked.symmetry = reduce;
    asked.hostile = reduce; // else small systems are searched without
    asked.check_reduction = reduce;
    asked.max_errors = 0;
    gy_search_result *result = gy_search(system, &asked);
    assert_int_equal(result->completeness, GY_COMPLETE);
    gy_system_free(system);
    return result;
}

static void count(gy_model *model, expected wanted)
{
    for (unsigned n = 0; n < 4; n++) {
        gy_search_kind kind = n & 1 ? GY_SEARCH_DFS : GY_SEARCH_BFS;
        gy_search_result *full = search(model, n & 2, false, kind);
        assert_int_equal(full->states, wanted.states);
        assert_int_equal(full->transitions, 1 + wanted.transitions); // one leads to the first
        assert_int_equal(full->errors, wanted.deadlocks);
        gy_search_result *reduced = search(model, n & 2, true, kind);
        assert_true(reduced->states <= wanted.states);
        assert_int_equal(reduced->errors > 0, wanted.deadlocks > 0);
        gy_search_result_free(full);
        gy_search_result_free(reduced);
    }
    gy_passes passes = {true, true, true, true};
    gy_watched watched = {0};
    gy_saved saved;
    gy_model *fewer = gy_model_reduced(model, &passes, &watched, &saved);
    gy_model_must_be_valid(fewer, GY_STAGE_COMPLETE, "the passes");
    gy_search_result *result = search(fewer, false, false, GY_SEARCH_BFS);
    assert_true(result->states <= wanted.states);
    assert_int_equal(result->errors > 0, wanted.deadlocks > 0);
    gy_search_result_free(result);
    gy_model_free(model);
}

// ---- three at once ----------------------------------------------------------------------------

// A, B and C get ready, each by itself (0 -> 1), and go back to 0 together while x < 2. The effects
// run in the order of the parties: x = x + 1, then y = x, then C asserts that y == x.
// For each x of 0, 1, 2 there are 2 * 2 * 2 states and 3 * 4 steps of getting ready; x grows from 0
// and from 1, where all are ready. With x = 2 and all ready no process is enabled: one deadlock.
static void in_order_of_the_parties(void **unused)
{
    (void)unused;
    static const int32_t pids[] = {0, 1, 2};
    for (int joint = 0; joint < 2; joint++) {
        builder *b = b_new();
        b->model->joint_rendezvous = joint;
        int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
        int32_t event = gy_build_event(b, "meet", pids, 3);
        gy_edge *edges[3];
        for (int i = 0; i < 3; i++) {
            int32_t tmpl = b_template(b, (const char *[]){"A", "B", "C"}[i], 2);
            b_edge(b, tmpl, 0, 1);
            edges[i] = gy_build_takes_part(b_edge(b, tmpl, 1, 0), event);
            b_start(b, tmpl);
        }
        edges[0]->guard = b_expr(b, GY_E_LT, b_var(b, x), b_const(b, 2));
        b_assign(b, edges[0], x, b_expr(b, GY_E_ADD, b_var(b, x), b_const(b, 1)));
        b_assign(b, edges[1], y, b_var(b, x));
        gy_build_assert(b, edges[2], b_expr(b, GY_E_EQ, b_var(b, y), b_var(b, x)), "y == x");
        assert_null(gy_build_events_wrong(b));
        count(b_model(b), (expected){24, 38, 1});
    }
}

// One edge for each party: B's guards are about its own variable n, C may take either edge. A is
// always ready. (B, C) with n = 0: 00, 10, 01, 11; from 11 B goes back with n = 1, C to 0 or to its
// end 2. With n = 1: 00, 10, 01, 11, from there B to its end 2 and C to 0 or 2: 20, 21, 22; and, C
// having ended first, 02, 12. 13 states; steps: 2 + 1 + 1 + 2, then 2 + 1 + 1 + 2 and 02 -> 12,
// 20 -> 21. No process is enabled in 12, 21, 22.
static void every_choice_of_edges(void **unused)
{
    (void)unused;
    static const int32_t pids[] = {0, 1, 2};
    builder *b = b_new();
    int32_t event = gy_build_event(b, "meet", pids, 3);
    int32_t a = b_template(b, "A", 1);
    gy_build_takes_part(b_edge(b, a, 0, 0), event);
    int32_t p = b_template(b, "B", 3), n = b_local(b, p, "n", GY_BYTE);
    b_edge(b, p, 0, 1);
    gy_edge *edge = gy_build_takes_part(b_edge(b, p, 1, 0), event);
    edge->guard = b_expr(b, GY_E_EQ, b_var(b, n), b_const(b, 0));
    b_assign(b, edge, n, b_const(b, 1));
    edge = gy_build_takes_part(b_edge(b, p, 1, 2), event);
    edge->guard = b_expr(b, GY_E_EQ, b_var(b, n), b_const(b, 1));
    int32_t c = b_template(b, "C", 3);
    b_edge(b, c, 0, 1);
    gy_build_takes_part(b_edge(b, c, 1, 0), event);
    gy_build_takes_part(b_edge(b, c, 1, 2), event);
    b_start(b, a);
    b_start(b, p);
    b_start(b, c);
    count(b_model(b), (expected){13, 14, 3});
}

// Four processes of one template, of which 0, 1 and 3 are the parties, once each (n < 1). They get
// ready by themselves. Before and after the event 2^4 states and 4 * 8 steps each; it happens where
// the parties are ready, whatever number 2 does: 2 steps. All ready, with n = 1: a deadlock.
static void parties_of_one_template(void **unused)
{
    (void)unused;
    static const int32_t pids[] = {3, 0, 1};
    builder *b = b_new();
    int32_t event = gy_build_event(b, "meet", pids, 3);
    int32_t p = b_template(b, "P", 2), n = b_local(b, p, "n", GY_BYTE);
    b_edge(b, p, 0, 1);
    gy_edge *edge = gy_build_takes_part(b_edge(b, p, 1, 0), event);
    edge->guard = b_expr(b, GY_E_LT, b_var(b, n), b_const(b, 1));
    b_assign(b, edge, n, b_expr(b, GY_E_ADD, b_var(b, n), b_const(b, 1)));
    for (int i = 0; i < 4; i++)
        b_start(b, p);
    count(b_model(b), (expected){32, 66, 1});
}

// A fault in the effect of a party, whichever it is, is one of the step: y = 1 / x with x = 0.
static void faults(void **unused)
{
    (void)unused;
    static const int32_t pids[] = {0, 1, 2};
    for (int party = 0; party < 3; party++) {
        builder *b = b_new();
        int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
        int32_t event = gy_build_event(b, "meet", pids, 3);
        for (int i = 0; i < 3; i++) {
            int32_t tmpl = b_template(b, (const char *[]){"A", "B", "C"}[i], 2);
            gy_edge *edge = gy_build_takes_part(b_edge(b, tmpl, 0, 1), event);
            if (i == party)
                b_assign(b, edge, y, b_expr(b, GY_E_DIV, b_const(b, 1), b_var(b, x)));
            b_start(b, tmpl);
        }
        gy_system *system = b_system(b);
        gy_worker *worker = gy_worker_new(system);
        seen first = {0}, next = {0};
        gy_initial(worker, see, &first);
        assert_int_equal(first.n, 1);
        gy_successors(worker, first.at[0].state, first.at[0].words, see, &next);
        assert_int_equal(next.n, 1);
        assert_int_equal(next.at[0].fault, GY_FAULT_DIVISION);
        assert_null(next.at[0].state);
        seen_clear(&first);
        seen_clear(&next);
        gy_worker_free(worker);
        gy_system_free(system);
    }
}

static void what_can_not_be(void **unused)
{
    (void)unused;
    static const int32_t pids[] = {0, 1};
    enum { TWICE, NOBODY, ELSE, SENDS, TIMEOUT, COMMITS, FINE };
    static const char *const told[] = {"twice",
                                       "no process of the start",
                                       "`else`",
                                       "plain but for guard and effect",
                                       "only its process",
                                       "committed"};
    for (int wrong = TWICE; wrong <= FINE; wrong++) {
        builder *b = b_new();
        int32_t q = b_channel(b, "q", 1, 1, GY_BYTE);
        int32_t event = gy_build_event(b, "e", wrong == TWICE ? (const int32_t[]){1, 1} : pids, 2);
        int32_t p = b_template(b, "P", 2);
        gy_edge *edge = gy_build_takes_part(b_edge(b, p, 0, 1), event);
        if (wrong == ELSE)
            b_edge(b, p, 0, 1)->kind = GY_EDGE_ELSE;
        if (wrong == SENDS)
            b_send(b, edge, q, 1, b_const(b, 1));
        if (wrong == TIMEOUT)
            edge->guard = gy_build_expr(b, GY_E_TIMEOUT);
        if (wrong == COMMITS)
            gy_built_node(b, p, 1)->flags |= GY_NODE_COMMITTED;
        b_start(b, p);
        if (wrong != NOBODY)
            b_start(b, p);
        const char *why = gy_build_events_wrong(b);
        if (wrong == FINE)
            assert_null(why);
        else
            assert_non_null(strstr(why, told[wrong]));
        gy_model *model = b->model;
        gy_build_abandon(b);
        gy_model_free(model);
    }
}

// ---- committed locations --------------------------------------------------------------------

// Two of T go 0 -> 1 -> 2, and 1 is committed; U goes 0 -> 1. While one of T is at 1 only it moves,
// so that they are never both there: 00 10 20 01 02 21 12 22, with U at 0 or at 1: 16 states. T
// makes 2 + 1 + 1 + 1 + 1 + 1 + 1 steps of these, for each place of U; U moves at 00, 20, 02, 22:
// 20 steps. The end is the only deadlock.
static gy_model *two_that_commit(void)
{
    builder *b = b_new();
    int32_t t = b_template(b, "T", 3), u = b_template(b, "U", 2);
    b_edge(b, t, 0, 1);
    b_edge(b, t, 1, 2);
    gy_built_node(b, t, 1)->flags |= GY_NODE_COMMITTED;
    b_edge(b, u, 0, 1);
    b_start(b, t);
    b_start(b, t);
    b_start(b, u);
    gy_model *model = b->model;
    gy_build_finish(b);
    return model;
}

static gy_model *complete(gy_model *model)
{
    gy_model_lower_committed(model);
    gy_model_layout(model);
    gy_model_access(model);
    gy_model_must_be_valid(model, GY_STAGE_COMPLETE, "lowering committed nodes");
    return model;
}

static void others_wait(void **unused)
{
    (void)unused;
    gy_model *model = two_that_commit();
    gy_text text = {0};
    gy_model_print(model, &text);
    assert_non_null(strstr(gy_text_str(&text), "node 1 committed\n"));
    gy_text_free(&text);
    count(complete(model), (expected){16, 20, 1});
}

static void validated(void **unused)
{
    (void)unused;
    for (int broken = 0; broken < 4; broken++) {
        gy_model *model = two_that_commit();
        gy_text why = {0};
        gy_model_stage stage = GY_STAGE_BUILT;
        if (broken == 1) {
            model->edges[0].kind = GY_EDGE_ELSE;
        } else if (broken == 2) {
            model->channel_types = GY_NEW_ARRAY(model->arena, gy_channel_type, 1);
            model->channel_types[0].owner = GY_NONE;
            model->channel_type_count = 1;
        } else if (broken == 3) {
            gy_model_layout(model);
            gy_model_access(model);
            stage = GY_STAGE_COMPLETE;
        }
        assert_int_equal(gy_model_invalid(model, stage, &why), broken > 0);
        if (broken)
            assert_non_null(strstr(gy_text_str(&why), "committed nodes: "));
        gy_text_free(&why);
        gy_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order_of_the_parties),
        cmocka_unit_test(every_choice_of_edges),
        cmocka_unit_test(parties_of_one_template),
        cmocka_unit_test(faults),
        cmocka_unit_test(what_can_not_be),
        cmocka_unit_test(others_wait),
        cmocka_unit_test(validated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
