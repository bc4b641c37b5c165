// The suspects of a level, judged together. Private to src/search.
//
// A reduced state of breadth-first search none of whose kept moves leads to the next level is
// suspect: see reduce/proviso.h. At the end of the level all suspects are judged at once: they are
// cleared if they are seen to lead to the next level or to a fully expanded state. What they lead
// to is looked at, step by step, every state once, however many suspects lead to it, and
// remembered for the levels to come. If no more is to be seen, or it has cost too much already,
// some of those that are left are convicted, to be expanded fully: as many as it takes for all the
// others to lead to one of them.
//
// States are known by their references. Threads report what they see as sightings, in any
// order: what is looked at and who is convicted depends on the states alone.
//
//     gy_trial_begin            at the end of a level
//     gy_trial_hear             for the sightings of each thread: of all suspects
//     gy_trial_ask              which states to look at; look at them, gy_trial_hear, and ask again
//     gy_trial_convict          when there are none
//
// Owner: who calls gy_trial_init and gy_sightings_init frees. One thread at a time.
#ifndef GYRE_SEARCH_SAFETY_TRIAL_H
#define GYRE_SEARCH_SAFETY_TRIAL_H

#include "search/safety/ref_set.h"

#include "base/vec.h"

typedef enum {
    GY_SIGHT_REDUCED, // a state; what its kept moves lead to follows
    GY_SIGHT_FULL,    // a fully expanded state
    GY_SIGHT_LEAD,
} gy_sight;

typedef struct gy_sighting {
    gy_ref state;
    gy_sight what;
} gy_sighting;

typedef struct gy_sightings {
    gy_region list;
    size_t n;
} gy_sightings;

void gy_sightings_init(gy_sightings *sightings, gy_budget *budget);
void gy_sightings_free(gy_sightings *sightings);
bool gy_sightings_add(gy_sightings *sightings, gy_sight what, gy_ref state); // false: no memory

typedef GY_VEC(uint32_t) gy_trial_layer;

typedef struct gy_trial {
    gy_region nodes, edges, slots;
    uint32_t node_count, edge_count, slot_mask;
    uint32_t number;           // of this trial
    bool suspects_heard;       // what is heard now are answers
    GY_VEC(uint32_t) suspects; // that are not cleared yet
    uint32_t pass;             // all passes of all trials are counted
    uint32_t depth, depth_limit;
    gy_trial_layer layer; // at this depth
    gy_trial_layer ahead; // room for the next one
    uint64_t unseen;      // of this layer, those not looked at yet
    GY_VEC(uint32_t) stack;
    uint64_t looks, spent; // in all trials: see gy_trial_ask
} gy_trial;

enum { GY_TRIAL_LOOK = 16 }; // what a look costs; to come by a state costs 1

void gy_trial_init(gy_trial *trial, gy_budget *budget);
void gy_trial_free(gy_trial *trial);
// Of earlier trials, no more than about so many states are remembered.
void gy_trial_begin(gy_trial *trial, uint64_t remembered);
// `next`: the states of the next level; `full`: all who were convicted. False: no memory.
bool gy_trial_hear(gy_trial *trial, const gy_sightings *sightings, const gy_ref_set *next,
                   const gy_ref_set *full);

typedef void gy_trial_visit(void *user, gy_ref state);

// Visits all states to be looked at next; none if nothing is left to be found out, or if all trials
// so far would have cost more than `allowance`.
void gy_trial_ask(gy_trial *trial, uint64_t allowance, gy_trial_visit *visit, void *user);

// A number for a state that depends on its content, not on its reference.
typedef uint64_t gy_trial_rank(void *user, gy_ref state);
void gy_trial_convict(gy_trial *trial, gy_trial_rank *rank, gy_trial_visit *visit, void *user);

// References change.
typedef gy_ref gy_trial_reencode(void *user, gy_ref state);
void gy_trial_reencode_all(gy_trial *trial, gy_trial_reencode *reencode, void *user);
void gy_sightings_reencode(gy_sightings *sightings, gy_trial_reencode *reencode, void *user);

#endif
