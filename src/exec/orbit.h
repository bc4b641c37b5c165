// Orbits: states that differ only in which of several interchangeable processes is where.
//
// If nothing can tell the processes of some templates apart, a state in which two of them have
// changed places has the same future. Of all such states one is the representative: that in which
// the blocks of each template are in order. A worker that folds gives representatives in place of
// the states that it reaches, so that a search over it sees one state of each orbit.
//
// The order: processes that have ended come first, then by the words of their blocks, and then by
// the elements that go with them (of arrays which are indexed by the process's own pid only).
//
// A gy_orbits is immutable and shared by all threads; a gy_orbit_fold belongs to one. Which
// templates are interchangeable is for others to find out (reduce/symmetry.h).
#ifndef GYRE_EXEC_ORBIT_H
#define GYRE_EXEC_ORBIT_H

#include "exec/system.h"

typedef struct gy_orbits {
    const gy_model *model;
    const struct gy_state_layouts *shapes;
    const uint8_t *alike; // by template
    const int32_t *slots; // global arrays of which element i belongs to process i
    uint32_t slot_count;
    uint32_t slot_limit; // processes from here on have no elements: they keep their places
} gy_orbits;

typedef struct gy_orbit_fold gy_orbit_fold;

gy_orbit_fold *gy_orbit_fold_new(const gy_orbits *orbits); // borrows
void gy_orbit_fold_free(gy_orbit_fold *folder);

// From now on, gy_initial and gy_successors give representatives. Steps are those of the state
// that was asked about.
void gy_worker_fold(gy_worker *worker, const gy_orbits *orbits);

// The representative, or NULL if it is the state itself. Valid until the next call. *moved, if not
// NULL, receives the words that differ, as gy_transition.written does.
const gy_word *gy_fold(gy_orbit_fold *folder, const gy_word *state, uint32_t words,
                       uint64_t *moved);
// After gy_fold: which process of the state stands at `pid` in its representative.
uint32_t gy_fold_origin(const gy_orbit_fold *folder, uint32_t pid);

// States of this worker that were replaced, so far.
uint64_t gy_worker_folded(const gy_worker *worker);
// By template: in some state a process of it had ended and could have been the youngest.
const uint8_t *gy_worker_ends(const gy_worker *worker);

// For system.c.
int gy_orbit_fold_visit(gy_orbit_fold *folder, const gy_transition *transition, gy_visit *visit,
                        void *user);
const gy_transition *gy_orbit_fold_batch(gy_orbit_fold *folder, const gy_transition *all,
                                         uint32_t count);

#endif
