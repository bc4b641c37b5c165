// Rewriting and syntactic implication, judged on all short ultimately periodic words.
#include "ltl_helper.h"

enum { ATOMS = 2, LENGTH = 4 };

// Calls `see` with every lasso of at most LENGTH letters over the first two atoms.
typedef void see_lasso(struct shop *s, const gy_lasso *lasso, gy_ltl f, gy_ltl g);

static void for_each_lasso(struct shop *s, see_lasso *see, gy_ltl f, gy_ltl g)
{
    uint64_t letters[LENGTH];
    for (uint32_t length = 1; length <= LENGTH; length++)
        for (uint32_t code = 0; code < 1u << (ATOMS * length); code++) {
            for (uint32_t i = 0; i < length; i++)
                letters[i] = code >> (ATOMS * i) & ((1u << ATOMS) - 1);
            for (uint32_t loop = 0; loop < length; loop++)
                see(s, &(gy_lasso){letters, length, loop}, f, g);
        }
}

static void see_equal(struct shop *s, const gy_lasso *lasso, gy_ltl f, gy_ltl g)
{
    if (gy_lasso_satisfies(s->context, lasso, f) == gy_lasso_satisfies(s->context, lasso, g))
        return;
    char *x = plain(s, f), *y = plain(s, g);
    fail_msg("not the same: %s and %s", x, y);
}

static void see_implied(struct shop *s, const gy_lasso *lasso, gy_ltl f, gy_ltl g)
{
    if (!gy_lasso_satisfies(s->context, lasso, f) || gy_lasso_satisfies(s->context, lasso, g))
        return;
    char *x = plain(s, f), *y = plain(s, g);
    fail_msg("%s does not imply %s", x, y);
}

static gy_ltl simple(struct shop *s, gy_ltl f)
{
    return gy_ltl_simplify(gy_ltl_context_rules(s->context), gy_ltl_nnf(s->pool, f, false));
}

static void test_known_simplifications(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[][] p", "G p"},
        {"<>(p U q)", "F q"},
        {"[](p V q)", "G q"},
        {"[]<>X p", "G F p"},
        {"X([]<> p)", "G F p"},
        {"p U (q U p)", "q U p"},
        {"(p U q) && (q U q)", "q"},
        {"[] p && [] q", "G (p & q)"},
        {"<> p || <> q", "F (p | q)"},
        {"p && X [] p", "G p"},
        {"p || X <> p", "F p"},
        {"[] p || (p U q)", "p W q"},
        {"<> p && (p V q)", "p M q"},
        {"p U (p && q)", "q M p"},
        {"[] p && <> !p", "false"},
        {"(p U q) && [] !q", "false"},
        {"<>[] p && <>[] q", "F G (p & q)"},
        {"(p U q) -> <> q", "true"},
        {"<>(p && []<> q)", "F p & G F q"},
        {"X p && X q", "X (p & q)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl_atom_named(s.pool, "p");
        gy_ltl_atom_named(s.pool, "q");
        assert_int_equal(simple(&s, formula(&s, cases[i][0])), formula(&s, cases[i][1]));
        shop_close(&s);
    }
}

// A random formula over two atoms, in negation normal form.
static gy_ltl random_formula(struct shop *s, unsigned *seed, int size)
{
    static const gy_ltl_op ops[] = {GY_LTL_OP_X,  GY_LTL_OP_F,   GY_LTL_OP_G, GY_LTL_OP_U,
                                    GY_LTL_OP_R,  GY_LTL_OP_W,   GY_LTL_OP_M, GY_LTL_OP_AND,
                                    GY_LTL_OP_OR, GY_LTL_OP_AND, GY_LTL_OP_OR};
    unsigned pick = (unsigned)rand_r(seed) >> 4;
    if (size <= 1) {
        gy_ltl f = gy_ltl_atom(s->pool, pick % ATOMS);
        return pick & 8 ? gy_ltl_not(s->pool, f) : f;
    }
    gy_ltl_op op = ops[pick % (sizeof ops / sizeof *ops)];
    if (op == GY_LTL_OP_X || op == GY_LTL_OP_F || op == GY_LTL_OP_G)
        return gy_ltl_unary(s->pool, op, random_formula(s, seed, size - 1));
    int left = 1 + (int)((unsigned)rand_r(seed) >> 4) % (size - 1);
    gy_ltl f = random_formula(s, seed, left);
    return gy_ltl_binary(s->pool, op, f, random_formula(s, seed, size - left));
}

static void test_random_formulas_keep_their_meaning(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int i = 0; i < 150; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl_atom_named(s.pool, "p");
        gy_ltl_atom_named(s.pool, "q");
        gy_ltl f = random_formula(&s, &seed, 2 + i % 10);
        gy_ltl g = simple(&s, f);
        if (f != g)
            for_each_lasso(&s, see_equal, f, g);
        shop_close(&s);
    }
}

static void test_implications_hold(void **state)
{
    (void)state;
    unsigned seed = 7;
    int found = 0;
    for (int i = 0; i < 3000; i++) {
        struct shop s = shop_open(NULL);
        gy_ltl_atom_named(s.pool, "p");
        gy_ltl_atom_named(s.pool, "q");
        gy_ltl f = random_formula(&s, &seed, 1 + i % 4);
        gy_ltl g = random_formula(&s, &seed, 1 + i % 5);
        if (f != g && gy_ltl_implies(gy_ltl_context_rules(s.context), f, g)) {
            found++;
            if (found < 150)
                for_each_lasso(&s, see_implied, f, g);
        }
        shop_close(&s);
    }
    assert_true(found > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_simplifications),
        cmocka_unit_test(test_random_formulas_keep_their_meaning),
        cmocka_unit_test(test_implications_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
