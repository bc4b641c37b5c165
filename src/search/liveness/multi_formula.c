// The life of a shared exploration: its observers, reductions and space; how far it has come.
#include "search/liveness/multi_formula_parts.h"

#include "base/clock.h"

#include <stdlib.h>

enum { MOST_ATOMS = 16, MORE_REDUCED = 20000 };

// ---- the observer that sees nothing ---------------------------------------------------

static const gy_observer_move *go_along(void *self, gy_worker *worker, const gy_word *state,
                                        uint32_t words, uint32_t at, uint32_t *count)
{
    static const gy_observer_move stay = {.edge = -1};
    (void)self;
    (void)worker;
    (void)state;
    (void)words;
    (void)at;
    *count = 1;
    return &stay;
}

const char *gy_shared_cant(const gy_observer *observer)
{
    return !observer->letter_moves || !observer->letter || observer->watched_count > MOST_ATOMS
               ? "its automaton is large, or depends on more than values"
           : observer->strong || observer->changes || observer->passed || !observer->stutters ||
                   !observer->bounded
               ? "its automaton depends on more than values"
               : NULL;
}

static void fail(gy_shared *s, const char *why)
{
    if (!s->why)
        s->why = why;
}

static const char *failure_of(const gy_shared *s)
{
    if (atomic_load(&s->unknown))
        return "a part of a formula cannot be evaluated in every state";
    if (atomic_load(&s->space->no_memory) || s->run.result->completeness == GY_LIMIT_MEMORY)
        return "there is too little memory for a graph";
    return "a limit was reached";
}

// ---- life -----------------------------------------------------------------------------

// With what all of them read.
static void set_reductions_up(gy_shared *s)
{
    GY_VEC(gy_atom) watched = {0};
    bool blind = true;
    for (uint32_t i = 0; i < s->observer_count; i++) {
        const gy_observer *observer = s->observers[i];
        blind = blind && observer->blind;
        for (uint32_t k = 0; k < observer->watched_count; k++)
            gy_vec_push(&watched, observer->watched[k]);
    }
    if (s->options.symmetry)
        s->run.symmetry = gy_symmetry_new_observed(s->run.system, watched.at, (uint32_t)watched.n,
                                                   &s->run.result->not_symmetric);
    if (s->run.symmetry)
        gy_symmetry_fold(s->run.symmetry, s->run.worker);
    gy_reduce_needs needs = {.observed = watched.at, .observed_count = (uint32_t)watched.n};
    if (s->options.reduce && !blind)
        s->run.result->not_reduced = "the formula is not stutter-invariant";
    else if (s->options.reduce)
        s->run.reduction = gy_reduction_new(s->run.system, &needs, &s->run.result->not_reduced);
    if (s->run.reduction)
        s->reduced = gy_reduced_graph_new(&s->run, s->run.reduction);
    gy_vec_free(&watched);
}

gy_shared *gy_shared_new(gy_system *system, const gy_observer *const *observers, uint32_t count,
                         const gy_search_options *options, uint64_t most_reduced)
{
    gy_shared *s = gy_alloc_zero(sizeof *s);
    s->most_reduced = most_reduced;
    s->options = *options;
    s->options.time_limit = 0; // the caller says how long
    s->options.checkpoint_file = s->options.resume_file = NULL;
    if (options->any_store && !options->memory_limit)
        s->options.store = gy_store_kind_quick();
    gy_run_begin(&s->run, system, &s->options);
    s->observers = gy_alloc(count * sizeof *s->observers);
    memcpy(s->observers, observers, count * sizeof *s->observers);
    s->observer_count = count;
    s->everything = (gy_observer){
        .states = 1, .bounded = true, .stutters = true, .weak = true, .all_moves = go_along};
    set_reductions_up(s);
    return s;
}

