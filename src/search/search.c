// gy_search: sets a run up, lets an engine do the work, and sums up.
#include "search/search.h"

#include "search/checkpoint.h"
#include "search/run.h"
#include "search/safety/reach.h"

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
    case GY_SEARCH_CARTESIAN:
        gy_search_cartesian(run);
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

// The run is as it was before it began; what it has found is void.
static void forget(gy_run *run)
{
    gy_search_result *result = run->result;
    free_witnesses(result);
    run->stopped = false;
    run->kinds_seen.n = run->faults.n = 0;
    run->states_so_far = 0;
    result->completeness = GY_COMPLETE;
    result->transitions = result->depth = result->errors = 0;
    result->expanded_reduced = result->expanded_fully = result->folded = 0;
    result->threads = 1;
    result->endless_edge = -1;
    memset(result->reached_edges, 0, result->edge_count);
}

static void set_reducer(gy_run *run, bool reduce)
{
    gy_reducer_free(run->reducer);
    run->reducer = reduce && run->reduction ? gy_reducer_new(run->reduction) : NULL;
    run->result->reduced = run->reducer != NULL;
    if (run->reduction && !reduce)
        run->result->not_reduced = "there is an error, and the way to it should be a shortest one";
}

// There is an error, and breadth-first search without a reduction finds a shortest way to it. If
// that takes far more states than were needed to know of the error, it is left at any way. Time
// is not to run out now: as much again as was needed so far, and a little more, is granted.
static void search_shortest(gy_run *run, uint64_t states)
{
    enum { LEAST = 1000000, TIMES = 4 };
    bool reduced = run->reducer != NULL;
    run->grace = TIMES * (gy_clock() - run->started) + 1;
    run->result->error_met = true;
    forget(run);
    if (reduced) {
        uint64_t limit = states * TIMES > LEAST ? states * TIMES : LEAST;
        run->state_limit = run->state_limit && run->state_limit < limit ? run->state_limit : limit;
        set_reducer(run, false);
    }
    if (gy_run_new_store(run))
        search_as_asked(run);
    run->state_limit = run->options->state_limit;
    if (!reduced || run->result->witness_count || run->result->completeness != GY_LIMIT_MEMORY)
        return;
    forget(run);
    set_reducer(run, true);
    if (gy_run_new_store(run))
        search_as_asked(run);
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
    if (gy_reach_applies(options)) {
        if (!gy_search_reach(run))
            search_shortest(run, run->states_so_far);
        return;
    }
    if (!gy_run_new_store(run))
        return;
    search_as_asked(run);
    if (options->check_reduction && run->reducer && !run->stopped)
        gy_run_check_reduction(run);
    if (run->result->errors && run->reducer && options->search == GY_SEARCH_BFS &&
        !options->checkpoint_file && !options->resume_file) {
        gy_numbered_figures figures;
        gy_numbered_look(run->store, &figures);
        search_shortest(run, figures.states);
    }
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

// The same for symmetry.
static gy_symmetry *find_symmetry(gy_system *system, const gy_search_options *options, char **why)
{
    gy_symmetry *symmetry = gy_symmetry_new(system, why);
    const char *refusal = NULL;
    if (symmetry && options->search == GY_SEARCH_RANDOM)
        refusal = "a random walk keeps no states";
    else if (symmetry && options->depth_limit && symmetry->may_end)
        refusal = "with a depth limit, the ends of processes could hide a short way to an error";
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
    run->result->symmetric_types = run->symmetry ? run->symmetry->types : 0;
}

char *gy_search_no_symmetry(gy_system *system, const gy_search_options *options)
{
    char *why = NULL;
    gy_symmetry_free(find_symmetry(system, options, &why));
    return why;
}

static int shorter_first(const void *a, const void *b)
{
    const gy_witness *x = a, *y = b;
    return (x->step_count > y->step_count) - (x->step_count < y->step_count);
}

static void sum_up(gy_run *run)
{
    gy_search_result *result = run->result;
    gy_numbered_figures figures = {.states = run->states_so_far, .coverage = 1};
    bool exact = true;
    if (run->store) {
        gy_numbered_look(run->store, &figures);
        exact = gy_numbered_traits_of(run->store)->exact;
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

// *again: a witness of the folded system is none of the real one.
static gy_search_result *search(gy_system *system, const gy_search_options *options, bool *again)
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
    set_symmetry_up(&run);
    run.worker = gy_run_new_worker(&run);
    gy_budget_init(&run.budget, options->memory_limit);
    gy_region_init(&run.full, &run.budget);
    run.state_limit = options->state_limit;
    set_reduction_up(&run);
    explore(&run);
    sum_up(&run);
    gy_moves_free(&run.moves);
    gy_region_free(&run.full);
    gy_reducer_free(run.reducer);
    gy_reduction_free(run.reduction);
    gy_numbered_view_free(run.view);
    gy_numbered_free(run.store);
    gy_run_free_worker(&run, run.worker);
    if (run.replayer)
        gy_worker_free(run.replayer);
    gy_symmetry_free(run.symmetry);
    gy_vec_free(&run.faults);
    gy_vec_free(&run.kinds_seen);
    *again = run.not_lifted;
    return result;
}

gy_search_result *gy_search(gy_system *system, const gy_search_options *options)
{
    bool again;
    gy_search_result *result = search(system, options, &again);
    if (again) {
        gy_search_options without = *options;
        double spent = result->seconds;
        without.symmetry = false;
        gy_search_result_free(result);
        result = search(system, &without, &again);
        result->seconds += spent;
        result->not_symmetric = strdup("it led to an error that only seems to be one");
    }
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
    free(result->not_symmetric);
    free(result);
}
