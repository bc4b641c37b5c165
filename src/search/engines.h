// The table of engines: what each can do. Code that chooses between engines reads the traits;
// nothing else has to know which engines there are.
//
// All of it is constant; any thread may call any function.
#ifndef GYRE_SEARCH_ENGINES_H
#define GYRE_SEARCH_ENGINES_H

#include "search/search.h"

typedef struct gy_run gy_run;
typedef void gy_engine_search(gy_run *run);

struct gy_engine {
    const char *name;  // as in --search
    const char *title; // in a sentence
    gy_engine_search *search;
    bool complete;     // it ends when it has seen all states; otherwise it proves nothing
    bool shortest;     // the witness it finds first is a shortest one
    bool deep;         // it goes into depth: see gy_search_reach
    bool threads; // gy_search_reach determines with all threads first whether there is an error
    bool checkpoints;  // it can be written down and go on from there
    bool reduces;      // it can use partial-order reduction (run->reducer)
    bool symmetric;    // it can be asked for one of several states that symmetry makes equal
    bool bounded;      // it obeys a depth limit
    bool revisits;     // for that, it expands states again that are reached on a cheaper path
    bool needs_states; // of a store that gives them back
    bool own_store;    // it makes one for itself; there is no run->store
    bool is_reduction; // chosen by --reduce, not by --search
    bool is_command;   // chosen by a subcommand, not by --search
    bool is_backend;   // chosen by --backend, not by --search
};

// In the order of gy_search_kind; NULL: there are no more.
const gy_engine *gy_engine_at(unsigned number);
// The one that the options ask for.
const gy_engine *gy_engine_of(const gy_search_options *options);

typedef bool gy_engine_trait(const gy_engine *engine);
// "breadth-first search, depth-first search and …": those with a trait. Free it.
char *gy_engine_titles(gy_engine_trait *has);

#define ENGINE(kind, function, ...) gy_engine_search function;
#include "search/engines.def"
#undef ENGINE

#endif
