// The values of a state as trees: structures, arrays, channels with their messages, each with a
// number by which a client can ask for what is inside.
//
// A forest is made again for each state that is examined; numbers go on counting, so that one of
// another state is never taken for one of this (gy_forest_clear). Owner: gy_forest_free. One thread
// at a time.
#ifndef GYRE_SERVE_DAP_VALUE_TREE_H
#define GYRE_SERVE_DAP_VALUE_TREE_H

#include "base/arena.h"
#include "base/vec.h"
#include "exec/describe/naming.h"

typedef struct gy_tree {
    const char *name;
    const char *value;      // as a person would write it, in one line
    const char *type;       // "byte", "chan", or NULL
    const char *expression; // that means it to the process it belongs to, or NULL
    bool indexed;           // its children are elements
    uint32_t number;        // by which it can be found, from 1
    GY_VEC(struct gy_tree *) children;
} gy_tree;

typedef struct gy_forest {
    gy_arena *arena;
    GY_VEC(gy_tree *) list; // by number, less `first`
    uint32_t first;         // number of the first one
} gy_forest;

void gy_forest_init(gy_forest *forest);
void gy_forest_clear(gy_forest *forest); // all trees end, their numbers are never used again
void gy_forest_free(gy_forest *forest);
gy_tree *gy_forest_at(const gy_forest *forest, uint64_t number); // or NULL

// The variables of process `pid`, or, -1, the globals, as children of a tree of that name.
gy_tree *gy_tree_variables(gy_forest *forest, const gy_decoded_state *scene, int32_t pid,
                           const char *name);
gy_tree *gy_tree_channels(gy_forest *forest, const gy_decoded_state *scene, const char *name);
// What is known of a process besides: its pid, where it is, what it waits for.
gy_tree *gy_tree_process(gy_forest *forest, const gy_decoded_state *scene, int32_t pid,
                         const char *name);
// What a path such as s[1].f or q[2] leads to inside a tree, or NULL. Spaces do not matter.
const gy_tree *gy_tree_find(const gy_tree *tree, const char *path);

#endif
