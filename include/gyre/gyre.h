// Gyre's embedding API: state-space generation for any tool, in about thirty lines.
//
// A gy_system is a transition system: a Promela model that was loaded (gy_load), or a shared
// object that implements struct gy_foreign (see the end of this file). Engines, Gyre's own
// among them, see nothing else.
//
//     gy_system *system = gy_load("model.pml", NULL, &problem);
//     gy_worker *worker = gy_worker_new(system);
//     gy_initial(worker, visit, user);                   // calls visit for each initial state
//     gy_successors(worker, state, words, visit, user);  // and for each successor
//
// A state is a flat array of 32-bit words, free of pointers: copy, hash, store and compare it
// as bytes. Two states are the same if and only if length and words are the same. The length
// may differ from state to state (processes and channels come and go). Words mean the same in
// every process that loads the same model with the same options and the same version of Gyre:
// states may be written to files and sent to other machines.
//
// Threads: a gy_system may be used by any number of threads at once; a gy_worker belongs to
// one thread at a time. Strings and structures reached through a system live as long as it.
#ifndef GYRE_GYRE_H
#define GYRE_GYRE_H

#include "gyre/deprecated.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GY_API __attribute__((visibility("default")))
#define GY_ABI_VERSION 3 // of struct gy_foreign
#define GY_VERSION "0.1.0"

typedef uint32_t gy_word;
typedef struct gy_system gy_system;
typedef struct gy_worker gy_worker;

// ---- loading ------------------------------------------------------------------------

typedef struct gy_load_options {
    const char *const *defines;      // "NAME" or "NAME=VALUE", NULL-terminated, or NULL
    const char *const *include_dirs; // NULL-terminated, or NULL
    bool lossy;                      // a send to a full channel succeeds and the message is lost
    bool unchecked_exclusive;        // `xr` and `xs` may be broken
    bool no_c;                       // refuse embedded C, and shared objects: exploring runs them
} gy_load_options;

// Loads a model (.pml or any other name: Promela) or a shared object (.so). Returns NULL if
// it cannot be used. *problem (if not NULL) receives all errors and warnings as text, "" if
// there are none; free it with gy_free. Each begins with a line "FILE:LINE:COLUMN: error: MESSAGE"
// (or "warning", "note"; without a place "error: MESSAGE"); the lines about it that follow are
// indented, one of them may be "hint: TEXT". No model makes this call end the program: one that is
// too large for Gyre, or for the memory, is an error like any other (and what was allocated for it
// is lost).
GY_API gy_system *gy_load(const char *path, const gy_load_options *options, char **problem);
GY_API gy_system *gy_load_text(const char *name, const char *text, size_t bytes,
                               const gy_load_options *options, char **problem);
GY_API void gy_system_free(gy_system *system);
GY_API void gy_free(void *memory);

// ---- exploring ----------------------------------------------------------------------

// One executed statement.
typedef struct gy_step {
    int32_t pid;          // the process that executed it
    int32_t edge;         // its edge: gy_edge_info says more
    int32_t partner;      // pid of the receiver if this was a rendezvous, else -1
    int32_t partner_edge; // its edge, else -1
    // Of a statement that chooses values there is a transition for each choice: the number of this
    // one, from 0, and that of the receiver if this was a rendezvous. 0 where nothing is chosen.
    uint32_t choice, partner_choice;
} gy_step;

// What can go wrong in a step: rows that a system brings. Row 0 is unused.
enum {
    GY_FAULT_IS_ASSERTION = 1, // left out where assertions are not checked
    GY_FAULT_IS_NOTE = 2,      // violates nothing, but is worth a note
    GY_FAULT_GOES_ON = 4,      // leaves a successor: runs that have it go on
    GY_FAULT_OF_EVENTS = 8,    // of an automaton that reads the run's messages
};
typedef struct gy_fault_row {
    const char *name;  // "division-by-zero": published in JSON and elsewhere
    const char *rule;  // the same as a name of rules: "DivisionByZero"
    const char *brief; // a sentence: "A division by zero can be executed."
    const char *help;  // what it means, and what to do; or NULL
    uint32_t traits;   // GY_FAULT_IS_ASSERTION …
} gy_fault_row;

