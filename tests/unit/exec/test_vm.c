// The virtual machine on models made by hand: one small program for each rule of the
// scheduler, with the number of successors that it must have.
#include "visiting.h"

#include "build_model.h"
#include "exec/view.h"

static void choice_gives_two(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 1));
    b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 2));
    b_end(b, p, 1);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 2);
    assert_int_equal(r->next.at[0].steps[0].edge, 0);
    assert_int_equal(gy_state_view_global(r->system->model, r->next.at[1].state, x, 0), 2);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1); // the end
    assert_int_equal(rig_next(r, &r->next.at[0]), 0); // nothing is left
    rig_free(r);
}

static void guard_decides(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    b_edge(b, p, 0, 1)->guard = b_expr(b, GY_E_GT, b_var(b, x), b_const(b, 0));
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 0);
    assert_false(gy_is_end_state(r->worker, r->start.at[0].state, r->start.at[0].words, false));
    rig_free(r);
}

// 0 -(x == k)-> 1, 0 -else-> 2
static uint32_t with_else(int32_t k, int32_t *edge)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 3);
    b_edge(b, p, 0, 1)->guard = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, k));
    b_edge(b, p, 0, 2)->kind = GY_EDGE_ELSE;
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    uint32_t n = rig_first(r);
    *edge = r->next.at[0].steps[0].edge;
    rig_free(r);
    return n;
}

static void else_is_for_the_rest(void **state)
{
    (void)state;
    int32_t edge;
    assert_int_equal(with_else(0, &edge), 1);
    assert_int_equal(edge, 0);
    assert_int_equal(with_else(1, &edge), 1);
    assert_int_equal(edge, 1);
}

static void escape_comes_first(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 2; k++) {
        builder *b = b_new();
        int32_t x = b_global(b, "x", GY_BYTE);
        int32_t p = b_template(b, "P", 4);
        gy_edge *escape = b_edge(b, p, 0, 1);
        escape->escape = 1;
        escape->guard = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, k));
        b_edge(b, p, 0, 2);
        b_edge(b, p, 0, 3);
        b_start(b, p);
        rig *r = rig_new(b_system(b));
        assert_int_equal(rig_first(r), k == 0 ? 1 : 2);
        assert_int_equal(r->next.at[0].steps[0].edge, k == 0 ? 0 : 1);
        rig_free(r);
    }
}

static void atomic_is_one_transition(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 4);
    b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 1))->keeps_atomic = true;
    b_edge(b, p, 1, 2)->keeps_atomic = true;
    b_edge(b, p, 1, 2)->keeps_atomic = true; // two ways: two transitions to the same state
    b_assign(b, b_edge(b, p, 2, 3), x, b_const(b, 3));
    b_end(b, p, 3);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 2);
    assert_int_equal(r->next.at[0].step_count, 3);
    assert_memory_equal(r->next.at[0].state, r->next.at[1].state, r->next.at[0].words * 4);
    // one statement at a time, the process is exclusive
    seen one = {0};
    gy_single_steps(r->worker, r->start.at[0].state, r->start.at[0].words, -1, see, &one);
    assert_int_equal(one.n, 1);
    assert_int_equal(one.at[0].exclusive, 0);
    seen_clear(&one);
    rig_free(r);
}

// A process inside an atomic that blocks, and another one that frees it.
static void blocked_atomic_is_visible(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 3);
    b_edge(b, p, 0, 1)->keeps_atomic = true;
    b_edge(b, p, 1, 2)->guard = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, 1));
    b_end(b, p, 2);
    int32_t q = b_template(b, "Q", 2);
    b_assign(b, b_edge(b, q, 0, 1), x, b_const(b, 1));
    b_end(b, q, 1);
    b_start(b, p);
    b_start(b, q);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 2); // youngest first: Q, then P up to where it blocks
    seen_one *blocked = &r->next.at[1];
    assert_int_equal(blocked->steps[0].pid, 0);
    assert_int_equal(blocked->step_count, 1);
    assert_int_equal(rig_next(r, blocked), 1);
    assert_int_equal(r->next.at[0].steps[0].pid, 1);
    // in single steps, the exclusive process is tried first and then all
    rig_free(r);
}

