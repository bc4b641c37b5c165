// The first half of weak.c: subsets of states, and which of their cycles accept.
// For weak.c and subset.c only.
#ifndef GYRE_LANG_LTL_AUTOMATON_WEAK_H
#define GYRE_LANG_LTL_AUTOMATON_WEAK_H

#include "lang/ltl/automaton/steps.h"

// The states of the deterministic automaton as sets of states of the original one.
struct subsets {
    GY_VEC(uint32_t) members; // set after set
    GY_VEC(uint32_t) start;   // by set: its first member; one more at the end
};

// The deterministic and complete automaton of all subsets that can be reached, without
// acceptance. NULL if there are more than max_states.
gy_automaton *ltl_determinise(const gy_automaton *a, gy_bdds *bdds, uint32_t max_states,
                              struct subsets *subsets);
void ltl_subsets_free(struct subsets *subsets);

// For each component of d: does `a` accept the word of one of its cycles?
void ltl_judge_components(const gy_automaton *a, const gy_automaton *d, const gy_sccs *sccs,
                          const struct subsets *subsets, bool *accepts);

#endif