typedef uint32_t gy_fault_kind; // a row's number
// The rows of systems that were made from models.
enum {
    GY_FAULT_NONE,
    GY_FAULT_ASSERTION, // the successor exists nevertheless (see gy_transition.state)
    GY_FAULT_INDEX,     // array index out of bounds; no successor, as for all that follow
    GY_FAULT_DIVISION,  // division or remainder by zero
    GY_FAULT_D_STEP,    // a d_step blocks after its first statement
    GY_FAULT_CHANNEL,   // send, receive or poll on an uninitialised channel
    GY_FAULT_FIELDS,    // message with the wrong number of fields; a successor exists
    GY_FAULT_TOO_MANY_PROCESSES,
    GY_FAULT_TOO_MANY_CHANNELS,
    GY_FAULT_TRACE,             // an event that the trace assertion does not allow; ditto
    GY_FAULT_NOTRACE,           // the notrace assertion was matched; ditto
    GY_FAULT_ATOMIC_LOOP,       // an atomic sequence that can go round for ever
    GY_FAULT_REMOTE,            // a remote reference to a process that is of another type
    GY_FAULT_D_STEP_RENDEZVOUS, // a rendezvous inside a d_step
    GY_FAULT_PRIORITY,          // set_priority with a value outside 1 .. 255
    GY_FAULT_ENABLED_SELF,      // enabled() of the process that asks
    GY_FAULT_TRACE_CHOICE,      // several transitions of the trace assertion match one event
    GY_FAULT_C,                 // embedded C that this backend cannot run
    GY_FAULT_EXCLUSIVE,         // a process uses a channel that another claims for itself (xr, xs)
    GY_FAULT_RANGE,             // a value that does not fit the variable it is assigned to
    GY_FAULT_CHOICE,            // a value is to be chosen from an empty range
    GY_FAULT_NONDETERMINISM,    // a D_proctype has two executable statements; a successor exists
    GY_FAULT_COUNT
};

typedef struct gy_fault {
    gy_fault_kind kind;
    int32_t pid; // whose statement it was
    int32_t edge;
    const char *message;     // one line with the values: "assertion failed: x == 3 (x = 2)"
    const gy_fault_row *row; // of `kind`
    struct gy_fault *also;   // another one of the same step, of another kind, or NULL
} gy_fault;

typedef struct gy_transition {
    const gy_word *state; // the successor, or NULL: a fault left none, or happened inside an
                          // atomic sequence that goes on (its end is reported separately)
    uint32_t words;
    const gy_step *steps;  // the statements executed, in order: one, or more inside an atomic
    uint32_t step_count;   // 0 for an initial state
    const gy_fault *fault; // NULL, or what went wrong in the last of these steps; see `also`
    int32_t exclusive;     // gy_single_steps: the process that must go on alone, or -1
    uint64_t written;      // where the successor may differ from the state it was made from
} gy_transition;

// gy_transition.written: bit i covers the words from i << k up to, but not including,
// (i + 1) << k, where k = gy_written_shift(words). A word whose bit is 0 has not changed.
// GY_WRITTEN_ALL says nothing; so it is where the two states differ in length.
#define GY_WRITTEN_ALL UINT64_MAX
static inline uint32_t gy_written_shift(uint32_t words)
{
    uint32_t k = 0; // 0 for states of up to 64 words
    while (words && (words - 1) >> k >= 64)
        k++;
    return k;
}

// The fault of this kind among one and those that it leads to by `also`, or NULL.
GY_API const gy_fault *gy_fault_find(const gy_fault *first, gy_fault_kind kind);

// Return 0 to go on, anything else to stop. Pointers are valid during the call only.
typedef int gy_visit(void *user, const gy_transition *transition);

GY_API gy_worker *gy_worker_new(gy_system *system);
GY_API void gy_worker_free(gy_worker *worker);

// Both return 0, or what `visit` returned to stop. The order is the same on every machine.
GY_API int gy_initial(gy_worker *worker, gy_visit *visit, void *user);
GY_API int gy_successors(gy_worker *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                         void *user);
// All successors of a state at once, as an array: the same, in the same order, as
// gy_successors gives. None of them has a fault. NULL: ask gy_successors for this state (it has a
// fault, or they can only be had one by one). Valid until the worker's next call.
GY_API const gy_transition *gy_successors_batch(gy_worker *worker, const gy_word *state,
                                                uint32_t words, uint32_t *count);
