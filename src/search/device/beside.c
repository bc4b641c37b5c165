#include "search/device/beside.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// Who does what: the CPU threads' search runs in the caller's thread; another one is begun for the
// device when that is to be tried.
typedef struct beside {
    gy_system *system;
    const gy_search_options *options; // the caller's
    gy_search_function *search;
    double started;
    atomic_int end_processors; // the device has an answer
    atomic_int end_device;     // it is of no use any more
    gy_search_progress at;     // the CPU threads' figures when the device was tried
    bool tried;
    pthread_t thread;
    gy_search_result *told; // by the device, or NULL: once its thread has ended
} beside;

bool gy_beside_is_large(const gy_search_options *options, const gy_search_progress *progress)
{
    return progress->seconds >= options->device_seconds &&
           progress->states >= options->device_states &&
           progress->pending >= options->device_waiting;
}

// Where more errors are asked for than one, one is none.
static bool is_answer(const beside *b, const gy_search_result *result)
{
    return result->completeness == GY_COMPLETE ||
           (result->witness_count > 0 &&
            (b->options->max_errors == 1 || result->completeness == GY_STOPPED_AT_ERROR));
}

static void try_device(beside *b)
{
    gy_search_options options = *b->options;
    double spent = gy_clock() - b->started;
    options.search = GY_SEARCH_DEVICE;
    options.engine = NULL;
    options.device_too = options.probe = false;
    options.reduce = false; // the CPU threads do that, and better: see docs/gpu.md
    options.progress = NULL;
    options.superseded = &b->end_device;
    if (options.time_limit > 0)
        options.time_limit = options.time_limit > spent ? options.time_limit - spent : 1e-6;
    b->told = b->search(b->system, &options);
    if (is_answer(b, b->told))
        atomic_store(&b->end_processors, 1);
}

static void *accompany(void *user)
{
    try_device(user);
    return NULL;
}

// One thread at a time reports progress.
static void look(void *user, const gy_search_progress *progress)
{
    beside *b = user;
    if (b->options->progress)
        b->options->progress(b->options->progress_user, progress);
    if (b->tried || !gy_beside_is_large(b->options, progress))
        return;
    b->at = *progress;
    b->tried = pthread_create(&b->thread, NULL, accompany, b) == 0;
}

// The CPU threads have ended without an answer: the device may still have one.
static bool is_worth_waiting(const beside *b, const gy_search_result *result)
{
    return result->completeness == GY_LIMIT_MEMORY && !is_answer(b, result);
}

static void say_why(const beside *b, gy_search_result *result, const char *what)
{
    gy_text note = {0};
    const gy_search_progress *at = &b->at;
    if (at->states)
        gy_text_printf(&note,
                       "after %.1f s, with %llu states, %llu of them pending, the GPU was tried in "
                       "parallel with the CPU: %s",
                       at->seconds, (unsigned long long)at->states, (unsigned long long)at->pending,
                       what);
    else
        gy_text_printf(&note, "the CPU search ran out of memory, and the GPU was tried: %s", what);
    result->device_why = gy_text_take(&note);
}

// The device has an answer where the CPU threads have none. That one of them has found an error, or
// something that must not be, is not outweighed by the other that has found none.
static bool is_better(const beside *b, const gy_search_result *told, const gy_search_result *own)
{
    bool own_errors = own->witness_count > 0 || own->error_met || own->errors;
    if (own->completeness == GY_FAILED)
        return false;
    if (told->witness_count > 0 && !own_errors)
        return true;
    return !is_answer(b, own) && is_answer(b, told) && (told->witness_count > 0 || !own_errors);
}

static gy_search_result *choose(const beside *b, gy_search_result *own)
{
    gy_search_result *told = b->told;
    if (!told)
        return own;
    if (is_better(b, told, own)) {
        say_why(b, told, told->device_note);
        told->seconds = gy_clock() - b->started;
        gy_search_result_free(own);
        return told;
    }
    say_why(b, own,
            told->no_device     ? told->device_note
            : is_answer(b, own) ? "the CPU was first"
                                : "no answer was found there either");
    gy_search_result_free(told);
    return own;
}

gy_search_result *gy_search_beside(gy_system *system, const gy_search_options *options,
                                   gy_search_function *search)
{
    beside b = {.system = system, .options = options, .search = search, .started = gy_clock()};
    gy_search_options mine = *options;
    mine.device_too = false;
    mine.progress = look;
    mine.progress_user = &b;
    mine.superseded = &b.end_processors;
    gy_search_result *own = search(system, &mine);
    if (!is_worth_waiting(&b, own))
        atomic_store(&b.end_device, 1);
    else if (!b.tried)
        try_device(&b);
    if (b.tried)
        pthread_join(b.thread, NULL);
    return choose(&b, own);
}
