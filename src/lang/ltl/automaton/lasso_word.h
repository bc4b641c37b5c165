// Ultimately periodic words: a stem and then a loop for ever. Witnesses of satisfiability.
//
// A letter is a set of atoms: bit v is the value of variable v of the context (translate.h).
// Owner: the caller; gy_lasso_free.
#ifndef GYRE_LANG_LTL_AUTOMATON_LASSO_WORD_H
#define GYRE_LANG_LTL_AUTOMATON_LASSO_WORD_H

#include "lang/ltl/automaton/translate.h"

typedef struct gy_lasso {
    uint64_t *letters;
    uint32_t length, loop; // letters loop .. length-1 repeat; length > loop
} gy_lasso;

void gy_lasso_free(gy_lasso *lasso);

// A word that the automaton accepts, shortest stem first; false if there is none.
bool gy_automaton_lasso(const gy_automaton *a, gy_lasso *out);
// Does the word satisfy the formula? By the definition of the operators, without automata.
bool gy_lasso_satisfies(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f);
// Gives every atom of f a variable, so that letters can give its value. False: too many.
bool gy_lasso_know(gy_ltl_context *context, gy_ltl f);
// The truth of f and of all its parts at each position: truth[part][position]; NULL for formulas
// that are no part of f. Free with gy_lasso_truth_free.
uint8_t **gy_lasso_truth(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f);
void gy_lasso_truth_free(uint8_t **truth, gy_ltl f);
// "!a & b ; { a ; !a }": the stem, then the loop in braces; atoms of f and g only (which may be the
// same formula).
void gy_lasso_print(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f, gy_ltl g,
                    gy_text *out);

#endif
