// Lowering: from the syntax tree to MODEL. The numbers of states and transitions are those that
// `pan -d` prints for the same text.
#include "load/load.h"
#include "model/spin_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static gy_model *lower(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    if (!model) {
        gy_text out = {0};
        gy_diags_print(diags, &out, false);
        print_error("%s", gy_text_str(&out));
        gy_text_free(&out);
    }
    gy_diags_free(diags);
    assert_non_null(model);
    return model;
}

static const gy_variable *find_var(const gy_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->var_count; i++)
        if (strcmp(model->vars[i].name, name) == 0)
            return &model->vars[i];
    fail_msg("no variable %s", name);
    return NULL;
}

// The edge of template `tmpl` that has Spin's number `id` and leaves Spin's state `state`.
static const gy_edge *find_edge(const gy_model *model, int32_t tmpl, int32_t state, int32_t id)
{
    const gy_template *t = &model->templates[tmpl];
    for (int32_t i = 0; i < t->edge_count; i++) {
        const gy_edge *edge = &model->edges[t->first_edge + i];
        if (gy_spin_transition(model, edge->id) == id &&
            gy_spin_state(model, tmpl, edge->from) == state)
            return edge;
    }
    fail_msg("no edge %d from state %d", id, state);
    return NULL;
}

static const gy_node *node_of_state(const gy_model *model, int32_t tmpl, int32_t state)
{
    const gy_template *t = &model->templates[tmpl];
    for (uint32_t i = 0; i < t->node_count; i++)
        if (gy_spin_state(model, tmpl, (int32_t)i) == state)
            return &t->nodes[i];
    return NULL;
}

static void structures_become_one_array_per_member(void **state)
{
    (void)state;
    gy_model *model = lower("typedef T { byte p; int q[2] }; T s[3]; active proctype A() { skip }");
    const gy_variable *p = find_var(model, "s.p"), *q = find_var(model, "s.q");
    assert_int_equal(p->count, 3);
    assert_int_equal(q->count, 6);
    gy_text name = {0};
    gy_variable_name(q, 3, &name);
    assert_string_equal(gy_text_str(&name), "s[1].q[1]");
    gy_text_free(&name);
    gy_model_free(model);
}

static void types_have_the_width_that_spin_gives_them(void **state)
{
    (void)state;
    gy_model *model = lower("bit a; bit b[2]; short c; unsigned d : 3; mtype e; chan f; "
                            "active proctype A() { skip }");
    assert_int_equal(find_var(model, "a")->type.width, 1);
    assert_int_equal(find_var(model, "b")->type.width, 8); // arrays of bits are bytes
    assert_int_equal(find_var(model, "c")->min, -32768);
    assert_int_equal(find_var(model, "d")->max, 7);
    assert_int_equal(find_var(model, "e")->max, 255);
    assert_int_equal(find_var(model, "f")->max, 255);
    gy_model_free(model);
}

static void messages_carry_all_members_of_a_structure(void **state)
{
    (void)state;
    gy_model *model = lower("typedef T { byte p; short q[2] }; chan c = [2] of { bit, T };"
                            "active proctype A() { T x; c!1,x; c?_,x }");
    assert_int_equal(model->channel_type_count, 1);
    assert_int_equal(model->channel_types[0].field_count, 4);
    assert_int_equal(model->channel_types[0].fields[0].width, 1);
    assert_int_equal(model->channel_types[0].fields[2].width, 16);
    const gy_edge *send = find_edge(model, 0, 1, 0), *receive = find_edge(model, 0, 2, 1);
    assert_int_equal(send->sync, GY_SYNC_SEND);
    assert_int_equal(send->field_count, 4);
    assert_int_equal(receive->sync, GY_SYNC_RECV);
    assert_int_equal(receive->fields[0].kind, GY_FIELD_IGNORE);
    assert_int_equal(receive->fields[3].kind, GY_FIELD_STORE);
    gy_model_free(model);
}

static void declarations_behind_statements_are_steps(void **state)
{
    (void)state;
    // x = 1; a[0] = 0; b = 7; (a structure: nothing); end
    gy_model *model =
        lower("typedef T { byte p }; byte x;"
              "active proctype A() { byte w; x = 1; { byte a[3]; int b = 7; T t; skip } }");
    const gy_edge *array = find_edge(model, 0, 6, 1), *scalar = find_edge(model, 0, 3, 2);
    assert_int_equal(array->effect->actions[0].kind, GY_A_ASSIGN);
    assert_non_null(array->effect->actions[0].index);
    assert_int_equal(scalar->effect->actions[0].expr->value, 7);
    assert_null(find_edge(model, 0, 4, 3)->effect);
    assert_non_null(node_of_state(model, 0, 7));
    gy_model_free(model);
}

