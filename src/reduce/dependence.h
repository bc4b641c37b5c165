// Dependence of transitions, without conditions: for those who reorder whole runs.
//
// Two transitions of different processes are independent if, wherever they are made, neither makes
// the other possible or impossible and either order leads to the same state. A stubborn set is
// content with less (a send and a receive that can both go may change places), but in a run that is
// seen as a partial order every cause must be there: a message is sent before it is received.
//
// What a transition touches is its footprint: what it reads, writes and marks (facts.h), and what
// decides between the edges of the points where it begins. It knows the values of the state in
// which it was asked for; what they came from is read, so that nothing independent changes them. A
// transition that waits for a timeout depends on everything.
//
// Owner: gy_dependence_free; the reduction must outlive it. A gy_dependence belongs to one thread.
#ifndef GYRE_REDUCE_DEPENDENCE_H
#define GYRE_REDUCE_DEPENDENCE_H

#include "reduce/reduce.h"

typedef struct gy_dependence gy_dependence;

enum { GY_DEPENDENCE_PROCESSES = 64 }; // a set of processes is a word

// False: not for this system, *why says for which reason.
bool gy_dependence_can(const gy_system *system, const char **why);
gy_dependence *gy_dependence_new(const gy_reduction *reduction);
void gy_dependence_free(gy_dependence *d);
uint32_t gy_dependence_words(const gy_dependence *d); // 64-bit words of a footprint
const struct gy_model *gy_dependence_model(const gy_dependence *d);

// The state that what follows is about; it must stay where it is. False: it has too many processes.
bool gy_dependence_look(gy_dependence *d, const gy_word *state, uint32_t words,
                        uint32_t *processes);
// Of a transition of that state.
void gy_dependence_taken(gy_dependence *d, const gy_transition *transition, uint64_t *footprint);
// Of what a process may do next, possible now or not: for each edge of its point but those that
// wait for a timeout. It may be half of a rendezvous: one that sends, or one that receives. The
// footprint is valid during the call.
typedef enum { GY_ALONE, GY_HALF_SENDS, GY_HALF_RECEIVES } gy_half;
typedef void gy_dependence_visit(void *user, const uint64_t *footprint, int32_t edge, gy_half half);
void gy_dependence_next(gy_dependence *d, uint32_t pid, gy_dependence_visit *visit, void *user);

// Adds what the same edge of a process, where it is in the current state, might touch in any
// state.
void gy_dependence_anywhere(const gy_dependence *d, uint32_t pid, int32_t edge,
                            uint64_t *footprint);
// Has a transition written a variable that another one reads? Without it, the other one may find
// another index or another channel, and touch what its footprint does not have.
bool gy_dependence_diverts(const gy_dependence *d, const uint64_t *taken, const uint64_t *next);

bool gy_dependence_meet(const gy_dependence *d, const uint64_t *a, const uint64_t *b);
bool gy_dependence_waits(const gy_dependence *d, const gy_transition *transition); // for a timeout
// The processes that a transition moves.
uint64_t gy_dependence_movers(const gy_transition *transition);

// A hash of what these processes have for themselves in a state: location and variables. The
// current state is forgotten.
uint64_t gy_dependence_own(gy_dependence *d, const gy_word *state, uint32_t words,
                           uint64_t processes);

// What the value of an atom depends on: cells (gy_dependence_cell_words of them: globals,
// channels, the number of processes), which transitions change by what they write, and processes,
// by their start, moves and end. To be asked of the initial state. False: on something else.
uint32_t gy_dependence_cell_words(const gy_dependence *d);
bool gy_dependence_support(const gy_dependence *d, gy_atom atom, uint64_t *cells,
                           uint64_t *processes);
// How many variables and channels these are.
uint32_t gy_dependence_objects(const gy_dependence *d, const uint64_t *cells);
// The nth of them alone, as cells; false: there are no more.
bool gy_dependence_object(const gy_dependence *d, const uint64_t *cells, uint32_t n, uint64_t *one);
const uint64_t *gy_dependence_writes(const gy_dependence *d, const uint64_t *footprint);
bool gy_dependence_changes(const gy_dependence *d, const uint64_t *footprint,
                           const uint64_t *cells);

#endif
