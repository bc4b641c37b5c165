// A node is expanded in four steps, so that ways to memory overlap: the observer's transitions; the
// system's successors, all of them; their numbers; the edges.
#include "search/liveness/product_graph.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SPREAD = 8 };
#define UNKNOWN UINT64_MAX

void gy_product_init(gy_product *p, gy_run *run, const gy_observer *observer, gy_fairness fairness)
{
    *p = (gy_product){.run = run, .observer = observer};
    gy_fair_init(&p->fair, run->system, fairness, observer);
    if (observer->states <= MOST_SPREAD && observer->bounded)
        p->spread = observer->states;
}

static void free_pairs(gy_product *p)
{
    gy_numbered_free(p->pairs);
    p->pairs = NULL;
}

bool gy_product_restart(gy_product *p)
{
    p->broken_off = false;
    p->seen = NULL;
    p->count = p->expanded.n = 0;
    p->run->result->transitions = 0;
    if (p->spread)
        return true;
    free_pairs(p);
    gy_store_options options = {.budget = &p->run->budget};
    p->pairs = gy_numbered_new(gy_store_kind_at(gy_store_kind_quick()), &options);
    if (!p->pairs)
        gy_run_stop(p->run, GY_LIMIT_MEMORY);
    return p->pairs != NULL;
}

void gy_product_free(gy_product *p)
{
    free_pairs(p);
    gy_vec_free(&p->expanded);
    gy_vec_free(&p->origins);
    gy_vec_free(&p->entries);
    gy_vec_free(&p->arrivals);
    gy_vec_free(&p->pool);
    gy_vec_free(&p->pair_entries);
    gy_vec_free(&p->pair_words);
    gy_vec_free(&p->own_moves);
    gy_vec_free(&p->changed);
    gy_vec_free(&p->edge_asked);
    gy_fair_free(&p->fair);
}

// ---- the current node -----------------------------------------------------------------------

static bool was_expanded(gy_product *p, uint32_t node)
{
    if (node >= p->expanded.n) {
        size_t old = p->expanded.n;
        gy_vec_reserve(&p->expanded, (size_t)node + 1);
        memset(p->expanded.at + old, 0, p->expanded.room - old);
        p->expanded.n = p->expanded.room;
    }
    bool before = p->expanded.at[node];
    p->expanded.at[node] = 1;
    return before;
}

static void recall(gy_product *p, uint32_t node)
{
    uint32_t id, words;
    if (p->spread == 1) {
        id = node;
        p->at = 0;
    } else if (p->spread) {
        id = node / p->spread;
        p->at = node % p->spread;
    } else {
        const uint32_t *pair = gy_numbered_state(p->pairs, node, &words);
        id = pair[0];
        p->at = pair[1];
    }
    p->state = gy_numbered_state(p->run->store, id, &p->words);
}

static void add_move(void *user, const gy_observer_move *move)
{
    gy_product *p = user;
    gy_vec_push(&p->own_moves, *move);
    if (!p->observer->changes)
        return;
    gy_vec_reserve(&p->changed, p->changed.n + p->words + 1);
    if (p->words)
        memcpy(p->changed.at + p->changed.n, move->state ? move->state : p->state,
               p->words * sizeof *p->changed.at);
    p->changed.n += p->words;
}

// The list of what they leave does not grow any more.
static void place_changed(gy_product *p)
{
    for (size_t i = 0; i < p->own_moves.n; i++)
        p->own_moves.at[i].state = p->changed.at + i * p->words;
}

// The observer's transitions. False: one of them is an error.
static bool observe(gy_product *p)
{
    const gy_observer *observer = p->observer;
    gy_worker *worker = p->run->worker;
    if (observer->all_moves) {
        p->moves =
            observer->all_moves(observer->self, worker, p->state, p->words, p->at, &p->move_count);
    } else {
        p->own_moves.n = p->changed.n = 0;
        observer->moves(observer->self, worker, p->state, p->words, p->at, add_move, p);
        if (observer->changes)
            place_changed(p);
        p->moves = p->own_moves.at;
        p->move_count = (uint32_t)p->own_moves.n;
    }
    for (uint32_t i = 0; i < p->move_count; i++) {
        if (p->moves[i].sight != GY_SEES_NOTHING) {
            p->seen = &p->moves[i];
            return false;
        }
    }
    return true;
}

