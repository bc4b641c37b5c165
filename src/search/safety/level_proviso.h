// The candidates of a level for full expansion, checked together: the proviso of breadth-first
// search. Private to src/search and src/dist.
//
// A reduced state of breadth-first search none of whose kept transitions leads to the next level is
// a candidate: see reduce/proviso.h. At the end of the level all candidates are checked at once:
// they are cleared if they are seen to lead to the next level or to a fully expanded state. What
// they lead to is examined, step by step, every state once, however many candidates lead to it, and
// remembered for the levels to come. If no more is to be seen, or it has cost too much already,
// some of those that are left fail, and are to be expanded fully: as many as it takes for all the
// others to lead to one of them.
//
// States are known by their references. Threads report what they see, in any order: what is
// examined and which candidates fail depends on the states alone.
//
//     gy_level_proviso_begin    at the end of a level
//     gy_level_proviso_hear     for the reports of each thread: of all candidates
//     gy_level_proviso_ask      which states to examine; examine them, hear, and ask again
//     gy_level_proviso_fail     when there are none
//
// Owner: who calls gy_level_proviso_init and gy_proviso_reports_init frees. One thread at a time.
#ifndef GYRE_SEARCH_SAFETY_LEVEL_PROVISO_H
#define GYRE_SEARCH_SAFETY_LEVEL_PROVISO_H

#include "base/atomic_file.h"
#include "base/number_set.h"
#include "base/vec.h"
#include "store/store.h"

typedef enum {
    GY_PROVISO_REDUCED, // a state; what its kept transitions lead to follows
    GY_PROVISO_FULL,    // a fully expanded state
    GY_PROVISO_LEAD,
    GY_PROVISO_ALONE, // as GY_PROVISO_REDUCED, but it may be that there is nothing else
} gy_proviso_report_kind;

typedef struct gy_proviso_report {
    gy_ref state;
    gy_proviso_report_kind what;
} gy_proviso_report;

typedef struct gy_proviso_reports {
    gy_region list;
    size_t n;
} gy_proviso_reports;

void gy_proviso_reports_init(gy_proviso_reports *reports, gy_budget *budget);
void gy_proviso_reports_free(gy_proviso_reports *reports);
bool gy_proviso_reports_add(gy_proviso_reports *reports, gy_proviso_report_kind what,
                            gy_ref state); // false: no memory

typedef GY_VEC(uint32_t) gy_level_proviso_layer;

typedef struct gy_level_proviso {
    gy_region nodes, edges, slots;
    uint32_t node_count, edge_count, slot_mask;
    uint32_t number;             // of this check
    bool candidates_heard;       // what is heard now are answers
    GY_VEC(uint32_t) candidates; // that are not cleared yet
    uint32_t pass;               // all passes of all checks are counted
    uint32_t depth, depth_limit;
    gy_level_proviso_layer layer; // at this depth
    gy_level_proviso_layer ahead; // room for the next one
    uint64_t unseen;              // of this layer, those not examined yet
    GY_VEC(uint32_t) stack;
    uint64_t looks, spent; // in all checks: see gy_level_proviso_ask
    // Is asked from time to time, if it is there: true ends the asking.
    bool (*interrupted)(void *of);
    uint64_t interrupted_at; // spent, when that is asked again
    // Is this candidate, of which it was not known, fully expanded by itself?
    bool (*is_full)(void *of, gy_ref state);
    void *of;
} gy_level_proviso;

enum { GY_LEVEL_PROVISO_LOOK = 16 }; // what a look costs; to come by a state costs 1

void gy_level_proviso_init(gy_level_proviso *proviso, gy_budget *budget);
void gy_level_proviso_free(gy_level_proviso *proviso);
// What searches with so many states allow and let it remember.
uint64_t gy_level_proviso_allowance(uint64_t states);
uint64_t gy_level_proviso_memory(const gy_level_proviso *proviso, uint64_t states);
// Of earlier checks, no more than about so many states are remembered.
void gy_level_proviso_begin(gy_level_proviso *proviso, uint64_t remembered);
// `next`: the states of the next level; `full`: all that failed. False: no memory.
bool gy_level_proviso_hear(gy_level_proviso *proviso, const gy_proviso_reports *reports,
                           const gy_number_set *next, const gy_number_set *full);

typedef void gy_level_proviso_visit(void *user, gy_ref state);

// Visits all states to be examined next; none if nothing is left to be found out, if all checks
// so far would have cost more than `allowance`, or if it was interrupted.
void gy_level_proviso_ask(gy_level_proviso *proviso, uint64_t allowance,
                          gy_level_proviso_visit *visit, void *user);

// A number for a state that depends on its content, not on its reference.
typedef uint64_t gy_level_proviso_rank(void *user, gy_ref state);
void gy_level_proviso_fail(gy_level_proviso *proviso, gy_level_proviso_rank *rank,
                           gy_level_proviso_visit *visit, void *user);

// This state will be heard of soon. Any thread, while others do the same.
static inline void gy_level_proviso_expect(const gy_level_proviso *proviso, gy_ref state)
{
    if (proviso->slot_mask)
        __builtin_prefetch((const uint64_t *)proviso->slots.at +
                           (gy_number_set_hash(state) & proviso->slot_mask));
}

// What is remembered, between two checks. False: that makes no sense (`holds` says which references
// may be there), or there is no memory.
typedef bool gy_level_proviso_holds(void *user, gy_ref state);
void gy_level_proviso_save(const gy_level_proviso *proviso, gy_writer *writer);
bool gy_level_proviso_load(gy_level_proviso *proviso, gy_reader *reader,
                           gy_level_proviso_holds *holds, void *user);

// References change.
typedef gy_ref gy_level_proviso_reencode(void *user, gy_ref state);
void gy_level_proviso_reencode_all(gy_level_proviso *proviso, gy_level_proviso_reencode *reencode,
                                   void *user);
void gy_proviso_reports_reencode(gy_proviso_reports *reports, gy_level_proviso_reencode *reencode,
                                 void *user);

#endif
