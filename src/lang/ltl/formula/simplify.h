// Making formulas smaller by rewriting, and deciding some implications by their shape.
//
// A gy_ltl_rules holds the memo of one pool; make one, use it for many formulas, free it.
// Both functions work on formulas in negation normal form. gy_ltl_implies is sound and not
// complete: true means that every word of f satisfies g. gy_ltl_simplify returns an
// equivalent formula in negation normal form. Work is bounded: past a budget of steps
// implications are no longer looked for.
#ifndef GYRE_LANG_LTL_FORMULA_SIMPLIFY_H
#define GYRE_LANG_LTL_FORMULA_SIMPLIFY_H

#include "lang/ltl/formula/formula.h"

typedef struct gy_ltl_rules gy_ltl_rules;

gy_ltl_rules *gy_ltl_rules_new(gy_ltl_pool *pool);
void gy_ltl_rules_free(gy_ltl_rules *rules);

bool gy_ltl_implies(gy_ltl_rules *rules, gy_ltl f, gy_ltl g);
bool gy_ltl_excludes(gy_ltl_rules *rules, gy_ltl f, gy_ltl g); // f implies !g
gy_ltl gy_ltl_negate(gy_ltl_rules *rules, gy_ltl f);           // normal form of !f, remembered
gy_ltl gy_ltl_simplify(gy_ltl_rules *rules, gy_ltl f);

#endif
