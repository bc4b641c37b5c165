// The steps of the translation: for translate.c, decide.c and the files that implement them.
//
// Each takes an automaton and makes another one; NULL means "not possible or not worth it"
// where the comment says so, else that a limit was reached.
#ifndef GYRE_LANG_LTL_AUTOMATON_STEPS_H
#define GYRE_LANG_LTL_AUTOMATON_STEPS_H

#include "lang/ltl/automaton/translate.h"

struct gy_ltl_context {
    gy_ltl_pool *pool;
    gy_ltl_rules *rules;
    gy_bdds *labels;
    GY_VEC(uint32_t) atoms; // by variable
    gy_ltl_limits limits;
    double deadline;
    gy_ltl_limit failure;
};

// Notes the limit that was reached; returns NULL for convenience.
void *ltl_fail(gy_ltl_context *context, gy_ltl_limit limit);
// True while time is left and the labels fit; else the failure is noted.
bool ltl_alive(gy_ltl_context *context);
// The variable of an atom in labels; UINT32_MAX and a failure if there are too many.
uint32_t ltl_variable(gy_ltl_context *context, uint32_t atom);

// Variables of decision diagrams in the steps. Either atoms come first, and then what the step
// needs, or these come first, and atom v is variable LTL_ATOMS_LAST + v.
enum { LTL_ATOM_VARS = 64, LTL_ATOMS_LAST = 1 << 24 };

// tableau.c: f in negation normal form to an automaton.
gy_automaton *ltl_tableau(gy_ltl_context *context, gy_ltl f);
// simulate.c: merges states by simulation, forwards or backwards. NULL: no step was possible.
gy_automaton *ltl_simulate(gy_ltl_context *context, const gy_automaton *a, bool backwards);
// degeneralise.c: acceptance on states, one set. The sets are visited in the given order.
gy_automaton *ltl_degeneralise(gy_ltl_context *context, const gy_automaton *a, const uint8_t *order,
                               bool reuse);
// weak.c: the smallest deterministic weak automaton with these words, if they are an
// obligation property; `negation` accepts the other words (NULL: it is known to be one).
// NULL: it is none, or too large to be of use.
gy_automaton *ltl_weak_deterministic(gy_ltl_context *context, const gy_automaton *a,
                                     const gy_automaton *negation, uint32_t max_states);

#endif
