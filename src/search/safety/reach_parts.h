// The parts of the reachability search (reach.h). For reach*.c only.
//
//   reach.c            the life of a search: its members, and what they have counted
//   reach_levels.c     levels and meetings: what comes next
//   reach_expand.c     states are taken from the queue and expanded
//   reach_insert.c     successors are entered into the store; new ones go to the queue
//   reach_queue.c      the queue: blocks of references
//   reach_trace.c      to find the paths to errors: levels by cost, and tags next to states
//   reach_by_cost.c      likewise: states are expanded for the transitions whose cost is due
//   reach_file.c       checkpoints
//   reach_check.c      for --check-reduction
//   reach_disk.c       states leave memory, for files
//   reach_reduced.c    with a reduction: states are expanded, many before any successor is entered
//   reach_proviso.c    with a reduction: states that may have to be expanded fully after all
//
// A state is known by its reference in the store (store.h).
//
// Owners: gy_reach owns the store, the members and the blocks of the current level (in shares); a
// member owns what is in it, the blocks that it fills among them. What a member has is used by no
// other thread except at meetings, but for its counters, which are atomic. What is in gy_reach is
// written at meetings only, or is atomic. While members work, the run is written by the one that
// has set `watch`, and by one that runs out of memory.
//
// Meetings: the members work until the level is used up, the store wants room, or `stop` or `pause`
// is raised; then they meet. The last to arrive decides, while the others wait: it makes what
// they have found the next level, lets the store re-encode its states (then all references that are
// kept change), or lets it grow; the others help with what takes long (gy_team_share). A member may
// also come for room in the middle of a batch: then references stay as they are and no level ends.
// While `solo` is set there is but one member at work, who does without meetings.
#ifndef GYRE_SEARCH_SAFETY_REACH_PARTS_H
#define GYRE_SEARCH_SAFETY_REACH_PARTS_H

#include "search/checkpoint.h"
#include "search/safety/level_proviso.h"
#include "search/safety/lineage.h"
#include "search/safety/local_path.h"

#include "reduce/moves.h"
#include "store/disk_set.h"
#include "store/store.h"

#include "base/spill_blocks.h"
#include "base/team.h"

enum {
    GY_REACH_BLOCK = 512, // references in a block: a page
    GY_REACH_PIECE = 16,  // of them, the least that a thread takes at a time
    GY_REACH_PIECES = GY_REACH_BLOCK / GY_REACH_PIECE,
    GY_REACH_BATCH = 64,   // arrivals that are under way at once, before they are entered
    GY_REACH_PARENTS = 64, // states whose successors are taken in together
    GY_REACH_LOOK = 256,   // states between checks of the clock
};

// What is to be done with a state. With a reduction, a state of which not all successors are taken
// is a candidate if none of those taken is new: at the end of the level it is checked, and if need
// be the rest of its successors is taken after all (see search/safety/level_proviso.h). "The end of
// the level" makes the outcome independent of the order within it, and so of the number of threads.
// Depth first, who is a candidate depends on the order.
// When paths are to be found (reach_trace.c): some transitions of a state are taken later.
typedef enum {
    GY_REACH_EXPAND,
    GY_REACH_CHECK,
    GY_REACH_TAKE_REST,
    GY_REACH_TAKE_DUE
} gy_reach_task;

// States that wait to be expanded.
typedef struct gy_reach_block {
    uint32_t n;
    gy_ref *at;            // room for GY_REACH_BLOCK; in gy_reach.pages
    gy_lineage_from *tags; // likewise, after them, if paths are to be found: see gy_reach_trace
} gy_reach_block;

typedef GY_VEC(gy_reach_block *) gy_reach_blocks;

// What one member found of the current level. It expands that before it helps the others, because
// what it wrote is still near to it.
typedef struct gy_reach_share {
    gy_reach_blocks blocks;
    _Atomic uint64_t cursor; // pieces of them that were handed out
    char apart[128 - sizeof(gy_reach_blocks) - sizeof(uint64_t)]; // from the next share
} gy_reach_share;

// Pieces of a share that were handed out, [from, to).
typedef struct gy_reach_range {
    const gy_reach_share *share;
    uint64_t from, to;
} gy_reach_range;

// A state of which not all successors were taken, those being under way.
typedef struct gy_reach_group {
    gy_ref state;
    uint32_t number; // in the lineage
    bool leads_on;   // to a new state
    gy_proviso_report_kind what;
} gy_reach_group;

typedef struct gy_reach_lead {
    uint32_t group; // plus one
    gy_ref to;
} gy_reach_lead;

