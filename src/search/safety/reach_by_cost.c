// The reachability search when paths are asked for (reach_trace.c): states are expanded, each for
// those of its transitions whose cost is due.
//
// In the usual case the successors of many states are entered together, as in the search that found
// the error. A state with transitions that cost more than 1 is expanded again when they are due,
// whether or not they lead to states that are known by now: making successors twice costs less
// than looking for them once.
#include "search/safety/reach_parts.h"

uint64_t gy_reach_cost_of(const gy_transition *transition)
{
    uint64_t cost = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += transition->steps[i].partner >= 0;
    return cost ? cost : 1;
}

static inline uint64_t cost_of(const gy_transition *t)
{
    return t->step_count == 1 && t->steps->partner < 0 ? 1 : gy_reach_cost_of(t);
}

// The transitions of a state, with room for a choice among them in m->moves.keep. *joins: they are
// after those of other states, with which they may be entered.
static const gy_transition *find_moves(gy_reach_member *m, const gy_word *state, uint32_t words,
                                       uint32_t *count, bool *joins)
{
    const gy_transition *all = NULL;
    if (m->view->n) // these have tags already
        gy_reach_flush(m);
    if (m->parent_count && m->view->joins)
        all = gy_successors_append(m->worker, state, words, count);
    if (!all) {
        gy_reach_take_in_kept(m); // what the worker has found for them goes away
        all = gy_successors_batch(m->worker, state, words, count);
    }
    *joins = all && *count <= GY_STORE_BATCH && !m->reach->run->options->depth_limit;
    if (all)
        gy_vec_reserve(&m->moves.keep, (size_t)*count + 1);
    return all ? all : gy_moves_find(&m->moves, m->worker, state, words, count);
}

// Those that are not to be skipped join what is on its path to the store. Returns how many.
static uint32_t join(gy_reach_member *m, gy_ref ref, const gy_transition *all, uint32_t count)
{
    const uint8_t *skip = m->moves.keep.at;
    uint32_t n = 0;
    if (!gy_reach_all_fit(m, all, count))
        return 0;
    if (m->kept_count + count > GY_STORE_BATCH)
        gy_reach_take_in_kept(m);
    for (uint32_t i = 0; i < count; i++) {
        m->kept[m->kept_count + n] = (gy_incoming){all[i].state, all[i].written, all[i].words};
        m->tag_of[m->kept_count + n] = (gy_lineage_from){m->tag, i};
        n += !skip[i];
    }
    m->kept_count += n;
    m->expanded[m->parent_count] = GY_PROVISO_FULL;
    m->parents[m->parent_count++] = (gy_store_parent){ref, m->kept_count};
    if (!m->view->joins || m->parent_count == GY_REACH_PARENTS || m->kept_count >= GY_REACH_BATCH)
        gy_reach_take_in_kept(m);
    return n;
}

// The current state waits for its transitions of that cost.
static void wait(gy_reach_member *m, gy_ref ref, uint64_t cost, bool last)
{
    uint64_t at = m->reach->trace->cost + cost;
    gy_reach_bucket *due = NULL;
    for (size_t i = m->due.n; i-- > 0 && !due;)
        if (m->due.at[i].at == at && m->due.at[i].cost == cost && m->due.at[i].last == last)
            due = &m->due.at[i];
    if (!due) {
        gy_vec_push(&m->due, ((gy_reach_bucket){.at = at, .cost = cost, .last = last}));
        due = &m->due.at[m->due.n - 1];
    }
    gy_reach_put_aside(m, &due->states, ref, m->tag);
}

static void note_cost(gy_reach_member *m, uint64_t cost)
{
    for (size_t k = 0; k < m->dear.n; k++)
        if (m->dear.at[k] == cost)
            return;
    gy_vec_push(&m->dear, cost);
}

// A transition that costs more than 1, or leads beyond the depth limit: need the state wait for it?
// Where it is not sure that successors are made fast, a known one saves making them again.
static bool is_worth_waiting(gy_reach_member *m, const gy_transition *transition, uint64_t cost,
                             bool fast)
{
    gy_reach_trace *t = m->reach->trace;
    uint64_t limit = m->reach->run->options->depth_limit;
    bool beyond = limit && t->cost + cost > limit;
    gy_ref ref;
    bool known = !fast && gy_store_find(m->view, transition->state, transition->words, &ref);
    if (!beyond || known)
        gy_reach_add_to(&m->transitions, 1);
    else
        gy_reach_raise(&t->cut);
    return !beyond && !known;
}

