// A store whose states are numbered 0, 1, 2 … in the order in which they came in, for one thread.
//
// A layer over any kind of store (store.h): engines that keep what they need per state in arrays
// know states by these ids. Where states are given back, the id of each is its note; for the
// others, only new states get one.
//
// The store grows by itself. It re-encodes its states when it is informed that nothing is held of
// what it gave back (gy_numbered_settle): ids stay.
//
// Owner: who makes one frees it. A state that was given back is valid until the next one is, or
// the store re-encodes.
#ifndef GYRE_STORE_NUMBERED_H
#define GYRE_STORE_NUMBERED_H

#include "store/kinds.h"

typedef struct gy_numbered gy_numbered;

// NULL: the budget does not even allow an empty one. Of the options, threads, notes and once are
// its own.
gy_numbered *gy_numbered_new(const gy_store_kind_row *kind, const gy_store_options *options);
void gy_numbered_free(gy_numbered *store);
const gy_store_traits *gy_numbered_traits(const gy_numbered *store);
void gy_numbered_look(const gy_numbered *store, gy_store_figures *figures);

// *id is set for new states and, if the store gives back, for those that are found.
gy_store_answer gy_numbered_enter(gy_numbered *store, const uint32_t *state, uint32_t words,
                                  uint64_t *id);
// It was not memory that it lacked: a state was longer than this kind of store can have it.
bool gy_numbered_too_long(const gy_numbered *store);
// Many at once, which is faster. Returns how many there was room for; those that are left out are
// the last ones.
typedef struct gy_numbered_entry {
    const uint32_t *state;
    uint32_t words;
    uint64_t id; // as for enter
} gy_numbered_entry;
uint32_t gy_numbered_enter_all(gy_numbered *store, gy_numbered_entry *entries, uint32_t count);
// Is it there? Never changes the set. *id (may be NULL) as for enter.
bool gy_numbered_find(gy_numbered *store, const uint32_t *state, uint32_t words, uint64_t *id);
// For other threads, while none enters anything: each has a reader of its own.
typedef struct gy_numbered_reader gy_numbered_reader;
gy_numbered_reader *gy_numbered_reader_new(gy_numbered *store);
void gy_numbered_reader_free(gy_numbered_reader *reader);
bool gy_numbered_reader_find(gy_numbered_reader *reader, const uint32_t *state, uint32_t words,
                             uint64_t *id); // as gy_numbered_find
// Only if it gives back. States entered next are taken to be much like this one.
const uint32_t *gy_numbered_state(gy_numbered *store, uint64_t id, uint32_t *words);

bool gy_numbered_unsettled(const gy_numbered *store); // gy_numbered_settle may be of use
void gy_numbered_settle(gy_numbered *store);

// Into one that was just made with the same options. False: damaged, or over budget.
void gy_numbered_save(gy_numbered *store, gy_writer *writer);
bool gy_numbered_load(gy_numbered *store, gy_reader *reader);

#endif
