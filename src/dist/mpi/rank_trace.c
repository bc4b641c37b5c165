// The search over ranks once more, to find the paths to the errors that it finds.
//
// Every state has a number on its rank; next to it are the rank and number of the state that it was
// first found from. Levels are by cost, as in the search of one process
// (search/safety/reach_trace.c says why): a transition of cost 1 leads to the next level, and for
// its more expensive ones a state waits until they are due. So the first error is a shortest one.
// Where the caller will shorten what is found anyway, levels are by transitions.
#include "dist/mpi/rank_parts.h"

void gy_rank_trace_init(gy_rank_trace *t, gy_run *run, bool by_cost)
{
    *t = (gy_rank_trace){.by_cost = by_cost, .cost = UINT64_MAX, .best = UINT64_MAX};
    gy_region_init(&t->parents, &run->budget);
    gy_region_init(&t->ordinals, &run->budget);
    pthread_mutex_init(&t->lock, NULL);
}

void gy_rank_trace_free(gy_rank_trace *t)
{
    gy_region_free(&t->parents);
    gy_region_free(&t->ordinals);
    gy_vec_free(&t->sites);
    pthread_mutex_destroy(&t->lock);
}

// ---- errors ---------------------------------------------------------------------------

static bool is_cheaper(const gy_rank_site *a, const gy_rank_site *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    if (a->content != b->content)
        return a->content < b->content;
    return a->ordinal != b->ordinal ? a->ordinal < b->ordinal : a->where < b->where;
}

static uint64_t most_end_states(const gy_search_options *options)
{
    uint64_t most = options->witnesses;
    return most && options->max_errors > most ? options->max_errors : most;
}

static bool is_same_kind(const gy_search_options *options, const gy_rank_site *a,
                         const gy_rank_site *b)
{
    bool fault = a->kind != GY_FAULT_NONE && a->kind == b->kind && a->edge == b->edge;
    return fault || options->max_errors == 1;
}

// Puts a site into a list of the best of each kind. False: it is not one of them.
static bool place_site(gy_rank_trace *t, const gy_search_options *options, const gy_rank_site *new)
{
    uint64_t ends = 0, most = most_end_states(options);
    gy_rank_site *dearest = NULL;
    for (size_t i = 0; i < t->sites.n; i++) {
        gy_rank_site *old = &t->sites.at[i];
        if (is_same_kind(options, new, old)) {
            if (!is_cheaper(new, old))
                return false;
            *old = *new;
            return true;
        }
        ends += old->kind == GY_FAULT_NONE;
        if (old->kind == GY_FAULT_NONE && (!dearest || is_cheaper(dearest, old)))
            dearest = old;
    }
    if (new->kind == GY_FAULT_NONE && most &&ends >= most) {
        if (!is_cheaper(new, dearest))
            return false;
        *dearest = *new;
        return true;
    }
    gy_vec_push(&t->sites, *new);
    return true;
}

void gy_rank_note_site(gy_rank_member *m, gy_rank_site new, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    gy_rank_trace *t = s->trace;
    uint64_t rank = s->transport->rank;
    new.content = state ? gy_hash_words(state, words, 1) : 0;
    new.where =
        m->number == GY_RANK_NOWHERE ? GY_RANK_NOWHERE : rank << GY_RANK_NUMBER_BITS | m->number;
    pthread_mutex_lock(&t->lock);
    t->errors++;
    t->ends += new.kind == GY_FAULT_NONE;
    place_site(t, s->run->options, &new);
    t->best = new.cost < t->best ? new.cost : t->best;
    pthread_mutex_unlock(&t->lock);
}

static uint64_t cost_of(const gy_transition *transition)
{
    uint64_t cost = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += transition->steps[i].partner >= 0;
    return cost ? cost : 1;
}

void gy_rank_note_fault(gy_rank_member *m, const gy_transition *transition, uint32_t ordinal,
                        const gy_word *state, uint32_t words)
{
    const gy_fault *fault = transition->fault;
    const gy_rank_trace *t = m->search->trace;
    uint64_t before = m->number == GY_RANK_NOWHERE ? 0 : t->cost;
    uint64_t cost = t->by_cost ? cost_of(transition) : 1;
    if (gy_is_note(fault))
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    for (; (fault = gy_run_wanted(m->search->run->options, fault)); fault = fault->also)
        gy_rank_note_site(m,
                          (gy_rank_site){.kind = fault->kind,
                                         .edge = (uint32_t)fault->edge,
                                         .ordinal = ordinal,
                                         .cost = before + cost,
                                         .step = cost},
                          state, words);
}

