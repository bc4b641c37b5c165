// STORE: a set of states. The third of the three waists.
//
// A state is a vector of 32-bit words; its length may differ from state to state. A store answers:
// is this one new? It knows a state by a reference of 64 bits (gy_ref), which engines keep in
// their queues, and gives the state back for it. All stores implement this header; kinds.h lists
// them. What a kind can do is known before there is one (gy_store_traits).
//
// Any number of threads use a store at once, each through a view of its own. States are entered
// many at a time, so that what has to be fetched for one is fetched while others are examined:
//
//     state = gy_store_state(view, ref, &words);           // expand it
//     gy_store_add(view, &parent, 1, &arrivals);           // its successors are under way
//     …more of them, up to GY_STORE_BATCH in all…
//     while (!gy_store_enter(view))                        // no room: the threads meet
//         meet, and who leads calls gy_store_grow
//     view->fresh[0 … fresh_count) are new; view->refs[i] is where arrival i is
//     gy_store_clear(view);
//
// Arrivals are numbered from 0 in the order in which they were added since gy_store_clear.
//
// Meetings. While one thread calls a function that says "at a meeting", no other may use the
// store; the team that waits shares the work (NULL: there is none). Before it, all views must
// have reported what they entered (gy_store_tell).
//   - Room: when gy_store_wants_room, or gy_store_enter says no. References stay. Arrivals may be
//     under way: gy_store_enter goes on where it was.
//   - Re-encoding: some stores learn from the states that they have how to keep them in less room.
//     When gy_store_unsettled, and nothing is under way in any view, gy_store_plan may find
//     something; then gy_store_reencode gives the new reference for each one that was kept, and
//     gy_store_settle ends it. Without all this the store is only larger and slower.
//
// Running out of memory is an answer (gy_store_grow says no), not an accident: the store stays
// usable for reading, and all it had is still there.
//
// A note is a number next to each state (note_bytes in the options; 0 when the state is new), for
// the code that needs a colour, a level, a parent, or a dense id (numbered.h); reading and writing
// it is atomic, and it stays with its state when the store grows or re-encodes. Entering can give
// the notes of all that arrive and set a bit of each: the caller that has several searches over the
// states of one store knows by it which are new to one of them.
//
// Owner: the store owns all memory; views and the store are freed by who made them, views first.
// A state from gy_store_state is valid until the next call of it with the same view.
#ifndef GYRE_STORE_STORE_H
#define GYRE_STORE_STORE_H

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/team.h"

#include <stddef.h>
#include <string.h>

typedef uint64_t gy_ref;
#define GY_NO_REF UINT64_MAX

typedef struct gy_store gy_store;
typedef struct gy_store_view gy_store_view;
typedef struct gy_store_kind_row gy_store_kind_row;

typedef struct gy_store_traits {
    const char *name;
    bool exact;       // never takes a new state for a known one
    bool hashes;      // … but may, with omission_probability: it has a hash of each state
    bool bits; // … and estimates coverage and fill: it has hash_functions bits for each state
    bool gives_back;  // gy_store_state works, and states that are found get their references
    bool quick;       // … as they were entered; others put them together
    bool gives_once;  // with the option: new states are given back until gy_store_forget; for
                      // those that are found, and without it, references only tell states apart
    bool takes_notes; // note_bytes may be set
    bool reencodes;   // gy_store_unsettled may become true
    bool empties;     // gy_store_empty works: references say all that there is to say of a state
    uint32_t most_words; // of a state; 0: any number
    uint32_t ref_bits;   // of a reference, at most; 0: any number
    double bytes;        // for each state, whatever it is; 0: that depends on the states
} gy_store_traits;

typedef struct gy_store_options {
    gy_budget *budget;
    unsigned threads;        // that will use it; 0: one
    unsigned note_bytes;     // 0: no notes; 1, 2, 4 or 8
    bool once;               // see gives_once
    bool few_successors;     // of each state, as with a reduction: those of several should join
    unsigned hash_functions; // bitstate; 0: 3
    uint64_t bitstate_bytes; // 0: a default that fits the budget
    uint64_t seed;           // of the hash functions of lossy stores
    bool hostile;            // for tests: tiny tables, growth and re-encoding at every chance
} gy_store_options;

