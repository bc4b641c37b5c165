// Partial-order reduction: which of a state's transitions suffice.
//
// Steps of different processes that touch nothing in common lead to the same state in either
// order. From the facts about a model (what each edge reads and writes) a stubborn set is chosen
// in every state: a set of processes such that nothing the others can do, now or later, depends
// on the transitions of these, before one of these is made. Exploring only those moves keeps every
// deadlock; together with a proviso, which is the engine's business, it keeps every fault too.
//
// What an engine does in each state:
//
//     all transitions, in the order of gy_successors  -->  gy_reduce_choose  -->  keep[]
//     if fewer than all are kept: does the proviso hold? If not, take all.
//
// The proviso sees to it that nothing is ignored. For deadlocks alone none is needed. For
// faults, from every state a fully expanded one must be reachable in what is explored:
//   breadth-first   a kept successor lies in a later level than the state
//   depth-first     a kept successor is not on the stack
//   any order       a kept successor is still to be expanded: new to the code that expands the
//   state, or
//                   waiting. So it is with many threads, too (search/safety/reach_proviso.c)
//
// A gy_reduction is immutable and shared by all threads; a gy_reducer belongs to one thread.
// Owner: who made them frees them, reducers first. The system must outlive both.
//
// After Valmari (stubborn sets, 1988) and Laarman, Pater, van de Pol, Weber, "Guard-based
// partial-order reduction" (STTT 2016), at the grain of processes; see stubborn.c.
#ifndef GYRE_REDUCE_REDUCE_H
#define GYRE_REDUCE_REDUCE_H

#include "gyre/gyre.h"

typedef struct gy_reduction gy_reduction;
typedef struct gy_reducer gy_reducer;

// What else than deadlocks and faults is to be preserved.
typedef struct gy_reduce_needs {
    const gy_atom *observed; // the state predicates that a property reads
    uint32_t observed_count;
    uint32_t split_limit; // elements of arrays that are told apart; 0: as many as pay
} gy_reduce_needs;

// NULL: this system cannot be reduced; *why (static text) says for which reason. `needs` may be
// NULL: deadlocks and faults only.
gy_reduction *gy_reduction_new(gy_system *system, const gy_reduce_needs *needs, const char **why);
void gy_reduction_free(gy_reduction *reduction);

gy_reducer *gy_reducer_new(const gy_reduction *reduction);
void gy_reducer_free(gy_reducer *reducer);

// Given all transitions of a state, marks those to be explored: keep[i] is 1 or 0. Returns how
// many; equal to `count` if the state is to be expanded fully. Depends on the state alone.
uint32_t gy_reduce_choose(gy_reducer *reducer, const gy_word *state, uint32_t words,
                          const gy_transition *all, uint32_t count, uint8_t *keep);

// Before any transition is known: the process whose only transition would be chosen, if it has
// exactly one (with a successor, and no fault), whatever the others can do; -1: there is none.
int32_t gy_reduce_alone(gy_reducer *reducer, const gy_word *state, uint32_t words);
// As gy_reduce_choose, after gy_reduce_alone has reported, of this state, that there is none.
uint32_t gy_reduce_choose_crowd(gy_reducer *reducer, const gy_word *state, uint32_t words,
                                const gy_transition *all, uint32_t count, uint8_t *keep);
// Was what gy_reduce_choose chose last of that kind? It may be all that there is; then the state is
// fully expanded by itself, but the code that asks gy_reduce_alone does not learn that.
bool gy_reduce_chose_alone(const gy_reducer *reducer);

#endif
