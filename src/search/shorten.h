// Making the path to an error shorter, where a breadth-first search for a shortest one would take
// too long: loops are cut out, and short searches from states of the path look for states further
// on.
//
// Owner: the witness stays the caller's; its steps may be others afterwards.
#ifndef GYRE_SEARCH_SHORTEN_H
#define GYRE_SEARCH_SHORTEN_H

#include "search/search.h"

// The witness is one of this system. `options`: what an error is, the time limit and the interrupt;
// transition_limit: about so many are made (0: some). True: it is shorter now. If
// one error is asked for (max_errors), it may end in another one.
bool gy_witness_shorten(gy_system *system, gy_witness *witness, const gy_search_options *options);

#endif
