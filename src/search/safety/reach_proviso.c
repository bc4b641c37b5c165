// The reachability search with a reduction: candidates, which may be going round in circles.
// Members see them and report; at meetings they are checked (level_proviso.h). Breadth first that
// is at the end of a level. Depth first there are no levels, and a thread knows nothing of the
// others' paths; candidates wait for a meeting, and "the next level" is whatever waits to be
// expanded then.
//
// From every state, what is explored leads to a fully expanded one, in either order and with any
// number of threads. Say that a state is of turn n if n checks were made before it was expanded. A
// reduced state that is no candidate has a successor that was new, and was therefore expanded
// after it, in its turn or a later one. A candidate of turn n that passes the check at the end of
// that turn leads to a fully expanded state, or to one that waits then and so is of a later turn.
// All others are fully expanded. Going on like this, the pair of turn and moment of expansion
// always grows; there are finitely many states, so it ends, and it ends in a fully expanded one.
#include "search/safety/reach_parts.h"

#include "base/hash.h"

enum { REPORTS = 1 << 16 }; // of one member, before they are heard: depth first

void gy_reach_report_to_proviso(gy_reach_member *m, gy_proviso_report_kind what, gy_ref state)
{
    if (!gy_proviso_reports_add(&m->reports, what, state))
        gy_reach_out_of_memory(m->reach);
}

// They come lane by lane, so nearly always in order.
static void sort_leads(gy_reach_member *m)
{
    for (size_t i = 1; i < m->leads.n; i++) {
        gy_reach_lead lead = m->leads.at[i];
        size_t k = i;
        for (; k && m->leads.at[k - 1].group > lead.group; k--)
            m->leads.at[k] = m->leads.at[k - 1];
        m->leads.at[k] = lead;
    }
}

// Where states are given back once there is no check: a state that leads to nothing new is expanded
// fully at the end of the level. (Which those are may depend on the order within the level.)
static void put_candidates_aside(gy_reach_member *m)
{
    for (size_t i = 0; i < m->groups.n; i++)
        if (m->groups.at[i].leads_on)
            gy_store_forget(m->view, m->groups.at[i].state);
        else
            gy_reach_put_aside(m, &m->failed, m->groups.at[i].state, m->groups.at[i].number);
    m->leads.n = 0;
    m->groups.n = 0;
}

bool gy_reach_many_candidates(const gy_reach_member *m)
{
    size_t most = m->reach->run->options->hostile ? 16 : REPORTS;
    return m->reports.n > most || m->failed.n > most / GY_REACH_BLOCK;
}

void gy_reach_gather_those_left(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++)
        gy_reach_gather(r, i, &r->members[i].failed);
    r->chore = GY_REACH_TAKE_REST;
}

void gy_reach_note_candidates(gy_reach_member *m)
{
    uint32_t last = 0;
    if (m->reach->once) {
        put_candidates_aside(m);
        return;
    }
    sort_leads(m);
    for (size_t i = 0; i < m->leads.n; i++) {
        const gy_reach_group *g = &m->groups.at[m->leads.at[i].group - 1];
        if (g->leads_on)
            continue;
        if (m->leads.at[i].group != last)
            gy_reach_report_to_proviso(m, g->what, g->state);
        last = m->leads.at[i].group;
        gy_reach_report_to_proviso(m, GY_PROVISO_LEAD, m->leads.at[i].to);
    }
    m->leads.n = 0;
    m->groups.n = 0;
}

// What its kept transitions lead to is known: it arrives once more, to be reported like that of a
// candidate.
void gy_reach_check(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    if (gy_reach_check_joining(m, ref, state, words))
        return;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    if (kept == count || kept > GY_REACH_BATCH) {
        gy_reach_report_to_proviso(m, GY_PROVISO_FULL, ref);
        return;
    }
    uint64_t counted = atomic_load_explicit(&m->transitions, memory_order_relaxed);
    gy_reach_arrive_kept(m, ref, all, count, kept, GY_PROVISO_REDUCED);
    atomic_store_explicit(&m->transitions, counted, memory_order_relaxed); // they were before
}