static bool open_space(gy_shared *s)
{
    gy_product_maker_init(&s->product, &s->run, &s->everything, GY_FAIRNESS_NONE);
    s->product.reduced = s->reduced;
    s->product.together = true;
    gy_space_options wanted = {.maker = &s->product.maker,
                               .kind = gy_store_kind_at(s->options.store),
                               .budget = &s->run.budget,
                               .threads = s->options.threads ? s->options.threads : 1,
                               .uniform = true,
                               .hostile = s->options.hostile,
                               .places = 1,
                               .place_bits = 32,
                               .waits = GY_NO_PLACE};
    s->space = gy_space_new(&wanted);
    if (!s->space)
        return false;
    s->parts = gy_alloc_zero(s->space->size * sizeof *s->parts);
    for (unsigned m = 0; m < s->space->size; m++)
        s->parts[m].row = gy_alloc(s->observer_count * sizeof *s->parts[m].row);
    for (size_t i = 0; i < s->space->initial.n; i++) {
        gy_vec_push(&s->initial, gy_shared_number(s, &s->space->views[0], s->space->initial.at[i]));
        gy_vec_push(&s->ordinals, s->space->origins.at[i]);
    }
    return true;
}

// The reduced graph comes first. False: not yet, or never.
static bool make_reduced(gy_shared *s)
{
    uint64_t limit = 0;
    while (s->reduced && !s->reduced_ready && !s->run.stopped) {
        if (gy_deadline_over(s->until))
            return false;
        if (s->most_reduced && limit >= s->most_reduced) {
            fail(s, "a graph that preserves all of them is too large");
            return false;
        }
        limit += MORE_REDUCED;
        s->reduced_ready = gy_reduced_graph_make(s->reduced, limit);
    }
    return !s->run.stopped;
}

static gy_shared_progress explore(gy_shared *s)
{
    if (s->done)
        return GY_SHARED_DONE;
    if (!make_reduced(s)) {
        if (!s->run.stopped && !s->why)
            return GY_SHARED_PAUSED;
        fail(s, "a limit was reached");
        return GY_SHARED_FAILED;
    }
    if (!s->space && !open_space(s)) {
        fail(s, "there is too little memory for a graph");
        return GY_SHARED_FAILED;
    }
    gy_shared_take_levels(s);
    if (gy_space_ends(s->space) || s->run.stopped) {
        fail(s, failure_of(s));
        return GY_SHARED_FAILED;
    }
    if (gy_shared_is_over(s))
        return GY_SHARED_PAUSED;
    s->done = gy_shared_index(s);
    if (s->reduced)
        gy_reduced_graph_count(s->reduced, &s->run.result->expanded_reduced,
                               &s->run.result->expanded_fully);
    if (!s->done)
        fail(s, "there is too little memory for a graph");
    return s->done ? GY_SHARED_DONE : GY_SHARED_FAILED;
}

gy_shared_progress gy_shared_explore(gy_shared *s, double seconds)
{
    double started = gy_clock();
    s->until = seconds > 0 ? started + seconds : 0;
    gy_shared_progress progress = s->why ? GY_SHARED_FAILED : explore(s);
    s->seconds += gy_clock() - started;
    return progress;
}

bool gy_shared_is_symmetric(const gy_shared *s)
{
    return s->run.symmetry != NULL;
}

const char *gy_shared_why(const gy_shared *s)
{
    return s->why;
}

void gy_shared_free(gy_shared *s)
{
    if (!s)
        return;
    for (unsigned m = 0; s->parts && m < s->space->size; m++) {
        gy_vec_free(&s->parts[m].words);
        gy_vec_free(&s->parts[m].rows);
        free(s->parts[m].row);
        gy_vec_free(&s->parts[m].fresh);
        gy_map_free(&s->parts[m].row_map);
    }
    free(s->parts);
    gy_space_free(s->space);
    if (s->product.run)
        gy_product_maker_free(&s->product);
    gy_reduced_graph_free(s->reduced);
    gy_run_end(&s->run);
    gy_search_result_free(s->run.result);
    gy_vec_free(&s->now);
    gy_vec_free(&s->rows);
    gy_vec_free(&s->initial);
    gy_vec_free(&s->ordinals);
    free(s->first);
    free(s->observers);
    free(s);
}
