// The search of the product: emptiness.h on the graph of product_graph.h.
#include "search/device/device_product.h"
#include "search/liveness/cycles.h"
#include "search/liveness/lasso_lift.h"
#include "search/liveness/product_file.h"
#include "search/liveness/product_graph.h"
#include "search/liveness/product_space.h"
#include "search/liveness/shortest.h"

#include "base/clock.h"

#include <stdlib.h>

enum { FIRST_LIMIT = 10000, FURTHER = 8 }; // nodes of a search without reduction

// Among the states that were seen; NULL: the path cannot be found again.
static gy_lasso_witness *some_lasso(gy_product *p, const gy_arc_graph *graph,
                                    const gy_product_start *start, const gy_emptiness_result *found)
{
    gy_arc_graph_path stem = {0}, cycle = {0};
    gy_lasso_witness *lasso = NULL;
    uint32_t end = 0;
    p->frozen = true;
    if (gy_arc_graph_stem(graph, start->nodes.at, (uint32_t)start->nodes.n, &found->component,
                          &stem, &end) &&
        (found->component.n == 0 || gy_arc_graph_cycle(graph, found, end, &cycle)))
        lasso = gy_product_tell(p, start, &stem, end, &cycle);
    p->frozen = false;
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    return lasso;
}

static void no_room(void *self)
{
    const gy_product *p = self;
    gy_run_stop(p->run, GY_LIMIT_MEMORY);
}

static bool is_tired(void *self)
{
    const gy_product *p = self;
    return gy_run_tick(p->run);
}

