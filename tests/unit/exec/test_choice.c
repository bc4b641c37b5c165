// Values that are chosen, several initial states, simultaneous assignment: models made by hand
// whose states and transitions are counted by hand (the comments do), in every engine, with and
// without the passes that reduce.
#include "visiting.h"

#include "build_model.h"
#include "exec/native/native.h"
#include "model/passes/passes.h"
#include "search/search.h"
#include "store/kinds.h"
#include "verify/recheck.h"

static uint64_t initial_states(gy_system *system)
{
    seen all = {0};
    gy_worker *worker = gy_worker_new(system);
    gy_initial(worker, see, &all);
    uint64_t n = all.n;
    seen_clear(&all);
    gy_worker_free(worker);
    return n;
}

// ---- counting ---------------------------------------------------------------------------

static void count(gy_model *model, gy_search_kind kind, gy_store_kind store, unsigned threads,
                  bool reduce, uint64_t states, uint64_t transitions)
{
    gy_system *system = gy_system_vm(model, false, NULL);
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = kind;
    options.store = store;
    options.threads = threads;
    options.reduce = options.symmetry = reduce;
    options.max_errors = 0;
    options.check_end_states = false;
    gy_search_result *result = gy_search(system, &options);
    assert_int_equal(result->completeness, GY_COMPLETE);
    assert_int_equal(result->errors, 0);
    assert_int_equal(result->states, states);
    // as in Spin's count, coming to an initial state is one
    assert_int_equal(result->transitions, initial_states(system) + transitions);
    gy_search_result_free(result);
    gy_system_free(system);
}

static void in_all_engines(gy_model *model, uint64_t states, uint64_t transitions)
{
    for (gy_store_kind store = GY_STORE_TREE; store <= GY_STORE_PLAIN; store++)
        for (unsigned kind = 0; kind < 8; kind++)
            count(model, kind & 1 ? GY_SEARCH_DFS : GY_SEARCH_BFS, store, kind & 2 ? 2 : 1,
                  kind & 4, states, transitions);
}

// With all passes, whatever they make of it (formulas read nothing): no error, no more states.
static void with_passes(gy_model *model, uint64_t most)
{
    gy_passes passes = {true, true, true, true};
    gy_watched watched = {0};
    gy_saved saved;
    gy_model *reduced = gy_model_reduced(model, &passes, &watched, &saved);
    gy_model_must_be_valid(reduced, GY_STAGE_COMPLETE, "the passes");
    gy_system *system = gy_system_vm(reduced, false, NULL);
    gy_search_options options;
    gy_search_defaults(&options);
    options.check_end_states = false;
    gy_search_result *result = gy_search(system, &options);
    assert_int_equal(result->completeness, GY_COMPLETE);
    assert_int_equal(result->errors, 0);
    assert_true(result->states <= most);
    gy_search_result_free(result);
    gy_system_free(system);
}

// ---- choices ----------------------------------------------------------------------------

// d is thrown, examined, thrown again: (0, before), (1..6, after), (1..6, before) are 13 states;
// six transitions from each of the 7 states before, one from each of the 6 after.
static void a_die(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t d = b_global(b, "d", GY_BYTE), p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    gy_build_choose(b, gy_built_effect(edge), d, NULL, b_const(b, 1), b_const(b, 6));
    edge = b_edge(b, p, 1, 0);
    gy_build_assert(b, edge, b_expr(b, GY_E_LE, b_var(b, d), b_const(b, 6)), NULL);
    b_start(b, p);
    gy_model *model = b_model(b);
    assert_true(model->uses_choice);
    in_all_engines(model, 13, 48);
    with_passes(model, 13);
    gy_model_free(model);
}

// x in 0..2, then y in x..2, in one effect: 3 + 2 + 1 successors, in the order of the values.
static void a_choice_that_depends_on_another(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t a = b_array(b, "a", GY_BYTE, 2), p = b_template(b, "P", 2);
    gy_action_list *effect = gy_built_effect(b_edge(b, p, 0, 1));
    gy_build_choose(b, effect, a, b_const(b, 0), b_const(b, 0), b_const(b, 2));
    gy_build_choose(b, effect, a, b_const(b, 1), gy_build_read(b, a, b_const(b, 0)), b_const(b, 2));
    b_start(b, p);
    gy_model *model = b_model(b);
    in_all_engines(model, 7, 6);
    gy_system *system = gy_system_vm(model, true, NULL);
    rig *r = rig_new(system);
    assert_int_equal(rig_first(r), 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(r->next.at[i].steps[0].choice, i);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_memory_not_equal(r->next.at[i].state, r->next.at[k].state,
                                    r->next.at[i].words * sizeof(gy_word));
    rig_free(r);
}

static void nothing_to_choose_from(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), p = b_template(b, "P", 2);
    gy_build_choose(b, gy_built_effect(b_edge(b, p, 0, 1)), x, NULL, b_const(b, 3), b_const(b, 1));
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    assert_null(r->next.at[0].state);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_CHOICE);
    assert_non_null(strstr(r->next.at[0].message, "nothing to choose from for x (3 .. 1)"));
    rig_free(r);
}

