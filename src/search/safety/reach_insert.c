// The reachability search: states arrive at the store, and those that are new go to the queue.
//
// States that arrive are under way in the store's view, up to a batch of them, before they are
// entered, so that what has to be fetched for one is fetched while others are examined.
//
// With a reduction, those that were kept of the successors of a state are a group until they are
// entered. A group none of which is new makes its state a candidate.
#include "search/safety/reach_parts.h"

// An arrival is new.
static inline void keep(gy_reach_member *m, gy_ref ref, uint32_t arrival)
{
    gy_reach_block *b = m->open;
    if (!b || b->n == GY_REACH_BLOCK) {
        b = gy_reach_open_block(m);
        if (!b) {
            gy_reach_out_of_memory(m->reach);
            return;
        }
    }
    if (m->reach->trace)
        b->tags[b->n] = m->tag_of[arrival];
    b->at[b->n++] = ref;
}

static void note_groups(gy_reach_member *m)
{
    const gy_store_view *view = m->view;
    for (uint32_t k = 0; k < view->fresh_count; k++) {
        uint32_t group = m->group_of[view->fresh[k]];
        if (group)
            m->groups.at[group - 1].leads_on = true;
    }
    for (uint32_t i = 0; i < view->n; i++)
        if (m->group_of[i])
            gy_vec_push(&m->leads, ((gy_reach_lead){m->group_of[i], view->refs[i]}));
}

bool gy_reach_enter(gy_reach_member *m)
{
    gy_store_view *view = m->view;
    while (!gy_store_enter(view))
        if (!gy_reach_make_room(m)) {
            gy_store_clear(view);
            return false;
        }
    if (gy_reach_disk_wants(m->reach) && !gy_reach_make_room(m)) {
        gy_store_clear(view);
        return false;
    }
    gy_reach_add_to(&m->states, view->fresh_count);
    for (uint32_t k = 0; k < view->fresh_count; k++)
        keep(m, view->refs[view->fresh[k]], view->fresh[k]);
    return true;
}

// All that are under way are entered.
static void enter(gy_reach_member *m)
{
    if (!gy_reach_enter(m))
        return;
    if (m->groups.n)
        note_groups(m);
    gy_store_clear(m->view);
}

void gy_reach_flush(gy_reach_member *m)
{
    if (m->parent_count && (m->reducer || m->reach->trace))
        gy_reach_take_in_kept(m);
    else if (m->parent_count)
        gy_reach_take_in(m);
    if (m->view->n)
        enter(m);
    if (m->groups.n)
        gy_reach_note_candidates(m);
}

void gy_reach_arrive(gy_reach_member *m, const gy_word *state, uint32_t words)
{
    if (m->view->n >= GY_REACH_BATCH)
        gy_reach_flush(m);
    if (words > m->reach->most_words) {
        gy_reach_too_long(m->reach);
        return;
    }
    m->group_of[m->view->n] = 0;
    m->tag_of[m->view->n] = (gy_lineage_from){m->tag, m->visited - 1};
    gy_store_add_state(m->view, state, words);
    gy_store_hold(m->view);
}

bool gy_reach_all_fit(gy_reach_member *m, const gy_transition *t, uint32_t count)
{
    uint32_t most = m->reach->most_words, longest = 0;
    if (most == UINT32_MAX)
        return true;
    for (uint32_t i = 0; i < count; i++)
        longest = t[i].words > longest ? t[i].words : longest;
    if (longest <= most)
        return true;
    gy_reach_too_long(m->reach);
    return false;
}

// Successors of the same states, more than fit into the store's view at once.
static void take_in_portions(gy_reach_member *m, const gy_transition *t, uint32_t parents)
{
    gy_store_parent some[GY_REACH_PARENTS];
    uint32_t from = 0, n = 0, count = m->parents[parents - 1].end;
    for (uint32_t k = 0; k < parents && !gy_reach_is_up(&m->reach->stop);) {
        uint32_t left = count - from, room = GY_STORE_BATCH - m->view->n;
        uint32_t to = from + (left < room ? left : room);
        uint32_t end = m->parents[k].end < to ? m->parents[k].end : to;
        some[n++] = (gy_store_parent){m->parents[k].ref, end - from};
        k += end == m->parents[k].end;
        if (end < to)
            continue;
        gy_store_add(m->view, some, n, &GY_ARRIVALS(gy_transition, t + from));
        enter(m);
        from = to;
        n = 0;
    }
}

