// How many states a process has by itself (its place and its variables), and the global variables
// with the contents of channels, in the reachable states of a model; and in how many states each
// occurs.
//
// Owner: gy_local_states_free. The model must outlive it.
#ifndef GYRE_REPORT_STRUCTURE_LOCAL_STATES_H
#define GYRE_REPORT_STRUCTURE_LOCAL_STATES_H

#include "graph/graph.h"
#include "model/model.h"

typedef struct gy_local_states gy_local_states;

gy_local_states *gy_local_states_new(const gy_model *model);
void gy_local_states_free(gy_local_states *local);
// To be called once for each state (a gy_graph_visit).
void gy_local_states_look(void *local, gy_worker *worker, const gy_word *state, uint32_t words);

// Those of process `pid`, or (-1) of what is global: in how many states each occurs, most first.
// False: there is no such process, or there are too many to be counted (*count says how many).
bool gy_local_states_counts(gy_local_states *local, int32_t pid, const uint64_t **counts,
                            uint64_t *count);
const char *gy_local_states_name(const gy_local_states *local, uint32_t pid);

#endif
