// A run as a partial order of events: the stack of the search for a trace cover. Private to
// search/cover.
//
// Node k is the state before event k; an event is a transition that was taken. Each event has a
// vector clock: for each process, how many of its events lie before this one or are this one, in
// the order that dependence makes (reduce/dependence.h). Event a comes before event b, whatever the
// order of independent events, if clock b counts a. An event that moves two processes (a
// rendezvous) counts for both. A set of events with all that comes before them is an ideal; it is
// identified by such counts, too.
//
// Owner: gy_trace_free. Offsets instead of pointers: what they point into moves.
#ifndef GYRE_SEARCH_COVER_COVER_TRACE_H
#define GYRE_SEARCH_COVER_COVER_TRACE_H

#include "search/run.h"

#include "reduce/dependence.h"

enum { GY_TRACE_PROCESSES = GY_DEPENDENCE_PROCESSES };

typedef struct gy_clock {
    uint32_t of[GY_TRACE_PROCESSES];
} gy_clock;

typedef struct gy_trace_move {
    uint32_t ordinal; // among the transitions of its state
    uint64_t movers;  // processes
    size_t state, steps, footprint;
    uint32_t words, step_count;
    bool waits;  // for a timeout
    bool asleep; // all runs that begin with it were seen
    bool done;   // it was taken, from here
} gy_trace_move;

typedef struct gy_trace_node {
    size_t state, first_move;
    uint32_t words, move_count, processes;
    uint32_t all_moves;                 // those that are not gone on with, too
    uint64_t frozen;                    // processes that are not gone on with
    uint64_t enabled;                   // the movers of its transitions
    uint64_t backtrack;                 // the processes whose transitions are to be taken
    uint32_t current;                   // the transition that was taken last
    int32_t source[GY_TRACE_PROCESSES]; // the event whose clock the process has; -1: none
    size_t words_before, steps_before, prints_before; // of the trace, for going back
} gy_trace_node;

typedef struct gy_trace_event {
    gy_clock clock;
    uint32_t number; // of its record (cutoffs.h)
    bool cut_off;
} gy_trace_event;

typedef struct gy_trace {
    gy_run *run;
    gy_dependence *dependence;
    uint32_t print_words;
    uint32_t root;           // ordinal of the initial state
    uint32_t most_processes; // that were seen
    GY_VEC(gy_trace_node) nodes;
    GY_VEC(gy_trace_event) events; // one less than nodes
    GY_VEC(gy_trace_move) moves;
    GY_VEC(gy_word) words;
    GY_VEC(gy_step) steps;
    GY_VEC(uint64_t) prints;
    GY_VEC(uint32_t) chains[GY_TRACE_PROCESSES]; // by process: its events
    gy_moves found;
} gy_trace;

void gy_trace_free(gy_trace *trace);

static inline gy_trace_move *gy_trace_taken(const gy_trace *trace, size_t event)
{
    const gy_trace_node *node = &trace->nodes.at[event];
    return &trace->moves.at[node->first_move + node->current];
}

static inline const gy_word *gy_trace_state(const gy_trace *trace, size_t node)
{
    return trace->words.at + trace->nodes.at[node].state;
}

static inline const uint64_t *gy_trace_print(const gy_trace *trace, const gy_trace_move *move)
{
    return trace->prints.at + move->footprint;
}

// Is it among the events that the clock counts?
static inline bool gy_trace_before(const gy_trace *trace, size_t event, const gy_clock *clock)
{
    uint32_t mover = (uint32_t)__builtin_ctzll(gy_trace_taken(trace, event)->movers);
    return trace->events.at[event].clock.of[mover] <= clock->of[mover];
}

static inline void gy_clock_join(gy_clock *to, const gy_clock *from, uint32_t processes)
{
    for (uint32_t p = 0; p < processes; p++)
        to->of[p] = to->of[p] > from->of[p] ? to->of[p] : from->of[p];
}

static inline bool gy_trace_independent(const gy_trace *trace, const gy_trace_move *a,
                                        const gy_trace_move *b)
{
    return !(a->movers & b->movers) &&
           !gy_dependence_meet(trace->dependence, gy_trace_print(trace, a),
                               gy_trace_print(trace, b));
}

// The first node. The trace must be empty.
bool gy_trace_begin(gy_trace *trace, const gy_word *state, uint32_t words, uint32_t root);
// Takes a transition of the last node: *before is the clock of all that comes before it. Then
// gy_trace_arrive makes the node that it leads to.
void gy_trace_take(gy_trace *trace, uint32_t move, gy_clock *before);
// False: too many processes (the run says so).
bool gy_trace_arrive(gy_trace *trace, uint64_t frozen);
void gy_trace_back(gy_trace *trace);  // takes the last event and node away again
void gy_trace_clear(gy_trace *trace); // takes all away, whatever was under way

typedef GY_VEC(gy_word) gy_trace_words;
// Makes a transition of the trace in another state, where independence says that it is there too;
// `next` is scratch. False: it is not, so that dependence is wrong; the run is reported.
bool gy_trace_make(gy_trace *trace, const gy_trace_move *move, gy_trace_words *state,
                   gy_trace_words *next, gy_route *route);
// Makes the events of an ideal in the order of the trace, alone, and then `last` (or NULL). Fills
// `state`, and `route` (or NULL) with the ordinals of the transitions. False: see there.
bool gy_trace_replay(gy_trace *trace, const gy_clock *ideal, const gy_trace_move *last,
                     gy_trace_words *state, gy_route *route);

// The state that the events from node `from` on lead to that a clock counts.
bool gy_trace_replay_from(gy_trace *trace, size_t from, const gy_clock *ideal,
                          gy_trace_words *state);

#endif
