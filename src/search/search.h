// Searching a state space for errors: what an engine is asked and what it answers.
//
// Engines see a gy_system and a STORE, nothing else: no language, no text. A witness is a
// list of steps from an initial state; gy_witness_check runs it again on the system and the
// caller must not report a witness that does not pass.
// Owner: a result owns its witnesses; gy_search_result_free releases them.
#ifndef GYRE_SEARCH_SEARCH_H
#define GYRE_SEARCH_SEARCH_H

#include "gyre/gyre.h"

#include <stdatomic.h>

// GY_SEARCH_BFS …: the rows of the table of engines.
typedef enum {
#define ENGINE(kind, function, ...) GY_SEARCH_##kind,
#include "search/engines.def"
#undef ENGINE
} gy_search_kind;

typedef struct gy_engine gy_engine; // engines.h

typedef unsigned gy_store_kind; // a number of store/kinds.h; 0: what is good for most

typedef enum {
    GY_CYCLES_AUTO,       // by the kind of the observer, and the number of threads
    GY_CYCLES_COMPONENTS, // strongly connected components
    GY_CYCLES_NESTED,     // nested depth-first search, if there is one set and no fairness
    GY_CYCLES_CNDFS,      // the same with several threads
    GY_CYCLES_UFSCC,      // components with several threads
    GY_CYCLES_OWCTY,      // by taking away what lies on no accepting cycle, ditto
    GY_CYCLES_MAP,        // by maximal accepting predecessors, ditto
} gy_cycle_search;        // but for the first, the order of the rows in liveness/cycles.c

typedef struct gy_search_progress {
    double seconds;
    uint64_t states, transitions, pending;
    uint64_t depth;
    uint64_t memory;
    const char *found;    // NULL, or the error that is known now: what follows makes the path to it
    uint64_t length;      // shorter; steps on that path
    const char *property; // that is searched for, or NULL: for none alone
} gy_search_progress;

typedef struct gy_search_options {
    gy_search_kind search;
    const gy_engine *engine; // NULL: the one of that kind; else one that is not in the table
    void *engine_data;       // of such a one
    gy_store_kind store;
    bool any_store; // that one is a default: an engine may take another that is as exact
    unsigned threads;
    uint64_t depth_limit;  // in executed statements (a rendezvous is two), as Spin's -m; 0: none
    uint64_t memory_limit; // bytes for the whole process; 0: none
    double time_limit;     // seconds, for all that the search does; 0: none
    uint64_t state_limit;  // stop soon after that many are stored; 0: none
    uint64_t transition_limit; // stop soon after that many were made; 0: none
    uint64_t seed;
    uint64_t max_errors;         // stop after this many distinct errors; 0: never; normally 1
    uint64_t witnesses;          // kept of errors of the same kind; 0: all
    bool check_end_states;       // report states without successors that are not valid end states
    bool check_faults;           // report assertion violations and other run-time errors
    bool check_assertions;       // with check_faults: false leaves failing assertions out
    bool empty_channels;         // valid end states need empty channels
    bool reduce;                 // partial-order reduction, where it is sound
    bool symmetry;               // one of several states with processes in other places
    bool probe; // depth-first probes in parallel with a breadth-first search for one error
    bool check_reduction;        // verify afterwards that the reduction ignored nothing
    unsigned hash_functions;     // bitstate; 0: default
    uint64_t bitstate_bytes;     // bitstate table; 0: default
    uint64_t walks, walk_length; // random search; 0: default
    bool shortest_lasso;         // products: see product.h
    bool deterministic;          // products: the same lasso for any number of threads
    gy_cycle_search cycles;      // products: how accepting cycles are looked for
    const struct gy_hunt_options *hunt; // of a hunt and of best-first search (hunt/hunt.h), or NULL
    bool any_way;                       // to an error will do: the caller makes it shorter
    bool known_error;                   // there is one: look for a shortest path to it at once
    bool hostile;            // for tests: tiny tables that grow at every chance (GYRE_HOSTILE=1)
    struct gy_cover *cover;  // questions to a trace cover (cover/cover.h), or NULL
    const char *disk_folder; // states that do not fit into memory go there; or NULL
    uint64_t disk_states;    // for tests: when there are so many; 0: when they do not
    const char *checkpoint_file;              // or NULL
    uint64_t variant;                         // a checkpoint fits only a run of the same variant
    double checkpoint_seconds;                // between two checkpoints; 0: default
    const char *resume_file;                  // or NULL
    struct gy_device_product *device_product; // on a device: a formula too (device_product.h)
    bool device_too;       // in parallel with a search by the CPU threads that takes long: see
                           // device/beside.h
    double device_seconds; // when: after so long,
    uint64_t device_states;         // so many states,
    uint64_t device_waiting;        // with so many to be expanded
    struct gy_transport *transport; // to the other ranks, for an engine over several (dist/mpi)
    const atomic_int *interrupt;    // the search ends soon after this becomes non-zero
    const atomic_int *superseded;   // likewise: another search has the answer
    const char *property;           // for the progress: its name, or NULL
    void (*progress)(void *user, const gy_search_progress *progress); // about once a second
    void *progress_user;
} gy_search_options;

void gy_search_defaults(gy_search_options *options);

typedef enum {
    GY_ERROR_FAULT,     // `fault` says which
    GY_ERROR_END_STATE, // invalid end state
} gy_error_kind;

