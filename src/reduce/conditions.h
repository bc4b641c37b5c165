// What a question about states is made of: a disjunction of conjunctions of conditions, each with
// what its truth depends on (dependence.h).
//
// Owner: the arena. Read-only once made.
#ifndef GYRE_REDUCE_CONDITIONS_H
#define GYRE_REDUCE_CONDITIONS_H

#include "reduce/dependence.h"

#include "base/arena.h"

enum { GY_MOST_PARTS = 256 }; // of a disjunction

typedef struct gy_condition {
    gy_atom atom;
    bool negated;
    uint64_t *cells, processes; // that it reads
} gy_condition;

typedef struct gy_conjunction {
    gy_condition *list;
    uint32_t count;
} gy_conjunction;

typedef struct gy_disjunction {
    gy_conjunction *list;
    uint32_t count;
} gy_disjunction;

// The parts of an atom, or of a list of terms: these are one conjunction. *known is false if
// its truth depends on something that is not reported (see gy_dependence_support).
gy_disjunction gy_conditions_of(const gy_dependence *d, gy_arena *arena, gy_atom atom, bool *known);
gy_disjunction gy_conditions_of_terms(const gy_dependence *d, gy_arena *arena, const gy_atom *terms,
                                      uint32_t count, bool *known);

// Does it depend on one process, or on one variable or channel, alone?
bool gy_condition_is_local(const gy_dependence *d, const gy_condition *condition);
// Is an atom true in a state? What cannot be evaluated is not.
bool gy_atom_holds(gy_worker *worker, gy_atom atom, const gy_word *state, uint32_t words);

#endif
