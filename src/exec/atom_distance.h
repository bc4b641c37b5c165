// How far a state is from making an atom true, or false, as far as its expression and the flow of
// control tell (Edelkamp, Lluch Lafuente, Leue, "Directed explicit model checking with HSF-SPIN",
// 2001). For systems with a MODEL.
//
// Owner: the arena. Read-only once all atoms are added: any number of threads may ask.
#ifndef GYRE_EXEC_ATOM_DISTANCE_H
#define GYRE_EXEC_ATOM_DISTANCE_H

#include "base/arena.h"
#include "exec/view.h"

typedef struct gy_atom_distances gy_atom_distances;

gy_atom_distances *gy_atom_distances_new(const gy_model *model, gy_arena *arena);
// Labels of processes that it names are as far as control is from them; without this, they are
// reached or not.
void gy_atom_distances_add(gy_atom_distances *distances, gy_atom atom);

// A state, and the process that looks (-1: none).
typedef struct gy_distance_point {
    gy_worker *worker;
    const gy_word *state;
    uint32_t words;
    const gy_state_view *view;
    int32_t pid;
} gy_distance_point;

// 0: it is as `wanted`.
int64_t gy_atom_distance(const gy_atom_distances *distances, const gy_distance_point *at,
                         gy_atom atom, bool wanted);

#endif
