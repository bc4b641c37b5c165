// The search over ranks with partial-order reduction (reduce/reduce.h), and its proviso.
//
// A state of which not all successors are taken is in doubt if none of those taken is known, here
// and now, to be new. When the level is expanded on all ranks, each state in doubt is examined
// again. It is cleared if one of the successors taken lies in the next level, or is one that is
// expanded fully. Successors that belong to other ranks are asked about in one phase and answered
// in the next. Those that were not cleared by that may lead further: rank_proviso.c looks. The rest
// of the successors of those that fail is taken in the end; what is found so joins the next level.
//
// So every state that is not expanded fully leads to one of the next level, or to one that is
// expanded fully: since there is a last level, nothing is ignored. Who is cleared depends
// on the states alone, neither on ranks nor on threads.
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

enum { MANY = 16384 }; // successors of one state: more are taken as they come

// ---- expanding ------------------------------------------------------------------------

static void put_in_doubt(gy_rank_member *m, gy_ref ref, uint64_t number)
{
    if (!gy_rank_list_put(&m->doubtful, ref, number))
        gy_rank_out_of_memory(m->search);
}

void gy_rank_note_groups(gy_rank_member *m)
{
    const gy_store_view *view = m->view;
    for (uint32_t k = 0; k < view->fresh_count; k++) {
        uint32_t group = m->group_of[view->fresh[k]];
        if (group)
            m->groups.at[group - 1].leads_on = true;
    }
}

void gy_rank_end_groups(gy_rank_member *m)
{
    for (size_t i = 0; i < m->groups.n; i++)
        if (!m->groups.at[i].leads_on)
            put_in_doubt(m, m->groups.at[i].state, m->groups.at[i].number);
    m->groups.n = 0;
}

const gy_transition *gy_rank_find_all(gy_rank_member *m, const gy_word *state, uint32_t words,
                                      uint32_t *count)
{
    m->moves.most = MANY;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, count);
    m->moves.most = 0;
    return m->moves.cut ? NULL : all;
}

uint32_t gy_rank_choose(gy_rank_member *m, const gy_word *state, uint32_t words,
                        const gy_transition *all, uint32_t count)
{
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    return kept > GY_RANK_BATCH ? count : kept;
}

static void turn(uint8_t *keep, uint32_t count) // into what is to be skipped
{
    for (uint32_t i = 0; i < count; i++)
        keep[i] = !keep[i];
}

bool gy_rank_expand_reduced(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                            uint32_t *count)
{
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
    const gy_transition *all = gy_rank_find_all(m, state, words, count);
    if (!all) {
        m->expanded_fully++;
        return false;
    }
    // What is not taken was found to be possible nevertheless: faults count at once.
    gy_rank_note_steps(m, all, *count);
    for (uint32_t i = 0; i < *count; i++)
        if (all[i].fault)
            gy_rank_meet_fault(m, &all[i], i, state, words);
    uint32_t kept = gy_rank_choose(m, state, words, all, *count);
    if (kept == *count) {
        m->expanded_fully++;
        gy_rank_arrive_some(m, ref, all, *count, NULL);
        return true;
    }
    m->expanded_reduced++;
    turn(m->moves.keep.at, *count);
    gy_vec_push(&m->groups, ((gy_rank_group){ref, m->number, false}));
    m->group = (uint32_t)m->groups.n;
    gy_rank_arrive_some(m, ref, all, *count, m->moves.keep.at);
    m->group = 0;
    return true;
}

// ---- questions ------------------------------------------------------------------------

// Does it lie in the next level, or is it expanded fully by itself?
static bool leads_on(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    gy_ref ref;
    uint32_t count;
    if (!gy_store_find(m->view, state, words, &ref))
        return false; // only if the search is to end
    if (gy_number_set_has(&s->next, ref) || gy_number_set_has(&s->full, ref))
        return true;
    const gy_transition *all;
    gy_moves *moves = &m->asked;
    moves->most = MANY;
    all = gy_moves_find(moves, m->asker, state, words, &count);
    moves->most = 0;
    if (moves->cut)
        return true;
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, moves->keep.at);
    return kept == count || kept > GY_RANK_BATCH;
}

