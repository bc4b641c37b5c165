// Who asks what is enabled in the states that merging takes away.
//
// Between two statements that are merged, a process P stands at a node N with nothing but private
// edges, one of which can fire; after them it is at a node M. All values that others read are
// the same, so what is enabled at N and what is enabled at M can differ in no more than this:
//   - P's own statements that are labelled as fair;
//   - those that could meet P at a rendezvous at M;
//   - those that wait for `timeout`, if P can be blocked at M (at N it is not);
//   - those that have a lower priority, too.
// Fairness asks about all of them, in each state. A run in which one of these is enabled
// everywhere but where P is at N is weakly fair without it. One in which P rests at N for ever
// (which only fairness of processes forbids) owes nothing to those who need P at M. And as P comes
// to M at once when its steps are merged, it may be there together with others whom it never meets
// when it takes its time; then strong fairness asks for more.
//
// Without fairness it matters only where something is possible because a rendezvous is not: an
// `else` next to a send or receive, statements with an `unless` that is one, and with priorities.
// (A `timeout` that must be false is a matter of merge.c.) And an atomic sequence that reaches a
// send on a rendezvous channel is interrupted there if no receiver is ready: the state in its
// middle, where other processes continue, exists only while the receiver is at N.
//
// Nothing else interrupts an atomic sequence at N and not at M. A receive on a rendezvous channel
// always does, because the sender begins. Conditions, and whether a buffered
// channel is full or empty, depend on values and channels, which no private edge changes. `timeout`
// is false inside an atomic sequence, so one that reaches it is interrupted in both cases. A d_step
// that begins with a rendezvous is an edge like any other: it counts if the node before it is
// inside an atomic sequence; if it is not, no sequence has begun.
#ifndef GYRE_MODEL_PASSES_ENABLING_H
#define GYRE_MODEL_PASSES_ENABLING_H

#include "model/passes/passes.h"

typedef struct gy_enabling {
    const gy_model *model;
    const int32_t *types; // of the channels that variables hold (channels.h)
    bool off;             // nothing may be taken away
    bool statements;      // a caller asks for labelled statements,
    bool rendezvous;      // who waits at a rendezvous,
    bool timeout;         // and whether no process is enabled
} gy_enabling;

// `types` stays the caller's.
gy_enabling gy_enabling_new(const gy_model *model, const gy_watched *watched, const int32_t *types);
// Does it make no difference to anybody whether a process is at this node, or on its way to it?
bool gy_enabling_is_same(const gy_enabling *enabling, const gy_node *node);

// Could this edge be one half of a rendezvous?
bool gy_may_meet(const gy_model *model, const int32_t *types, const gy_edge *edge);

#endif