typedef struct gy_store_figures {
    uint64_t states;             // that views have reported of
    double omission_probability; // compact: of having missed at least one state
    double coverage;             // bitstate: expected part of the states that was seen
    double fill;                 // bitstate: part of the bits that are set
} gy_store_figures;

// Of a kind listed in kinds.h. NULL: the budget does not even allow an empty one.
gy_store *gy_store_new(const gy_store_kind_row *kind, const gy_store_options *options);
void gy_store_free(gy_store *store);
const gy_store_traits *gy_store_traits_of(const gy_store *store);
void gy_store_look(const gy_store *store, gy_store_figures *figures);

// ---- entering -------------------------------------------------------------------------

enum { GY_STORE_BATCH = 128 };

// A state on its way in. Its memory must stay as it is until gy_store_enter or gy_store_hold.
typedef struct gy_incoming {
    const uint32_t *state;
    // Bit i: the words from i << k on may differ from those of the state it was made from, where k
    // is the least shift that leaves at most 64 bits; GY_INCOMING_ANY: all of them may, or it is
    // of another length.
    uint64_t written;
    uint32_t words;
} gy_incoming;

#define GY_INCOMING_ANY UINT64_MAX

// Many of them: an array of anything that has the members of a gy_incoming, each somewhere in it.
// So what makes states hands them over as they are; nothing is copied on the way.
typedef struct gy_arrivals {
    const char *first;
    size_t stride;
    uint32_t state, written, words; // where these members are
} gy_arrivals;

#define GY_ARRIVALS(type, array)                                                                   \
    ((gy_arrivals){(const char *)(const type *){(array)}, sizeof(type), offsetof(type, state),     \
                   offsetof(type, written), offsetof(type, words)})

static inline const uint32_t *gy_arrival_state(const gy_arrivals *a, size_t i)
{
    const uint32_t *state;
    memcpy(&state, a->first + i * a->stride + a->state, sizeof state);
    return state;
}

static inline uint64_t gy_arrival_written(const gy_arrivals *a, size_t i)
{
    uint64_t written;
    memcpy(&written, a->first + i * a->stride + a->written, sizeof written);
    return written;
}

static inline uint32_t gy_arrival_words(const gy_arrivals *a, size_t i)
{
    uint32_t words;
    memcpy(&words, a->first + i * a->stride + a->words, sizeof words);
    return words;
}

// Arrivals up to (not including) number `end` of those added by one call are successors of `ref`.
typedef struct gy_store_parent {
    gy_ref ref; // GY_NO_REF: they come from nowhere; `written` is not examined
    uint32_t end;
} gy_store_parent;

// What all kinds of views begin with. Engines read n, joins, fresh_count, fresh, refs and notes,
// and may set all_refs, all_notes and claim while nothing is under way.
struct gy_store_view {
    const struct gy_store_methods *methods;
    gy_store *store;
    // Successors of the state last given back may be under way together with those of others, and
    // be added after another was given back.
    bool joins;
    bool all_refs;  // refs[] is to be set for states that were there before, too
    bool all_notes; // with all_refs: notes[] is to be set
    uint32_t n;     // under way
    uint32_t fresh_count;
    uint64_t claim; // 0, or with all_refs a bit of notes: fresh are those whose note had it not
    uint32_t fresh[GY_STORE_BATCH];
    gy_ref refs[GY_STORE_BATCH];
    uint64_t notes[GY_STORE_BATCH]; // before the bit was set
};

// For a thread of its own. The store must have been made for so many threads.
gy_store_view *gy_store_view_new(gy_store *store);
void gy_store_view_free(gy_store_view *view);

// There must be room for them: at most GY_STORE_BATCH in all. A parent must have been given back by
// this view; if it does not join, it must be the last one that was, and nothing but its successors
// may be in the call.
void gy_store_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                  const gy_arrivals *arrivals);
void gy_store_add_state(gy_store_view *view, const uint32_t *state, uint32_t words);
// The memory of those under way is about to change: keeps copies where it needs to.
void gy_store_hold(gy_store_view *view);
// Enters all that are under way. False: there is no room for some; call again when there is.
bool gy_store_enter(gy_store_view *view);
void gy_store_clear(gy_store_view *view); // nothing is under way; also drops what was not entered

