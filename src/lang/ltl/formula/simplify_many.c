// Rewriting conjunctions and disjunctions.
//
// First operands that others imply are dropped and contradictions found; then pairs of
// operands are joined where one formula says both. The rules for disjunctions are the duals
// of those for conjunctions, so one table serves both: it is written for conjunctions, and
// read with the duals of its operators for disjunctions.
#include "lang/ltl/formula/rules.h"

enum { MAX_OPERANDS = 40, TAIL = GY_LTL_EVENTUAL | GY_LTL_UNIVERSAL };

// Works on "and"; with `or` set, on the dual.
struct view {
    gy_ltl_rules *r;
    bool or_;
};

static gy_ltl_op v_op(const struct view *v, gy_ltl f)
{
    gy_ltl_op op = op_of(v->r, f);
    return v->or_ ? gy_ltl_dual(op) : op;
}

static gy_ltl v_one(const struct view *v, gy_ltl_op op, gy_ltl f)
{
    return gy_ltl_unary(v->r->pool, v->or_ ? gy_ltl_dual(op) : op, f);
}

static gy_ltl v_two(const struct view *v, gy_ltl_op op, gy_ltl f, gy_ltl g)
{
    return gy_ltl_binary(v->r->pool, v->or_ ? gy_ltl_dual(op) : op, f, g);
}

// Joins f & g into one formula; 0 (false is never a join) if no rule applies.
static gy_ltl join(const struct view *v, gy_ltl f, gy_ltl g)
{
    gy_ltl_op fo = v_op(v, f), go = v_op(v, g);
    gy_ltl_rules *r = v->r;
    gy_ltl a = gy_ltl_arity(r->pool, f) ? part(r, f, 0) : 0;
    gy_ltl b = gy_ltl_arity(r->pool, f) > 1 ? part(r, f, 1) : 0;
    gy_ltl c = gy_ltl_arity(r->pool, g) ? part(r, g, 0) : 0;
    gy_ltl d = gy_ltl_arity(r->pool, g) > 1 ? part(r, g, 1) : 0;
    bool f_until = fo == GY_LTL_OP_U || fo == GY_LTL_OP_W;
    bool g_until = go == GY_LTL_OP_U || go == GY_LTL_OP_W;
    bool f_release = fo == GY_LTL_OP_R || fo == GY_LTL_OP_M;
    bool g_release = go == GY_LTL_OP_R || go == GY_LTL_OP_M;
    if (fo == GY_LTL_OP_X && go == GY_LTL_OP_X) // X a & X c = X(a & c)
        return v_one(v, GY_LTL_OP_X, v_two(v, GY_LTL_OP_AND, a, c));
    // G a & G c = G(a & c), but G F a stays alone; F a | F c = F(a | c), also F a | F G c
    if (fo == GY_LTL_OP_G && go == GY_LTL_OP_G)
        return !v->or_ && (has(r, f, TAIL) || has(r, g, TAIL))
                   ? 0
                   : v_one(v, GY_LTL_OP_G, v_two(v, GY_LTL_OP_AND, a, c));
    if (v->or_ && fo == GY_LTL_OP_G && has(r, g, TAIL)) // F a | G F b = F(a | G F b)
        return gy_ltl_unary(r->pool, GY_LTL_OP_F, gy_ltl_binary(r->pool, GY_LTL_OP_OR, a, g));
    // F G a & F G c = F G(a & c)
    if (fo == GY_LTL_OP_F && go == GY_LTL_OP_F && v_op(v, a) == GY_LTL_OP_G &&
        v_op(v, c) == GY_LTL_OP_G)
        return v_one(v, GY_LTL_OP_F,
                     v_one(v, GY_LTL_OP_G, v_two(v, GY_LTL_OP_AND, part(r, a, 0), part(r, c, 0))));
    // (a U b) & (c U b) = (a & c) U b; strong if one of them is
    if (f_until && g_until && b == d)
        return v_two(v, fo == GY_LTL_OP_U || go == GY_LTL_OP_U ? GY_LTL_OP_U : GY_LTL_OP_W,
                     v_two(v, GY_LTL_OP_AND, a, c), b);
    // (a R b) & (a R d) = a R (b & d)
    if (f_release && g_release && a == c)
        return v_two(v, fo == GY_LTL_OP_M || go == GY_LTL_OP_M ? GY_LTL_OP_M : GY_LTL_OP_R, a,
                     v_two(v, GY_LTL_OP_AND, b, d));
    // (a W b) & F b = a U b; (a R b) & F a = a M b
    if (fo == GY_LTL_OP_W && go == GY_LTL_OP_F && b == c)
        return v_two(v, GY_LTL_OP_U, a, b);
    if (fo == GY_LTL_OP_R && go == GY_LTL_OP_F && a == c)
        return v_two(v, GY_LTL_OP_M, a, b);
    // G a & (c U d) with a implying c = G a & F d; the same with W: nothing left (implied)
    if (fo == GY_LTL_OP_G && go == GY_LTL_OP_U &&
        (v->or_ ? gy_ltl_implies(r, c, a) : gy_ltl_implies(r, a, c)))
        return v_two(v, GY_LTL_OP_AND, f, v_one(v, GY_LTL_OP_F, d));
    // G a & (c M d), a implying d: G a & F c; (c R d): implied
    if (fo == GY_LTL_OP_G && go == GY_LTL_OP_M &&
        (v->or_ ? gy_ltl_implies(r, d, a) : gy_ltl_implies(r, a, d)))
        return v_two(v, GY_LTL_OP_AND, f, v_one(v, GY_LTL_OP_F, c));
    // a & X G a = G a
    if (go == GY_LTL_OP_X && v_op(v, c) == GY_LTL_OP_G && part(r, c, 0) == f)
        return c;
    return 0;
}

