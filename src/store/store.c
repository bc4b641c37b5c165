// The dispatch from store.h to the kinds, and what is the same for all of them.
#include "store/store.h"

#include "store/kinds.h"
#include "store/methods.h"

#include "base/assert.h"

gy_store *gy_store_new(const gy_store_kind_row *kind, const gy_store_options *options)
{
    gy_store *store = kind->make(options);
    if (store)
        store->kind = kind;
    return store;
}

void gy_store_free(gy_store *store)
{
    if (store)
        store->methods->free(store);
}

const gy_store_traits *gy_store_traits_of(const gy_store *store)
{
    return &store->kind->traits;
}

void gy_store_look(const gy_store *store, gy_store_figures *figures)
{
    *figures = (gy_store_figures){.coverage = 1};
    store->methods->look(store, figures);
}

// ---- entering -------------------------------------------------------------------------

gy_store_view *gy_store_view_new(gy_store *store)
{
    gy_store_view *view = store->methods->new_view(store);
    view->methods = store->methods;
    view->store = store;
    return view;
}

void gy_store_view_free(gy_store_view *view)
{
    if (view)
        view->methods->free_view(view);
}

void gy_store_add(gy_store_view *view, const gy_store_parent *parents, uint32_t count,
                  const gy_arrivals *arrivals)
{
    gy_assert(count && view->n + parents[count - 1].end <= GY_STORE_BATCH);
    view->methods->add(view, parents, count, arrivals);
}

void gy_store_add_state(gy_store_view *view, const uint32_t *state, uint32_t words)
{
    gy_store_parent nowhere = {GY_NO_REF, 1};
    gy_incoming arrival = {state, GY_INCOMING_ANY, words};
    gy_arrivals one = GY_ARRIVALS(gy_incoming, &arrival);
    view->methods->add(view, &nowhere, 1, &one);
}

void gy_store_hold(gy_store_view *view)
{
    if (view->methods->hold)
        view->methods->hold(view);
}

// For kinds that leave it to others: all have been entered.
static void look_at_notes(gy_store_view *view)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < view->n; i++) {
        uint64_t note = gy_store_note(view, view->refs[i]), claim = view->claim;
        if (claim && !(note & claim))
            note = gy_store_change_note(view, view->refs[i], 0, claim);
        if (claim && !(note & claim))
            view->fresh[fresh++] = i;
        view->notes[i] = note;
    }
    if (view->claim)
        view->fresh_count = fresh;
}

bool gy_store_enter(gy_store_view *view)
{
    bool fine = view->methods->enter(view);
    if (fine && !view->methods->notes && (view->all_notes || view->claim))
        look_at_notes(view);
    gy_assert(view->fresh_count <= view->n);
    gy_assert(fine || gy_store_wants_room(view->store));
    return fine;
}

void gy_store_clear(gy_store_view *view)
{
    view->methods->clear(view);
    view->n = view->fresh_count = 0;
}

// ---- looking --------------------------------------------------------------------------

const uint32_t *gy_store_state(gy_store_view *view, gy_ref ref, uint32_t *words)
{
    gy_assert(view->methods->state && ref != GY_NO_REF);
    return view->methods->state(view, ref, words);
}

bool gy_store_states(gy_store_view *view, const gy_ref *refs, uint32_t count,
                     const uint32_t **states, uint32_t *words)
{
    if (!view->methods->states)
        return false;
    view->methods->states(view, refs, count, states, words);
    return true;
}

void gy_store_prefetch(gy_store_view *view, const gy_ref *refs, uint32_t count)
{
    if (view->methods->prefetch)
        view->methods->prefetch(view, refs, count);
}

void gy_store_forget(gy_store_view *view, gy_ref ref)
{
    if (view->methods->forget)
        view->methods->forget(view, ref);
}

bool gy_store_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    return view->methods->find(view, state, words, ref);
}

// ---- notes ----------------------------------------------------------------------------

uint64_t gy_store_note(gy_store_view *view, gy_ref ref)
{
    gy_assert(view->store->note_bytes);
    void *at = view->methods->note_at(view, ref);
    switch (view->store->note_bytes) {
    case 1:
        return atomic_load_explicit((_Atomic uint8_t *)at, memory_order_acquire);
    case 2:
        return atomic_load_explicit((_Atomic uint16_t *)at, memory_order_acquire);
    case 4:
        return atomic_load_explicit((_Atomic uint32_t *)at, memory_order_acquire);
    default:
        return atomic_load_explicit((_Atomic uint64_t *)at, memory_order_acquire);
    }
}

void gy_store_set_note(gy_store_view *view, gy_ref ref, uint64_t note)
{
    gy_assert(view->store->note_bytes);
    void *at = view->methods->note_at(view, ref);
    switch (view->store->note_bytes) {
    case 1:
        atomic_store_explicit((_Atomic uint8_t *)at, (uint8_t)note, memory_order_release);
        break;
    case 2:
        atomic_store_explicit((_Atomic uint16_t *)at, (uint16_t)note, memory_order_release);
        break;
    case 4:
        atomic_store_explicit((_Atomic uint32_t *)at, (uint32_t)note, memory_order_release);
        break;
    default:
        atomic_store_explicit((_Atomic uint64_t *)at, note, memory_order_release);
    }
}

