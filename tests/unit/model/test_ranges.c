// Spans, and the ranges that are found for the variables and message fields of small models.
#include "load/load.h"
#include "model/layout.h"
#include "model/passes/interval.h"
#include "model/passes/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// ---- spans: against every value ----------------------------------------------------------

static bool value_of(gy_expr_op op, int32_t x, int32_t y, int32_t *value)
{
    switch (op) {
    case GY_E_ADD:
        return *value = x + y, true;
    case GY_E_SUB:
        return *value = x - y, true;
    case GY_E_MUL:
        return *value = x * y, true;
    case GY_E_DIV:
        return y != 0 && (*value = x / y, true);
    case GY_E_MOD:
        return y != 0 && (*value = x % y, true);
    case GY_E_BITAND:
        return *value = x & y, true;
    case GY_E_BITOR:
        return *value = x | y, true;
    case GY_E_BITXOR:
        return *value = x ^ y, true;
    case GY_E_SHL:
        return *value = (int32_t)((uint32_t)x << (y & 31)), true;
    case GY_E_SHR:
        return *value = x >> (y & 31), true;
    case GY_E_LT:
        return *value = x < y, true;
    case GY_E_LE:
        return *value = x <= y, true;
    case GY_E_GT:
        return *value = x > y, true;
    case GY_E_GE:
        return *value = x >= y, true;
    case GY_E_EQ:
        return *value = x == y, true;
    case GY_E_NE:
        return *value = x != y, true;
    case GY_E_AND:
        return *value = x && y, true;
    default:
        return *value = x || y, true;
    }
}

static bool is_in(gy_interval span, int32_t value)
{
    return span.low <= value && value <= span.high;
}

static void check_operator(gy_expr_op op, gy_interval a, gy_interval b)
{
    gy_interval result = gy_interval_binary(op, a, b), left = gy_interval_restrict(op, a, b);
    for (int32_t x = a.low; x <= a.high; x++)
        for (int32_t y = b.low; y <= b.high; y++) {
            int32_t value;
            if (!value_of(op, x, y, &value))
                continue;
            if (!is_in(result, value))
                fail_msg("operator %d: %d and %d give %d", (int)op, x, y, value);
            if (op >= GY_E_LT && op <= GY_E_NE && value && !is_in(left, x))
                fail_msg("operator %d: %d is left out beside %d", (int)op, x, y);
        }
}

static void spans_hold_every_result(void **state)
{
    (void)state;
    for (int32_t low = -5; low <= 5; low++)
        for (int32_t size = 0; size <= 6; size += 2)
            for (int32_t other = -4; other <= 4; other++)
                for (int32_t width = 0; width <= 3; width++)
                    for (int op = GY_E_ADD; op <= GY_E_OR; op++)
                        check_operator((gy_expr_op)op, (gy_interval){low, low + size},
                                       (gy_interval){other, other + width});
}

static void spans_wrap_around(void **state)
{
    (void)state;
    gy_interval top = {INT32_MAX - 1, INT32_MAX}, one = {0, 1};
    assert_true(gy_interval_equal(gy_interval_binary(GY_E_ADD, top, one), GY_INTERVAL_ALL));
    assert_true(gy_interval_equal(gy_interval_unary(GY_E_NEG, (gy_interval){INT32_MIN, 0}),
                                  GY_INTERVAL_ALL));
    gy_type byte = {GY_BYTE, 8, false, NULL};
    assert_true(
        gy_interval_equal(gy_interval_truncate(byte, gy_interval_of(300)), gy_interval_of(44)));
    assert_true(gy_interval_equal(gy_interval_truncate(byte, (gy_interval){255, 256}),
                                  (gy_interval){0, 255}));
    gy_type small = {GY_SHORT, 16, true, NULL};
    assert_true(gy_interval_equal(gy_interval_truncate(small, gy_interval_of(40000)),
                                  gy_interval_of(-25536)));
}

// ---- ranges --------------------------------------------------------------------------------

static gy_model *ranged(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test", text, strlen(text), NULL, &diags);
    if (!model)
        fail_msg("not a model: %s", text);
    gy_diags_free(diags);
    gy_model_ranges(model);
    gy_model_layout(model);
    return model;
}

static void check_range(const char *text, const char *name, int32_t min, int32_t max)
{
    gy_model *model = ranged(text);
    for (uint32_t v = 0; v < model->var_count; v++)
        if (strcmp(model->vars[v].name, name) == 0) {
            if (model->vars[v].min != min || model->vars[v].max != max)
                fail_msg("%s: %d..%d instead of %d..%d in %s", name, model->vars[v].min,
                         model->vars[v].max, min, max, text);
            gy_model_free(model);
            return;
        }
    fail_msg("no variable %s", name);
}

static void constants(void **state)
{
    (void)state;
    check_range("byte x = 7, y; active proctype P() { y = x }", "x", 7, 7);
    check_range("byte x = 7, y; active proctype P() { y = x }", "y", 0, 7);
    check_range("byte x; active proctype P() { x = 0 }", "x", 0, 0);
    check_range("int a[3] = 4; active proctype P() { a[1] = 6 }", "a", 4, 6);
    check_range("short x = -3; active proctype P() { x = x + 1; assert(x) }", "x", -3, -2);
    check_range("byte x; active proctype P() { x = 300 }", "x", 0, 44);
}

