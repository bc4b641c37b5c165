// Limits, progress, errors: what all engines share. See run.h.
#include "search/run.h"

#include "search/checkpoint.h"
#include "search/replay.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdlib.h>

enum { TICKS = 100 };
static const double LOOK_SECONDS = 0.01; // between two checks of the resident memory

void gy_run_begin(gy_run *run, gy_system *system, const gy_search_options *options)
{
    double now = gy_clock();
    gy_search_result *result = gy_alloc_zero(sizeof *result);
    *run = (gy_run){
        .system = system,
        .worker = gy_worker_new(system),
        .options = options,
        .result = result,
        .seen.coverage = 1,
        .state_limit = options->state_limit,
        .started = now,
        .next_progress = now + 1,
    };
    result->endless_edge = -1;
    result->threads = 1;
    result->coverage = 1;
    gy_budget_init(&run->budget, options->memory_limit);
    gy_region_init(&run->full, &run->budget);
    gy_checkpoint_plan(run);
}

void gy_run_end(gy_run *run)
{
    gy_search_result *result = run->result;
    result->matched =
        result->transitions > result->states ? result->transitions - result->states : 0;
    result->memory = run->budget.peak + run->elsewhere;
    result->bytes_per_state = result->states ? (double)result->memory / (double)result->states : 0;
    result->seconds = gy_clock() - run->started + run->earlier;
    gy_moves_free(&run->moves);
    gy_region_free(&run->full);
    gy_reducer_free(run->reducer);
    gy_reduction_free(run->reduction);
    gy_run_free_store(run);
    gy_run_free_worker(run, run->worker);
    if (run->replayer)
        gy_worker_free(run->replayer);
    gy_symmetry_free(run->symmetry);
    gy_vec_free(&run->faults);
    gy_vec_free(&run->kinds_seen);
}

void gy_run_overflow(gy_run *run, const char *what)
{
    if (run->stopped)
        return;
    run->result->failure = strdup(what);
    run->result->completeness = GY_LIMIT_CAPACITY;
    run->stopped = true;
}

void gy_run_too_long(gy_run *run)
{
    gy_run_overflow(run, "a state is too long for this store: use --store tree");
}

void gy_run_stop(gy_run *run, gy_completeness why)
{
    if (why == GY_LIMIT_MEMORY && run->store && gy_numbered_too_long(run->store))
        gy_run_too_long(run);
    if (!run->stopped)
        run->result->completeness = why;
    run->stopped = true;
}

static void fail(gy_run *run, gy_text *text)
{
    if (!run->result->failure)
        run->result->failure = gy_text_take(text);
    gy_text_free(text);
    run->result->completeness = GY_FAILED;
    run->stopped = true;
}

void gy_run_fail(gy_run *run, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    fail(run, &text);
}

void gy_run_fail_internally(gy_run *run, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_add(&text, "internal error: ");
    gy_text_vprintf(&text, format, args);
    va_end(args);
    run->result->internal = true;
    fail(run, &text);
}

gy_worker *gy_run_new_worker(const gy_run *run)
{
    gy_worker *worker = gy_worker_new(run->system);
    if (run->symmetry)
        gy_symmetry_fold(run->symmetry, worker);
    return worker;
}

void gy_run_free_worker(gy_run *run, gy_worker *worker)
{
    if (run->symmetry) {
        run->result->folded += gy_symmetry_folded(worker);
        gy_symmetry_note_ends(run->symmetry, worker, run->result->reached_edges);
    }
    gy_worker_free(worker);
}

void gy_run_free_store(gy_run *run)
{
    gy_numbered_free(run->store);
    run->store = NULL;
    gy_store_free(run->reused);
    run->reused = NULL;
}

bool gy_run_new_store(gy_run *run)
{
    gy_store_options options = {.budget = &run->budget,
                                .hash_functions = run->options->hash_functions,
                                .bitstate_bytes = run->options->bitstate_bytes,
                                .seed = run->options->seed,
                                .hostile = run->options->hostile};
    gy_run_free_store(run);
    run->store = gy_numbered_new(gy_store_kind_at(run->options->store), &options);
    if (!run->store)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    return run->store != NULL;
}

static void show_progress(gy_run *run, double now)
{
    gy_store_figures figures = {.states = run->states_so_far};
    if (run->store)
        gy_numbered_look(run->store, &figures);
    gy_search_progress progress = {
        .seconds = now - run->started + run->earlier,
        .states = figures.states,
        .transitions = run->result->transitions,
        .pending = run->pending,
        .depth = run->result->depth,
        .memory = run->budget.used,
        .property = run->options->property,
    };
    run->options->progress(run->options->progress_user, &progress);
}

static bool has_too_many(const gy_run *run)
{
    gy_store_figures figures = {0};
    uint64_t most = run->options->transition_limit;
    if (most && run->result->transitions > most)
        return true;
    if (run->state_limit && run->store)
        gy_numbered_look(run->store, &figures);
    return run->state_limit &&
           (figures.states > run->state_limit || run->states_so_far > run->state_limit);
}

static bool is_interrupted(const gy_run *run)
{
    const gy_search_options *options = run->options;
    return (options->interrupt && *options->interrupt) ||
           (options->superseded && *options->superseded);
}

