// The dispatch from store.h to the kinds.
#include "store/numbered/numbered.h"

#include "store/numbered/kind.h"

void gy_numbered_free(gy_numbered *store)
{
    if (store)
        store->kind->free(store);
}

const gy_numbered_traits *gy_numbered_traits_of(const gy_numbered *store)
{
    return &store->kind->traits;
}

void gy_numbered_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    *figures = (gy_numbered_figures){.coverage = 1};
    store->kind->look(store, figures);
}

gy_numbered_view *gy_numbered_view_new(gy_numbered *store)
{
    gy_numbered_view *view = store->kind->new_view(store);
    view->kind = store->kind;
    view->store = store;
    return view;
}

void gy_numbered_view_free(gy_numbered_view *view)
{
    if (view)
        view->kind->free_view(view);
}

bool gy_numbered_prepare(gy_numbered_view *view, const uint32_t *state, uint32_t words, gy_key *key)
{
    return view->kind->prepare(view, state, words, key);
}

void gy_numbered_rekey(gy_numbered_view *view, gy_key *key, const uint32_t *state)
{
    view->kind->rekey(view, key, state);
}

void gy_numbered_warm(gy_numbered_view *view, const gy_key *key)
{
    if (view->kind->warm)
        view->kind->warm(view, key);
}

gy_numbered_answer gy_numbered_enter(gy_numbered_view *view, const gy_key *key,
                                     const uint32_t *state, uint64_t *id)
{
    return view->kind->enter(view, key, state, id);
}

static uint32_t enter_one_by_one(gy_numbered_view *view, gy_numbered_entry *entries, uint32_t count)
{
    uint32_t prepared = 0, entered = 0;
    while (prepared < count &&
           gy_numbered_prepare(view, entries[prepared].state, entries[prepared].key.words,
                               &entries[prepared].key))
        prepared++;
    for (uint32_t i = 0; i < prepared; i++)
        gy_numbered_warm(view, &entries[i].key);
    while (entered < prepared &&
           gy_numbered_enter(view, &entries[entered].key, entries[entered].state,
                             &entries[entered].id) != GY_NUMBERED_FULL)
        entered++;
    return entered;
}

uint32_t gy_numbered_enter_all(gy_numbered_view *view, gy_numbered_entry *entries, uint32_t count)
{
    return view->kind->enter_all ? view->kind->enter_all(view, entries, count)
                                 : enter_one_by_one(view, entries, count);
}

bool gy_numbered_has(gy_numbered_view *view, const gy_key *key, const uint32_t *state, uint64_t *id)
{
    uint64_t unused;
    return view->kind->has(view, key, state, id ? id : &unused);
}

const uint32_t *gy_numbered_state(gy_numbered_view *view, uint64_t id, uint32_t *words)
{
    return view->kind->state(view, id, words);
}

bool gy_numbered_unsettled(const gy_numbered *store)
{
    return store->kind->unsettled && store->kind->unsettled(store);
}

bool gy_numbered_plan(gy_numbered_view *view)
{
    return view->kind->plan && view->kind->plan(view);
}

const uint32_t *gy_numbered_spell(gy_numbered_view *view, const gy_key *key)
{
    return view->kind->spell(view, key);
}

void gy_numbered_rename(gy_numbered_view *view)
{
    view->kind->rename(view);
}

void gy_numbered_save(const gy_numbered *store, gy_writer *writer)
{
    store->kind->save(store, writer);
}

bool gy_numbered_load(gy_numbered *store, gy_reader *reader)
{
    return store->kind->load(store, reader);
}
