// The nodes of a space where the observer waits (gy_space.waits), found in breadth by all members:
// level by level, the steps of many states at a time, as a search for safety does. Nothing is to be
// searched for there. What is, are the nodes that lead out of it, which a search in depth takes
// over from time to time: they are handed to it while levels are still being made, so that an error
// is found when it is there.
//
// Owner: gy_breadth_init and gy_breadth_free; the space is borrowed. Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_WAITING_BFS_H
#define GYRE_SEARCH_LIVENESS_WAITING_BFS_H

#include "search/liveness/space.h"

typedef enum { GY_BREADTH_OVER, GY_BREADTH_LEVEL, GY_BREADTH_SEARCH } gy_breadth_turn;

// What a member has found. It goes on with that itself, for what it wrote is near; others help when
// they have nothing left.
typedef struct gy_breadth_share {
    gy_refs now;                    // states of the level
    gy_refs next;                   // of the next one
    gy_refs left;                   // nodes after the place to wait at
    uint64_t paid;                  // bytes drawn from the budget for these
    _Atomic size_t taken, searched; // of `now`; of `left`, when these are searched
    char apart[128];
} gy_breadth_share;

typedef struct gy_breadth {
    gy_space *space;
    gy_breadth_share *shares; // by member
    uint64_t handed;          // nodes that were searched
    uint64_t levels;
    uint64_t enough; // nodes to search them
    gy_breadth_turn turn;
    uint64_t queued; // what a node's note has if it was left
} gy_breadth;

// With the initial nodes of the space, which are all at the place to wait at.
void gy_breadth_init(gy_breadth *b, gy_space *space, uint64_t queued);
void gy_breadth_free(gy_breadth *b);
// For gy_space.next, at the beginning and after each turn: a level, or part of a search of what was
// left. Small levels are done at once, by the member that asks.
gy_breadth_turn gy_breadth_next(gy_breadth *b, gy_space_view *view);
// A level, for all members.
void gy_breadth_work(void *breadth, gy_space_view *view);
// For members that search what was left. GY_NO_REF: there is nothing.
gy_ref gy_breadth_take(gy_breadth *b, unsigned member);
// For gy_space.rename.
void gy_breadth_rename(gy_breadth *b, unsigned leader);

#endif