static void choices_in_choices_are_offered_together(void **state)
{
    (void)state;
    gy_model *model =
        lower("byte x; active proctype A() {"
              " do :: x == 0 -> x = 1 :: if :: x == 1 -> x = 2 :: x == 2 -> break fi od }");
    const gy_template *t = &model->templates[0];
    assert_int_equal(t->nodes[t->initial].edge_count, 3);
    gy_model_free(model);
}

static void else_is_an_edge_of_its_own_kind_and_last(void **state)
{
    (void)state;
    gy_model *model = lower("byte x; active proctype A() { if :: else -> x = 1 :: x == 0 fi }");
    const gy_node *first = &model->templates[0].nodes[0];
    assert_int_equal(first->edge_count, 2);
    assert_int_equal(model->edges[first->first_edge].kind, GY_EDGE_NORMAL);
    assert_int_equal(model->edges[first->first_edge + 1].kind, GY_EDGE_ELSE);
    gy_model_free(model);
}

static void atomic_sequences_keep_control_until_their_last_statement(void **state)
{
    (void)state;
    gy_model *model =
        lower("byte x; active proctype A() { atomic { x = 1; x = 2; x = 3 }; x = 4 }");
    assert_true(find_edge(model, 0, 4, 0)->keeps_atomic);
    assert_true(find_edge(model, 0, 2, 1)->keeps_atomic);
    assert_false(find_edge(model, 0, 3, 2)->keeps_atomic);
    gy_model_free(model);
}

static void a_choice_at_the_end_of_an_atomic_is_left_by_a_step(void **state)
{
    (void)state;
    // as `pan -d` shows: a .(goto) with number 5 leaves the atomic sequence
    gy_model *model = lower("byte x; active proctype A() {"
                            " atomic { x = 1; if :: x == 1 -> skip :: x == 2 fi }; x = 4 }");
    const gy_edge *leave = find_edge(model, 0, 6, 5);
    assert_false(leave->keeps_atomic);
    assert_null(leave->guard);
    gy_model_free(model);
}

static void escapes_come_first_the_outermost_before_the_inner(void **state)
{
    (void)state;
    gy_model *model =
        lower("byte x; active proctype A() {"
              " { { x = 1; x = 2 } unless { x == 8 -> x = 0 } } unless { x == 9 -> x = 0 } }");
    const gy_node *first = &model->templates[0].nodes[0];
    const gy_edge *edges = model->edges + first->first_edge;
    assert_int_equal(first->edge_count, 3);
    assert_int_equal(edges[0].guard->b->value, 9);
    assert_int_equal(edges[0].escape, 1);
    assert_int_equal(edges[1].guard->b->value, 8);
    assert_int_equal(edges[1].escape, 2);
    assert_int_equal(edges[2].escape, 0);
    gy_model_free(model);
}

static void labels_mark_states(void **state)
{
    (void)state;
    gy_model *model = lower("byte x; active proctype A() {"
                            " end1: x = 1; progress: x = 2; accept_it: do :: x == 2 od }");
    assert_int_equal(node_of_state(model, 0, 1)->flags, GY_NODE_END);
    assert_int_equal(node_of_state(model, 0, 2)->flags, GY_NODE_PROGRESS);
    assert_int_equal(node_of_state(model, 0, 4)->flags, GY_NODE_ACCEPT);
    gy_model_free(model);
}

static void a_labelled_goto_becomes_a_state(void **state)
{
    (void)state;
    gy_model *model = lower("byte x; active proctype A() { L: x = 1; end: goto L }");
    const gy_node *node = node_of_state(model, 0, 3); // the skip comes after the goto in number
    assert_non_null(node);
    assert_int_equal(node->flags, GY_NODE_END);
    gy_model_free(model);
}

static void a_d_step_is_one_edge_with_a_guard_and_a_program(void **state)
{
    (void)state;
    gy_model *model = lower(
        "byte x, i; active proctype A() {"
        " d_step { x == 0; for (i : 1 .. 3) { x = x + i }; if :: x > 5 -> x = 0 :: else fi } }");
    const gy_edge *edge = &model->edges[0];
    assert_true(edge->is_d_step);
    assert_int_equal(edge->guard->op, GY_E_EQ);
    assert_int_equal(model->templates[0].node_count, 2);
    // Every jump stays inside the program.
    for (uint32_t i = 0; i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        assert_true(action->target <= edge->effect->count);
        for (uint32_t o = 0; o < action->option_count; o++)
            assert_true(action->options[o].target <= edge->effect->count);
    }
    gy_model_free(model);
}