static bool is_out_of_time(const gy_run *run)
{
    double limit = run->options->time_limit;
    return limit > 0 && gy_clock() - run->started >= limit;
}

bool gy_run_is_late(const gy_run *run)
{
    return is_interrupted(run) || is_out_of_time(run);
}

bool gy_run_glance(gy_run *run)
{
    if (is_interrupted(run))
        gy_run_stop(run, GY_LIMIT_INTERRUPT);
    if (is_out_of_time(run))
        gy_run_stop(run, GY_LIMIT_TIME);
    return run->stopped;
}

bool gy_run_tick_slow(gy_run *run)
{
    const gy_search_options *options = run->options;
    double now = gy_clock();
    gy_limit_poll_look(&run->pace, TICKS);
    gy_run_glance(run);
    if (now >= run->next_look) {
        run->next_look = now + LOOK_SECONDS;
        if (!gy_budget_measure(&run->budget))
            gy_run_stop(run, GY_LIMIT_MEMORY);
    }
    // a count ends it where it would end it the next time, too, and not where the clock says
    if (has_too_many(run))
        gy_run_stop(run, GY_LIMIT_STATES);
    if (options->progress && now >= run->next_progress) {
        run->next_progress = now + 1;
        show_progress(run, now);
    }
    if (options->checkpoint_file && now >= run->next_checkpoint)
        run->checkpoint_due = true;
    if (gy_checkpoint_memory_low(run))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    run->settle_due = run->store && gy_numbered_unsettled(run->store);
    return run->stopped;
}

// ---- errors -------------------------------------------------------------------------

bool gy_is_note(const gy_fault *fault)
{
    return fault->row->traits & GY_FAULT_IS_NOTE;
}

static bool is_wanted(const gy_search_options *options, const gy_fault *fault)
{
    return options->check_faults && !gy_is_note(fault) &&
           (options->check_assertions || !(fault->row->traits & GY_FAULT_IS_ASSERTION));
}

const gy_fault *gy_run_wanted(const gy_search_options *options, const gy_fault *first)
{
    while (first && !is_wanted(options, first))
        first = first->also;
    return first;
}

void gy_run_note_fault(gy_run *run, const gy_fault *fault, uint32_t ordinal, uint64_t cost)
{
    if (gy_is_note(fault)) {
        if (run->result->endless_edge < 0)
            run->result->endless_edge = fault->edge;
        return;
    }
    while ((fault = gy_run_wanted(run->options, fault))) {
        gy_run_fault kept = {
            .kind = fault->kind, .edge = fault->edge, .ordinal = ordinal, .cost = cost};
        gy_vec_push(&run->faults, kept);
        fault = fault->also;
    }
}

bool gy_run_fault_is_new(gy_run *run, const gy_run_fault *fault)
{
    uint64_t kind = (uint64_t)fault->kind << 32 | (uint32_t)fault->edge;
    run->result->errors++;
    for (size_t i = 0; i < run->kinds_seen.n; i++)
        if (run->kinds_seen.at[i] == kind)
            return false;
    gy_vec_push(&run->kinds_seen, kind);
    return true;
}

bool gy_run_bad_end(gy_run *run, const gy_word *state, uint32_t words)
{
    if (!run->options->check_end_states ||
        gy_is_end_state(run->worker, state, words, run->options->empty_channels))
        return false;
    run->result->errors++;
    return true;
}

bool gy_run_has_enough(const gy_run *run, gy_fault_kind kind)
{
    uint64_t kept = 0, asked = run->options->max_errors, most = run->options->witnesses;
    if (most && asked > most)
        most = asked;
    for (uint32_t i = 0; i < run->result->witness_count; i++)
        kept += run->result->witnesses[i].error == GY_ERROR_END_STATE;
    return most && kind == GY_FAULT_NONE && kept >= most;
}

static void keep_witness(gy_run *run, const gy_symmetry *symmetry, const gy_route *path,
                         gy_fault_kind kind, bool shortest)
{
    gy_search_result *result = run->result;
    gy_witness witness;
    if (!run->replayer)
        run->replayer = gy_worker_new(run->system);
    if (!gy_replay(run->replayer, symmetry, path, kind, &witness)) {
        gy_run_fail_internally(run, "the path to an error cannot be replayed");
        return;
    }
    if (symmetry && !gy_witness_check(run->system, &witness, run->options->empty_channels, NULL)) {
        run->not_lifted = true;
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
    }
    witness.shortest = shortest && !witness.stretched;
    size_t bytes = (result->witness_count + (size_t)1) * sizeof witness;
    result->witnesses = gy_realloc(result->witnesses, bytes);
    result->witnesses[result->witness_count++] = witness;
}

void gy_run_report(gy_run *run, const gy_route *path, gy_fault_kind kind, bool shortest)
{
    uint64_t most = run->options->max_errors;
    if (most && run->result->witness_count >= most)
        return;
    if (gy_run_has_enough(run, kind))
        run->result->not_kept++;
    else
        keep_witness(run, run->symmetry, path, kind, shortest);
    if (most && run->result->witness_count >= most)
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
}

void gy_run_report_real(gy_run *run, const gy_route *path, gy_fault_kind kind)
{
    run->result->errors++;
    keep_witness(run, NULL, path, kind, false);
    gy_run_stop(run, GY_STOPPED_AT_ERROR);
}
