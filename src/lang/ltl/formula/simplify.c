// Rewriting formulas: the driver, and the rules for one and two operands.
//
// The rules are those of Somenzi and Bloem (CAV 2000) and Etessami and Holzmann (CONCUR 2000),
// with the cases for W, M and for formulas that are eventual and universal at once ("about
// the tail only", such as G F a) that Babiak, Křetínský, Řehák and Strejček (TACAS 2012) and
// the authors of Spot list. They are applied bottom-up and, at each root, until none applies;
// each makes the formula smaller, or shares more of it, or moves X outwards.
#include "lang/ltl/formula/rules.h"

#define N_X GY_LTL_OP_X
#define N_F GY_LTL_OP_F
#define N_G GY_LTL_OP_G
#define N_U GY_LTL_OP_U
#define N_R GY_LTL_OP_R
#define N_W GY_LTL_OP_W
#define N_M GY_LTL_OP_M
#define N_AND GY_LTL_OP_AND
#define N_OR GY_LTL_OP_OR

enum { TAIL = GY_LTL_EVENTUAL | GY_LTL_UNIVERSAL };

static gy_ltl one(gy_ltl_rules *r, gy_ltl_op op, gy_ltl f)
{
    return gy_ltl_unary(r->pool, op, f);
}

static gy_ltl two(gy_ltl_rules *r, gy_ltl_op op, gy_ltl f, gy_ltl g)
{
    return gy_ltl_binary(r->pool, op, f, g);
}

// Splits an n-ary f into the operands with these traits, but not all of `unless`, and the
// others.
static bool divide_unless(gy_ltl_rules *r, gy_ltl f, uint32_t traits, uint32_t unless, gy_ltl *with,
                          gy_ltl *without)
{
    gy_ltl_op op = op_of(r, f);
    uint32_t n = gy_ltl_arity(r->pool, f);
    GY_VEC(gy_ltl) yes = {0}, no = {0};
    for (uint32_t i = 0; i < n; i++)
        if (has(r, part(r, f, i), traits) && !(unless && has(r, part(r, f, i), unless)))
            gy_vec_push(&yes, part(r, f, i));
        else
            gy_vec_push(&no, part(r, f, i));
    bool both = yes.n && no.n;
    if (both) {
        *with = gy_ltl_many(r->pool, op, yes.at, (uint32_t)yes.n);
        *without = gy_ltl_many(r->pool, op, no.at, (uint32_t)no.n);
    }
    gy_vec_free(&yes);
    gy_vec_free(&no);
    return both;
}

static bool divide(gy_ltl_rules *r, gy_ltl f, uint32_t traits, gy_ltl *with, gy_ltl *without)
{
    return divide_unless(r, f, traits, 0, with, without);
}

static gy_ltl rewrite_next(gy_ltl_rules *r, gy_ltl f)
{
    gy_ltl a = part(r, f, 0), tail, rest;
    if (has(r, a, TAIL))
        return a;
    if ((op_of(r, a) == N_AND || op_of(r, a) == N_OR) && divide(r, a, TAIL, &tail, &rest))
        return two(r, op_of(r, a), tail, one(r, N_X, rest));
    return f;
}

static gy_ltl rewrite_eventually(gy_ltl_rules *r, gy_ltl f)
{
    gy_ltl a = part(r, f, 0), tail, rest;
    if (has(r, a, GY_LTL_EVENTUAL))
        return a;
    switch (op_of(r, a)) {
    case N_X:
        return one(r, N_X, one(r, N_F, part(r, a, 0)));
    case N_U:
        return one(r, N_F, part(r, a, 1));
    case N_M:
        return one(r, N_F, two(r, N_AND, part(r, a, 0), part(r, a, 1)));
    case N_W: // F(a W b) = F(b | G a)
        return two(r, N_OR, one(r, N_F, part(r, a, 1)), one(r, N_F, one(r, N_G, part(r, a, 0))));
    case N_AND:
        if (divide(r, a, TAIL, &tail, &rest))
            return two(r, N_AND, tail, one(r, N_F, rest));
        return f;
    case N_OR:
        // F(a | G F b) stays: one state that waits is better than two
        if (divide_unless(r, a, GY_LTL_EVENTUAL, TAIL, &tail, &rest))
            return two(r, N_OR, tail, one(r, N_F, rest));
        return f;
    case N_R: // F(a R b) = F(a & b) | F G b
        return two(r, N_OR, one(r, N_F, two(r, N_AND, part(r, a, 0), part(r, a, 1))),
                   one(r, N_F, one(r, N_G, part(r, a, 1))));
    case N_G: // F G (…): the inside counts in the long run only
        if (op_of(r, part(r, a, 0)) == N_OR &&
            divide(r, part(r, a, 0), GY_LTL_UNIVERSAL, &tail, &rest))
            return two(r, N_OR, one(r, N_F, tail), one(r, N_F, one(r, N_G, rest)));
        return f;
    default:
        return f;
    }
}