// ---- its successors -------------------------------------------------------------------------

// The statements that it executes, as Spin's trails count them: a rendezvous is two.
static uint32_t cost_of(const gy_transition *transition)
{
    uint32_t cost = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += transition->steps[i].partner >= 0;
    return cost;
}

static void add_entry(gy_product *p, const gy_word *state, uint32_t words, gy_arrival arrival)
{
    gy_numbered_entry entry = {.state = state, .words = words};
    gy_vec_push(&p->entries, entry);
    gy_vec_push(&p->arrivals, arrival);
}

static void note(gy_product *p, const gy_transition *transition, const gy_word *state)
{
    gy_arrival arrival = {.ordinal = p->ordinal++};
    if (gy_fair_any(&p->fair))
        arrival.moved = gy_fair_note(&p->fair, transition);
    if (p->observer->passed) {
        arrival.passed = p->observer->passed(p->observer->self, transition);
        arrival.moved |= arrival.passed & p->fair.reserved;
    }
    if (p->costs)
        arrival.cost = cost_of(transition);
    if (transition->state)
        add_entry(p, state, transition->words, arrival);
}

// The pool may still move: its entries are given their states by place_copies.
static void copy(gy_product *p, const gy_word *state, uint32_t words)
{
    gy_vec_reserve(&p->pool, p->pool.n + words + 1);
    if (words)
        memcpy(p->pool.at + p->pool.n, state, words * sizeof *state);
    p->pool.n += words;
}

static int visit(void *user, const gy_transition *transition)
{
    gy_product *p = user;
    if (transition->state)
        copy(p, transition->state, transition->words);
    note(p, transition, NULL);
    return 0;
}

static void place_copies(gy_product *p)
{
    const gy_word *at = p->pool.at;
    for (size_t i = 0; i < p->entries.n; i++) {
        p->entries.at[i].state = at;
        at += p->entries.at[i].words;
    }
}

static void stutter(gy_product *p)
{
    copy(p, p->state, p->words);
    add_entry(p, NULL, p->words, (gy_arrival){.ordinal = GY_STUTTER});
    place_copies(p);
}

static void forget_successors(gy_product *p)
{
    p->entries.n = p->arrivals.n = p->pool.n = 0;
    p->ordinal = 0;
}

static void succeed_reduced(gy_product *p)
{
    uint32_t count;
    const uint8_t *keep;
    const gy_transition *all =
        gy_reduced_view_moves(p->reduced, p->run->worker, p->state, p->words, &count, &keep);
    forget_successors(p);
    for (uint32_t i = 0; i < count; i++) {
        p->ordinal = i;
        if (keep[i])
            note(p, &all[i], all[i].state);
    }
    p->ordinal = count;
}

// As note for each, where only states matter.
static void take_all(gy_product *p, const gy_transition *all, uint32_t count)
{
    gy_vec_reserve(&p->entries, count);
    gy_vec_reserve(&p->arrivals, count);
    for (uint32_t i = 0; i < count; i++) {
        p->entries.at[i].state = all[i].state;
        p->entries.at[i].words = all[i].words;
        p->arrivals.at[i] = (gy_arrival){.ordinal = i};
    }
    p->entries.n = p->arrivals.n = p->ordinal = count;
}

static void succeed(gy_product *p)
{
    uint32_t count;
    gy_worker *worker = p->run->worker;
    const gy_transition *all = gy_successors_batch(worker, p->state, p->words, &count);
    forget_successors(p);
    if (all && !gy_fair_any(&p->fair) && !p->costs && !p->observer->passed) {
        take_all(p, all, count);
    } else if (all) {
        for (uint32_t i = 0; i < count; i++)
            note(p, &all[i], all[i].state);
    } else {
        gy_successors(worker, p->state, p->words, visit, p);
        place_copies(p);
    }
}

// ---- their numbers --------------------------------------------------------------------------

