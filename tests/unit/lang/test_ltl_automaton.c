// Translation, kinds of automata, decisions, output and limits.
#include "ltl_helper.h"

static void test_sizes(void **state)
{
    (void)state;
    // Known smallest sizes: Büchi automaton with acceptance on states, then on transitions.
    static const struct {
        const char *text;
        uint32_t buchi, tgba;
    } cases[] = {
        {"true", 1, 1},
        {"false", 1, 1},
        {"[] p", 1, 1},
        {"<> p", 2, 2},
        {"p U q", 2, 2},
        {"[]<> p", 2, 1},
        {"<>[] p", 2, 2},
        {"[](p -> <> q)", 2, 2},
        {"!([](p -> <> q))", 2, 2},
        {"[]<> p && []<> q", 3, 1},
        {"[]<> p && []<> q && []<> r", 4, 1},
        {"<> p && <> q", 4, 4},
        {"<> p && <> q && <> r", 8, 8},
        {"[]<> p || []<> q", 2, 1},
        {"[]<> p -> []<> q", 4, 3},
        {"p U (q U r)", 3, 3},
        {"X X p", 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl f = formula(&s, cases[i].text);
        gy_automaton *a = gy_ltl_translate_buchi(s.context, f);
        gy_automaton *b = gy_ltl_translate(s.context, f);
        if (a->state_count != cases[i].buchi || b->state_count != cases[i].tgba)
            fail_msg("%s: %u and %u states", cases[i].text, a->state_count, b->state_count);
        assert_true(a->state_based && a->sets <= 1);
        gy_automaton_free(a);
        gy_automaton_free(b);
        shop_close(&s);
    }
}

static void test_kinds(void **state)
{
    (void)state;
    enum { SAFETY = 1, TERMINAL = 2, WEAK = 4, DETERMINISTIC = 8, COMPLETE = 16 };
    static const struct {
        const char *text;
        int kinds;
    } cases[] = {
        {"[] p", SAFETY | WEAK | DETERMINISTIC},
        {"p U q", TERMINAL | WEAK | DETERMINISTIC},
        {"<> p", TERMINAL | WEAK | DETERMINISTIC | COMPLETE},
        {"<>[] p", WEAK},
        {"[]<> p", DETERMINISTIC | COMPLETE},
        {"(p U q) || [] r", WEAK | DETERMINISTIC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_automaton *a = gy_ltl_translate_buchi(s.context, formula(&s, cases[i].text));
        int kinds = (gy_automaton_safety(a) ? SAFETY : 0) |
                    (gy_automaton_terminal(a) ? TERMINAL : 0) | (gy_automaton_weak(a) ? WEAK : 0) |
                    (gy_automaton_deterministic(a) ? DETERMINISTIC : 0) |
                    (gy_automaton_complete(a) ? COMPLETE : 0);
        assert_int_equal(kinds, cases[i].kinds);
        gy_automaton_free(a);
        shop_close(&s);
    }
}

static void test_decisions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        gy_answer satisfiable, valid;
    } cases[] = {
        {"p && !p", GY_NO, GY_NO},
        {"[] p && <> !p", GY_NO, GY_NO},
        {"<>[] p && []<> !p", GY_NO, GY_NO},
        {"[](p -> X !p) && [](!p -> X p) && <>[] p", GY_NO, GY_NO},
        {"(p U q) && [] !q", GY_NO, GY_NO},
        {"p && X p && [](p -> X X !p) && <>[] p", GY_NO, GY_NO},
        {"[](b -> <> b)", GY_YES, GY_YES},
        {"(p U q) -> <> q", GY_YES, GY_YES},
        {"(p V q) <-> !(!p U !q)", GY_YES, GY_YES},
        {"[](req -> <> grant)", GY_YES, GY_NO},
        {"[](r -> X g) && [](r -> X !g)", GY_YES, GY_NO},
        {"[](r -> X g) && [](r -> X !g) && <> r", GY_NO, GY_NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl f = formula(&s, cases[i].text);
        gy_lasso lasso = {0};
        assert_int_equal(gy_ltl_satisfiable(s.context, f, &lasso), cases[i].satisfiable);
        assert_int_equal(lasso.letters != NULL, cases[i].satisfiable == GY_YES);
        if (lasso.letters)
            assert_true(gy_lasso_satisfies(s.context, &lasso, f));
        gy_lasso_free(&lasso);
        assert_int_equal(gy_ltl_valid(s.context, f, &lasso), cases[i].valid);
        if (lasso.letters)
            assert_false(gy_lasso_satisfies(s.context, &lasso, f));
        gy_lasso_free(&lasso);
        shop_close(&s);
    }
}

static void test_equivalence(void **state)
{
    (void)state;
    static const struct {
        const char *f, *g;
        gy_answer answer;
    } cases[] = {
        {"[](p U q)", "[](p || q) && []<> q", GY_YES},
        {"<>(p V q)", "<>(p && q) || <>[] q", GY_YES},
        {"p W q", "(p U q) || [] p", GY_YES},
        {"p U q", "p W q", GY_NO},
        {"[]<> p", "<>[] p", GY_NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl f = formula(&s, cases[i].f), g = formula(&s, cases[i].g);
        gy_lasso lasso = {0};
        assert_int_equal(gy_ltl_equivalent(s.context, f, g, &lasso), cases[i].answer);
        if (cases[i].answer == GY_NO)
            assert_true(gy_lasso_satisfies(s.context, &lasso, f) !=
                        gy_lasso_satisfies(s.context, &lasso, g));
        gy_lasso_free(&lasso);
        shop_close(&s);
    }
}

static void test_stutter_invariance(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        gy_answer answer;
    } cases[] = {
        {"[](p -> <> q)", GY_YES},
        {"X p", GY_NO},
        {"<>(p && X !p)", GY_YES},
        {"[](p -> X q)", GY_NO},
        {"<> X p", GY_NO},
        {"[]<> X p", GY_YES},
        {"X [] p || [] p", GY_NO},
        {"p && X p", GY_NO},
        {"X p && !X p", GY_YES},
        {"<>(p && X (!p && <> p))", GY_YES},
        {"[](p -> (p U (!p && X !p)))", GY_NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_answer answer = gy_ltl_stutter_invariant(s.context, formula(&s, cases[i].text));
        if (answer != cases[i].answer)
            fail_msg("%s", cases[i].text);
        shop_close(&s);
    }
}

static void test_output(void **state)
{
    (void)state;
    struct shop s = shop_open(NULL);
    gy_ltl f = formula(&s, "p U (x == 1)");
    gy_automaton *a = gy_ltl_translate_buchi(s.context, f);
    gy_text out = {0};
    gy_automaton_print_never(s.context, a, "p U (x == 1) /* a */", &out);
    assert_string_equal(gy_text_str(&out), "never { /* p U (x == 1) /* a * / */\n"
                                           "T0_init:\n"
                                           "\tdo\n"
                                           "\t:: (p && !(x == 1)) -> goto T0_init\n"
                                           "\t:: ((x == 1)) -> goto accept_all\n"
                                           "\tod;\n"
                                           "accept_all:\n"
                                           "\tskip\n"
                                           "}\n");
    gy_text_clear(&out);
    gy_automaton_print_hoa(s.context, a, "say \"hi\"", &out);
    assert_string_equal(
        gy_text_str(&out),
        "HOA: v1\nname: \"say \\\"hi\\\"\"\nStates: 2\nStart: 0\nAP: 2 \"p\" \"x == 1\"\n"
        "acc-name: Buchi\nAcceptance: 1 Inf(0)\n"
        "properties: trans-labels explicit-labels state-acc deterministic terminal\n--BODY--\n"
        "State: 0\n[0&!1] 0\n[1] 1\nState: 1 {0}\n[t] 1\n--END--\n");
    gy_text_clear(&out);
    gy_automaton_print_dot(s.context, a, NULL, &out);
    assert_non_null(strstr(gy_text_str(&out), "1 [peripheries=2];"));
    gy_automaton_free(a);
    // No words: a claim that blocks, not an empty one.
    a = gy_ltl_translate_buchi(s.context, GY_LTL_FALSE);
    gy_text_clear(&out);
    gy_automaton_print_never(s.context, a, NULL, &out);
    assert_string_equal(gy_text_str(&out), "never {\nT0_init:\n\tfalse;\n}\n");
    gy_automaton_free(a);
    gy_text_free(&out);
    shop_close(&s);
}

static void test_limits(void **state)
{
    (void)state;
    gy_text big = {0}, said = {0};
    for (int i = 0; i < 12; i++)
        gy_text_printf(&big, "%s<> p%d", i ? " && " : "", i);
    struct shop s = shop_open(&(gy_ltl_limits){.max_states = 100});
    assert_null(gy_ltl_translate_buchi(s.context, formula(&s, gy_text_str(&big))));
    assert_int_equal(gy_ltl_failure(s.context), GY_LTL_TOO_MANY_STATES);
    gy_ltl_failure_text(s.context, &said);
    assert_non_null(strstr(gy_text_str(&said), "formula too large"));
    gy_ltl_restart(s.context, 0); // and another formula works
    gy_automaton *a = gy_ltl_translate_buchi(s.context, formula(&s, "p U q"));
    assert_non_null(a);
    gy_automaton_free(a);
    shop_close(&s);

    s = shop_open(&(gy_ltl_limits){.max_nodes = 500});
    assert_null(gy_ltl_translate_buchi(s.context, formula(&s, gy_text_str(&big))));
    assert_int_equal(gy_ltl_failure(s.context), GY_LTL_TOO_MANY_NODES);
    shop_close(&s);

    gy_text_clear(&big);
    for (int i = 0; i < 70; i++)
        gy_text_printf(&big, "%sp%d", i ? " && " : "", i);
    s = shop_open(NULL);
    assert_int_equal(gy_ltl_satisfiable(s.context, formula(&s, gy_text_str(&big)), NULL),
                     GY_UNKNOWN);
    assert_int_equal(gy_ltl_failure(s.context), GY_LTL_TOO_MANY_ATOMS);
    shop_close(&s);
    gy_text_free(&big);
    gy_text_free(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_equivalence),
        cmocka_unit_test(test_stutter_invariance),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