void gy_reach_take_in(gy_reach_member *m)
{
    const gy_transition *t = m->successors;
    uint32_t parents = m->parent_count, count = m->parents[parents - 1].end;
    m->parent_count = 0;
    gy_reach_add_to(&m->transitions, count);
    gy_reach_note_steps(m, t, count);
    if (!count || !gy_reach_all_fit(m, t, count))
        return;
    if (__builtin_expect(m->view->n + count > GY_STORE_BATCH, 0)) {
        take_in_portions(m, t, parents);
    } else {
        gy_store_add(m->view, m->parents, parents, &GY_ARRIVALS(gy_transition, t));
        enter(m);
    }
}

static void add_some(gy_reach_member *m, gy_ref parent, const gy_incoming *some, uint32_t *n)
{
    if (*n)
        gy_store_add(m->view, &(gy_store_parent){parent, *n}, 1, &GY_ARRIVALS(gy_incoming, some));
    *n = 0;
}

// The successors of the state being expanded; `kept` is NULL or says for each what
// it is; those that are `what` are wanted.
static void arrive_those(gy_reach_member *m, gy_ref parent, const gy_transition *all,
                         uint32_t count, const uint8_t *kept, uint8_t what, uint32_t of_group)
{
    gy_incoming some[GY_STORE_BATCH];
    uint32_t n = 0, taken = 0;
    for (uint32_t i = 0; i < count && !gy_reach_is_up(&m->reach->stop); i++) {
        if ((kept && kept[i] != what) || !all[i].state || !gy_reach_all_fit(m, &all[i], 1))
            continue;
        if (m->view->n + n == GY_STORE_BATCH) {
            add_some(m, parent, some, &n);
            enter(m);
        }
        m->group_of[m->view->n + n] = of_group;
        m->tag_of[m->view->n + n] = (gy_lineage_from){m->tag, i};
        some[n++] = (gy_incoming){all[i].state, all[i].written, all[i].words};
        taken++;
    }
    gy_reach_add_to(&m->transitions, taken);
    add_some(m, parent, some, &n);
    gy_store_hold(m->view); // the states will go away
    if (m->view->n >= GY_REACH_BATCH)
        gy_reach_flush(m);
}

void gy_reach_arrive_kept(gy_reach_member *m, gy_ref state, const gy_transition *all,
                          uint32_t count, uint32_t kept, gy_proviso_report_kind what)
{
    if (m->view->n + kept > GY_REACH_BATCH)
        gy_reach_flush(m);
    gy_vec_push(&m->groups, ((gy_reach_group){state, m->tag, false, what}));
    arrive_those(m, state, all, count, m->moves.keep.at, 1, (uint32_t)m->groups.n);
}

void gy_reach_arrive_chosen(gy_reach_member *m, gy_ref state, const gy_word *content,
                            uint32_t words, const gy_transition *all, uint32_t count)
{
    uint32_t kept = gy_reduce_choose(m->reducer, content, words, all, count, m->moves.keep.at);
    bool alone = gy_reduce_chose_alone(m->reducer);
    if ((kept == count && !alone) || kept > GY_REACH_BATCH) {
        m->expanded_fully++;
        arrive_those(m, state, all, count, NULL, 0, 0);
        gy_store_forget(m->view, state);
    } else {
        m->expanded_reduced++;
        gy_reach_arrive_kept(m, state, all, count, kept,
                             alone ? GY_PROVISO_ALONE : GY_PROVISO_REDUCED);
    }
}

void gy_reach_arrive_rest(gy_reach_member *m, gy_ref state, const gy_transition *all,
                          uint32_t count)
{
    arrive_those(m, state, all, count, m->moves.keep.at, 0, 0);
}

static void note_step(gy_reach_member *m, const gy_step *step)
{
    if ((uint32_t)step->edge < m->edge_count)
        m->reached[step->edge] = 1;
    if ((uint32_t)step->partner_edge < m->edge_count)
        m->reached[step->partner_edge] = 1;
}

// Most transitions are one step of one process, and most searches reach all statements soon.
void gy_reach_note_steps(gy_reach_member *m, const gy_transition *t, uint32_t count)
{
    enum { NOW_AND_THEN = 512 };
    uint8_t *reached = m->reached; // copies: in registers
    uint32_t edge_count = m->edge_count;
    if (m->all_reached)
        return;
    if (++m->noted_batches == NOW_AND_THEN) {
        m->noted_batches = 0;
        m->all_reached = !memchr(reached, 0, edge_count);
    }
    for (const gy_transition *end = t + count; t < end; t++) {
        const gy_step *step = t->steps;
        if (__builtin_expect(t->step_count == 1 && step->partner_edge < 0 &&
                                 (uint32_t)step->edge < edge_count,
                             1))
            reached[step->edge] = 1;
        else
            for (uint32_t i = 0; i < t->step_count; i++)
                note_step(m, &t->steps[i]);
    }
}
