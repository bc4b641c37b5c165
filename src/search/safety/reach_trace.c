// The reachability search once more, breadth first, to find the ways to the errors that it meets.
//
// Beside each state of the frontier stands a tag, its number in the lineage (lineage.h). The ways
// are told when the search is over, from the lineage and, where that has gaps, by segments.
//
// Without a reduction, levels are by cost: executed statements, as a person and Spin's trails count
// them, although a transition may execute several (an atomic sequence, a rendezvous). A level is
// all states whose cheapest path has the same cost. A transition of cost 1 leads to the next level.
// For its dearer ones a state waits until they are due, and is then expanded once more for them:
// Dial's algorithm, without a state that waits outside the store. So the first error is a shortest
// one, if nothing cheaper is left: one met on the way is but a candidate until its cost is due.
// With a reduction, and where the caller will shorten what is found anyway, levels are by
// transitions, as in the search that met the error, and any way will do.
#include "search/safety/reach_parts.h"

#include "search/safety/segment.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"

#include <stdlib.h>

// ---- errors -------------------------------------------------------------------------------

static bool is_cheaper(const gy_reach_site *a, const gy_reach_site *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->rank != b->rank ? a->rank < b->rank : a->ordinal < b->ordinal;
}

// Where a new site goes: the place of one that it replaces, the end of the list, or NULL: nowhere.
static gy_reach_site *place_for(gy_reach *r, const gy_reach_site *new)
{
    gy_reach_trace *t = r->trace;
    const gy_search_options *options = r->run->options;
    uint64_t same = 0, most = options->witnesses;
    if (most && options->max_errors > most)
        most = options->max_errors;
    for (size_t i = 0; i < t->sites.n; i++) {
        gy_reach_site *old = &t->sites.at[i];
        bool fault = new->kind != GY_FAULT_NONE && old->kind == new->kind && old->edge == new->edge;
        if (fault || options->max_errors == 1)
            return is_cheaper(new, old) ? old : NULL;
        same += old->kind == GY_FAULT_NONE;
    }
    if (new->kind == GY_FAULT_NONE && most != 0 && same >= most)
        return NULL;
    gy_vec_push(&t->sites, ((gy_reach_site){0}));
    return &t->sites.at[t->sites.n - 1];
}

static void note_site(gy_reach_member *m, gy_reach_site new, const gy_word *state, uint32_t words)
{
    gy_reach *r = m->reach;
    gy_reach_trace *t = r->trace;
    uint64_t most = r->run->options->max_errors;
    new.rank = state ? gy_hash_words(state, words, 1) : 0;
    new.number = m->tag;
    pthread_mutex_lock(&t->lock);
    gy_reach_site *place = place_for(r, &new);
    t->errors++;
    t->not_kept += !place && new.kind == GY_FAULT_NONE &&most != 1;
    if (place) {
        free(place->state.at);
        new.state.words = words;
        new.state.at = gy_alloc((words + (size_t)1) * sizeof *state);
        if (words)
            memcpy(new.state.at, state, words * sizeof *state);
        *place = new;
        if (new.cost < atomic_load_explicit(&t->best, memory_order_relaxed))
            atomic_store_explicit(&t->best, new.cost, memory_order_relaxed);
    }
    // Of one error, nothing can be cheaper than an end state of this level, if nothing was so far.
    bool enough = most == 1 ? t->by_cost ? new.kind == GY_FAULT_NONE &&place : true
                            : most && t->sites.n >= most;
    pthread_mutex_unlock(&t->lock);
    if (enough)
        gy_reach_raise(&r->stop);
}

static void note_fault(gy_reach_member *m, const gy_transition *transition, uint32_t ordinal,
                       uint64_t cost, const gy_word *state, uint32_t words)
{
    const gy_fault *fault = transition->fault;
    const gy_reach_trace *t = m->reach->trace;
    uint64_t before = m->tag == GY_LINEAGE_NONE ? 0 : t->cost;
    if (fault->kind == GY_FAULT_ATOMIC_LOOP)
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    else if (gy_run_wants_fault(m->reach->run->options, fault->kind))
        note_site(m,
                  (gy_reach_site){.kind = fault->kind,
                                  .edge = fault->edge,
                                  .ordinal = ordinal,
                                  .cost = before + cost,
                                  .step = cost},
                  state, words);
}

