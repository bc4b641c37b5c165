// What a kind of store implements: the functions that store.h declares. Private to src/store.
//
// Each kind embeds a gy_store as its first member, and a gy_store_view in its views. May be NULL:
// hold (nothing to keep), states, prefetch, forget; state and holds, if it does not give back;
// put_back, if not once; note_at; unsettled, plan, reencode and settle, together; pieces, each and
// empty, likewise. `notes`: enter takes care of all_notes and claim by itself.
#ifndef GYRE_STORE_METHODS_H
#define GYRE_STORE_METHODS_H

#include "store/store.h"

typedef struct gy_store_methods {
    void (*free)(gy_store *store);
    void (*look)(const gy_store *store, gy_store_figures *figures);
    gy_store_view *(*new_view)(gy_store *store);
    void (*free_view)(gy_store_view *view);
    void (*add)(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                const gy_arrivals *arrivals);
    void (*hold)(gy_store_view *view);
    bool (*enter)(gy_store_view *view);
    bool notes;
    void (*clear)(gy_store_view *view);
    const uint32_t *(*state)(gy_store_view *view, gy_ref ref, uint32_t *words);
    void (*states)(gy_store_view *view, const gy_ref *refs, uint32_t count, const uint32_t **states,
                   uint32_t *words);
    void (*prefetch)(gy_store_view *view, const gy_ref *refs, uint32_t count);
    void (*forget)(gy_store_view *view, gy_ref ref);
    bool (*find)(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref);
    void *(*note_at)(gy_store_view *view, gy_ref ref);
    void (*tell)(gy_store_view *view);
    bool (*grow)(gy_store *store, gy_team *team);
    bool (*unsettled)(const gy_store *store);
    bool (*plan)(gy_store *store, gy_team *team);
    gy_ref (*reencode)(gy_store *store, unsigned member, gy_ref ref);
    void (*settle)(gy_store *store);
    uint64_t (*pieces)(const gy_store *store);
    void (*each)(const gy_store *store, uint64_t piece, gy_store_take *take, void *to);
    bool (*empty)(gy_store *store, const gy_ref *stay, uint32_t count, gy_team *team);
    void (*reset)(gy_store *store);
    void (*save)(const gy_store *store, gy_writer *writer);
    bool (*load)(gy_store *store, gy_reader *reader);
    bool (*holds)(const gy_store *store, gy_ref ref);
    bool (*put_back)(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref);
} gy_store_methods;

struct gy_store {
    const gy_store_kind_row *kind;
    const gy_store_methods *methods;
    gy_budget *budget;
    bool alone, hostile, few_successors;
    unsigned note_bytes;
    _Atomic bool room_wanted;
};

// Sets the head of a store up; for constructors.
static inline void gy_store_init(gy_store *store, const gy_store_methods *methods,
                                 const gy_store_options *options)
{
    store->methods = methods;
    store->budget = options->budget;
    store->alone = options->threads <= 1;
    store->hostile = options->hostile;
    store->few_successors = options->few_successors;
    store->note_bytes = options->note_bytes;
}

// There is no room: false, so that it can be returned.
static inline bool gy_store_no_room(gy_store *store)
{
    atomic_store_explicit(&store->room_wanted, true, memory_order_relaxed);
    return false;
}

#endif
