// Footprints of edges. Private to src/reduce. See facts.h for what a footprint is.
//
// An edge is examined for an instance: a process of which the pid and the stable variables that
// matter are known (gy_who). Then `fork[i]` or a channel parameter is one cell. For GY_ANYONE
// nothing is known: for processes that are yet to be started.
#ifndef GYRE_REDUCE_FOOTPRINT_H
#define GYRE_REDUCE_FOOTPRINT_H

#include "reduce/facts.h"

// A state in which an edge is examined: there every variable has a value. What the edge itself
// has stored into so far is left out.
typedef struct gy_now {
    const gy_word *state, *block; // its global block, and that of the process
    uint8_t *written;             // by variable of the model
} gy_now;

typedef struct gy_who {
    int32_t pid;           // -1: not known
    const int32_t *values; // by local variable of the template; NULL: not known
    const gy_now *now;     // NULL: in any state
} gy_who;

extern const gy_who GY_ANYONE;

// A channel as an instance names it. A process that is yet to be started will make new channels:
// these are none of those that exist now, as long as they do. A channel that its own process made
// exists as long as the process; another one, handed over, might die, and its number come to stand
// for a new one.
typedef struct gy_channel_use {
    int32_t id;   // 0: any
    bool is_new;  // one of a process yet to be started; id is 0
    bool may_die; // id may come to stand for a new one
    bool may_meet, may_buffer;
} gy_channel_use;

gy_channel_use gy_channel_used(const gy_reduction *r, gy_who who, const gy_expr *chan);
// The cells of a channel's ends, or of those of all channels.
void gy_channel_cells(const gy_reduction *r, gy_channel_use use, bool head, bool tail,
                      uint64_t *set);

// The value of an expression that cannot change; false if it can, or is not known.
bool gy_known_value(const gy_reduction *r, gy_who who, const gy_expr *expr, int32_t *value);

gy_footprint gy_footprint_new(const gy_reduction *r, gy_arena *arena);
void gy_footprint_add(const gy_reduction *r, gy_footprint to, gy_footprint from);
bool gy_footprint_conflict(const gy_reduction *r, gy_footprint a, gy_footprint b);
bool gy_cells_meet(const gy_reduction *r, const uint64_t *a, const uint64_t *b);

// All that an expression reads.
void gy_read_cells(const gy_reduction *r, gy_who who, const gy_expr *expr, uint64_t *set);
// What decides whether a send or receive is possible, but for the channel's content: the
// variables that its channel and its message to match are computed from.
void gy_match_cells(const gy_reduction *r, gy_who who, const gy_edge *edge, uint64_t *set);

// One edge as the first of a transition, or somewhere inside an atomic sequence.
void gy_footprint_first(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to);
void gy_footprint_inner(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to);
// What decides whether an edge can fire, in either direction.
void gy_footprint_test(const gy_reduction *r, gy_who who, const gy_edge *edge, gy_footprint to);
// Whole transitions: for each edge of a template, the edge and all that an atomic sequence may go
// on to execute; and the latter alone.
void gy_footprint_chains(const gy_reduction *r, gy_who who, int32_t tmpl, gy_footprint *chains,
                         gy_footprint *rests);

// Fills in what gy_reduction keeps about footprints.
void gy_footprints_init(gy_reduction *r);
void gy_relevance_init(gy_reduction *r); // called by it

#endif