static void note_end(gy_reach_member *m, const gy_word *state, uint32_t words)
{
    const gy_search_options *options = m->reach->run->options;
    if (options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, options->empty_channels))
        note_site(m, (gy_reach_site){.kind = GY_FAULT_NONE, .cost = m->reach->trace->cost}, state,
                  words);
}

// ---- expanding ----------------------------------------------------------------------------

static uint64_t cost_of(const gy_transition *transition)
{
    uint64_t cost = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += transition->steps[i].partner >= 0;
    return cost ? cost : 1;
}

void gy_reach_note_initial_fault(gy_reach_member *m, const gy_transition *transition)
{
    note_fault(m, transition, m->visited - 1, cost_of(transition), NULL, 0);
}

// The transitions of a state, with room for a choice among them in m->moves.keep.
static const gy_transition *find_moves(gy_reach_member *m, const gy_word *state, uint32_t words,
                                       uint32_t *count)
{
    if (m->parent_count) // what the worker has found for them goes away
        gy_reach_take_in(m);
    const gy_transition *all = gy_successors_batch(m->worker, state, words, count);
    if (!all)
        return gy_moves_find(&m->moves, m->worker, state, words, count);
    gy_vec_reserve(&m->moves.keep, (size_t)*count + 1);
    return all;
}

// The state at hand waits for its transitions of that cost.
static void wait(gy_reach_member *m, gy_ref ref, uint64_t cost, bool last)
{
    uint64_t at = m->reach->trace->cost + cost;
    gy_reach_due *due = NULL;
    for (size_t i = m->due.n; i-- > 0 && !due;)
        if (m->due.at[i].at == at && m->due.at[i].cost == cost && m->due.at[i].last == last)
            due = &m->due.at[i];
    if (!due) {
        gy_vec_push(&m->due, ((gy_reach_due){.at = at, .cost = cost, .last = last}));
        due = &m->due.at[m->due.n - 1];
    }
    gy_reach_put_aside(m, &due->states, ref, m->tag);
}

// Those of cost 1 arrive; if a dearer one leads to a state that is not known, this one waits for
// it. `skip[i]` becomes 1 for all that do not arrive now.
static bool sort_by_cost(gy_reach_member *m, gy_ref ref, const gy_transition *all, uint32_t count,
                         uint8_t *skip)
{
    gy_reach_trace *t = m->reach->trace;
    uint64_t limit = m->reach->run->options->depth_limit;
    GY_VEC(uint64_t) costs = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = cost_of(&all[i]);
        bool beyond = limit && t->cost + cost > limit;
        gy_ref known;
        skip[i] = cost > 1 || beyond;
        if (!all[i].state || !skip[i])
            continue;
        bool is_known = gy_store_find(m->view, all[i].state, all[i].words, &known);
        if (!beyond || is_known)
            gy_reach_add_to(&m->transitions, 1);
        if (is_known)
            continue;
        if (beyond) {
            gy_reach_raise(&t->cut);
            continue;
        }
        bool noted = false;
        for (size_t k = 0; k < costs.n && !noted; k++)
            noted = costs.at[k] == cost;
        if (!noted)
            gy_vec_push(&costs, cost);
    }
    uint64_t most = 0;
    for (size_t k = 0; k < costs.n; k++)
        most = costs.at[k] > most ? costs.at[k] : most;
    for (size_t k = 0; k < costs.n; k++)
        wait(m, ref, costs.at[k], costs.at[k] == most);
    bool waits = costs.n > 0;
    gy_vec_free(&costs);
    return waits;
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
            note_fault(m, &all[i], i, cost, state, words);
    }
}

// The usual case: none of its transitions has to wait. Then they are taken in with
// those of other states, as in the search that met the error. False: it is not that.
static bool takes_in_as_usual(gy_reach_member *m, gy_ref ref, const gy_transition *all,
                              uint32_t before, uint32_t count)
{
    const gy_reach_trace *t = m->reach->trace;
    bool usual = count && before + count <= GY_STORE_BATCH && !m->reach->run->options->depth_limit;
    for (uint32_t i = 0; i < count && usual; i++) { // arrays have no faults
        usual = !t->by_cost || (all[i].step_count == 1 && all[i].steps->partner < 0);
        m->tag_of[before + i] = (gy_lineage_from){m->tag, i};
    }
    if (!usual)
        return false;
    m->parents[m->parent_count++] = (gy_store_parent){ref, before + count};
    if (!m->view->joins || m->parent_count == GY_REACH_PARENTS || before + count >= GY_REACH_BATCH)
        gy_reach_take_in(m);
    return true;
}

