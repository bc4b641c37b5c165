// gy_search: sets a run up, lets an engine do the work, and sums up.
#include "search/search.h"

#include "search/checkpoint.h"
#include "search/device/beside.h"
#include "search/findings.h"
#include "search/hunt/record.h"
#include "search/run.h"
#include "search/safety/probe.h"
#include "search/safety/reach.h"

#include "base/assert.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void gy_search_defaults(gy_search_options *options)
{
    *options = (gy_search_options){
        .search = GY_SEARCH_BFS,
        .store = gy_store_kind_dense(),
        .threads = 1,
        .seed = 1,
        .max_errors = 1,
        .witnesses = 10,
        .check_end_states = true,
        .check_faults = true,
        .check_assertions = true,
        .device_seconds = 2,
        .device_states = 1000000,
        .device_waiting = 20000,
        .hostile = GY_DEBUG && getenv("GYRE_HOSTILE"), // whole programs can be tested that way
    };
}

// The run is as it was before it began; its findings have been taken.
static void forget(gy_run *run)
{
    gy_search_result *result = run->result;
    run->stopped = false;
    run->kinds_seen.n = run->faults.n = 0;
    run->states_so_far = 0;
    run->seen = (gy_store_figures){.coverage = 1};
    result->completeness = GY_COMPLETE;
    result->transitions = result->depth = result->errors = result->not_kept = 0;
    result->expanded_reduced = result->expanded_fully = result->folded = 0;
    result->threads = 1;
    result->endless_edge = -1;
    result->by_transitions = false;
    memset(result->reached_edges, 0, result->edge_count);
}

static void set_reducer(gy_run *run, bool reduce)
{
    gy_reducer_free(run->reducer);
    run->reducer = reduce && run->reduction ? gy_reducer_new(run->reduction) : NULL;
    run->result->reduced = run->reducer != NULL;
    if (run->reduction && !reduce)
        run->result->not_reduced =
            "an error was found; a shortest path to it is searched for without it";
}

static void search_anew(gy_run *run, bool reduce)
{
    forget(run);
    if (run->reduction)
        set_reducer(run, reduce);
    if (run->engine->own_store || gy_run_new_store(run))
        run->engine->search(run);
}

// A search without the reduction, given up if it takes far more states than were needed to know of
// the error; of several errors, than a number that does not hang on the order in which threads have
// reached them. True: it was not given up.
static bool search_in_full(gy_run *run, uint64_t states)
{
    enum { LEAST = 200000, LEAST_OF_ONE = 20000, LEAST_ON_DEVICE = 20000000, TIMES = 2 };
    bool one = run->options->max_errors == 1;
    uint64_t asked = run->options->state_limit, effort = one ? states * TIMES : 0;
    uint64_t least = run->engine->is_backend ? LEAST_ON_DEVICE : one ? LEAST_OF_ONE : LEAST;
    effort = effort > least ? effort : least;
    bool may_give_up = !asked || effort < asked;
    run->state_limit = may_give_up ? effort : asked;
    search_anew(run, false);
    run->state_limit = asked;
    if (may_give_up && !one && run->states_so_far > effort) // whether it was noticed or not
        run->result->completeness = GY_LIMIT_STATES;
    return !may_give_up || run->result->completeness != GY_LIMIT_STATES;
}

// There is an error, found after so many states, and breadth-first search without a reduction finds
// a shortest path to it. If that takes too long, it is left at any path in the reduced graph.
static void search_shortest(gy_run *run, uint64_t states)
{
    gy_search_result *result = run->result;
    uint64_t most = run->options->max_errors;
    gy_findings known = gy_findings_take(result);
    result->error_met = true;
    if (!run->reducer) {
        search_anew(run, false);
    } else if (run->options->any_way || run->engine->deep) {
        search_anew(run, true);
    } else if (!search_in_full(run, states)) {
        gy_findings some = gy_findings_take(result);
        if (most == 1 && some.count) // that will do
            result->completeness = GY_STOPPED_AT_ERROR;
        else
            search_anew(run, true);
        gy_findings_merge(result, some, !run->stopped, most);
    }
    gy_findings_merge(result, known, !run->stopped, most);
    if (!result->errors && !run->symmetry)
        result->errors = 1; // whatever kept this search from a path to it
}

