// Blocks of one size that can leave memory without changing their place: for long queues.
//
// They are drawn from a budget. When little of that is left, all of them go to a file without a
// name (in TMPDIR or /tmp), which is then mapped where they were; from then on new ones are in the
// file at once. A caller that has no use for a block for a while says so (gy_spill_blocks_rest):
// once they are there, it takes no memory until something reads it again.
//
// Owner: gy_spill_blocks owns the blocks; they are freed together. Threads: any may take blocks and
// let them rest, at the same time; gy_spill_blocks_to_file needs that nothing uses any block.
#ifndef GYRE_BASE_SPILL_BLOCKS_H
#define GYRE_BASE_SPILL_BLOCKS_H

#include "base/memory.h"
#include "base/vec.h"

#include <pthread.h>

// So many bytes of the budget are left to others: what no budget knows of needs some, too.
enum { GY_PAGES_TIGHT = 1 << 21 };

typedef struct gy_slab { // many blocks
    char *at;
    bool in_file;
} gy_slab;

typedef struct gy_spill_blocks {
    gy_budget *budget;
    size_t block; // bytes, whole pages
    pthread_mutex_t lock;
    GY_VEC(gy_slab) slabs;
    size_t used;          // blocks of the last slab that were handed out
    size_t paid;          // drawn from the budget
    size_t aside;         // likewise, for blocks to come
    int file;             // -1: none
    const char *folder;   // where that is; NULL: where others go. May be set before the first block
    _Atomic bool spilled; // they are in the file
    _Atomic bool pressed; // there was no memory for one: the others should go there, too
} gy_spill_blocks;

void gy_spill_blocks_init(gy_spill_blocks *pages, gy_budget *budget, size_t block_bytes);
void gy_spill_blocks_free(gy_spill_blocks *pages);
// Draws so much from the budget for blocks to come, if it is there: others cannot take it then.
void gy_spill_blocks_set_aside(gy_spill_blocks *pages, size_t bytes);
// A block, all zero or with old contents; NULL: there is no memory, and no file.
void *gy_spill_blocks_new(gy_spill_blocks *pages);
void gy_spill_blocks_rest(const gy_spill_blocks *pages, void *block);
// It is about to be read. Without this its neighbours would come back with it.
void gy_spill_blocks_wake(const gy_spill_blocks *pages, void *block);
// False: they are there already, or cannot go there.
bool gy_spill_blocks_to_file(gy_spill_blocks *pages);

// Should they?
static inline bool gy_spill_blocks_pressed(const gy_spill_blocks *pages)
{
    return atomic_load_explicit(&pages->pressed, memory_order_relaxed);
}

#endif
