// Stages and intervals: which part of the traces a job follows.
//
// A stage is a range of levels of a guide. Its traces are the paths through the parts of these
// levels, from an entry (a part that is entered from outside) on until no edge stays in the stage;
// they are numbered as weights.h says, by an automaton whose node 0 leads to the entries and whose
// other nodes are the parts of the stage. With a single stage over all levels these are the
// complete traces of the guide.
//
// A job follows the traces of an interval of numbers. Where a trace is is known from the part
// that a state is in, and from its *place*: whether it has taken the same edges as the first trace
// of the interval so far, and likewise as the last one. Between the two everything is free. So a
// job is a search whose keys are a state and one of four places, and place 0 (free) makes the
// others needless.
//
// Owner: who makes one frees it; the guide must outlive it.
#ifndef GYRE_DIST_SWARM_STAGE_H
#define GYRE_DIST_SWARM_STAGE_H

#include "dist/swarm/guide_graph.h"
#include "dist/swarm/weights.h"

typedef struct gy_stage {
    uint32_t from, to;             // levels: to is after the last one
    uint32_t first_part, end_part; // parts of these levels are in a row
    gy_weights *weights;           // node n > 0 is part first_part + n - 1
} gy_stage;

// `entries`: parts of these levels, rising.
gy_stage *gy_stage_new(gy_guide *guide, uint32_t from, uint32_t to, const uint32_t *entries,
                       uint32_t count);
void gy_stage_free(gy_stage *stage);

static inline bool gy_stage_has(const gy_stage *stage, uint32_t part)
{
    return part >= stage->first_part && part < stage->end_part;
}
static inline uint32_t gy_stage_node(const gy_stage *stage, uint32_t part)
{
    return part - stage->first_part + 1;
}

enum { GY_PLACE_FREE = 0, GY_PLACE_FIRST = 1, GY_PLACE_LAST = 2, GY_PLACE_OUTSIDE = -1 };

// The traces from number `from` up to, not including, `to`.
typedef struct gy_interval {
    gy_bigint from, to;
} gy_interval;
void gy_interval_init(gy_interval *interval);
void gy_interval_free(gy_interval *interval);

typedef struct gy_fence {
    const gy_stage *stage;
    gy_trace first, last;             // the traces at both ends
    uint32_t *first_edge, *last_edge; // by node: the edge that they take there; UINT32_MAX: none
    uint8_t *seen_first, *seen_last;  // by edge of the automaton: states at that place took it
} gy_fence;

gy_fence *gy_fence_new(const gy_stage *stage, const gy_interval *interval);
void gy_fence_free(gy_fence *fence);
// The place of a trace that enters the stage at this part; OUTSIDE: no trace of the interval does.
int gy_fence_enter(gy_fence *fence, uint32_t part);
// The place after the step from one part to another; both are in the stage. `way` leads there.
int gy_fence_step(gy_fence *fence, int place, uint32_t from, const uint32_t *way, uint32_t count);
// What the system was found unable to do, once all states of the job were examined: calls `found`
// with ranges of numbers outside the interval which no run follows (*from up to *to).
void gy_fence_feedback(const gy_fence *fence, void (*found)(void *user, const gy_interval *range),
                       void *user);

#endif
