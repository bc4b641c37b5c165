// The dispatch from store.h to the kinds.
#include "store/store.h"

#include "store/kind.h"

void gy_store_free(gy_store *store)
{
    if (store)
        store->kind->free(store);
}

const gy_store_traits *gy_store_traits_of(const gy_store *store)
{
    return &store->kind->traits;
}

void gy_store_look(const gy_store *store, gy_store_figures *figures)
{
    *figures = (gy_store_figures){.coverage = 1};
    store->kind->look(store, figures);
}

gy_store_view *gy_store_view_new(gy_store *store)
{
    gy_store_view *view = store->kind->new_view(store);
    view->kind = store->kind;
    view->store = store;
    return view;
}

void gy_store_view_free(gy_store_view *view)
{
    if (view)
        view->kind->free_view(view);
}

bool gy_store_prepare(gy_store_view *view, const uint32_t *state, uint32_t words, gy_key *key)
{
    return view->kind->prepare(view, state, words, key);
}

void gy_store_rekey(gy_store_view *view, gy_key *key, const uint32_t *state)
{
    view->kind->rekey(view, key, state);
}

void gy_store_warm(gy_store_view *view, const gy_key *key)
{
    if (view->kind->warm)
        view->kind->warm(view, key);
}

gy_store_answer gy_store_enter(gy_store_view *view, const gy_key *key, const uint32_t *state,
                               uint64_t *id)
{
    return view->kind->enter(view, key, state, id);
}

static uint32_t enter_one_by_one(gy_store_view *view, gy_store_entry *entries, uint32_t count)
{
    uint32_t prepared = 0, entered = 0;
    while (prepared < count &&
           gy_store_prepare(view, entries[prepared].state, entries[prepared].key.words,
                            &entries[prepared].key))
        prepared++;
    for (uint32_t i = 0; i < prepared; i++)
        gy_store_warm(view, &entries[i].key);
    while (entered < prepared &&
           gy_store_enter(view, &entries[entered].key, entries[entered].state,
                          &entries[entered].id) != GY_STORE_FULL)
        entered++;
    return entered;
}

uint32_t gy_store_enter_all(gy_store_view *view, gy_store_entry *entries, uint32_t count)
{
    return view->kind->enter_all ? view->kind->enter_all(view, entries, count)
                                 : enter_one_by_one(view, entries, count);
}

bool gy_store_has(gy_store_view *view, const gy_key *key, const uint32_t *state, uint64_t *id)
{
    uint64_t unused;
    return view->kind->has(view, key, state, id ? id : &unused);
}

const uint32_t *gy_store_state(gy_store_view *view, uint64_t id, uint32_t *words)
{
    return view->kind->state(view, id, words);
}

bool gy_store_unsettled(const gy_store *store)
{
    return store->kind->unsettled && store->kind->unsettled(store);
}

bool gy_store_plan(gy_store_view *view)
{
    return view->kind->plan && view->kind->plan(view);
}

const uint32_t *gy_store_spell(gy_store_view *view, const gy_key *key)
{
    return view->kind->spell(view, key);
}

void gy_store_rename(gy_store_view *view)
{
    view->kind->rename(view);
}

void gy_store_save(const gy_store *store, gy_writer *writer)
{
    store->kind->save(store, writer);
}

bool gy_store_load(gy_store *store, gy_reader *reader)
{
    return store->kind->load(store, reader);
}
