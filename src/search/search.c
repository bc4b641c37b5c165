// gy_search: sets a run up, lets an engine do the work, and sums up.
#include "search/search.h"

#include "search/checkpoint.h"
#include "search/reach.h"
#include "search/run.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void gy_search_defaults(gy_search_options *options)
{
    *options = (gy_search_options){
        .search = GY_SEARCH_BFS,
        .store = GY_STORE_TREE,
        .threads = 1,
        .seed = 1,
        .max_errors = 1,
        .check_end_states = true,
        .check_faults = true,
        .check_assertions = true,
    };
}

// There is an error: the counts of the search that met it are void, and what is left of the time
// goes to finding a shortest way to it, at least as much again as was needed until now.
static bool forget(gy_run *run)
{
    gy_search_result *result = run->result;
    run->stopped = false;
    result->completeness = GY_COMPLETE;
    result->transitions = result->depth = 0;
    result->threads = 1;
    result->endless_edge = -1;
    memset(result->reached_edges, 0, result->edge_count);
    return true;
}

static void search_as_asked(gy_run *run)
{
    switch (run->options->search) {
    case GY_SEARCH_BFS:
        gy_search_bfs(run);
        break;
    case GY_SEARCH_DFS:
        gy_search_dfs(run);
        break;
    case GY_SEARCH_DEEPENING:
        gy_search_deepening(run);
        break;
    case GY_SEARCH_RANDOM:
        gy_search_random(run);
        break;
    case GY_SEARCH_BEST:
        gy_search_best(run);
        break;
    }
}

static void free_witnesses(gy_search_result *result)
{
    for (uint32_t i = 0; i < result->witness_count; i++) {
        free(result->witnesses[i].message);
        free(result->witnesses[i].steps);
    }
    free(result->witnesses);
    result->witnesses = NULL;
    result->witness_count = 0;
}

// With a reduction, breadth-first search tells whether there is an error, but the way to it need
// not be a shortest one: then all is searched again without. True: there was none.
static bool search_reduced(gy_run *run)
{
    gy_search_result *result = run->result;
    search_as_asked(run);
    if (run->options->check_reduction && !run->stopped)
        gy_run_check_reduction(run);
    if (!result->errors || run->options->search != GY_SEARCH_BFS ||
        run->options->checkpoint_file || run->options->resume_file)
        return true;
    free_witnesses(result);
    forget(run);
    result->errors = 0;
    result->reduced = false;
    result->not_reduced = "there is an error, and the way to it should be a shortest one";
    run->kinds_seen.n = 0;
    gy_reducer_free(run->reducer);
    run->reducer = NULL;
    return false;
}

static void explore(gy_run *run)
{
    const gy_search_options *options = run->options;
    bool resumable = options->search == GY_SEARCH_BFS || options->search == GY_SEARCH_DFS;
    if (!resumable && (options->checkpoint_file || options->resume_file)) {
        gy_run_fail(run, "only breadth-first and depth-first search can be written to a "
                         "checkpoint and resumed");
        return;
    }
    run->result->threads = 1;
    bool reduced = run->reducer != NULL;
    if (reduced && (!gy_run_new_store(run) || search_reduced(run)))
        return;
    if (!reduced && gy_reach_applies(options) && (gy_search_reach(run) || !forget(run)))
        return;
    if (gy_run_new_store(run))
        search_as_asked(run);
}

// Sound for what is asked, or a reason why not.
static void set_reduction_up(gy_run *run)
{
    const gy_search_options *options = run->options;
    const char **why = &run->result->not_reduced;
    if (!options->reduce)
        return;
    if (options->search != GY_SEARCH_BFS && options->search != GY_SEARCH_DFS)
        *why = "only breadth-first and depth-first search can";
    else if (options->depth_limit)
        *why = "with a depth limit it could hide a short way to an error";
    else
        run->reduction = gy_reduction_new(run->system, NULL, why);
    if (run->reduction)
        run->reducer = gy_reducer_new(run->reduction);
    run->result->reduced = run->reduction != NULL;
}

static int shorter_first(const void *a, const void *b)
{
    const gy_witness *x = a, *y = b;
    return (x->step_count > y->step_count) - (x->step_count < y->step_count);
}

static void sum_up(gy_run *run)
{
    gy_search_result *result = run->result;
    gy_store_figures figures = {.states = run->states_so_far, .coverage = 1};
    bool exact = true;
    if (run->store) {
        gy_store_look(run->store, &figures);
        exact = gy_store_traits_of(run->store)->exact;
    }
    result->states = figures.states - run->left_out;
    result->matched =
        result->transitions > result->states ? result->transitions - result->states : 0;
    result->memory = run->budget.peak;
    result->bytes_per_state = result->states ? (double)result->memory / (double)result->states : 0;
    result->omission_probability = figures.omission_probability;
    result->coverage = figures.coverage;
    result->fill = figures.fill;
    result->seconds = gy_clock() - run->started + run->earlier;
    if (result->completeness == GY_COMPLETE && !exact)
        result->completeness = GY_LOSSY;
    if (result->witness_count > 1)
        qsort(result->witnesses, result->witness_count, sizeof *result->witnesses, shorter_first);
}

gy_search_result *gy_search(gy_system *system, const gy_search_options *options)
{
    gy_run run = {.system = system, .options = options};
    gy_search_result *result = gy_alloc_zero(sizeof *result);
    result->endless_edge = -1;
    result->edge_count = gy_edge_count(system);
    result->reached_edges = gy_alloc_zero(result->edge_count);
    run.result = result;
    run.started = gy_clock();
    run.next_progress = run.started + 1;
    run.next_checkpoint =
        run.started +
        (options->checkpoint_seconds > 0 ? options->checkpoint_seconds : GY_CHECKPOINT_SECONDS);
    run.worker = gy_worker_new(system);
    gy_budget_init(&run.budget, options->memory_limit);
    gy_region_init(&run.full, &run.budget);
    set_reduction_up(&run);
    explore(&run);
    sum_up(&run);
    gy_moves_free(&run.moves);
    gy_region_free(&run.full);
    gy_reducer_free(run.reducer);
    gy_reduction_free(run.reduction);
    gy_store_view_free(run.view);
    gy_store_free(run.store);
    gy_worker_free(run.worker);
    if (run.replayer)
        gy_worker_free(run.replayer);
    gy_vec_free(&run.faults);
    gy_vec_free(&run.kinds_seen);
    return result;
}

void gy_search_result_free(gy_search_result *result)
{
    if (!result)
        return;
    free_witnesses(result);
    free(result->reached_edges);
    free(result->failure);
    free(result->checkpoint_problem);
    free(result);
}
