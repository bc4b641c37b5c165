// A graph that several threads make while they search it for accepting cycles: the waist between
// what is searched (product_maker.h, or a list of edges in a test) and the engines that search.
//
// Nodes are the states of a STORE, and known by their references; beside each there is a note for
// the engine at hand. A maker knows how a node's successors are made. Engines see arcs: where they
// lead, and their marks.
//
// Threads. gy_space_run starts a team; each member has a view of its own and calls nothing but
// functions that take it. Tables grow at meetings, which may take place inside gy_space_edges and
// gy_space_rest: no member may wait for another one in any other way.
//
// Where the store can learn from its states how to keep them in less room, references change at a
// meeting too: but only for engines that say how to find those that they keep (gy_space.rename),
// and only inside gy_space_settle and gy_space_rest.
//
// Owner: gy_space_free. The maker and the budget are borrowed. Private to src/search, and to its
// tests.
#ifndef GYRE_SEARCH_LIVENESS_SPACE_H
#define GYRE_SEARCH_LIVENESS_SPACE_H

#include "search/liveness/emptiness.h"
#include "store/kinds.h"

typedef struct gy_arc {
    gy_ref to;
    uint64_t marks;
} gy_arc;
typedef GY_VEC(gy_arc) gy_arcs;
typedef GY_VEC(gy_ref) gy_refs;

// ---- makers ---------------------------------------------------------------------------

// Where arcs lead, as they are on their way into the store, with what goes along with each. The
// three arrays have the same length.
typedef struct gy_space_items {
    gy_incoming *in;
    uint64_t *marks;
    uint32_t *origins; // whatever the maker wants to know them by
    size_t n, room;
} gy_space_items;

void gy_space_items_make_room(gy_space_items *items, size_t room);
static inline void gy_space_items_reserve(gy_space_items *items, size_t more)
{
    if (items->n + more > items->room)
        gy_space_items_make_room(items, items->n + more);
}
// There is room.
static inline void gy_space_items_add(gy_space_items *items, gy_incoming in, uint64_t marks,
                                      uint32_t origin)
{
    size_t n = items->n++;
    items->in[n] = in;
    items->marks[n] = marks;
    items->origins[n] = origin;
}

typedef struct gy_space_maker {
    void *self;
    void *(*open)(void *self); // what a thread needs; freed by close
    void (*close)(void *worker);
    // Append what the graph begins with, and the successors of a node, always the same ones in the
    // same order; valid until the next call. Non-zero (GY_GRAPH_…): the search is to end here.
    int (*initial)(void *worker, gy_space_items *out);
    int (*successors)(void *worker, const uint32_t *state, uint32_t words, gy_space_items *out);
    // NULL, or for strong fairness: the marks that are asked for at the node whose successors were
    // asked for last.
    uint64_t (*asks)(void *worker);
    // NULL, or told now and then by one member at a time what was found so far; true: end now.
    bool (*look)(void *self, uint64_t states, uint64_t transitions);
} gy_space_maker;

// ---- the space ------------------------------------------------------------------------

typedef struct gy_space gy_space;

typedef struct gy_space_view {
    gy_space *space;
    unsigned member;
    void *worker; // of the maker
    gy_store_view *store;
    gy_space_items items; // of the node whose edges were asked for last
    uint32_t countdown;
    uint64_t random;                      // for shuffling
    _Atomic uint64_t states, transitions; // found; taken for the first time (engines add these)
    char apart[128];
} gy_space_view;

struct gy_space {
    const gy_space_maker *maker;
    gy_budget *budget;
    gy_store *store;
    uint64_t all;        // the marks that a cycle needs to be accepting
    bool uniform;        // on each cycle, either all arcs have all marks or none has
    bool hostile;        // for tests: as in gy_store_options
    uint32_t most_words; // of a node that the store takes
    unsigned size;       // members
    gy_space_view *views;
    gy_refs initial;
    GY_VEC(uint32_t) origins; // of these, as the maker has them
    gy_team team;
    void (*work)(void *user, gy_space_view *view);
    void *user;
    // NULL, or an engine's: gives each reference that the members keep its new name.
    void (*rename)(void *user, unsigned leader);
    _Atomic bool unsettled; // it is time for that
    _Atomic unsigned clean; // members that keep no reference elsewhere, at the meeting to come
    bool over;              // all have done their work
    _Atomic unsigned finished;
    uint64_t limit; // nodes after which it is broken off; 0: never
    bool broken_off;
    _Atomic bool stop, limited, no_memory, too_long;
    atomic_flag watch;
    atomic_flag told;    // gy_space_found has been called; or a node was seen
    gy_ref seen;         // GY_NO_REF, or a node where an error was seen
    bool found;          // an accepting cycle:
    gy_refs component;   // nodes of a strongly connected part with all marks
    uint64_t needs;      // the marks that a cycle in it needs
    uint64_t components; // left behind
    uint64_t rounds;     // for engines that go round
    _Atomic uint64_t depth;
};

