// What follows the observer of a formula. Private to src/load.
#ifndef GYRE_LOAD_FORMULA_OBSERVER_H
#define GYRE_LOAD_FORMULA_OBSERVER_H

#include "lang/ltl/ltl.h"
#include "load/property.h"

#include <stdatomic.h>

// What the automaton does in a state: by its own state and a letter, the values of the atoms.
typedef struct formula_table {
    uint32_t atoms;
    GY_VEC(uint32_t) first; // moves of row (state << atoms | letter); one entry more
    GY_VEC(gy_observer_move) moves;
    GY_VEC(gy_observer_move) faults; // by state: the letter is not known and matters
} formula_table;

typedef struct formula_observer {
    gy_ltl_pool *pool;
    bool owns_pool;
    gy_ltl_context *context;
    gy_ltl formula; // what should hold; the automaton is of its negation
    gy_automaton *automaton;
    gy_atom atoms[GY_AUTOMATON_MAX_ATOMS];
    uint32_t atom_count;
    bool *universal;   // states from which every run is accepted
    uint32_t *numbers; // of a claim: of the automaton's edges as its statements
    formula_table table;
    gy_strong_pairs pairs;     // taken out of the negation before the automaton was made
    bool *lasting;             // with pairs: states in which an accepted run may stay for ever
    gy_observer *tight;        // NULL: none was made
    _Atomic uint64_t was_true; // variables that were true in some state that was examined
} formula_observer;

typedef enum {
    LTL_ANY_SETS, // as few states as possible
    LTL_FEW_SETS, // few enough for shortest counterexamples
    LTL_CLAIM,    // on states, as never claims have it
} ltl_sets;

// The values of all atoms that have a variable; those that cannot be evaluated are in *unknown.
uint64_t gy_formula_letter(const formula_observer *o, gy_worker *worker, const gy_word *state,
                           uint32_t words, uint64_t *unknown);
// Within these limits (NULL: the usual ones), from an object with pool and formula to an observer,
// which owns it. NULL: too large; it is freed.
gy_observer *gy_formula_observer(formula_observer *o, ltl_sets sets, const gy_ltl_limits *limits,
                                 gy_text *problem);
// tight_observer.c: another observer of the runs that `o` accepts, see gy_observer.tight. It
// borrows `o`. NULL: too large.
gy_observer *gy_tight_observer(formula_observer *o);

// After the context got to know further atoms.
void gy_formula_know_atoms(formula_observer *o);

#endif
