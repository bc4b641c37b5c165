// With an observer of few states, the store has the states of the system: the node for state number
// n and observer state c is n * spread + c, whether it can be reached or not. Otherwise, the
// store has the words of the system's state and, last, the observer's: its numbers are the nodes.
#include "search/product.h"

#include "search/emptiness.h"
#include "search/fair.h"
#include "search/reduced_graph.h"
#include "search/run.h"
#include "search/shortest.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SPREAD = 8 };
enum { FIRST_LIMIT = 10000, FURTHER = 8 }; // nodes of a search without reduction

typedef GY_VEC(gy_word) word_list;

// Where an edge of the product comes from.
typedef struct edge_origin {
    uint32_t move, ordinal;
} edge_origin;

// A transition whose successor has no number yet.
typedef struct arrival {
    size_t first; // in the pool
    uint32_t words, ordinal, cost;
    uint64_t moved; // marks
    gy_key key;
} arrival;

typedef struct product {
    gy_run *run;
    const gy_observer *observer;
    gy_fair fair;
    bool again;               // this node was expanded before
    GY_VEC(uint8_t) expanded; // if nodes may be more than once: those that were
    bool frozen;              // no new states: those not known are left out
    bool telling;             // keep origins
    bool shortening;          // edges have costs
    bool counting;            // transitions
    uint32_t spread;          // if not 0: observer states, see above
    GY_VEC(uint64_t) known;   // then: a bit for each node
    uint64_t node_count;
    word_list from;           // the state at hand
    uint32_t at;              // and the observer's
    word_list pool;           // its successors, each with a word for the observer
    GY_VEC(arrival) arrivals; // that have no number yet
    GY_VEC(gy_observer_move) moves;
    GY_VEC(edge_origin) origins;  // of the edges of the node at hand
    const gy_observer_move *seen; // a move that is an error
    gy_graph_edges *out;
    uint32_t ordinal;
    bool full;
    gy_reduced_graph *reduced; // the system's part of the search; NULL: all of it
    uint64_t limit;            // nodes after which it is broken off; 0: never
    uint64_t count;            // of nodes so far
    bool broken_off;
} product;

static void add_move(void *user, const gy_observer_move *move)
{
    product *p = user;
    gy_vec_push(&p->moves, *move);
}

static bool is_known(product *p, uint32_t node)
{
    size_t at = node / 64;
    if (at >= p->known.n) {
        size_t old = p->known.n;
        gy_vec_reserve(&p->known, at + 1);
        memset(p->known.at + old, 0, (p->known.room - old) * sizeof *p->known.at);
        p->known.n = p->known.room;
    }
    uint64_t bit = 1ull << node % 64;
    bool before = p->known.at[at] & bit;
    if (!before && !p->frozen) {
        p->known.at[at] |= bit;
        p->node_count++;
    }
    return before;
}

// The number of what stands in the store under this key. False: full, or not known and frozen.
static bool find_id(product *p, const gy_key *key, const gy_word *state, uint64_t *id)
{
    if (p->frozen)
        return gy_store_has(p->run->view, key, state, id);
    p->full = p->full || gy_store_enter(p->run->view, key, state, id) == GY_STORE_FULL ||
              *id >= UINT32_MAX / (p->spread ? p->spread : 1) - 1;
    return !p->full;
}

// The node of a state, in p->pool, with the observer in `at`; the state's own number is *id, where
// it has one.
static bool number_node(product *p, const arrival *a, uint64_t id, uint32_t at, uint32_t *node)
{
    if (p->spread) {
        *node = (uint32_t)id * p->spread + at;
        return is_known(p, *node) || !p->frozen;
    }
    gy_key key;
    gy_word *state = p->pool.at + a->first;
    state[a->words] = at;
    if (!gy_store_prepare(p->run->view, state, a->words + 1, &key)) {
        p->full = !p->frozen;
        return false;
    }
    if (!find_id(p, &key, state, &id))
        return false;
    *node = (uint32_t)id;
    return true;
}

// Puts a state into the pool, and its number on the way.
static bool await(product *p, const gy_word *state, arrival a)
{
    a.first = p->pool.n;
    gy_vec_reserve(&p->pool, p->pool.n + a.words + 1);
    if (a.words)
        memcpy(p->pool.at + a.first, state, a.words * sizeof *state);
    p->pool.n += a.words + 1;
    if (p->spread && !gy_store_prepare(p->run->view, p->pool.at + a.first, a.words, &a.key)) {
        p->full = !p->frozen;
        return false;
    }
    gy_vec_push(&p->arrivals, a);
    return true;
}

