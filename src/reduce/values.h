// Which values edges store and look for. Private to src/reduce.
//
// Footprints (facts.h) say which cells two edges have in common. Often they get along nevertheless:
//   - both store the same constant into a cell, or both add to it;
//   - what one stores is a constant with which the other's guard goes on holding;
//   - their guards never hold together;
// and one that stores a constant does not help an edge that waits for another value.
// Footprints stay as they are, for those who need what an edge reads and writes in any case.
//
// After Laarman, Pater, van de Pol, Weber (STTT 2016): accordance, co-enabledness and necessary
// enabling sets of single conjuncts, from constants in the text.
#ifndef GYRE_REDUCE_VALUES_H
#define GYRE_REDUCE_VALUES_H

#include "reduce/footprint.h"

struct gy_edge_view;
struct gy_wait;

typedef struct gy_value_store {
    uint32_t cell;
    bool adds; // something that does not change; otherwise it stores `value`
    int32_t value;
} gy_value_store;

typedef struct gy_values {
    gy_who who;
    const gy_expr *guard;
    uint64_t
        *hard; // cells that it reads elsewhere than in its guard, or stores something else into
    gy_value_store *stores; // one for each other cell that it stores into
    uint32_t store_count;
} gy_values;

// NULL: nothing is known beyond the footprint. The arena owns it.
const gy_values *gy_values_of(const gy_reduction *r, gy_arena *arena, gy_who who,
                              const gy_edge *edge);

// Can't an expression fail to have a value?
bool gy_is_safe(const gy_reduction *r, gy_who who, const gy_expr *expr);

// Might others bring about that it fails to?
bool gy_may_come_to_fail(const gy_reduction *r, gy_who who, const gy_expr *expr);

// Do transitions that begin with these edges, of different processes, get along?
bool gy_edges_accord(const gy_reduction *r, const struct gy_edge_view *a,
                     const struct gy_edge_view *b);
// Might one that begins with `theirs` bring what an edge waits for?
bool gy_edge_helps(const gy_reduction *r, gy_who who, const struct gy_edge_view *edge,
                   const struct gy_wait *wait, const struct gy_edge_view *theirs);

#endif