static gy_ltl rewrite_always(gy_ltl_rules *r, gy_ltl f)
{
    gy_ltl a = part(r, f, 0), tail, rest;
    if (has(r, a, GY_LTL_UNIVERSAL))
        return a;
    switch (op_of(r, a)) {
    case N_X:
        return one(r, N_X, one(r, N_G, part(r, a, 0)));
    case N_R:
        return one(r, N_G, part(r, a, 1));
    case N_W:
        return one(r, N_G, two(r, N_OR, part(r, a, 0), part(r, a, 1)));
    case N_M: // G(a M b) = G b & G F a
        return two(r, N_AND, one(r, N_G, part(r, a, 1)), one(r, N_G, one(r, N_F, part(r, a, 0))));
    case N_U: // G(a U b) = G(a | b) & G F b
        return two(r, N_AND, one(r, N_G, two(r, N_OR, part(r, a, 0), part(r, a, 1))),
                   one(r, N_G, one(r, N_F, part(r, a, 1))));
    case N_OR:
        if (divide(r, a, TAIL, &tail, &rest))
            return two(r, N_OR, tail, one(r, N_G, rest));
        return f;
    case N_AND:
        if (divide(r, a, GY_LTL_UNIVERSAL, &tail, &rest))
            return two(r, N_AND, tail, one(r, N_G, rest));
        return f;
    case N_F: // G F (…)
        if (op_of(r, part(r, a, 0)) == N_AND &&
            divide(r, part(r, a, 0), GY_LTL_EVENTUAL, &tail, &rest))
            return two(r, N_AND, one(r, N_G, tail), one(r, N_G, one(r, N_F, rest)));
        return f;
    default:
        return f;
    }
}

// a is an operand of the n-ary f of operator op; the others.
static bool without(gy_ltl_rules *r, gy_ltl_op op, gy_ltl f, gy_ltl a, gy_ltl *others)
{
    if (op_of(r, f) != op)
        return false;
    uint32_t n = gy_ltl_arity(r->pool, f);
    GY_VEC(gy_ltl) rest = {0};
    for (uint32_t i = 0; i < n; i++)
        if (part(r, f, i) != a)
            gy_vec_push(&rest, part(r, f, i));
    bool found = rest.n < n;
    if (found)
        *others = gy_ltl_many(r->pool, op, rest.at, (uint32_t)rest.n);
    gy_vec_free(&rest);
    return found;
}

// a U b, a W b
static gy_ltl rewrite_until(gy_ltl_rules *r, gy_ltl f)
{
    gy_ltl a = part(r, f, 0), b = part(r, f, 1), others;
    bool strong = op_of(r, f) == N_U;
    if (gy_ltl_implies(r, a, b) || (strong && has(r, b, GY_LTL_EVENTUAL)))
        return b;
    if (!strong && has(r, a, GY_LTL_UNIVERSAL))
        return two(r, N_OR, a, b);
    if (gy_ltl_implies(r, gy_ltl_negate(r, a), b)) // a | b
        return strong ? one(r, N_F, b) : GY_LTL_TRUE;
    if (op_of(r, a) == N_X && op_of(r, b) == N_X)
        return one(r, N_X, two(r, op_of(r, f), part(r, a, 0), part(r, b, 0)));
    if (without(r, N_AND, b, a, &others)) // a U (a & c) = c M a
        return two(r, strong ? N_M : N_R, others, a);
    // a U (c U d) = c U d if a implies c; the same for all weak ones, or the inner one weak
    bool inner_strong = op_of(r, b) == N_U;
    if (inner_strong || op_of(r, b) == N_W) {
        if ((strong || !inner_strong) && gy_ltl_implies(r, a, part(r, b, 0)))
            return b;
        if (a == part(r, b, 0)) // a W (a U d) = a W d
            return two(r, N_W, a, part(r, b, 1));
    }
    // operands of a disjunction on the left that imply b are not needed
    if (op_of(r, a) == N_OR) {
        uint32_t n = gy_ltl_arity(r->pool, a);
        for (uint32_t i = 0; i < n; i++)
            if (gy_ltl_implies(r, part(r, a, i), b) && without(r, N_OR, a, part(r, a, i), &others))
                return two(r, op_of(r, f), others, b);
    }
    // (c U b) U b = c U b; weak only if both are
    if ((op_of(r, a) == N_U || op_of(r, a) == N_W) && part(r, a, 1) == b)
        return two(r, strong || op_of(r, a) == N_U ? N_U : N_W, part(r, a, 0), b);
    return f;
}