static void add_edges(product *p, const arrival *a)
{
    uint64_t id = 0;
    if (p->spread && !find_id(p, &a->key, p->pool.at + a->first, &id))
        return;
    for (size_t i = 0; i < p->moves.n && !p->full; i++) {
        uint32_t node;
        if (!number_node(p, a, id, p->moves.at[i].to, &node))
            continue;
        gy_graph_edge edge = {node, a->cost, p->moves.at[i].marks | a->moved};
        gy_vec_push(p->out, edge);
        if (p->telling) {
            edge_origin origin = {(uint32_t)i, a->ordinal};
            gy_vec_push(&p->origins, origin);
        }
        if (p->counting && !p->again)
            p->run->result->transitions++;
    }
}

// All that were awaited, so that their ways to memory overlap.
static void arrive(product *p)
{
    for (size_t i = 0; i < p->arrivals.n && p->spread; i++)
        gy_store_warm(p->run->view, &p->arrivals.at[i].key);
    for (size_t i = 0; i < p->arrivals.n && !p->full; i++)
        add_edges(p, &p->arrivals.at[i]);
    p->arrivals.n = p->pool.n = 0;
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
    arrival a = {.words = transition->words, .ordinal = ordinal, .moved = moved};
    if (p->shortening)
        a.cost = cost_of(transition);
    return !await(p, transition->state, a);
}