// One sender and n receivers on a rendezvous channel; `self`: the sender could receive too.
static uint32_t partners(uint32_t n, bool self)
{
    builder *b = b_new();
    int32_t q = b_channel(b, "q", 0, 1, GY_BYTE);
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t s = b_template(b, "S", 2);
    b_send(b, b_edge(b, s, 0, 1), q, 1, b_const(b, 300)); // cut to 44
    if (self)
        b_receive(b, b_edge(b, s, 0, 1), q, 1, x);
    int32_t t = b_template(b, "R", 2);
    b_receive(b, b_edge(b, t, 0, 1), q, 1, x);
    b_start(b, s);
    for (uint32_t i = 0; i < n; i++)
        b_start(b, t);
    rig *r = rig_new(b_system(b));
    uint32_t count = rig_first(r);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(r->next.at[i].step_count, 1);
        assert_int_equal(r->next.at[i].steps[0].pid, 0);
        assert_int_equal(r->next.at[i].steps[0].partner, (int32_t)(n - i));
        assert_int_equal(gy_state_view_global(r->system->model, r->next.at[i].state, x, 0), 44);
    }
    rig_free(r);
    return count;
}

static void rendezvous_needs_a_partner(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 3; n++) {
        assert_int_equal(partners(n, false), n);
        assert_int_equal(partners(n, true), n);
    }
}

// The sender is in an atomic; the receiver may be too, and then goes on alone.
static uint32_t hand_over(bool receiver_atomic)
{
    builder *b = b_new();
    int32_t q = b_channel(b, "q", 0, 1, GY_BYTE);
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t s = b_template(b, "S", 3);
    b_send(b, b_edge(b, s, 0, 1), q, 1, b_const(b, 1))->keeps_atomic = true;
    b_edge(b, s, 1, 2);
    b_end(b, s, 2);
    int32_t t = b_template(b, "R", 3);
    b_receive(b, b_edge(b, t, 0, 1), q, 1, x)->keeps_atomic = receiver_atomic;
    b_assign(b, b_edge(b, t, 1, 2), x, b_const(b, 9));
    b_end(b, t, 2);
    b_start(b, s);
    b_start(b, t);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    uint32_t steps = r->next.at[0].step_count;
    assert_int_equal(gy_state_view_global(r->system->model, r->next.at[0].state, x, 0),
                     receiver_atomic ? 9 : 1);
    rig_free(r);
    return steps;
}

static void rendezvous_hands_the_atomic_over(void **state)
{
    (void)state;
    assert_int_equal(hand_over(true), 2);
    assert_int_equal(hand_over(false), 1);
}

static void else_beside_an_offer(void **state)
{
    (void)state;
    for (uint32_t receivers = 0; receivers < 2; receivers++) {
        builder *b = b_new();
        int32_t q = b_channel(b, "q", 0, 1, GY_BYTE);
        int32_t x = b_global(b, "x", GY_BYTE);
        int32_t s = b_template(b, "S", 3);
        b_send(b, b_edge(b, s, 0, 1), q, 1, b_const(b, 1));
        b_edge(b, s, 0, 2)->kind = GY_EDGE_ELSE;
        int32_t t = b_template(b, "R", 2);
        b_receive(b, b_edge(b, t, 0, 1), q, 1, x);
        b_start(b, s);
        for (uint32_t i = 0; i < receivers; i++)
            b_start(b, t);
        rig *r = rig_new(b_system(b));
        assert_int_equal(rig_first(r), 1);
        assert_int_equal(r->next.at[0].steps[0].edge, receivers ? 0 : 1);
        rig_free(r);
    }
}

static void timeout_comes_last(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    b_edge(b, p, 0, 1)->guard = b_expr(b, GY_E_TIMEOUT, NULL, NULL);
    b_end(b, p, 1);
    int32_t q = b_template(b, "Q", 3);
    b_assign(b, b_edge(b, q, 0, 1), x, b_const(b, 1));
    b_edge(b, q, 1, 2)->guard = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, 7));
    b_start(b, p);
    b_start(b, q);
    b->model->uses_timeout = true;
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    assert_int_equal(r->next.at[0].steps[0].pid, 1);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1);
    assert_int_equal(r->next.at[0].steps[0].pid, 0);
    rig_free(r);
}

