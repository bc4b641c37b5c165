// States under way in the views of stores that do not keep them: where they are, how long they are,
// and copies of those whose memory goes away. Private to src/store.
#ifndef GYRE_STORE_WAITING_H
#define GYRE_STORE_WAITING_H

#include "store/frontier.h"
#include "store/methods.h"

typedef struct gy_waiting {
    gy_store_view head;
    uint32_t entered; // the first ones
    uint32_t held;    // likewise: these are copies
    const uint32_t *states[GY_STORE_BATCH];
    uint32_t words[GY_STORE_BATCH], copy_at[GY_STORE_BATCH];
    uint64_t hashes[GY_STORE_BATCH]; // for the kind to fill in
    GY_VEC(uint32_t) copies;
    gy_frontier_view frontier;
    uint64_t told; // new states not yet told
} gy_waiting;

// The head of stores whose views begin with that.
typedef struct gy_waiting_store {
    gy_store head;
    bool once; // states are given back once
    gy_frontier frontier;
    _Atomic uint64_t count;
} gy_waiting_store;

void gy_waiting_store_init(gy_waiting_store *store, const gy_store_methods *methods,
                           const gy_store_options *options);
void gy_waiting_store_free(gy_waiting_store *store); // what is inside

// Methods for such kinds.
gy_store_view *gy_waiting_new_view(gy_store *store);
void gy_waiting_free_view(gy_store_view *view);
// Notes them down; the kind hashes them.
void gy_waiting_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                    const gy_arrivals *in);
void gy_waiting_hold(gy_store_view *view);
void gy_waiting_clear(gy_store_view *view);
const uint32_t *gy_waiting_state(gy_store_view *view, gy_ref ref, uint32_t *words);
void gy_waiting_forget(gy_store_view *view, gy_ref ref);
void gy_waiting_tell(gy_store_view *view);
bool gy_waiting_put_back(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref);
// Before arrival i is entered: can it be kept for its expansion? False: no room.
static inline bool gy_waiting_ready(gy_waiting *w, uint32_t i)
{
    return !w->frontier.of || gy_frontier_ready(&w->frontier, w->words[i]);
}
// Arrival i is new; `identity` is its reference if states are not given back.
void gy_waiting_is_new(gy_waiting *w, uint32_t i, uint64_t identity);

#endif
