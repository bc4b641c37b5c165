// A set of 64-bit numbers that is on disk, for the references of a store (store.h) whose states no
// longer fit into memory.
//
// It is asked for many numbers at a time, in any order, and extended by many at a time: these are
// sorted, a range that fits into memory after the other, and compared with what is in the files in
// one pass (delayed duplicate detection; cf. R. Korf, Linear-time disk-based implicit graph search,
// J. ACM 2008). What is there is a few sorted runs (disk_run.h), the oldest the largest; a new one
// is merged with those that are not much larger, so that there are never many and each number is
// rewritten a few times only. Who asks for few numbers reads a block of each run for each.
//
// Faults: the first error of the system ends all work; every call then says false, and
// gy_disk_set_problem says why. Nothing that is read is believed: blocks have checksums.
//
// Threads: one at a time, with a team that shares the work (NULL: there is none).
#ifndef GYRE_STORE_DISK_SET_H
#define GYRE_STORE_DISK_SET_H

#include "store/disk_run.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"

typedef struct gy_disk_figures {
    uint64_t states;        // in the set
    uint64_t most;          // bytes of its files, at any time
    uint64_t written, read; // bytes, in all
} gy_disk_figures;

// Numbers that wait somewhere, in pieces: `each` hands those of a piece over, some at a time, each
// with a place of its own (where, where + 1 …), and is called for all pieces, several times, by any
// thread. All numbers are different.
typedef void gy_disk_take(void *to, const uint64_t *numbers, uint32_t count, uint64_t where);
typedef struct gy_disk_source {
    uint64_t pieces, count;
    void (*each)(void *of, uint64_t piece, gy_disk_take *take, void *to);
    void (*found)(void *of, uint64_t where); // it is in the set; by any thread
    void *of;
} gy_disk_source;

typedef struct gy_disk_set gy_disk_set;

// Files go to that directory, which must stay there. Draws the memory that it needs to work from
// the budget at once; NULL: there is none. `hostile`: as little as possible, for tests.
gy_disk_set *gy_disk_set_new(const char *folder, gy_budget *budget, unsigned threads,
                             const atomic_int *interrupt, bool hostile);
void gy_disk_set_free(gy_disk_set *set);

// From that moment on (gy_clock), calls that read end with a fault; 0: there is none.
void gy_disk_set_deadline(gy_disk_set *set, double deadline);

// Calls source->found for those that are in the set. False: a fault.
bool gy_disk_set_find(gy_disk_set *set, const gy_disk_source *source, gy_team *team);
// Adds those that are not in the set, but for some, which are in ascending order. False: a fault.
bool gy_disk_set_add(gy_disk_set *set, const gy_disk_source *source, const uint64_t *but,
                     uint32_t but_count, gy_team *team);

void gy_disk_set_look(const gy_disk_set *set, gy_disk_figures *figures);
// Why a call said false: words to put after "DIR: ".
void gy_disk_set_problem(const gy_disk_set *set, gy_text *out);
bool gy_disk_set_interrupted(const gy_disk_set *set);
bool gy_disk_set_late(const gy_disk_set *set); // the deadline is past

#endif
