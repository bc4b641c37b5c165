// Once an error is known: the path to it is shortened, to a shortest one where that is to be had.
#include "search/engines.h"
#include "search/shorten.h"
#include "verify/enum_names.h"
#include "verify/verification_state.h"

#include "base/clock.h"

static bool is_stretched(const gy_search_result *result)
{
    for (uint32_t i = 0; i < result->witness_count; i++)
        if (result->witnesses[i].stretched)
            return true;
    return false;
}

// What is found takes the place of what the result has.
static void replace_witnesses(gy_search_result *result, gy_search_result *found)
{
    gy_witness *witnesses = result->witnesses;
    uint32_t count = result->witness_count;
    result->witnesses = found->witnesses;
    result->witness_count = found->witness_count;
    found->witnesses = witnesses;
    found->witness_count = count;
    result->not_kept = found->not_kept;
    if (found->errors > result->errors) // reductions take several for one
        result->errors = found->errors;
    for (uint32_t i = 0; i < result->witness_count && result->probed && count; i++)
        result->witnesses[i].first_length = witnesses[0].step_count;
}

static int note_length(void *user, const gy_transition *initial)
{
    *(uint32_t *)user = initial->words;
    return 1;
}

// How much longer a step takes than one of short states.
static uint64_t weight_of(gy_system *system)
{
    enum { SHORT = 64 };
    uint32_t words = 0;
    gy_worker *worker = gy_worker_new(system);
    gy_initial(worker, note_length, &words);
    gy_worker_free(worker);
    return 1 + words / SHORT;
}

// What the search for a shortest path may cost, and then the shortening of each path: a part of the
// states that were needed until the error was known (the exact model has no compiled code: its
// states take several times as long), but at least what takes some ten milliseconds, which nothing
// notices; more with --shortest, and with --all-errors, which asks for errors of the exact model.
// Long states take longer, and those with many successors, so transitions are limited, too. All of
// that is counted, so that each run reports the same path; the clock ends it only where single
// states take very long.
static gy_search_options within_effort(const gy_verification *driver, gy_system *exact,
                                       const gy_search_options *planned)
{
    enum { LEAST_STATES = 10000, LEAST_OF_SHORTEST = 100000, PART = 16, SUCCESSORS = 4 };
    static const double MOST_SECONDS = 10;
    gy_search_options options = gy_verification_options(driver, planned);
    uint64_t states = driver->result->states / PART;
    bool asked = driver->request->shortest || driver->request->all_errors.set;
    uint64_t least = asked ? LEAST_OF_SHORTEST : LEAST_STATES / weight_of(exact);
    options.state_limit = states > least ? states : least;
    options.transition_limit = options.state_limit * SUCCESSORS;
    if (!(options.time_limit > 0 && options.time_limit < MOST_SECONDS))
        options.time_limit = MOST_SECONDS;
    options.checkpoint_file = options.resume_file = NULL;
    options.probe = options.any_way = false;
    return options;
}

// A search of the exact system, with a limit, looks for shortest witnesses to take the place of
// those that were found. True: what the result holds is shortest.
static bool find_shortest(gy_verification *driver, gy_system *exact,
                          const gy_search_options *planned)
{
    gy_search_result *result = driver->result;
    gy_search_options again = within_effort(driver, exact, planned);
    again.symmetry = planned->symmetry && !is_stretched(result);
    again.reduce = false;
    again.known_error = true;
    gy_search_result *found = gy_search(exact, &again);
    bool all = found->witness_count > 0 && !is_stretched(found) &&
               (found->completeness == GY_STOPPED_AT_ERROR || found->completeness == GY_COMPLETE);
    if (all)
        replace_witnesses(result, found);
    gy_search_result_free(found);
    return all;
}

// Else they are shortened one by one.
static void shorten_each(gy_verification *driver, gy_system *exact,
                         const gy_search_options *planned)
{
    gy_search_result *result = driver->result;
    for (uint32_t i = 0; i < result->witness_count && !gy_limits_over(&driver->limits); i++) {
        gy_search_options options = within_effort(driver, exact, planned);
        uint64_t length = result->witnesses[i].step_count;
        options.state_limit /= result->witness_count;
        options.transition_limit /= result->witness_count;
        if (gy_witness_shorten(exact, &result->witnesses[i], &options))
            result->witnesses[i].first_length = length;
    }
}

// The progress shows it at once.
static void tell_first(const gy_verification *driver)
{
    const gy_request *request = driver->request;
    const gy_witness *first = &driver->result->witnesses[0];
    bool end = first->error == GY_ERROR_END_STATE;
    gy_search_progress now = {
        .seconds = gy_clock() - driver->limits.started,
        .states = driver->result->states,
        .transitions = driver->result->transitions,
        .depth = driver->result->depth,
        .memory = driver->result->memory,
        .found = end ? "invalid end state"
                 : first->message && *first->message
                     ? first->message
                     : gy_witness_kind(driver->subject->system, first),
        .length = first->step_count,
        .property = "safety",
    };
    if (request->progress)
        request->progress(request->progress_user, &now);
}

static bool all_shortest(const gy_search_result *result)
{
    bool all = true;
    for (uint32_t i = 0; i < result->witness_count; i++)
        all = all && result->witnesses[i].shortest;
    return all;
}

// What a hunt or a foreign engine has found need not be short. And whoever asks for all errors gets
// the same ones from each engine that finds them all.
static bool looks_again(const gy_verification *driver)
{
    const gy_engine *engine = gy_engine_of(&driver->plan.safety);
    return driver->request->hunt || driver->request->engine ||
           (driver->request->all_errors.set && engine->complete && !engine->shortest);
}

// The engine knows whether a witness is a shortest one of the system that it has searched. Where a
// reduction has changed the lengths of paths, that says nothing about the model.
bool gy_verification_shorten(gy_verification *driver)
{
    gy_search_options planned = driver->plan.safety;
    const gy_search_options *options = &planned;
    gy_search_result *result = driver->result;
    bool again = looks_again(driver);
    if (again)
        planned.search = GY_SEARCH_BFS;
    bool changed = driver->subject->saved.reorders || is_stretched(result) ||
                   (again && driver->request->all_errors.set);
    driver->shortest = !changed;
    if (result->witness_count == 0 || !gy_engine_of(options)->shortest ||
        (!changed && all_shortest(result)) || gy_limits_over(&driver->limits))
        return true;
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (!exact)
        return false;
    tell_first(driver);
    if (changed || result->probed)
        driver->shortest = find_shortest(driver, exact, options);
    if (!driver->shortest || !all_shortest(result))
        shorten_each(driver, exact, options);
    return true;
}
