// A guide: a heuristic, that is, how far from an error a state seems to be. Lower is nearer.
//
// The searches of src/search know guides only through this table; those that look into states are
// made where models are known (verify/heuristics.h).
//
// A guide is constant and shared by all threads. What a search wants remembered while it goes on is
// in a notebook of its own (open, close).
#ifndef GYRE_SEARCH_HUNT_HEURISTIC_H
#define GYRE_SEARCH_HUNT_HEURISTIC_H

#include "gyre/gyre.h"

// A state that was just found.
typedef struct gy_guided_state {
    gy_worker *worker;
    const gy_word *state;
    uint32_t words;            // of the system's state
    uint32_t observer;         // where the observer is, if there is one
    const gy_step *steps;      // of the transition to it, none of an initial state
    uint32_t step_count;       //
    const uint8_t *recent;     // the processes that executed on the path to it, the last one first
    uint32_t recent_count;     // at most as many as the guide wants
    const gy_transition *next; // what can be done from here, if the guide looks ahead
    uint32_t next_count;
} gy_guided_state;

typedef struct gy_heuristic {
    const char *name;
    void *self;
    int64_t (*value)(const void *self, void *notebook, const gy_guided_state *at);
    void *(*open)(const void *self); // or NULL
    void (*close)(void *notebook);   // likewise
    bool looks_ahead;
    uint32_t wants_recent;
} gy_heuristic;

// The number of transitions that are possible: few may be near a deadlock. Needs nothing but the
// system.
extern const gy_heuristic gy_heuristic_enabled;

#endif
