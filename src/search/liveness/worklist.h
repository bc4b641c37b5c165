// Nodes that are to be visited, by all members of a space (space.h): the current ones are shared
// out, what they lead to is for the next turn, until there are none. What is at hand may be in any
// order, and a node may be there more than once.
//
// Turns with few nodes are taken by one member alone: to start the others would take longer.
//
// Owner: gy_sweep_init and gy_sweep_free. Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_WORKLIST_H
#define GYRE_SEARCH_LIVENESS_WORKLIST_H

#include "search/liveness/space.h"

typedef struct gy_sweep {
    gy_space *space;
    gy_refs *next; // by member: for the next turn
    gy_refs *kept; // by member: for the code that wants to list nodes
    gy_arcs *arcs; // by member: scratch
    const gy_refs *now;
    _Atomic size_t cursor;
    void (*visit)(struct gy_sweep *sweep, gy_space_view *view, gy_ref node);
} gy_sweep;

typedef void gy_sweep_visit(gy_sweep *sweep, gy_space_view *view, gy_ref node);

void gy_sweep_init(gy_sweep *sweep, gy_space *space);
void gy_sweep_free(gy_sweep *sweep);
// Visits these nodes, and then what is pushed on the way. Ends early if the space is to end.
void gy_sweep_run(gy_sweep *sweep, const gy_refs *start, gy_sweep_visit *visit);
// For visitors: to be visited, too; to be kept.
void gy_sweep_push(gy_sweep *sweep, const gy_space_view *view, gy_ref node);
void gy_sweep_keep(gy_sweep *sweep, const gy_space_view *view, gy_ref node);
void gy_sweep_take_kept(gy_sweep *sweep, gy_refs *out); // appends, and none are kept any more

#endif