void gy_rank_note_end(gy_rank_member *m, const gy_word *state, uint32_t words, uint32_t successors)
{
    const gy_search_options *options = m->search->run->options;
    if (!successors && options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, options->empty_channels))
        gy_rank_note_site(m, (gy_rank_site){.kind = GY_FAULT_NONE, .cost = m->search->trace->cost},
                          state, words);
}

// ---- expanding ------------------------------------------------------------------------

// The current state waits for its transitions of that cost.
static void wait_for(gy_rank_member *m, gy_ref ref, uint64_t cost)
{
    uint64_t at = m->search->trace->cost + cost;
    gy_rank_list *due = NULL;
    for (size_t i = 0; i < m->due.n && !due; i++)
        if (m->due.at[i].at == at && m->due.at[i].cost == cost)
            due = &m->due.at[i];
    if (!due) {
        gy_rank_list list;
        gy_rank_list_init(&list, &m->search->run->budget);
        list.at = at;
        list.cost = cost;
        gy_vec_push(&m->due, list);
        due = &m->due.at[m->due.n - 1];
    }
    if (!gy_rank_list_put(due, ref, m->number))
        gy_rank_out_of_memory(m->search);
}

// Is it known to be here already? Of those that belong elsewhere nothing is known.
static bool is_known(gy_rank_member *m, const gy_transition *t)
{
    gy_ref ref;
    return gy_rank_owner(m->search, t->state, t->words) == m->search->transport->rank &&
           gy_store_find(m->view, t->state, t->words, &ref);
}

// Those of cost 1 arrive; for a more expensive one the state waits. `skip[i]`: it does not arrive
// now. Where it is not sure that successors are made fast, a known one saves making them again.
static void sort_by_cost(gy_rank_member *m, gy_ref ref, const gy_transition *all, uint32_t count,
                         uint8_t *skip, bool fast)
{
    GY_VEC(uint64_t) costs = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = cost_of(&all[i]);
        bool noted = false;
        skip[i] = cost > 1;
        if (!all[i].state || !skip[i])
            continue;
        gy_rank_add_to(&m->transitions, 1);
        for (size_t k = 0; k < costs.n && !noted; k++)
            noted = costs.at[k] == cost;
        if (!noted && (fast || !is_known(m, &all[i])))
            gy_vec_push(&costs, cost);
    }
    for (size_t k = 0; k < costs.n; k++)
        wait_for(m, ref, costs.at[k]);
    gy_vec_free(&costs);
}

static const gy_transition *find_moves(gy_rank_member *m, const gy_word *state, uint32_t words,
                                       uint32_t *count, bool *fast)
{
    gy_rank_flush(m);
    const gy_transition *all = gy_successors_batch(m->worker, state, words, count);
    *fast = all != NULL;
    if (!all)
        return gy_moves_find(&m->moves, m->worker, state, words, count);
    gy_vec_reserve(&m->moves.keep, (size_t)*count + 1);
    return all;
}

void gy_rank_expand_traced(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    uint32_t count;
    bool fast;
    const gy_transition *all = find_moves(m, state, words, &count, &fast);
    gy_rank_note_steps(m, all, count);
    gy_rank_note_end(m, state, words, count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].fault)
            gy_rank_note_fault(m, &all[i], i, state, words);
    if (m->search->trace->by_cost)
        sort_by_cost(m, ref, all, count, m->moves.keep.at, fast);
    gy_rank_arrive_some(m, ref, all, count, m->search->trace->by_cost ? m->moves.keep.at : NULL);
}

void gy_rank_take_due(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words,
                      uint64_t cost)
{
    uint32_t count;
    bool fast;
    const gy_transition *all = find_moves(m, state, words, &count, &fast);
    for (uint32_t i = 0; i < count; i++)
        m->moves.keep.at[i] = cost_of(&all[i]) != cost;
    uint64_t counted = atomic_load_explicit(&m->transitions, memory_order_relaxed);
    gy_rank_arrive_some(m, ref, all, count, m->moves.keep.at);
    atomic_store_explicit(&m->transitions, counted, memory_order_relaxed); // they were before
}

// ---- at meetings ----------------------------------------------------------------------

bool gy_rank_number_level(gy_rank_search *s, gy_rank_list *found)
{
    gy_rank_trace *t = s->trace;
    uint64_t n = t->n + found->n;
    const gy_rank_from *from = found->from.at;
    found->first = t->n;
    if (!gy_region_reserve(&t->parents, n * sizeof(uint64_t)) ||
        !gy_region_reserve(&t->ordinals, n * sizeof(uint32_t)))
        return false;
    for (uint64_t i = 0; i < found->n; i++) {
        ((uint64_t *)t->parents.at)[t->n + i] = from[i].parent;
        ((uint32_t *)t->ordinals.at)[t->n + i] = from[i].ordinal;
    }
    t->n = n;
    gy_region_free(&found->from);
    gy_region_init(&found->from, &s->run->budget);
    return true;
}

