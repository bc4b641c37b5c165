// The search of the product: emptiness.h on the graph of product_graph.h.
#include "search/liveness/cycles.h"
#include "search/liveness/product_graph.h"
#include "search/liveness/product_space.h"
#include "search/liveness/shortest.h"

#include "base/clock.h"

#include <stdlib.h>

enum { FIRST_LIMIT = 10000, FURTHER = 8 }; // nodes of a search without reduction

// Among the states that were seen; NULL: the way can't be found again.
static gy_lasso_witness *some_lasso(gy_product *p, const gy_graph *graph,
                                    const gy_product_start *start, const gy_emptiness_result *found)
{
    gy_graph_path stem = {0}, cycle = {0};
    gy_lasso_witness *lasso = NULL;
    uint32_t end = 0;
    p->frozen = true;
    if (gy_graph_stem(graph, start->nodes.at, (uint32_t)start->nodes.n, &found->component, &stem,
                      &end) &&
        (found->component.n == 0 ||
         gy_graph_cycle(graph, &found->component, found->all, end, &cycle)))
        lasso = gy_product_tell(p, start, &stem, end, &cycle);
    p->frozen = false;
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    return lasso;
}

static bool is_tired(void *self)
{
    const gy_product *p = self;
    return gy_run_tick(p->run);
}

// Replaces the lasso that was found by a shortest one. False: it is one already.
static bool shorten(gy_product *p, const gy_graph *graph, const gy_product_start *start,
                    gy_product_result *result)
{
    gy_shortest shortest;
    p->shortening = true;
    gy_graph_shortest(graph, start->nodes.at, (uint32_t)start->nodes.n, result->lasso->cost,
                      &shortest);
    result->proved_shortest = shortest.proved;
    if (shortest.found) {
        gy_lasso_witness_free(result->lasso);
        result->lasso = gy_product_tell(p, start, &shortest.stem, shortest.end, &shortest.cycle);
    }
    gy_vec_free(&shortest.stem);
    gy_vec_free(&shortest.cycle);
    return shortest.found;
}

// Looks for one that is still shorter in the product with the tight observer. Figures stay as they
// are; after MOST_TIGHT nodes it gives up.
static void shorten_tightly(gy_product *p, gy_product_result *result)
{
    enum { MOST_TIGHT = 4000000 };
    gy_run *run = p->run;
    const gy_observer *tight = p->observer->tight;
    uint64_t transitions = run->result->transitions, states = run->states_so_far;
    gy_product q;
    gy_product_start start = {0};
    gy_product_init(&q, run, tight, GY_FAIRNESS_NONE);
    q.limit = MOST_TIGHT;
    if (gy_run_new_store(run) && gy_product_restart(&q)) {
        gy_graph graph = {.self = &q,
                          .edges = gy_product_edges,
                          .all = gy_fair_all(&q.fair),
                          .budget = &run->budget,
                          .tired = is_tired};
        q.counting = true; // for the limit
        gy_product_begin(&q, &start);
        if (shorten(&q, &graph, &start, result))
            result->lasso->tight = true;
        result->shortest_of_system = result->proved_shortest;
        result->proved_shortest = true; // as was known already
    }
    run->result->transitions = transitions;
    run->states_so_far = states;
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
    gy_product_free(&q);
}

// ---- the search ---------------------------------------------------------------------------

// The second of two nested searches: its transitions were counted.
static void search_again(void *user, bool on)
{
    gy_product *p = user;
    p->counting = !on;
}

static bool is_uniform(const gy_observer *observer)
{
    return observer->weak || observer->sets == 0; // then one edge has all sets
}

// NULL: it can look for cycles here.
static const char *why_not(const gy_product *p, const gy_cycle_engine *engine)
{
    const gy_search_options *options = p->run->options;
    if (!engine->fairness && (gy_fair_any(&p->fair) || p->observer->strong))
        return "it knows no fairness";
    if (!is_uniform(p->observer) && p->observer->sets > engine->sets)
        return "it needs one acceptance set";
    if (engine->space && options->shortest_lasso)
        return "a shortest counterexample is looked for in one thread";
    if (engine->space && options->depth_limit)
        return "with a depth limit, what several threads see would depend on their order";
    if (engine->space && p->run->reduction)
        return "a graph with a partial-order reduction is searched in one thread";
    return NULL;
}

