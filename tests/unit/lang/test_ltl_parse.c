// Reading formulas: notations, precedences, atoms, and messages with their place.
#include "ltl_helper.h"

static void test_same_formula_in_many_notations(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    static const char *const cases[][3] = {
        {"[] p", "always p", "G p"},
        {"<> p", "eventually p", "F p"},
        {"X p", "next p", "X(p)"},
        {"p U q", "p until q", "p stronguntil q"},
        {"p V q", "p release q", "p R q"},
        {"p W q", "p weakuntil q", "(p) W (q)"},
        {"p -> q", "p implies q", "p => q"},
        {"p <-> q", "p equivalent q", "p <=> q"},
        {"p && q", "p & q", "p /\\ q"},
        {"p || q", "p | q", "p \\/ q"},
        {"!p", "not p", "! (p)"},
        {"[]<> p", "GF p", "G(F(p))"},
        {"p ^ q", "p xor q", "!(p <-> q)"},
        {"x == 1", "(x==1)", "{ x  == 1 }"},
        {"\"x > 2\"", "x>2", "((x > 2))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(formula(&s, cases[i][0]), formula(&s, cases[i][1]));
        assert_int_equal(formula(&s, cases[i][0]), formula(&s, cases[i][2]));
    }
    shop_close(&s);
}

static void test_precedence(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    static const char *const cases[][2] = {
        {"a && b || c && d -> e", "((a && b) || (c && d)) -> e"},
        {"a -> b -> c", "(a -> b) -> c"},
        {"a U b U c", "(a U b) U c"},
        {"a && b U c || d", "(a && (b U c)) || d"},
        {"[] p -> q", "([] p) -> q"},
        {"[] p U q", "([] p) U q"},
        {"! p U q", "(!p) U q"},
        {"[] p && x == 1", "([] p) && (x == 1)"},
        {"x == 1 U y > 2 + z", "(x == 1) U (y > 2 + z)"},
        {"a | b ^ c", "(a | b) ^ c"},
        {"-x < 3 && p", "(-x < 3) && p"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(formula(&s, cases[i][0]), formula(&s, cases[i][1]));
    // As in Promela, ! binds more strongly than ==.
    gy_ltl f = formula(&s, "!x == 1");
    assert_int_equal(gy_ltl_operator(s.pool, f), GY_LTL_OP_ATOM);
    assert_string_equal(gy_ltl_atom_text(s.pool, gy_ltl_atom_index(s.pool, f)), "!x == 1");
    shop_close(&s);
}

static void test_atoms_stay_as_written(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "a[2]",         "p@lab",
        "proc[1]@lab",  "s.f[i+1].g",
        "proc[0]:x",    "len(q) < 3",
        "empty(q)",     "q?[msg,1]",
        "q ??[x]",      "(a + b) * 2 == c",
        "x >> 1 != ~y", "c_expr { now.x > 1 }",
        "_nr_pr == 2",  "Go",
        "XY",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl f = formula(&s, cases[i]);
        assert_int_equal(gy_ltl_operator(s.pool, f), GY_LTL_OP_ATOM);
        assert_int_equal(gy_ltl_atom_count(s.pool), 1);
        assert_string_equal(gy_ltl_atom_text(s.pool, 0), cases[i]);
        shop_close(&s);
    }
}

static void test_numbers_are_truth_values(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    assert_int_equal(formula(&s, "1"), GY_LTL_TRUE);
    assert_int_equal(formula(&s, "00"), GY_LTL_FALSE);
    assert_int_equal(formula(&s, "p U (2)"), GY_LTL_TRUE);
    shop_close(&s);
}

static void test_errors_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"", 1, "empty"},
        {"   ", 4, "empty"},
        {"p q", 3, "operator"},
        {"p &&", 5, "at the end"},
        {"p && && q", 6, "operand"},
        {"(p", 1, "never closed"},
        {"p)", 2, "closes nothing"},
        {"()", 2, "operand"},
        {"p = 1", 3, "`=`"},
        {"[] x == 1", 6, "values"},
        {"X p + 1", 5, "values"},
        {"p $ q", 3, "character"},
        {"\"abc", 1, "quote"},
        {"p && {x", 6, "brace"},
        {"a[1", 1, "bracket"},
        {"U p", 1, "operand"},
        {"([] p) == 1", 8, "values"},
        {"c_expr x", 1, "c_expr"},
        {"p \xc3\xa9", 3, "character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl f = 77;
        assert_false(try_parse(&s, cases[i].text, &f));
        assert_int_equal(f, 77);
        assert_int_equal(gy_diags_errors(s.diags), 1);
        const gy_diag *diag = gy_diags_at(s.diags, 0);
        assert_non_null(strstr(diag->message, cases[i].message));
        gy_location_info info = gy_location_lookup(s.sources, diag->place);
        assert_string_equal(gy_source_name(s.sources, info.file), "<formula>");
        assert_int_equal(info.line, 1);
        assert_int_equal(info.column, cases[i].column);
        shop_close(&s);
    }
}

static void test_chains_are_warned_about(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned warnings;
    } cases[] = {
        {"a U b U c", 1},     {"(a U b) U c", 0}, {"a -> b -> c", 1},
        {"a -> (b -> c)", 0}, {"a && b && c", 0}, {"a U b -> c U d", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        formula(&s, cases[i].text);
        assert_int_equal(gy_diags_warnings(s.diags), cases[i].warnings);
        shop_close(&s);
    }
}

static void test_nesting_has_a_bound(void **state)
{
    (void)state;
    enum { N = 1000000 };
    struct shop s = shop_open(NULL);
    char *text = gy_alloc(2 * N + 2);
    gy_ltl f;
    memset(text, '(', N);
    text[N] = 'p';
    memset(text + N + 1, ')', N);
    text[2 * N + 1] = '\0';
    assert_true(try_parse(&s, text, &f)); // parentheses are no operators
    for (int i = 0; i < N; i++)
        memcpy(text + 2 * i, "X ", 2);
    text[2 * N] = 'p';
    text[2 * N + 1] = '\0';
    assert_false(try_parse(&s, text, &f));
    free(text);
    shop_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_formula_in_many_notations),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_atoms_stay_as_written),
        cmocka_unit_test(test_numbers_are_truth_values),
        cmocka_unit_test(test_errors_have_a_place),
        cmocka_unit_test(test_chains_are_warned_about),
        cmocka_unit_test(test_nesting_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
