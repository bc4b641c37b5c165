// Strong fairness in formulas: conjuncts that say that what is asked for infinitely often is given
// infinitely often. With n of them an automaton has 3^n states; taken out of the formula, each is a
// pair of conditions that the search for cycles can go by.
#ifndef GYRE_LANG_LTL_AUTOMATON_STRONG_PREMISES_H
#define GYRE_LANG_LTL_AUTOMATON_STRONG_PREMISES_H

#include "lang/ltl/automaton/translate.h"

// <>[] !asked || []<> given, of conditions on single states.
typedef struct gy_strong_pair {
    gy_bdd asked, given; // labels of the context
} gy_strong_pair;
typedef GY_VEC(gy_strong_pair) gy_strong_pairs;

// Appends the pairs among the conjuncts of f, which is in negation normal form, and returns the
// rest of it. If there are fewer than `least`, or more than `most`, they are left where they are.
gy_ltl gy_ltl_split_strong(gy_ltl_context *context, gy_ltl f, uint32_t least, uint32_t most,
                           gy_strong_pairs *pairs);

#endif
