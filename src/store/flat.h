// Naming many successors at once, for coders without inner nodes (coder.h): the fast lane.
//
// A successor differs from its parent in few words, mostly in one of the two halves. Those that
// were written are copied and hashed and their table lines fetched (gy_flat_add), and when there
// are enough of them, all are looked up (gy_flat_number), so that the cache misses of one overlap
// with those of the others. Each step is a loop over one half at a time: which words
// belong to it, and its table, stay in registers.
//
// A state that comes from elsewhere is added as if all of it had been written.
//
// One gy_flat per thread and coder.
#ifndef GYRE_STORE_FLAT_H
#define GYRE_STORE_FLAT_H

#include "store/coder.h"
#include "store/store.h"

enum { GY_FLAT_MOST = 128 };

typedef struct gy_flat {
    uint32_t n;                           // successors
    uint32_t entered;                     // of these, into the table of pairs: the first ones
    uint32_t halves[2];                   // that differ, by side
    uint32_t tags[GY_FLAT_MOST];          // for whoever adds
    uint32_t numbers[2][GY_FLAT_MOST];    // of either half; at first, the parent's
    uint64_t hashes[2][GY_FLAT_MOST + 1]; // of the halves
    uint32_t of[2][GY_FLAT_MOST + 1];     // which successor each is of
    uint64_t *rows[2];
} gy_flat;

void gy_flat_init(gy_flat *flat, const gy_coder *coder);
void gy_flat_free(gy_flat *flat);

static inline void gy_flat_clear(gy_flat *flat)
{
    flat->n = flat->entered = flat->halves[0] = flat->halves[1] = 0;
}

// What the next one but k begins with; there must be room: n + k < GY_FLAT_MOST.
static inline void gy_flat_set(gy_flat *flat, uint32_t k, const uint32_t parent[2], uint32_t tag)
{
    flat->tags[flat->n + k] = tag;
    flat->numbers[0][flat->n + k] = parent[0];
    flat->numbers[1][flat->n + k] = parent[1];
}

// Adds `count` of them, for each of which that was said. Their memory is not needed any more.
void gy_flat_add(gy_flat *flat, const gy_coder *coder, const gy_incoming *in, uint32_t count);
// Completes the pairs. False: no room; once there is some, to be called again.
bool gy_flat_number(gy_flat *flat, gy_coder *coder);

#endif
