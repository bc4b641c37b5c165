// A state of the product is stored as the words of the system's state and, last, the state of
// the observer.
#include "search/product.h"

#include "search/emptiness.h"
#include "search/fair.h"
#include "search/run.h"
#include "search/shortest.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

typedef GY_VEC(gy_word) word_list;

// Where an edge of the product comes from.
typedef struct edge_origin {
    uint32_t move, ordinal;
} edge_origin;

typedef struct product {
    gy_run *run;
    const gy_observer *observer;
    gy_fair fair;
    bool again;               // this node was expanded before
    GY_VEC(uint8_t) expanded; // if nodes may be more than once: those that were
    bool frozen;              // no new states: those not known are left out
    bool telling;             // keep origins
    bool counting;            // transitions
    word_list from, to;
    GY_VEC(gy_observer_move) moves;
    GY_VEC(edge_origin) origins;  // of the edges of the node at hand
    const gy_observer_move *seen; // a move that is an error
    gy_graph_edges *out;
    uint32_t ordinal;
    bool full;
} product;

static void add_move(void *user, const gy_observer_move *move)
{
    product *p = user;
    gy_vec_push(&p->moves, *move);
}

// Enters the state in p->to with the observer in `at`. False: full, or not known and frozen.
static bool number_state(product *p, uint32_t at, uint32_t *node)
{
    gy_key key;
    uint64_t id;
    p->to.at[p->to.n - 1] = at;
    if (!gy_store_prepare(p->run->view, p->to.at, (uint32_t)p->to.n, &key)) {
        p->full = !p->frozen;
        return false;
    }
    if (p->frozen) {
        if (!gy_store_has(p->run->view, &key, p->to.at, &id))
            return false;
    } else if (gy_store_enter(p->run->view, &key, p->to.at, &id) == GY_STORE_FULL ||
               id >= UINT32_MAX - 1) {
        p->full = true;
        return false;
    }
    *node = (uint32_t)id;
    return true;
}

static void set_words(word_list *list, const gy_word *state, uint32_t words)
{
    gy_vec_reserve(list, (size_t)words + 1);
    if (words)
        memcpy(list->at, state, words * sizeof *state);
    list->n = (size_t)words + 1;
}

static void add_edges(product *p, uint32_t ordinal, uint32_t cost, uint64_t moved)
{
    for (size_t i = 0; i < p->moves.n; i++) {
        uint32_t node;
        if (!number_state(p, p->moves.at[i].to, &node))
            continue;
        gy_graph_edge edge = {node, cost, p->moves.at[i].marks | moved};
        gy_vec_push(p->out, edge);
        if (p->telling) {
            edge_origin origin = {(uint32_t)i, ordinal};
            gy_vec_push(&p->origins, origin);
        }
        if (p->counting && !p->again)
            p->run->result->transitions++;
    }
}

// The statements that it executes, as Spin's trails count them: a rendezvous is two.
static uint32_t cost_of(const gy_transition *transition)
{
    uint32_t cost = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += transition->steps[i].partner >= 0;
    return cost;
}

static int visit(void *user, const gy_transition *transition)
{
    product *p = user;
    uint32_t ordinal = p->ordinal++;
    uint64_t moved = gy_fair_any(&p->fair) ? gy_fair_note(&p->fair, transition) : 0;
    if (!transition->state)
        return 0;
    set_words(&p->to, transition->state, transition->words);
    add_edges(p, ordinal, cost_of(transition), moved);
    return p->full;
}

static bool was_expanded(product *p, uint32_t node)
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

static int expand(void *user, uint32_t node, gy_graph_edges *out)
{
    product *p = user;
    gy_run *run = p->run;
    uint32_t words;
    if (!p->frozen && gy_run_tick(run))
        return GY_GRAPH_STOP;
    p->again = p->fair.asks && was_expanded(p, node);
    const uint32_t *state = gy_store_state(run->view, node, &words);
    set_words(&p->from, state, words);
    p->from.n = words;
    uint32_t at = p->from.at[--words];
    p->moves.n = p->origins.n = 0;
    p->out = out;
    p->ordinal = 0;
    gy_fair_begin(&p->fair);
    p->observer->moves(p->observer->self, run->worker, p->from.at, words, at, add_move, p);
    for (size_t i = 0; i < p->moves.n; i++) {
        if (p->moves.at[i].sight != GY_SEES_NOTHING) {
            p->seen = &p->moves.at[i];
            return GY_GRAPH_SEEN;
        }
    }
    if (p->moves.n == 0)
        return 0;
    size_t first = out->n;
    gy_successors(run->worker, p->from.at, words, visit, p);
    if (p->ordinal == 0 && p->observer->stutters) {
        set_words(&p->to, p->from.at, words);
        add_edges(p, GY_STUTTER, 0, 0);
    }
    for (size_t i = first; i < out->n && gy_fair_any(&p->fair); i++)
        out->at[i].marks |= gy_fair_missing(&p->fair);
    if (p->full)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (p->fair.too_many)
        gy_run_fail(run, "fairness: more than %u processes and labelled statements",
                    64 - p->observer->sets);
    return run->stopped && !p->frozen ? GY_GRAPH_STOP : 0;
}