// An atomic that goes round: `way_out` leads out of it.
static void atomic_loop(bool way_out)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BIT);
    int32_t p = b_template(b, "P", 2);
    gy_expr *flip = b_expr(b, GY_E_SUB, b_const(b, 1), b_var(b, x));
    b_assign(b, b_edge(b, p, 0, 0), x, flip)->keeps_atomic = true;
    if (way_out)
        b_edge(b, p, 0, 1);
    b_end(b, p, 1);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    uint32_t n = rig_first(r);
    if (way_out)
        assert_true(n >= 2 && r->next.states == n);
    else {
        assert_int_equal(n, 1);
        assert_int_equal(r->next.at[0].fault, GY_FAULT_ATOMIC_LOOP);
        assert_null(r->next.at[0].state);
    }
    rig_free(r);
}

static void endless_atomic_ends(void **state)
{
    (void)state;
    atomic_loop(true);
    atomic_loop(false);
}

static void processes_come_and_go(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2), q = b_template(b, "Q", 2);
    int32_t a = b_param(b, q, "a", GY_BYTE);
    gy_action *run = b_action(b, b_edge(b, p, 0, 1), GY_A_RUN);
    run->tmpl = q;
    run->var = x;
    run->fields = b_fields(b, 1);
    run->fields[0].expr = b_const(b, 261); // cut to 5
    run->field_count = 1;
    b_end(b, p, 1);
    b_edge(b, q, 0, 1)->guard = b_expr(b, GY_E_EQ, b_var(b, a), b_const(b, 5));
    b_end(b, q, 1);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    assert_int_equal(gy_state_view_global(r->system->model, r->next.at[0].state, x, 0), 1);
    gy_state_view view;
    gy_state_view_state(r->worker, r->next.at[0].state, r->next.at[0].words, &view);
    assert_int_equal(view.process_count, 2);
    assert_int_equal(gy_state_view_local(r->system->model, r->next.at[0].state, &view, 1, a, 0), 5);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1); // P cannot die before Q
    assert_int_equal(r->next.at[0].steps[0].pid, 1);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1); // Q ends
    assert_int_equal(rig_next(r, &r->next.at[0]), 1); // P ends
    assert_int_equal(rig_next(r, &r->next.at[0]), 0);
    rig_free(r);
}

static void only_255_processes(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t p = b_template(b, "P", 2);
    b_action(b, b_edge(b, p, 0, 1), GY_A_RUN)->tmpl = p;
    for (int i = 0; i < 255; i++)
        b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_non_null(r->start.at[0].state);
    seen next = {.stop_after = 1};
    assert_int_equal(
        gy_successors(r->worker, r->start.at[0].state, r->start.at[0].words, see, &next), 77);
    assert_int_equal(next.at[0].fault, GY_FAULT_TOO_MANY_PROCESSES);
    assert_null(next.at[0].state);
    seen_clear(&next);
    rig_free(r);
}

static void buffers_keep_order(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t q = b_channel(b, "q", 2, 2, GY_SHORT);
    int32_t x = b_global(b, "x", GY_SHORT), y = b_global(b, "y", GY_SHORT);
    int32_t p = b_template(b, "P", 6);
    b_send(b, b_edge(b, p, 0, 1), q, 2, b_const(b, 7), b_const(b, -2));
    b_send(b, b_edge(b, p, 1, 2), q, 2, b_const(b, 3), b_const(b, 4))->sorted = true;
    b_send(b, b_edge(b, p, 2, 5), q, 2, b_const(b, 0), b_const(b, 0)); // full
    b_receive(b, b_edge(b, p, 2, 3), q, 2, B_MATCH(7), y);             // 3 stands in front
    gy_edge *any = b_receive(b, b_edge(b, p, 2, 3), q, 2, B_MATCH(7), y);
    any->random = true;
    b_receive(b, b_edge(b, p, 3, 4), q, 2, x, y)->keep = true;
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    const gy_model *m = r->system->model;
    rig_first(r);
    rig_next(r, &r->next.at[0]);
    gy_state_view view;
    gy_state_view_state(r->worker, r->next.at[0].state, r->next.at[0].words, &view);
    assert_int_equal(view.channels[0].length, 2);
    assert_int_equal(gy_state_view_field(m, r->next.at[0].state, &view, 0, 0, 0), 3);
    assert_int_equal(gy_state_view_field(m, r->next.at[0].state, &view, 0, 1, 1), -2);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1);
    assert_int_equal(r->next.at[0].steps[0].edge, 4);
    assert_int_equal(gy_state_view_global(m, r->next.at[0].state, y, 0), -2);
    assert_int_equal(rig_next(r, &r->next.at[0]), 1);
    gy_state_view_state(r->worker, r->next.at[0].state, r->next.at[0].words, &view);
    assert_int_equal(view.channels[0].length, 1);
    assert_int_equal(gy_state_view_global(m, r->next.at[0].state, x, 0), 3);
    rig_free(r);
}

