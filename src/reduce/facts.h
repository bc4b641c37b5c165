// What is known about a model before any state is seen. Private to src/reduce.
//
// A state is cut into cells: a global variable (or one element of an array), the two ends of a
// channel, the stack of processes, the trace automaton. What an edge does to them is a footprint,
// three sets of cells:
//   reads   whether the edge can fire, or what it does, depends on the cell
//   writes  it changes the cell, and in which order two such edges go makes a difference
//   marks   it changes something of its own process (its location, a local variable) that
//           readers of the cell may read; two edges that mark do not disturb each other
// Two edges of different processes accord (both can go in either order, to the same state) if
// they are disjoint in this sense; see gy_footprint_conflict.
//
// The ends of a buffered channel: a send writes the tail, a receive the head. If both can go,
// they can go in either order, so they do not conflict; two sends do, and so do two receives.
// Code that examines the length reads both ends. On a rendezvous channel nothing is stored: a send
// marks the tail and a receive marks the head, for those who look for a partner.
#ifndef GYRE_REDUCE_FACTS_H
#define GYRE_REDUCE_FACTS_H

#include "reduce/reduce.h"

#include "base/arena.h"
#include "base/bits.h"
#include "exec/vm/state_layout.h"

#define GY_NO_CELL UINT32_MAX
enum { GY_SPLIT_LIMIT = 64 }; // elements of an array that get cells of their own, by default

typedef struct gy_footprint {
    uint64_t *reads, *writes, *marks;
} gy_footprint;

struct gy_reduction {
    struct gy_group_sets *groups; // of a system without a MODEL; nothing else is set then
    const gy_model *model;
    const gy_state_layouts *shapes;
    bool lossy;
    uint32_t split_limit; // a larger array is one cell
    gy_arena *arena;
    gy_word *start;        // the global block of the initial state
    uint8_t *channel_once; // by variable: names the same channel until it is dead and set to 0
    uint8_t *stable;       // by variable: keeps the value that it had when its process began
    // Cells.
    uint32_t cells, words; // bits and words of a set
    uint32_t *var_cell;    // by variable: its first cell, or GY_NO_CELL: nothing else looks
    uint32_t system_cell, trace_cell, post_cell;
    uint32_t step_cell; // marked by every edge; read by what depends on everything: enabled(), and
                        // edges from or to nodes where _last is read. GY_NO_CELL: nothing does
    uint32_t *control_cell; // by template, or GY_NO_CELL
    uint8_t **watched;      // by template, node: something depends on whether a process is here
    uint32_t head_cell;     // of channel 1; its tail follows, then the head of channel 2 …; the
                            // last two are for channels of processes yet to be started
    bool claims_matter;     // some channel is examined for claims (xr, xs) when it is used
    uint32_t claim_cell;    // of channel 1: who claims to be its only receiver; then, its only
                            // sender; and so on as for ends. GY_NO_CELL: claims need no look
    // Channels.
    uint32_t channels;                                 // identities that may occur: 1 .. channels
    uint32_t static_count;                             // those from the start, which live for ever
    int32_t *static_type;                              // by identity - 1
    bool some_rendezvous, some_buffered;               // of all channels
    bool made_later, later_rendezvous, later_buffered; // of those that processes make
    bool made_at_large; // some of these not into a stable scalar when its process begins
    int32_t *own_type;  // by variable: of the channel that it is given when its process begins
    // Control flow.
    uint64_t **reach;      // by template: for each node, the edges that lie ahead of it
    uint32_t *reach_words; // by template: of one such set
    uint8_t *position;     // by edge: which one of its node, if that is less than 255
    uint8_t *triggers;     // by edge: see triggers.h; NULL: no priorities
    uint8_t **may_post;    // by template, node: has a receive that may be a rendezvous
    // Filled in by gy_footprints_init.
    gy_footprint meeting; // what a partner in a rendezvous may do, and what lets it
    gy_footprint *life;   // by template: all that an instance, and those it starts, may ever do
    uint8_t **relevant;   // by template, local: the footprints of its edges depend on the value
    bool *pid_relevant;   // by template: likewise on the pid
    uint64_t *observed;   // cells that the property reads; NULL: none
};

// The model as far as it does not depend on footprints. NULL: cannot be reduced, see *why.
gy_reduction *gy_facts_new(gy_system *system, const gy_reduce_needs *needs, const char **why);

// Does a process read enabled(), pc_value() or _last? Stubborn sets allow for that; reductions
// that follow runs of processes do not.
bool gy_looks_far(const gy_model *model);

// Is _last read at this node of a template? While a process is there, no two steps accord: the
// later one is the last.
static inline bool gy_reads_last(const gy_reduction *r, int32_t tmpl, int32_t node)
{
    return r->model->last_fades && node != GY_NONE && r->model->templates[tmpl].reads_last[node];
}

// Where the reduction of a conjunction falls apart: calls `visit` for each conjunct of expr.
typedef void gy_expr_visit(void *user, const gy_expr *expr);
void gy_conjunct_each(const gy_expr *expr, gy_expr_visit *visit, void *user);

#endif
