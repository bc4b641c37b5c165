// Linear temporal logic: the one header to include from other rooms.
//
//     gy_ltl_pool *pool = gy_ltl_pool_new();
//     gy_ltl f;
//     if (gy_ltl_parse(pool, sources, diags, "<formula>", text, strlen(text), &f)) {
//         gy_ltl_context *context = gy_ltl_context_new(pool, NULL);
//         gy_automaton *a = gy_ltl_translate_buchi(context, f);
//         if (a)
//             gy_automaton_print_never(context, a, text, &out);
//         else
//             gy_ltl_failure_text(context, &out);    // a limit was reached
//         gy_automaton_free(a);
//         gy_ltl_context_free(context);
//     }
//     gy_ltl_pool_free(pool);
//
// A property of a model: gy_ltl_from_model(pool, model, property->formula, &f), translate !f, and
// let the search run the model in step with the automaton. Variable v of a label is atom
// gy_ltl_context_atom(context, v), the predicate gy_ltl_atom_predicate(pool, …); with these values
// as bits of a word, gy_bdd_value(context labels, edge label, word) says whether the edge may
// be taken, and gy_bdd_cubes gives the label as masks for generated code.
//
// Types: gy_ltl (formula.h), gy_automaton (automaton.h), gy_lasso (lasso_word.h). Owner rules are
// in those headers: the pool outlives the context, the context outlives its automata.
#ifndef GYRE_LANG_LTL_LTL_H
#define GYRE_LANG_LTL_LTL_H

#include "lang/ltl/automaton/automaton.h"       // IWYU pragma: export
#include "lang/ltl/automaton/decide.h"          // IWYU pragma: export
#include "lang/ltl/automaton/lasso_word.h"      // IWYU pragma: export
#include "lang/ltl/automaton/output.h"          // IWYU pragma: export
#include "lang/ltl/automaton/strong_premises.h" // IWYU pragma: export
#include "lang/ltl/automaton/tight.h"           // IWYU pragma: export
#include "lang/ltl/automaton/translate.h"       // IWYU pragma: export
#include "lang/ltl/formula/formula.h"           // IWYU pragma: export
#include "lang/ltl/formula/formula_parse.h"     // IWYU pragma: export
#include "lang/ltl/formula/simplify.h"          // IWYU pragma: export

#endif