// One edge with an effect that goes wrong.
static void expect_fault(gy_expr *(*make)(builder *b, int32_t x, int32_t a), gy_fault_kind kind,
                         const char *message)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_INT), a = b_array(b, "a", GY_BYTE, 5);
    int32_t p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    b_assign(b, edge, x, b_const(b, 7));
    b_assign(b, edge, x, make(b, x, a));
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    assert_int_equal(r->next.at[0].fault, kind);
    assert_non_null(strstr(r->next.at[0].message, message));
    assert_null(r->next.at[0].state);
    rig_free(r);
}

static gy_expr *bad_index(builder *b, int32_t x, int32_t a)
{
    return b_element(b, a, b_var(b, x));
}

static gy_expr *bad_division(builder *b, int32_t x, int32_t a)
{
    (void)a;
    return b_expr(b, GY_E_DIV, b_var(b, x), b_expr(b, GY_E_SUB, b_var(b, x), b_const(b, 7)));
}

static gy_expr *bad_remainder(builder *b, int32_t x, int32_t a)
{
    return b_expr(b, GY_E_MOD, b_var(b, x), b_element(b, a, b_const(b, 1)));
}

static void faults_name_the_values(void **state)
{
    (void)state;
    expect_fault(bad_index, GY_FAULT_INDEX, "array index 7 out of bounds in a (0..4)");
    expect_fault(bad_division, GY_FAULT_DIVISION, "division by zero (7 / 0)");
    expect_fault(bad_remainder, GY_FAULT_DIVISION, "remainder by zero (7 % 0)");
}

static void assertion_goes_on(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), y = b_global(b, "y", GY_BYTE);
    int32_t p = b_template(b, "P", 3);
    gy_edge *edge = b_edge(b, p, 0, 1);
    b_assign(b, edge, x, b_const(b, 3));
    gy_action *check = b_action(b, edge, GY_A_ASSERT);
    check->expr = b_expr(b, GY_E_EQ, b_var(b, x), b_var(b, y));
    check->text = "assert(x == y)";
    edge = b_edge(b, p, 1, 2);
    edge->keeps_atomic = true; // the same inside an atomic: told on its own
    check = b_action(b, edge, GY_A_ASSERT);
    check->expr = b_const(b, 0);
    b_end(b, p, 2);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_ASSERTION);
    assert_string_equal(r->next.at[0].message, "assertion failed: x == y (x = 3, y = 0)");
    assert_non_null(r->next.at[0].state);
    assert_int_equal(rig_next(r, &r->next.at[0]), 2);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_ASSERTION);
    assert_null(r->next.at[0].state);
    assert_int_equal(r->next.at[1].fault, GY_FAULT_NONE);
    assert_int_equal(r->next.at[1].step_count, 2);
    rig_free(r);
}

// x = 10; do :: x > 0 -> x-- :: else -> break od; TEST x == k
static rig *d_step(int32_t k, bool endless)
{
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    edge->is_d_step = true;
    b_assign(b, edge, x, b_const(b, 10));
    gy_action *select = b_action(b, edge, GY_A_SELECT);
    select->options = GY_NEW_ARRAY(b->model->arena, gy_option, 2);
    select->option_count = 2;
    select->options[0] = (gy_option){b_expr(b, GY_E_GT, b_var(b, x), b_const(b, 0)), 2};
    select->options[1] = (gy_option){NULL, 4};
    gy_expr *less = b_expr(b, GY_E_SUB, b_var(b, x), b_const(b, endless ? 0 : 1));
    b_assign(b, edge, x, less);
    b_action(b, edge, GY_A_JUMP)->target = 1;
    b_action(b, edge, GY_A_TEST)->expr = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, k));
    b_end(b, p, 1);
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    rig_first(r);
    assert_int_equal(r->next.n, 1);
    return r;
}

static void d_step_is_one_step(void **state)
{
    (void)state;
    rig *r = d_step(0, false);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_NONE);
    rig_free(r);
    r = d_step(1, false);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_D_STEP);
    rig_free(r);
    r = d_step(0, true);
    assert_int_equal(r->next.at[0].fault, GY_FAULT_D_STEP);
    assert_non_null(strstr(r->next.at[0].message, "does not end"));
    rig_free(r);
}

