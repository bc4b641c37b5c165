// One pass over numbers that wait in any order (disk_set.h), sorted: they are cut into ranges, by a
// sample. All members of the team count together how many there are in each; then as many ranges
// as there is room for are filled, by all members together, sorted and handed over, a range by one
// member; and so on. A range that is too large for that is done by one member, who goes through the
// source and keeps the lower part of what is there, as much as there is room for, and comes back
// for the rest.
//
// Private to src/store/disk_*.c. Owner: the caller; gy_disk_pass_run frees what gy_disk_pass_plan
// has made.
#ifndef GYRE_STORE_DISK_PASS_H
#define GYRE_STORE_DISK_PASS_H

#include "store/disk_set.h"
#include "store/sort.h"

#include "base/vec.h"

// Numbers of a range, sorted: all there are from `low` to `high`, both included.
typedef struct gy_disk_portion {
    uint64_t low, high;
    gy_sortable list; // next to each its place, if that was asked for
    size_t n;
    size_t range;
    bool last; // of its range; portions of a range come one after the other
} gy_disk_portion;

// By any member; those of different ranges at the same time.
typedef void gy_disk_job(void *user, const gy_disk_portion *portion);

typedef struct gy_disk_pass {
    const gy_disk_source *source;
    gy_team *team;
    unsigned threads;
    uint64_t *room; // to work with,
    size_t bytes;   // so much
    bool with_places, hostile;
    const gy_disk_traffic *traffic; // a failure ends the pass
    gy_disk_job *job;
    void *user;
    // Of the pass alone.
    size_t ranges;
    GY_VEC(uint64_t) ends;          // the last number of each range but the last
    _Atomic uint64_t *count;        // by range
    size_t from, to;                // ranges that are in memory
    uint64_t *start;                // of these, where they begin
    _Atomic uint64_t *filled;       // and how far
    uint64_t chunks;                // parts of the source that are handed out
    struct gy_disk_staging *stages; // by member and range
} gy_disk_pass;

// Where ranges should end; returns how many there are.
size_t gy_disk_pass_plan(gy_disk_pass *pass);
void gy_disk_pass_run(gy_disk_pass *pass);

#endif
