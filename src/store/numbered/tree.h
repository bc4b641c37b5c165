// The tree store from the inside: shared by tree.c (the store) and resettle.c (better shapes).
#ifndef GYRE_STORE_NUMBERED_TREE_H
#define GYRE_STORE_NUMBERED_TREE_H

#include "store/coder.h"
#include "store/numbered/index.h"
#include "store/numbered/kind.h"
#include "store/numbered/roots.h"

#include "base/hash.h"
#include "base/vec.h"

typedef struct gy_tree {
    gy_numbered head;
    gy_budget *budget;
    bool hostile;
    GY_VEC(gy_coder *) coders; // by length number
    GY_VEC(gy_tree_layout *)
    planned;                    // by length number: better shapes, waiting for rename; or NULL
    GY_VEC(uint32_t) number_of; // words -> length number + 1, for small lengths; 0: none yet
    gy_roots roots;
    gy_index index;
    uint64_t plan_at;    // states
    uint64_t generation; // how often names have changed
} gy_tree;

typedef struct gy_tree_view {
    gy_numbered_view head;
    GY_VEC(gy_coder_base) bases; // by length number; `words` is NULL where there is none yet
    int64_t current;             // length number of the state last given back, or -1
    uint64_t generation;         // that the bases belong to
} gy_tree_view;

static inline uint64_t gy_tree_hash(uint32_t left, uint32_t right, uint32_t words)
{
    return gy_hash_pair((uint64_t)left << 32 | right, words);
}

gy_coder_base *gy_tree_base(gy_tree *tree, gy_tree_view *view, uint32_t number);
gy_index_owner gy_tree_owner(const gy_tree *tree); // how its index learns hashes

// resettle.c
bool gy_tree_unsettled(const gy_numbered *store);
bool gy_tree_plan(gy_numbered_view *view);
void gy_tree_rename(gy_numbered_view *view);

#endif
