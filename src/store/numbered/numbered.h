// STORE: a set of states. The third of the three waists.
//
// A state is a vector of 32-bit words; its length may differ from state to state. A store
// answers: is this one new? It numbers new states 0, 1, 2 … in the order in which they came
// in (dense ids), so that engines keep what they need per state in arrays beside it.
//
// Entering a state takes two calls, so that the memory traffic of many states overlaps:
//
//     gy_numbered_prepare(view, state, words, &key);    // hash it; start fetching
//     …prepare others…
//     gy_numbered_enter(view, &key, state, &id);        // new, found or full
//
// Between the two an engine may keep the key for as long as it likes (on a stack, in a queue).
// What a kind of store can do is in its gy_numbered_traits:
//   exact          never takes a new state for a known one
//   gives_back     gy_numbered_state returns the state that belongs to an id, and a found state
//                  gets its id; otherwise *id is only set for new states
//   key_suffices   enter and has need the key only: `state` may be NULL
//
// Running out of memory (the budget says no) is an answer, GY_NUMBERED_FULL, not an accident: the
// store stays usable for reading, and all it had is still there.
//
// Owner: the store owns all memory; views and the store are freed by who made them, views
// first. Pointers from gy_numbered_state are valid until the next gy_numbered_state of that view.
//
// Threads: one thread at a time may use a store with its views, for now. Written so that many
// can: everything that changes on the way to a new state and is not shared (the state last
// looked at, scratch) is in the view, one per thread; ids are handed out by the store; a key is
// a value. What a concurrent version has to add is behind this header: slots entered by
// compare-and-swap after the state is written, a chunk of ids per view, growth at a barrier.
#ifndef GYRE_STORE_NUMBERED_NUMBERED_H
#define GYRE_STORE_NUMBERED_NUMBERED_H

#include "base/memory.h"

typedef struct gy_reader gy_reader;
typedef struct gy_writer gy_writer;
typedef struct gy_numbered gy_numbered;
typedef struct gy_numbered_view gy_numbered_view;

typedef struct gy_key {
    uint64_t hash; // where to look
    uint64_t name; // what to look for; the whole of it if key_suffices
    uint32_t words;
} gy_key;

typedef enum { GY_NUMBERED_FOUND, GY_NUMBERED_NEW, GY_NUMBERED_FULL } gy_numbered_answer;

typedef struct gy_numbered_traits {
    const char *name;
    bool exact, gives_back, key_suffices;
} gy_numbered_traits;

typedef struct gy_numbered_figures {
    uint64_t states;
    double omission_probability; // compact: of having missed at least one state
    double coverage;             // bitstate: expected part of the states that was seen
    double fill;                 // bitstate: part of the bits that are set
} gy_numbered_figures;

typedef struct gy_numbered_options {
    gy_budget *budget;
    unsigned hash_functions; // bitstate; 0: 3
    uint64_t bitstate_bytes; // 0: a default that fits the budget
    uint64_t seed;           // of the hash functions of lossy stores
    bool hostile;            // for tests: tiny tables, growth at every chance
} gy_numbered_options;

// NULL: the budget does not even allow an empty one.
gy_numbered *gy_numbered_plain(const gy_numbered_options *options);
gy_numbered *gy_numbered_tree(const gy_numbered_options *options);
gy_numbered *gy_numbered_compact(const gy_numbered_options *options);
gy_numbered *gy_numbered_bitstate(const gy_numbered_options *options);
gy_numbered *gy_numbered_automaton(const gy_numbered_options *options);
void gy_numbered_free(gy_numbered *store);

const gy_numbered_traits *gy_numbered_traits_of(const gy_numbered *store);
void gy_numbered_look(const gy_numbered *store, gy_numbered_figures *figures);

gy_numbered_view *gy_numbered_view_new(gy_numbered *store);
void gy_numbered_view_free(gy_numbered_view *view);

// False: full.
bool gy_numbered_prepare(gy_numbered_view *view, const uint32_t *state, uint32_t words,
                         gy_key *key);
// Gives `hash` again to a key whose `name` and `words` were kept.
void gy_numbered_rekey(gy_numbered_view *view, gy_key *key, const uint32_t *state);
// Optional, between prepare and enter, a few prepares later: fetches what enter will compare.
void gy_numbered_warm(gy_numbered_view *view, const gy_key *key);
gy_numbered_answer gy_numbered_enter(gy_numbered_view *view, const gy_key *key,
                                     const uint32_t *state, uint64_t *id);
// Many at once, which is faster: prepare, warm and enter for each, in this order. Returns how
// many there was room for; those that are left out are the last ones.
typedef struct gy_numbered_entry {
    const uint32_t *state;
    uint64_t id; // as for enter
    gy_key key;  // the caller sets key.words
} gy_numbered_entry;
uint32_t gy_numbered_enter_all(gy_numbered_view *view, gy_numbered_entry *entries, uint32_t count);
// Is it there? Never changes the set. *id (may be NULL) as for enter.
bool gy_numbered_has(gy_numbered_view *view, const gy_key *key, const uint32_t *state,
                     uint64_t *id);
// Only if it gives_back. States prepared next are taken to be much like this one.
const uint32_t *gy_numbered_state(gy_numbered_view *view, uint64_t id, uint32_t *words);

// A store may learn from the states it has how to name states better. When gy_numbered_unsettled
// says so (a few times in a long search), an engine that has no unfinished work may call
// gy_numbered_plan; if that returns true, better names are known. Then the engine spells out the
// keys it has kept, calls gy_numbered_rename, and prepares those states again: their old keys are
// void. Ids stay. Without all this nothing goes wrong: the store is only larger and slower.
bool gy_numbered_unsettled(const gy_numbered *store);
bool gy_numbered_plan(gy_numbered_view *view);
const uint32_t *gy_numbered_spell(gy_numbered_view *view,
                                  const gy_key *key); // as gy_numbered_state
void gy_numbered_rename(gy_numbered_view *view);

// Writes the whole content; reads it into a store that was just made with the same options.
void gy_numbered_save(const gy_numbered *store, gy_writer *writer);
bool gy_numbered_load(gy_numbered *store, gy_reader *reader); // false: damaged, or over budget

#endif
