// A graph that several threads make while they search it for accepting cycles: the waist between
// what is searched (product_maker.h, or a list of edges in a test) and the engines that search.
//
// Nodes are the states of a STORE, and known by their references; next to each there is a note for
// the current engine. A maker knows how a node's successors are made. Engines see arcs: where they
// lead, and their marks.
//
// Or, if they are kept `together`: the store has the states of a system, and a node is one of them
// and a place, the state of an observer that has few of them. A node's number is the reference of
// its state with the place in front; its note is a field of the state's. Then a maker says what
// the observer does and what the system does apart, and what one state leads to is looked up once
// for all of the observer's transitions.
//
// A place may be one to `wait` at: at every state the observer can stay there, without marks, and
// it never comes back. No accepting cycle is there, so engines need not search in depth
// (waiting_bfs.h).
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

#include "gyre/observer.h"
#include "search/liveness/emptiness.h"
#include "store/kinds.h"

#include "base/limit_poll.h"

typedef struct gy_arc {
    gy_ref to;
    uint64_t marks;
} gy_arc;
typedef GY_VEC(gy_arc) gy_arcs;
typedef GY_VEC(gy_ref) gy_refs;

// ---- makers ---------------------------------------------------------------------------

// Where arcs lead, as they are on their path into the store, with what goes along with each. The
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

// States of the system, at one place of the observer.
enum { GY_GROUP = 32 };
typedef struct gy_space_group {
    gy_many states; // its `ends` are those below
    uint32_t at;
    // Set: by state, where its steps end, and the observer's transitions.
    uint32_t ends[GY_GROUP];
    const gy_observer_move *moves[GY_GROUP];
    uint32_t move_counts[GY_GROUP];
} gy_space_group;

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
    // Nodes that are kept together. initial() gives the states of the system, with the place as
    // marks; successors() is not asked. First the transitions of the observer, valid until it is
    // asked again; then the steps of the system from that state, `*out` being valid likewise, or
    // one that stays if the observer goes on alone. The origin of step i with transition k is i *
    // moves + k.
    int (*observe)(void *worker, const uint32_t *state, uint32_t words, uint32_t at,
                   const gy_observer_move **moves, uint32_t *count);
    uint32_t (*steps)(void *worker, gy_arrivals *out);
    // NULL, or the steps of several states one after the other (gy_successors_append). NULL: not
    // of this one, which has to be the first, or be asked for by steps().
    const gy_transition *(*append)(void *worker, bool first, uint32_t *count);
    // NULL, or both for many states, as far as they can be had so: of how many.
    uint32_t (*many)(void *worker, gy_space_group *group);
    bool stutters; // who has no steps stays
    // NULL, or called from time to time by one member at a time, with what was found so far; true:
    // end now.
    bool (*look)(void *self, uint64_t states, uint64_t transitions);
    bool (*glance)(void *self); // NULL, or the same of limits of time alone, in next to no time
} gy_space_maker;

// ---- the space ------------------------------------------------------------------------

typedef struct gy_space gy_space;

enum { GY_PLACE_SHIFT = 58, GY_MOST_PLACES = 1 << (64 - GY_PLACE_SHIFT) };
#define GY_NO_PLACE UINT32_MAX

typedef struct gy_space_view {
    gy_space *space;
    unsigned member;
    void *worker; // of the maker
    gy_store_view *store;
    gy_space_items
        items; // together: of known edges; else of the node whose edges were asked for last
    GY_VEC(uint64_t) notes; // if the store gives them: of the nodes that new arcs lead to
    gy_limit_poll pace;
    uint64_t random;                      // for shuffling
    _Atomic uint64_t states, transitions; // found; taken for the first time (engines add these)
    char apart[128];
} gy_space_view;

struct gy_space {
    const gy_space_maker *maker;
    gy_budget *budget;
    gy_store *store;
    uint64_t all;                  // the marks that a cycle needs to be accepting
    bool uniform;                  // on each cycle, either all arcs have all marks or none has
    bool hostile;                  // for tests: as in gy_store_options
    bool together;                 // see above; then
    uint32_t waits;                // the place to wait at, or GY_NO_PLACE
    uint64_t field;                // what notes of nodes have, as a mask
    uint8_t shift[GY_MOST_PLACES]; // where, by place
    _Atomic bool overflow;         // a reference was too long for a place before it
    uint32_t most_words;           // of a node that the store takes
    bool short_refs;               // there is always room for a place before a reference
    unsigned size;                 // members
    gy_space_view *views;
    gy_refs initial;
    GY_VEC(uint32_t) origins; // of these, as the maker has them
    gy_team team;
    void (*work)(void *user, gy_space_view *view);
    void *user;
    // NULL, or an engine's: gives each reference that the members keep its new name.
    void (*rename)(void *user, unsigned leader);
    void *rename_user;
    bool (*next)(void *user, gy_space_view *view); // of gy_space_run_turns, or NULL
    void *next_user;
    uint64_t turns;         // begun
    bool solo;              // one member works while the others wait, or there are no others
    _Atomic bool unsettled; // it is time for that
    _Atomic unsigned clean; // members that keep no reference elsewhere, at the meeting to come
    bool over;              // all have done their work
    _Atomic unsigned finished;
    uint64_t limit; // nodes after which it is broken off; 0: never
    bool broken_off;
    _Atomic bool stop, limited, no_memory, too_long;
    atomic_flag watch;
    atomic_flag told;  // gy_space_found has been called; or a node was seen
    gy_ref seen;       // GY_NO_REF, or a node where an error was seen
    bool found;        // an accepting cycle:
    gy_refs component; // nodes of a strongly connected part with all marks
    uint64_t needs;    // the marks that a cycle in it needs
    uint64_t rounds;   // for engines that go round
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
    // Together: so many places, with notes of so many bits; note_bytes is not examined. 0: apart.
    uint32_t places, place_bits;
    uint32_t waits;
} gy_space_options;