static bool can_checkpoint(const gy_engine *engine)
{
    return engine->checkpoints;
}

// Can the engine do what is asked? If not, the run fails, and says why.
static bool check_engine(gy_run *run)
{
    const gy_search_options *options = run->options;
    const gy_engine *engine = run->engine;
    if (!engine) {
        gy_run_fail(run, "unknown search");
    } else if (!engine->checkpoints && (options->checkpoint_file || options->resume_file)) {
        char *able = gy_engine_titles(can_checkpoint);
        gy_run_fail(run, "only %s can be written to a checkpoint and resumed", able);
        free(able);
    } else if (!engine->bounded && options->depth_limit) {
        gy_run_fail(
            run,
            "%s: with a depth limit it could hide a short path to an error\n  hint: drop --depth",
            engine->title);
    } else if (engine->needs_states && !gy_store_kind_at(options->store)->traits.gives_back) {
        gy_run_fail(
            run, "%s needs a store that returns states\n  hint: use --store tree or --store plain",
            engine->title);
    } else if (engine->revisits && options->depth_limit &&
               !gy_store_kind_at(options->store)->traits.gives_back) {
        gy_run_fail(run,
                    "%s with a depth limit needs a store that returns states\n  hint: use --store "
                    "tree, --store plain or --search bfs",
                    engine->title);
    }
    return !run->stopped;
}

static void explore(gy_run *run)
{
    const gy_search_options *options = run->options;
    bool resumes = options->checkpoint_file || options->resume_file;
    run->result->threads = 1;
    if (gy_reach_applies(run->engine, options)) {
        gy_reach_answer answer = gy_search_reach(run);
        if (answer == GY_REACH_MET_ERROR)
            search_shortest(run, run->states_so_far);
        else if (gy_probe_found(run->probe))
            gy_probe_report(run->probe);
        else if (answer == GY_REACH_UNFIT)
            search_anew(run, true);
        return;
    }
    // A shortest path is one without a reduction.
    search_anew(run, !run->engine->shortest || resumes || options->check_reduction);
    if (options->check_reduction && run->reducer && run->store && !run->stopped)
        gy_run_check_reduction(run);
    bool shortest = run->engine->shortest || (run->engine->is_backend && !run->result->no_device);
    if (run->result->errors && run->reducer && shortest && !resumes)
        search_shortest(run, run->states_so_far);
}

// Sound for what is asked, or a reason why not.
static void set_reduction_up(gy_run *run)
{
    const gy_search_options *options = run->options;
    const char **why = &run->result->not_reduced;
    if (!options->reduce)
        return;
    if (!run->engine->reduces)
        *why = "this search does not support it";
    else if (options->depth_limit)
        *why = "with a depth limit it could hide a short path to an error";
    else
        run->reduction = gy_reduction_new(run->system, NULL, why);
    if (run->reduction)
        run->reducer = gy_reducer_new(run->reduction);
    run->result->reduced = run->reduction != NULL;
}

// The same for symmetry.
static gy_symmetry *find_symmetry(gy_system *system, const gy_search_options *options, char **why)
{
    gy_symmetry *symmetry = gy_symmetry_new(system, why);
    const char *refusal = NULL;
    const gy_engine *engine = gy_engine_of(options);
    if (symmetry && engine && !engine->symmetric)
        refusal = "this search does not support it";
    else if (symmetry && options->depth_limit && symmetry->may_end)
        refusal = "with a depth limit, terminating processes could hide a short path to an error";
    if (refusal) {
        gy_symmetry_free(symmetry);
        symmetry = NULL;
        *why = strdup(refusal);
    }
    return symmetry;
}