// a R b, a M b
static gy_ltl rewrite_release(gy_ltl_rules *r, gy_ltl f)
{
    gy_ltl a = part(r, f, 0), b = part(r, f, 1), others;
    bool strong = op_of(r, f) == N_M;
    if (gy_ltl_implies(r, b, a) || (!strong && has(r, b, GY_LTL_UNIVERSAL)))
        return b;
    if (strong && has(r, a, GY_LTL_EVENTUAL))
        return two(r, N_AND, a, b);
    if (gy_ltl_excludes(r, a, b)) // a and b never meet
        return strong ? GY_LTL_FALSE : one(r, N_G, b);
    if (op_of(r, a) == N_X && op_of(r, b) == N_X)
        return one(r, N_X, two(r, op_of(r, f), part(r, a, 0), part(r, b, 0)));
    if (without(r, N_OR, b, a, &others)) // a R (a | c) = c W a
        return two(r, strong ? N_U : N_W, others, a);
    // a R (c R d) = c R d if c implies a
    if ((op_of(r, b) == N_R || op_of(r, b) == N_M) && gy_ltl_implies(r, part(r, b, 0), a))
        if (!strong || op_of(r, b) == N_M)
            return b;
    // conjuncts of a that b implies are not needed
    if (op_of(r, a) == N_AND) {
        uint32_t n = gy_ltl_arity(r->pool, a);
        for (uint32_t i = 0; i < n; i++)
            if (gy_ltl_implies(r, b, part(r, a, i)) && without(r, N_AND, a, part(r, a, i), &others))
                return two(r, op_of(r, f), others, b);
    }
    return f;
}

static gy_ltl rewrite(gy_ltl_rules *r, gy_ltl f)
{
    switch (op_of(r, f)) {
    case N_X:
        return rewrite_next(r, f);
    case N_F:
        return rewrite_eventually(r, f);
    case N_G:
        return rewrite_always(r, f);
    case N_U:
    case N_W:
        return rewrite_until(r, f);
    case N_R:
    case N_M:
        return rewrite_release(r, f);
    case N_AND:
    case N_OR:
        return rules_rewrite_many(r, f);
    default:
        return f;
    }
}

gy_ltl gy_ltl_simplify(gy_ltl_rules *r, gy_ltl f)
{
    if (f <= GY_LTL_TRUE || op_of(r, f) == GY_LTL_OP_ATOM || op_of(r, f) == GY_LTL_OP_NOT)
        return f;
    if (f < r->simple.n && r->simple.at[f])
        return r->simple.at[f] - 1;
    uint32_t n = gy_ltl_arity(r->pool, f);
    gy_ltl *parts = gy_alloc(n * sizeof *parts);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = gy_ltl_simplify(r, part(r, f, i));
    gy_ltl made = gy_ltl_rebuild(r->pool, op_of(r, f), parts, n);
    free(parts);
    if (made != f)
        made = gy_ltl_simplify(r, made);
    else if ((made = rewrite(r, f)) != f)
        made = gy_ltl_simplify(r, made);
    while (r->simple.n <= f)
        gy_vec_push(&r->simple, 0);
    r->simple.at[f] = made + 1;
    return made;
}