// Bytes next to each state of nodes that are kept together; 0: they cannot be.
unsigned gy_space_bytes_together(uint32_t places, uint32_t place_bits, bool waits);

// With the initial nodes in it (none, and the search is to end, if one is too_long). NULL: no
// memory.
gy_space *gy_space_new(const gy_space_options *options);
void gy_space_free(gy_space *space);
// Calls work on each of the members; returns when all have returned from it. May be called again.
void gy_space_run(gy_space *space, void (*work)(void *user, gy_space_view *view), void *user);
// The same in turns: while nothing works, next() is called on one of the members, whose view it may
// use. True: it has set space->work and space->user for all, and is called again when all have
// returned from that. Threads are started when it first says so.
void gy_space_run_turns(gy_space *space, bool (*next)(void *user, gy_space_view *view), void *user);
uint64_t gy_space_states(const gy_space *space);
uint64_t gy_space_transitions(const gy_space *space);

// ---- for members ----------------------------------------------------------------------

// Appends the arcs of a node. Non-zero: the search is to end here (GY_GRAPH_…; a node where an
// error is seen is kept). If view->store->all_notes is set, view->notes has the notes of the nodes
// that they lead to.
int gy_space_edges(gy_space_view *view, gy_ref node, gy_arcs *out);
// The same for when the search is over and one member alone looks back: leads to known nodes only;
// view->items has just those that arcs were made of. GY_GRAPH_STOP: a limit (they are made
// nevertheless).
//
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

// What may take place between two nodes while nothing is under way.
void gy_space_pause(gy_space_view *view);
// At limits, when gy_limit_poll_due says so.
void gy_space_look(gy_space_view *view);
// Are states short enough for the store? If not, the search ends.
bool gy_space_all_fit(gy_space *space, const gy_arrivals *in, uint32_t count);
// What is under way in the view of the store is entered. False: the search ends.
bool gy_space_take_in(gy_space_view *view);
// A node where an error was seen.
void gy_space_saw(gy_space *space, gy_ref node);

static inline gy_ref gy_space_state_of(const gy_space *space, gy_ref node)
{
    return space->together ? node & (((gy_ref)1 << GY_PLACE_SHIFT) - 1) : node;
}

static inline uint32_t gy_space_place_of(gy_ref node)
{
    return (uint32_t)(node >> GY_PLACE_SHIFT);
}

static inline gy_ref gy_space_node_at(gy_ref state, uint32_t place)
{
    return state | (gy_ref)place << GY_PLACE_SHIFT;
}

static inline uint64_t gy_space_note(const gy_space_view *view, gy_ref node)
{
    const gy_space *space = view->space;
    if (!space->together)
        return gy_store_note(view->store, node);
    return gy_store_note(view->store, gy_space_state_of(space, node)) >>
               space->shift[gy_space_place_of(node)] &
           space->field;
}

// As gy_store_change_note.
static inline uint64_t gy_space_change_note(const gy_space_view *view, gy_ref node, uint64_t clear,
                                            uint64_t set)
{
    const gy_space *space = view->space;
    if (!space->together)
        return gy_store_change_note(view->store, node, clear, set);
    uint8_t shift = space->shift[gy_space_place_of(node)];
    return gy_store_change_note(view->store, gy_space_state_of(space, node), clear << shift,
                                set << shift) >>
               shift &
           space->field;
}

static inline void gy_space_settle(gy_space_view *view)
{
    if (atomic_load_explicit(&view->space->unsettled, memory_order_relaxed))
        gy_space_settle_slow(view);
}

// What a reference becomes, for gy_space.rename.
void gy_space_rename(gy_space *space, unsigned leader, gy_ref *node);

static inline void gy_space_count_states(gy_space_view *view, uint64_t states)
{
    atomic_store_explicit(&view->states,
                          atomic_load_explicit(&view->states, memory_order_relaxed) + states,
                          memory_order_relaxed);
}

static inline void gy_space_count(gy_space_view *view, uint64_t transitions)
{
    atomic_store_explicit(&view->transitions,
                          atomic_load_explicit(&view->transitions, memory_order_relaxed) +
                              transitions,
                          memory_order_relaxed);
}

// ---- space_packed.c, for space.c ----------------------------------------------------

void gy_space_place_fields(gy_space *space, const gy_space_options *options);
bool gy_space_is_short(gy_space *space, gy_ref ref); // so that a place fits before it
int gy_space_edges_together(gy_space_view *view, gy_ref node, gy_arcs *out);
int gy_space_known_together(gy_space_view *view, gy_ref node, gy_arcs *out);

// ---- engines --------------------------------------------------------------------------
// A way to look for accepting cycles: a file with its function, and a row in cycles.c. The space
// has the notes that it wants, all zero.

typedef void gy_space_engine(gy_space *space);
gy_space_engine gy_space_cndfs, gy_space_ufscc, gy_space_owcty, gy_space_map;

unsigned gy_cndfs_note_bytes(unsigned threads, bool uniform);
unsigned gy_cndfs_place_bits(unsigned threads, bool uniform);
unsigned gy_cndfs_most_threads(bool uniform);
unsigned gy_owcty_note_bytes(unsigned threads, bool uniform); // and of gy_space_map
unsigned gy_ufscc_note_bytes(unsigned threads, bool uniform);
unsigned gy_ufscc_most_threads(bool uniform);

#endif