// Those of cost 1 arrive; for more expensive ones this state waits. m->moves.keep becomes 1 for all
// that do not arrive now. True: it waits.
static bool sort_by_cost(gy_reach_member *m, gy_ref ref, const gy_transition *all, uint32_t count,
                         bool fast)
{
    uint64_t limit = m->reach->run->options->depth_limit, most = 0;
    uint8_t *skip = m->moves.keep.at;
    m->dear.n = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = cost_of(&all[i]);
        skip[i] = cost > 1 || (limit && m->reach->trace->cost + cost > limit);
        if (skip[i] && all[i].state && is_worth_waiting(m, &all[i], cost, fast))
            note_cost(m, cost);
    }
    for (size_t k = 0; k < m->dear.n; k++)
        most = m->dear.at[k] > most ? m->dear.at[k] : most;
    for (size_t k = 0; k < m->dear.n; k++)
        wait(m, ref, m->dear.at[k], m->dear.at[k] == most);
    return m->dear.n > 0;
}

static void note_faults(gy_reach_member *m, const gy_transition *all, uint32_t count,
                        const gy_word *state, uint32_t words)
{
    gy_reach_trace *t = m->reach->trace;
    uint64_t limit = m->reach->run->options->depth_limit;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = all[i].fault ? t->by_cost ? cost_of(&all[i]) : 1 : 0;
        if (!all[i].fault)
            continue;
        if (limit && t->cost + cost > limit)
            gy_reach_raise(&t->cut);
        else
            gy_reach_note_fault(m, &all[i], i, cost, state, words);
    }
}

static void expand_reduced(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    if (gy_reach_expand_joining(m, ref, state, words, &count)) {
        if (!count)
            gy_reach_note_end(m, state, words);
        return;
    }
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    if (!count)
        gy_reach_note_end(m, state, words);
    gy_reach_note_steps(m, all, count);
    note_faults(m, all, count, state, words);
    if (!gy_reach_is_up(&m->reach->stop))
        gy_reach_arrive_chosen(m, ref, state, words, all, count);
}

void gy_reach_expand_traced(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    gy_reach_trace *t = m->reach->trace;
    uint32_t count;
    bool one = m->reach->run->options->max_errors == 1, waits = false, joins;
    if (m->reducer) {
        expand_reduced(m, ref, state, words);
        return;
    }
    const gy_transition *all = find_moves(m, state, words, &count, &joins);
    if (count == 0) {
        gy_reach_take_in_kept(m); // it may be the last to be examined
        gy_reach_note_end(m, state, words);
    }
    // Nothing but an end state would be cheaper.
    if (one && t->by_cost && atomic_load_explicit(&t->best, memory_order_relaxed) <= t->cost + 1)
        return;
    gy_reach_note_steps(m, all, count);
    if (!joins) // arrays have no faults
        note_faults(m, all, count, state, words);
    if (gy_reach_is_up(&m->reach->stop))
        return;
    if (t->by_cost)
        waits = sort_by_cost(m, ref, all, count, joins);
    else
        memset(m->moves.keep.at, 0, count);
    if (joins)
        gy_reach_add_to(&m->transitions, join(m, ref, all, count));
    else
        gy_reach_arrive_rest(m, ref, all, count);
    if (!waits)
        gy_store_forget(m->view, ref);
}

// Its transitions of the cost that is due; they were counted when the state was expanded.
void gy_reach_take_due(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    bool joins;
    const gy_transition *all = find_moves(m, state, words, &count, &joins);
    for (uint32_t i = 0; i < count; i++)
        m->moves.keep.at[i] = cost_of(&all[i]) != m->reach->trace->due_cost;
    if (joins) {
        join(m, ref, all, count);
    } else {
        uint64_t counted = atomic_load_explicit(&m->transitions, memory_order_relaxed);
        gy_reach_arrive_rest(m, ref, all, count);
        atomic_store_explicit(&m->transitions, counted, memory_order_relaxed);
    }
    if (m->reach->trace->due_last)
        gy_store_forget(m->view, ref);
}
