// What the owner of a state is chosen by (owner.h): bits of states that were found, and how often
// steps change them, as seen on random walks from those that were found last.
//
// For owner*.c only. Owner: who made it frees; nothing is shared between threads.
#ifndef GYRE_DIST_MPI_OWNER_SAMPLE_H
#define GYRE_DIST_MPI_OWNER_SAMPLE_H

#include "dist/mpi/owner.h"

#include "base/vec.h"

enum {
    GY_OWNER_WALKS = 256,
    GY_OWNER_STEPS = 64, // of a path
    GY_OWNER_BITS = 256, // that are examined, those that change least
    GY_OWNER_COLUMN = GY_OWNER_WALKS * GY_OWNER_STEPS / 64,
    GY_OWNER_EVERY = 4, // states of a path that are kept
    GY_OWNER_ROWS = GY_OWNER_STATES / 64 + GY_OWNER_COLUMN / GY_OWNER_EVERY + 3,
    // States are of three kinds, and a choice should be good for each: those that were found, but
    // for those found last; these; and those of walks from there.
    GY_OWNER_KINDS = 3,
    GY_OWNER_FEWEST = 256, // else a kind says nothing
};

typedef struct gy_owner_kind {
    uint32_t first, rows; // of gy_owner_bit.states
    uint32_t count;
} gy_owner_kind;

// A bit of a state that changes.
typedef struct gy_owner_bit {
    uint32_t number;
    uint64_t steps[GY_OWNER_COLUMN]; // in these
    uint64_t states[GY_OWNER_ROWS];  // it is set in these
} gy_owner_bit;

typedef struct gy_owner_sample {
    uint32_t words; // of each state, the first so many
    uint32_t steps;
    gy_owner_kind kinds[GY_OWNER_KINDS];
    gy_owner_bit *bits; // those that change least first; all others never do, or often
    uint32_t bit_count;
} gy_owner_sample;

// False: there are no states to begin with, or they are too long, or nothing ever changes. It has
// to be freed then, too.
bool gy_owner_sample_take(gy_owner_sample *sample, gy_worker *worker, const gy_owner_states *known);
void gy_owner_sample_free(gy_owner_sample *sample);

static inline uint32_t gy_owner_count(const uint64_t *set, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        count += (uint32_t)__builtin_popcountll(set[i]);
    return count;
}

#endif
