// Where each state was found from: parent and ordinal for every id, in under a byte per state.
//
// The ordinal is the position of the transition among all that gy_successors gives for the
// parent; so a path can be walked again from an initial state, whatever the store keeps.
//
// Representation: a string of bits. For each id in order, the difference between its parent and
// the parent of the id before (breadth-first: mostly 0 or 1), then the ordinal; both in Elias's
// gamma code. Every GY_TRAIL_STEP ids the position is noted, so that a lookup reads at most that
// many records.
#ifndef GYRE_SEARCH_TRAIL_H
#define GYRE_SEARCH_TRAIL_H

#include "base/memory.h"
#include "base/snapshot.h"

enum { GY_TRAIL_STEP = 256 };
#define GY_TRAIL_START UINT64_MAX // the parent of an initial state

typedef struct gy_trail {
    gy_region bits, marks;
    uint64_t n;      // ids
    uint64_t end;    // bits
    uint64_t parent; // of the last id, plus one; 0: an initial state
} gy_trail;

void gy_trail_init(gy_trail *trail, gy_budget *budget);
void gy_trail_free(gy_trail *trail);
// Appends the record of the next id. False: no memory; nothing was appended.
bool gy_trail_add(gy_trail *trail, uint64_t parent, uint32_t ordinal);
void gy_trail_get(const gy_trail *trail, uint64_t id, uint64_t *parent, uint32_t *ordinal);
void gy_trail_save(const gy_trail *trail, gy_writer *writer);
bool gy_trail_load(gy_trail *trail, gy_reader *reader);

#endif
