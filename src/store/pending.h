// States under way in the views of stores that do not keep them: where they are, how long they are,
// and copies of those whose memory goes away. Private to src/store.
#ifndef GYRE_STORE_PENDING_H
#define GYRE_STORE_PENDING_H

#include "store/frontier.h"
#include "store/methods.h"

typedef struct gy_pending_inserts {
    gy_store_view head;
    uint32_t entered; // the first ones
    uint32_t held;    // likewise: these are copies
    const uint32_t *states[GY_STORE_BATCH];
    uint32_t words[GY_STORE_BATCH], copy_at[GY_STORE_BATCH];
    uint64_t hashes[GY_STORE_BATCH]; // for the kind to fill in
    GY_VEC(uint32_t) copies;
    gy_frontier_view frontier;
    uint64_t told; // new states not yet reported
} gy_pending_inserts;

// The head of stores whose views begin with that.
typedef struct gy_pending_inserts_store {
    gy_store head;
    bool once; // states are given back once
    gy_frontier frontier;
    _Atomic uint64_t count;
} gy_pending_inserts_store;

void gy_pending_inserts_store_init(gy_pending_inserts_store *store, const gy_store_methods *methods,
                                   const gy_store_options *options);
void gy_pending_inserts_store_free(gy_pending_inserts_store *store); // what is inside

// Methods for such kinds.
gy_store_view *gy_pending_inserts_new_view(gy_store *store);
void gy_pending_inserts_free_view(gy_store_view *view);
// Notes them down; the kind hashes them.
void gy_pending_inserts_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                            const gy_arrivals *in);
void gy_pending_inserts_hold(gy_store_view *view);
void gy_pending_inserts_clear(gy_store_view *view);
const uint32_t *gy_pending_inserts_state(gy_store_view *view, gy_ref ref, uint32_t *words);
void gy_pending_inserts_forget(gy_store_view *view, gy_ref ref);
void gy_pending_inserts_tell(gy_store_view *view);
bool gy_pending_inserts_put_back(gy_store_view *view, const uint32_t *state, uint32_t words,
                                 gy_ref *ref);
// Before arrival i is entered: can it be kept for its expansion? False: no room.
static inline bool gy_pending_inserts_ready(gy_pending_inserts *w, uint32_t i)
{
    return !w->frontier.of || gy_frontier_ready(&w->frontier, w->words[i]);
}
// Arrival i is new; `identity` is its reference if states are not given back.
void gy_pending_inserts_is_new(gy_pending_inserts *w, uint32_t i, uint64_t identity);

#endif
