// All transitions of a state at once, for engines that must see them before they take any.
//
// Owner: gy_moves_free. What gy_moves_find returns is valid until its next call, or the next use
// of the worker.
#ifndef GYRE_REDUCE_MOVES_H
#define GYRE_REDUCE_MOVES_H

#include "base/vec.h"
#include "gyre/gyre.h"

// Copies of faults, without their messages.
typedef GY_VEC(gy_fault) gy_faults;
// Puts those of one transition (NULL: there is none) behind the others.
void gy_faults_copy(gy_faults *to, const gy_fault *first);
// When all are there: those of one transition after the other, as they were put in.
const gy_fault *gy_faults_next(gy_faults *all, size_t *at);

typedef struct gy_moves {
    GY_VEC(gy_transition) list;
    GY_VEC(gy_word) words;
    GY_VEC(gy_step) steps;
    gy_faults faults;
    GY_VEC(uint8_t) keep; // room for a choice among them
    // An atomic sequence may have more paths through it than memory holds. Not 0: after so many
    // gy_moves_find gives up, with `cut`; what it returns then is good for nothing.
    uint32_t most;
    bool cut;
} gy_moves;

const gy_transition *gy_moves_find(gy_moves *moves, gy_worker *worker, const gy_word *state,
                                   uint32_t words, uint32_t *count);
void gy_moves_free(gy_moves *moves);

// The transition of a process that gy_reduce_alone has reported, if it has exactly one; NULL: it
// has not, or that cannot be determined without the others'. After what gy_successors_batch,
// _append and earlier calls have given if `append`, otherwise in its place.
const gy_transition *gy_moves_only(gy_worker *worker, const gy_word *state, uint32_t words,
                                   uint32_t pid, bool append);

#endif
