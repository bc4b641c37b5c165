// A hunter: one search for errors under way, by one strategy with one seed. It can be left at any
// time and gone on with; what it does depends on its ground, its strategy, its seed and the work it
// was given so far, on nothing else.
//
// A strategy is a row of strategies.def. Work is counted in moves that are examined.
//
// Private to src/search. A hunter belongs to one thread at a time. Owner: gy_hunter_free.
#ifndef GYRE_SEARCH_HUNT_HUNTER_H
#define GYRE_SEARCH_HUNT_HUNTER_H

#include "search/hunt/bounded_product.h"
#include "search/hunt/hunt.h"

#include "base/limit_poll.h"
#include "base/random.h"

typedef struct gy_hunter gy_hunter;

struct gy_strategy {
    const char *name, *title;
    void (*begin)(gy_hunter *hunter);
    void (*go_on)(gy_hunter *hunter, uint64_t until); // until it has generated so many transitions
    void (*end)(gy_hunter *hunter);
    bool guided;   // it asks a guide
    bool endless;  // it goes on for ever
    bool in_order; // another seed changes nothing
    bool proves;   // if it is over and nothing was left out, there is no other state
    gy_bounded_product_bound bound;
    unsigned share;   // of the work of a pack, in proportion to others
    uint32_t variant; // of those that share their functions
};

typedef struct gy_finding {
    gy_route route;     // the last transition is the fault, or leads to the state that is an error
    gy_fault_kind kind; // GY_FAULT_NONE: that state
    uint64_t where;     // tells errors apart
} gy_finding;

struct gy_hunter {
    const gy_strategy *strategy;
    const gy_hunt_options *hunt;
    const gy_heuristic *guide; // of a strategy that is guided
    uint64_t queue_limit;      // 0: none
    unsigned explore;          // of a hundred states that it takes, so many are any
    uint64_t seed;
    gy_bounded_product ground;
    gy_random random;
    gy_budget budget; // within the limit of the process
    uint64_t memory;  // it ends when it uses more than this; 0: never
    uint64_t effort;  // and when it has generated so many transitions; 0: never
    void *self;       // the strategy's
    uint64_t generated, arrivals, states, depth, peak; // arrivals: at a state, known or not
    uint64_t runs;                                     // of a strategy that begins repeatedly
    uint64_t cut_runs;           // of these, as they did not end by themselves
    uint64_t longest;            // moves of a run
    uint32_t processes;          // that were seen to execute
    bool over, gave_up;          // nothing more will come; because it had no memory
    bool cut;                    // it has left states out …
    bool beyond;                 // … as they are after the depth limit
    bool too_long;               // a state was too long for the store
    GY_VEC(gy_finding) findings; // distinct ones
    uint64_t errors;             // all that were found
    uint8_t *reached;            // by edge: executed
    uint32_t edge_count;
    uint64_t new_edges;   // of these
    int32_t endless_edge; // begins an atomic sequence that goes round for ever; -1: none was seen
    uint64_t advances;    // how often a guided search has come nearer than ever
    bool (*late)(void *user); // as in the scene
    void *late_user;
    gy_limit_poll pace; // until that is asked
    bool is_late;
};

// Where, and for what.
typedef struct gy_hunt_scene {
    gy_system *system;
    const gy_search_options *options;
    const gy_hunt_options *hunt;
    const gy_observer *observer;   // or NULL
    const gy_reduction *reduction; // or NULL
    // NULL, or true when all should end soon, such as at a limit of time. Asked by any thread.
    bool (*late)(void *user);
    void *late_user;
} gy_hunt_scene;

// Takes the worker over. `reduces`: by the reduction of the scene.
gy_hunter *gy_hunter_new(const gy_strategy *strategy, const gy_hunt_scene *scene, gy_worker *worker,
                         bool reduces, uint64_t seed);
void gy_hunter_free(gy_hunter *hunter);
// Looks at about so many transitions more, or until it is over, or until it is late.
void gy_hunter_go_on(gy_hunter *hunter, uint64_t work);
// It has seen every state, and has not taken one for another.
bool gy_hunter_is_proof(const gy_hunter *hunter);

// ---- for strategies -----------------------------------------------------------------------

bool gy_hunter_asks(gy_hunter *hunter); // what gy_hunter_is_late does when the pace says so
// To be asked before each state that is expanded: what a step costs is not known.
static inline bool gy_hunter_is_late(gy_hunter *hunter)
{
    return hunter->is_late || (gy_limit_poll_due(&hunter->pace) && gy_hunter_asks(hunter));
}
// Is there more to be done, before so many transitions were generated?
static inline bool gy_hunter_goes_on(gy_hunter *hunter, uint64_t until)
{
    return !hunter->over && hunter->generated < until && !gy_hunter_is_late(hunter);
}

// One transition was examined: counts it, and what it executed.
void gy_hunter_note(gy_hunter *hunter, const gy_transition *move);
// An error at the end of the route, which is copied. The hunter is over if that was enough.
void gy_hunter_report(gy_hunter *hunter, const gy_route *route, gy_fault_kind kind, uint64_t where);
void gy_hunter_use(gy_hunter *hunter, uint64_t states); // so many are kept now; checks the memory

#endif