// Of a note of one size: see gy_store_change_note and gy_store_swap_note. Who is alone needs no
// more than a load and a store.
#define NOTE_STEPS(type)                                                                           \
    static uint64_t change_##type(_Atomic type *at, type clear, type set, bool alone)              \
    {                                                                                              \
        type before = atomic_load_explicit(at, memory_order_acquire);                              \
        if (alone) {                                                                               \
            atomic_store_explicit(at, (type)((before & (type)~clear) | set),                       \
                                  memory_order_relaxed);                                           \
            return before;                                                                         \
        }                                                                                          \
        while (!atomic_compare_exchange_weak(at, &before, (type)((before & (type)~clear) | set)))  \
            ;                                                                                      \
        return before;                                                                             \
    }                                                                                              \
    static bool swap_##type(_Atomic type *at, uint64_t *expected, type note)                       \
    {                                                                                              \
        type before = (type)*expected;                                                             \
        bool done = atomic_compare_exchange_strong(at, &before, note);                             \
        *expected = before;                                                                        \
        return done;                                                                               \
    }
NOTE_STEPS(uint8_t)
NOTE_STEPS(uint16_t)
NOTE_STEPS(uint32_t)
NOTE_STEPS(uint64_t)

uint64_t gy_store_change_note(gy_store_view *view, gy_ref ref, uint64_t clear, uint64_t set)
{
    void *at = view->methods->note_at(view, ref);
    bool alone = view->store->alone;
    switch (view->store->note_bytes) {
    case 1:
        return change_uint8_t(at, (uint8_t)clear, (uint8_t)set, alone);
    case 2:
        return change_uint16_t(at, (uint16_t)clear, (uint16_t)set, alone);
    case 4:
        return change_uint32_t(at, (uint32_t)clear, (uint32_t)set, alone);
    default:
        gy_assert(view->store->note_bytes == 8);
        return change_uint64_t(at, clear, set, alone);
    }
}

bool gy_store_swap_note(gy_store_view *view, gy_ref ref, uint64_t *expected, uint64_t note)
{
    void *at = view->methods->note_at(view, ref);
    switch (view->store->note_bytes) {
    case 1:
        return swap_uint8_t(at, expected, (uint8_t)note);
    case 2:
        return swap_uint16_t(at, expected, (uint16_t)note);
    case 4:
        return swap_uint32_t(at, expected, (uint32_t)note);
    default:
        gy_assert(view->store->note_bytes == 8);
        return swap_uint64_t(at, expected, note);
    }
}

// ---- meetings -------------------------------------------------------------------------

void gy_store_tell(gy_store_view *view)
{
    view->methods->tell(view);
}

bool gy_store_wants_room(const gy_store *store)
{
    return atomic_load_explicit(&store->room_wanted, memory_order_relaxed);
}

bool gy_store_grow(gy_store *store, gy_team *team)
{
    atomic_store_explicit(&store->room_wanted, false, memory_order_relaxed);
    return store->methods->grow(store, team);
}

bool gy_store_unsettled(const gy_store *store)
{
    return store->methods->unsettled && store->methods->unsettled(store);
}

bool gy_store_plan(gy_store *store, gy_team *team)
{
    return store->methods->plan && store->methods->plan(store, team);
}

gy_ref gy_store_reencode(gy_store *store, unsigned member, gy_ref ref)
{
    return store->methods->reencode(store, member, ref);
}

void gy_store_settle(gy_store *store)
{
    store->methods->settle(store);
}

// ---- leaving --------------------------------------------------------------------------

uint64_t gy_store_pieces(const gy_store *store)
{
    return store->methods->pieces(store);
}

void gy_store_each(const gy_store *store, uint64_t piece, gy_store_take *take, void *to)
{
    store->methods->each(store, piece, take, to);
}

bool gy_store_empty(gy_store *store, const gy_ref *stay, uint32_t count, gy_team *team)
{
    return store->methods->empty(store, stay, count, team);
}

bool gy_store_reset(gy_store *store)
{
    if (!store->methods->reset)
        return false;
    atomic_store_explicit(&store->room_wanted, false, memory_order_relaxed);
    store->methods->reset(store);
    return true;
}

// ---- files ----------------------------------------------------------------------------

void gy_store_save(const gy_store *store, gy_writer *writer)
{
    store->methods->save(store, writer);
}

bool gy_store_load(gy_store *store, gy_reader *reader)
{
    return store->methods->load(store, reader);
}

bool gy_store_holds(const gy_store *store, gy_ref ref)
{
    return store->methods->holds && store->methods->holds(store, ref);
}

bool gy_store_put_back(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    gy_ref identity;
    return view->methods->put_back && gy_store_find(view, state, words, &identity) &&
           view->methods->put_back(view, state, words, ref);
}