// Finds the transitions of a state. *taken: they are on their way to the store.
static const gy_transition *find_and_take(gy_reach_member *m, gy_ref ref, const gy_word *state,
                                          uint32_t words, uint32_t *count, bool *taken)
{
    uint32_t before = m->parent_count ? m->parents[m->parent_count - 1].end : 0;
    const gy_transition *all = NULL;
    if (m->view->n) // these have tags already
        gy_reach_flush(m);
    if (m->parent_count && m->view->joins)
        all = gy_successors_append(m->worker, state, words, count);
    if (!all) {
        if (m->parent_count)
            gy_reach_take_in(m);
        before = 0;
        all = m->successors = gy_successors_batch(m->worker, state, words, count);
    }
    if (!all)
        return gy_moves_find(&m->moves, m->worker, state, words, count);
    *taken = takes_in_as_usual(m, ref, all, before, *count);
    if (*taken)
        return all;
    if (m->parent_count)
        gy_reach_take_in(m);
    gy_vec_reserve(&m->moves.keep, (size_t)*count + 1);
    return all;
}

void gy_reach_expand_traced(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    gy_reach_trace *t = m->reach->trace;
    uint32_t count;
    bool one = m->reach->run->options->max_errors == 1, waits = false, taken = false;
    // Nothing but an end state would be cheaper.
    bool enough =
        one && t->by_cost && atomic_load_explicit(&t->best, memory_order_relaxed) <= t->cost + 1;
    const gy_transition *all;
    if (m->reducer)
        all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    else if (enough)
        all = find_moves(m, state, words, &count);
    else
        all = find_and_take(m, ref, state, words, &count, &taken);
    if (taken) {
        gy_store_forget(m->view, ref);
        return;
    }
    if (count == 0)
        note_end(m, state, words);
    if (enough)
        return;
    gy_reach_note_steps(m, all, count);
    note_faults(m, all, count, state, words);
    if (gy_reach_is_up(&m->reach->stop))
        return;
    if (m->reducer) {
        gy_reach_arrive_chosen(m, ref, state, words, all, count);
        return;
    }
    if (t->by_cost)
        waits = sort_by_cost(m, ref, all, count, m->moves.keep.at);
    else
        memset(m->moves.keep.at, 0, count);
    gy_reach_arrive_rest(m, ref, all, count);
    if (!waits)
        gy_store_forget(m->view, ref);
}

// Its transitions of the cost that is due; they were counted when the state was expanded.
void gy_reach_take_due(gy_reach_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = find_moves(m, state, words, &count);
    for (uint32_t i = 0; i < count; i++)
        m->moves.keep.at[i] = cost_of(&all[i]) != m->reach->trace->due_cost;
    uint64_t counted = atomic_load_explicit(&m->transitions, memory_order_relaxed);
    gy_reach_arrive_rest(m, ref, all, count);
    atomic_store_explicit(&m->transitions, counted, memory_order_relaxed);
    if (m->reach->trace->due_last)
        gy_store_forget(m->view, ref);
}

// ---- levels: at meetings ------------------------------------------------------------------

static void each_tag(gy_reach_blocks *blocks, void (*visit)(gy_lineage *l, uint32_t *tag),
                     gy_lineage *l)
{
    for (size_t i = 0; i < blocks->n; i++)
        for (uint32_t k = 0; k < blocks->at[i]->n; k++)
            visit(l, &blocks->at[i]->tags[k].parent);
}

// All numbers of the lineage that are kept anywhere.
static void each_number(gy_reach *r, void (*visit)(gy_lineage *l, uint32_t *number))
{
    gy_reach_trace *t = r->trace;
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_member *m = &r->members[i];
        each_tag(&r->shares[i].blocks, visit, &t->lineage);
        for (size_t k = 0; k < m->due.n; k++)
            each_tag(&m->due.at[k].states, visit, &t->lineage);
    }
    for (size_t i = 0; i < t->sites.n; i++)
        visit(&t->lineage, &t->sites.at[i].number);
}