// Replaces the lasso that was found by a shortest one. False: it is one already.
static bool shorten(gy_product *p, const gy_arc_graph *graph, const gy_product_start *start,
                    gy_product_result *result)
{
    gy_shortest shortest;
    p->costs = true;
    gy_arc_graph_shortest(graph, start->nodes.at, (uint32_t)start->nodes.n, result->lasso->cost,
                          p->run->options->threads ? p->run->options->threads : 1, &shortest);
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
        gy_arc_graph graph = {.self = &q,
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

// Of the product; is it one of the system, too?
static void finish_shortest(gy_product *p, gy_product_result *result)
{
    if (result->proved_shortest && result->lasso->cost > 0 && p->observer->tight)
        shorten_tightly(p, result);
    else if (result->proved_shortest)
        result->shortest_of_system = result->lasso->cost == 0 || p->observer->states == 1;
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

// Its states are few, as far as is known here.
static bool is_small(const gy_observer *observer)
{
    return observer->bounded && !observer->passed && observer->states <= GY_MOST_PLACES;
}

// It is to be written down, or goes on from there.
static bool is_kept(const gy_run *run)
{
    return run->options->checkpoint_file || run->options->resume_file;
}

// NULL: it can look for cycles here.
static const char *why_not(const gy_product *p, const gy_cycle_engine *engine)
{
    const gy_search_options *options = p->run->options;
    if (is_kept(p->run) && !engine->checkpoints)
        return "it cannot be written to a checkpoint (components can)";
    if (p->fair.wide && !engine->wide)
        return "it supports at most 64 processes and labelled statements (components supports "
               "more)";
    if (!engine->fairness && (gy_fair_any(&p->fair) || p->observer->strong))
        return "it does not support fairness";
    if (!is_uniform(p->observer) && p->observer->sets > engine->sets)
        return "it needs one acceptance set";
    if (engine->space && p->observer->changes)
        return "the claim changes variables of processes, which needs one thread";
    if (engine->space && options->shortest_lasso && options->threads <= 1)
        return "one thread finds a counterexample and a shortest one in the same search";
    if (engine->space && options->depth_limit)
        return "with a depth limit, the result of several threads would depend on their order";
    return NULL;
}

// The one that is asked for, if it can; else the one that is fastest.
static const gy_cycle_engine *choose(const gy_product *p, const char **why)
{
    enum { SEVERAL = 4 }; // threads: fewer do not make up for what unions cost
    const gy_cycle_engine *engine = gy_cycle_engine_of(p->run->options->cycles);
    const gy_cycle_engine *cndfs = gy_cycle_engine_of(GY_CYCLES_CNDFS);
    const gy_cycle_engine *ufscc = gy_cycle_engine_of(GY_CYCLES_UFSCC);
    const gy_cycle_engine *nested = gy_cycle_engine_of(GY_CYCLES_NESTED);
    const char *against = engine ? why_not(p, engine) : NULL;
    unsigned threads = p->threads;
    *why = against ? against : "requested";
    if (engine && !against)
        return engine;
    if (is_uniform(p->observer) && !why_not(p, cndfs)) {
        *why = against ? against
                       : "on each cycle of the automaton, all states or none accept: one "
                         "depth-first search is enough, shared by all threads";
        return cndfs;
    }
    if ((threads > 1 || is_small(p->observer)) && !why_not(p, cndfs)) {
        *why = against
                   ? against
                   : "one acceptance set, no fairness: nested depth-first search with all threads";
        return cndfs;
    }
    if (threads >= SEVERAL && !why_not(p, ufscc)) {
        *why = against ? against : "several acceptance sets, or fairness, and enough threads";
        return ufscc;
    }
    if (is_uniform(p->observer) && !why_not(p, nested)) {
        *why = against ? against
                       : "on each cycle of the automaton, all states or none accept: one "
                         "depth-first search is enough";
        return nested;
    }
    if (!against && is_kept(p->run))
        *why = "it can be written to a checkpoint";
    else if (!against)
        *why = "one search finds all components, for any acceptance condition";
    return gy_cycle_engine_of(GY_CYCLES_COMPONENTS);
}

static void explore(gy_product *p, const gy_cycle_engine *engine, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_arc_graph_keeper keeper = gy_product_keeper(p);
    gy_arc_graph graph = {.self = p,
                          .edges = gy_product_edges,
                          .depth_limit = run->options->depth_limit,
                          .costs = p->costs,
                          .budget = &run->budget,
                          .uniform = is_uniform(p->observer),
                          .again = search_again,
                          .no_room = no_room,
                          .tired = is_tired,
                          .keeper = is_kept(run) ? &keeper : NULL};
    gy_emptiness_result found;
    gy_product_start start = {0};
    gy_product_set_asks(p, &graph);
    p->graph = &graph;
    gy_product_begin(p, &start);
    p->counting = true;
    engine->search(&graph, start.nodes.at, (uint32_t)start.nodes.n, &found);
    p->counting = false;
    run->result->depth = found.depth;
    run->result->by_transitions = !graph.costs;
    run->result->states = found.nodes;
    if (found.full)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (found.answer == GY_NONEMPTY || (found.answer == GY_BROKEN_OFF && p->seen)) {
        result->lasso = some_lasso(p, &graph, &start, &found);
        run->result->error_met = true;
        if (!result->lasso && !run->stopped)
            gy_run_fail_internally(run, "the path to a cycle cannot be found again");
        if (result->lasso && run->options->shortest_lasso && !graph.asks && !gy_fair_any(&p->fair))
            shorten(p, &graph, &start, result);
        finish_shortest(p, result);
        run->result->errors = result->lasso || run->result->failure;
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
    } else if (found.cut) {
        gy_run_stop(run, GY_LIMIT_DEPTH);
    }
    p->graph = NULL;
    gy_emptiness_result_free(&found);
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
        *why = "fairness depends on which processes are enabled";
    else if (run->options->depth_limit)
        *why = "with a depth limit it could hide a short path to an error";
    else if (run->options->shortest_lasso)
        *why = "it could hide a shortest counterexample";
    else if (!observer->watched)
        *why = "the atomic propositions of the property are not known";
    else if (!observer->blind)
        *why = "the formula is not stutter-invariant";
    else
        run->reduction = gy_reduction_new(run->system, &needs, why);
}

char *gy_product_no_symmetry(gy_system *system, const gy_observer *observer, gy_fairness fairness,
                             gy_symmetry **symmetry)
{
    const char *against =
        fairness != GY_FAIRNESS_NONE ? "fairness distinguishes processes"
        : !observer->watched         ? "the atomic propositions of the property are not known"
        : observer->passed || observer->changes ? "the property depends on more than states"
                                                : NULL;
    char *why = NULL;
    gy_text text = {0};
    gy_symmetry *found = against ? NULL
                                 : gy_symmetry_new_observed(system, observer->watched,
                                                            observer->watched_count, &why);
    if (symmetry)
        *symmetry = found;
    else
        gy_symmetry_free(found);
    if (!against)
        return why;
    gy_text_add(&text, against);
    return gy_text_take(&text);
}

// What was found, in terms of the real system. False: that cannot be determined.
static bool lift(gy_run *run, gy_product_result *result)
{
    if (!run->symmetry || !result->lasso)
        return true;
    gy_lasso_witness *lifted = gy_lasso_lift(run->system, run->symmetry, result->lasso);
    gy_lasso_witness_free(result->lasso);
    result->lasso = lifted;
    return lifted != NULL;
}

static void note_reduction(gy_product *p, gy_reduced_graph *graph)
{
    gy_run *run = p->run;
    run->result->reduced = true;
    gy_reduced_graph_count(graph, &run->result->expanded_reduced, &run->result->expanded_fully);
    if (!run->options->check_reduction)
        return;
    run->result->reduction_checked = gy_reduced_graph_check(graph, run->worker);
    if (!run->result->reduction_checked && !run->stopped)
        gy_run_fail_internally(run, "the partial-order reduction may ignore a transition");
}

// A lasso was found by several threads: the part of the product that shorter ones may pass is read
// once more, with numbered nodes.
static void shorten_found(gy_product *p, gy_product_result *result)
{
    gy_run *run = p->run;
    uint64_t transitions = run->result->transitions, states = run->states_so_far;
    gy_product_start start = {0};
    gy_arc_graph graph = {.self = p,
                          .edges = gy_product_edges,
                          .all = gy_fair_all(&p->fair),
                          .budget = &run->budget,
                          .tired = is_tired};
    if (run->result->completeness != GY_STOPPED_AT_ERROR || gy_fair_any(&p->fair) ||
        p->observer->strong)
        return;
    run->stopped = false;
    if (gy_run_new_store(run) && gy_product_restart(p)) {
        gy_product_begin(p, &start);
        shorten(p, &graph, &start, result);
        finish_shortest(p, result);
    }
    run->result->transitions = transitions;
    run->states_so_far = states;
    gy_run_stop(run, GY_STOPPED_AT_ERROR);
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
}

// With this graph, if it is not NULL. False: it was broken off at the limit.
static bool explore_once(gy_product *p, gy_fairness fairness, gy_reduced_graph *ready,
                         gy_product_result *result)
{
    const gy_cycle_engine *engine = choose(p, &result->cycles_why);
    gy_product_request request = {p->observer, fairness,   engine, ready,
                                  p->limit,    p->threads, false,  false};
    result->cycles = engine->name;
    gy_run_free_store(p->run);
    if (engine->space) {
        bool whole = gy_product_search_space(p->run, &request, result);
        if (result->lasso && p->run->options->shortest_lasso)
            shorten_found(p, result);
        if (request.too_many)
            gy_product_widen(p);
        return whole;
    }
    if (!gy_run_new_store(p->run) || !gy_product_restart(p))
        return true;
    p->reduced = ready ? gy_reduced_view_new(ready) : NULL;
    explore(p, engine, result);
    gy_reduced_view_free(p->reduced);
    p->reduced = NULL;
    if (p->broken_off && gy_fair_too_many(&p->fair) && !p->run->stopped) {
        gy_product_widen(p);
        p->afresh = true;
    }
    return !p->broken_off;
}

// Small products are searched by one thread, in depth: others would take longer to begin, and what
// is found is the same every time; where a search in breadth would come first, this finds many an
// error before it. With a reduction, an error is often near, and then found without it
// before the reduced graph is ready. So both take turns until one is there, each time with more
// room.
static void explore_in_turns(gy_product *p, gy_fairness fairness, gy_product_result *result)
{
    gy_run *run = p->run;
    gy_reduced_graph *graph = run->reduction ? gy_reduced_graph_new(run, run->reduction) : NULL;
    unsigned threads = run->options->threads ? run->options->threads : 1;
    bool hostile =
        run->options->hostile; // then the reduced graph, and all threads, are what counts
    bool alone = run->options->cycles == GY_CYCLES_AUTO && !hostile, ready = false;
    bool probe = alone && (threads > 1 || p->observer->waits);
    p->limit = hostile && graph ? 1 : graph || probe ? FIRST_LIMIT : 0;
    p->threads = alone ? 1 : threads;
    if (is_kept(run)) { // one search, and no others before it
        p->limit = 0;
        ready = graph && gy_reduced_graph_make(graph, UINT64_MAX);
        if (ready)
            note_reduction(p, graph);
        else if (graph)
            gy_product_write_nothing(p);
    }
    while (!run->stopped && !explore_once(p, fairness, ready ? graph : NULL, result)) {
        p->threads = threads;
        if (run->stopped)
            break;
        ready = graph && gy_reduced_graph_make(graph, hostile ? UINT64_MAX : p->limit);
        p->limit = ready || !graph ? 0 : p->limit * FURTHER;
        if (ready)
            note_reduction(p, graph);
    }
    gy_reduced_graph_free(graph);
}

static gy_product_result *search(gy_system *system, const gy_observer *observer,
                                 gy_fairness fairness, const gy_search_options *given)
{
    gy_search_options options = *given;
    bool roomy = !options.memory_limit && !given->checkpoint_file && !given->resume_file;
    options.store = gy_store_kind_giving_back(options.store);
    if (options.any_store && roomy && options.store == given->store)
        options.store =
            gy_store_kind_quick(); // twice as fast: a search in depth waits for each state
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_run run;
    gy_product p;
    gy_run_begin(&run, system, &options);
    result->figures = run.result;
    result->store = options.store;
    if (options.symmetry && !options.shortest_lasso && !options.depth_limit)
        run.result->not_symmetric =
            gy_product_no_symmetry(system, observer, fairness, &run.symmetry);
    if (run.symmetry) {
        run.result->symmetric_types = run.symmetry->types;
        gy_symmetry_fold(run.symmetry, run.worker);
    }
    gy_product_init(&p, &run, observer, fairness);
    p.costs = options.depth_limit > 0;
    set_reduction_up(&p);
    explore_in_turns(&p, fairness, result);
    bool told = lift(&run, result);
    gy_product_free(&p);
    gy_run_end(&run);
    if (told)
        return result;
    gy_product_result_free(result);
    options.symmetry = false;
    options.checkpoint_file = options.resume_file = NULL;
    if (options.time_limit > 0) {
        double spent = gy_clock() - run.started;
        options.time_limit = options.time_limit > spent ? options.time_limit - spent : 1e-6;
    }
    return search(system, observer, fairness, &options);
}

// On a device, if it is asked for and can do it; else on the CPU, with a note.
static gy_product_result *search_somewhere(gy_system *system, const gy_observer *observer,
                                           gy_fairness fairness, const gy_search_options *options)
{
    char *note = NULL;
    double start = gy_clock();
    gy_search_options rest = *options;
    gy_product_result *result = options->search == GY_SEARCH_DEVICE
                                    ? gy_product_on_device(system, observer, options, &note)
                                    : NULL;
    if (result)
        return result;
    if (rest.time_limit > 0) {
        double spent = gy_clock() - start;
        rest.time_limit = rest.time_limit > spent ? rest.time_limit - spent : 1e-6;
    }
    result = search(system, observer, fairness, &rest);
    result->figures->device_note = note;
    return result;
}

gy_product_result *gy_product_search(gy_system *system, const gy_observer *observer,
                                     gy_fairness fairness, const gy_search_options *options)
{
    gy_product_result *result = search_somewhere(system, observer, fairness, options);
    if (!options->deterministic || !result->lasso || result->figures->threads == 1)
        return result;
    // There is an error: one thread finds the same one every time.
    gy_search_options again = *options;
    again.threads = 1;
    again.checkpoint_file = again.resume_file = NULL;
    if (again.time_limit > 0 && (again.time_limit -= result->figures->seconds) <= 0)
        return result;
    gy_product_result *same = search(system, observer, fairness, &again);
    bool found = same->lasso != NULL;
    gy_product_result_free(found ? result : same);
    return found ? same : result;
}

void gy_product_result_free(gy_product_result *result)
{
    if (!result)
        return;
    gy_lasso_witness_free(result->lasso);
    gy_search_result_free(result->figures);
    free(result);
}
