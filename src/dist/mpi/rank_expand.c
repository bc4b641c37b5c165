// The search over ranks: states of the level are taken and expanded.
#include "dist/mpi/rank_parts.h"

#include "base/assert.h"

#include <sched.h>
#include <time.h>

enum { MANY = 16384 }; // successors of one state: an atomic sequence may have any number of ways

static void end(gy_rank_search *s)
{
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

// Limits and the progress line: one member at a time looks.
void gy_rank_look(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    gy_limit_poll_look(&m->pace, GY_RANK_LOOK);
    if (gy_rank_is_up(&s->exchange.stop))
        gy_rank_raise(&s->stop);
    if (atomic_flag_test_and_set_explicit(&s->watch, memory_order_acquire))
        return;
    gy_rank_tell_counts(s);
    if (gy_run_tick_slow(s->run))
        end(s);
    if (gy_store_unsettled(s->store))
        gy_rank_raise(&s->pause);
    atomic_flag_clear_explicit(&s->watch, memory_order_release);
}

// Before a state: where states take long, at the clock at least.
static void look_in_time(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    if (!gy_limit_poll_glances(&m->pace)) {
        gy_rank_look(m);
    } else if (!atomic_flag_test_and_set_explicit(&s->watch, memory_order_acquire)) {
        if (gy_run_glance(s->run))
            end(s);
        atomic_flag_clear_explicit(&s->watch, memory_order_release);
    }
}

static void meet_error(gy_rank_search *s)
{
    gy_rank_raise(&s->error);
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

static void note_fault(gy_rank_member *m, const gy_fault *fault)
{
    if (gy_is_note(fault))
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    else if (gy_run_wanted(m->search->run->options, fault))
        meet_error(m->search);
}

void gy_rank_meet_fault(gy_rank_member *m, const gy_transition *transition, uint32_t ordinal,
                        const gy_word *state, uint32_t words)
{
    if (m->search->trace)
        gy_rank_note_fault(m, transition, ordinal, state, words);
    else
        note_fault(m, transition->fault);
}

static int visit(void *user, const gy_transition *transition)
{
    gy_rank_member *m = user;
    gy_rank_note_steps(m, transition, 1);
    m->visited++;
    if (transition->fault)
        gy_rank_meet_fault(m, transition, m->visited - 1, NULL, 0);
    if (transition->state) {
        gy_rank_add_to(&m->transitions, 1);
        gy_rank_arrive(m, transition->state, transition->words);
    }
    if (m->visited % MANY == 0)
        gy_rank_look(m);
    return gy_rank_is_up(&m->search->stop);
}

// All ranks see all initial states, and take their own.
static int visit_initial(void *user, const gy_transition *transition)
{
    gy_rank_member *m = user;
    gy_rank_search *s = m->search;
    gy_rank_note_steps(m, transition, 1);
    m->visited++;
    if (transition->fault && s->transport->rank == 0)
        gy_rank_meet_fault(m, transition, m->visited - 1, NULL, 0);
    if (!transition->state ||
        gy_rank_owner(s, transition->state, transition->words) != s->transport->rank)
        return 0;
    gy_rank_add_to(&m->transitions, 1);
    gy_rank_arrive(m, transition->state, transition->words);
    if (m->view->n) // it has no parent
        m->from_of[m->view->n - 1].parent = GY_RANK_NOWHERE;
    return 0;
}

void gy_rank_begin(gy_rank_member *m)
{
    if (m->search->product) {
        gy_rank_begin_product(m);
        return;
    }
    m->visited = 0;
    m->number = GY_RANK_NOWHERE;
    gy_initial(m->worker, visit_initial, m);
    gy_rank_flush(m);
}

// A state with so many successors was expanded: is it an error?
static inline void note_end(gy_rank_member *m, const gy_word *state, uint32_t words,
                            uint32_t successors)
{
    const gy_search_options *options = m->search->run->options;
    if (!successors && options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, options->empty_channels))
        meet_error(m->search);
}

static void expand(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count, before = m->parent_count ? m->parents[m->parent_count - 1].end : 0;
    const gy_transition *all = NULL;
    bool together = m->view->joins;
    if (m->parent_count && together)
        all = gy_successors_append(m->worker, state, words, &count);
    if (!all) {
        if (m->parent_count)
            gy_rank_take_in(m);
        before = 0;
        all = m->successors = gy_successors_batch(m->worker, state, words, &count);
    }
    if (all) {
        m->numbers[m->parent_count] = m->number;
        m->parents[m->parent_count++] = (gy_store_parent){ref, before + count};
        if (!together || m->parent_count == GY_RANK_BATCH || before + count >= GY_RANK_BATCH)
            gy_rank_take_in(m);
    } else {
        m->visited = 0;
        gy_successors(m->worker, state, words, visit, m);
        count = m->visited;
    }
    note_end(m, state, words, count);
}

static void expand_reduced(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    if (!gy_rank_expand_reduced(m, ref, state, words, &count)) {
        m->visited = 0;
        gy_successors(m->worker, state, words, visit, m);
        count = m->visited;
    }
    if (m->search->trace)
        gy_rank_note_end(m, state, words, count);
    else
        note_end(m, state, words, count);
}

static void work_on(gy_rank_member *m, const gy_rank_list *list, uint64_t i)
{
    gy_rank_search *s = m->search;
    gy_ref ref = ((const gy_ref *)list->refs.at)[i];
    uint32_t words;
    if (gy_limit_poll_due(&m->pace))
        look_in_time(m);
    const gy_word *state = gy_store_state(m->view, ref, &words);
    m->number = list->numbers.room ? ((const uint64_t *)list->numbers.at)[i] : list->first + i;
    gy_assert(s->product || gy_is_state(m->worker, state, words));
    if (s->chore >= GY_RANK_REACH)
        gy_rank_follow_arcs(m, ref, state, words);
    else if (s->product)
        gy_rank_expand_product(m, ref, state, words);
    else if (s->chore == GY_RANK_TAKE_DUE)
        gy_rank_take_due(m, ref, state, words, list->cost);
    else if (s->chore == GY_RANK_ASK)
        gy_rank_ask(m, state, words, list->first + i);
    else if (s->chore == GY_RANK_EDGES)
        gy_rank_find_edges(m, ref, state, words);
    else if (s->chore == GY_RANK_TAKE_REST)
        gy_rank_take_rest(m, ref, state, words);
    else if (m->reducer)
        expand_reduced(m, ref, state, words);
    else if (s->trace)
        gy_rank_expand_traced(m, ref, state, words);
    else
        expand(m, ref, state, words);
}

// Takes a piece of what is to be done and does it. False: there is none left.
static bool work_on_piece(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    size_t own = (size_t)(m - s->members);
    for (size_t k = 0; k < s->shares.n; k++) {
        gy_rank_share *share = s->shares.at[(own + k) % s->shares.n];
        if (atomic_load_explicit(&share->cursor, memory_order_relaxed) >= share->list.n)
            continue;
        uint64_t from = atomic_fetch_add(&share->cursor, GY_RANK_PIECE);
        uint64_t to = from + GY_RANK_PIECE < share->list.n ? from + GY_RANK_PIECE : share->list.n;
        if (from >= to)
            continue;
        gy_store_prefetch(m->view, (const gy_ref *)share->list.refs.at + from,
                          (uint32_t)(to - from));
        for (uint64_t i = from; i < to && !gy_rank_is_up(&s->stop); i++)
            work_on(m, &share->list, i);
        return true;
    }
    return false;
}

// Nothing can be done until others have done something.
static void wait_a_little(unsigned *waited)
{
    enum { YIELDS = 32, MOST = 12 };
    unsigned n = ++*waited;
    if (n < YIELDS) {
        sched_yield();
        return;
    }
    unsigned shift = (n - YIELDS) / 8 < MOST - 4 ? (n - YIELDS) / 8 : MOST - 4;
    struct timespec pause = {0, 4000l << shift}; // up to a millisecond
    nanosleep(&pause, NULL);
}

static bool should_meet(gy_rank_search *s)
{
    // Said aloud: a stop that comes now must not keep others from a meeting that one waits at.
    if (gy_store_wants_room(s->store) && !gy_rank_is_up(&s->stop))
        gy_rank_raise(&s->room_wanted);
    return gy_rank_is_up(&s->over) || gy_rank_is_up(&s->pause) || gy_rank_is_up(&s->room_wanted);
}

// This member has expanded all that there was for it, and sent what belongs elsewhere.
static void become_idle(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    if (m->idle)
        return;
    m->idle = true;
    if (atomic_fetch_add(&s->idle, 1) + 1 == s->team.size)
        gy_exchange_finish(&s->exchange);
}

// Once a stop is up, what is left of the level is not expanded, but what others send is still
// taken, so that they come to the end of the phase as well.
void gy_rank_explore(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    unsigned waited = 0;
    while (!should_meet(s)) {
        bool congested = atomic_load_explicit(&s->exchange.waiting, memory_order_relaxed) >
                         GY_RANK_WAITING * (uint64_t)s->size;
        bool worked = gy_rank_receive(m);
        if (!m->idle && !congested && !gy_rank_is_up(&s->stop) && work_on_piece(m)) {
            gy_rank_flush(m);
            worked = true;
        } else if (!m->idle && (!congested || gy_rank_is_up(&s->stop))) {
            m->parent_count = gy_rank_is_up(&s->stop) ? 0 : m->parent_count;
            if (s->chore == GY_RANK_ANSWER)
                gy_rank_send_answers(m);
            else if (s->chore == GY_RANK_REPORT)
                gy_rank_send_reports(m);
            else if (s->chore == GY_RANK_DEAL)
                gy_rank_send_dealt(m);
            gy_rank_flush(m);
            gy_rank_send_rest(m);
            become_idle(m);
            worked = true;
        }
        if (worked) {
            waited = 0;
            continue;
        }
        if (gy_exchange_is_over(&s->exchange)) {
            gy_rank_raise(&s->over);
            break;
        }
        wait_a_little(&waited);
        gy_rank_look(m);
    }
}