static void mark(gy_lineage *l, uint32_t *number)
{
    gy_lineage_mark(l, *number);
}

static void move(gy_lineage *l, uint32_t *number)
{
    *number = gy_lineage_moved(l, *number);
}

static void sweep(gy_reach *r, bool thin)
{
    gy_lineage *l = &r->trace->lineage;
    if (!gy_lineage_begin_sweep(l)) {
        gy_reach_out_of_memory(r);
        return;
    }
    each_number(r, mark);
    gy_lineage_sweep(l, thin);
    each_number(r, move);
}

// Not more ancestors than a small part of the states. Where there are many, three of four levels
// are not even begun: what lies between is soon searched again.
static void keep_small(gy_reach *r)
{
    enum {
        LEAST = 1 << 16,
        MOST = 1 << 20,
        PART = 32,
        LEVELS = 16,
        HOSTILE_LEVELS = 4,
        SPACING = 4
    };
    gy_lineage *l = &r->trace->lineage;
    bool hostile = r->run->options->hostile;
    uint64_t most = MOST + gy_reach_states(r) / PART;
    if (!hostile && l->n < LEAST + 2 * l->swept)
        return;
    sweep(r, false);
    if (l->n > LEAST && l->spacing < SPACING)
        l->spacing = SPACING;
    while (!r->once && l->levels.n > (hostile ? HOSTILE_LEVELS : LEVELS) &&
           (hostile || l->n > most) && !gy_reach_is_up(&r->stop))
        sweep(r, true);
}

// The states of a level that begins get their tags.
void gy_reach_tag_level(gy_reach *r)
{
    gy_reach_trace *t = r->trace;
    if (!t->by_cost)
        t->cost++;
    t->depth = t->cost;
    keep_small(r);
    // With a reduction, states may lose their tags: see gy_reach_tag_again.
    if (!r->once && !r->members[0].reducer && gy_lineage_leaves_out(&t->lineage, t->cost))
        return; // each state has the number of the nearest ancestor that is there
    gy_lineage_begin_level(&t->lineage, t->cost);
    for (unsigned i = 0; i < r->size; i++)
        for (size_t k = 0; k < r->shares[i].blocks.n; k++) {
            gy_reach_block *b = r->shares[i].blocks.at[k];
            for (uint32_t j = 0; j < b->n; j++) {
                uint32_t number = gy_lineage_add(&t->lineage, b->at[j], b->tags[j]);
                b->tags[j].parent = number;
                if (number == GY_LINEAGE_NONE) {
                    gy_reach_out_of_memory(r);
                    return;
                }
            }
        }
}

// States that have to be expanded once more at the end of the level at hand, whose tags were lost.
void gy_reach_tag_again(gy_reach *r, gy_reach_blocks *list)
{
    gy_lineage *l = &r->trace->lineage;
    gy_map map = {0};
    for (uint32_t i = l->levels.n ? l->levels.at[l->levels.n - 1].first : 0; list->n && i < l->n;
         i++)
        gy_map_add(&map, gy_lineage_ref(l, i), i);
    for (size_t b = 0; b < list->n; b++)
        for (uint32_t k = 0; k < list->at[b]->n; k++) {
            gy_ref ref = list->at[b]->at[k];
            for (gy_map_probe p = gy_map_first(&map, ref); p.found; gy_map_next(&map, &p))
                if (gy_lineage_ref(l, p.number) == ref)
                    list->at[b]->tags[k].parent = p.number;
        }
    gy_map_free(&map);
}

static bool has_found(const gy_reach *r)
{
    bool found = false;
    for (unsigned i = 0; i < r->size; i++)
        found = found || r->members[i].open || r->members[i].full.n || r->members[i].sure.n;
    return found;
}

// The least cost of a level that may have states; UINT64_MAX: there is none.
static uint64_t next_cost(const gy_reach *r)
{
    uint64_t next = has_found(r) ? r->trace->cost + 1 : UINT64_MAX;
    for (unsigned i = 0; i < r->size; i++)
        for (size_t k = 0; k < r->members[i].due.n; k++)
            if (r->members[i].due.at[k].at < next)
                next = r->members[i].due.at[k].at;
    return next;
}