static void visit_system(product *p)
{
    gy_run *run = p->run;
    uint32_t count, words = (uint32_t)p->from.n;
    const uint8_t *keep;
    if (!p->reduced) {
        gy_successors(run->worker, p->from.at, words, visit, p);
        return;
    }
    const gy_transition *all =
        gy_reduced_graph_moves(p->reduced, run->worker, p->from.at, words, &count, &keep);
    for (uint32_t i = 0; i < count; i++) {
        p->ordinal = i;
        if (keep[i] && visit(p, &all[i]))
            break;
    }
    p->ordinal = count;
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

// The state and the observer's state of a node, into p->from and p->at.
static void recall(product *p, uint32_t node)
{
    uint32_t words, id = p->spread ? node / p->spread : node;
    const uint32_t *state = gy_store_state(p->run->view, id, &words);
    gy_vec_reserve(&p->from, (size_t)words + 1);
    if (words)
        memcpy(p->from.at, state, words * sizeof *state);
    p->from.n = p->spread ? words : words - 1;
    p->at = p->spread ? node % p->spread : p->from.at[words - 1];
}

static int expand(void *user, uint32_t node, gy_graph_edges *out)
{
    product *p = user;
    gy_run *run = p->run;
    uint32_t words;
    if (!p->frozen && gy_run_tick(run))
        return GY_GRAPH_STOP;
    p->again = p->fair.asks && was_expanded(p, node);
    recall(p, node);
    words = (uint32_t)p->from.n;
    p->moves.n = p->origins.n = 0;
    p->out = out;
    p->ordinal = 0;
    gy_fair_begin(&p->fair);
    p->observer->moves(p->observer->self, run->worker, p->from.at, words, p->at, add_move, p);
    for (size_t i = 0; i < p->moves.n; i++) {
        if (p->moves.at[i].sight != GY_SEES_NOTHING) {
            p->seen = &p->moves.at[i];
            return GY_GRAPH_SEEN;
        }
    }
    if (p->moves.n == 0)
        return 0;
    size_t first = out->n;
    visit_system(p);
    if (p->ordinal == 0 && p->observer->stutters) {
        arrival a = {.words = words, .ordinal = GY_STUTTER};
        await(p, p->from.at, a);
    }
    arrive(p);
    for (size_t i = first; i < out->n && gy_fair_any(&p->fair); i++)
        out->at[i].marks |= gy_fair_missing(&p->fair);
    if (p->full)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (p->fair.too_many)
        gy_run_fail(run, "fairness: more than %u processes and labelled statements",
                    64 - p->observer->sets);
    p->broken_off = p->limit && !p->frozen && ++p->count >= p->limit;
    return (run->stopped || p->broken_off) && !p->frozen ? GY_GRAPH_STOP : 0;
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
    product *p = request->p;
    uint32_t node, ordinal = request->ordinal++;
    uint64_t id = 0;
    arrival a = {.words = transition->words};
    if (!transition->state)
        return 0;
    p->arrivals.n = p->pool.n = 0;
    if (!await(p, transition->state, a))
        return 1;
    a = p->arrivals.at[0];
    if ((p->spread && !find_id(p, &a.key, p->pool.at, &id)) ||
        !number_node(p, &a, id, p->observer->initial, &node))
        return 1;
    p->arrivals.n = p->pool.n = 0;
    p->run->result->transitions++;
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
        gy_successors(p->run->worker, p->from.at, (uint32_t)p->from.n, visit_steps, &t->steps);
    gy_turn turn = {
        .from = p->at,
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
        gy_turn last = {.from = p->at,
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
    p->shortening = true;
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
    run->result->states = p->spread ? p->node_count : figures.states;
    gy_vec_free(&found.component);
    gy_vec_free(&initial.nodes);
    gy_vec_free(&initial.ordinals);
}

// Sound for what is asked, or a reason why not.
static void set_reduction_up(product *p)
{
    gy_run *run = p->run;
    const gy_observer *observer = p->observer;
    const char **why = &run->result->not_reduced;
    gy_reduce_needs needs = {.observed = observer->watched,
                             .observed_count = observer->watched_count};
    if (!run->options->reduce)
        return;
    if (gy_fair_any(&p->fair))
        *why = "fairness looks at which processes can move";
    else if (run->options->depth_limit)
        *why = "with a depth limit it could hide a short way to an error";
    else if (run->options->shortest_lasso)
        *why = "it could hide a shortest counterexample";
    else if (!observer->watched)
        *why = "it is not known what the property looks at";
    else if (!observer->blind)
        *why = "the formula sees how often a state is repeated";
    else
        run->reduction = gy_reduction_new(run->system, &needs, why);
}

static void use_reduced(product *p, gy_reduced_graph *graph)
{
    gy_run *run = p->run;
    p->reduced = graph;
    run->result->reduced = true;
    gy_reduced_graph_count(graph, &run->result->expanded_reduced, &run->result->expanded_fully);
    if (!run->options->check_reduction)
        return;
    run->result->reduction_checked = gy_reduced_graph_check(graph, run->worker);
    if (!run->result->reduction_checked)
        gy_run_fail(run, "internal error: the partial-order reduction may put something off for "
                         "ever; please report this with the model");
}

static void begin_again(product *p)
{
    p->broken_off = false;
    p->seen = NULL;
    p->count = p->node_count = 0;
    p->known.n = p->expanded.n = 0;
    p->run->result->transitions = 0;
}

// An error is often near, and then found without a reduction before the reduced graph is ready. So
// both take turns until one is there, each time with more room.
static void explore_in_turns(product *p, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_reduced_graph *graph = run->reduction ? gy_reduced_graph_new(run, run->reduction) : NULL;
    bool hostile = run->options->hostile; // then the reduced graph is what counts
    p->limit = !graph ? 0 : hostile ? 1 : FIRST_LIMIT;
    while (!run->stopped && gy_run_new_store(run)) {
        begin_again(p);
        explore(p, result);
        if (!p->broken_off || run->stopped)
            break;
        if (gy_reduced_graph_make(graph, hostile ? UINT64_MAX : p->limit)) {
            use_reduced(p, graph);
            p->limit = 0;
        } else {
            p->limit *= FURTHER;
        }
    }
    p->reduced = NULL;
    gy_reduced_graph_free(graph);
}

static bool gives_back(gy_store_kind kind)
{
    return kind == GY_STORE_TREE || kind == GY_STORE_PLAIN;
}

gy_product_result *gy_product_search(gy_system *system, const gy_observer *observer,
                                     gy_fairness fairness, const gy_search_options *given)
{
    gy_search_options options = *given;
    if (!gives_back(options.store))
        options.store = GY_STORE_TREE;
    else if (options.any_store && !options.memory_limit)
        options.store = GY_STORE_PLAIN; // twice as fast: a search in depth waits for each state
    options.checkpoint_file = options.resume_file = NULL;
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_search_result *figures = gy_alloc_zero(sizeof *figures);
    gy_run run = {.system = system, .options = &options, .result = figures};
    product p = {.run = &run, .observer = observer};
    gy_fair_init(&p.fair, system, fairness, observer->sets);
    if (observer->states <= MOST_SPREAD && observer->bounded)
        p.spread = observer->states;
    result->figures = figures;
    result->store = options.store;
    figures->endless_edge = -1;
    figures->threads = 1;
    figures->coverage = 1;
    run.started = gy_clock();
    run.next_progress = run.started + 1;
    run.worker = gy_worker_new(system);
    gy_budget_init(&run.budget, options.memory_limit);
    set_reduction_up(&p);
    explore_in_turns(&p, result);
    figures->matched =
        figures->transitions > figures->states ? figures->transitions - figures->states : 0;
    figures->memory = run.budget.peak;
    figures->bytes_per_state =
        figures->states ? (double)figures->memory / (double)figures->states : 0;
    figures->seconds = gy_clock() - run.started;
    gy_store_view_free(run.view);
    gy_store_free(run.store);
    gy_worker_free(run.worker);
    gy_reduction_free(run.reduction);
    gy_vec_free(&p.from);
    gy_vec_free(&p.pool);
    gy_vec_free(&p.arrivals);
    gy_vec_free(&p.known);
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