void gy_reach_take_rest(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    if (!m->reach->trace) // of a process that was alone, only its own step was seen
        gy_reach_note_all(m, all, count);
    gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    gy_reach_arrive_rest(m, ref, all, count);
    m->expanded_reduced--;
    m->expanded_fully++;
    gy_store_forget(m->view, ref);
    if (gy_reach_is_up(&m->reach->error))
        gy_reach_raise(&m->reach->stop);
}

void gy_reach_list_next_level(gy_reach *r)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_close_block(&r->members[i]);
        count += gy_reach_count_states(&r->members[i].full);
    }
    if (!gy_number_set_begin(&r->next, count)) {
        gy_reach_out_of_memory(r);
        return;
    }
    for (unsigned i = 0; i < r->size; i++)
        gy_reach_list_states(r, &r->next, &r->members[i].full);
}

bool gy_reach_interrupted(void *user)
{
    gy_reach *r = user;
    gy_reach_tell_counts(r);
    // What a checkpoint is to be made of must come to a clean end first.
    if (gy_run_tick_slow(r->run) && !(r->trace && gy_checkpoint_last_wanted(r->run)))
        gy_reach_raise(&r->stop);
    return gy_reach_is_up(&r->stop);
}

bool gy_reach_is_full(void *user, gy_ref ref)
{
    gy_reach_member *m = &((gy_reach *)user)->members[0];
    uint32_t words, count;
    const gy_word *state = gy_store_state(m->view, ref, &words);
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    return gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at) == count;
}

static void ask_for(void *user, gy_ref state)
{
    gy_reach_member *m = user;
    gy_reach_put_aside(m, &m->asked, state, GY_LINEAGE_NONE);
}

void gy_reach_gather_candidates(gy_reach *r)
{
    uint64_t states = gy_reach_states(r);
    size_t heard = 0;
    for (unsigned i = 0; i < r->size; i++)
        heard += r->members[i].reports.n;
    if (r->chore == GY_REACH_EXPAND) {
        gy_level_proviso_begin(&r->proviso, gy_level_proviso_memory(&r->proviso, states));
        if (heard)
            gy_reach_list_next_level(r);
    }
    for (unsigned i = 0; i < r->size && !gy_reach_is_up(&r->stop); i++) {
        if (!gy_level_proviso_hear(&r->proviso, &r->members[i].reports, &r->next, &r->full))
            gy_reach_out_of_memory(r);
        r->members[i].reports.n = 0;
    }
    if (heard)
        gy_level_proviso_ask(&r->proviso, gy_level_proviso_allowance(states), ask_for,
                             &r->members[0]);
    gy_reach_gather(r, 0, &r->members[0].asked);
    r->chore = GY_REACH_CHECK;
}

static uint64_t rank_of(void *user, gy_ref state)
{
    gy_reach_member *m = user;
    uint32_t words;
    const gy_word *content = gy_store_state(m->view, state, &words);
    return gy_hash_state(content, words);
}

static void note_failed(void *user, gy_ref state)
{
    gy_reach_member *m = user;
    gy_reach_put_aside(m, &m->failed, state, GY_LINEAGE_NONE);
}

void gy_reach_gather_failed(gy_reach *r)
{
    gy_level_proviso_fail(&r->proviso, rank_of, note_failed, &r->members[0]);
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_blocks *list = &r->members[i].failed;
        gy_reach_list_states(r, &r->full, list);
        if (r->trace)
            gy_reach_tag_again(r, list);
        for (size_t k = 0; k < list->n; k++) { // they stay known, in case names change
            gy_reach_block *copy = gy_reach_new_block(&r->members[i]);
            if (!copy) {
                gy_reach_out_of_memory(r);
                break;
            }
            copy->n = list->at[k]->n;
            memcpy(copy->at, list->at[k]->at, copy->n * sizeof *copy->at);
            gy_vec_push(&r->failed, copy);
        }
        gy_reach_gather(r, i, list);
    }
    r->chore = GY_REACH_TAKE_REST;
}
