// The search over ranks: states arrive at the store or are sent to the rank that they belong to.
#include "dist/mpi/rank_parts.h"

#include "base/assert.h"

// ---- here -----------------------------------------------------------------------------

static void keep(gy_rank_member *m, uint32_t arrival)
{
    gy_rank_list *list = &m->found;
    bool traced = m->search->trace != NULL;
    size_t refs = (list->n + 1) * sizeof(gy_ref), from = (list->n + 1) * sizeof(gy_rank_from);
    if ((refs > list->refs.room && !gy_region_reserve(&list->refs, refs)) ||
        (traced && from > list->from.room && !gy_region_reserve(&list->from, from))) {
        gy_rank_out_of_memory(m->search);
        return;
    }
    if (traced)
        ((gy_rank_from *)list->from.at)[list->n] = m->from_of[arrival];
    ((gy_ref *)list->refs.at)[list->n++] = m->view->refs[arrival];
}

// All that are under way are entered.
static void enter(gy_rank_member *m)
{
    gy_store_view *view = m->view;
    while (!gy_store_enter(view))
        if (!gy_rank_make_room(m)) {
            gy_store_clear(view);
            return;
        }
    gy_rank_add_to(&m->states, view->fresh_count);
    for (uint32_t k = 0; k < view->fresh_count; k++)
        keep(m, view->fresh[k]);
    if (m->groups.n)
        gy_rank_note_groups(m);
    if (m->product && !m->search->trace)
        gy_rank_note_arrivals(m);
    gy_store_clear(view);
}

void gy_rank_flush(gy_rank_member *m)
{
    if (m->parent_count)
        gy_rank_take_in(m);
    if (m->view->n)
        enter(m);
    if (m->groups.n)
        gy_rank_end_groups(m);
}

static bool fits(gy_rank_member *m, uint32_t words)
{
    if (words <= m->search->most_words)
        return true;
    gy_rank_too_long(m->search);
    return false;
}

// ---- elsewhere ------------------------------------------------------------------------

static void send_batch(gy_rank_member *m, unsigned to)
{
    gy_packer *p = &m->out[to];
    gy_exchange_send(&m->search->exchange, to, p->bytes.at, (uint32_t)p->bytes.n, p->count);
    gy_packer_begin(p, GY_EXCHANGE_HEAD);
}

void gy_rank_send(gy_rank_member *m, unsigned to, const gy_word *state, uint32_t words,
                  const uint64_t *tags, unsigned tag_count)
{
    gy_packer *p = &m->out[to];
    if (!p->count)
        gy_packer_begin(p, GY_EXCHANGE_HEAD);
    gy_packer_add(p, state, words, tags, tag_count);
    if (p->bytes.n >= GY_RANK_BYTES)
        send_batch(m, to);
}

// Was this very state sent not long ago? Then it is known there, at no greater cost.
bool gy_rank_was_sent(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    uint64_t hash = gy_hash_state(state, words);
    uint32_t slot = (uint32_t)(hash % GY_RANK_RECENT), **kept = &m->recent_state[slot];
    if (*kept && m->recent[slot] == hash && (*kept)[0] == words &&
        (!words || !memcmp(*kept + 1, state, words * sizeof *state)))
        return true;
    if (!*kept || (*kept)[0] < words || (*kept)[0] > 2 * words + 8)
        *kept = gy_realloc(*kept, (words + (size_t)1) * sizeof **kept);
    m->recent[slot] = hash;
    (*kept)[0] = words;
    if (words)
        memcpy(*kept + 1, state, words * sizeof *state);
    return false;
}

static void send_state(gy_rank_member *m, unsigned to, const gy_word *state, uint32_t words,
                       uint64_t number, uint32_t ordinal)
{
    uint64_t tags[GY_PACKING_TAGS] = {number, ordinal};
    // Where few states are sent, few of them are sent again soon: looking costs more than it saves.
    if (m->search->owner->forms || !gy_rank_was_sent(m, state, words))
        gy_rank_send(m, to, state, words, tags, m->search->tags);
}

void gy_rank_send_rest(gy_rank_member *m)
{
    for (unsigned i = 0; i < m->search->transport->size; i++)
        if (m->out[i].count)
            send_batch(m, i);
}

// ---- successors -----------------------------------------------------------------------

static gy_rank_from from_here(const gy_rank_member *m, uint64_t number, uint32_t ordinal)
{
    uint64_t rank = m->search->transport->rank;
    return (gy_rank_from){rank << GY_RANK_NUMBER_BITS | number, ordinal};
}

void gy_rank_arrive(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    unsigned owner = gy_rank_owner(m->search, state, words);
    if (!fits(m, words))
        return;
    if (owner != m->search->transport->rank) {
        send_state(m, owner, state, words, m->number, m->visited - 1);
        return;
    }
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
    m->from_of[m->view->n] = from_here(m, m->number, m->visited - 1);
    m->group_of[m->view->n] = 0;
    gy_store_add_state(m->view, state, words);
    gy_store_hold(m->view);
}

static void add_some(gy_rank_member *m, const gy_store_parent *parents, uint32_t count, uint32_t *n)
{
    if (*n)
        gy_store_add(m->view, parents, count, &GY_ARRIVALS(gy_incoming, m->some));
    *n = 0;
}

// One successor: it joins m->some, or is sent. True: it is in m->some.
static inline bool sort_out(gy_rank_member *m, const gy_transition *t, uint64_t number,
                            uint32_t ordinal, uint32_t n)
{
    if (!fits(m, t->words))
        return false;
    if (!gy_owner_stays(m->search->owner, t->written, t->words)) {
        unsigned owner = gy_rank_owner(m->search, t->state, t->words);
        if (owner != m->search->transport->rank) {
            send_state(m, owner, t->state, t->words, number, ordinal);
            return false;
        }
    }
    if (m->search->trace)
        m->from_of[m->view->n + n] = from_here(m, number, ordinal);
    m->group_of[m->view->n + n] = m->group;
    m->some[n] = (gy_incoming){t->state, t->written, t->words};
    return true;
}