static gy_ltl finish(const struct view *v, gy_ltl_op op, const gy_ltl *parts, uint32_t n)
{
    return gy_ltl_many(v->r->pool, op, parts, n);
}

// For "and": is f implied by g?  For "or": does f imply g?
static bool redundant(const struct view *v, gy_ltl f, gy_ltl g)
{
    return v->or_ ? gy_ltl_implies(v->r, f, g) : gy_ltl_implies(v->r, g, f);
}

static bool contradict(const struct view *v, gy_ltl f, gy_ltl g)
{
    return v->or_ ? gy_ltl_implies(v->r, gy_ltl_negate(v->r, f), g) : gy_ltl_excludes(v->r, f, g);
}

gy_ltl rules_rewrite_many(gy_ltl_rules *rules, gy_ltl f)
{
    struct view v = {rules, op_of(rules, f) == GY_LTL_OP_OR};
    gy_ltl_op op = op_of(rules, f);
    uint32_t n = gy_ltl_arity(rules->pool, f);
    if (n > MAX_OPERANDS)
        return f;
    gy_ltl parts[MAX_OPERANDS];
    for (uint32_t i = 0; i < n; i++)
        parts[i] = part(rules, f, i);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            if (i == k)
                continue;
            if (redundant(&v, parts[i], parts[k])) {
                parts[i] = parts[n - 1];
                return finish(&v, op, parts, n - 1);
            }
            if (i < k && contradict(&v, parts[i], parts[k]))
                return v.or_ ? GY_LTL_TRUE : GY_LTL_FALSE;
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            gy_ltl joined = i == k ? 0 : join(&v, parts[i], parts[k]);
            if (!joined)
                continue;
            parts[i] = joined;
            parts[k] = parts[n - 1];
            gy_ltl made = finish(&v, op, parts, n - 1);
            if (made != f)
                return made;
            for (uint32_t m = 0; m < n; m++) // it led back here: try the next pair
                parts[m] = part(rules, f, m);
        }
    return f;
}
