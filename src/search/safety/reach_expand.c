// The reachability search: states are taken from the queue and expanded. Their successors are left
// to reach_insert.c.
#include "search/safety/probe.h"
#include "search/safety/reach_parts.h"

#include "base/assert.h"

enum {
    POPPED = 8,  // depth first: states taken at a time
    MANY = 16384 // successors of one state: an atomic sequence may have any number of paths through
};

static void note_fault(gy_reach_member *m, const gy_fault *fault)
{
    if (gy_is_note(fault))
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    else if (gy_run_wanted(m->reach->run->options, fault))
        gy_reach_raise(&m->reach->error);
}

void gy_reach_note_all(gy_reach_member *m, const gy_transition *all, uint32_t count)
{
    gy_reach_note_steps(m, all, count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].fault)
            note_fault(m, all[i].fault);
}

// What a checkpoint is to be made of must come to a clean end first.
static void end(gy_reach *r)
{
    bool last = r->trace && gy_checkpoint_last_wanted(r->run);
    gy_reach_raise(last ? &r->pause : &r->stop);
}

// Limits, the progress line, whether the store should learn: one member at a time looks.
static void look(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    gy_limit_poll_look(&m->pace, GY_REACH_LOOK);
    if (atomic_flag_test_and_set_explicit(&r->watch, memory_order_acquire))
        return;
    gy_reach_tell_counts(r);
    bool stopped = gy_run_tick_slow(r->run);
    if (stopped)
        end(r);
    if (r->run->checkpoint_due || gy_reach_unsettled(r))
        gy_reach_raise(&r->pause);
    if (r->run->probe && !r->trace && !stopped &&
        gy_probe_keep_up(r->run->probe, r->run->result->transitions, &r->stop))
        gy_reach_raise(&r->stop);
    if (!stopped && r->run->stopped) // meanwhile
        end(r);
    atomic_flag_clear_explicit(&r->watch, memory_order_release);
}

// Before a state: where states take long, at the clock at least.
static void look_in_time(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    if (!gy_limit_poll_glances(&m->pace)) {
        look(m);
    } else if (!atomic_flag_test_and_set_explicit(&r->watch, memory_order_acquire)) {
        if (gy_run_glance(r->run))
            end(r);
        atomic_flag_clear_explicit(&r->watch, memory_order_release);
    }
}

static int visit(void *user, const gy_transition *transition)
{
    gy_reach_member *m = user;
    gy_reach_note_steps(m, transition, 1);
    m->visited++;
    if (transition->fault && m->reach->trace)
        gy_reach_note_initial_fault(m, transition);
    else if (transition->fault)
        note_fault(m, transition->fault);
    if (transition->state) {
        gy_reach_add_to(&m->transitions, 1);
        gy_reach_arrive(m, transition->state, transition->words);
    }
    if (m->visited % MANY == 0)
        look(m);
    return gy_reach_is_up(&m->reach->stop);
}

void gy_reach_begin(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    m->tag = GY_LINEAGE_NONE;
    m->visited = 0;
    gy_initial(m->worker, visit, m);
    gy_reach_flush(m);
    if (gy_reach_is_up(&r->error))
        gy_reach_raise(&r->stop);
}

// A state with so many successors was expanded: is it an error, or was one met on the way?
static inline void note_errors(gy_reach_member *m, const gy_word *state, uint32_t words,
                               uint32_t successors)
{
    gy_reach *r = m->reach;
    const gy_search_options *options = r->run->options;
    if (!successors && options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, options->empty_channels))
        gy_reach_raise(&r->error);
    if (gy_reach_is_up(&r->error))
        gy_reach_raise(&r->stop);
}

static void expand(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count, before = m->parent_count ? m->parents[m->parent_count - 1].end : 0;
    const gy_transition *all = NULL;
    bool together = m->view->joins; // may successors of several states be taken in?
    if (m->parent_count && together)
        all = gy_successors_append(m->worker, state, words, &count);
    if (!all) {
        if (m->parent_count)
            gy_reach_take_in(m);
        before = 0;
        all = m->successors = gy_successors_batch(m->worker, state, words, &count);
    }
    if (all) {
        m->parents[m->parent_count++] = (gy_store_parent){ref, before + count};
        if (!together || m->parent_count == GY_REACH_PARENTS || before + count >= GY_REACH_BATCH)
            gy_reach_take_in(m);
    } else {
        m->visited = 0;
        gy_successors(m->worker, state, words, visit, m);
        count = m->visited;
    }
    note_errors(m, state, words, count);
}

// More successors than are kept at once: all of them are taken, as they come.
static void expand_many(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    m->visited = 0;
    gy_successors(m->worker, state, words, visit, m);
    m->expanded_fully++;
    gy_store_forget(m->view, ref);
    note_errors(m, state, words, m->visited);
}