// An `else` that chooses from 0..3 fires four times though it is the only edge that fires.
static void an_else_that_chooses(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), p = b_template(b, "P", 2);
    b_edge(b, p, 0, 1)->guard = b_expr(b, GY_E_GE, b_var(b, x), b_const(b, 2));
    gy_edge *edge = b_edge(b, p, 0, 0);
    edge->kind = GY_EDGE_ELSE;
    gy_build_choose(b, gy_built_effect(edge), x, NULL, b_const(b, 0), b_const(b, 3));
    b_start(b, p);
    gy_model *model = b_model(b);
    // x 0 and 1: four transitions each; x 2 and 3: one each, to two states after
    in_all_engines(model, 6, 10);
    gy_model_free(model);
}

// After the choice of 0..2 the process goes on alone if it can: not with 1, which becomes visible.
static void a_choice_in_an_atomic_sequence(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t d = b_global(b, "d", GY_BYTE), p = b_template(b, "P", 3);
    gy_edge *edge = b_edge(b, p, 0, 1);
    edge->keeps_atomic = true;
    gy_build_choose(b, gy_built_effect(edge), d, NULL, b_const(b, 0), b_const(b, 2));
    edge = b_edge(b, p, 1, 2);
    edge->guard = b_expr(b, GY_E_NE, b_var(b, d), b_const(b, 1));
    edge->keeps_atomic = true;
    edge = b_edge(b, p, 2, 0); // adds 0 or 1
    gy_build_choose(b, gy_built_effect(edge), d, NULL, b_var(b, d),
                    b_expr(b, GY_E_ADD, b_var(b, d), b_const(b, 1)));
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 5); // 0 -> 0, 1; 1 blocks; 2 -> 2, 3
    assert_int_equal(r->next.states, 5);
    assert_int_equal(r->next.at[0].step_count, 3);
    assert_int_equal(r->next.at[2].step_count, 1);
    static const uint32_t first[] = {0, 0, 1, 2, 2}, last[] = {0, 1, 0, 0, 1};
    for (uint32_t i = 0; i < 5; i++) {
        const seen_one *one = &r->next.at[i];
        assert_int_equal(one->steps[0].choice, first[i]);
        assert_int_equal(one->steps[one->step_count - 1].choice, i == 2 ? first[i] : last[i]);
    }
    rig_free(r);
}

// The sender's effect chooses one of two, the receiver's one of three: six joint transitions.
static void choices_on_both_sides_of_a_rendezvous(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
    int32_t q = b_channel(b, "q", 0, 1, GY_BYTE);
    int32_t p = b_template(b, "P", 2), r = b_template(b, "R", 2),
            got = b_local(b, r, "got", GY_BYTE);
    gy_edge *edge = b_send(b, b_edge(b, p, 0, 1), q, 1, b_const(b, 7));
    gy_build_choose(b, gy_built_effect(edge), x, NULL, b_const(b, 1), b_const(b, 2));
    edge = b_receive(b, b_edge(b, r, 0, 1), q, 1, got);
    gy_build_choose(b, gy_built_effect(edge), y, NULL, b_const(b, 1), b_const(b, 3));
    b_start(b, p);
    b_start(b, r);
    gy_model *model = b_model(b);
    in_all_engines(model, 7, 6);
    rig *all = rig_new(gy_system_vm(model, true, NULL));
    assert_int_equal(rig_first(all), 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(all->next.at[i].steps[0].choice, i / 3);
        assert_int_equal(all->next.at[i].steps[0].partner_choice, i % 3);
    }
    rig_free(all);
}

// ---- initial states ---------------------------------------------------------------------

// x in 0..3 and y in 0..x at the start are 1 + 2 + 3 + 4 initial states; y counts up to x, which
// leads from one of them to another: no new state, 0 + 1 + 2 + 3 transitions.
static void several_initial_states(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
    gy_build_choose(b, &b->init, x, NULL, b_const(b, 0), b_const(b, 3));
    gy_build_choose(b, &b->init, y, NULL, b_const(b, 0), b_var(b, x));
    int32_t p = b_template(b, "P", 1);
    gy_edge *edge = b_edge(b, p, 0, 0);
    edge->guard = b_expr(b, GY_E_LT, b_var(b, y), b_var(b, x));
    b_assign(b, edge, y, b_expr(b, GY_E_ADD, b_var(b, y), b_const(b, 1)));
    b_start(b, p);
    gy_model *model = b_model(b);
    in_all_engines(model, 10, 6);
    with_passes(model, 10);
    gy_system *system = gy_system_vm(model, true, NULL);
    rig *r = rig_new(system);
    assert_int_equal(r->start.n, 10);
    rig_free(r);
}