// Sets the ids of all entries; UNKNOWN: not known and frozen. False: full.
static bool number(gy_product *p, gy_numbered *store, gy_numbered_entry *entries, size_t count,
                   uint64_t limit)
{
    if (!p->frozen) {
        p->full = gy_numbered_enter_all(store, entries, (uint32_t)count) < count;
        for (size_t i = 0; i < count && !p->full; i++)
            p->overflow = p->overflow || entries[i].id >= limit;
        return !p->full && !p->overflow;
    }
    for (size_t i = 0; i < count; i++) {
        gy_numbered_entry *e = &entries[i];
        if (!gy_numbered_find(store, e->state, e->words, &e->id))
            e->id = UNKNOWN;
    }
    return true;
}

static bool number_states(gy_product *p)
{
    return number(p, p->run->store, p->entries.at, p->entries.n,
                  UINT32_MAX / (p->spread ? p->spread : 1) - 1);
}

// Does transition k go along with successor i?
static bool go_together(const gy_product *p, size_t i, uint32_t k)
{
    return p->entries.at[i].id != UNKNOWN && !(p->moves[k].unless & p->arrivals.at[i].passed);
}

// Each known successor with each of the transitions.
static bool number_pairs(gy_product *p)
{
    p->pair_entries.n = p->pair_words.n = 0;
    for (size_t i = 0; i < p->entries.n; i++) {
        for (uint32_t k = 0; k < p->move_count; k++) {
            if (!go_together(p, i, k))
                continue;
            gy_numbered_entry entry = {.words = 2};
            gy_vec_push(&p->pair_words, (gy_word)p->entries.at[i].id);
            gy_vec_push(&p->pair_words, p->moves[k].to);
            gy_vec_push(&p->pair_entries, entry);
        }
    }
    for (size_t i = 0; i < p->pair_entries.n; i++)
        p->pair_entries.at[i].state = &p->pair_words.at[2 * i];
    return number(p, p->pairs, p->pair_entries.at, p->pair_entries.n, UINT32_MAX - 1);
}

// ---- the edges ------------------------------------------------------------------------------

static void add_edge(gy_product *p, uint64_t node, const gy_arrival *arrival, uint32_t move,
                     gy_arc_graph_edges *out)
{
    gy_arc_graph_edge edge = {(uint32_t)node, arrival->cost,
                              (p->moves[move].marks & p->fair.observer) | arrival->moved};
    gy_vec_push(out, edge);
    if (p->telling) {
        gy_edge_origin origin = {p->first_move + move, arrival->ordinal};
        gy_vec_push(&p->origins, origin);
    }
}

static void add_edges(gy_product *p, gy_arc_graph_edges *out)
{
    size_t pair = 0;
    for (size_t i = 0; i < p->entries.n; i++) {
        uint64_t id = p->entries.at[i].id;
        for (uint32_t k = 0; k < p->move_count; k++) {
            if (!go_together(p, i, k))
                continue;
            uint64_t node =
                p->spread ? id * p->spread + p->moves[k].to : p->pair_entries.at[pair++].id;
            if (node != UNKNOWN)
                add_edge(p, node, &p->arrivals.at[i], k, out);
        }
    }
}

static void stop_if_full(gy_product *p)
{
    if (p->full)
        gy_run_stop(p->run, GY_LIMIT_MEMORY);
    if (p->overflow)
        gy_run_overflow(p->run,
                        "the product of the model and the property has more than 4 thousand "
                        "million states");
}

// The successors of the current state, with the current transitions.
static void expand(gy_product *p, gy_arc_graph_edges *out)
{
    if (p->reduced)
        succeed_reduced(p);
    else
        succeed(p);
    if (p->ordinal == 0 && p->observer->stutters)
        stutter(p);
    if (number_states(p) && (p->spread || number_pairs(p)))
        add_edges(p, out);
}

// The processes that are blocked in the current state.
static void add_missing(gy_product *p, gy_arc_graph_edges *out, size_t first)
{
    for (size_t i = first; i < out->n && gy_fair_any(&p->fair); i++)
        out->at[i].marks |= gy_fair_missing(&p->fair);
}

