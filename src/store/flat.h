// Naming many successors at once, for coders without inner nodes (coder.h): the fast lane.
//
// A successor differs from its parent in few words, mostly in one of the two halves. It is added
// with what was written (gy_flat_add), then the halves that differ are copied and hashed and
// their table lines fetched (gy_flat_gather: before the memory of the successors is used again),
// and when there are enough of them, all are looked up (gy_flat_number), so that the cache misses
// of one overlap with those of the others. Each step is a loop over one half at a time: which words
// belong to it, and its table, stay in registers.
//
// A state that comes from elsewhere is added as if all of it had been written.
//
// One gy_flat per thread and coder.
#ifndef GYRE_STORE_FLAT_H
#define GYRE_STORE_FLAT_H

#include "store/coder.h"

enum { GY_FLAT_MOST = 128 };

typedef struct gy_flat {
    uint32_t n;                        // successors
    uint32_t gathered;                 // of these
    uint32_t entered;                  // of these, into the table of names: the first ones
    uint32_t halves[2];                // that differ, by side
    uint32_t tags[GY_FLAT_MOST];       // for whoever adds
    uint32_t numbers[2][GY_FLAT_MOST]; // of either half; at first, the parent's
    uint64_t written[GY_FLAT_MOST];    // see gy_coder_put_aside
    const uint32_t *states[GY_FLAT_MOST];
    uint64_t hashes[2][GY_FLAT_MOST + 1]; // of the halves
    uint32_t of[2][GY_FLAT_MOST + 1];     // which successor each is of
    uint64_t *rows[2];
} gy_flat;

void gy_flat_init(gy_flat *flat, const gy_coder *coder);
void gy_flat_free(gy_flat *flat);

static inline void gy_flat_clear(gy_flat *flat)
{
    flat->n = flat->gathered = flat->entered = flat->halves[0] = flat->halves[1] = 0;
}

// There must be room: n < GY_FLAT_MOST.
static inline void gy_flat_add(gy_flat *flat, const uint32_t parent[2], const uint32_t *state,
                               uint64_t written, uint32_t tag)
{
    flat->tags[flat->n] = tag;
    flat->numbers[0][flat->n] = parent[0];
    flat->numbers[1][flat->n] = parent[1];
    flat->written[flat->n] = written;
    flat->states[flat->n++] = state;
}

void gy_flat_gather(gy_flat *flat, const gy_coder *coder);
// Completes the names. False: no room; once there is some, to be called again.
bool gy_flat_number(gy_flat *flat, gy_coder *coder);

#endif