// An error that only one of the initial states leads to, and then only one of the values that a
// step chooses, is found, and the path that is shown begins there and chooses that.
static void an_error_behind_one_initial_state(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        builder *b = b_new();
        int32_t x = b_global(b, "x", GY_BYTE);
        int32_t y = b_global(b, "y", GY_BYTE);
        gy_build_choose(b, &b->init, x, NULL, b_const(b, 0), b_const(b, 20));
        int32_t p = b_template(b, "P", 3);
        gy_build_choose(b, gy_built_effect(b_edge(b, p, 0, 1)), y, NULL, b_const(b, 0),
                        b_const(b, 9));
        gy_edge *edge = b_edge(b, p, 1, 2);
        gy_expr *sum =
            b_expr(b, GY_E_ADD, b_expr(b, GY_E_MUL, b_var(b, x), b_const(b, 10)), b_var(b, y));
        gy_build_assert(b, edge, b_expr(b, GY_E_NE, sum, b_const(b, 157)), "10 x + y != 157");
        b_start(b, p);
        gy_system *system = b_system(b);
        gy_search_options options;
        gy_search_defaults(&options);
        options.search = kind ? GY_SEARCH_DFS : GY_SEARCH_BFS;
        options.check_end_states = false;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->errors, 1);
        assert_int_equal(result->witness_count, 1);
        assert_int_equal(result->witnesses[0].step_count, 2);
        gy_path *path = gy_path_new(system);
        const char *why = "";
        if (!gy_recheck_witness(path, &result->witnesses[0], false, &why))
            fail_msg("%s", why);
        assert_int_equal(gy_path_last(path)->fault, GY_FAULT_ASSERTION);
        gy_path_free(path);
        gy_search_result_free(result);
        gy_system_free(system);
    }
}

// ---- simultaneous assignment ------------------------------------------------------------

static gy_model *fibonacci(void)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
    gy_action *one = gy_build_action_in(b, &b->init, GY_A_ASSIGN);
    one->var = y;
    one->expr = b_const(b, 1);
    int32_t p = b_template(b, "P", 1);
    gy_action *all = b_action(b, b_edge(b, p, 0, 0), GY_A_ASSIGN_ALL);
    gy_build_target(b, all, x, NULL, b_var(b, y));
    gy_build_target(
        b, all, y, NULL,
        b_expr(b, GY_E_MOD, b_expr(b, GY_E_ADD, b_var(b, x), b_var(b, y)), b_const(b, 10)));
    b_start(b, p);
    return b_model(b);
}

// (x, y) = (y, (x + y) % 10): the last digits of Fibonacci's numbers repeat after 60.
static void the_period_of_fibonacci(void **state)
{
    (void)state;
    gy_model *model = fibonacci();
    in_all_engines(model, 60, 60);
    with_passes(model, 60);
    gy_model_free(model);
}

static void the_period_in_native_code(void **state)
{
    (void)state;
    gy_native_options native = {.mode = GY_NATIVE_WAIT};
    char *problem = NULL;
    gy_system *system = gy_system_native(fibonacci(), true, NULL, &native, &problem);
    assert_non_null(system);
    gy_search_options options;
    gy_search_defaults(&options);
    options.check_end_states = false;
    gy_search_result *result = gy_search(system, &options);
    assert_int_equal(result->states, 60);
    gy_native_status status;
    assert_true(gy_native_look(system, &status));
    assert_true(status.native > 0);
    gy_search_result_free(result);
    gy_system_free(system);
    free(problem);
}

// a[i], i = 9, 1 with i 0 stores into a[0]; of two stores into one place the later one stays.
static void indices_are_those_of_before(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t a = b_array(b, "a", GY_BYTE, 2), i = b_global(b, "i", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    gy_action *all = b_action(b, edge, GY_A_ASSIGN_ALL);
    gy_build_target(b, all, i, NULL, b_const(b, 1));
    gy_build_target(b, all, a, b_var(b, i), b_const(b, 8));
    gy_build_target(b, all, a, b_const(b, 0), b_const(b, 9));
    gy_build_assert(b, edge,
                    b_expr(b, GY_E_AND,
                           b_expr(b, GY_E_EQ, gy_build_read(b, a, b_const(b, 0)), b_const(b, 9)),
                           b_expr(b, GY_E_EQ, gy_build_read(b, a, b_const(b, 1)), b_const(b, 0))),
                    NULL);
    b_start(b, p);
    gy_model *model = b_model(b);
    in_all_engines(model, 2, 1);
    with_passes(model, 2);
    gy_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_die),
        cmocka_unit_test(a_choice_that_depends_on_another),
        cmocka_unit_test(nothing_to_choose_from),
        cmocka_unit_test(an_else_that_chooses),
        cmocka_unit_test(a_choice_in_an_atomic_sequence),
        cmocka_unit_test(choices_on_both_sides_of_a_rendezvous),
        cmocka_unit_test(several_initial_states),
        cmocka_unit_test(an_error_behind_one_initial_state),
        cmocka_unit_test(the_period_of_fibonacci),
        cmocka_unit_test(the_period_in_native_code),
        cmocka_unit_test(indices_are_those_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
