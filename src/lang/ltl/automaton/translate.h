// From formulas to automata.
//
// A gy_ltl_context is a workshop: it ties a pool of formulas to the labels of the automata
// made from them, and carries the limits. Automata of one context can be combined. The
// context borrows the pool; automata borrow the context. Not thread-safe.
//
// Nothing here runs for ever: past a limit a function returns NULL, and gy_ltl_failure says
// which limit it was. The limit of time counts from gy_ltl_context_new or the last
// gy_ltl_restart.
#ifndef GYRE_LANG_LTL_AUTOMATON_TRANSLATE_H
#define GYRE_LANG_LTL_AUTOMATON_TRANSLATE_H

#include "lang/ltl/automaton/automaton.h"
#include "lang/ltl/formula/formula.h"
#include "lang/ltl/formula/simplify.h"

typedef struct gy_ltl_limits {
    uint32_t max_states; // of an automaton; 0: 100,000
    uint32_t max_nodes;  // of decision diagrams; 0: 20,000,000
    double max_seconds;  // 0: 60 s, and never more
} gy_ltl_limits;

typedef enum {
    GY_LTL_FITS,
    GY_LTL_TOO_MANY_STATES,
    GY_LTL_TOO_MANY_NODES,
    GY_LTL_TOO_MUCH_TIME,
    GY_LTL_TOO_MANY_ATOMS, // more than 64
    GY_LTL_TOO_MANY_SETS,  // more than 64 eventualities
} gy_ltl_limit;

typedef struct gy_ltl_context gy_ltl_context;

gy_ltl_context *gy_ltl_context_new(gy_ltl_pool *pool, const gy_ltl_limits *limits); // NULL: default
void gy_ltl_context_free(gy_ltl_context *context);
// The clock, and the failure. `seconds`: the new limit of time; 0: as long as before.
void gy_ltl_restart(gy_ltl_context *context, double seconds);
gy_ltl_limit gy_ltl_failure(const gy_ltl_context *context);
// "formula too large: its automaton has more than 100,000 states"
void gy_ltl_failure_text(const gy_ltl_context *context, gy_text *out);

gy_ltl_pool *gy_ltl_context_pool(gy_ltl_context *context);
gy_ltl_rules *gy_ltl_context_rules(gy_ltl_context *context);
gy_bdds *gy_ltl_context_labels(gy_ltl_context *context);
// Variable v of labels is this atom of the pool; variables are numbered from 0 without gaps.
uint32_t gy_ltl_context_atoms(const gy_ltl_context *context);
uint32_t gy_ltl_context_atom(const gy_ltl_context *context, uint32_t var);

// The smallest automaton that we can make with acceptance on transitions, and with
// acceptance on states (one set at most): for never claims and nested searches. f: any form.
gy_automaton *gy_ltl_translate(gy_ltl_context *context, gy_ltl f);
gy_automaton *gy_ltl_translate_buchi(gy_ltl_context *context, gy_ltl f);

#endif
