// Where each state was found from, for engines that number their states: parent and ordinal for
// every id.
//
// The ordinal is the position of the transition among all that gy_successors gives for the
// parent; so a path can be replayed from an initial state, whatever the store keeps.
#ifndef GYRE_SEARCH_SAFETY_PARENTS_H
#define GYRE_SEARCH_SAFETY_PARENTS_H

#include "search/run.h"

#define GY_ORIGINS_START UINT64_MAX // the parent of an initial state

typedef struct gy_parents_record {
    uint32_t parent; // UINT32_MAX: none
    uint32_t ordinal;
} gy_parents_record;

typedef struct gy_parents {
    gy_region records;
    uint64_t n; // ids
} gy_parents;

void gy_parents_init(gy_parents *origins, gy_budget *budget);
void gy_parents_free(gy_parents *origins);
// Appends the record of the next id, of which there are less than 2^32. False: no memory; nothing
// was appended.
bool gy_parents_add(gy_parents *origins, uint64_t parent, uint32_t ordinal);
// Another path to a state that has a record.
void gy_parents_set(gy_parents *origins, uint64_t id, uint64_t parent, uint32_t ordinal);
void gy_parents_get(const gy_parents *origins, uint64_t id, uint64_t *parent, uint32_t *ordinal);
// The path to a state, and one transition more if ordinal >= 0, to an empty route.
void gy_parents_path(const gy_parents *origins, uint64_t id, int64_t ordinal, gy_route *path);

#endif
