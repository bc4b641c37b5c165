// What was chosen before: a memo of decisions. Private to src/reduce.
//
// Which processes stubborn.c takes in a state depends on the process class, on where each process
// is, on the transitions there are, and on what it then asks the state to see why an edge cannot
// fire. All but the last is the key; what is asked, and what each answer leads to, is a tree below
// it, whose leaves are decisions. Most states have a key that was met before.
//
// A key is exact: nothing here is a matter of luck. States whose key does not fit have none. Slots
// are overwritten when they are needed for another key; there are so few that they stay near.
//
// Owner: the reducer, and so one thread.
#ifndef GYRE_REDUCE_STUBBORN_CACHE_H
#define GYRE_REDUCE_STUBBORN_CACHE_H

#include "reduce/wait_condition.h"

typedef struct gy_decision {
    uint64_t set;   // of processes
    uint32_t moves; // that they have
} gy_decision;

typedef struct gy_decision_key {
    const gy_process_class *class;
    uint64_t places;   // the locations of all processes, one after the other
    uint64_t edges;    // a bit for each edge at these that fires
    uint64_t partners; // for each transition, whether it is a rendezvous, and with which edge
    uint64_t repeats;  // edges that more than one transition begins with, once for each other one
} gy_decision_key;

// A leaf: no question.
typedef struct gy_decision_node {
    gy_wait_condition ask;
    union {
        gy_decision decision;
        struct gy_decision_node *next[GY_WAIT_ANSWERS]; // NULL: not met yet
    };
} gy_decision_node;

typedef struct gy_decision_slot {
    gy_decision_key key;    // no class: free
    gy_decision decision;   // if it has transitions
    gy_decision_node *tree; // otherwise; NULL: none yet
} gy_decision_slot;

// What was asked on the path to a decision.
typedef struct gy_decision_trail {
    GY_VEC(gy_wait_condition) asked;
    GY_VEC(uint8_t) answers;
} gy_decision_trail;

typedef struct gy_stubborn_cache {
    gy_arena *arena;       // of the trees
    uint32_t asked, found; // in this window
    uint32_t rest;         // keys that are not worth being looked for: see stubborn_cache.c
    gy_decision_slot *slots;
} gy_stubborn_cache;

enum {
    GY_DECISION_BITS = 12,        // of a slot's number
    GY_DECISION_WINDOW = 1 << 12, // keys, after which it is asked whether it pays
};

void gy_stubborn_cache_init(gy_stubborn_cache *decisions);
void gy_stubborn_cache_free(gy_stubborn_cache *decisions);
void gy_stubborn_cache_forget(gy_stubborn_cache *decisions); // the classes are others
void gy_stubborn_cache_end_window(gy_stubborn_cache *decisions);
// What the key in this slot led to. Does nothing if that does not go with what is known.
void gy_stubborn_cache_note(gy_stubborn_cache *decisions, gy_decision_slot *slot,
                            const gy_decision_trail *trail, gy_decision decision);

// The slot of a key, which is put there if it was not: then there is neither a tree nor a decision.
static inline gy_decision_slot *gy_stubborn_cache_slot(gy_stubborn_cache *d, gy_decision_key key)
{
    uint64_t hash = (key.places * 0x9e3779b97f4a7c15u ^ key.edges) * 0xd6e8feb86659fd93u;
    hash ^= (key.repeats << 32 | key.repeats >> 32) ^ key.partners ^ (uintptr_t)key.class;
    hash *= 0x9e3779b97f4a7c15u;
    if (d->asked == GY_DECISION_WINDOW)
        gy_stubborn_cache_end_window(d);
    d->asked++;
    gy_decision_slot *slot = &d->slots[hash >> (64 - GY_DECISION_BITS)];
    uint64_t differs = (uintptr_t)slot->key.class ^ (uintptr_t)key.class;
    differs |= (slot->key.places ^ key.places) | (slot->key.edges ^ key.edges);
    differs |= (slot->key.partners ^ key.partners) | (slot->key.repeats ^ key.repeats);
    d->found += !differs;
    if (__builtin_expect(differs != 0, 0))
        *slot = (gy_decision_slot){.key = key};
    return slot;
}

#endif
