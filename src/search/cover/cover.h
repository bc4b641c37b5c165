// Trace covers: one run for each Mazurkiewicz trace, and questions that are answered on the partial
// order of its events.
//
// An engine (GY_SEARCH_COVER) for faults and deadlocks, as others; besides, options->cover asks
// whether states with some property can be reached. The cover is made without reading the
// questions, so that nothing is visible to the reduction: it is the same whatever is asked.
//
// After Kashyap, Garg, "Exploiting predicate structure for efficient reachability detection" (ASE
// 2005), with dynamic partial-order reduction; see cover.c.
//
// Owner: the caller owns the questions; gy_cover_free releases what the answers hold.
#ifndef GYRE_SEARCH_COVER_COVER_H
#define GYRE_SEARCH_COVER_COVER_H

#include "gyre/gyre.h"

struct gy_sat;
struct gy_trace;

// How a question can be answered on one trace. Two states in which one that is local, conjunctive
// or linear is true meet in one where it is: so there is a least ideal, if there is any.
typedef enum {
    GY_SHAPE_LOCAL,       // one process alone
    GY_SHAPE_CONJUNCTIVE, // a conjunction of such
    GY_SHAPE_LINEAR,      // a conjunction of conditions on one process, variable or channel each
    GY_SHAPE_SUM,         // more than `over` of some are true
    GY_SHAPE_DISJUNCTIVE, // a disjunction of local, conjunctive or linear ones
    GY_SHAPE_GENERAL,     // a condition reads several processes, variables or channels at once
} gy_cover_shape;

typedef struct gy_cover_question {
    gy_atom atom; // is there a state where it is true?
    // Or (atom 0): where more than `over` of these are, each of another process.
    const gy_atom *terms;
    uint32_t term_count, over;
    // The answer.
    gy_cover_shape shape;
    uint32_t parts;  // of a disjunction, or conditions, or terms
    bool solved;     // on some trace by a SAT solver …
    bool enumerated; // … or by going through its ideals one by one
    bool found;
    const char *problem; // NULL, or why there is none (static text)
    uint32_t *route;     // found: ordinals of the initial state and of the transitions to it
    uint32_t route_length;
} gy_cover_question;

typedef struct gy_cover {
    gy_cover_question *questions;
    uint32_t count;
    const struct gy_sat *sat; // for questions without structure, or NULL
    // For tests, or NULL: called for the state of each ideal of each trace, and for each trace.
    void (*visit)(void *user, const gy_word *state, uint32_t words);
    void (*complete)(void *user, const struct gy_trace *trace);
    void *user;
    bool one_error; // of faults and deadlocks, one is enough; the search goes on for the questions
    // Figures.
    uint64_t traces, redundant; // runs to the end; those that were given up since they were known
    uint64_t longest;           // events of one
} gy_cover;

void gy_cover_free(gy_cover *cover); // what it holds

#endif
