// States that were found and have not been expanded: for stores that do not keep states.
//
// Each thread packs the states that it puts in into chunks of its own; a chunk is given back when
// all that is in it was taken out. Neighbours are much alike, so most states are kept as what
// differs from the first one of their group:
//
//   record:  [ distance to the leader of its group (0: it is one) ][ payload ]
//   leader:  how many words, and all of them;  others: a mask of the words that differ, and those
//   numbers are 7 bits to a byte, the last one first; a reference is chunk and offset.
//
// When the budget says no, whole chunks go to a file that has no name (in TMPDIR or /tmp), and
// come back when they are asked for.
//
// Threads: a view each. A state may be asked for by any thread that was informed of it; whoever
// put it in must have closed its chunk before others ask (gy_frontier_close, before meetings).
#ifndef GYRE_STORE_FRONTIER_H
#define GYRE_STORE_FRONTIER_H

#include "store/store.h"

#include "base/vec.h"

#include <pthread.h>

enum { GY_FRONTIER_CHUNK_BITS = 18, GY_FRONTIER_CHUNKS = 1 << 20 };

typedef struct gy_frontier_chunk {
    unsigned char *at;     // NULL: in the file, or free
    uint32_t used;         // bytes
    uint32_t counted;      // bytes that the budget knows of: memory is there once it is written
    uint64_t slot;         // in the file, if it is there
    _Atomic uint32_t left; // states that were not taken out, and one for the code that fills it
    uint64_t spilled;      // 0: not in the file; otherwise no other chunk ever has this number
} gy_frontier_chunk;

typedef struct gy_frontier {
    gy_budget *budget;
    bool hostile;
    pthread_mutex_t lock;      // for what follows
    gy_frontier_chunk *chunks; // room for GY_FRONTIER_CHUNKS
    uint32_t chunk_count;
    GY_VEC(uint32_t) free_chunks;
    int file;               // -1: none yet
    uint64_t slots, spills; // so far
    GY_VEC(uint64_t) free_slots;
} gy_frontier;

typedef struct gy_frontier_view {
    gy_frontier *of;
    uint32_t chunk; // being filled
    bool filling;
    unsigned char *at; // of that chunk
    uint32_t used, counted, leader, group;
    GY_VEC(uint32_t) first; // the words of its leader
    GY_VEC(uint32_t) state; // given back last
    unsigned char *cache;   // a chunk that is in the file; NULL: not needed so far
    uint64_t cached;        // which one: `spilled`
} gy_frontier_view;

void gy_frontier_init(gy_frontier *f, gy_budget *budget, bool hostile);
void gy_frontier_free(gy_frontier *f);
void gy_frontier_view_init(gy_frontier_view *v, gy_frontier *f);
void gy_frontier_view_free(gy_frontier_view *v);

// Makes room for a state of that length. False: no memory, or it is too long.
bool gy_frontier_ready(gy_frontier_view *v, uint32_t words);
gy_ref gy_frontier_put(gy_frontier_view *v, const uint32_t *state, uint32_t words); // when ready
// NULL: the file cannot be read. Valid until the next call.
const uint32_t *gy_frontier_get(gy_frontier_view *v, gy_ref ref, uint32_t *words);
void gy_frontier_take(gy_frontier_view *v, gy_ref ref); // it will not be asked for again
void gy_frontier_close(gy_frontier_view *v);
// At a meeting, all views being closed: gives back memory. False: there is none to be had.
bool gy_frontier_make_room(gy_frontier *f);

enum { GY_FRONTIER_MOST_WORDS = (1 << GY_FRONTIER_CHUNK_BITS) / 6 }; // of a state

#endif