// What layers that enter one state at once say.
typedef enum { GY_STORE_FOUND, GY_STORE_NEW, GY_STORE_FULL } gy_store_answer;

// ---- looking --------------------------------------------------------------------------

// Only if it gives back, or (new states) once.
const uint32_t *gy_store_state(gy_store_view *view, gy_ref ref, uint32_t *words);
// Of many states at once, all valid as long as the store. False: this kind cannot.
bool gy_store_states(gy_store_view *view, const gy_ref *refs, uint32_t count,
                     const uint32_t **states, uint32_t *words);
// They will be asked for soon.
void gy_store_prefetch(gy_store_view *view, const gy_ref *refs, uint32_t count);
// It will not be asked for again; where states are given back once, that frees memory. Once each.
void gy_store_forget(gy_store_view *view, gy_ref ref);
// Is it there, and where? Never changes the set. May overlap with anything but meetings.
bool gy_store_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref);

// ---- notes ----------------------------------------------------------------------------
// Of states that are there (for stores that take notes, made with some). Any view, any thread.

uint64_t gy_store_note(gy_store_view *view, gy_ref ref);
void gy_store_set_note(gy_store_view *view, gy_ref ref, uint64_t note);
// In one step, whatever others do: clears bits and sets bits; returns what it was before.
uint64_t gy_store_change_note(gy_store_view *view, gy_ref ref, uint64_t clear, uint64_t set);
// Only if it is *expected; else that becomes what it is, and the answer is false.
bool gy_store_swap_note(gy_store_view *view, gy_ref ref, uint64_t *expected, uint64_t note);

// ---- meetings -------------------------------------------------------------------------

void gy_store_tell(gy_store_view *view);            // by its thread, before a meeting
bool gy_store_wants_room(const gy_store *store);    // a meeting would be good
bool gy_store_grow(gy_store *store, gy_team *team); // at a meeting; false: no memory
bool gy_store_unsettled(const gy_store *store);     // re-encoding may pay
bool gy_store_plan(gy_store *store, gy_team *team); // at a meeting; true: it does
gy_ref gy_store_reencode(gy_store *store, unsigned member, gy_ref ref); // by that team's member
void gy_store_settle(gy_store *store);                                  // at the same meeting

// ---- leaving --------------------------------------------------------------------------
// At a meeting, for stores that empty: the states are kept elsewhere from now on
// (search/safety/reach_disk.c). What was found is forgotten, so that all states are new again, but
// references stay as they are, and gy_store_state gives the states back as before. It must not be
// encoded again after that.

typedef void gy_store_take(void *to, const gy_ref *refs, uint32_t count);
uint64_t gy_store_pieces(const gy_store *store);
// The references of all states of a piece, some at a time. Any number of threads may do so.
void gy_store_each(const gy_store *store, uint64_t piece, gy_store_take *take, void *to);
// But for some, which stay. False: no memory.
bool gy_store_empty(gy_store *store, const gy_ref *stay, uint32_t count, gy_team *team);
// For another search of the same system, while there are no views: all states are forgotten, and
// references to them are void; its room stays, and what it has learnt. False: this kind cannot.
bool gy_store_reset(gy_store *store);

// ---- files ----------------------------------------------------------------------------
// At a meeting. References are the same in the store that was loaded. Loading is into one that was
// just made with the same options; nothing in the file is believed: false says that it is damaged,
// or over budget.

void gy_store_save(const gy_store *store, gy_writer *writer);
bool gy_store_load(gy_store *store, gy_reader *reader);
// Does a reference that was read from a file lead to a state of this store?
bool gy_store_holds(const gy_store *store, gy_ref ref);
// Where states are given back once, a file has none of those that wait: who saves the store writes
// them down, and puts them back into the one that was loaded. False: it has no such state, or there
// is no memory. Before other views are used.
bool gy_store_put_back(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref);

#endif
