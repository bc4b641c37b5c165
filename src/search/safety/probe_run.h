// One depth-first run that can be left and gone on with, to find an error rather than to see all
// states. Private to src/search.
//
// It keeps its path, and what it has seen as hashes (hashed_dfs.h): it proves nothing.
//
// A dive belongs to one thread at a time. Owner: gy_probe_run_end frees what gy_probe_run_begin has
// made.
#ifndef GYRE_SEARCH_SAFETY_PROBE_RUN_H
#define GYRE_SEARCH_SAFETY_PROBE_RUN_H

#include "search/hashed_dfs.h"

// In which order the successors of a state are tried.
enum { GY_DIVE_AS_GIVEN, GY_DIVE_REVERSED, GY_DIVE_MIXED }; // and above: mixed in other ways

typedef struct gy_probe_run {
    const gy_search_options *options;
    gy_worker *worker;
    gy_reducer *reducer; // or NULL
    gy_moves moves;
    uint64_t order;
    gy_budget budget;
    gy_hashed_dfs path;
    uint64_t work;     // transitions that were examined
    uint64_t measured; // `work` when memory is to be measured again
    bool over;         // there is nothing more to be seen …
    bool gave_up;      // … or no memory for it
    bool found;        // an error, at the end of `way`
    gy_route way;
    gy_fault_kind kind; // GY_FAULT_NONE: an invalid end state
    uint32_t ordinal;   // of the initial state that is examined
} gy_probe_run;

// `reduction` may be NULL. The dive is all zeros, or was begun before on the same system: what it
// has is used again.
void gy_probe_run_begin(gy_probe_run *dive, gy_system *system, const gy_search_options *options,
                        const gy_reduction *reduction, uint64_t order);
// Looks at about so many transitions more, or until it is over; `most`: bytes that it may use.
void gy_probe_run_go_on(gy_probe_run *dive, uint64_t work, uint64_t most);
void gy_probe_run_end(gy_probe_run *dive); // also of one that is all zeros

#endif
