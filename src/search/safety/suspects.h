// Reduced states of breadth-first search that may be going round in circles: see
// reduce/proviso.h. Private to src/search.
//
// A level's suspects are judged together when the level is over. By then it is known which states
// were expanded fully, and what lies in a later level will be judged later; so the verdict does
// not depend on the order in which the states of a level were expanded.
// Which those are is in run->full; `list` has the ids of the level's suspects.
#ifndef GYRE_SEARCH_SAFETY_SUSPECTS_H
#define GYRE_SEARCH_SAFETY_SUSPECTS_H

#include "search/run.h"

#include "base/snapshot.h"

typedef struct gy_suspects {
    gy_run *run;
    GY_VEC(uint64_t) list;
} gy_suspects;

void gy_suspects_init(gy_suspects *suspects, gy_run *run);
void gy_suspects_free(gy_suspects *suspects);
// Keeps on the list those that must be expanded fully. States with ids from level_end on lie in
// later levels.
void gy_suspects_judge(gy_suspects *suspects, uint64_t level_end);
void gy_suspects_save(const gy_suspects *suspects, uint64_t ids, gy_writer *writer);
bool gy_suspects_load(gy_suspects *suspects, gy_reader *reader);

#endif
