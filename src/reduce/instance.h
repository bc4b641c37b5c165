// Instances: what is known about the edges of one process. Private to src/reduce.
//
// Two processes of a template are the same instance if they agree in all stable values that their
// footprints depend on. For each edge of its template an instance holds
//   chain    the footprint of a transition that begins with it
//   rest     of that, what an atomic sequence may go on to do after it
//   threat   the same, with all that processes started by it may ever do
//   always   cells that must not change behind its back whether or not it can go: on a rendezvous
//            channel, the other end, and all that decides whether partners match
//   waits    the reasons why it may be unable to go, each with the cells that some process must
//            change before it can (a necessary enabling set)
// A row says at which nodes another instance may come to do something that matters.
// An instance at a node is a point. Points are numbered: those of an instance lie together.
#ifndef GYRE_REDUCE_INSTANCE_H
#define GYRE_REDUCE_INSTANCE_H

#include "reduce/footprint.h"
#include "reduce/values.h"

#include "base/vec.h"

typedef enum {
    GY_WAIT_PERHAPS, // may hold or not
    GY_WAIT_VALUE,   // a variable is in low .. low + span
    GY_WAIT_MESSAGE, // channel `id` is not empty
    GY_WAIT_NOTHING, // channel `id` is empty
    GY_WAIT_ROOM,    // channel `id` is not full
    GY_WAIT_FULL,    // channel `id` is full
    GY_WAIT_MATCH,   // if channel `id` is not empty: its message matches
} gy_wait_kind;

typedef struct gy_wait {
    gy_wait_kind kind;
    const uint64_t *cells; // who changes none of these does not help
    const gy_expr *expr;   // must hold; NULL: it is no expression
    int32_t id;
    // GY_WAIT_VALUE: an element of a global, or of a local of this process
    const gy_variable *var;
    bool inverted;
    uint32_t element, low, span;
} gy_wait;

typedef struct gy_edge_view {
    gy_footprint chain, rest, threat;
    const uint64_t *always; // or NULL
    const gy_wait *waits;
    uint32_t wait_count;
    bool needs_timeout, is_end, is_else, visible;
    bool may_fail;           // looking whether it can go may become a fault by what others do
    bool safe;               // looking whether it can go is no fault
    const gy_values *values; // of it alone; NULL: not known
} gy_edge_view;

typedef struct gy_row { // by instance: nodes; made when asked for
    uint64_t **at;
    uint32_t room;
} gy_row;

typedef struct gy_instance {
    uint32_t number;
    int32_t tmpl;
    uint32_t point, node_count; // its first point; of its template
    gy_who who;
    gy_edge_view *edges; // by position in the template
    gy_row *rows;        // see gy_instance_row
    uint32_t *first_row; // by edge
} gy_instance;

enum { GY_MAX_INSTANCES = 512, GY_INSTANCE_WORDS = GY_MAX_INSTANCES / 64 };

// `before`: the one with the number before; NULL: this is the first.
gy_instance *gy_instance_new(const gy_reduction *r, gy_arena *arena, const gy_instance *before,
                             int32_t tmpl, gy_who who);

// The nodes from which `other` may come to do something that row `which` of an edge is about, or
// NULL if there are none: GY_ROW_CONFLICTS, GY_ROW_ALWAYS, or GY_ROW_WAITS + i.
enum { GY_ROW_CONFLICTS, GY_ROW_ALWAYS, GY_ROW_WAITS };
const uint64_t *gy_instance_row(const gy_reduction *r, gy_arena *arena, gy_instance *instance,
                                uint32_t edge, uint32_t which, const gy_instance *other);

#endif