// The one that is asked for, if it can; else one that makes the successors of each state but once.
static const gy_cycle_engine *choose(const gy_product *p, const char **why)
{
    const gy_cycle_engine *engine = gy_cycle_engine_of(p->run->options->cycles);
    const gy_cycle_engine *nested = gy_cycle_engine_of(GY_CYCLES_NESTED);
    const char *against = engine ? why_not(p, engine) : NULL;
    bool one_search = is_uniform(p->observer) && !why_not(p, nested);
    *why = against      ? against
           : engine     ? "asked for"
           : one_search ? "on each cycle of the automaton, all states or none accept: one search "
                          "in depth is enough"
                        : "the automaton has cycles of both kinds, several acceptance sets, or "
                          "there is fairness";
    if (engine && !against)
        return engine;
    return one_search ? nested : gy_cycle_engine_of(GY_CYCLES_COMPONENTS);
}

static void explore(gy_product *p, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_graph graph = {.self = p,
                      .edges = gy_product_edges,
                      .all = gy_fair_all(&p->fair),
                      .asks = p->fair.asks ? gy_product_asks : NULL,
                      .depth_limit = run->options->depth_limit,
                      .budget = &run->budget,
                      .uniform = is_uniform(p->observer),
                      .again = search_again,
                      .tired = is_tired};
    gy_emptiness_result found;
    gy_product_start start = {0};
    const gy_cycle_engine *engine = choose(p, &result->cycles_why);
    result->cycles = engine->name;
    gy_product_begin(p, &start);
    p->counting = true;
    engine->search(&graph, start.nodes.at, (uint32_t)start.nodes.n, &found);
    p->counting = false;
    run->result->depth = found.depth;
    run->result->states = found.nodes;
    if (found.full)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (found.answer == GY_NONEMPTY || (found.answer == GY_BROKEN_OFF && p->seen)) {
        result->lasso = some_lasso(p, &graph, &start, &found);
        run->result->error_met = true;
        if (!result->lasso && !run->stopped)
            gy_run_fail(run, "internal error: the way to a cycle can't be found again");
        if (result->lasso && run->options->shortest_lasso)
            shorten(p, &graph, &start, result);
        if (result->proved_shortest && result->lasso->cost > 0 && p->observer->tight)
            shorten_tightly(p, result);
        else if (result->proved_shortest)
            result->shortest_of_system = result->lasso->cost == 0 || p->observer->states == 1;
        run->result->errors = result->lasso || run->result->failure;
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
    } else if (found.cut) {
        gy_run_stop(run, GY_LIMIT_DEPTH);
    }
    gy_vec_free(&found.component);
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
}

// Sound for what is asked, or a reason why not.
static void set_reduction_up(gy_product *p)
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

static void use_reduced(gy_product *p, gy_reduced_graph *graph)
{
    gy_run *run = p->run;
    p->reduced = graph;
    run->result->reduced = true;
    gy_reduced_graph_count(graph, &run->result->expanded_reduced, &run->result->expanded_fully);
    if (!run->options->check_reduction)
        return;
    run->result->reduction_checked = gy_reduced_graph_check(graph, run->worker);
    if (!run->result->reduction_checked && !run->stopped)
        gy_run_fail(run, "internal error: the partial-order reduction may put something off for "
                         "ever; please report this with the model");
}

// An error is often near, and then found without a reduction before the reduced graph is ready. So
// both take turns until one is there, each time with more room.
static void explore_in_turns(gy_product *p, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_reduced_graph *graph = run->reduction ? gy_reduced_graph_new(run, run->reduction) : NULL;
    bool hostile = run->options->hostile; // then the reduced graph is what counts
    p->limit = !graph ? 0 : hostile ? 1 : FIRST_LIMIT;
    while (!run->stopped && gy_run_new_store(run) && gy_product_restart(p)) {
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
    gy_product p;
    result->figures = figures;
    result->store = options.store;
    figures->endless_edge = -1;
    figures->threads = 1;
    figures->coverage = 1;
    run.started = gy_clock();
    run.next_progress = run.started + 1;
    run.worker = gy_worker_new(system);
    gy_budget_init(&run.budget, options.memory_limit);
    run.state_limit = options.state_limit;
    gy_product_init(&p, &run, observer, fairness);
    set_reduction_up(&p);
    const gy_cycle_engine *engine = choose(&p, &result->cycles_why);
    if (engine->space)
        gy_product_search_space(&run, observer, fairness, engine, result);
    else
        explore_in_turns(&p, result);
    figures->matched =
        figures->transitions > figures->states ? figures->transitions - figures->states : 0;
    figures->memory = run.budget.peak;
    figures->bytes_per_state =
        figures->states ? (double)figures->memory / (double)figures->states : 0;
    figures->seconds = gy_clock() - run.started;
    gy_product_free(&p);
    gy_numbered_free(run.store);
    gy_worker_free(run.worker);
    gy_reduction_free(run.reduction);
    return result;
}

void gy_product_result_free(gy_product_result *result)
{
    if (!result)
        return;
    gy_lasso_witness_free(result->lasso);
    gy_search_result_free(result->figures);
    free(result);
}
