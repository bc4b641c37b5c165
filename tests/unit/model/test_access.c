// What edges read and write, and which channels are known before the start.
#include "visiting.h"

#include "build_model.h"
#include "model/channels.h"
#include "model/matrix.h"

static const gy_touch *find(const gy_model *m, uint32_t edge, gy_touch_kind kind, bool write,
                            int32_t var)
{
    for (uint32_t i = 0; i < m->edges[edge].touch_count; i++) {
        const gy_touch *touch = &m->edges[edge].touches[i];
        if (touch->kind == kind && touch->write == write && (var == GY_NONE || touch->var == var))
            return touch;
    }
    return NULL;
}

static void variables(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), a = b_array(b, "a", GY_BYTE, 8);
    int32_t p = b_template(b, "P", 3);
    gy_edge *edge = b_edge(b, p, 0, 1);
    edge->guard = b_expr(b, GY_E_GT, b_element(b, a, b_const(b, 2)), b_const(b, 0));
    b_assign(b, edge, x, b_element(b, a, b_var(b, x)));
    b_edge(b, p, 0, 2)->kind = GY_EDGE_ELSE;
    b_end(b, p, 1);
    gy_model *m = b_model(b);
    const gy_touch *touch = find(m, 0, GY_TOUCH_VAR, true, x);
    assert_non_null(touch);
    assert_true(touch->exact);
    touch = find(m, 0, GY_TOUCH_VAR, false, a); // a[2] and a[x]
    assert_non_null(touch);
    assert_false(touch->exact);
    assert_int_equal(touch->last, 7);
    touch = find(m, 1, GY_TOUCH_VAR, false, a); // else examines its neighbour's guard
    assert_non_null(touch);
    assert_true(touch->exact);
    assert_int_equal(touch->first, 2);
    assert_int_equal(touch->last, 2);
    assert_null(find(m, 1, GY_TOUCH_VAR, true, GY_NONE));
    assert_non_null(find(m, 2, GY_TOUCH_SYSTEM, true, GY_NONE)); // the end of a process
    gy_model_free(m);
}

static void channels(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t q = b_channel(b, "q", 2, 1, GY_BYTE);
    int32_t moved = b_channel(b, "moved", 0, 1, GY_BYTE);
    int32_t r = b_global(b, "r", GY_CHAN);
    int32_t p = b_template(b, "P", 4);
    b_send(b, b_edge(b, p, 0, 1), q, 1, b_const(b, 1));
    b_send(b, b_edge(b, p, 1, 2), r, 1, b_const(b, 1));
    b_assign(b, b_edge(b, p, 2, 3), moved, b_var(b, q));
    gy_model *m = b_model(b);
    int32_t *known = gy_model_static_channels(m);
    int32_t *types = gy_model_static_channel_types(m);
    assert_int_equal(known[q], 1);
    assert_int_equal(types[q], 0);
    assert_int_equal(known[moved], 0);
    assert_int_equal(types[moved], GY_NONE);
    assert_int_equal(known[r], 0);
    free(known);
    free(types);
    const gy_touch *touch = find(m, 0, GY_TOUCH_CHANNELS, true, q);
    assert_non_null(touch);
    assert_true(touch->exact);
    touch = find(m, 1, GY_TOUCH_CHANNELS, true, GY_NONE);
    assert_non_null(touch);
    assert_false(touch->exact);
    assert_non_null(find(m, 1, GY_TOUCH_VAR, false, r));
    gy_model_free(m);
}