static void loops(void **state)
{
    (void)state;
    check_range("active proctype P() { int i; do :: i < 10 -> i++ :: else -> break od }", "i", 0,
                10);
    check_range("active proctype P() { int i; do :: i < 10 -> i = i + 3 :: i >= 10 -> break od }",
                "i", 0, 12);
    check_range("active proctype P() { byte i = 9; do :: i > 0 -> i-- :: else -> break od }", "i",
                0, 9);
    check_range("active proctype P() { byte i; do :: i++ od }", "i", 0, 255);
    check_range("active proctype P() { byte i; do :: i = (i + 1) % 5 od }", "i", 0, 4);
    check_range(
        "active proctype P() { int i; d_step { i = 0; do :: i < 6 -> i++ :: else -> break od } }",
        "i", 0, 6);
    check_range("int s; active proctype P() { byte i; for (i : 1 .. 4) { s = i } }", "s", 0, 4);
}

// One process alone can rely on what it has seen; others cannot, but for an atomic sequence.
static void shared_variables(void **state)
{
    (void)state;
    const char *alone = "byte x; active proctype P() { do :: x < 5 -> x++ :: x = 0 od }";
    check_range(alone, "x", 0, 5);
    const char *two = "byte x; active [2] proctype P() { do :: x < 5 -> x++ :: x = 0 od }";
    check_range(two, "x", 0, 255);
    const char *atomic =
        "byte x; active [2] proctype P() { do :: atomic { x < 5 -> x++ } :: x = 0 od }";
    check_range(atomic, "x", 0, 5);
    const char *d_step =
        "byte x; active [2] proctype P() { do :: d_step { x < 5 -> x++ } :: x = 0 od }";
    check_range(d_step, "x", 0, 5);
    // The sequence may block between the two: x may be anything when it goes on.
    const char *blocks =
        "byte x, y; active [2] proctype P() { do :: atomic { x < 5 -> y > 0; x++ } :: y = 1 od }";
    check_range(blocks, "x", 0, 255);
    const char *twice =
        "byte x; proctype P() { do :: x < 5 -> x++ :: x = 0 od } init { run P(); run P() }";
    check_range(twice, "x", 0, 255);
}

static void parameters(void **state)
{
    (void)state;
    const char *text =
        "proctype P(byte p) { byte q = p + 1; assert(q) } init { run P(3); run P(6) }";
    check_range(text, "p", 3, 6);
    check_range(text, "q", 4, 7);
    check_range("active proctype P(byte p) { assert(p == 0) }", "p", 0, 0);
    check_range("active proctype P(byte p) { if :: p == 0 -> run P(5) :: else fi }", "p", 0, 5);
    check_range("byte who; active [3] proctype P() { who = _pid }", "who", 0, 2);
    check_range("byte who; active [3] proctype P() { byte l = 9; who = P[0]:l }", "who", 0, 9);
}

static void messages(void **state)
{
    (void)state;
    const char *text = "chan q = [2] of { byte, short }; byte x; short y;\n"
                       "active proctype S() { q!3,-1; q!5,0 }\n"
                       "active proctype R() { q?x,y; q?x,y }";
    check_range(text, "x", 0, 5);
    check_range(text, "y", -1, 0);
    gy_model *model = ranged(text);
    const gy_channel_type *type = &model->channel_types[0];
    assert_int_equal(type->ranges[0].min, 3);
    assert_int_equal(type->ranges[0].max, 5);
    assert_int_equal(type->slots[0].bits, 3);
    assert_int_equal(type->slots[1].bits, 1); // -1 and 0: one bit with a sign
    assert_int_equal(type->message_bits, 4);
    assert_int_equal(type->words, 1); // two messages and a length of two bits
    gy_model_free(model);
    // A channel that is known only at run time could be any.
    check_range("chan a = [1] of { byte }; chan b = [1] of { byte }; byte x;\n"
                "active proctype S() { chan c; c = a; c!7; b!1 }\n"
                "active proctype R() { b?x }",
                "x", 0, 7);
    check_range("chan a = [1] of { byte }; byte x; active proctype R() { a?x }", "x", 0, 0);
}

static void claims_are_left_alone(void **state)
{
    (void)state;
    const char *text = "byte x; active proctype P() { x = 1 }\n"
                       "never { byte n = 3; do :: n == 3 && x == 0 :: x == 1 -> break od }";
    check_range(text, "n", 0, 255);
    check_range(text, "x", 0, 1);
}

static void no_guessing_with_c(void **state)
{
    (void)state;
    check_range("byte x; active proctype P() { c_code { int y = 9; now.x = y; } }", "x", 0, 255);
}

// An `if` at the head of an option: its `else` waits for what precedes it, not for later
// options.
static void else_before_others(void **state)
{
    (void)state;
    check_range("byte f = 1, c; active proctype P() { c = 1 } active proctype Q() { byte x; "
                "do :: if :: f == 2 -> skip :: else -> x = c fi :: f == 1 -> assert(x == 0) od }",
                "x", 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(else_before_others),
        cmocka_unit_test(spans_hold_every_result),
        cmocka_unit_test(spans_wrap_around),
        cmocka_unit_test(constants),
        cmocka_unit_test(loops),
        cmocka_unit_test(shared_variables),
        cmocka_unit_test(parameters),
        cmocka_unit_test(messages),
        cmocka_unit_test(claims_are_left_alone),
        cmocka_unit_test(no_guessing_with_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
