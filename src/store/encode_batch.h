// Naming many successors at once, for coders without inner nodes (coder.h): the fast lane.
//
// A successor differs from its parent in few words, mostly in one of the two halves. Which were
// written is noted first (gy_encode_batch_add); these halves are copied and hashed and their table
// lines fetched (gy_encode_batch_gather), and then all are looked up (gy_encode_batch_number), so
// that the cache misses of one overlap with those of the others. Each of these steps is a loop over
// one half at a time: which words belong to it, and its table, stay in registers.
//
// A state that comes from elsewhere is added as if all of it had been written.
//
// One gy_encode_batch per thread and coder.
#ifndef GYRE_STORE_ENCODE_BATCH_H
#define GYRE_STORE_ENCODE_BATCH_H

#include "store/coder.h"
#include "store/store.h"

enum { GY_ENCODE_BATCH_MOST = 128 };

typedef struct gy_encode_batch {
    uint32_t n;                                // successors
    uint32_t entered;                          // of these, into the table of pairs: the first ones
    uint32_t halves[2];                        // that differ, by side
    uint32_t gathered[2];                      // of these, the first ones
    uint32_t tags[GY_ENCODE_BATCH_MOST];       // for the code that adds
    uint32_t numbers[2][GY_ENCODE_BATCH_MOST]; // of either half; at first, the parent's
    uint64_t hashes[2][GY_ENCODE_BATCH_MOST + 1]; // of the halves
    uint32_t of[2][GY_ENCODE_BATCH_MOST + 1];     // which successor each is of
    const uint32_t *states[GY_ENCODE_BATCH_MOST]; // until they are gathered
    uint64_t *rows[2];
} gy_encode_batch;

void gy_encode_batch_init(gy_encode_batch *flat, const gy_coder *coder);
void gy_encode_batch_free(gy_encode_batch *flat);

static inline void gy_encode_batch_clear(gy_encode_batch *flat)
{
    flat->n = flat->entered = flat->halves[0] = flat->halves[1] = 0;
    flat->gathered[0] = flat->gathered[1] = 0;
}

typedef struct gy_encode_batch_some {
    uint32_t from, end; // some arrivals
    uint32_t tag;       // of the first; those of the others follow
} gy_encode_batch_some;

// Adds some arrivals, successors of the state with that pair, as long as they have the coder's
// length; returns the first that has not. There must be room. No branches but that one: whether a
// half differs cannot be foreseen, and a wrong guess costs more than the rest.
static inline uint32_t gy_encode_batch_add(gy_encode_batch *flat, const gy_coder *coder,
                                           const uint32_t pair[2], const gy_arrivals *in,
                                           gy_encode_batch_some some)
{
    const uint64_t left_pieces = coder->pieces_of[0], right_pieces = coder->pieces_of[1];
    const uint32_t words = coder->shape->words, first = pair[0], second = pair[1];
    uint32_t n = flat->n, left = flat->halves[0], right = flat->halves[1];
    uint32_t i = some.from, end = some.end, tag = some.tag;
    for (; i < end && gy_arrival_words(in, i) == words; i++, n++, tag++) {
        uint64_t written = gy_arrival_written(in, i);
        flat->states[n] = gy_arrival_state(in, i);
        flat->tags[n] = tag;
        flat->numbers[0][n] = first;
        flat->numbers[1][n] = second;
        flat->of[0][left] = flat->of[1][right] = n;
        left += (written & left_pieces) != 0;
        right += (written & right_pieces) != 0;
    }
    flat->n = n;
    flat->halves[0] = left;
    flat->halves[1] = right;
    return i;
}

// Their memory is not needed any more.
void gy_encode_batch_gather(gy_encode_batch *flat, const gy_coder *coder);
// Completes the pairs of those that are gathered. False: no room; once there is some, to be called
// again.
bool gy_encode_batch_number(gy_encode_batch *flat, gy_coder *coder);

#endif