static void facts_of_the_api(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 1));
    b_end(b, p, 1);
    gy_system *system = b_system(b);
    assert_int_equal(gy_edge_count(system), 2);
    gy_edge_facts edge;
    assert_true(gy_edge_info(system, 0, &edge));
    assert_string_equal(edge.process, "P");
    assert_int_equal(edge.to, 1);
    assert_false(gy_edge_info(system, 2, &edge));
    gy_access_info touch;
    assert_int_equal(gy_edge_accesses(system, 0, &touch, 1), 1);
    assert_string_equal(touch.what, "x");
    assert_true(touch.write && touch.exact && !touch.local);
    gy_access_table *table = gy_access_table_new(system);
    assert_int_equal(table->edges, 2);
    for (uint32_t i = 0; i < table->slots; i++) {
        bool is_x = strcmp(table->names[i], "x") == 0,
             is_control = strcmp(table->names[i], "P@") == 0;
        assert_int_equal(table->cells[i], is_x         ? GY_ACCESS_WRITES
                                          : is_control ? GY_ACCESS_READS | GY_ACCESS_WRITES
                                                       : 0);
    }
    gy_access_table_free(table);
    for (int kind = 0; kind < GY_FAULT_COUNT; kind++)
        assert_string_not_equal(gy_fault_name((gy_fault_kind)kind), "unknown");
    gy_system_free(system);
}

static uint8_t cell(const gy_model *m, const gy_matrix *matrix, uint32_t edge, const char *name)
{
    for (uint32_t i = 0; i < matrix->slots; i++) {
        gy_text text = {0};
        gy_matrix_slot_name(m, &matrix->slot[i], &text);
        bool same = strcmp(gy_text_str(&text), name) == 0;
        gy_text_free(&text);
        if (same)
            return gy_matrix_at(matrix, edge, i);
    }
    fail_msg("no slot %s", name);
    return 0;
}

static void matrix_of_edges_and_slots(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t q = b_channel(b, "q", 2, 1, GY_BYTE), r = b_global(b, "r", GY_CHAN);
    int32_t p = b_template(b, "P", 4), y = b_local(b, p, "y", GY_BYTE);
    int32_t other = b_template(b, "Q", 1);
    b_assign(b, b_edge(b, p, 0, 1), x, b_expr(b, GY_E_ADD, b_var(b, x), b_var(b, y)));
    b_receive(b, b_edge(b, p, 1, 2), q, 1, y);
    b_send(b, b_edge(b, p, 2, 3), r, 1, b_const(b, 1));
    b_end(b, other, 0);
    gy_model *m = b_model(b);
    gy_matrix *matrix = gy_matrix_new(m);
    enum { BOTH = GY_READS | GY_WRITES };
    // x = x + y
    assert_int_equal(cell(m, matrix, 0, "x"), BOTH);
    assert_int_equal(cell(m, matrix, 0, "P:y"), GY_READS);
    assert_int_equal(cell(m, matrix, 0, "P@"), BOTH);
    assert_int_equal(cell(m, matrix, 0, "Q@"), 0);
    assert_int_equal(cell(m, matrix, 0, "q{}"), 0);
    assert_int_equal(cell(m, matrix, 0, "channels"), 0);
    assert_int_equal(cell(m, matrix, 0, "system"), 0);
    // q?y: the channel is known
    assert_int_equal(cell(m, matrix, 1, "q{}"), BOTH);
    assert_int_equal(cell(m, matrix, 1, "channels"), 0);
    assert_int_equal(cell(m, matrix, 1, "P:y"), GY_WRITES);
    assert_int_equal(cell(m, matrix, 1, "x"), 0);
    // r!1: it may be any
    assert_int_equal(cell(m, matrix, 2, "r"), GY_READS);
    assert_int_equal(cell(m, matrix, 2, "q{}"), BOTH);
    assert_int_equal(cell(m, matrix, 2, "channels"), BOTH);
    // the end of a process
    assert_int_equal(cell(m, matrix, 3, "system"), BOTH);
    assert_int_equal(cell(m, matrix, 3, "x"), 0);
    gy_matrix_free(matrix);
    gy_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables),
        cmocka_unit_test(channels),
        cmocka_unit_test(facts_of_the_api),
        cmocka_unit_test(matrix_of_edges_and_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
