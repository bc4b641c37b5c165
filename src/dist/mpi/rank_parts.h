// The parts of the search over ranks (ranks.h). For rank_*.c only.
//
//   rank_search.c    the life of a search: passes, members, what all ranks have counted
//   rank_levels.c    phases and meetings: what comes next
//   rank_balance.c   which rank a state belongs to, once there are many
//   rank_expand.c    states are expanded; successors go to the store or to other ranks
//   rank_arrive.c    states are entered into the store; new ones go to the next level
//   rank_trace.c     paths to errors: costs, parents, sites
//   rank_file.c      checkpoints
//   rank_product.c   liveness: the life of a search for cycles
//   rank_nodes.c     nodes of a product; all of them are found
//   rank_cycles.c    arcs between them are followed; which nodes may lie on an accepting cycle
//   rank_marks.c     the same where a cycle needs several marks, or what it passes asks for some
//   rank_map.c       by maximal accepting predecessors
//   rank_source.c    of what is left, a node that lies on such a cycle
//   rank_lasso.c     paths to it and round it
//   rank_reduced.c   with a reduction: which states must be expanded fully after all
//   rank_proviso.c   the same, where more than one step has to be looked ahead
//
// States are partitioned over the ranks by their content (owner.h). Each rank keeps its own
// in a store. The current level is a list of references on each rank; its members expand them.
// Successors that belong to another rank are packed and sent (exchange.h); those that come from
// there are entered like those found here. A level is a phase of the exchange: at its end all
// states of the next one are known, on their ranks, and nothing is under way. So counts and levels
// are the same for any number of ranks and threads.
//
// Owners: gy_rank_search owns all; a member owns what is in it. What a member has is used by no
// other thread except at meetings, but for its counters, which are atomic. What is in
// gy_rank_search is written at meetings only, or is atomic, or has a lock of its own. Collective
// calls are made at meetings, by the member that leads.
#ifndef GYRE_DIST_MPI_RANK_PARTS_H
#define GYRE_DIST_MPI_RANK_PARTS_H

#include "dist/mpi/exchange.h"
#include "dist/mpi/owner.h"
#include "dist/mpi/packing.h"
#include "dist/mpi/ranks.h"

#include "reduce/moves.h"
#include "search/liveness/product_maker.h"
#include "search/run.h"
#include "search/safety/level_proviso.h"
#include "store/store.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/team.h"

enum {
    GY_RANK_PIECE = 16,       // states that a member takes at a time
    GY_RANK_BATCH = 64,       // arrivals that are under way at once, before they are entered
    GY_RANK_LOOK = 256,       // states between checks of the clock
    GY_RANK_BYTES = 1 << 14,  // of a batch that is sent
    GY_RANK_RECENT = 1 << 12, // states sent last that a member remembers, not to send them again
    GY_RANK_NUMBER_BITS = 44, // of a state's number on its rank
    GY_RANK_WAITING = 16,     // batches without credit: then a member stops making more
};

#define GY_RANK_NOWHERE UINT64_MAX

// Where a state was found: the rank and number of its parent, and by which transition.
typedef struct gy_rank_from {
    uint64_t parent; // rank << GY_RANK_NUMBER_BITS | number; GY_RANK_NOWHERE: it is initial
    uint32_t ordinal;
} gy_rank_from;

// States that wait for something.
typedef struct gy_rank_list {
    gy_region refs;    // gy_ref
    gy_region numbers; // uint64_t: their numbers, where they differ from first, first + 1, …
    gy_region from;    // gy_rank_from: of states just found
    uint64_t n;
    uint64_t first; // number of the first
    uint64_t cost;  // of the transitions to be taken, if they are due
    uint64_t at;    // the cost of the level in which they are due
} gy_rank_list;

// One of the lists to be worked on.
typedef struct gy_rank_share {
    gy_rank_list list;
    _Atomic uint64_t cursor;
} gy_rank_share;

