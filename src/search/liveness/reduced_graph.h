// The reduced graph of a system, made ready before a product is searched.
//
// For formulas that do not see repetitions it is enough to examine fewer transitions of the system
// if none that is left out can be ignored: on every cycle of what is explored there must
// be a fully expanded state. Which states are, is decided here once for the system alone. Deciding
// it during the search of the product, as Spin does, would let it depend on where the observer is;
// then what is searched is not the product of the observer with any graph, and an error can be
// missed (S. F. Siegel, "What's wrong with on-the-fly partial order reduction", CAV 2019).
//
// Owner: gy_reduced_graph_free.
#ifndef GYRE_SEARCH_LIVENESS_REDUCED_GRAPH_H
#define GYRE_SEARCH_LIVENESS_REDUCED_GRAPH_H

#include "search/run.h"

typedef struct gy_reduced_graph gy_reduced_graph;

// Uses the limits, the budget and the clock of `run`, but a store of its own.
gy_reduced_graph *gy_reduced_graph_new(gy_run *run, const gy_reduction *reduction);
// Goes on making it until it has `limit` states. True: it is ready. False: it is not yet, or the
// run was stopped.
bool gy_reduced_graph_make(gy_reduced_graph *graph, uint64_t limit);
void gy_reduced_graph_free(gy_reduced_graph *graph);

// When it is ready, any number of threads may read it, each through a view of its own.
typedef struct gy_reduced_view gy_reduced_view;
gy_reduced_view *gy_reduced_view_new(gy_reduced_graph *graph);
void gy_reduced_view_free(gy_reduced_view *view);
// All transitions of a state, in the order of gy_successors; keep[i] says which belong to the
// reduced graph. Valid until the next call.
const gy_transition *gy_reduced_view_moves(gy_reduced_view *view, gy_worker *worker,
                                           const gy_word *state, uint32_t words, uint32_t *count,
                                           const uint8_t **keep);
void gy_reduced_graph_count(const gy_reduced_graph *graph, uint64_t *reduced, uint64_t *full);
// Is there a fully expanded state on every cycle? Looks without regard to how it was made.
// False also if the run was stopped before that was known.
bool gy_reduced_graph_check(gy_reduced_graph *graph, gy_worker *worker);

#endif