typedef struct gy_space_options {
    const gy_space_maker *maker;
    const gy_store_kind_row *kind;
    gy_budget *budget;
    unsigned threads, note_bytes;
    uint64_t limit; // as in gy_space
    uint64_t all;
    bool uniform, hostile;
} gy_space_options;

// With the initial nodes in it (none, and the search is to end, if one is too_long). NULL: no
// memory.
gy_space *gy_space_new(const gy_space_options *options);
void gy_space_free(gy_space *space);
// Calls work on each of the members; returns when all have returned from it. May be called again.
void gy_space_run(gy_space *space, void (*work)(void *user, gy_space_view *view), void *user);
uint64_t gy_space_states(const gy_space *space);
uint64_t gy_space_transitions(const gy_space *space);

// ---- for members ----------------------------------------------------------------------

// Appends the arcs of a node. Non-zero: the search is to end here (GY_GRAPH_…; a node where an
// error is seen is kept).
int gy_space_edges(gy_space_view *view, gy_ref node, gy_arcs *out);
// The same for when the search is over and one member alone looks back: leads to known nodes only;
// view->items has just those that arcs were made of. GY_GRAPH_STOP: a limit (they are made all the
// same).
int gy_space_known_edges(gy_space_view *view, gy_ref node, gy_arcs *out);
// Between two nodes: lets references change, if that is due.
void gy_space_settle_slow(gy_space_view *view);
// While waiting for others. True: the search is to end here. References may change.
bool gy_space_rest(gy_space_view *view);
// Another order for each member, so that they go apart; as it is for the first.
void gy_space_shuffle(gy_space_view *view, gy_arc *arcs, size_t count);
// There is an accepting cycle: true for the first who says so, who then sets the component.
bool gy_space_found(gy_space_view *view);
// When the search is over and has found something, before known edges are asked for: the number of
// nodes does not matter any more.
void gy_space_look_back(gy_space *space);
// When the search is over: the component becomes one with all marks that can be reached from a
// node.
void gy_space_keep_component(gy_space *space, gy_ref node);
void gy_space_end(gy_space *space); // soon, for all members
void gy_space_out_of_memory(gy_space *space);
void gy_space_note_depth(gy_space *space, uint64_t depth);

static inline bool gy_space_ends(const gy_space *space)
{
    return atomic_load_explicit(&space->stop, memory_order_relaxed);
}

static inline void gy_space_settle(gy_space_view *view)
{
    if (atomic_load_explicit(&view->space->unsettled, memory_order_relaxed))
        gy_space_settle_slow(view);
}

// What a reference becomes, for gy_space.rename.
static inline void gy_space_rename(gy_space *space, unsigned leader, gy_ref *ref)
{
    *ref = gy_store_reencode(space->store, leader, *ref);
}

static inline void gy_space_count(gy_space_view *view, uint64_t transitions)
{
    atomic_store_explicit(&view->transitions,
                          atomic_load_explicit(&view->transitions, memory_order_relaxed) +
                              transitions,
                          memory_order_relaxed);
}

// ---- engines --------------------------------------------------------------------------
// A way to look for accepting cycles: a file with its function, and a row in cycles.c. The space
// has the notes that it wants, all zero.

typedef void gy_space_engine(gy_space *space);
gy_space_engine gy_space_cndfs, gy_space_ufscc, gy_space_owcty, gy_space_map;

unsigned gy_cndfs_note_bytes(unsigned threads, bool uniform);
unsigned gy_cndfs_most_threads(bool uniform);
unsigned gy_owcty_note_bytes(unsigned threads, bool uniform); // and of gy_space_map
unsigned gy_ufscc_note_bytes(unsigned threads, bool uniform);
unsigned gy_ufscc_most_threads(bool uniform);

#endif
