// Where each state was found from: parent and ordinal for every id, in under a byte per state.
//
// The ordinal is the position of the transition among all that gy_successors gives for the
// parent; so a path can be walked again from an initial state, whatever the store keeps.
//
// Representation: a string of bits. For each id in order, the difference between its parent and
// the parent of the id before (breadth-first: mostly 0 or 1), then the ordinal; both in Elias's
// gamma code. Every GY_ORIGINS_STEP ids the position is noted, so that a lookup reads at most that
// many records.
#ifndef GYRE_SEARCH_SAFETY_ORIGINS_H
#define GYRE_SEARCH_SAFETY_ORIGINS_H

#include "search/run.h"

enum { GY_ORIGINS_STEP = 256 };
#define GY_ORIGINS_START UINT64_MAX // the parent of an initial state

typedef struct gy_origins {
    gy_region bits, marks;
    uint64_t n;      // ids
    uint64_t end;    // bits
    uint64_t parent; // of the last id, plus one; 0: an initial state
} gy_origins;

void gy_origins_init(gy_origins *origins, gy_budget *budget);
void gy_origins_free(gy_origins *origins);
// Appends the record of the next id. False: no memory; nothing was appended.
bool gy_origins_add(gy_origins *origins, uint64_t parent, uint32_t ordinal);
void gy_origins_get(const gy_origins *origins, uint64_t id, uint64_t *parent, uint32_t *ordinal);
// The path to a state, and one transition more if ordinal >= 0, as gy_run_report has it.
void gy_origins_report(const gy_origins *origins, gy_run *run, uint64_t id, int64_t ordinal,
                       gy_fault_kind kind, bool shortest);
// Those that were met while the state was expanded (run->faults).
void gy_origins_report_faults(const gy_origins *origins, gy_run *run, uint64_t id);

#endif