static void set_symmetry_up(gy_run *run)
{
    if (run->options->symmetry)
        run->symmetry = find_symmetry(run->system, run->options, &run->result->not_symmetric);
    if (run->symmetry)
        gy_symmetry_fold(run->symmetry, run->worker);
    run->result->symmetric_types = run->symmetry ? run->symmetry->types : 0;
}

char *gy_search_no_symmetry(gy_system *system, const gy_search_options *options)
{
    char *why = NULL;
    gy_symmetry_free(find_symmetry(system, options, &why));
    return why;
}

static void sum_up(gy_run *run)
{
    gy_search_result *result = run->result;
    gy_store_figures figures = run->seen;
    bool exact = gy_store_kind_at(run->options->store)->traits.exact ||
                 (result->on_device && run->seen.omission_probability <= 0);
    figures.states = run->states_so_far;
    if (run->store)
        gy_numbered_look(run->store, &figures);
    result->states = figures.states - run->left_out;
    result->omission_probability = figures.omission_probability;
    result->coverage = figures.coverage;
    result->fill = figures.fill;
    if (result->completeness == GY_COMPLETE && !exact)
        result->completeness = GY_LOSSY;
    gy_witnesses_sort(result);
}

// *again: a witness of the folded system is none of the real one.
static gy_search_result *search(gy_system *system, const gy_search_options *options, bool *again)
{
    gy_run run;
    gy_run_begin(&run, system, options);
    gy_search_result *result = run.result;
    result->edge_count = gy_edge_count(system);
    result->reached_edges = gy_alloc_zero(result->edge_count);
    run.engine = gy_engine_of(options);
    set_symmetry_up(&run);
    if (check_engine(&run)) {
        set_reduction_up(&run);
        if (options->probe && options->max_errors == 1)
            run.probe = gy_probe_new(&run);
        explore(&run);
    }
    sum_up(&run);
    gy_checkpoint_end(&run);
    gy_probe_free(run.probe);
    gy_run_end(&run);
    *again = run.not_lifted;
    return result;
}

// The options for another try: what is left of the time, or next to nothing.
static gy_search_options once_more(const gy_search_options *options, double spent)
{
    gy_search_options next = *options;
    if (next.time_limit > 0)
        next.time_limit = next.time_limit > spent ? next.time_limit - spent : 1e-6;
    return next;
}

static gy_search_result *search_alone(gy_system *system, const gy_search_options *options)
{
    bool again;
    gy_search_result *result = search(system, options, &again);
    if (again) {
        double spent = result->seconds;
        gy_search_options without = once_more(options, spent);
        without.symmetry = false;
        gy_search_result_free(result);
        result = search(system, &without, &again);
        result->seconds += spent;
        result->not_symmetric = strdup("it led to an error that could not be confirmed");
    }
    return result;
}

// Where a device cannot do it, or not to the end, the CPU does, and the note says why.
static gy_search_result *search_on_device(gy_system *system, const gy_search_options *options)
{
    gy_search_result *tried = search_alone(system, options);
    if (!tried->no_device || options->device_product)
        return tried;
    gy_search_options without = once_more(options, tried->seconds);
    without.search = GY_SEARCH_BFS;
    gy_search_result *result = search_alone(system, &without);
    result->seconds += tried->seconds;
    result->device_note = tried->device_note;
    tried->device_note = NULL;
    gy_search_result_free(tried);
    return result;
}

gy_search_result *gy_search(gy_system *system, const gy_search_options *options)
{
    if (gy_engine_of(options) == gy_engine_at(GY_SEARCH_DEVICE))
        return search_on_device(system, options);
    if (options->device_too)
        return gy_search_beside(system, options, search_alone);
    return search_alone(system, options);
}

void gy_search_result_free(gy_search_result *result)
{
    if (!result)
        return;
    for (uint32_t i = 0; i < result->witness_count; i++)
        gy_witness_free(&result->witnesses[i]);
    free(result->witnesses);
    free(result->reached_edges);
    free(result->failure);
    free(result->checkpoint_problem);
    free(result->not_symmetric);
    free(result->device_note);
    free(result->device_why);
    gy_hunt_record_free(result->hunt);
    free(result);
}
