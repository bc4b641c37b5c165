// MODEL as text, in the form that docs/internals/model.md gives.
#include "model/model_text.h"

#include "build_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_part_has_its_line(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE), a = b_array(b, "a", GY_SHORT, 3);
    gy_built_variable(b, x)->max = 4;
    int32_t q = b_channel(b, "q", 2, 1, GY_BYTE);
    int32_t p = gy_build_template(b, "P", GY_TMPL_PROCESS), k = b_param(b, p, "k", GY_PID);
    int32_t y = b_local(b, p, "y", GY_BOOL);
    int32_t here = gy_build_node(b, p, "begin"), there = gy_build_node(b, p, NULL);
    gy_edge *edge = b_edge(b, p, here, there);
    edge->guard =
        b_expr(b, GY_E_AND, b_expr(b, GY_E_LT, b_element(b, a, b_var(b, k)), b_const(b, 3)),
               b_expr(b, GY_E_NOT, b_var(b, y), NULL));
    edge->keeps_atomic = true;
    gy_build_assign(b, edge, a, b_const(b, 1), b_expr(b, GY_E_NEG, b_var(b, x), NULL));
    gy_build_assert(b, edge, gy_build_at(b, p, b_const(b, 0), there), NULL);
    b_edge(b, p, here, here)->kind = GY_EDGE_ELSE;
    b_receive(b, b_edge(b, p, there, here), q, 2, y, B_MATCH(7));
    b_end(b, p, there);
    b_start(b, p);
    b_start(b, p);
    gy_model *model = b_model(b);
    gy_text out = {0};
    gy_model_print(model, &out);
    assert_string_equal(gy_text_str(&out),
                        "model none by hand\n"
                        "var byte x in 0..4\n"
                        "var short a[3]\n"
                        "var chan q\n"
                        "channel 0 q [2] {byte}\n"
                        "first\n"
                        "  q = channel 0\n"
                        "start P P\n"
                        "\n"
                        "process P\n"
                        "  param pid k\n"
                        "  var bool y\n"
                        "  node 0 \"begin\" initial\n"
                        "    edge 0 -> 1 when ((a[k below 3] < 3) && !y) atomic\n"
                        "      a[1] = -x\n"
                        "      assert P[0]@1\n"
                        "    edge 1 -> 0 else\n"
                        "  node 1 end final\n"
                        "    edge 2 -> 0 sync q?(&y, ==7)\n"
                        "    edge 3 end\n");
    gy_text_free(&out);
    gy_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_has_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
