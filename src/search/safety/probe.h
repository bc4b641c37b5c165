// Probes: depth-first runs, some of them in mixed order, in parallel with a breadth-first search.
// An error may be many levels deep and yet on the way of any run that just goes on.
//
// A slice from time to time is enough: a share of what the search does. What probes see is in no
// figure of the search. The same model gives the same probes, whatever the number of threads; only
// when their slices come depends on it.
//
// A probe belongs to one thread at a time. Owner: gy_probe_free; the run must outlive it.
#ifndef GYRE_SEARCH_SAFETY_PROBE_H
#define GYRE_SEARCH_SAFETY_PROBE_H

#include "search/run.h"

typedef struct gy_probe gy_probe;

gy_probe *gy_probe_new(gy_run *run);
void gy_probe_free(gy_probe *probe); // may be NULL
// The search has made so many transitions: examines some more, if that is in proportion. Ends early
// if *stop becomes true. True: it has found an error.
bool gy_probe_keep_up(gy_probe *probe, uint64_t transitions, const _Atomic bool *stop);
bool gy_probe_found(const gy_probe *probe); // false for NULL
// Reports that error to the run.
void gy_probe_report(gy_probe *probe);

#endif
