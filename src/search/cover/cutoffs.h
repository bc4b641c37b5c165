// Events that were seen, and which of them are cut off. Private to search/cover.
//
// An event is identified by what it does and by the last events of each process before it, whatever
// run it was met on. With all that comes before it, and nothing else, it leads to a state. If that
// state is known from less, the event is cut off: what follows it follows there as well, and its
// processes need not be gone on with (McMillan). That is decided when the event is met first, and
// stays so, so that all runs are runs of one system.
//
// Less is: fewer events; or as many, and fewer of process 0; or as many, and what process 0 does
// comes first in the order of words; or the same, and likewise for process 1, and so on (after
// Esparza, Römer, CONCUR 1999). If the same is done after two such sets of events, the one that
// was less stays so, which is what a cut-off needs; that of some sets none is less does not matter.
// What a process does is its steps, and what it then has for itself. After the processes come the
// variables and channels, with the events that write to each.
//
// Owner: gy_records_free.
#ifndef GYRE_SEARCH_COVER_CUTOFFS_H
#define GYRE_SEARCH_COVER_CUTOFFS_H

#include "search/cover/cover_trace.h"

#include "base/map.h"

typedef struct gy_record {
    size_t key; // the root, the steps, and for each process that has one its last event before
    uint32_t key_words;
    uint32_t steps; // words of the key that say what it does
    uint64_t movers;
    bool cut_off;
} gy_record;

typedef GY_VEC(uint32_t) gy_event_list;

typedef struct gy_records {
    gy_trace *trace;
    GY_VEC(gy_record) list;
    GY_VEC(uint32_t) keys;
    gy_map by_key;
    // States: how many events lead there, and the last of them (UINT32_MAX: none); the least that
    // is known.
    GY_VEC(size_t) state_at;
    GY_VEC(uint32_t) state_words, fewest, last;
    GY_VEC(uint64_t) writes;   // by event: the cells that it writes to
    gy_event_list mine, other; // scratch: events of a process, or all up to one
    GY_VEC(gy_word) words;
    gy_map by_state;
    gy_trace_words scratch;
} gy_records;

void gy_records_free(gy_records *records);
void gy_records_begin(gy_records *records); // the first node is there
// The last event, which `before` comes before: sets its number, and whether it is cut off. False:
// the run says why.
bool gy_records_note(gy_records *records, const gy_clock *before);
// What all of it takes.
uint64_t gy_records_bytes(const gy_records *records);

#endif
