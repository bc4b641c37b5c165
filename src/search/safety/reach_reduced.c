// The reachability search with a reduction: many states are expanded before what was kept of their
// successors is entered, as without one. Where that can't be had (the store wants the successors of
// one state at a time or gives states back once only, the machine makes them, ways are asked for),
// they arrive one state at a time (reach_arrive.c).
#include "search/safety/reach_parts.h"

// What may be put off of this state's transitions? As many as `count`: nothing.
static uint32_t choose(gy_reach_member *m, const gy_word *state, uint32_t words,
                       const gy_transition *all, uint32_t count)
{
    if (m->moves.keep.room <= count)
        gy_vec_reserve(&m->moves.keep, (size_t)count + 1);
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    if (kept <= GY_REACH_BATCH)
        return kept;
    memset(m->moves.keep.at, 1, count);
    return count;
}

// Successors of this state, if they can join those of others. NULL: they can't.
static const gy_transition *find_joining(gy_reach_member *m, const gy_word *state, uint32_t words,
                                         uint32_t *count)
{
    const gy_transition *all = NULL;
    bool joins = m->view->joins && !m->reach->once;
    if (m->parent_count && joins)
        all = gy_successors_append(m->worker, state, words, count);
    if (all)
        return all;
    gy_reach_take_in_kept(m); // theirs are about to go
    return joins ? gy_successors_batch(m->worker, state, words, count) : NULL;
}

static bool all_fit(gy_reach_member *m, const gy_transition *all, uint32_t count)
{
    for (uint32_t i = 0; i < count && m->reach->most_words != UINT32_MAX; i++)
        if (all[i].words > m->reach->most_words) {
            gy_reach_too_long(m->reach);
            return false;
        }
    return true;
}

// False: there are too many of them.
static bool join(gy_reach_member *m, gy_ref ref, const gy_transition *all, uint32_t count,
                 uint32_t kept)
{
    const uint8_t *keep = m->moves.keep.at;
    bool reduced = kept < count;
    if (kept > GY_STORE_BATCH)
        return false;
    if (m->kept_count + kept > GY_STORE_BATCH)
        gy_reach_take_in_kept(m);
    gy_incoming *to = m->kept + m->kept_count;
    for (uint32_t i = 0; i < count; i++) {
        *to = (gy_incoming){all[i].state, all[i].written, all[i].words};
        to += keep[i];
    }
    m->kept_count += kept;
    m->reduced[m->parent_count] = reduced;
    m->parents[m->parent_count++] = (gy_store_parent){ref, m->kept_count};
    if (m->parent_count == GY_REACH_PARENTS || m->kept_count >= GY_REACH_BATCH)
        gy_reach_take_in_kept(m);
    return true;
}

bool gy_reach_expand_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                             uint32_t *count)
{
    const gy_transition *all = find_joining(m, state, words, count);
    if (!all)
        return false;
    gy_reach_note_steps(m, all, *count);
    uint32_t kept = choose(m, state, words, all, *count);
    if (!all_fit(m, all, *count) || !join(m, ref, all, *count, kept)) {
        gy_reach_take_in_kept(m);
        return false;
    }
    gy_reach_add_to(&m->transitions, kept);
    m->expanded_reduced += kept < *count;
    m->expanded_fully += kept == *count;
    return true;
}

bool gy_reach_check_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = find_joining(m, state, words, &count);
    if (!all)
        return false;
    uint32_t kept = choose(m, state, words, all, count);
    if (kept == count)
        gy_reach_report_to_proviso(m, GY_PROVISO_FULL, ref);
    else
        join(m, ref, all, count, kept);
    return true;
}

// Those of m->parents that were reduced and lead to nothing new.
static void note_candidates(gy_reach_member *m, uint32_t parents)
{
    const gy_store_view *view = m->view;
    uint8_t fresh[GY_STORE_BATCH + 1] = {0};
    uint32_t from = 0;
    for (uint32_t k = 0; k < view->fresh_count; k++)
        fresh[view->fresh[k]] = 1;
    for (uint32_t p = 0; p < parents; from = m->parents[p++].end) {
        uint32_t end = m->parents[p].end;
        if (!m->reduced[p] || memchr(fresh + from, 1, end - from))
            continue;
        gy_reach_report_to_proviso(m, GY_PROVISO_REDUCED, m->parents[p].ref);
        for (uint32_t i = from; i < end; i++)
            gy_reach_report_to_proviso(m, GY_PROVISO_LEAD, view->refs[i]);
    }
}

void gy_reach_take_in_kept(gy_reach_member *m)
{
    uint32_t parents = m->parent_count;
    if (!parents)
        return;
    m->parent_count = m->kept_count = 0;
    gy_reach_flush(m); // what came one state at a time
    if (!m->parents[parents - 1].end)
        return;
    gy_store_add(m->view, m->parents, parents, &GY_ARRIVALS(gy_incoming, m->kept));
    if (!gy_reach_enter(m))
        return;
    note_candidates(m, parents);
    gy_store_clear(m->view);
}
