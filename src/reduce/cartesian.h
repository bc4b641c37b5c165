// Cartesian partial-order reduction: how far each process can run alone from a state.
//
// From a state every process runs ahead by itself, as far as no step but its last clashes with
// what the others do on their runs. It is enough to go on from the ends of these runs, so only
// there a scheduler would have to choose: every step that a process can ever make is made on some
// run, and every deadlock is the end of one. Nothing is ignored, so no proviso is needed.
//
// After Gueta, Flanagan, Yahav, Sagiv, "Cartesian partial-order reduction" (SPIN 2007), where
// processes neither choose nor wait; see cartesian.c for those that do.
//
// Owner: gy_cartesian_free. A gy_cartesian belongs to one thread; the reduction must outlive it.
#ifndef GYRE_REDUCE_CARTESIAN_H
#define GYRE_REDUCE_CARTESIAN_H

#include "reduce/moves.h"
#include "reduce/reduce.h"

typedef struct gy_cartesian gy_cartesian;

typedef struct gy_cartesian_run {
    const uint32_t *ordinals; // of its transitions, each among all that its state has
    uint32_t length;
    const gy_word *end; // NULL: the search need not go on from there
    uint32_t words;
} gy_cartesian_run;

// False: not for this system, *why says for which reason.
bool gy_cartesian_can(const gy_system *system, const char **why);
gy_cartesian *gy_cartesian_new(const gy_reduction *reduction);
void gy_cartesian_free(gy_cartesian *cartesian);

// Called for each transition as it is added to a run: step `step` of run `run`.
typedef void gy_cartesian_visit(void *user, uint32_t run, uint32_t step,
                                const gy_transition *transition);

// The runs from a state, valid until the next call; none: it has no transitions. They depend on
// the state alone. `visit` may be NULL.
const gy_cartesian_run *gy_cartesian_runs(gy_cartesian *cartesian, gy_worker *worker,
                                          const gy_word *state, uint32_t words,
                                          gy_cartesian_visit *visit, void *user, uint32_t *count);

#endif
