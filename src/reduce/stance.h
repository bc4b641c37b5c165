// A stance: what a process asks for to be in a stubborn set, by where it stands and which of its
// edges can fire. Private to src/reduce.
//
// For each edge of a node there are rows (instance.h): who is in conflict with it, who may
// come to the other end, who could change what it waits for. What they say together is worked out
// once for each stance: one set of nodes for each other process. Only of edges that may wait for
// one of several things must the state itself be asked.
//
// Stances live as long as their crew.
#ifndef GYRE_REDUCE_STANCE_H
#define GYRE_REDUCE_STANCE_H

#include "reduce/crew.h"

// Processes, if they are at one of these nodes.
typedef struct gy_stance_item {
    uint32_t pid;
    const uint64_t *nodes;
} gy_stance_item;

typedef struct gy_stance_row {
    const gy_stance_item *items;
    uint32_t count;
} gy_stance_row;

// An edge that the state must be asked about, and who could change each thing it may wait for.
typedef struct gy_stance_edge {
    const gy_edge_view *view;
    const gy_stance_row *rows; // by wait
} gy_stance_edge;

struct gy_stance {
    uint64_t enabled; // edges of the node, by position
    bool moves;       // it has transitions of its own: not only as the receiver in a rendezvous
    gy_stance *next;
    uint64_t surely; // processes, wherever they are
    gy_stance_row others;
    const gy_stance_edge *open;
    uint32_t open_count;
};

struct gy_stances {
    uint32_t mask;
    gy_stance *at[]; // lists, by the lower bits of `enabled`
};

const gy_stance *gy_stance_make(gy_crews *crews, gy_crew *crew, uint32_t pid, uint32_t node,
                                uint64_t enabled, bool moves);

static inline const gy_stance *gy_stance_of(gy_crews *crews, gy_crew *crew, uint32_t pid,
                                            uint32_t node, uint64_t enabled, bool moves)
{
    const gy_stances *known = crew->members[pid].stances[node];
    const gy_stance *stance = known ? known->at[enabled & known->mask] : NULL;
    while (stance && (stance->enabled != enabled || stance->moves != moves))
        stance = stance->next;
    return stance ? stance : gy_stance_make(crews, crew, pid, node, enabled, moves);
}

#endif