uint64_t gy_rank_next_due(const gy_rank_search *s)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < s->size; i++)
        for (size_t k = 0; k < s->members[i].due.n; k++)
            if (s->members[i].due.at[k].at < next)
                next = s->members[i].due.at[k].at;
    return next;
}

// ---- reporting the paths -----------------------------------------------------------------

// All ranks have all sites, and the best of each kind in the same order.
static void gather_sites(gy_rank_search *s)
{
    gy_rank_trace *t = s->trace;
    gy_transport *transport = s->transport;
    uint64_t sums[] = {t->errors, t->ends};
    transport->reduce(transport, sums, 2, GY_TRANSPORT_SUM);
    t->errors = sums[0];
    t->ends = sums[1];
    GY_VEC(gy_rank_site) all = {0};
    for (unsigned rank = 0; rank < transport->size; rank++) {
        uint64_t count = t->sites.n;
        transport->broadcast(transport, rank, &count, sizeof count);
        for (uint64_t i = 0; i < count; i++) {
            gy_rank_site site = rank == transport->rank ? t->sites.at[i] : (gy_rank_site){0};
            transport->broadcast(transport, rank, &site, sizeof site);
            gy_vec_push(&all, site);
        }
    }
    t->sites.n = 0;
    for (size_t i = 0; i < all.n; i++)
        place_site(t, s->run->options, &all.at[i]);
    gy_vec_free(&all);
    for (size_t i = 0; i < t->sites.n; i++)
        for (size_t k = i + 1; k < t->sites.n; k++)
            if (is_cheaper(&t->sites.at[k], &t->sites.at[i])) {
                gy_rank_site site = t->sites.at[i];
                t->sites.at[i] = t->sites.at[k];
                t->sites.at[k] = site;
            }
}

// Collective. Whoever has the state reports it and its ancestors, as far as they are its own.
static void tell_way(gy_rank_search *s, uint64_t where, gy_route *path)
{
    enum { MOST = 512 };
    struct {
        uint64_t next, count;
        uint32_t ordinals[MOST];
    } part;
    const gy_rank_trace *t = s->trace;
    uint64_t mask = ((uint64_t)1 << GY_RANK_NUMBER_BITS) - 1;
    while (where != GY_RANK_NOWHERE) {
        unsigned owner = (unsigned)(where >> GY_RANK_NUMBER_BITS);
        memset(&part, 0, sizeof part);
        part.next = where;
        while (owner == s->transport->rank && part.count < MOST && part.next != GY_RANK_NOWHERE &&
               part.next >> GY_RANK_NUMBER_BITS == owner) {
            uint64_t number = part.next & mask;
            part.ordinals[part.count++] = ((const uint32_t *)t->ordinals.at)[number];
            part.next = ((const uint64_t *)t->parents.at)[number];
        }
        s->transport->broadcast(s->transport, owner, &part, sizeof part);
        for (uint64_t i = 0; i < part.count; i++)
            gy_vec_push(path, part.ordinals[i]);
        where = part.next;
    }
    for (size_t a = 0, b = path->n; a + 1 < b; a++, b--) {
        uint32_t ordinal = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = ordinal;
    }
}

// Of a product: one way is enough, and it is kept.
static void keep_route(gy_rank_search *s)
{
    gy_rank_trace *t = s->trace;
    s->product->route.n = 0;
    gather_sites(s);
    if (!t->sites.n)
        return;
    tell_way(s, t->sites.at[0].where, &s->product->route);
    if (t->sites.at[0].kind != GY_FAULT_NONE)
        gy_vec_push(&s->product->route, (uint32_t)t->sites.at[0].ordinal);
}

void gy_rank_report(gy_rank_search *s)
{
    if (s->product) {
        keep_route(s);
        return;
    }
    gy_run *run = s->run;
    gy_rank_trace *t = s->trace;
    bool proved = !gy_rank_is_up(&s->stop), one = run->options->max_errors == 1;
    uint64_t ends = 0;
    gather_sites(s);
    for (size_t i = 0; i < t->sites.n; i++) {
        const gy_rank_site *site = &t->sites.at[i];
        bool fault = site->kind != GY_FAULT_NONE;
        gy_route path = {0};
        ends += !fault;
        tell_way(s, site->where, &path);
        if (fault)
            gy_vec_push(&path, (uint32_t)site->ordinal);
        gy_run_report(run, &path, (gy_fault_kind)site->kind,
                      t->by_cost && proved && (one || !fault || site->step <= 1));
        gy_vec_free(&path);
    }
    run->result->errors = t->errors;
    run->result->not_kept += one ? 0 : t->ends - ends;
    run->result->error_met = run->result->error_met || t->errors;
}
