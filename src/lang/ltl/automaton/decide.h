// Questions about formulas, decided by automata.
//
// Each answers yes, no, or that a limit was reached (gy_ltl_failure of the context says
// which). A witness, where one is wanted (may be NULL), is filled if the comment says so; it
// has been judged by gy_lasso_satisfies before it is handed out.
#ifndef GYRE_LANG_LTL_AUTOMATON_DECIDE_H
#define GYRE_LANG_LTL_AUTOMATON_DECIDE_H

#include "lang/ltl/automaton/lasso_word.h"

typedef enum { GY_NO, GY_YES, GY_UNKNOWN } gy_answer;

// Is there a word that satisfies f? Witness if yes.
gy_answer gy_ltl_satisfiable(gy_ltl_context *context, gy_ltl f, gy_lasso *witness);
// Do all words satisfy f? Witness (of !f) if no.
gy_answer gy_ltl_valid(gy_ltl_context *context, gy_ltl f, gy_lasso *witness);
// Do the same words satisfy f and g? Witness (one satisfies, the other not) if no.
gy_answer gy_ltl_equivalent(gy_ltl_context *context, gy_ltl f, gy_ltl g, gy_lasso *witness);
// Is f stutter-invariant: does no repeated letter matter? Then partial-order reduction is sound for
// it.
gy_answer gy_ltl_stutter_invariant(gy_ltl_context *context, gy_ltl f);

#endif