// States that are due now, with a transition of the same cost, become what is to be done.
static bool gather_due(gy_reach *r)
{
    gy_reach_trace *t = r->trace;
    t->due_cost = 0;
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_member *m = &r->members[i];
        for (size_t k = 0; k < m->due.n; k++) {
            gy_reach_due due = m->due.at[k];
            if (due.at != t->cost ||
                (t->due_cost && (due.cost != t->due_cost || due.last != t->due_last)))
                continue;
            t->due_cost = due.cost;
            t->due_last = due.last;
            gy_reach_gather(r, i, &due.states);
            gy_vec_free(&due.states);
            m->due.at[k--] = m->due.at[--m->due.n];
        }
    }
    return t->due_cost != 0;
}

// What comes after the chore at hand. False: the level begins, with what was found.
bool gy_reach_next_traced(gy_reach *r)
{
    gy_reach_trace *t = r->trace;
    bool one = r->run->options->max_errors == 1;
    if (!t->by_cost)
        return false;
    for (;;) {
        if (r->chore == GY_REACH_EXPAND) {
            uint64_t next = next_cost(r);
            if (next == UINT64_MAX)
                return false;
            t->cost = next;
            if (one && atomic_load_explicit(&t->best, memory_order_relaxed) <= next) {
                gy_reach_raise(&r->stop);
                return true;
            }
        }
        r->chore = GY_REACH_TAKE_DUE;
        if (gather_due(r))
            return true;
        r->chore = GY_REACH_EXPAND;
        if (has_found(r))
            return false;
    }
}

void gy_reach_reencode_traced(gy_reach *r, gy_reach_blocks *all)
{
    gy_lineage *l = &r->trace->lineage;
    for (uint32_t i = 0; i < l->n && !r->once; i++)
        ((gy_ref *)l->refs.at)[i] = gy_store_reencode(r->store, 0, gy_lineage_ref(l, i));
    for (unsigned i = 0; i < r->size; i++)
        for (size_t k = 0; k < r->members[i].due.n; k++) {
            const gy_reach_blocks *states = &r->members[i].due.at[k].states;
            for (size_t b = 0; b < states->n; b++)
                gy_vec_push(all, states->at[b]);
        }
}

// ---- telling the ways ---------------------------------------------------------------------

typedef struct initial_state {
    gy_state_copy wanted;
    uint32_t ordinal;
} initial_state;

static int is_initial(void *user, const gy_transition *transition)
{
    initial_state *i = user;
    if (transition->state && transition->words == i->wanted.words &&
        !memcmp(transition->state, i->wanted.at, i->wanted.words * sizeof *transition->state))
        return 1;
    i->ordinal++;
    return 0;
}

static gy_state_copy copy_state(gy_reach *r, gy_ref ref)
{
    gy_state_copy copy;
    const gy_word *state = gy_store_state(r->members[0].view, ref, &copy.words);
    copy.at = gy_alloc((copy.words + (size_t)1) * sizeof *copy.at);
    memcpy(copy.at, state, copy.words * sizeof *state);
    return copy;
}

static bool add_segment(gy_reach *r, gy_state_copy from, gy_state_copy to, uint64_t cost,
                        gy_route *path)
{
    const uint64_t room = UINT64_C(1) << 20, more = UINT64_C(1) << 24, most = UINT32_MAX / 2;
    gy_run *run = r->run;
    gy_segment segment = {.run = run,
                          .reducer = r->trace->by_cost ? NULL : run->reducer,
                          .from = from,
                          .to = to,
                          .by_cost = r->trace->by_cost,
                          .most = cost,
                          .room = room};
    if (gy_segment_find(&segment, path))
        return true;
    segment.reducer = NULL;                    // the way takes a move that was put off at first
    segment.room = run->stopped ? more : most; // unless it is over, the limits of the run hold
    return gy_segment_find(&segment, path);
}