static uint64_t asks(void *user)
{
    const product *p = user;
    return gy_fair_asked(&p->fair);
}

// ---- initial states -----------------------------------------------------------------------

typedef struct initial_request {
    product *p;
    gy_graph_nodes nodes;
    GY_VEC(uint32_t) ordinals;
    uint32_t ordinal;
} initial_request;

static int visit_initial(void *user, const gy_transition *transition)
{
    initial_request *request = user;
    uint32_t node, ordinal = request->ordinal++;
    if (!transition->state)
        return 0;
    set_words(&request->p->to, transition->state, transition->words);
    if (!number_state(request->p, request->p->observer->initial, &node))
        return 1;
    request->p->run->result->transitions++;
    gy_vec_push(&request->nodes, node);
    gy_vec_push(&request->ordinals, ordinal);
    return 0;
}

// ---- the lasso ------------------------------------------------------------------------------

typedef struct step_request {
    uint32_t wanted, seen;
    GY_VEC(gy_step) steps;
    uint64_t count;
} step_request;

static int visit_steps(void *user, const gy_transition *transition)
{
    step_request *request = user;
    if (request->seen++ != request->wanted)
        return 0;
    request->count = transition->step_count;
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&request->steps, transition->steps[i]);
    return 1;
}

typedef struct telling {
    product *p;
    step_request steps;
    GY_VEC(gy_turn) turns;
    gy_graph_edges edges;
} telling;

static void tell_hop(telling *t, gy_graph_hop hop)
{
    product *p = t->p;
    t->edges.n = 0;
    expand(p, hop.node, &t->edges);
    edge_origin origin = p->origins.at[hop.edge];
    const gy_observer_move *move = &p->moves.at[origin.move];
    t->steps.wanted = origin.ordinal;
    t->steps.seen = 0;
    t->steps.count = 0;
    if (origin.ordinal != GY_STUTTER)
        gy_successors(p->run->worker, p->from.at, (uint32_t)p->from.n - 1, visit_steps, &t->steps);
    gy_turn turn = {
        .from = p->from.at[p->from.n - 1],
        .to = move->to,
        .marks = t->edges.at[hop.edge].marks,
        .observer_edge = move->edge,
        .ordinal = origin.ordinal,
        .step_count = t->steps.count,
    };
    gy_vec_push(&t->turns, turn);
}

// No cycle: the stem leads to a node where the observer sees an error.
static gy_lasso_witness *tell_lasso(product *p, const initial_request *initial,
                                    const gy_graph_path *stem, uint32_t end,
                                    const gy_graph_path *cycle)
{
    telling t = {.p = p};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    uint32_t start = stem->n > 0 ? stem->at[0].node : end;
    p->frozen = p->telling = true;
    for (size_t i = 0; i < initial->nodes.n; i++)
        if (initial->nodes.at[i] == start)
            lasso->initial = initial->ordinals.at[i];
    for (size_t i = 0; i < stem->n; i++)
        tell_hop(&t, stem->at[i]);
    lasso->cycle_turn = t.turns.n;
    lasso->cycle_start = t.steps.steps.n;
    for (size_t i = 0; i < cycle->n; i++)
        tell_hop(&t, cycle->at[i]);
    if (cycle->n == 0) {
        t.edges.n = 0;
        p->seen = NULL;
        expand(p, end, &t.edges);
        gy_turn last = {.from = p->from.at[p->from.n - 1],
                        .to = p->seen->to,
                        .marks = p->seen->marks,
                        .observer_edge = p->seen->edge,
                        .ordinal = GY_STUTTER};
        lasso->sight = p->seen->sight;
        gy_vec_push(&t.turns, last);
        lasso->cycle_turn = t.turns.n;
    }
    lasso->turns = t.turns.at;
    lasso->turn_count = t.turns.n;
    lasso->steps = t.steps.steps.at;
    lasso->step_count = t.steps.steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    gy_vec_free(&t.edges);
    p->frozen = p->telling = false;
    return lasso;
}

// Among the states that were seen; NULL: the way can't be found again.
static gy_lasso_witness *some_lasso(product *p, const gy_graph *graph,
                                    const initial_request *initial,
                                    const gy_emptiness_result *found)
{
    gy_graph_path stem = {0}, cycle = {0};
    gy_lasso_witness *lasso = NULL;
    uint32_t end = 0;
    p->frozen = true;
    if (gy_graph_stem(graph, initial->nodes.at, (uint32_t)initial->nodes.n, &found->component,
                      &stem, &end) &&
        (found->component.n == 0 ||
         gy_graph_cycle(graph, &found->component, found->all, end, &cycle)))
        lasso = tell_lasso(p, initial, &stem, end, &cycle);
    p->frozen = false;
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    return lasso;
}

static void lasso_free(gy_lasso_witness *lasso)
{
    if (!lasso)
        return;
    free(lasso->turns);
    free(lasso->steps);
    free(lasso);
}

