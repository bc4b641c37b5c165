// An index from hashes to ids: the hash table under the exact stores.
//
// It knows no keys, only ids and a few bits of each hash: the caller compares. Representation:
// an array of 64-byte lines. A hash has a home line, its top bits scaled to the number of
// lines (hash * lines / 2^64), which therefore may be any number; an id goes to the first free
// slot from there on, line by line. Slots are filled from the left and never freed.
//
//   narrow slot, 32 bits, 16 in a line:   [ tag ............ | id + 1 (id_bits) ]
//   wide slot,   64 bits,  8 in a line:   [ tag (24) | id + 1 (40) ]
//
// 0 is an empty slot; the tag is the lowest bits of the hash. Slots become wide when narrow ones
// would leave fewer than 4 bits of tag.
//
// Invariant: from the home line of an entry to the line where it is, no line has a free slot.
// So a search ends at the first line with a free slot. Some lines behind the last home line
// (the tail) take what is pushed beyond it: nothing wraps around.
//
// Growth is in place: the ids 0 .. count-1, all that were entered, are entered again into the
// larger table. Their owner is asked for the hashes in the order of the ids, in which the states
// lie in memory; the lines are fetched some ids ahead.
#ifndef GYRE_STORE_NUMBERED_INDEX_H
#define GYRE_STORE_NUMBERED_INDEX_H

#include "base/memory.h"
#include "base/snapshot.h"

typedef struct gy_index {
    gy_region memory;
    uint64_t lines;      // home lines
    uint64_t tail;       // lines behind them
    uint64_t count;      // entries
    uint64_t grow_above; // entries
    uint32_t id_bits;    // of a slot
    bool wide;
    bool hostile;
} gy_index;

// How the index learns the hash of an entry when it grows.
typedef struct gy_index_owner {
    uint64_t (*hash)(const void *owner, uint64_t id);
    const void *owner;
} gy_index_owner;

void gy_index_init(gy_index *index, gy_budget *budget, bool hostile);
void gy_index_free(gy_index *index);
// Makes sure that one more entry, with this id, can be added. Probes from before are void.
// False: no memory; the index is as it was.
bool gy_index_make_room(gy_index *index, const gy_index_owner *owner, uint64_t id);

// Enters the ids 0 .. count-1 again, after all their hashes have changed.
void gy_index_refill(gy_index *index, const gy_index_owner *owner);

void gy_index_save(const gy_index *index, gy_writer *writer);
bool gy_index_load(gy_index *index, gy_reader *reader);

#endif
