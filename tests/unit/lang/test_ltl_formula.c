// Formulas: sharing, normal form, printing, traits, and formulas of models.
#include "ltl_helper.h"
#include "model/atoms.h"

static void test_equal_formulas_are_one(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    assert_int_equal(formula(&s, "p && (q && r)"), formula(&s, "(r && p) && q && p"));
    assert_int_equal(formula(&s, "p && !p"), GY_LTL_FALSE);
    assert_int_equal(formula(&s, "q || p || !p"), GY_LTL_TRUE);
    assert_int_equal(formula(&s, "!!p"), formula(&s, "p"));
    assert_int_equal(formula(&s, "true U p"), formula(&s, "<> p"));
    assert_int_equal(formula(&s, "false V p"), formula(&s, "[] p"));
    assert_int_equal(formula(&s, "p W false"), formula(&s, "[] p"));
    assert_int_equal(formula(&s, "p M true"), formula(&s, "<> p"));
    assert_int_not_equal(formula(&s, "p U q"), formula(&s, "p W q"));
    shop_close(&s);
}

static void test_normal_form(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    static const char *const cases[][2] = {
        {"!(p U q)", "!p R !q"},
        {"!(p W q)", "!p M !q"},
        {"!([]<> p)", "F G !p"},
        {"!(p -> X q)", "p & X !q"},
        {"!(p <-> q)", "(p & !q) | (q & !p)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_ltl f = gy_ltl_nnf(s.pool, formula(&s, cases[i][0]), false);
        assert_int_equal(f, formula(&s, cases[i][1]));
        assert_true(gy_ltl_traits(s.pool, f) & GY_LTL_NNF);
    }
    // Each equivalence would double a tree; the shared form stays small.
    gy_text chain = {0};
    for (int i = 0; i < 200; i++)
        gy_text_printf(&chain, "%sp%d", i ? " <-> " : "", i);
    gy_ltl f = gy_ltl_nnf(s.pool, formula(&s, gy_text_str(&chain)), true);
    assert_true(gy_ltl_distinct(s.pool, f) < 2000);
    assert_int_equal(gy_ltl_length(s.pool, f), UINT32_MAX);
    gy_text_free(&chain);
    shop_close(&s);
}

static void test_printing_reads_back(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    static const char *const cases[] = {"[](p -> <> q)", "(a U b) W (X c M !d)", "x == 1 && y",
                                        "!(p <-> (q V r))"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_ltl f = formula(&s, cases[i]);
        for (int style = 0; style < 2; style++) {
            gy_text out = {0};
            gy_ltl_print(s.pool, f, style ? GY_LTL_PLAIN : GY_LTL_SPIN, &out);
            gy_ltl g = formula(&s, gy_text_str(&out));
            assert_int_equal(gy_ltl_equivalent(s.context, f, g, NULL), GY_YES);
            gy_text_free(&out);
        }
    }
    char *text = plain(&s, formula(&s, "[](p -> <> (x > 1))"));
    assert_string_equal(text, "G (p -> F \"x > 1\")");
    free(text);
    shop_close(&s);
}

static void test_traits(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    static const struct {
        const char *text;
        uint32_t yes, no;
    } cases[] = {
        {"[]<> p", GY_LTL_EVENTUAL | GY_LTL_UNIVERSAL | GY_LTL_NO_NEXT, GY_LTL_OBLIGATION},
        {"[] (p || X q)", GY_LTL_SAFETY | GY_LTL_OBLIGATION, GY_LTL_NO_NEXT | GY_LTL_GUARANTEE},
        {"p U q", GY_LTL_GUARANTEE, GY_LTL_SAFETY | GY_LTL_EVENTUAL},
        {"([] p) || (<> q)", GY_LTL_OBLIGATION, GY_LTL_SAFETY | GY_LTL_GUARANTEE},
        {"p && !q", GY_LTL_BOOLEAN | GY_LTL_SAFETY | GY_LTL_GUARANTEE, GY_LTL_EVENTUAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t traits = gy_ltl_traits(s.pool, formula(&s, cases[i].text));
        assert_int_equal(traits & cases[i].yes, cases[i].yes);
        assert_int_equal(traits & cases[i].no, 0);
    }
    shop_close(&s);
}

static void test_formulas_of_models(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    gy_model *model = gy_model_new();
    // x == 1 twice (two trees), and its negation.
    gy_expr x = {.op = GY_E_VAR, .var = 3}, x2 = x;
    gy_expr one = {.op = GY_E_CONST, .value = 1}, two = {.op = GY_E_CONST, .value = 2};
    gy_expr eq = {.op = GY_E_EQ, .a = &x, .b = &one, .place = 7};
    gy_expr eq2 = {.op = GY_E_EQ, .a = &x2, .b = &one, .place = 9};
    gy_expr other = {.op = GY_E_EQ, .a = &x, .b = &two};
    gy_expr negated = {.op = GY_E_NOT, .a = &eq2};
    gy_formula a = {.op = GY_F_ATOM, .atom = gy_model_atom(model, &eq), .text = "x == 1"};
    gy_formula b = {.op = GY_F_ATOM, .atom = gy_model_atom(model, &negated), .text = "!(x == 1)"};
    gy_formula c = {.op = GY_F_ATOM, .atom = gy_model_atom(model, &other), .text = "x == 2"};
    gy_formula until = {.op = GY_F_UNTIL, .a = &a, .b = &b};
    gy_formula always = {.op = GY_F_ALWAYS, .a = &c};
    gy_formula all = {.op = GY_F_AND, .a = &until, .b = &always};
    gy_ltl f;
    assert_true(gy_ltl_from_model(s.pool, model, &all, &f));
    assert_int_equal(gy_ltl_atom_count(s.pool), 2);
    assert_int_equal(gy_ltl_atom_predicate(s.pool, 0), a.atom);
    assert_ptr_equal(gy_atom_expr(model, a.atom), &eq);
    assert_string_equal(gy_ltl_atom_text(s.pool, 0), "x == 1");
    gy_text out = {0};
    gy_ltl_print(s.pool, f, GY_LTL_SPIN, &out);
    assert_non_null(strstr(gy_text_str(&out), "(x == 1) U !(x == 1)"));
    gy_text_free(&out);
    // A constant is no atom.
    gy_formula yes = {.op = GY_F_ATOM, .atom = gy_model_atom(model, &one), .text = "1"};
    assert_true(gy_ltl_from_model(s.pool, model, &yes, &f));
    assert_int_equal(f, GY_LTL_TRUE);
    gy_model_free(model);
    shop_close(&s);
}

static void test_long_and_deep_formulas_of_models(void **state)
{
    (void)state;
    enum { N = 200000 };
    struct shop s = shop_open(NULL);
    gy_formula *atoms = gy_alloc_zero(50 * sizeof *atoms);
    gy_formula *chain = gy_alloc_zero(N * sizeof *chain);
    for (int i = 0; i < 50; i++) {
        atoms[i] = (gy_formula){.op = GY_F_ATOM, .atom = (gy_atom)i + 1, .text = "v"};
    }
    for (int i = 0; i < N; i++)
        chain[i] =
            (gy_formula){.op = GY_F_AND, .a = i ? &chain[i - 1] : &atoms[0], .b = &atoms[i % 50]};
    gy_ltl f;
    assert_true(gy_ltl_from_model(s.pool, NULL, &chain[N - 1], &f));
    assert_int_equal(gy_ltl_arity(s.pool, f), 50);
    for (int i = 0; i < N; i++)
        chain[i] = (gy_formula){.op = GY_F_NEXT, .a = i ? &chain[i - 1] : &atoms[0]};
    assert_false(gy_ltl_from_model(s.pool, NULL, &chain[N - 1], &f));
    free(atoms);
    free(chain);
    shop_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_formulas_are_one),
        cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_printing_reads_back),
        cmocka_unit_test(test_traits),
        cmocka_unit_test(test_formulas_of_models),
        cmocka_unit_test(test_long_and_deep_formulas_of_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
