// Inside of the simplifier: for implies.c, simplify.c and simplify_many.c only.
#ifndef GYRE_LANG_LTL_FORMULA_RULES_H
#define GYRE_LANG_LTL_FORMULA_RULES_H

#include "base/vec.h"
#include "lang/ltl/formula/simplify.h"

struct rules_pair {
    uint64_t key; // f << 32 | g; 0: free
    bool yes;
};

struct gy_ltl_rules {
    gy_ltl_pool *pool;
    struct rules_pair *pairs; // results of gy_ltl_implies
    size_t pair_count, pair_room;
    GY_VEC(gy_ltl) negation, simple; // by formula: the result + 1; 0: not yet known
    uint64_t steps_left;
};

// One step of rewriting at the root; the operands are simple already.
gy_ltl rules_rewrite_many(gy_ltl_rules *rules, gy_ltl f); // AND, OR

static inline gy_ltl_op op_of(const gy_ltl_rules *rules, gy_ltl f)
{
    return gy_ltl_operator(rules->pool, f);
}

static inline gy_ltl part(const gy_ltl_rules *rules, gy_ltl f, uint32_t i)
{
    return gy_ltl_operand(rules->pool, f, i);
}

static inline bool has(const gy_ltl_rules *rules, gy_ltl f, uint32_t traits)
{
    return (gy_ltl_traits(rules->pool, f) & traits) == traits;
}

#endif
