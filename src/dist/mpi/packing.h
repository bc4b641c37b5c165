// States on their way to another rank: packed, one after the other.
//
// A state is identified by what is different from the one before it in the same batch: its length,
// a bit for each word, and the words whose bit is set, in as many bytes as their values need. After
// it come its tags, if there are some. Nothing in a batch that was received is believed.
#ifndef GYRE_DIST_MPI_PACKING_H
#define GYRE_DIST_MPI_PACKING_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { GY_PACKING_TAGS = 2 }; // most of them next to a state

typedef struct gy_packer {
    GY_VEC(uint8_t) bytes;   // the batch
    GY_VEC(uint32_t) before; // the last state in it
    uint32_t before_words;
    uint32_t count; // states in it
} gy_packer;

// `head` bytes at the beginning are left to the caller.
void gy_packer_begin(gy_packer *packer, uint32_t head);
void gy_packer_add(gy_packer *packer, const uint32_t *state, uint32_t words, const uint64_t *tags,
                   unsigned tag_count);
void gy_packer_free(gy_packer *packer);

typedef struct gy_unpacker {
    const uint8_t *at, *end;
    GY_VEC(uint32_t) state; // the last one that was read
    uint32_t words;
    bool damaged;
} gy_unpacker;

void gy_unpacker_begin(gy_unpacker *unpacker, const void *bytes, size_t n);
// False: there are no more, or the rest makes no sense.
bool gy_unpacker_next(gy_unpacker *unpacker, uint64_t *tags, unsigned tag_count);
void gy_unpacker_free(gy_unpacker *unpacker);

#endif