static void a_d_step_may_begin_with_a_receive(void **state)
{
    (void)state;
    gy_model *model = lower("chan q = [0] of { byte }; byte x;"
                            "active proctype A() { d_step { q?x; x = x + 1 } }");
    assert_int_equal(model->edges[0].sync, GY_SYNC_RECV);
    assert_int_equal(model->edges[0].effect->count, 1);
    gy_model_free(model);
}

static void select_with_constants_is_a_choice_of_values(void **state)
{
    (void)state;
    gy_model *model = lower("byte x; active proctype A() { select(x : 2 .. 5); x = 0 }");
    assert_int_equal(model->templates[0].nodes[0].edge_count, 4);
    gy_model_free(model);
    model = lower("byte x, n = 5; active proctype A() { select(x : 2 .. n); x = 0 }");
    assert_int_equal(model->templates[0].nodes[0].edge_count, 1);
    gy_model_free(model);
}

static void remote_references_find_the_location(void **state)
{
    (void)state;
    gy_model *model = lower("active proctype A() { byte v; v = 1; here: v = 2 }"
                            "active proctype B() { A[0]@here; A[0]:v == 2 }");
    const gy_edge *at = &model->edges[model->templates[1].first_edge];
    assert_int_equal(at->guard->op, GY_E_REMOTE_LABEL);
    assert_int_equal(gy_spin_state(model, 0, at->guard->node), 2);
    assert_int_equal(at[1].guard->a->op, GY_E_REMOTE_VAR);
    gy_model_free(model);
}

static void processes_start_in_order_of_declaration(void **state)
{
    (void)state;
    gy_model *model =
        lower("active [2] proctype A() { skip } init { skip } active proctype B() { skip }");
    const int32_t expected[] = {0, 0, 1, 2};
    assert_int_equal(model->started_count, 4);
    assert_memory_equal(model->started, expected, sizeof expected);
    gy_model_free(model);
}

static void runs_inside_an_expression_come_before_it(void **state)
{
    (void)state;
    gy_model *model = lower("proctype P() { skip } init { byte n; n = run P() + 10 }");
    const gy_program *program = model->edges[model->templates[1].first_edge].effect;
    assert_int_equal(program->count, 2);
    assert_int_equal(program->actions[0].kind, GY_A_RUN);
    assert_int_equal(program->actions[1].kind, GY_A_ASSIGN);
    gy_model_free(model);
}

static void layout_never_crosses_a_word(void **state)
{
    (void)state;
    gy_model *model =
        lower("bit a; int b; short c; unsigned d : 20; byte e[5]; bool f; unsigned g : 13;"
              "active proctype A() { byte x; short y[3]; skip }");
    uint32_t used[64] = {0};
    for (uint32_t i = 0; i < model->global_count; i++) {
        const gy_variable *v = &model->vars[i];
        for (uint32_t n = 0; n < v->count; n++) {
            uint32_t bit = v->shift + n * v->stride, word = v->word + bit / 32;
            assert_true(word > 0 && word < model->global_words);
            assert_true(bit % 32 + v->bits <= 32);
            uint32_t mask = (uint32_t)(((1ull << v->bits) - 1) << bit % 32);
            assert_int_equal(used[word] & mask, 0);
            used[word] |= mask;
        }
    }
    gy_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_become_one_array_per_member),
        cmocka_unit_test(types_have_the_width_that_spin_gives_them),
        cmocka_unit_test(messages_carry_all_members_of_a_structure),
        cmocka_unit_test(declarations_behind_statements_are_steps),
        cmocka_unit_test(choices_in_choices_are_offered_together),
        cmocka_unit_test(else_is_an_edge_of_its_own_kind_and_last),
        cmocka_unit_test(atomic_sequences_keep_control_until_their_last_statement),
        cmocka_unit_test(a_choice_at_the_end_of_an_atomic_is_left_by_a_step),
        cmocka_unit_test(escapes_come_first_the_outermost_before_the_inner),
        cmocka_unit_test(labels_mark_states),
        cmocka_unit_test(a_labelled_goto_becomes_a_state),
        cmocka_unit_test(a_d_step_is_one_edge_with_a_guard_and_a_program),
        cmocka_unit_test(a_d_step_may_begin_with_a_receive),
        cmocka_unit_test(select_with_constants_is_a_choice_of_values),
        cmocka_unit_test(remote_references_find_the_location),
        cmocka_unit_test(processes_start_in_order_of_declaration),
        cmocka_unit_test(runs_inside_an_expression_come_before_it),
        cmocka_unit_test(layout_never_crosses_a_word),
    };
    return cmocka_run_group_tests_name("lowering", tests, NULL, NULL);
}
