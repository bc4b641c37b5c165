// Where the states of the frontier come from: a forest of their ancestors, and nothing else.
//
// Breadth-first search needs no parents until it finds an error, and then only those of one state.
// So parents are kept for the states of the frontier and for their ancestors; a state none of whose
// descendants is in the frontier is forgotten (most are, soon). If there are too many nevertheless,
// levels are left out, and what lies between two levels is searched again (local_path.h). So this
// never takes more than a small part of what the states themselves take. The levels that stay are
// evenly spaced: what has to be searched again grows much faster than the distance of two levels.
//
// Representation: entries in the order in which they were added, so that parents come before their
// children; levels are ranges of them. An entry is known by its number, until gy_lineage_sweep.
//
//     gy_lineage_begin_level(l, cost); for each state: number = gy_lineage_add(l, ref, from);
//     gy_lineage_mark(l, number) for all that are still needed; gy_lineage_sweep(l, false);
//     and then every number that is kept becomes gy_lineage_moved(l, number)
//
// Private to src/search. One thread at a time. Owner: who calls gy_lineage_init frees.
#ifndef GYRE_SEARCH_SAFETY_LINEAGE_H
#define GYRE_SEARCH_SAFETY_LINEAGE_H

#include "base/memory.h"
#include "base/vec.h"
#include "store/store.h"

#define GY_LINEAGE_NONE UINT32_MAX

typedef struct gy_lineage_level {
    uint32_t first;
    uint64_t cost;
} gy_lineage_level;

// A state's parent, or GY_LINEAGE_NONE, and by which of its transitions the state was found.
typedef struct gy_lineage_from {
    uint32_t parent, ordinal;
} gy_lineage_from;

typedef struct gy_lineage {
    gy_region refs, from; // gy_ref, gy_lineage_from: by number
    uint32_t n;
    GY_VEC(gy_lineage_level) levels;
    gy_region marks, moved; // of a sweep
    uint32_t swept;         // entries that the last sweep left
    uint64_t spacing;       // levels nearer to each other than that are left out
    bool thinned;           // levels were left out: ordinals say nothing
} gy_lineage;

void gy_lineage_init(gy_lineage *l, gy_budget *budget);
void gy_lineage_free(gy_lineage *l);
// A level that would be left out sooner or later need not begin: true, and from then on ordinals
// say nothing. States that are found in it have the parents of their parents.
bool gy_lineage_leaves_out(gy_lineage *l, uint64_t cost);
void gy_lineage_begin_level(gy_lineage *l, uint64_t cost);
// GY_LINEAGE_NONE: no memory.
uint32_t gy_lineage_add(gy_lineage *l, gy_ref ref, gy_lineage_from from);

static inline gy_ref gy_lineage_ref(const gy_lineage *l, uint32_t number)
{
    return ((const gy_ref *)l->refs.at)[number];
}

static inline uint32_t gy_lineage_parent(const gy_lineage *l, uint32_t number)
{
    return ((const gy_lineage_from *)l->from.at)[number].parent;
}

static inline uint32_t gy_lineage_ordinal(const gy_lineage *l, uint32_t number)
{
    return ((const gy_lineage_from *)l->from.at)[number].ordinal;
}

uint64_t gy_lineage_cost(const gy_lineage *l, uint32_t number); // of its level

// False: no memory; then there is no sweep.
bool gy_lineage_begin_sweep(gy_lineage *l);
void gy_lineage_mark(gy_lineage *l, uint32_t number);
// Forgets what is not marked nor an ancestor of what is. `thin`: leaves out levels, too; who was in
// one becomes its parent. Those go that are nearer to the one before than the spacing so far, or,
// if none is, than twice that.
void gy_lineage_sweep(gy_lineage *l, bool thin);
uint32_t gy_lineage_moved(const gy_lineage *l, uint32_t number);

#endif