// An error that was found.
typedef struct gy_rank_site {
    uint64_t kind; // gy_fault_kind; GY_FAULT_NONE: an invalid end state
    uint64_t edge, ordinal, cost, step;
    uint64_t content; // a hash of the state: between sites of equal cost
    uint64_t where;   // the state, or the one before the fault: rank and number
} gy_rank_site;

typedef struct gy_rank_trace {
    bool by_cost;       // levels are; otherwise by transitions
    uint64_t cost;      // of the current level
    uint64_t depth;     // the largest of a level that had states
    gy_region parents;  // uint64_t, and
    gy_region ordinals; // uint32_t: by number
    uint64_t n;
    pthread_mutex_t lock; // of what follows, while members work
    GY_VEC(gy_rank_site) sites;
    uint64_t errors, ends; // of these, invalid end states
    uint64_t best;         // the least cost of a site
} gy_rank_trace;

// A file of a checkpoint.
typedef struct gy_rank_file {
    uint64_t run, sequence, rank; // which make its name
    uint64_t states;
    uint64_t kind; // rank_file.c
} gy_rank_file;

typedef GY_VEC(gy_rank_file) gy_rank_files;

// How far the search was when the current level began.
typedef struct gy_rank_boundary {
    uint64_t level, states, transitions; // of all ranks
    uint64_t failed;                     // of this one: gy_rank_search.failed_n
} gy_rank_boundary;

// What the members do in a phase, with the states that are to be worked on and with those that
// come.
typedef enum {
    GY_RANK_EXPAND,
    GY_RANK_TAKE_DUE,
    GY_RANK_ASK, // with a reduction: rank_reduced.c
    GY_RANK_ANSWER,
    GY_RANK_EDGES, // rank_proviso.c
    GY_RANK_REPORT,
    GY_RANK_DEAL,
    GY_RANK_RECALL, // rank_file.c
    GY_RANK_TAKE_REST,
    GY_RANK_REACH, // of a product, from here on: rank_cycles.c
    GY_RANK_CUT,
    GY_RANK_MARK, // rank_marks.c
    GY_RANK_JUDGE,
    GY_RANK_COUNT,
    GY_RANK_MAP,   // rank_map.c
    GY_RANK_LABEL, // rank_source.c
} gy_rank_task;

// A state of which not all successors are taken, those being under way.
typedef struct gy_rank_group {
    gy_ref state;
    uint64_t number;
    bool leads_on; // to a new state
} gy_rank_group;

typedef struct gy_rank_answer {
    unsigned to;
    uint64_t doubt; // the number that the one who asks has given to its state
} gy_rank_answer;

typedef struct gy_rank_state {
    gy_word *at;
    uint32_t words; // 0: there is none
} gy_rank_state;

// The product that is searched for cycles (rank_product.c), by one search after the other.
typedef struct gy_rank_product {
    gy_product_maker maker;
    bool general;       // a cycle needs several marks, or nodes ask for some: rank_marks.c
    bool uniform;       // on each cycle, either all arcs are accepting or none is
    bool map;           // by rank_map.c
    bool early;         // an accepting cycle is noticed while nodes are found, if it is near
    bool too_many;      // on some rank: more processes than fairness has marks for
    uint32_t content;   // words of an observer's state in a node; 0: one, its number
    uint64_t all;       // marks that an accepting arc has
    _Atomic bool seen;  // the observer has seen an error at once
    uint64_t left;      // nodes, after the last round
    unsigned rounds;    //
    bool nonempty;      // there is an accepting cycle
    unsigned group;     // general: of marks that are examined
    unsigned unchanged; // rounds in a row
    bool at_last;       // general: which marks the cycles at the goal have is asked
    uint64_t needed;    // they have these
    // A node that may lie on a cycle by what was noticed early.
    pthread_mutex_t lock;
    gy_rank_state suspect;
    bool again; // it did not: all is to be searched again without noticing
    // Of a search for ways.
    bool counts;                   // a counter is after each node: marks are waited for
    uint8_t order[64];             // one after the other,
    unsigned order_n;              // so many
    struct gy_rank_search *inside; // only nodes that are left there
    gy_rank_state goal;            // the node to be come to,
    gy_rank_state start;           // if it begins with this one, with all marks
    gy_route route;                // that was found
    gy_lasso_witness *lasso;
} gy_rank_product;

