// One search over many ranks: breadth first, level by level, each rank with its own part of the
// states and with all its threads.
//
// It is an engine like those of src/search, chosen by gy_search_options.engine; the options name
// the transport. All ranks call gy_search at the same time, with the same system and the same
// options (but for limits of memory and time), and all get the same result: verdict, counts and
// witnesses are those of the whole. A limit that one rank reaches ends the search on all.
#ifndef GYRE_DIST_MPI_RANKS_H
#define GYRE_DIST_MPI_RANKS_H

#include "dist/mpi/transport.h"

#include "search/engines.h"

extern const gy_engine gy_ranks_engine;

#define GY_RANKS_MANIFEST                                                                          \
    "manifest" // of a directory with a checkpoint: the file that names the others

#endif