// The same move by move, each from the state that it leaves: which processes are enabled is seen
// there, too.
static void expand_changed(gy_product *p, gy_arc_graph_edges *out)
{
    const gy_observer_move *moves = p->moves;
    const gy_word *state = p->state;
    uint32_t count = p->move_count;
    for (uint32_t k = 0; k < count && !p->full && !p->overflow; k++) {
        p->first_move = k;
        p->moves = moves + k;
        p->move_count = 1;
        p->state = moves[k].state;
        size_t first = out->n;
        gy_fair_begin(&p->fair);
        expand(p, out);
        add_missing(p, out, first);
        for (; first < out->n; first++)
            gy_vec_push(&p->edge_asked, gy_fair_asked(&p->fair));
    }
    p->first_move = 0;
    p->moves = moves;
    p->move_count = count;
    p->state = state;
}

int gy_product_edges(void *product, uint32_t node, gy_arc_graph_edges *out)
{
    gy_product *p = product;
    gy_run *run = p->run;
    size_t first = out->n;
    if (!p->telling && gy_run_tick(run))
        return GY_GRAPH_STOP;
    bool again = p->fair.asks && was_expanded(p, node);
    recall(p, node);
    gy_fair_begin(&p->fair);
    if (!observe(p))
        return GY_GRAPH_SEEN;
    if (p->observer->strong)
        p->asked = p->observer->asks(p->observer->self, run->worker, p->state, p->words) &
                   p->fair.observer;
    if (p->move_count == 0)
        return 0;
    p->origins.n = p->edge_asked.n = 0;
    if (p->observer->changes)
        expand_changed(p, out);
    else
        expand(p, out);
    if (p->counting && !again && !p->full && !p->overflow)
        run->result->transitions += out->n - first;
    if (!p->observer->changes)
        add_missing(p, out, first);
    stop_if_full(p);
    bool too_many = p->counting && gy_fair_too_many(&p->fair); // else it does not matter any more
    if (too_many && p->fair.wide)
        gy_run_fail(run, "fairness of more than %d processes and labelled statements",
                    GY_FAIR_MOST);
    if (p->counting)
        run->states_so_far = ++p->count;
    p->broken_off = too_many || (p->limit && p->counting && p->count >= p->limit);
    return (run->stopped && !p->telling) || p->broken_off ? GY_GRAPH_STOP : 0;
}

uint64_t gy_product_asks(void *product, size_t edge)
{
    const gy_product *p = product;
    return p->asked | (p->observer->changes ? p->edge_asked.at[edge] : gy_fair_asked(&p->fair));
}

static uint32_t windows(void *product)
{
    const gy_product *p = product;
    return gy_fair_windows(&p->fair);
}

static void look(void *product, uint32_t window)
{
    gy_product *p = product;
    gy_fair_look(&p->fair, window);
}

void gy_product_set_asks(gy_product *p, gy_arc_graph *graph)
{
    graph->all = gy_fair_all(&p->fair);
    graph->asks = p->fair.asks ? gy_product_asks : NULL;
    graph->windows = p->fair.wide ? windows : NULL;
    graph->look = p->fair.wide ? look : NULL;
}

void gy_product_widen(gy_product *p)
{
    gy_fair_widen(&p->fair);
    if (p->graph)
        gy_product_set_asks(p, p->graph);
}

// ---- initial states -------------------------------------------------------------------------

// As if the observer moved to where it begins.
static void move_to_initials(gy_product *p)
{
    const gy_observer *observer = p->observer;
    p->own_moves.n = 0;
    for (uint32_t i = 0; i < observer->initial_count; i++)
        gy_vec_push(&p->own_moves, (gy_observer_move){.to = observer->initials[i]});
    if (!observer->initials)
        gy_vec_push(&p->own_moves, (gy_observer_move){.to = observer->initial});
    p->moves = p->own_moves.at;
    p->move_count = (uint32_t)p->own_moves.n;
}

void gy_product_begin(gy_product *p, gy_product_start *start)
{
    gy_arc_graph_edges edges = {0};
    forget_successors(p);
    gy_initial(p->run->worker, visit, p);
    place_copies(p);
    move_to_initials(p);
    if (number_states(p) && (p->spread || number_pairs(p)))
        add_edges(p, &edges);
    for (size_t i = 0; i < edges.n; i++) {
        gy_vec_push(&start->nodes, edges.at[i].to);
        gy_vec_push(&start->ordinals, p->arrivals.at[i / p->move_count].ordinal);
    }
    p->run->result->transitions += edges.n;
    p->moves = NULL;
    p->move_count = 0;
    gy_vec_free(&edges);
    stop_if_full(p);
}