// States that wait for their transitions of some cost.
typedef struct gy_reach_bucket {
    uint64_t at;   // the cost of the level in which they are due
    uint64_t cost; // of these transitions
    bool last;     // they do not wait for others
    gy_reach_blocks states;
} gy_reach_bucket;

// Tags: for a state that was found, where it comes from; from the beginning of its level on, its
// own number in the lineage is in `parent`.

// An error that was found.
typedef struct gy_reach_error {
    gy_fault_kind kind; // GY_FAULT_NONE: an invalid end state
    int32_t edge;
    uint32_t ordinal;    // of the transition with the fault
    uint64_t cost;       // of the whole path
    uint64_t step;       // of that transition; 0 for an end state
    uint64_t rank;       // of the state, by content: between sites of equal cost
    uint32_t number;     // in the lineage: the state, or the nearest ancestor that is there;
                         // GY_LINEAGE_NONE: the fault is found before the first state
    gy_state_copy state; // the end state, or the one before the fault
} gy_reach_error;

typedef struct gy_reach_trace {
    bool by_cost;      // levels are; otherwise by transitions
    uint64_t cost;     // of the current level; UINT64_MAX before the first
    uint64_t depth;    // the largest of a level that had states
    uint64_t settled;  // of the last level that began within the limit on states: all sites that
                       // are cheaper are known then
    uint64_t due_cost; // GY_REACH_TAKE_DUE: transitions of that cost
    bool due_last;     // and then these states are done with
    gy_lineage lineage;
    pthread_mutex_t lock; // of the next two, while members work
    GY_VEC(gy_reach_error) sites;
    uint64_t ends; // end states, also those that are no sites because there are better ones
    uint64_t errors;
    _Atomic uint64_t best; // the least cost of a site
    _Atomic bool cut;      // something lies beyond the depth limit
} gy_reach_trace;

// States that left memory (reach_disk.c).
typedef struct gy_reach_disk {
    gy_disk_set *set;
    uint64_t most;  // states that may be in the store before they leave; 0: as many as fit
    uint64_t known; // states that seemed to be new, and were on disk
    bool in_use;    // there are some: states that are new to the store may be known
} gy_reach_disk;

struct gy_reach;

typedef struct gy_reach_member {
    struct gy_reach *reach;
    gy_worker *worker;
    gy_store_view *view;
    gy_reach_block *open;          // being filled; may be NULL
    gy_reach_blocks full;          // and those that are
    gy_reach_blocks sure;          // likewise, of states that are not on disk: see gy_reach_sift
    gy_reach_blocks spare;         // empty
    gy_proviso_reports reports;    // of candidates of this level, and of what they lead to
    gy_reach_blocks asked, failed; // to be examined for them; to be expanded fully
    gy_reducer *reducer;           // NULL: no reduction
    gy_moves moves;
    uint32_t tag; // of the state being expanded: its number in the lineage
    gy_lineage_from tag_of[GY_STORE_BATCH + 1]; // of each arrival
    GY_VEC(gy_reach_bucket) due;
    GY_VEC(uint64_t) dear;             // costs for which the state being expanded waits
    uint32_t group_of[GY_STORE_BATCH]; // of each arrival: in `groups`, plus one; 0: none
    GY_VEC(gy_reach_group) groups;
    GY_VEC(gy_reach_lead) leads; // of these groups
    uint64_t expanded_reduced, expanded_fully;
    gy_store_parent parents[GY_REACH_PARENTS]; // expanded last, with the ends of their successors
    uint32_t parent_count;
    const gy_transition *successors; // of all of them, not yet examined
    // With a reduction, or if paths are asked for, in place of that: those that were kept, and
    // whether these are all.
    gy_incoming kept[GY_STORE_BATCH + 1];
    uint32_t kept_count;
    gy_proviso_report_kind expanded[GY_REACH_PARENTS];
    uint32_t visited; // successors of the state being expanded
    gy_limit_poll pace;
    int32_t endless_edge;
    uint8_t *reached; // statements, by edge
    uint32_t edge_count;
    bool all_reached;
    uint32_t noted_batches; // of transitions, since it was last asked whether all are
    _Atomic uint64_t states, transitions;
    char apart[128]; // from the next member: what one writes, others should not have to fetch again
} gy_reach_member;

