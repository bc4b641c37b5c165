// Bytecode: every instruction is documented and reachable, expressions mean what C means, and
// packed fields of every width and position hold what was stored.
#include "visiting.h"

#include "build_model.h"
#include "exec/view.h"
#include "exec/vm/bytecode.h"
#include "exec/vm/compile.h"

#include <stdio.h>

#ifndef GYRE_ROOT
#define GYRE_ROOT "."
#endif

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    gy_text text = {0};
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        gy_text_bytes(&text, buffer, n);
    fclose(file);
    return gy_text_take(&text);
}

static void every_instruction_is_documented(void **state)
{
    (void)state;
    char *page = read_all(GYRE_ROOT "/docs/internals/bytecode.md");
    if (!page)
        skip();
    for (int op = 0; op < GY_OP_COUNT; op++) {
        char name[40];
        snprintf(name, sizeof name, "`%s`", gy_op_name((gy_op)op));
        if (!strstr(page, name))
            fail_msg("docs/internals/bytecode.md does not describe %s", name);
    }
    free(page);
}

// ---- expressions: against what C does ------------------------------------------------------

static const int32_t samples[] = {0,
                                  1,
                                  -1,
                                  2,
                                  3,
                                  7,
                                  31,
                                  32,
                                  33,
                                  255,
                                  256,
                                  -256,
                                  65535,
                                  -32768,
                                  100,
                                  -100,
                                  INT32_MAX,
                                  INT32_MIN,
                                  INT32_MIN + 1,
                                  123456789};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static int32_t expected(gy_expr_op op, int32_t x, int32_t y)
{
    uint32_t u = (uint32_t)x, v = (uint32_t)y;
    switch (op) {
    case GY_E_ADD:
        return (int32_t)(u + v);
    case GY_E_SUB:
        return (int32_t)(u - v);
    case GY_E_MUL:
        return (int32_t)(u * v);
    case GY_E_DIV:
        return y == -1 ? (int32_t)-u : x / y;
    case GY_E_MOD:
        return y == -1 ? 0 : x % y;
    case GY_E_BITAND:
        return x & y;
    case GY_E_BITOR:
        return x | y;
    case GY_E_BITXOR:
        return x ^ y;
    case GY_E_SHL:
        return (int32_t)(u << (v & 31));
    case GY_E_SHR:
        return x >> (v & 31);
    case GY_E_LT:
        return x < y;
    case GY_E_LE:
        return x <= y;
    case GY_E_GT:
        return x > y;
    case GY_E_GE:
        return x >= y;
    case GY_E_EQ:
        return x == y;
    case GY_E_NE:
        return x != y;
    case GY_E_AND:
        return x && y;
    default:
        return x || y;
    }
}

// For each operator: operands as variables and as constants, as a value and as a guard.
static void operators_are_those_of_c(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < SAMPLES; k++) {
            builder *b = b_new();
            int32_t x = b_global(b, "x", GY_INT), y = b_global(b, "y", GY_INT);
            int32_t p = b_template(b, "P", 3);
            gy_edge *edge = b_edge(b, p, 0, 1);
            b_assign(b, edge, x, b_const(b, samples[i]));
            b_assign(b, edge, y, b_const(b, samples[k]));
            gy_expr *left[2] = {b_var(b, x), b_const(b, samples[i])};
            gy_expr *right[2] = {b_var(b, y), b_const(b, samples[k])};
            gy_expr *exprs[GY_E_OR + 1][4] = {0};
            for (int op = GY_E_ADD; op <= GY_E_OR; op++)
                for (int form = 0; form < 4; form++)
                    exprs[op][form] = b_expr(b, (gy_expr_op)op, left[form & 1], right[form >> 1]);
            b_start(b, p);
            gy_arena *arena = b->model->arena;
            rig *r = rig_new(b_system(b));
            rig_first(r);
            for (int op = GY_E_ADD; op <= GY_E_OR; op++)
                for (int form = 0; form < 4; form++) {
                    int32_t value;
                    bool good = gy_state_view_eval(r->worker, r->next.at[0].state,
                                                   r->next.at[0].words, 0, exprs[op][form], &value);
                    if ((op == GY_E_DIV || op == GY_E_MOD) && samples[k] == 0) {
                        assert_false(good);
                        continue;
                    }
                    assert_true(good);
                    int32_t wanted = expected((gy_expr_op)op, samples[i], samples[k]);
                    if (value != wanted)
                        fail_msg("operator %d of %d and %d: %d, not %d", op, samples[i], samples[k],
                                 value, wanted);
                    // !(x op y) as a branch
                    gy_expr *not = GY_NEW(arena, gy_expr);
                    gy_expr *choice = GY_NEW(arena, gy_expr);
                    *not = (gy_expr){.op = GY_E_NOT, .a = exprs[op][form]};
                    *choice = (gy_expr){.op = GY_E_COND, .a = not, .b = left[0], .c = right[0]};
                    assert_true(gy_state_view_eval(r->worker, r->next.at[0].state,
                                                   r->next.at[0].words, 0, choice, &value));
                    assert_int_equal(value, wanted ? samples[k] : samples[i]);
                }
            rig_free(r);
        }
}

