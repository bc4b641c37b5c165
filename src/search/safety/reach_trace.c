// The reachability search once more, breadth first, to find the paths to the errors that it finds.
//
// Next to each state of the frontier is a tag, its number in the lineage (lineage.h). The paths are
// reported when the search is over, from the lineage and, where that has gaps, by segments.
//
// Without a reduction, levels are by cost: executed statements, as a person and Spin's trails count
// them, although a transition may execute several (an atomic sequence, a rendezvous). A level is
// all states whose cheapest path has the same cost. A transition of cost 1 leads to the next level.
// For its more expensive ones a state waits until they are due, and is then expanded once more for
// them: Dial's algorithm, without a state that waits outside the store. So the first error is a
// shortest one, if nothing cheaper is left: one reached on the path is but a candidate until its
// cost is due. With a reduction, and where the caller will shorten what is found anyway, levels are
// by transitions, as in the search that found the error, and any path will do.
#include "search/safety/reach_parts.h"

#include "search/safety/local_path.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"

#include <stdlib.h>

// ---- errors -------------------------------------------------------------------------------

static bool is_cheaper(const gy_reach_error *a, const gy_reach_error *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->rank != b->rank ? a->rank < b->rank : a->ordinal < b->ordinal;
}

// Where a new site goes: the place of one that it replaces, the end of the list, or NULL: nowhere.
// The best stay, of faults one of each kind, whichever came first.
static gy_reach_error *place_for(gy_reach *r, const gy_reach_error *new)
{
    gy_reach_trace *t = r->trace;
    const gy_search_options *options = r->run->options;
    gy_reach_error *dearest = NULL; // end state
    uint64_t ends = 0, most = options->witnesses;
    if (most && options->max_errors > most)
        most = options->max_errors;
    for (size_t i = 0; i < t->sites.n; i++) {
        gy_reach_error *old = &t->sites.at[i];
        bool fault = new->kind != GY_FAULT_NONE && old->kind == new->kind && old->edge == new->edge;
        if (fault || options->max_errors == 1)
            return is_cheaper(new, old) ? old : NULL;
        if (old->kind != GY_FAULT_NONE)
            continue;
        ends++;
        dearest = dearest && is_cheaper(old, dearest) ? dearest : old;
    }
    if (new->kind == GY_FAULT_NONE && most != 0 && ends >= most)
        return is_cheaper(new, dearest) ? dearest : NULL;
    gy_vec_push(&t->sites, ((gy_reach_error){0}));
    return &t->sites.at[t->sites.n - 1];
}

static void note_site(gy_reach_member *m, gy_reach_error new, const gy_word *state, uint32_t words)
{
    gy_reach *r = m->reach;
    gy_reach_trace *t = r->trace;
    uint64_t most = r->run->options->max_errors;
    new.rank = state ? gy_hash_words(state, words, 1) : 0;
    new.number = m->tag;
    pthread_mutex_lock(&t->lock);
    gy_reach_error *place = place_for(r, &new);
    t->errors++;
    t->ends += new.kind == GY_FAULT_NONE;
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
    bool enough = most == 1 && (t->by_cost ? new.kind == GY_FAULT_NONE &&place : true);
    pthread_mutex_unlock(&t->lock);
    if (enough)
        gy_reach_raise(&r->stop);
}

void gy_reach_note_fault(gy_reach_member *m, const gy_transition *transition, uint32_t ordinal,
                         uint64_t cost, const gy_word *state, uint32_t words)
{
    const gy_fault *fault = transition->fault;
    const gy_reach_trace *t = m->reach->trace;
    uint64_t before = m->tag == GY_LINEAGE_NONE ? 0 : t->cost;
    if (gy_is_note(fault))
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    for (; (fault = gy_run_wanted(m->reach->run->options, fault)); fault = fault->also)
        note_site(m,
                  (gy_reach_error){.kind = fault->kind,
                                   .edge = fault->edge,
                                   .ordinal = ordinal,
                                   .cost = before + cost,
                                   .step = cost},
                  state, words);
}