// Further arrays after it: as gy_successors_batch, but what that and later calls of this have
// given stays valid, and this array follows the last one in memory. NULL: there is no room for
// more, or this state's successors cannot be had so; take care of what there is, then ask
// gy_successors_batch.
GY_API const gy_transition *gy_successors_append(gy_worker *worker, const gy_word *state,
                                                 uint32_t words, uint32_t *count);
// The successors of many states: gy_successors_batch of the first, and gy_successors_append of
// those after it while that gives any and there are less than `enough`. Returns of how many
// states; 0: ask gy_successors for the first.
typedef struct gy_many {
    const gy_word *const *states;
    const uint32_t *words;
    uint32_t count, enough;
    uint32_t *ends; // set, as far as it goes: where the successors of a state end in `all`
    const gy_transition *all; // set
} gy_many;
GY_API uint32_t gy_successors_many(gy_worker *worker, gy_many *many);
// The same one statement at a time, for simulators: states inside an atomic sequence are shown
// too. `exclusive` is what the transition that led to this state said (-1 at the start): if that
// process is enabled, only it does. Rendezvous is one step with a partner.
GY_API int gy_single_steps(gy_worker *worker, const gy_word *state, uint32_t words,
                           int32_t exclusive, gy_visit *visit, void *user);
// May the system rest here? (Only asked of states without successors.) `empty_channels`:
// besides, every channel must be empty.
GY_API bool gy_is_end_state(gy_worker *worker, const gy_word *state, uint32_t words,
                            bool empty_channels);

// Is this a state of the system? To be asked of words that come from elsewhere, such as a file: all
// other functions take it for granted. True does not say that the state is reachable.
GY_API bool gy_is_state(gy_worker *worker, const gy_word *state, uint32_t words);

// ---- predicates ---------------------------------------------------------------------

// An atom: the number of a predicate of a system, above 0. Formulas, observers and reductions know
// predicates by these.
typedef uint32_t gy_atom;
// Compiles a Promela expression over globals and remote references, or finds the predicate of a
// shared object that has this name; returns its number, or -1 with *problem as for gy_load. The
// same expression has the same number. Not while other threads use the system.
GY_API int gy_predicate(gy_system *system, const char *expression, char **problem);
GY_API bool gy_holds(gy_worker *worker, const gy_word *state, uint32_t words, int predicate);
// The value of such an expression. False: it has none in this state (a division by zero, an index
// out of bounds …), or the predicate is unknown.
GY_API bool gy_evaluate(gy_worker *worker, const gy_word *state, uint32_t words, int predicate,
                        int32_t *value);

// ---- printing -----------------------------------------------------------------------

// Text of a state (one "name = value" per line) and of a step. malloc'ed: free with gy_free.
GY_API char *gy_state_text(gy_worker *worker, const gy_word *state, uint32_t words);
GY_API char *gy_step_text(gy_worker *worker, const gy_step *step);

// ---- static facts -------------------------------------------------------------------

typedef struct gy_edge_facts {
    const char *process; // name of the process type
    const char *file;
    uint32_t line;
    const char *text;
    int32_t from, to; // control locations; to is -1 when the process ends
    bool keeps_atomic;
} gy_edge_facts;

typedef struct gy_access_info {
    const char *what; // "x", "a", "channels", "processes" …
    bool write, exact, local;
    uint32_t first, last; // elements
} gy_access_info;

GY_API uint32_t gy_edge_count(const gy_system *system);
GY_API bool gy_edge_info(const gy_system *system, int32_t edge, gy_edge_facts *facts);
GY_API uint32_t gy_edge_accesses(const gy_system *system, int32_t edge, gy_access_info *facts,
                                 uint32_t room); // returns how many there are
GY_RENAMED(gy_touch_facts, gy_access_info);
GY_API uint32_t gy_edge_touches(const gy_system *system, int32_t edge, gy_access_info *facts,
                                uint32_t room) GY_FORMERLY(gy_edge_accesses);
