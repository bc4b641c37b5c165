// Implications that can be read off the shape of two formulas.
//
// After Somenzi and Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000, extended to
// W and M and to eventual and universal formulas (Etessami and Holzmann, CONCUR 2000). Each
// rule is a lemma of the form "f implies g if these smaller implications hold"; a pair is
// decided once and remembered.
#include "lang/ltl/formula/rules.h"

enum { STEPS = 500000 };

gy_ltl_rules *gy_ltl_rules_new(gy_ltl_pool *pool)
{
    gy_ltl_rules *rules = gy_alloc_zero(sizeof *rules);
    rules->pool = pool;
    rules->steps_left = STEPS;
    return rules;
}

void gy_ltl_rules_free(gy_ltl_rules *rules)
{
    if (!rules)
        return;
    gy_numbering_free(&rules->pairs);
    gy_vec_free(&rules->implied);
    gy_vec_free(&rules->negation);
    gy_vec_free(&rules->simple);
    free(rules);
}

static void remember(gy_ltl_rules *rules, gy_ltl f, gy_ltl g)
{
    while (rules->negation.n <= f)
        gy_vec_push(&rules->negation, 0);
    rules->negation.at[f] = g + 1;
}

gy_ltl gy_ltl_negate(gy_ltl_rules *rules, gy_ltl f)
{
    gy_ltl_op op = op_of(rules, f);
    if (op == GY_LTL_OP_CONST || op == GY_LTL_OP_ATOM || op == GY_LTL_OP_NOT)
        return gy_ltl_not(rules->pool, f);
    if (f < rules->negation.n && rules->negation.at[f])
        return rules->negation.at[f] - 1;
    uint32_t n = gy_ltl_arity(rules->pool, f);
    gy_ltl *parts = gy_alloc(n * sizeof *parts);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = gy_ltl_negate(rules, part(rules, f, i));
    gy_ltl g = gy_ltl_rebuild(rules->pool, gy_ltl_dual(op), parts, n);
    free(parts);
    remember(rules, f, g);
    if (gy_ltl_operator(rules->pool, g) > GY_LTL_OP_NOT)
        remember(rules, g, f);
    return g;
}

// b must hold now in a R b and a M b, which are b W (a & b) and b U (a & b). So each of the
// four is "stay U/W stop", where stop is one formula or the conjunction of two.
struct until {
    gy_ltl stay, stop, stop2; // stop2: the other conjunct, or true
    bool strong;              // stop must come
};

static bool as_until(const gy_ltl_rules *r, gy_ltl f, struct until *u)
{
    gy_ltl_op op = op_of(r, f);
    switch (op) {
    case GY_LTL_OP_F:
        *u = (struct until){GY_LTL_TRUE, part(r, f, 0), GY_LTL_TRUE, true};
        return true;
    case GY_LTL_OP_G:
        *u = (struct until){part(r, f, 0), GY_LTL_FALSE, GY_LTL_TRUE, false};
        return true;
    case GY_LTL_OP_U:
    case GY_LTL_OP_W:
        *u = (struct until){part(r, f, 0), part(r, f, 1), GY_LTL_TRUE, op == GY_LTL_OP_U};
        return true;
    case GY_LTL_OP_R:
    case GY_LTL_OP_M:
        *u = (struct until){part(r, f, 1), part(r, f, 0), part(r, f, 1), op == GY_LTL_OP_M};
        return true;
    default:
        return false;
    }
}

// "stop implies g": one of its conjuncts does.
static bool stop_implies(gy_ltl_rules *r, const struct until *u, gy_ltl g)
{
    return gy_ltl_implies(r, u->stop, g) || gy_ltl_implies(r, u->stop2, g);
}

static bool implies_stop(gy_ltl_rules *r, gy_ltl f, const struct until *u)
{
    return gy_ltl_implies(r, f, u->stop) && gy_ltl_implies(r, f, u->stop2);
}

