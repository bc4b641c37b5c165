// Fairness as marks: which processes and labelled statements a fair run has to serve, and how a
// step serves them. Private to src/search.
//
// Each process or labelled statement of a process that fairness is about is given a mark, a bit
// after those of the observer, when it is first seen. Weak ones: every edge has the mark on which
// it moves or before which it cannot; a fair cycle has all of them. Strong ones: an edge has the
// mark on which it moves; a node asks for the marks of all that is enabled there.
//
// If none is strong, the marks that nothing owns yet count as weak: until its owner turns up, it
// could not move. If there are strong ones, the weak ones are asked for too, at every node:
// components are judged when they are complete, and all owners in them known.
//
// A word of marks has room for 64. If there are more owners, a gy_fair can be made `wide`: then it
// gives the marks of one window at a time (gy_fair_look), the observer's being in the first, and
// weak ones are asked for as above.
//
// Several threads may have a gy_fair each, with the same owners (gy_fair_share): a bit means the
// same to all of them. The first one is freed last.
#ifndef GYRE_SEARCH_LIVENESS_FAIR_H
#define GYRE_SEARCH_LIVENESS_FAIR_H

#include "search/liveness/product.h"

#include "base/atomic_file.h"

#include <pthread.h>

enum { GY_FAIR_PIDS = 256, GY_FAIR_WINDOWS = 1024, GY_FAIR_MOST = 64 * GY_FAIR_WINDOWS - 1 };

typedef struct gy_fair_bits {
    _Atomic uint16_t of_pid[GY_FAIR_PIDS]; // 1 + the bit; 0: none so far
} gy_fair_bits;

// Who has which bit.
typedef struct gy_fair_owners {
    pthread_mutex_t lock; // for giving bits away
    uint32_t next;        // bit
    uint32_t most;        // bits that there are
    gy_fair_bits process;
    gy_fair_bits *action;                   // by number of the statement, from 1: the entry before
    uint32_t actions;                       // so many
    _Atomic uint64_t weak[GY_FAIR_WINDOWS]; // bits given away
    _Atomic bool too_many;
} gy_fair_owners;

typedef struct gy_fair {
    const gy_system *system;
    bool processes, actions; // fairness is about these
    bool strong_processes;
    bool asks; // something may be strong: components have to be taken apart
    bool shares;
    bool wide;       // see above
    uint32_t window; // that is examined
    uint64_t sets;   // of the observer
    gy_fair_owners *owners;
    // In this window:
    uint64_t observer; // bits that may be the observer's: all or none
    uint64_t reserved; // bits of its sets
    uint64_t enabled;  // at the current node
    uint64_t weak; // bits of weak ones that were known when it was seen what is not enabled there
} gy_fair;

void gy_fair_init(gy_fair *fair, const gy_system *system, gy_fairness fairness,
                  const gy_observer *observer);
// Another one of the same kind, for another thread.
void gy_fair_share(gy_fair *fair, const gy_fair *first);
void gy_fair_free(gy_fair *fair);
// There are more than there are bits for: nothing is to be concluded.
bool gy_fair_too_many(const gy_fair *fair);
// As many as there may be, from now on. Who has a bit keeps it.
void gy_fair_widen(gy_fair *fair);
uint32_t gy_fair_windows(const gy_fair *fair); // with owners so far; one at least
void gy_fair_look(gy_fair *fair, uint32_t window);

// Several processes of one search give bits away on their own. What each has given a bit, as
// numbers whose sums say what any has; then all adopt the same bits. Nothing else is using them.
uint32_t gy_fair_places(const gy_fair *fair); // so many numbers
void gy_fair_tell(const gy_fair *fair, uint64_t *places);
void gy_fair_adopt(gy_fair *fair, const uint64_t *sums);
uint64_t gy_fair_owned(const gy_fair *fair); // bits, those of the observer with them

// Who has which bit, in a file. Into one that has given none away; false: it makes no sense.
void gy_fair_save(const gy_fair *fair, gy_writer *writer);
bool gy_fair_load(gy_fair *fair, gy_reader *reader);

static inline bool gy_fair_any(const gy_fair *fair)
{
    return fair->processes || fair->actions;
}
// The marks that a cycle needs in any case.
uint64_t gy_fair_all(const gy_fair *fair);

// A node: begin, gy_fair_note for each of its transitions, then gy_fair_missing.
void gy_fair_begin(gy_fair *fair);
// What is enabled here; returns the marks of what executes in this transition.
uint64_t gy_fair_note(gy_fair *fair, const gy_transition *transition);
// Marks for all edges of this node: of what is not enabled here.
uint64_t gy_fair_missing(gy_fair *fair);
// Marks that this node asks for: of weak ones, none that other threads have reached since then, as
// its edges do not have them.
uint64_t gy_fair_asked(const gy_fair *fair);

#endif