// ---- fields ----------------------------------------------------------------------------------

// Variables of all kinds, mixed so that they land on odd positions; each is set to a value and
// must read back truncated, alone and as an array element, with its neighbours untouched.
static void fields_hold_what_was_stored(void **state)
{
    (void)state;
    enum { KINDS = GY_CHAN + 1, PER_KIND = 3, LENGTH = 7 };
    for (int s = 0; s < SAMPLES; s++) {
        builder *b = b_new();
        int32_t scalars[KINDS][PER_KIND], arrays[KINDS];
        int32_t i = b_global(b, "i", GY_BYTE);
        for (int n = 0; n < PER_KIND; n++)
            for (int k = 0; k < KINDS; k++)
                scalars[k][n] = b_global(b, "v", (gy_type_kind)k);
        for (int k = 0; k < KINDS; k++)
            arrays[k] = b_array(b, "a", (gy_type_kind)k, LENGTH);
        int32_t p = b_template(b, "P", 2);
        int32_t locals[KINDS];
        for (int k = 0; k < KINDS; k++)
            locals[k] = b_local(b, p, "l", (gy_type_kind)k);
        gy_edge *edge = b_edge(b, p, 0, 1);
        b_assign(b, edge, i, b_const(b, 3));
        for (int k = 0; k < KINDS; k++) {
            b_assign(b, edge, scalars[k][1], b_const(b, samples[s]));
            b_assign(b, edge, locals[k], b_const(b, samples[s]));
            gy_action *element = b_action(b, edge, GY_A_ASSIGN);
            element->var = arrays[k];
            element->index = b_index(b, arrays[k], b_var(b, i));
            element->expr = b_const(b, samples[s]);
        }
        gy_expr *reads[KINDS];
        for (int k = 0; k < KINDS; k++)
            reads[k] = b_element(b, arrays[k], b_var(b, i));
        b_start(b, p);
        rig *r = rig_new(b_system(b));
        rig_first(r);
        const gy_model *m = r->system->model;
        const gy_word *to = r->next.at[0].state;
        gy_state_view view;
        gy_state_view_state(r->worker, to, r->next.at[0].words, &view);
        for (int k = 0; k < KINDS; k++) {
            int32_t wanted = gy_type_truncate(b_type((gy_type_kind)k), samples[s]), value;
            for (int n = 0; n < PER_KIND; n++)
                assert_int_equal(gy_state_view_global(m, to, scalars[k][n], 0),
                                 n == 1 ? wanted : 0);
            for (uint32_t e = 0; e < LENGTH; e++)
                assert_int_equal(gy_state_view_global(m, to, arrays[k], e), e == 3 ? wanted : 0);
            assert_int_equal(gy_state_view_local(m, to, &view, 0, locals[k], 0), wanted);
            assert_true(
                gy_state_view_eval(r->worker, to, r->next.at[0].words, 0, reads[k], &value));
            assert_int_equal(value, wanted);
        }
        rig_free(r);
    }
}

static void listing_shows_every_edge(void **state)
{
    (void)state;
    builder *b = b_new();
    int32_t x = b_global(b, "x", GY_BYTE);
    int32_t p = b_template(b, "P", 2);
    gy_edge *edge = b_edge(b, p, 0, 1);
    edge->guard = b_expr(b, GY_E_LT, b_var(b, x), b_const(b, 3));
    b_assign(b, edge, x, b_expr(b, GY_E_ADD, b_var(b, x), b_const(b, 1)));
    b_end(b, p, 1);
    b_start(b, p);
    gy_system *system = b_system(b);
    gy_text out = {0};
    gy_bytecode_list(system, &out);
    const char *text = gy_text_str(&out);
    assert_non_null(strstr(text, "edge 0: 0 -> 1"));
    assert_non_null(strstr(text, "edge 1"));
    assert_non_null(strstr(text, "LDG8"));
    assert_non_null(strstr(text, "JGEK      3 -> "));
    assert_non_null(strstr(text, "ADDK      1"));
    assert_non_null(strstr(text, "STG8"));
    gy_text_free(&out);
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_is_documented),
        cmocka_unit_test(operators_are_those_of_c),
        cmocka_unit_test(fields_hold_what_was_stored),
        cmocka_unit_test(listing_shows_every_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