typedef struct gy_witness {
    gy_error_kind error;
    gy_fault_kind fault;
    char *message; // of the fault; "" for an invalid end state
    gy_step *steps;
    uint64_t step_count;
    bool shortest;  // no path of the searched system to any error costs less, or, with other errors
                    // asked for as well, to this one
    uint64_t depth; // transitions of the search (an atomic sequence counts once)
    uint64_t first_length; // steps of the path that was found first, if this one is another; else 0
    bool stretched;        // longer than the path that the search found
    bool effort_spent;     // shortening it was given up when its effort was spent
    uint64_t where; // tells errors apart: the same for a fault at the same statement, or for the
                    // same last state
} gy_witness;

// Why a search is not a proof.
typedef enum {
    GY_COMPLETE,
    GY_STOPPED_AT_ERROR, // max_errors reached
    GY_LIMIT_MEMORY,
    GY_LIMIT_TIME,
    GY_LIMIT_STATES,
    GY_LIMIT_DEPTH, // some states at the depth limit were not expanded
    GY_LIMIT_INTERRUPT,
    GY_LIMIT_CAPACITY, // the model is too large for a part of the program: see `failure`
    GY_LOSSY,          // compact or bitstate store, random walk: states may have been missed
    GY_FAILED,         // could not run: see `failure`
} gy_completeness;

// Of a search over several processes that share no memory.
typedef struct gy_rank_figures {
    unsigned ranks;         // 0: it was none
    uint64_t fewest, most;  // states that one of them has stored
    uint64_t states, bytes; // sent to others,
    uint64_t batches;       // in so many messages
    uint64_t memory_limit;  // that was reached, if one was: each may have its own
} gy_rank_figures;

// Of a search some of whose states are on disk.
typedef struct gy_disk_share {
    uint64_t states;        // that are
    uint64_t bytes;         // of files with states, at most; those that wait may take more
    uint64_t written, read; // bytes, in all
    uint64_t emptied;       // how often memory was full
} gy_disk_share;

typedef struct gy_search_result {
    gy_completeness completeness;
    char *failure;        // GY_FAILED: why (bad checkpoint file …); GY_LIMIT_CAPACITY: which
    uint64_t states;      // stored
    uint64_t transitions; // as Spin counts: arrivals at a state, the initial one included
    uint64_t matched;     // transitions - states
    uint64_t depth;       // longest path of the search, in executed statements (a rendezvous is
                          // two) as the depth limit has it, or … (0: not known)
    bool by_transitions;  // … in transitions: the levels of a breadth-first search that found no
                          // error, and the paths of a product without depth limit
    uint64_t errors;      // all that were found, also those not kept as witnesses
    bool internal;        // GY_FAILED: by a fault of the program itself
    bool error_met;       // an error was found, even if a limit kept the search from a path to it
                          // (with symmetry, it may be none: then `errors` is 0)
    bool probed;          // what was found is what a probe has found
    gy_witness *witnesses;
    uint32_t witness_count;
    uint64_t not_kept; // errors that are no witnesses because enough of their kind are
    double seconds;
    uint64_t memory; // peak bytes of store, queue and index
    double bytes_per_state;
    double omission_probability; // compact: of having missed at least one state
    double coverage;             // bitstate: expected part of the states that was seen, 0..1
    double fill;                 // bitstate: part of the bits that are set
    uint8_t *reached_edges;      // edge_count bytes: 1 if the edge was ever executed
    uint32_t edge_count;
    unsigned threads;
    uint64_t checkpoints;     // written
    char *checkpoint_problem; // NULL, or why the last checkpoint could not be written
    bool reduced;             // by partial order: see the next two
    uint64_t expanded_reduced, expanded_fully; // states of which some, all successors were taken
    uint64_t cartesian_runs, cartesian_steps;  // GY_SEARCH_CARTESIAN: all that were made
    uint64_t traces, events;  // GY_SEARCH_COVER: runs to the end, different events on them,
    uint64_t given_up;        // and runs that turned out to be known
    const char *not_reduced;  // static text: why there was no such reduction; NULL: not asked for
    uint32_t symmetric_types; // process types whose processes were interchangeable; 0: no symmetry
    uint64_t folded;          // arrivals at a state of which another one was taken instead
    char *not_symmetric;      // why there was no symmetry; NULL: not asked for
    bool reduction_checked;   // and found to have ignored nothing
    char *device_note;        // of a search on a device: which one; or why it was not used
    char *device_why;         // with device_too: why it was tried, and what came of it
    bool on_device;           // the search ran there
    bool no_device;           // it cannot, or could not go on
    gy_rank_figures ranks;
    gy_disk_share disk;
    struct gy_hunt_record *hunt; // what a hunt has done (hunt/record.h), or NULL
    int32_t endless_edge;        // a step after which an atomic sequence never ends, or -1
} gy_search_result;

gy_search_result *gy_search(gy_system *system, const gy_search_options *options);
// Why such a search could not make use of symmetry (free it); NULL: it can.
char *gy_search_no_symmetry(gy_system *system, const gy_search_options *options);
void gy_search_result_free(gy_search_result *result);

// Runs the witness again from the initial state, on a fresh worker. True if every step exists
// and the last one shows the error; otherwise *why (static text) says where it differs.
bool gy_witness_check(gy_system *system, const gy_witness *witness, bool empty_channels,
                      const char **why);

#endif