static void clear_doubt(gy_rank_search *s, uint64_t number)
{
    if (number < s->doubts)
        atomic_store_explicit(&s->cleared[number], true, memory_order_relaxed);
}

void gy_rank_ask(gy_rank_member *m, const gy_word *state, uint32_t words, uint64_t doubt)
{
    gy_rank_search *s = m->search;
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    gy_rank_choose(m, state, words, all, count);
    bool clear = false;
    for (uint32_t i = 0; i < count && !clear; i++) // those that are here first
        clear = m->moves.keep.at[i] && all[i].state &&
                gy_rank_owner(s, all[i].state, all[i].words) == s->transport->rank &&
                leads_on(m, all[i].state, all[i].words);
    if (clear) {
        clear_doubt(s, doubt);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!m->moves.keep.at[i] || !all[i].state)
            continue;
        unsigned owner = gy_rank_owner(s, all[i].state, all[i].words);
        if (owner != s->transport->rank)
            gy_rank_send(m, owner, all[i].state, all[i].words, &doubt, 1);
    }
}

// A batch of questions: what is to be answered is kept until all have asked.
void gy_rank_hear_questions(gy_rank_member *m, unsigned from)
{
    uint64_t doubt;
    while (gy_unpacker_next(&m->in, &doubt, 1) && !gy_rank_is_up(&m->search->stop))
        if (leads_on(m, m->in.state.at, m->in.words)) {
            gy_rank_answer answer = {from, doubt};
            gy_vec_push(&m->answers, answer);
        }
}

void gy_rank_send_answers(gy_rank_member *m)
{
    for (size_t i = 0; i < m->answers.n; i++)
        gy_rank_send(m, m->answers.at[i].to, NULL, 0, &m->answers.at[i].doubt, 1);
    m->answers.n = 0;
}

void gy_rank_hear_answers(gy_rank_member *m)
{
    uint64_t doubt;
    while (gy_unpacker_next(&m->in, &doubt, 1))
        clear_doubt(m->search, doubt);
}

void gy_rank_take_rest(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    gy_rank_choose(m, state, words, all, count);
    gy_rank_arrive_some(m, ref, all, count, m->moves.keep.at);
    m->expanded_reduced--;
    m->expanded_fully++;
}

// ---- at meetings ----------------------------------------------------------------------

uint64_t gy_rank_count_doubtful(const gy_rank_search *s)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < s->size; i++)
        n += s->members[i].doubtful.n;
    return n;
}

bool gy_rank_begin_questions(gy_rank_search *s)
{
    uint64_t found = 0;
    s->doubts = gy_rank_count_doubtful(s);
    for (unsigned i = 0; i < s->size; i++)
        found += s->members[i].found.n;
    free(s->cleared);
    s->cleared = calloc(s->doubts + 1, sizeof *s->cleared);
    if (!s->cleared || !gy_number_set_begin(&s->next, found))
        return false;
    for (unsigned i = 0; i < s->size; i++) {
        const gy_ref *refs = s->members[i].found.refs.at;
        for (uint64_t k = 0; k < s->members[i].found.n; k++)
            if (!gy_number_set_add(&s->next, refs[k]))
                return false;
    }
    return true;
}

// Those that were not cleared stay in the lists.
uint64_t gy_rank_keep_failed(gy_rank_list *list, const gy_rank_search *s, uint64_t first)
{
    gy_ref *refs = list->refs.at;
    uint64_t *numbers = list->numbers.at, n = 0;
    for (uint64_t i = 0; i < list->n; i++)
        if (!s->cleared[first + i]) {
            refs[n] = refs[i];
            numbers[n++] = numbers[i];
        }
    list->n = n;
    return n;
}
