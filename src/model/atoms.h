// Atoms: state predicates of a model, by number. Formulas, observers and whoever else asks for the
// truth of a predicate name it by its number, and no expression goes further than MODEL and what
// executes it.
//
// Structurally equal expressions have the same number. Copies of a model (passes/passes.h) share
// the table of the model that they were made from: a number means the same predicate in all of
// them. 0 is the number of none.
//
// Owner: the model that was read. One thread at a time may add to a table, while others look up
// numbers that they were given.
#ifndef GYRE_MODEL_ATOMS_H
#define GYRE_MODEL_ATOMS_H

#include "model/model.h"

typedef struct gy_atoms gy_atoms;

gy_atoms *gy_atoms_new(gy_arena *arena);
void gy_atoms_free(gy_atoms *atoms);

// The number of an expression, which must be complete and stay as it is. 0 of NULL.
gy_atom gy_model_atom(const gy_model *model, const gy_expr *expr);
const gy_expr *gy_atom_expr(const gy_model *model, gy_atom atom); // NULL of 0

// Is it the negation of another one? If not, *of stays as it is.
bool gy_atom_is_negation(const gy_model *model, gy_atom atom, gy_atom *of);
// Has it the same value in every state?
bool gy_atom_is_constant(const gy_model *model, gy_atom atom, bool *value);
// Of its values.
gy_type gy_atom_type(const gy_model *model, gy_atom atom);

// Have all expressions stayed as they were when they got their numbers?
bool gy_atoms_are_unchanged(const gy_model *model);

#endif