static bool is_tired(void *self)
{
    const product *p = self;
    return gy_run_tick_slow(p->run);
}

// Replaces the lasso that was found by a shortest one.
static void shorten(product *p, const gy_graph *graph, const initial_request *initial,
                    gy_product_result *result)
{
    gy_shortest shortest;
    gy_graph_shortest(graph, initial->nodes.at, (uint32_t)initial->nodes.n, result->lasso->cost,
                      is_tired, &shortest);
    result->proved_shortest = shortest.proved;
    if (shortest.found) {
        lasso_free(result->lasso);
        result->lasso = tell_lasso(p, initial, &shortest.stem, shortest.end, &shortest.cycle);
    }
    gy_vec_free(&shortest.stem);
    gy_vec_free(&shortest.cycle);
}

// ---- the search ---------------------------------------------------------------------------

// The second of two nested searches: its transitions were counted.
static void search_again(void *user, bool on)
{
    product *p = user;
    p->counting = !on;
}

// Nested search has a single kind of accepting edge. It costs two bits per state, but where the
// observer is not weak, it makes the successors of many states twice.
static bool chooses_nested(const product *p)
{
    bool once = p->observer->weak || p->observer->sets == 0;
    bool possible = !gy_fair_any(&p->fair) && (once || p->observer->sets == 1);
    switch (p->run->options->cycles) {
    case GY_CYCLES_COMPONENTS:
        return false;
    case GY_CYCLES_NESTED:
        return possible;
    case GY_CYCLES_AUTO:
        break;
    }
    return possible && once;
}

static void explore(product *p, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_graph graph = {.self = p, .edges = expand, .depth_limit = run->options->depth_limit};
    graph.uniform = p->observer->weak || p->observer->sets == 0;
    graph.again = search_again;
    result->nested = chooses_nested(p);
    gy_emptiness_result found;
    initial_request initial = {.p = p};
    graph.all = gy_fair_all(&p->fair);
    graph.asks = p->fair.asks ? asks : NULL;
    gy_initial(run->worker, visit_initial, &initial);
    if (p->full)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    p->counting = true;
    if (result->nested)
        gy_graph_nested(&graph, initial.nodes.at, (uint32_t)initial.nodes.n, &found);
    else
        gy_graph_search(&graph, initial.nodes.at, (uint32_t)initial.nodes.n, &found);
    p->counting = false;
    run->result->depth = found.depth;
    if (found.answer == GY_NONEMPTY || (found.answer == GY_BROKEN_OFF && p->seen)) {
        result->lasso = some_lasso(p, &graph, &initial, &found);
        if (!result->lasso)
            gy_run_fail(run, "internal error: the way to a cycle can't be found again");
        else if (run->options->shortest_lasso)
            shorten(p, &graph, &initial, result);
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
        run->result->errors = 1;
    } else if (found.cut) {
        gy_run_stop(run, GY_LIMIT_DEPTH);
    }
    gy_store_figures figures;
    gy_store_look(run->store, &figures);
    run->result->states = figures.states;
    gy_vec_free(&found.component);
    gy_vec_free(&initial.nodes);
    gy_vec_free(&initial.ordinals);
}

static bool gives_back(gy_store_kind kind)
{
    return kind == GY_STORE_TREE || kind == GY_STORE_PLAIN || kind == GY_STORE_AUTOMATON;
}

gy_product_result *gy_product_search(gy_system *system, const gy_observer *observer,
                                     gy_fairness fairness, const gy_search_options *given)
{
    gy_search_options options = *given;
    if (!gives_back(options.store))
        options.store = GY_STORE_TREE;
    options.checkpoint_file = options.resume_file = NULL;
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_search_result *figures = gy_alloc_zero(sizeof *figures);
    gy_run run = {.system = system, .options = &options, .result = figures};
    product p = {.run = &run, .observer = observer};
    gy_fair_init(&p.fair, system, fairness, observer->sets);
    result->figures = figures;
    figures->endless_edge = -1;
    figures->threads = 1;
    figures->coverage = 1;
    run.started = gy_clock();
    run.next_progress = run.started + 1;
    run.worker = gy_worker_new(system);
    gy_budget_init(&run.budget, options.memory_limit);
    if (gy_run_new_store(&run))
        explore(&p, result);
    figures->matched =
        figures->transitions > figures->states ? figures->transitions - figures->states : 0;
    figures->memory = run.budget.peak;
    figures->bytes_per_state =
        figures->states ? (double)figures->memory / (double)figures->states : 0;
    figures->seconds = gy_clock() - run.started;
    gy_store_view_free(run.view);
    gy_store_free(run.store);
    gy_worker_free(run.worker);
    gy_vec_free(&p.from);
    gy_vec_free(&p.to);
    gy_vec_free(&p.moves);
    gy_vec_free(&p.origins);
    gy_vec_free(&p.expanded);
    gy_fair_free(&p.fair);
    return result;
}

void gy_product_result_free(gy_product_result *result)
{
    if (!result)
        return;
    lasso_free(result->lasso);
    gy_search_result_free(result->figures);
    free(result);
}
