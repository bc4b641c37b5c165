// Depth-first search up to a bound, shared by dfs.c and deepening.c. Private to src/search.
#ifndef GYRE_SEARCH_SAFETY_DFS_H
#define GYRE_SEARCH_SAFETY_DFS_H

#include "search/run.h"

// Explores everything that can be reached with at most `limit` statements (0: everything), with
// run->store empty. True if something was left out because of the limit. If `resumable`, obeys
// the checkpoint options.
bool gy_dfs(gy_run *run, uint64_t limit, bool resumable);

#endif