void gy_rank_arrive_some(gy_rank_member *m, gy_ref parent, const gy_transition *all, uint32_t count,
                         const uint8_t *skip)
{
    uint32_t n = 0, taken = 0;
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
    for (uint32_t i = 0; i < count && !gy_rank_is_up(&m->search->stop); i++) {
        if ((skip && skip[i]) || !all[i].state)
            continue;
        if (m->view->n + n == GY_STORE_BATCH) {
            add_some(m, &(gy_store_parent){parent, n}, 1, &n);
            enter(m);
        }
        n += sort_out(m, &all[i], m->number, i, n);
        taken++;
    }
    gy_rank_add_to(&m->transitions, taken);
    add_some(m, &(gy_store_parent){parent, n}, 1, &n);
    gy_store_hold(m->view);
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
}

void gy_rank_take_in(gy_rank_member *m)
{
    const gy_transition *t = m->successors;
    uint32_t parents = m->parent_count, count = m->parents[parents - 1].end;
    uint32_t n = 0, from = 0, used = 0;
    gy_store_parent here[GY_RANK_BATCH];
    m->parent_count = 0;
    gy_rank_add_to(&m->transitions, count);
    gy_rank_note_steps(m, t, count);
    for (uint32_t k = 0; k < parents && !gy_rank_is_up(&m->search->stop); k++) {
        for (uint32_t i = from; i < m->parents[k].end; i++) {
            if (m->view->n + n == GY_STORE_BATCH) {
                here[used++] = (gy_store_parent){m->parents[k].ref, n};
                add_some(m, here, used, &n);
                used = 0;
                enter(m);
            }
            n += sort_out(m, &t[i], m->numbers[k], i - from, n);
        }
        from = m->parents[k].end;
        here[used++] = (gy_store_parent){m->parents[k].ref, n};
    }
    add_some(m, here, used, &n);
    if (m->view->n)
        enter(m);
}

// ---- from elsewhere -------------------------------------------------------------------

// Some of a batch: as many as are under way at once. False: it was the last of it.
static bool receive_some(gy_rank_member *m, unsigned from)
{
    uint64_t tags[GY_PACKING_TAGS], rank = from;
    uint32_t n = 0, words[GY_STORE_BATCH];
    size_t used = 0;
    bool more = true;
    while (n < GY_STORE_BATCH && (more = gy_unpacker_next(&m->in, tags, m->search->tags))) {
        if (m->product && !gy_rank_admit(m, m->in.state.at, m->in.words, tags[0], n))
            continue;
        gy_vec_reserve(&m->arrived, used + m->in.words + 1);
        if (m->in.words)
            memcpy(m->arrived.at + used, m->in.state.at, m->in.words * sizeof *m->arrived.at);
        used += m->in.words;
        if (m->search->trace)
            m->from_of[n] =
                (gy_rank_from){rank << GY_RANK_NUMBER_BITS | tags[0], (uint32_t)tags[1]};
        words[n++] = m->in.words;
    }
    used = 0;
    for (uint32_t i = 0; i < n; i++) {
        const gy_word *state = m->arrived.at + used;
        gy_assert(m->product || gy_is_state(m->worker, state, words[i]));
        m->some[i] = (gy_incoming){state, GY_INCOMING_ANY, words[i]};
        m->group_of[i] = 0;
        used += words[i];
    }
    if (n) {
        gy_store_add(m->view, &(gy_store_parent){GY_NO_REF, n}, 1,
                     &GY_ARRIVALS(gy_incoming, m->some));
        enter(m);
    }
    return more;
}

bool gy_rank_receive(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    gy_packet *batch = gy_exchange_take(&s->exchange);
    if (!batch)
        return false;
    gy_unpacker_begin(&m->in, batch->at + GY_EXCHANGE_HEAD, batch->bytes - GY_EXCHANGE_HEAD);
    if (s->chore == GY_RANK_ASK)
        gy_rank_hear_questions(m, batch->from);
    else if (s->chore == GY_RANK_ANSWER)
        gy_rank_hear_answers(m);
    else if (s->chore == GY_RANK_RECALL)
        gy_rank_hear_recalled(m);
    else if (s->chore == GY_RANK_EDGES)
        gy_rank_hear_edges(m, batch->from);
    else if (s->chore == GY_RANK_REPORT)
        gy_rank_hear_reports(m);
    else if (s->chore == GY_RANK_DEAL)
        gy_rank_hear_dealt(m);
    else if (s->chore >= GY_RANK_REACH)
        gy_rank_hear_arcs(m);
    else
        while (!gy_rank_is_up(&s->stop) && receive_some(m, batch->from))
            ;
    if (m->in.damaged)
        gy_fatal("a batch of states from rank %u makes no sense", batch->from);
    gy_exchange_done(&s->exchange, batch);
    return true;
}

// ---- statements -----------------------------------------------------------------------

void gy_rank_note_steps(gy_rank_member *m, const gy_transition *t, uint32_t count)
{
    for (const gy_transition *end = t + count; t < end; t++)
        for (uint32_t i = 0; i < t->step_count; i++) {
            const gy_step *step = &t->steps[i];
            if ((uint32_t)step->edge < m->edge_count)
                m->reached[step->edge] = 1;
            if ((uint32_t)step->partner_edge < m->edge_count)
                m->reached[step->partner_edge] = 1;
        }
}
