// What depth-first searches have in common that keep only their path as states, and what they have
// seen as hashes: the path, and the table of hashes. Private to src/search.
//
// What else can be done in a state on the path is found again when the search comes back there. A
// state may be taken for another one with the same hash, so such a search proves nothing.
//
// One thread at a time. Owner: gy_hashed_dfs_free; memory is counted by the budget that is given.
#ifndef GYRE_SEARCH_HASHED_DFS_H
#define GYRE_SEARCH_HASHED_DFS_H

#include "base/number_set.h"
#include "search/run.h"

typedef struct gy_hashed_dfs_frame {
    uint64_t begin;   // of its state, in `words`
    uint64_t cost;    // of the path to it
    uint32_t words;   // of its state
    uint32_t ordinal; // of the transition that is being explored
    bool looked;      // it was expanded before
    bool done;        // no other transition led to anything unseen then
} gy_hashed_dfs_frame;

typedef struct gy_hashed_dfs {
    gy_budget *budget;
    gy_region frames, words;
    gy_number_set seen; // hashes, less one
    uint64_t depth;     // frames; the first is no state: it holds the initial ones
    uint64_t top;       // words of the states on the path
    // While a state is expanded: how many of its successors are unseen, and the one to be taken.
    uint32_t unseen, chosen;
    uint64_t chosen_key, chosen_hash, chosen_cost;
    GY_VEC(gy_word) next;
} gy_hashed_dfs;

void gy_hashed_dfs_init(gy_hashed_dfs *descent, gy_budget *budget);
void gy_hashed_dfs_free(gy_hashed_dfs *descent);
// Begins, or begins again: nothing was seen, and the path is the first frame. False: no memory.
bool gy_hashed_dfs_begin(gy_hashed_dfs *descent);

static inline gy_hashed_dfs_frame *gy_hashed_dfs_top(const gy_hashed_dfs *descent)
{
    return (gy_hashed_dfs_frame *)descent->frames.at + descent->depth - 1;
}

static inline const gy_word *gy_hashed_dfs_state(const gy_hashed_dfs *descent,
                                                 const gy_hashed_dfs_frame *frame)
{
    return (const gy_word *)descent->words.at + frame->begin;
}

// False: no memory.
bool gy_hashed_dfs_push(gy_hashed_dfs *descent, const gy_word *state, uint32_t words,
                        uint64_t cost);
void gy_hashed_dfs_pop(gy_hashed_dfs *descent);
// Adds the path to the state of the top frame, and one transition more if ordinal >= 0.
void gy_hashed_dfs_path(const gy_hashed_dfs *descent, int64_t ordinal, gy_route *way);

// A step: gy_hashed_dfs_look, then the code that expands the state of the top frame offers what was
// not seen of its successors, then gy_hashed_dfs_go.
//
// False: it is known from before that there is nothing more; the search has gone back.
bool gy_hashed_dfs_look(gy_hashed_dfs *descent);
// An unseen successor. That with the least key is taken, the first of several with the same.
void gy_hashed_dfs_offer(gy_hashed_dfs *descent, const gy_transition *move, uint32_t ordinal,
                         uint64_t hash, uint64_t key, uint64_t cost);
// To the one to be taken, which is marked as seen if `mark`, or back if there is none. False: no
// memory.
bool gy_hashed_dfs_go(gy_hashed_dfs *descent, bool mark);

// Hashes are not 0. False: no memory.
static inline bool gy_hashed_dfs_has_seen(const gy_hashed_dfs *descent, uint64_t hash)
{
    return gy_number_set_has(&descent->seen, hash - 1);
}

bool gy_hashed_dfs_mark(gy_hashed_dfs *descent, uint64_t hash);
// It will be asked for soon.
static inline void gy_hashed_dfs_prefetch(const gy_hashed_dfs *descent, uint64_t hash)
{
    gy_number_set_expect(&descent->seen, hash - 1);
}

#endif
