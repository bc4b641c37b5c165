// The reachability search with a reduction: many states are expanded before what was kept of their
// successors is entered, as without one. Where that cannot be had (the store wants the successors
// of one state at a time or gives states back once only, the VM makes them), they arrive one
// state at a time (reach_insert.c).
#include "search/safety/reach_parts.h"

// What may be put off of this state's transitions? As many as `count`: nothing.
static uint32_t choose(gy_reach_member *m, const gy_word *state, uint32_t words,
                       const gy_transition *all, uint32_t count, bool crowd)
{
    if (m->moves.keep.room <= count)
        gy_vec_reserve(&m->moves.keep, (size_t)count + 1);
    uint32_t kept =
        crowd ? gy_reduce_choose_crowd(m->reducer, state, words, all, count, m->moves.keep.at)
              : gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    if (kept <= GY_REACH_BATCH)
        return kept;
    memset(m->moves.keep.at, 1, count);
    return count;
}

// Successors of this state, if they can join those of others. NULL: they cannot.
static const gy_transition *find_joining(gy_reach_member *m, const gy_word *state, uint32_t words,
                                         uint32_t *count)
{
    const gy_transition *all = NULL;
    bool joins = m->view->joins && !m->reach->once;
    if (m->reach->trace && m->view->n) // these have tags already
        gy_reach_flush(m);
    if (m->parent_count && joins)
        all = gy_successors_append(m->worker, state, words, count);
    if (all)
        return all;
    gy_reach_take_in_kept(m); // theirs are about to go
    return joins ? gy_successors_batch(m->worker, state, words, count) : NULL;
}

// Those that are kept are about to join.
static void tag(gy_reach_member *m, uint32_t count)
{
    gy_lineage_from *to = m->tag_of + m->kept_count;
    for (uint32_t i = 0; i < count; i++) {
        *to = (gy_lineage_from){m->tag, i};
        to += m->moves.keep.at[i];
    }
}

// False: there are too many of them.
static bool join(gy_reach_member *m, gy_ref ref, const gy_transition *all, uint32_t count,
                 uint32_t kept, gy_proviso_report_kind what)
{
    const uint8_t *keep = m->moves.keep.at;
    if (kept > GY_STORE_BATCH)
        return false;
    if (m->kept_count + kept > GY_STORE_BATCH)
        gy_reach_take_in_kept(m);
    gy_incoming *to = m->kept + m->kept_count;
    for (uint32_t i = 0; i < count; i++) {
        *to = (gy_incoming){all[i].state, all[i].written, all[i].words};
        to += keep[i];
    }
    if (m->reach->trace)
        tag(m, count);
    m->kept_count += kept;
    m->expanded[m->parent_count] = what;
    m->parents[m->parent_count++] = (gy_store_parent){ref, m->kept_count};
    if (m->parent_count == GY_REACH_PARENTS || m->kept_count >= GY_REACH_BATCH)
        gy_reach_take_in_kept(m);
    return true;
}

// The reduction takes one step of one process, whatever the others can do: that is all to be made.
// False: it has another number of steps, or that cannot be done here.
static bool expand_alone(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                         uint32_t pid)
{
    bool joins = m->view->joins;
    if (!joins)
        gy_reach_take_in_kept(m);
    const gy_transition *t = gy_moves_only(m->worker, state, words, pid, joins && m->parent_count);
    if (!t)
        return false;
    gy_reach_note_steps(m, t, 1);
    m->expanded_reduced++;
    if (!gy_reach_all_fit(m, t, 1))
        return true;
    if (!joins) {
        gy_vec_reserve(&m->moves.keep, 2);
        m->moves.keep.at[0] = 1;
        gy_reach_arrive_kept(m, ref, t, 1, 1, GY_PROVISO_ALONE);
        return true;
    }
    m->kept[m->kept_count++] = (gy_incoming){t->state, t->written, t->words};
    m->expanded[m->parent_count] = GY_PROVISO_ALONE;
    m->parents[m->parent_count++] = (gy_store_parent){ref, m->kept_count};
    if (m->parent_count == GY_REACH_PARENTS || m->kept_count >= GY_REACH_BATCH)
        gy_reach_take_in_kept(m);
    gy_reach_add_to(&m->transitions, 1);
    return true;
}

bool gy_reach_expand_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                             uint32_t *count)
{
    // Which of all its transitions that one is would not be known: no path could be reported by it.
    bool may_skip = !m->reach->once && !m->reach->trace;
    int32_t alone = may_skip ? gy_reduce_alone(m->reducer, state, words) : -1;
    if (alone >= 0 && expand_alone(m, ref, state, words, (uint32_t)alone)) {
        *count = 1;
        return true;
    }
    const gy_transition *all = find_joining(m, state, words, count);
    if (!all)
        return false;
    gy_reach_note_steps(m, all, *count);
    bool crowd = alone < 0 && may_skip;
    uint32_t kept = choose(m, state, words, all, *count, crowd);
    gy_proviso_report_kind what = gy_reduce_chose_alone(m->reducer) ? GY_PROVISO_ALONE
                                  : kept < *count                   ? GY_PROVISO_REDUCED
                                                                    : GY_PROVISO_FULL;
    if (!gy_reach_all_fit(m, all, *count) || !join(m, ref, all, *count, kept, what)) {
        gy_reach_take_in_kept(m);
        return false;
    }
    gy_reach_add_to(&m->transitions, kept);
    m->expanded_reduced += what != GY_PROVISO_FULL;
    m->expanded_fully += what == GY_PROVISO_FULL;
    return true;
}

bool gy_reach_check_joining(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = find_joining(m, state, words, &count);
    if (!all)
        return false;
    uint32_t kept = choose(m, state, words, all, count, false);
    if (kept == count)
        gy_reach_report_to_proviso(m, GY_PROVISO_FULL, ref);
    else
        join(m, ref, all, count, kept, GY_PROVISO_REDUCED);
    return true;
}

// Which arrivals are new: a bit for each.
typedef struct news {
    uint64_t bits[(GY_STORE_BATCH + 63) / 64];
} news;

static inline bool any_new(const news *n, uint32_t from, uint32_t end)
{
    for (; from < end; from++)
        if (n->bits[from / 64] >> from % 64 & 1)
            return true;
    return false;
}

// Those of m->parents that were reduced and lead to nothing new.
static void note_candidates(gy_reach_member *m, uint32_t parents)
{
    const gy_store_view *view = m->view;
    const gy_level_proviso *proviso = &m->reach->proviso;
    bool answers = m->reach->chore == GY_REACH_CHECK; // they will all be remembered
    news fresh = {0};
    uint32_t from = 0;
    for (uint32_t k = 0; k < view->fresh_count; k++)
        fresh.bits[view->fresh[k] / 64] |= (uint64_t)1 << view->fresh[k] % 64;
    for (uint32_t p = 0; p < parents; from = m->parents[p++].end) {
        uint32_t end = m->parents[p].end;
        if (m->expanded[p] == GY_PROVISO_FULL || any_new(&fresh, from, end))
            continue;
        gy_reach_report_to_proviso(m, m->expanded[p], m->parents[p].ref);
        for (uint32_t i = from; i < end; i++) {
            gy_reach_report_to_proviso(m, GY_PROVISO_LEAD, view->refs[i]);
            if (answers)
                gy_level_proviso_expect(proviso, view->refs[i]);
        }
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
    if (m->reducer)
        note_candidates(m, parents);
    gy_store_clear(m->view);
}