static void provided_and_priority(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2), q = b_template(b, "Q", 2), s = b_template(b, "S", 2);
    b_edge(b, p, 0, 1);
    b_edge(b, q, 0, 1);
    b_edge(b, s, 0, 1)->guard = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, 1)); // blocked
    gy_built_template(b, q)->provided = b_expr(b, GY_E_EQ, b_var(b, x), b_const(b, 1));
    gy_built_template(b, q)->priority = 5;
    gy_built_template(b, s)->priority = 9;
    b_start(b, p);
    b_start(b, q);
    b_start(b, s);
    b->model->uses_priority = true;
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1); // S is blocked, Q not provided: P may move
    assert_int_equal(r->next.at[0].steps[0].pid, 0);
    rig_free(r);
}

static void last_is_the_receiver(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t q = b_channel(b, "q", 0, 1, GY_BYTE);
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t s = b_template(b, "S", 2), t = b_template(b, "R", 2);
    b_send(b, b_edge(b, s, 0, 1), q, 1, b_const(b, 1));
    b_receive(b, b_edge(b, t, 0, 1), q, 1, x);
    b_start(b, s);
    b_start(b, t);
    gy_expr *last = b_expr(b, GY_E_LAST, NULL, NULL);
    b->model->uses_last = true;
    rig *r = rig_new(b_system(b));
    assert_int_equal(rig_first(r), 1);
    int32_t value;
    assert_true(
        gy_state_view_eval(r->worker, r->next.at[0].state, r->next.at[0].words, -1, last, &value));
    assert_int_equal(value, 1);
    rig_free(r);
}

static void hidden_variables_are_scratch(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t h = b_global(b, "h", GY_BYTE), x = b_global(b, "x", GY_BYTE);
    gy_built_variable(b, h)->hidden = true;
    int32_t p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    b_assign(b, edge, h, b_const(b, 258));
    b_assign(b, edge, x, b_var(b, h));
    b_assign(b, b_edge(b, p, 1, 0), x, b_var(b, h));
    b_start(b, p);
    rig *r = rig_new(b_system(b));
    rig_first(r);
    assert_int_equal(gy_state_view_global(r->system->model, r->next.at[0].state, x, 0), 2);
    rig_next(r, &r->next.at[0]);
    assert_int_equal(gy_state_view_global(r->system->model, r->next.at[0].state, x, 0), 0);
    rig_free(r);
}

static void lossy_sends_always(void **state)
{
    (void)state;
    for (int lossy = 0; lossy < 2; lossy++) {
        builder *b = b_new();
        int32_t q = b_channel(b, "q", 1, 1, GY_BYTE);
        int32_t p = b_template(b, "P", 3);
        b_send(b, b_edge(b, p, 0, 1), q, 1, b_const(b, 1));
        b_send(b, b_edge(b, p, 1, 2), q, 1, b_const(b, 2));
        b_start(b, p);
        gy_exec_options options = {.lossy = lossy};
        rig *r = rig_new(gy_system_vm(b_model(b), true, &options));
        rig_first(r);
        assert_int_equal(rig_next(r, &r->next.at[0]), (uint32_t)lossy);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choice_gives_two),
        cmocka_unit_test(guard_decides),
        cmocka_unit_test(else_is_for_the_rest),
        cmocka_unit_test(escape_comes_first),
        cmocka_unit_test(atomic_is_one_transition),
        cmocka_unit_test(blocked_atomic_is_visible),
        cmocka_unit_test(rendezvous_needs_a_partner),
        cmocka_unit_test(rendezvous_hands_the_atomic_over),
        cmocka_unit_test(else_beside_an_offer),
        cmocka_unit_test(timeout_comes_last),
        cmocka_unit_test(endless_atomic_ends),
        cmocka_unit_test(processes_come_and_go),
        cmocka_unit_test(only_255_processes),
        cmocka_unit_test(buffers_keep_order),
        cmocka_unit_test(faults_name_the_values),
        cmocka_unit_test(assertion_goes_on),
        cmocka_unit_test(d_step_is_one_step),
        cmocka_unit_test(provided_and_priority),
        cmocka_unit_test(last_is_the_receiver),
        cmocka_unit_test(hidden_variables_are_scratch),
        cmocka_unit_test(lossy_sends_always),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
