#include "store/pending.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

void gy_pending_inserts_store_init(gy_pending_inserts_store *store, const gy_store_methods *methods,
                                   const gy_store_options *options)
{
    gy_store_init(&store->head, methods, options);
    store->once = options->once;
    if (store->once)
        gy_frontier_init(&store->frontier, options->budget, options->hostile);
}

void gy_pending_inserts_store_free(gy_pending_inserts_store *store)
{
    if (store->once)
        gy_frontier_free(&store->frontier);
}

gy_store_view *gy_pending_inserts_new_view(gy_store *store)
{
    gy_pending_inserts_store *of = (gy_pending_inserts_store *)store;
    gy_pending_inserts *w = gy_alloc_apart(sizeof *w);
    w->head.joins = true;
    if (of->once)
        gy_frontier_view_init(&w->frontier, &of->frontier);
    return &w->head;
}

void gy_pending_inserts_free_view(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    if (w->frontier.of)
        gy_frontier_view_free(&w->frontier);
    gy_vec_free(&w->copies);
    free(w);
}

void gy_pending_inserts_add(gy_store_view *view, const gy_store_parent *parents,
                            uint32_t parent_count, const gy_arrivals *in)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    uint32_t count = parents[parent_count - 1].end;
    for (uint32_t i = 0; i < count; i++) {
        w->states[view->n] = gy_arrival_state(in, i);
        w->words[view->n++] = gy_arrival_words(in, i);
    }
}

void gy_pending_inserts_hold(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    const uint32_t *before = w->copies.at;
    for (uint32_t i = w->held; i < view->n; i++) {
        gy_vec_reserve(&w->copies, w->copies.n + w->words[i] + 1);
        w->copy_at[i] = (uint32_t)w->copies.n;
        if (w->words[i])
            memcpy(w->copies.at + w->copies.n, w->states[i], w->words[i] * sizeof(uint32_t));
        w->copies.n += w->words[i];
    }
    for (uint32_t i = w->copies.at == before ? w->held : 0; i < view->n; i++)
        w->states[i] = w->copies.at + w->copy_at[i];
    w->held = view->n;
}

void gy_pending_inserts_clear(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    w->entered = w->held = 0;
    w->copies.n = 0;
}

const uint32_t *gy_pending_inserts_state(gy_store_view *view, gy_ref ref, uint32_t *words)
{
    const uint32_t *state = gy_frontier_get(&((gy_pending_inserts *)view)->frontier, ref, words);
    if (!state)
        gy_fatal("states that were written to a temporary file cannot be read back");
    return state;
}

void gy_pending_inserts_forget(gy_store_view *view, gy_ref ref)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    if (w->frontier.of)
        gy_frontier_take(&w->frontier, ref);
}

void gy_pending_inserts_tell(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    gy_pending_inserts_store *of = (gy_pending_inserts_store *)view->store;
    atomic_fetch_add_explicit(&of->count, w->told, memory_order_relaxed);
    w->told = 0;
    if (w->frontier.of)
        gy_frontier_close(&w->frontier);
}

bool gy_pending_inserts_put_back(gy_store_view *view, const uint32_t *state, uint32_t words,
                                 gy_ref *ref)
{
    gy_frontier_view *v = &((gy_pending_inserts *)view)->frontier;
    if (!v->of || (!gy_frontier_ready(v, words) &&
                   (!gy_frontier_make_room(v->of) || !gy_frontier_ready(v, words))))
        return false;
    *ref = gy_frontier_put(v, state, words);
    return true;
}

void gy_pending_inserts_is_new(gy_pending_inserts *w, uint32_t i, uint64_t identity)
{
    gy_store_view *view = &w->head;
    view->fresh[view->fresh_count++] = i;
    w->told++;
    view->refs[i] =
        w->frontier.of ? gy_frontier_put(&w->frontier, w->states[i], w->words[i]) : identity;
}
