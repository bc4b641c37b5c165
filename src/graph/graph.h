// The reachable graph as a value: which state leads to which, without the states themselves.
//
// States are numbered in breadth-first order, each level being a range of numbers; an edge is the
// number of its target, and edges of a state are in the order of the processes that make them,
// those of one process in the order in which the system gives them. Four bytes per edge and eight
// per state: analyses (structure.h) need no states and make no successors again. (Words of states
// are in a STORE while the graph is made.)
//
// Steps that end in an error without a successor are no edges. An edge that stands for several
// statements (an atomic sequence) is counted under the first of them.
//
// Owner: who makes a graph frees it. One thread at a time.
#ifndef GYRE_GRAPH_GRAPH_H
#define GYRE_GRAPH_GRAPH_H

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "gyre/gyre.h"

#include <stdatomic.h>

// Why something is not complete. The first reason stays.
typedef enum {
    GY_GRAPH_COMPLETE,
    GY_GRAPH_TIME,
    GY_GRAPH_MEMORY,
    GY_GRAPH_INTERRUPT,
    GY_GRAPH_TOO_LARGE, // more than 2^32 - 2 states
} gy_graph_end;

typedef struct gy_graph_progress {
    uint64_t states, edges, done;
    double seconds;
} gy_graph_progress;

// What bounds all that is done with a graph.
typedef struct gy_graph_limits {
    gy_budget budget;
    double started, until;       // on gy_clock; until 0: no limit
    const atomic_int *interrupt; // or NULL
    void (*progress)(void *user, const gy_graph_progress *progress); // about once a second; or NULL
    void *progress_user;
    // Since gy_graph_limits_begin:
    gy_graph_end end;
    gy_graph_progress now;
    double next_look, next_progress;
    uint32_t countdown;
} gy_graph_limits;

void gy_graph_limits_begin(gy_graph_limits *limits, uint64_t memory);
bool gy_graph_look(gy_graph_limits *limits); // what gy_graph_tick does once in a while
// To be called in every loop that may take long. True: end now; limits->end says why.
static inline bool gy_graph_tick(gy_graph_limits *limits)
{
    if (limits->countdown) {
        limits->countdown--;
        return limits->end != GY_GRAPH_COMPLETE;
    }
    return gy_graph_look(limits);
}
void gy_graph_stop(gy_graph_limits *limits, gy_graph_end why);

// How often a statement was a step of the graph.
typedef struct gy_edge_label {
    gy_step step;
    uint64_t count;
} gy_edge_label;

typedef struct gy_graph {
    uint32_t states;
    uint32_t initial; // the states 0 .. initial - 1 are initial
    uint64_t edges;
    uint64_t *first;         // [states + 1]: the edges of state s are first[s] .. first[s + 1] - 1
    uint32_t *targets;       // [edges]
    GY_VEC(uint32_t) levels; // level l begins with this state; one more entry: states
    GY_VEC(gy_edge_label) labels;
    uint64_t faults;    // steps that were no edges
    uint64_t deadlocks; // states without successors
    uint32_t expanded;  // states whose edges are known: all, unless a limit was reached
    gy_region first_room, target_room;
} gy_graph;

// Is shown every state once.
typedef void gy_graph_visit(void *user, gy_worker *worker, const gy_word *state, uint32_t words);

// NULL: not even room for an empty one. If a limit was reached, see limits->end: the graph then
// holds what was found until then. `visit` may be NULL.
gy_graph *gy_graph_make(gy_system *system, gy_graph_limits *limits, gy_graph_visit *visit,
                        void *user);
void gy_graph_free(gy_graph *graph);

static inline uint64_t gy_graph_degree(const gy_graph *graph, uint32_t state)
{
    return graph->first[state + 1] - graph->first[state];
}

// An array of `count` numbers, zero at first, that counts as memory of the graph. NULL: the limit.
uint32_t *gy_graph_array(gy_graph_limits *limits, gy_region *region, uint64_t count);

#endif
