// C that says no more than Promela could becomes the same MODEL as the same words in Promela; all
// other C stays C.
#include "base/text.h"
#include "load/load.h"
#include "model/model_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define DECLARATIONS "byte x, y; int n; bit b; unsigned u : 5; byte a[3]; hidden byte h;"

static gy_model *load(const char *before, const char *statement)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s%s active proctype P() { %s }", before, DECLARATIONS, statement);
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test", gy_text_str(&text), text.n, NULL, &diags);
    if (!model)
        fail_msg("not a model: %s", gy_text_str(&text));
    gy_diags_free(diags);
    gy_text_free(&text);
    return model;
}

static void print_step(const gy_model *model, gy_text *out)
{
    const gy_edge *edge = &model->edges[0];
    if (edge->guard)
        gy_expr_print(model, edge->guard, out);
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        gy_action_print(model, &edge->effect->actions[i], out);
        gy_text_char(out, '\n');
    }
}

static void check_same(const char *c, const char *promela)
{
    gy_model *left = load("", c), *right = load("", promela);
    if (gy_has_c(left))
        fail_msg("still C: %s", c);
    gy_text one = {0}, other = {0};
    print_step(left, &one);
    print_step(right, &other);
    assert_string_equal(gy_text_str(&one), gy_text_str(&other));
    gy_text_free(&one);
    gy_text_free(&other);
    gy_model_free(left);
    gy_model_free(right);
}

static void same_as_promela(void **state)
{
    (void)state;
    check_same("c_expr { now.x == 1 }", "(x == 1)");
    check_same("c_expr {now.x<=200&&!now.b||now.n>-3}", "(x <= 200 && !b || n > -3)");
    check_same("c_expr { now.x & 4 | now.y ^ 1 }", "(x & 4 | y ^ 1)");
    check_same("c_expr { now . n - 1 - now.x == 2 * (now.u + 3) }", "(n - 1 - x == 2 * (u + 3))");
    check_same("c_expr { now.x < 3 == now.y > 2 }", "(x < 3 == y > 2)");
    check_same("c_expr { ~now.n != 0 }", "(~n != 0)");
    check_same("c_code { now.x = 1; }", "x = 1");
    check_same("c_code { now.x = now.y - now.n; }", "x = y - n");
    check_same("c_code { now.n++; }", "n++");
    check_same("c_code { now.n++; now.x = now.n; now.u--; }", "d_step { n++; x = n; u-- }");
}

static void check_stays(const char *before, const char *c)
{
    gy_model *model = load(before, c);
    if (!gy_has_c(model) || !model->c_code_count)
        fail_msg("no longer C: %s%s", before, c);
    gy_model_free(model);
}

static void others_stay(void **state)
{
    (void)state;
    static const char *const fragments[] = {
        "c_expr { now.x / 2 == 1 }",
        "c_expr { now.x % 2 == 1 }",
        "c_expr { now.x << 1 }",
        "c_expr { now.x >> 1 }",
        "c_expr { now.a[0] == 1 }",

        "c_expr { x == 1 }",

        "c_expr { now.x ? 1 : 2 }",
        "c_expr { now.x, now.y }",
        "c_expr { now.x == 'a' }",
        "c_expr { now.x == 010 }",
        "c_expr { now.x == 0x10 }",
        "c_expr { now.x == 1u }",
        "c_expr { now.x == 1.5 }",
        "c_expr { now.n == 3000000000 }",
        "c_expr { &now.x }",

        "c_expr { now.h == 1 }",
        "c_expr { now._last == 1 }",
        "c_expr { now._nr_pr == 1 }",

        "c_expr { now.xx == 1 }",
        "c_expr [now.x] { now.y }",
        "c_expr { (now.x }",
        "c_expr { PP->x }",
        "c_expr { nowx.x == 1 }",
        "c_expr { }",
        "c_code { now.x += 1; }",
        "c_code { now.x = now.y = 1; }",
        "c_code { now.x == 1; }",
        "c_code { int i = 1; }",
        "c_code { if (now.x) now.y = 1; }",
        "c_code { ; }",
        "c_code { now.a[1] = 2; }",
        "c_code { now.x = 1 }",
        "c_code { now.x = f(); }",

        "c_code { now.h = 1; }",
        "c_code { now.x = 1; y }",
    };
    for (size_t i = 0; i < sizeof fragments / sizeof *fragments; i++)
        check_stays("", fragments[i]);
    check_stays("c_decl { \\#define x y\n };", "c_expr { now.x == 1 }");
    check_stays("c_decl { \\#include \"my.h\"\n };", "c_code { now.x = 1; }");
}

// Expressions are descended into: one of any depth would take a stack of any size.
static void check_long_stays(const char *begin, const char *again, const char *end)
{
    gy_text text = {0};
    gy_text_add(&text, begin);
    for (uint32_t i = 0; i < 200000; i++)
        gy_text_add(&text, again);
    gy_text_add(&text, end);
    check_stays("", gy_text_str(&text));
    gy_text_free(&text);
}

static void long_ones_stay(void **state)
{
    (void)state;
    check_long_stays("c_expr { ", "(", "now.x }");
    check_long_stays("c_expr { ", "!", "now.x }");
    check_long_stays("c_expr { ", "now.x + ", "1 }");
    check_long_stays("c_code { now.x = ", "-(", "now.x; }");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_promela),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(long_ones_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