typedef struct gy_reach {
    gy_run *run;
    bool depth_first;
    gy_store *store;
    uint32_t most_words;   // of a state that it takes
    bool once;             // it gives new states back until they are forgotten, and no others
    gy_reach_trace *trace; // NULL: ways are not asked for
    gy_reach_disk *disk;   // NULL: all states stay in memory
    gy_reach_member *members;
    unsigned size;
    gy_team team;
    bool solo; // one member works, the others wait or were not started yet
    bool done;
    bool fills_up;          // the store cannot grow: what is under way has to fit, for a checkpoint
    gy_spill_blocks pages;  // what is in blocks
    gy_reach_share *shares; // by member: what is to be expanded
    gy_reach_task chore;    // of the states in them
    uint64_t level, level_states;
    gy_level_proviso proviso; // of this level's candidates
    gy_number_set next;       // when there are candidates: the states of the next level
    gy_number_set full;       // those that failed, of all levels
    gy_reach_blocks failed;   // likewise
    _Atomic bool stop, error, no_memory;
    _Atomic bool unfit; // a state is too long for the store
    _Atomic bool pause; // the store may know better, or a member has nothing left to do
    atomic_flag watch;
} gy_reach;

// ---- reach.c --------------------------------------------------------------------------

uint64_t gy_reach_states(const gy_reach *r);      // found so far
uint64_t gy_reach_transitions(const gy_reach *r); // made so far
void gy_reach_tell_counts(gy_reach *r);           // to the run
void gy_reach_out_of_memory(gy_reach *r);         // the search ends
void gy_reach_too_long(gy_reach *r);              // a state, for the store: likewise

// ---- reach_levels.c -------------------------------------------------------------------

void gy_reach_search(gy_reach *r); // all of it
// The store has no room for a state that is on its way. True: now it has.
bool gy_reach_make_room(gy_reach_member *m);

// ---- reach_expand.c -------------------------------------------------------------------

void gy_reach_begin(gy_reach_member *m); // with the initial states
// Takes pieces of the level, or of what is to be shared, until there are none or others wait.
void gy_reach_explore(gy_reach_member *m);
// Statements that were reached, and faults: `error` is raised if one of these is wanted.
void gy_reach_note_all(gy_reach_member *m, const gy_transition *all, uint32_t count);

// ---- reach_insert.c -------------------------------------------------------------------
// All of these may meet the others, for room.

// A state that nothing more is known of.
void gy_reach_arrive(gy_reach_member *m, const gy_word *state, uint32_t words);
// The successors of the state last given back: those that its reduction keeps, or all;
void gy_reach_arrive_chosen(gy_reach_member *m, gy_ref state, const gy_word *content,
                            uint32_t words, const gy_transition *all, uint32_t count);
// those that a reduction has kept (m->moves.keep), `kept` of them, at most GY_REACH_BATCH; the
// state becomes a candidate if none of them is new;
void gy_reach_arrive_kept(gy_reach_member *m, gy_ref state, const gy_transition *all,
                          uint32_t count, uint32_t kept, gy_proviso_report_kind what);
// and the others.
void gy_reach_arrive_rest(gy_reach_member *m, gy_ref state, const gy_transition *all,
                          uint32_t count);
void gy_reach_take_in(gy_reach_member *m); // the successors of m->parents, of which there are some
void gy_reach_flush(gy_reach_member *m);   // nothing stays under way
// Enters all that are under way, and puts the new ones into the queue; the view is to be cleared.
// False: no room; it is.
bool gy_reach_enter(gy_reach_member *m);
// Are all of them short enough for the store? If not, the search ends.
bool gy_reach_all_fit(gy_reach_member *m, const gy_transition *t, uint32_t count);
// Marks the statements as reached.
void gy_reach_note_steps(gy_reach_member *m, const gy_transition *transitions, uint32_t count);

// ---- reach_queue.c --------------------------------------------------------------------

void gy_reach_init_blocks(gy_reach *r);
// NULL: no memory.
gy_reach_block *gy_reach_new_block(gy_reach_member *m);
// An empty one in the place of m->open, which goes to m->full. NULL: no memory.
gy_reach_block *gy_reach_open_block(gy_reach_member *m);
// Puts a state into a list of blocks.
void gy_reach_put_aside(gy_reach_member *m, gy_reach_blocks *list, gy_ref state, uint32_t number);
// Hands out states of the level; false: there are none left.
bool gy_reach_take(const gy_reach_member *m, gy_reach_range *taken);
// At meetings. States of the level that were not handed out:
uint64_t gy_reach_left(const gy_reach *r);
// Blocks that are used up go back to those who fill them; what is left of the others stays.
void gy_reach_drop_used(gy_reach *r);
// All that was not handed out goes back to those who found it.
void gy_reach_take_back(gy_reach *r);
// They join what is to be expanded, by that member first.
void gy_reach_gather(gy_reach *r, unsigned member, gy_reach_blocks *from);
uint64_t gy_reach_count_states(const gy_reach_blocks *list);
void gy_reach_list_states(gy_reach *r, gy_number_set *set, const gy_reach_blocks *list);
void gy_reach_free_blocks(gy_reach_blocks *list);
void gy_reach_close_block(gy_reach_member *m); // m->open, if there is one, goes to m->full
void gy_reach_reencode_blocks(gy_reach *r);    // all there are