// The same as a table: what each edge may have to do with each slot of a state (a variable, the
// control locations of a process type, the contents of channels, the process table; of a shared
// object that describes groups, a word). What is not marked is not touched. A rendezvous is two
// edges.
enum { GY_ACCESS_READS = 1, GY_ACCESS_WRITES = 2 };
typedef struct gy_access_table {
    uint32_t edges, slots;
    const char *const *names; // of the slots: "x", "P:y" (a variable of a process type), "P@" (its
                              // control), "q{}" (contents of a channel), "channels", "system"
    const uint8_t *cells;     // cells[edge * slots + slot]: GY_ACCESS_READS | GY_ACCESS_WRITES
} gy_access_table;
// NULL if the system says nothing about itself. Free it with gy_access_table_free.
GY_API gy_access_table *gy_access_table_new(const gy_system *system);
GY_API void gy_access_table_free(gy_access_table *table);
// Is this edge's statement marked as fair (weakly, or else *strong)? Its number, from 1, shared by
// all edges of the same statement, or 0.
GY_API uint32_t gy_edge_fairness(const gy_system *system, int32_t edge, bool *strong);
GY_API const char *gy_system_name(const gy_system *system);
// Of a shared object: a number that depends on what is in its file. States that one has left, in a
// checkpoint for example, mean nothing to an object with another number. 0: it is a model.
GY_API uint64_t gy_system_content(const gy_system *system);
// What can go wrong in its steps: *count rows. NULL: of any system made from a model.
GY_API const gy_fault_row *gy_system_faults(const gy_system *system, uint32_t *count);
// The row of a kind of fault of this system; row 0 for a number that it does not have.
GY_API const gy_fault_row *gy_fault_row_of(const gy_system *system, gy_fault_kind kind);
// The name of a fault of systems made from models: "assertion", "index-out-of-bounds" …
GY_API const char *gy_fault_name(gy_fault_kind kind);

// ---- foreign systems ----------------------------------------------------------------

// A shared object that exports `const struct gy_foreign gyre_system` can be verified by
// `gyre OBJECT.so`. States have a fixed number of words. All functions may be called from
// several threads at once, each with its own `scratch`.
typedef struct gy_foreign_step {
    const gy_word *state;
    int32_t process, edge; // any numbers that mean something to step_text; see `groups`
    const char *fault;     // NULL, or why this step is an error
    uint32_t fault_row;    // since version 3: 1 + its place in `faults`, or 0: an assertion
} gy_foreign_step;

typedef int gy_foreign_emit(void *user, const gy_foreign_step *step);

// What a group of steps has to do with a word of the state; see gy_foreign.access.
enum {
    GY_GROUP_TESTS = 1,      // its value has to do with whether there is a step of this group
    GY_GROUP_READS = 2,      // … with what such a step does, or whether it is an error
    GY_GROUP_MAY_WRITE = 4,  // such a step may change it
    GY_GROUP_MUST_WRITE = 8, // every such step writes it, whatever it was before
};

struct gy_foreign {
    uint32_t abi; // GY_ABI_VERSION
    const char *name;
    uint32_t words;
    size_t scratch_bytes; // zeroed memory handed to each thread; may be 0
    int (*initial)(void *scratch, gy_foreign_emit *emit, void *user);
    int (*successors)(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user);
    bool (*is_end_state)(void *scratch, const gy_word *state);                // NULL: every state
    void (*step_text)(int32_t process, int32_t edge, char *out, size_t room); // NULL: numbers
    void (*state_text)(const gy_word *state, char *out, size_t room);         // NULL: words

    // Version 1 ends here; objects of that version are still taken. What follows may be 0 or NULL.
    //
    // Labels of states: names that formulas (--ltl) and gy_predicate may use.
    uint32_t predicate_count;
    const char *const *predicates;
    bool (*holds)(void *scratch, const gy_word *state, uint32_t predicate);
    // Groups of steps, for partial-order reduction: the edge of each step is the number of its
    // group, below group_count. `groups` (or NULL) names them. access[group * words + word] and
    // predicate_reads[predicate * words + word] say what they have to do with each word; a word
    // that is not mentioned must not matter. guards[group * predicate_count + predicate] says that
    // there is a step of the group only where the predicate holds: the more of that is reported,
    // the better the reduction. Without predicate_reads, guards are of no use, and formulas are
    // checked without reduction.
    uint32_t group_count;
    const char *const *groups;
    const uint8_t
        *access; // GY_GROUP_TESTS | GY_GROUP_READS | GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE
    const uint8_t *predicate_reads; // 1 or 0
    const uint8_t *guards;          // 1 or 0

    // Version 2 ends here. What can go wrong besides assertions that fail.
    uint32_t fault_count;
    const gy_fault_row *faults;
};

#ifdef __cplusplus
}
#endif
#endif
