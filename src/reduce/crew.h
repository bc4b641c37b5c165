// A crew: the processes that are alive in a state, each as an instance. Private to src/reduce.
//
// States with the same shape and the same relevant values have the same crew, so all that depends
// on who is alive, but not on where they are, is found out once. In most models there are a few
// crews: one for each step of starting up, and the one that does the work.
#ifndef GYRE_REDUCE_CREW_H
#define GYRE_REDUCE_CREW_H

#include "reduce/instance.h"

enum { GY_CREW_LIMIT = 64 }; // processes: a set of them is a word

// Those processes of a crew that some row is about.
typedef struct gy_crew_item {
    uint32_t pid;
    const uint64_t *nodes;
} gy_crew_item;

typedef struct gy_crew_list {
    uint32_t count;
    gy_crew_item items[];
} gy_crew_list;

typedef struct gy_stance gy_stance;
typedef struct gy_stances gy_stances;

typedef struct gy_crew_member {
    gy_instance *instance;
    uint32_t offset; // of its block
    gy_word pc_mask;
    const gy_node *nodes;
    int32_t first_edge;
    const gy_crew_list **lists; // by row of the instance; NULL: not made yet
    gy_stances **stances;       // by node; see stance.h
    uint32_t node_count;
    bool escapes;  // the model has some
    bool timeouts; // some of its edges wait for one
} gy_crew_member;

typedef struct gy_crew {
    const gy_shape *shape;
    int32_t *values; // of the probes of its shape
    uint32_t count;
    gy_crew_member *members; // by pid
    uint64_t hash;           // of the values
    struct gy_crew *next;    // in the same bucket
} gy_crew;

typedef struct gy_crews gy_crews;

gy_crews *gy_crews_new(const gy_reduction *r);
void gy_crews_free(gy_crews *crews);
// NULL: too many processes. Valid until the next call.
gy_crew *gy_crew_of(gy_crews *crews, const gy_word *state);
gy_arena *gy_crews_arena(const gy_crews *crews); // for what lives as long as the crews
const gy_crew_list *gy_crew_list_make(gy_crews *crews, gy_crew *crew, uint32_t pid, uint32_t edge,
                                      uint32_t which);

// The list of row `which` of edge `edge` (by position in its template) of process `pid`.
static inline const gy_crew_list *gy_crew_row(gy_crews *crews, gy_crew *crew, uint32_t pid,
                                              uint32_t edge, uint32_t which)
{
    const gy_crew_member *member = &crew->members[pid];
    const gy_crew_list *list = member->lists[member->instance->first_row[edge] + which];
    return list ? list : gy_crew_list_make(crews, crew, pid, edge, which);
}

#endif