// Of states that rank 0 leads to a decision about (rank_proviso.c).
typedef struct gy_rank_seen {
    uint64_t what, rank, from; // a state: its rank, and reference there,
    uint64_t other, to;        // and where it leads; or a hash of its content
} gy_rank_seen;

struct gy_rank_proviso;
struct gy_rank_search;

typedef struct gy_rank_member {
    struct gy_rank_search *search;
    gy_worker *worker;
    gy_store_view *view;
    gy_rank_list found;
    gy_moves moves;
    gy_rank_from from_of[GY_STORE_BATCH];   // of each arrival
    gy_store_parent parents[GY_RANK_BATCH]; // expanded last, with the ends of their successors
    uint64_t numbers[GY_RANK_BATCH];        // and their numbers
    uint32_t parent_count;
    const gy_transition *successors;
    gy_incoming some[GY_STORE_BATCH]; // of them, those that stay here
    uint64_t number;                  // of the state being expanded
    uint32_t visited;                 // successors of it
    gy_limit_poll pace;
    gy_packer *out;          // by rank
    uint64_t *recent;        // hashes, and
    uint32_t **recent_state; // length and words of states sent last
    gy_unpacker in;
    GY_VEC(uint32_t) arrived; // words of states of a batch
    GY_VEC(gy_rank_list) due;
    void *product; // a worker of the product's maker
    gy_space_items items;
    GY_VEC(gy_word) node, numbered;
    uint64_t label;                    // of the current node
    uint64_t label_of[GY_STORE_BATCH]; // arrivals: of the node they come from, and their own
    uint64_t own_of[GY_STORE_BATCH];   // if an accepting arc leads there; else 0
    gy_reducer *reducer;               // NULL: no reduction
    uint32_t group;                    // of what arrives now: in `groups`, plus one; 0: none
    uint32_t group_of[GY_STORE_BATCH];
    GY_VEC(gy_rank_group) groups;
    gy_rank_list doubtful;
    GY_VEC(gy_rank_answer) answers;
    GY_VEC(gy_rank_seen) reports;
    GY_VEC(gy_ref) dealt;
    gy_worker *asker; // for these: what the other one has found has to stay
    gy_moves asked;
    uint64_t expanded_reduced, expanded_fully;
    bool idle; // has nothing to expand in this phase, and nothing that is not sent
    int32_t endless_edge;
    uint8_t *reached;
    uint32_t edge_count;
    _Atomic uint64_t states, transitions;
    char apart[128];
} gy_rank_member;

typedef struct gy_rank_search {
    gy_run *run;
    gy_transport *transport;
    gy_exchange exchange;
    gy_owner *owner;       // of states
    bool anew;             // it was chosen again, and all begins again
    uint64_t looked;       // states there were when it was last looked whether it should be
    uint64_t uneven;       // how far ranks were from even then, in a thousand
    gy_owner_states known; // rank 0: some states, until then
    gy_store *store;
    uint32_t most_words;
    bool reduces;
    gy_rank_product *product; // NULL: errors are looked for, not cycles
    unsigned tags;            // next to each state that is sent to be entered
    gy_rank_trace *trace;     // NULL: ways are not asked for
    gy_rank_member *members;
    unsigned size;
    gy_team team;
    GY_VEC(gy_rank_share *) shares;
    bool done;
    gy_rank_task chore;
    gy_number_set next; // states of the next level, while questions are asked
    gy_number_set full; // those that had to be expanded fully after all, as in
    gy_region failed;   // gy_ref
    uint64_t failed_n;
    struct gy_rank_proviso *proviso;  // of rank 0
    GY_VEC(gy_rank_group) candidates; // where paths are asked for, in order
    bool failing;                     // what is dealt has failed
    uint64_t doubts;                  // states in doubt,
    _Atomic bool *cleared;            // and whether they are not any more
    uint64_t level;
    uint64_t all_states, all_transitions; // of all ranks, when the last phase ended
    uint64_t own_states, own_transitions; // of this one, then
    gy_rank_boundary boundary;
    gy_region nodes; // of a product: references of all
    uint64_t node_count;
    // With checkpoints: references of states that are in no file yet, those of the current level
    // last; the files there are.
    gy_region unsaved;
    uint64_t unsaved_n, unsaved_before;
    gy_rank_files files;
    uint64_t run_id, sequence;
    _Atomic unsigned idle; // members
    _Atomic bool over;     // the phase is, for this rank
    _Atomic bool stop, error, no_memory, unfit;
    _Atomic bool strange;     // what was read from a file is
    _Atomic bool pause;       // the store may know better
    _Atomic bool room_wanted; // by a member that has met, in the middle of a batch
    atomic_flag watch;
} gy_rank_search;