void gy_reach_note_end(gy_reach_member *m, const gy_word *state, uint32_t words)
{
    const gy_search_options *options = m->reach->run->options;
    if (options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, options->empty_channels))
        note_site(m, (gy_reach_error){.kind = GY_FAULT_NONE, .cost = m->reach->trace->cost}, state,
                  words);
}

void gy_reach_note_initial_fault(gy_reach_member *m, const gy_transition *transition)
{
    gy_reach_note_fault(m, transition, m->visited - 1, gy_reach_cost_of(transition), NULL, 0);
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

// Too many states or transitions: when that was noticed depends on the threads.
static bool is_over_limit(const gy_reach *r)
{
    uint64_t most = r->run->options->transition_limit;
    return (r->run->state_limit && gy_reach_states(r) > r->run->state_limit) ||
           (most && gy_reach_transitions(r) > most);
}

// The states of a level that begins get their tags.
void gy_reach_tag_level(gy_reach *r)
{
    gy_reach_trace *t = r->trace;
    if (!t->by_cost)
        t->cost++;
    t->depth = t->cost;
    if (!is_over_limit(r))
        t->settled = t->cost;
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

// States that have to be expanded once more at the end of the current level, whose tags were lost.
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
            gy_reach_bucket due = m->due.at[k];
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

// Have all been found that are to be reported? All that are cheaper than the next level are known.
static bool has_enough(const gy_reach *r, uint64_t next_cost)
{
    const gy_reach_trace *t = r->trace;
    uint64_t known = 0, most = r->run->options->max_errors;
    for (size_t i = 0; i < t->sites.n; i++)
        known += t->sites.at[i].cost < next_cost;
    return most > 1 && known >= most;
}

// What comes after the current chore. False: the level begins, with what was found.
bool gy_reach_next_traced(gy_reach *r)
{
    gy_reach_trace *t = r->trace;
    bool one = r->run->options->max_errors == 1;
    if (!t->by_cost) {
        bool enough = has_enough(r, t->cost + 1);
        if (enough)
            gy_reach_raise(&r->stop);
        return enough;
    }
    for (;;) {
        if (r->chore == GY_REACH_EXPAND) {
            uint64_t next = next_cost(r);
            if (next == UINT64_MAX)
                return false;
            t->cost = next;
            if ((one && atomic_load_explicit(&t->best, memory_order_relaxed) <= next) ||
                has_enough(r, next)) {
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

// ---- reporting the paths ---------------------------------------------------------------------

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
    gy_local_path segment = {.run = run,
                             .reducer = r->trace->by_cost ? NULL : run->reducer,
                             .from = from,
                             .to = to,
                             .by_cost = r->trace->by_cost,
                             .most = cost,
                             .room = room};
    if (gy_local_path_find(&segment, path))
        return true;
    segment.reducer = NULL; // the path takes a transition that was put off at first
    segment.room = run->stopped ? more : most; // unless it is over, the limits of the run hold
    return gy_local_path_find(&segment, path);
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

// The path to the state of a site, from an initial state on.
static bool tell_way(gy_reach *r, const gy_reach_error *site, gy_route *path)
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

// Reports the errors that were found. False: the path to one could not be reported in time.
static bool report(gy_reach *r, const gy_reach_error *site, bool proved)
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
    bool all = run->options->max_errors == 1 || !is_over_limit(r);
    uint64_t ends = 0;
    for (size_t i = 0; i < t->sites.n; i++)
        for (size_t k = i + 1; k < t->sites.n; k++)
            if (is_cheaper(&t->sites.at[k], &t->sites.at[i])) {
                gy_reach_error site = t->sites.at[i];
                t->sites.at[i] = t->sites.at[k];
                t->sites.at[k] = site;
            }
    for (size_t i = 0; i < t->sites.n; i++) {
        ends += t->sites.at[i].kind == GY_FAULT_NONE;
        if (!all && t->sites.at[i].cost >= t->settled)
            continue; // another run may not have found it
        if (!report(r, &t->sites.at[i], proved) && !run->stopped)
            gy_run_fail_internally(run, "the path to an error cannot be found again");
    }
    run->result->errors = t->errors;
    run->result->not_kept += run->options->max_errors == 1 ? 0 : t->ends - ends;
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