static void expand_reduced(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    if (gy_reach_expand_joining(m, ref, state, words, &count)) {
        note_errors(m, state, words, count);
        return;
    }
    m->moves.most = MANY;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    m->moves.most = 0;
    if (m->moves.cut) {
        expand_many(m, ref, state, words);
        return;
    }
    // What is not taken was found to be possible nevertheless: faults count at once.
    gy_reach_note_all(m, all, count);
    gy_reach_arrive_chosen(m, ref, state, words, all, count);
    note_errors(m, state, words, count);
}

// The usual case: no reduction, and ways are not asked for.
static inline void expand_state(gy_reach_member *m, gy_ref ref)
{
    uint32_t words;
    if (gy_limit_poll_due(&m->pace))
        look_in_time(m);
    const gy_word *state = gy_store_state(m->view, ref, &words);
    gy_assert(gy_is_state(m->worker, state, words));
    expand(m, ref, state, words);
    if (m->reach->once)
        gy_store_forget(m->view, ref);
}

static void do_chore(gy_reach_member *m, gy_reach_task what, gy_ref ref, uint32_t tag)
{
    uint32_t words;
    if (gy_limit_poll_due(&m->pace))
        look_in_time(m);
    const gy_word *state = gy_store_state(m->view, ref, &words);
    gy_assert(gy_is_state(m->worker, state, words));
    m->tag = tag;
    if (what == GY_REACH_TAKE_DUE) {
        gy_reach_take_due(m, ref, state, words);
    } else if (m->reach->trace && what == GY_REACH_EXPAND) {
        gy_reach_expand_traced(m, ref, state, words);
    } else if (what == GY_REACH_EXPAND) {
        expand_reduced(m, ref, state, words);
    } else if (what == GY_REACH_CHECK) {
        gy_reach_check(m, ref, state, words);
    } else {
        gy_reach_take_rest(m, ref, state, words);
    }
}

// Is there a reason to leave the work, at a point where nothing is under way?
static bool should_leave(const gy_reach *r)
{
    return gy_reach_is_up(&r->stop) || gy_reach_is_up(&r->pause) || gy_reach_disk_wants(r) ||
           (gy_store_wants_room(r->store) && !r->fills_up);
}

// Depth first: what this member found last. The states in between the pops and the flush are
// what can be fetched at the same time.
static void expand_own(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    while (m->open && !should_leave(r)) {
        gy_reach_block *b = m->open;
        if (r->solo && r->size > 1 && m->full.n) { // enough for others, too
            gy_reach_raise(&r->pause);
            return;
        }
        if (!b->n) {
            gy_vec_push(&m->spare, b);
            m->open = m->full.n ? m->full.at[--m->full.n] : NULL;
            continue;
        }
        gy_ref taken[POPPED];
        uint32_t n = b->n < POPPED ? b->n : POPPED;
        b->n -= n;
        memcpy(taken, b->at + b->n, n * sizeof *taken);
        for (uint32_t i = n; i-- > 0 && !gy_reach_is_up(&r->stop);)
            if (m->reducer)
                do_chore(m, GY_REACH_EXPAND, taken[i], GY_LINEAGE_NONE);
            else
                expand_state(m, taken[i]);
        gy_reach_flush(m);
        if (m->reducer && gy_reach_many_candidates(m))
            gy_reach_raise(&r->pause);
    }
}

static void explore_piece(gy_reach_member *m, const gy_reach_block *b, uint32_t from)
{
    gy_reach *r = m->reach;
    uint32_t to = from + GY_REACH_PIECE < b->n ? from + GY_REACH_PIECE : b->n;
    if (from < to)
        gy_store_prefetch(m->view, b->at + from, to - from);
    if (!m->reducer && !r->trace) {
        for (uint32_t i = from; i < to && !gy_reach_is_up(&r->stop); i++)
            expand_state(m, b->at[i]);
        return;
    }
    for (uint32_t i = from; i < to && !gy_reach_is_up(&r->stop); i++)
        do_chore(m, r->chore, b->at[i], r->trace ? b->tags[i].parent : GY_LINEAGE_NONE);
}

void gy_reach_explore(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    bool deep = gy_reach_goes_deep(r);
    while (!should_leave(r)) {
        gy_reach_range taken;
        if (deep) {
            expand_own(m);
            if (should_leave(r))
                break;
        }
        if (!gy_reach_take(m, &taken)) {
            if (deep)
                gy_reach_raise(&r->pause);
            break;
        }
        for (uint64_t piece = taken.from; piece < taken.to; piece++) {
            gy_reach_block *b = taken.share->blocks.at[piece / GY_REACH_PIECES];
            uint32_t from = (uint32_t)(piece % GY_REACH_PIECES) * GY_REACH_PIECE;
            if (!from || piece == taken.from)
                gy_spill_blocks_wake(&r->pages, b->at);
            explore_piece(m, b, from);
            if (from + GY_REACH_PIECE >= b->n)
                gy_spill_blocks_rest(&r->pages, b->at);
        }
    }
    if (!gy_reach_is_up(&r->stop))
        gy_reach_flush(m);
}
