// The proviso for faults: from every state, what is explored must lead to a fully expanded one,
// or nothing would stop the search from going round a cycle and ignoring a transition for ever.
//
// Engines see at once that most states lead on: breadth-first, to a later level; depth-first, to a
// state that was left before. For the few candidates that do not, this looks further: with a little
// luck they lead on in several steps. Only if not are they expanded fully. This costs next to
// nothing and explores hardly more than no proviso at all would.
//
// Breadth-first search checks all candidates of a level together: see
// search/safety/level_proviso.h.
//
// After Valmari's terminal strong components ("Stop it, and be stubborn!", 2017), without them.
#ifndef GYRE_REDUCE_PROVISO_H
#define GYRE_REDUCE_PROVISO_H

#include "reduce/moves.h"
#include "reduce/reduce.h"

enum { GY_PROVISO_LIMIT = 32 }; // states that are examined for one candidate

// Is it known that this state leads to a fully expanded one, or is it one?
typedef bool gy_proviso_done(void *user, const gy_word *state, uint32_t words);

// Does a reduced state lead to one that is done, as far as reading `limit` states (at most
// GY_PROVISO_LIMIT) shows? The answer depends on the state, the limit and what `done` says
// only. Uses the worker, and `moves` as scratch.
bool gy_proviso_leads_on(gy_reducer *reducer, gy_worker *worker, gy_moves *moves,
                         const gy_word *state, uint32_t words, uint32_t limit,
                         gy_proviso_done *done, void *user);

#endif