// No level was left out: each state was found by a known transition of its parent.
static void tell_ordinals(const gy_lineage *l, uint32_t number, gy_route *path)
{
    for (; number != GY_LINEAGE_NONE; number = gy_lineage_parent(l, number))
        gy_vec_push(path, gy_lineage_ordinal(l, number));
    for (size_t a = 0, b = path->n; a + 1 < b; a++, b--) {
        uint32_t ordinal = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = ordinal;
    }
}

// The way to the state of a site, from an initial state on.
static bool tell_way(gy_reach *r, const gy_reach_site *site, gy_route *path)
{
    const gy_lineage *l = &r->trace->lineage;
    GY_VEC(uint32_t) chain = {0};
    bool found = true;
    if (!l->thinned) {
        tell_ordinals(l, site->number, path);
        return true;
    }
    for (uint32_t n = site->number; n != GY_LINEAGE_NONE; n = gy_lineage_parent(l, n))
        gy_vec_push(&chain, n);
    gy_assert(chain.n > 0);
    gy_state_copy at = copy_state(r, gy_lineage_ref(l, chain.at[chain.n - 1]));
    initial_state first = {.wanted = at};
    found = gy_initial(r->run->worker, is_initial, &first) == 1;
    gy_vec_push(path, first.ordinal);
    for (size_t i = chain.n; i-- > 0 && found;) {
        uint64_t cost = gy_lineage_cost(l, chain.at[i]);
        bool last = i == 0;
        gy_state_copy next = last ? site->state : copy_state(r, gy_lineage_ref(l, chain.at[i - 1]));
        uint64_t to = last ? site->cost - site->step : gy_lineage_cost(l, chain.at[i - 1]);
        found = add_segment(r, at, next, to - cost, path);
        free(at.at);
        at = last ? (gy_state_copy){0} : next;
    }
    free(at.at);
    gy_vec_free(&chain);
    return found;
}

// Reports the errors that were met. False: the way to one could not be told in time.
static bool report(gy_reach *r, const gy_reach_site *site, bool proved)
{
    gy_route path = {0};
    bool fault = site->kind != GY_FAULT_NONE, one = r->run->options->max_errors == 1;
    bool found = site->number == GY_LINEAGE_NONE || tell_way(r, site, &path);
    if (fault)
        gy_vec_push(&path, site->ordinal);
    if (found)
        gy_run_report(r->run, &path, site->kind,
                      r->trace->by_cost && proved && (one || !fault || site->step <= 1));
    gy_vec_free(&path);
    return found;
}

void gy_reach_report(gy_reach *r)
{
    gy_run *run = r->run;
    gy_reach_trace *t = r->trace;
    bool proved = !run->stopped && gy_store_traits_of(r->store)->exact;
    for (size_t i = 0; i < t->sites.n; i++)
        for (size_t k = i + 1; k < t->sites.n; k++)
            if (is_cheaper(&t->sites.at[k], &t->sites.at[i])) {
                gy_reach_site site = t->sites.at[i];
                t->sites.at[i] = t->sites.at[k];
                t->sites.at[k] = site;
            }
    for (size_t i = 0; i < t->sites.n; i++)
        if (!report(r, &t->sites.at[i], proved) && !run->stopped)
            gy_run_fail_internally(run, "the way to an error can't be found again");
    run->result->errors = t->errors;
    run->result->not_kept += t->not_kept;
    run->result->error_met = run->result->error_met || t->errors;
    if (gy_reach_is_up(&t->cut))
        gy_run_stop(run, GY_LIMIT_DEPTH);
}

// ---- beginning and end --------------------------------------------------------------------

void gy_reach_trace_init(gy_reach_trace *t, gy_run *run)
{
    const gy_search_options *options = run->options;
    bool any_way = options->any_way && !options->depth_limit && !options->checkpoint_file &&
                   !options->resume_file;
    *t = (gy_reach_trace){.by_cost = !run->reducer && !any_way, .cost = UINT64_MAX};
    atomic_init(&t->best, UINT64_MAX);
    pthread_mutex_init(&t->lock, NULL);
    gy_lineage_init(&t->lineage, &run->budget);
}

void gy_reach_trace_free(gy_reach_trace *t)
{
    for (size_t i = 0; i < t->sites.n; i++)
        free(t->sites.at[i].state.at);
    gy_vec_free(&t->sites);
    gy_lineage_free(&t->lineage);
    pthread_mutex_destroy(&t->lock);
}
