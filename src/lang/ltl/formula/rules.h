// Inside of the simplifier: for implies.c, simplify.c and simplify_many.c only.
#ifndef GYRE_LANG_LTL_FORMULA_RULES_H
#define GYRE_LANG_LTL_FORMULA_RULES_H

#include "base/numbering.h"
#include "lang/ltl/formula/simplify.h"

struct gy_ltl_rules {
    gy_ltl_pool *pool;
    gy_numbering pairs;              // f << 32 | g, of which it is known whether f implies g
    GY_VEC(bool) implied;            // by pair
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
