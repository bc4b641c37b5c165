// A request: what is asked of a model, what bounds the answer and, apart from both, how it is to be
// found. Every setting has the name that it has on the command line; one table (request.c) knows
// them all, for gy_request_set and for the program alike.
//
// Owner: a request owns its strings; the loaded system and the callbacks are borrowed.
#ifndef GYRE_VERIFY_REQUEST_H
#define GYRE_VERIFY_REQUEST_H

#include "gyre/verify.h"

#include "base/text.h"
#include "base/vec.h"
#include "search/liveness/product.h"
#include "search/search.h"

// Words of the settings that choose, in the order of the enumerations after them. (Engines and
// stores are in tables of their own.)
#define GY_WORDS_CHECK "safety|liveness|progress|deadlock"
#define GY_WORDS_FAIRNESS "actions|none|weak|strong"
#define GY_WORDS_FORMULAS "auto|together|apart"
#define GY_WORDS_CYCLES "auto|components|nested|cndfs|ufscc|owcty|map"
#define GY_WORDS_REDUCE "stubborn|cartesian|none"
#define GY_WORDS_TIES "insertion|uniform|none"
#define GY_WORDS_BACKEND "auto|vm|native|cuda"

enum {
    GY_CHECK_SAFETY = 1,
    GY_CHECK_LIVENESS = 2,
    GY_CHECK_PROGRESS = 4,
    GY_CHECK_DEADLOCK = 8, // safety, with deadlocks also where the language allows them
};
enum { GY_REDUCE_STUBBORN, GY_REDUCE_CARTESIAN, GY_REDUCE_NONE };
enum { GY_BACKEND_AUTO, GY_BACKEND_VM, GY_BACKEND_NATIVE, GY_BACKEND_CUDA };

typedef struct gy_strings {
    char **at; // NULL-terminated once there is one
    size_t n;
} gy_strings;

// A number that may be missing.
typedef struct gy_optional {
    bool set;
    uint64_t number;
} gy_optional;

// A verdict that will not change any more, while others are still open. (Those that come last are
// in the outcome at once.) Without one: a search that the user has ended alone.
typedef struct gy_known_verdict {
    const char *name, *kind; // of the property
    gy_verdict verdict;
    const char *problem; // one line: what is wrong, or why there is no verdict; "" if it holds
    double seconds;      // since the start
    size_t open;         // properties without a verdict
    uint64_t errors;     // that its search has met
} gy_known_verdict;

struct gy_request {
    // The model.
    char *path;
    char *text; // to be read instead of the file, or NULL
    size_t bytes;
    gy_system *system; // to be used instead, or NULL
    gy_strings defines, include_dirs;
    bool lossy, unchecked_exclusive, no_c;
    bool no_object; // a shared object is not loaded: its code would run
    // What is asked.
    gy_optional checks;   // a bit for each; not set: all that the model states
    gy_strings formulas;  // names or formulas; none: all of the model
    gy_strings goals;     // expressions that no state should make true
    gy_strings states;    // --ef: expressions of states that must not be reached
    gy_strings sums;      // --ef-sum: "PROCTYPE CONDITION > COUNT"
    char *states_file;    // --ef-file: more of both, a line each; or NULL
    gy_optional fairness; // gy_fairness
    bool partial_deadlock, shortest, deterministic, simplify, state_graph, no_deadlock, no_assert,
        end_empty;
    gy_optional all_errors;     // after how many to stop; 0: never
    gy_optional witnesses;      // counterexamples reported for each kind of error; 0: all
    char *trail;                // file to be written, or NULL
    gy_strings expectations;    // VERDICT of the whole, or PROPERTY=VERDICT
    gy_optional least_coverage; // in hundredths of a percent
    // Limits, of all that is done.
    double time;               // seconds, 0: none
    gy_optional memory, depth; // bytes; statements on a path
    double started;            // on gy_clock, if that was before gy_verify; else 0
    // Hunting, and best-first search (search/hunt/hunt.h).
    bool hunt;
    gy_strings heuristics, prefer, strategies; // names, with commas
    gy_optional queue_limit, ties, explore, effort;
    // A search of its own (gyre swarm), or NULL; see gy_search_options.
    const gy_engine *engine;
    void *engine_data;
    // Tuning.
    gy_optional search, store, cycles, together, reduce, backend; // positions among the words
    gy_optional threads, seed, hashes, bitstate_bytes, walks, walk_length;
    bool cover, exact, no_por, check_reduction, symmetry, no_symmetry;
    bool no_merge, no_dead, no_slice, no_ranges;
    char *disk;                // a directory, or NULL
    gy_optional disk_states;   // see gy_search_options
    char *checkpoint, *resume; // files, or NULL
    const struct gy_sat *sat;  // a solver that --cover may use, or NULL (base/sat.h)
    bool mpi;
    struct gy_transport *transport; // to the other ranks (dist/mpi), or NULL; borrowed
    // While it runs.
    atomic_int stop;
    // Looked at as well, or NULL. 1: the current search is to end, a second time all of them are;
    // 2: all of them. Set back to 0 when that was heard.
    atomic_int *interrupt;
    void (*progress)(void *user, const gy_search_progress *progress); // or NULL
    void (*known)(void *user, const gy_known_verdict *known);         // or NULL
    void *progress_user;                                              // of both
};

// Who asks for a setting: what comes with a model, a page or a directory may be a stranger's.
typedef enum {
    GY_BY_USER,    // the command line, or a program over the library
    GY_BY_COMMENT, // `gyre: with OPTIONS` in a model (gyre test)
    GY_BY_PAGE,    // the page of gyre ui
    GY_BY_EDITOR,  // the options of a launch (gyre dap), which come with a directory
    GY_BY_JOURNAL, // the journal of a swarm
} gy_set_by;

// Is there a setting of this name?
bool gy_request_knows(const char *option);
// Can it be given with a value, or without one?
bool gy_setting_takes(const char *option, bool value);
// May it be set by these? Others than the user: only what reads and writes no files, runs no
// program and does not decide what counts as a success.
bool gy_setting_may(const char *option, gy_set_by who);
const char *gy_set_by_text(gy_set_by who); // "in a comment of a model"
// The words that it chooses from, as "a|b|c"; nothing if it takes something else.
void gy_setting_words(const char *option, gy_text *out);
// As gy_request_set, with the problem in a text.
bool gy_request_put(gy_request *request, const char *option, const char *value, gy_text *problem);
// The same if they may set it; a limit that was set before can only be lowered so.
bool gy_request_put_by(gy_request *request, gy_set_by who, const char *option, const char *value,
                       gy_text *problem);

#endif