static bool until_implies(gy_ltl_rules *r, const struct until *x, gy_ltl g, const struct until *y)
{
    // Now either stay or stop holds.
    if (gy_ltl_implies(r, x->stay, g) && stop_implies(r, x, g))
        return true;
    // Stop comes, and what is eventually so is so now.
    if (x->strong && has(r, g, GY_LTL_EVENTUAL) && stop_implies(r, x, g))
        return true;
    // Component by component.
    return y && (x->strong || !y->strong) && stop_implies(r, x, y->stop) &&
           stop_implies(r, x, y->stop2) && gy_ltl_implies(r, x->stay, y->stay);
}

static bool decide(gy_ltl_rules *r, gy_ltl f, gy_ltl g)
{
    gy_ltl_op fo = op_of(r, f), go = op_of(r, g);
    uint32_t n = gy_ltl_arity(r->pool, f), m = gy_ltl_arity(r->pool, g);
    if (fo == GY_LTL_OP_OR) {
        for (uint32_t i = 0; i < n; i++)
            if (!gy_ltl_implies(r, part(r, f, i), g))
                return false;
        return true;
    }
    if (go == GY_LTL_OP_AND) {
        for (uint32_t i = 0; i < m; i++)
            if (!gy_ltl_implies(r, f, part(r, g, i)))
                return false;
        return true;
    }
    if (fo == GY_LTL_OP_AND)
        for (uint32_t i = 0; i < n; i++)
            if (gy_ltl_implies(r, part(r, f, i), g))
                return true;
    if (go == GY_LTL_OP_OR)
        for (uint32_t i = 0; i < m; i++)
            if (gy_ltl_implies(r, f, part(r, g, i)))
                return true;
    if (fo == GY_LTL_OP_X && go == GY_LTL_OP_X)
        return gy_ltl_implies(r, part(r, f, 0), part(r, g, 0));
    if (fo == GY_LTL_OP_X && has(r, g, GY_LTL_EVENTUAL) && gy_ltl_implies(r, part(r, f, 0), g))
        return true;
    if (go == GY_LTL_OP_X)
        return has(r, f, GY_LTL_UNIVERSAL) && gy_ltl_implies(r, f, part(r, g, 0));
    struct until x, y;
    bool f_until = as_until(r, f, &x), g_until = as_until(r, g, &y);
    if (g_until) {
        if (implies_stop(r, f, &y)) // it stops at once
            return true;
        if (!y.strong && has(r, f, GY_LTL_UNIVERSAL) && gy_ltl_implies(r, f, y.stay))
            return true; // it never needs to stop
    }
    return f_until && until_implies(r, &x, g, g_until ? &y : NULL);
}

bool gy_ltl_implies(gy_ltl_rules *rules, gy_ltl f, gy_ltl g)
{
    if (f == g || f == GY_LTL_FALSE || g == GY_LTL_TRUE)
        return true;
    if (f == GY_LTL_TRUE || g == GY_LTL_FALSE)
        return false;
    // Two literals, or a Boolean f and a g whose shape no rule can take apart.
    if (gy_ltl_arity(rules->pool, f) < 2 && has(rules, f, GY_LTL_BOOLEAN) &&
        gy_ltl_arity(rules->pool, g) < 2 && has(rules, g, GY_LTL_BOOLEAN))
        return false;
    uint64_t key = (uint64_t)f << 32 | g;
    uint32_t known = gy_number_find(&rules->pairs, key);
    if (known != UINT32_MAX)
        return rules->implied.at[known];
    if (!rules->steps_left)
        return false;
    rules->steps_left--;
    bool yes = decide(rules, f, g);
    known = gy_number(&rules->pairs, key);
    if (known == rules->implied.n) // it may have been asked again on the way
        gy_vec_push(&rules->implied, yes);
    rules->implied.at[known] = yes;
    return yes;
}

bool gy_ltl_excludes(gy_ltl_rules *rules, gy_ltl f, gy_ltl g)
{
    return gy_ltl_implies(rules, f, gy_ltl_negate(rules, g));
}
