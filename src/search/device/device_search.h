// Breadth-first search on a device (room device): inside it.
//
// The device holds the names of states in a table, and once more in a ring, level after level, in
// the order in which they were found. The host does what the device's code hands back: states in
// which something could go wrong, states without successors, and states that are not the device's
// (see device/code.h), which it keeps in a store of its own. Nothing is ever dropped without
// a word: where there is no room, the search ends as one that reached a limit.
#ifndef GYRE_SEARCH_DEVICE_DEVICE_SEARCH_H
#define GYRE_SEARCH_DEVICE_DEVICE_SEARCH_H

#include "device/code.h"
#include "device/device.h"
#include "search/device/device_product.h"
#include "search/run.h"

enum { GY_DEVICE_LEFT = 1 << 18 }; // states that the device may hand back at a time
enum { GY_DEVICE_LEVELS = 512 };   // levels that it may do at a time

typedef struct gy_device_search {
    gy_run *run;
    gy_device *device;
    gy_device_code *code;
    gy_worker *walker; // follows paths once more, from state to state as the device has them
    gy_device_product *product; // NULL: no monitor. Else a state has one word more, the monitor's
    gy_device_job job;
    uint64_t tally[GY_TALLIES];
    bool full_size; // the table cannot grow any more
    uint64_t table_bytes, ring_bytes, tag_bytes[2], piece_bytes[2];
    gy_device_address names, bits; // room for GY_DEVICE_LEFT names, and for their states
    GY_VEC(uint64_t) levels;       // by level: the number of its first state on the device
    GY_VEC(uint64_t) other_levels; // likewise of the states that the host keeps
    uint64_t kept_from;            // older ones were overwritten
    gy_numbered *others;           // the states that are not the device's
    GY_VEC(uint64_t) batch;        // packed: to be taken to the device
    GY_VEC(uint64_t) left;         // names that were handed back
    GY_VEC(uint64_t) spelled;      // their bits
    GY_VEC(gy_word) state;
    uint64_t transitions; // of states that are done with
    bool silent;          // it only goes where it has been: see gy_device_again
    bool astray;          // and so the search proper cannot go on
    uint32_t ordinal;
    bool any;                        // the current state has a successor
    uint32_t next;                   // of the monitor, in all successors of the current state
    GY_VEC(gy_word) target;          // one of them
    uint64_t ends[GY_DEVICE_LEVELS]; // of levels that were done together
    uint64_t level_end;              // not 0: states after it are of a later level, which has begun
    uint64_t launches;  // of states to be expanded
    struct gy_device_proviso *proviso; // NULL: no choices
} gy_device_search;

// One level after the other, the initial states first, up to a level.
void gy_device_search_levels(gy_device_search *d, uint64_t last);
// The numbers of the tally: from the device, and to it. False: the device failed.
bool gy_device_read(gy_device_search *d);
bool gy_device_write_tally(gy_device_search *d);
// device_part.c. Runs a part of a level, or of a list of names on the device (0: none); d->left
// holds what was handed back, or reported. Returns how many states were done, 0: the search has
// ended. States from `number` on must stay in the ring.
uint64_t gy_device_part(gy_device_search *d, uint64_t number, uint64_t count, gy_device_mode mode,
                        gy_device_address list);
// Levels from a small one on, [from, to), done in one go; how many were. d->left holds what was
// handed back from the last one. 0: it is for gy_device_part.
uint64_t gy_device_several(gy_device_search *d, uint64_t from, uint64_t to, uint64_t most);
// Takes d->batch to the device.
void gy_device_flush(gy_device_search *d);
// The bits of the states in d->left, in d->spelled.
bool gy_device_spell(gy_device_search *d);
// The current state (d->state) from its bits.
void gy_device_recall(gy_device_search *d, const uint64_t *bits);
// Searches once more up to a level, so that the names of the levels before it are there again.
bool gy_device_again(gy_device_search *d, uint64_t level);
// Words of the system in a state.
static inline uint32_t gy_device_words(const gy_device_search *d, size_t words)
{
    return (uint32_t)words - (d->product != NULL);
}
uint64_t gy_device_others(const gy_device_search *d); // how many states the host keeps
void gy_device_fail(gy_device_search *d);             // the search ends: the device cannot go on

// With choices (device_proviso.c): the candidates in d->left, which are taken out of it, are noted;
// the states of a level, which is about to begin, are not of the next one any more; at the end of a
// level its candidates are checked, and some expanded fully. The next level begins with number
// `next`.
void gy_device_note_candidates(gy_device_search *d);
void gy_device_settle(gy_device_search *d, uint64_t from, uint64_t to);
void gy_device_check(gy_device_search *d, uint64_t next);
bool gy_device_proviso_init(gy_device_search *d);
void gy_device_proviso_reset(gy_device_search *d);
void gy_device_proviso_free(gy_device_search *d);
// Has the kernel done so many things? If not, the search ends.
bool gy_device_has_done(gy_device_search *d, uint64_t things);

// The errors of the current state, which is at level `level`: the faults in run->faults, or, with
// false, that it is an invalid end state.
void gy_device_report(gy_device_search *d, uint64_t level, bool at_fault);

#endif
