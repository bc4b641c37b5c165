// A crew: the processes that are alive in a state, each as an instance. Private to src/reduce.
//
// States with the same shape and the same relevant values have the same crew, so all that depends
// on who is alive, but not on where they are, is found out once. In most models there are a few
// crews: one for each step of starting up, and the one that does the work.
#ifndef GYRE_REDUCE_CREW_H
#define GYRE_REDUCE_CREW_H

#include "reduce/instance.h"

enum { GY_CREW_LIMIT = 64 }; // processes: a set of them is a word

// What tells members of one instance apart, as far as stances are concerned.
enum {
    GY_MEMBER_YOUNGEST = 2,
    GY_MEMBER_TWIN = 4, // another member is of the same instance
};

typedef struct gy_crew_member {
    gy_instance *instance;
    uint32_t offset; // of its block
    gy_word pc_mask;
    const gy_node *nodes;
    int32_t first_edge;
    uint32_t point; // of its first node: see instance.h
    uint32_t kind;  // GY_MEMBER_…
    bool escapes;   // the model has some
} gy_crew_member;

typedef struct gy_crew {
    const gy_shape *shape;
    gy_word *bits; // the relevant values, as they lie in a state
    uint32_t count;
    gy_crew_member *members;               // by pid
    uint64_t instances[GY_INSTANCE_WORDS]; // of its members, by number
    uint32_t instance_words;               // of which there are some
    bool timeouts;                         // some of their edges wait for one
    uint64_t hash;                         // of these
    struct gy_crew *next;                  // in the same bucket
} gy_crew;

typedef struct gy_crews gy_crews;

// Stances of all instances: lists, see gy_stance_slot.
typedef struct gy_stance gy_stance;
typedef struct gy_stance_file {
    gy_stance **first;
    size_t room;
} gy_stance_file;

enum { GY_STANCE_SLOTS = 8 }; // of a point
static inline size_t gy_stance_slot(uint32_t point, uint64_t enabled)
{
    return (size_t)point * GY_STANCE_SLOTS + enabled % GY_STANCE_SLOTS;
}

gy_crews *gy_crews_new(const gy_reduction *r);
void gy_crews_free(gy_crews *crews);
// NULL: too many processes. Valid until the next call.
gy_crew *gy_crew_of(gy_crews *crews, const gy_word *state);
const gy_stance_file *gy_crews_stances(const gy_crews *crews); // stays where it is
gy_arena *gy_crews_arena(const gy_crews *crews); // for what lives as long as the crews
// gy_instance_row, for instances of these crews.
const uint64_t *gy_crews_row(gy_crews *crews, gy_instance *instance, uint32_t edge, uint32_t which,
                             const gy_instance *other);

#endif
