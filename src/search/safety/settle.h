// Letting the store rename its states (see gy_numbered_plan) while an engine keeps keys.
//
//     gy_settle s;
//     if (gy_settle_begin(&s, run)) {
//         for each key kept: gy_settle_spell(&s, key name, words);
//         gy_settle_rename(&s);
//         for each key kept, in the same order: key name = gy_settle_name(&s, key name, words);
//     }
//     gy_settle_end(&s);
//
// Private to src/search.
#ifndef GYRE_SEARCH_SAFETY_SETTLE_H
#define GYRE_SEARCH_SAFETY_SETTLE_H

#include "search/run.h"
#include "search/safety/queue.h"

typedef struct gy_settle {
    gy_run *run;
    gy_queue states;
    bool given_up; // no memory for the states of all keys: names stay as they are
} gy_settle;

bool gy_settle_begin(gy_settle *settle, gy_run *run);
void gy_settle_spell(gy_settle *settle, uint64_t name, uint32_t words);
void gy_settle_rename(gy_settle *settle);
uint64_t gy_settle_name(gy_settle *settle, uint64_t name, uint32_t words);
void gy_settle_end(gy_settle *settle);

#endif