static inline unsigned gy_rank_owner(const gy_rank_search *s, const gy_word *state, uint32_t words)
{
    return gy_owner_of(s->owner, state, words);
}

static inline bool gy_rank_is_up(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static inline void gy_rank_raise(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static inline void gy_rank_add_to(_Atomic uint64_t *counter, uint64_t n) // has one writer
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

// ---- rank_search.c --------------------------------------------------------------------

void gy_rank_out_of_memory(gy_rank_search *s);
void gy_rank_too_long(gy_rank_search *s);
void gy_rank_search_product(gy_run *run, gy_rank_product *product);
void gy_rank_agree_on_edges(gy_rank_search *s); // collective: what was reached, and endless loops
void gy_rank_tell_counts(gy_rank_search *s); // to the run: of all ranks, as far as they are known

// ---- rank_levels.c --------------------------------------------------------------------

void gy_rank_explore_all(gy_rank_search *s);
bool gy_rank_make_room(gy_rank_member *m); // false: there is none, and the search ends
void gy_rank_list_init(gy_rank_list *list, gy_budget *budget);
void gy_rank_list_free(gy_rank_list *list);
void gy_rank_share_list(gy_rank_search *s, gy_rank_list list); // it is all that is worked on
bool gy_rank_list_put(gy_rank_list *list, gy_ref ref, uint64_t number); // false: no memory

// ---- rank_balance.c -------------------------------------------------------------------

// At a meeting, between two levels, with the states of the rank that has fewest and of the one that
// has most. Collective. True: the owner of states was chosen again, and the search has to begin
// again.
bool gy_rank_rebalance(gy_rank_search *s, uint64_t fewest, uint64_t most);
void gy_rank_tell_owner(gy_rank_search *s); // collective: the one of rank 0 is that of all

// ---- rank_expand.c --------------------------------------------------------------------

void gy_rank_begin(gy_rank_member *m); // with those initial states that belong here
// Works until the phase is over for this rank, or a caller wants to meet.
void gy_rank_explore(gy_rank_member *m);
void gy_rank_look(gy_rank_member *m); // at limits
// A transition has a fault: the search ends, or takes note of the path to it.
void gy_rank_meet_fault(gy_rank_member *m, const gy_transition *transition, uint32_t ordinal,
                        const gy_word *state, uint32_t words);

// ---- rank_arrive.c --------------------------------------------------------------------
// All of these may meet the others, for room.

void gy_rank_arrive(gy_rank_member *m, const gy_word *state, uint32_t words);
// Successors of the state that was given back last; those with skip[i] are left out (NULL: none).
void gy_rank_arrive_some(gy_rank_member *m, gy_ref parent, const gy_transition *all, uint32_t count,
                         const uint8_t *skip);
void gy_rank_take_in(gy_rank_member *m); // the successors of m->parents
void gy_rank_flush(gy_rank_member *m);   // nothing stays under way to the store
bool gy_rank_was_sent(gy_rank_member *m, const gy_word *state, uint32_t words); // not long ago
void gy_rank_send_rest(gy_rank_member *m);
void gy_rank_send(gy_rank_member *m, unsigned to, const gy_word *state, uint32_t words,
                  const uint64_t *tags, unsigned tag_count);
bool gy_rank_receive(gy_rank_member *m); // a batch, if one has come
void gy_rank_note_steps(gy_rank_member *m, const gy_transition *transitions, uint32_t count);

// ---- rank_reduced.c -------------------------------------------------------------------

// False: it has more successors than are kept at once.
bool gy_rank_expand_reduced(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                            uint32_t *count);
void gy_rank_note_groups(gy_rank_member *m); // what is under way was entered
void gy_rank_end_groups(gy_rank_member *m);  // nothing is under way
void gy_rank_ask(gy_rank_member *m, const gy_word *state, uint32_t words, uint64_t doubt);
void gy_rank_hear_questions(gy_rank_member *m, unsigned from); // in m->in
void gy_rank_send_answers(gy_rank_member *m);
void gy_rank_hear_answers(gy_rank_member *m); // in m->in
void gy_rank_take_rest(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words);
// At meetings.
uint64_t gy_rank_count_doubtful(const gy_rank_search *s);
bool gy_rank_begin_questions(gy_rank_search *s); // false: no memory
uint64_t gy_rank_keep_failed(gy_rank_list *list, const gy_rank_search *s, uint64_t first);
// All successors, in m->moves; NULL: there are more than are kept at once.
const gy_transition *gy_rank_find_all(gy_rank_member *m, const gy_word *state, uint32_t words,
                                      uint32_t *count);
// How many of them are kept, as m->moves.keep says; all of them if that is as good.
uint32_t gy_rank_choose(gy_rank_member *m, const gy_word *state, uint32_t words,
                        const gy_transition *all, uint32_t count);

// ---- rank_proviso.c -------------------------------------------------------------------

void gy_rank_find_edges(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words);
void gy_rank_hear_edges(gy_rank_member *m, unsigned from); // in m->in, as those that follow
void gy_rank_send_reports(gy_rank_member *m);
void gy_rank_hear_reports(gy_rank_member *m);
void gy_rank_send_dealt(gy_rank_member *m);
void gy_rank_hear_dealt(gy_rank_member *m);
bool gy_rank_add_failed(gy_rank_search *s, gy_ref ref); // false: no memory
// At meetings: what is in the shares are candidates. The second: is there more to be done before
// the next level? Collective.
void gy_rank_begin_proviso(gy_rank_search *s);
bool gy_rank_next_proviso(gy_rank_search *s);
void gy_rank_free_proviso(gy_rank_search *s);

// ---- rank_nodes.c ---------------------------------------------------------------------

void gy_rank_begin_product(gy_rank_member *m);
void gy_rank_expand_product(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words);
// What a node leads to, in m->items. Non-zero: as gy_space_maker has it.
int gy_rank_successors(gy_rank_member *m, const gy_word *node, uint32_t words);
// The node that an item leads to, in m->node. Returns how many words it has.
uint32_t gy_rank_make_node(gy_rank_member *m, const gy_incoming *in, uint32_t counter);
void gy_rank_note_arrivals(gy_rank_member *m); // that were entered
// One that has come from elsewhere with that number next to it: false, it is of no interest.
bool gy_rank_admit(gy_rank_member *m, const gy_word *node, uint32_t words, uint64_t tag,
                   uint32_t i);
// This node may lie on an accepting cycle: the search is broken off.
void gy_rank_suspect(gy_rank_member *m, const gy_word *node, uint32_t words);
void gy_rank_break_off(gy_rank_search *s);
// From a file: could it be a node? Then it belongs to whom it belongs.
bool gy_rank_is_node(const gy_rank_member *m, const gy_word *node, uint32_t words);
// An observer's states have numbers as they turn up, and the first is where it begins: it has to
// turn up before those from a file.
void gy_rank_number_first(gy_rank_member *m);
void gy_rank_arrive_node(gy_rank_member *m, const gy_word *node, uint32_t words);
static inline uint64_t gy_rank_name_of(const gy_word *node, uint32_t words) // never 0
{
    return gy_hash_words(node, words, 1) | 1;
}

// ---- rank_cycles.c --------------------------------------------------------------------
// Notes of nodes, once all were found: two bits that are the same in all phases, and a value.

enum { GY_RANK_LEFT = 1, GY_RANK_VISITED = 2, GY_RANK_QUEUED = 2, GY_RANK_VALUE = 2 };
#define GY_RANK_ACCEPTING ((uint64_t)1 << 62) // while nodes are found: an accepting arc leads to it

void gy_rank_follow_arcs(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words);
void gy_rank_hear_arcs(gy_rank_member *m); // in m->in
void gy_rank_push(gy_rank_member *m, gy_ref ref);
// The value of a note becomes larger: its greatest, or all bits. True: it has to be passed on.
bool gy_rank_raise_note(gy_rank_member *m, gy_ref ref, uint64_t value, bool bits);
// At meetings, collective. False: it is over.
bool gy_rank_next_round(gy_rank_search *s, uint64_t found);
uint64_t gy_rank_list_visited(gy_rank_search *s, bool keep); // returns how many there are

// ---- rank_marks.c, rank_map.c, rank_source.c ------------------------------------------
// Of an arc, what goes along with it, and what is done with it where it leads; the rest at
// meetings. False: it is over.

bool gy_rank_begin_marks(gy_rank_search *s);
bool gy_rank_next_marks(gy_rank_search *s);
uint64_t gy_rank_marks_of(const gy_rank_product *p, uint64_t marks); // of the current group
void gy_rank_judge(gy_rank_member *m, gy_ref ref);
bool gy_rank_begin_map(gy_rank_search *s, bool first);
bool gy_rank_next_map(gy_rank_search *s);
uint64_t gy_rank_map_of(uint64_t note, const gy_word *node, uint32_t words);
void gy_rank_take_map(gy_rank_member *m, gy_ref ref, const gy_word *node, uint32_t words,
                      uint64_t tag);
void gy_rank_begin_labels(gy_rank_search *s);
void gy_rank_choose_goal(gy_rank_search *s); // collective, when all have their labels

// ---- rank_lasso.c ---------------------------------------------------------------------

void gy_rank_find_lasso(gy_rank_search *s); // collective
// True: an error was found. The owner of states may be chosen on the way; NULL: it is not kept.
bool gy_rank_pass(gy_run *run, gy_rank_trace *trace, bool reduce, gy_rank_product *product,
                  gy_owner *owner);

// ---- rank_file.c ----------------------------------------------------------------------
// Collective, at meetings.

void gy_rank_begin_files(gy_rank_search *s);
bool gy_rank_keep_unsaved(gy_rank_search *s);  // a level has begun; false: no memory
bool gy_rank_keep_nodes(gy_rank_search *s);    // the same for a product
void gy_rank_hear_recalled(gy_rank_member *m); // in m->in
void gy_rank_write(gy_rank_search *s);         // as it was when the current level began
bool gy_rank_resume(gy_rank_search *s);        // in place of the beginning; false: it has failed

// ---- rank_trace.c ---------------------------------------------------------------------

void gy_rank_trace_init(gy_rank_trace *trace, gy_run *run, bool by_cost);
void gy_rank_trace_free(gy_rank_trace *trace);
void gy_rank_note_fault(gy_rank_member *m, const gy_transition *transition, uint32_t ordinal,
                        const gy_word *state, uint32_t words);
void gy_rank_note_site(gy_rank_member *m, gy_rank_site site, const gy_word *state, uint32_t words);
void gy_rank_note_end(gy_rank_member *m, const gy_word *state, uint32_t words, uint32_t successors);
void gy_rank_expand_traced(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words);
void gy_rank_take_due(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                      uint64_t cost);
// At a meeting: states that were found get numbers. False: no memory.
bool gy_rank_number_level(gy_rank_search *s, gy_rank_list *found);
uint64_t gy_rank_next_due(const gy_rank_search *s); // the least cost; UINT64_MAX: none
// When the search is over. Collective: all ranks report the same.
void gy_rank_report(gy_rank_search *s);

#endif