// ---- reach_reduced.c ------------------------------------------------------------------

// Expands a state, which has so many transitions. False: that cannot be done here.
bool gy_reach_expand_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                             uint32_t *count);
bool gy_reach_check_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words);
void gy_reach_take_in_kept(gy_reach_member *m); // what was kept of their successors, if any

// ---- reach_proviso.c ------------------------------------------------------------------

void gy_reach_report_to_proviso(gy_reach_member *m, gy_proviso_report_kind what, gy_ref state);
// Groups that do not lead on, each with what it leads to; all groups are done with.
void gy_reach_note_candidates(gy_reach_member *m);
// Looks at a state again, for candidates that lead to it.
void gy_reach_check(gy_reach_member *m, gy_ref state, const gy_word *content, uint32_t words);
// What was left out when the state last given back was expanded.
void gy_reach_take_rest(gy_reach_member *m, gy_ref state, const gy_word *content, uint32_t words);
bool gy_reach_many_candidates(const gy_reach_member *m); // depth first: too many to go on
// At meetings. What has been seen is heard, and what is to be examined next is gathered:
void gy_reach_gather_candidates(gy_reach *r);
void gy_reach_gather_failed(gy_reach *r);     // when there is nothing
void gy_reach_gather_those_left(gy_reach *r); // without a check: where states are given back once
void gy_reach_list_next_level(gy_reach *r);   // in r->next
bool gy_reach_interrupted(void *reach);       // by a limit or a signal: then the search ends
bool gy_reach_is_full(void *reach, gy_ref state); // a candidate: see gy_level_proviso

// ---- reach_trace.c --------------------------------------------------------------------

void gy_reach_trace_init(gy_reach_trace *trace, gy_run *run);
void gy_reach_trace_free(gy_reach_trace *trace);
// Errors that are reached on the way:
void gy_reach_note_initial_fault(gy_reach_member *m, const gy_transition *transition);
void gy_reach_note_fault(gy_reach_member *m, const gy_transition *transition, uint32_t ordinal,
                         uint64_t cost, const gy_word *state, uint32_t words);
void gy_reach_note_end(gy_reach_member *m, const gy_word *state, uint32_t words); // if it is one
// At meetings.
bool gy_reach_next_traced(gy_reach *r); // false: a level begins, with what was found
void gy_reach_tag_level(gy_reach *r);
void gy_reach_tag_again(gy_reach *r, gy_reach_blocks *list);
void gy_reach_reencode_traced(gy_reach *r, gy_reach_blocks *all); // appends blocks to `all`
// When the search is over: to the run.
void gy_reach_report(gy_reach *r);

// ---- reach_by_cost.c --------------------------------------------------------------------

uint64_t gy_reach_cost_of(const gy_transition *transition); // in executed statements
void gy_reach_expand_traced(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words);
void gy_reach_take_due(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words);

// ---- reach_check.c --------------------------------------------------------------------

// At the end of a search with a reduction that has seen all: see check_reduction.c.
void gy_reach_check_reduction(gy_reach *r);

// ---- reach_file.c ---------------------------------------------------------------------

bool gy_reach_resume(gy_reach *r); // in place of the beginning; false: the run has failed
void gy_reach_write(gy_reach *r);  // at a meeting, nothing being under way

// ---- reach_disk.c ---------------------------------------------------------------------

bool gy_reach_disk_open(gy_reach *r); // if it is asked for; false: there is no memory for it
void gy_reach_disk_close(gy_reach *r);
bool gy_reach_disk_wants(const gy_reach *r); // the store has had as many states as it may
// At meetings. Of the states that were found since the last time, those that are on disk are
// dropped; the others are sure to be new.
void gy_reach_sift(gy_reach *r);
// All states leave the store, but for those that are under way. False: that is of no use.
bool gy_reach_leave(gy_reach *r);
bool gy_reach_unsettled(const gy_reach *r); // the store is, and may learn

// ---- small things for all -------------------------------------------------------------

static inline bool gy_reach_is_up(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static inline void gy_reach_raise(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

// Are states expanded, and those that were found last first?
static inline bool gy_reach_goes_deep(const gy_reach *r)
{
    return r->depth_first && r->chore == GY_REACH_EXPAND;
}

static inline void gy_reach_add_to(_Atomic uint64_t *counter, uint64_t n) // has one writer
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

#endif
