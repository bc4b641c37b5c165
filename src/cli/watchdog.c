#include "cli/watchdog.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "cli/progress.h"
#include "exec/embedded/trap.h"
#include "report/json.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double GRACE = 1, PATIENCE = 20, ATTENTION = 0.25; // seconds

struct gy_watchdog {
    const gy_arguments *arguments;
    double limit; // 0: none
    bool heeds;   // looks out for an interruption
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ended;
};

// Waits until then, on gy_clock, or until it is given what to look out for. False: the verification
// has ended.
static bool wait_until(gy_watchdog *w, double then)
{
    double left = then - gy_clock();
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    double nanoseconds = (double)at.tv_nsec + (left > 0 ? fmod(left, 1) : 0) * 1e9;
    at.tv_sec += (time_t)(left > 0 ? left : 0) + (nanoseconds >= 1e9);
    at.tv_nsec = (long)fmod(nanoseconds, 1e9);
    pthread_mutex_lock(&w->lock);
    bool heeded = w->heeds;
    while (!w->ended && w->heeds == heeded && gy_clock() < then)
        pthread_cond_timedwait(&w->changed, &w->lock, &at);
    bool goes_on = !w->ended;
    pthread_mutex_unlock(&w->lock);
    return goes_on;
}

static void report(const gy_watchdog *w, const char *why)
{
    gy_text out = {0};
    const char *model = w->arguments->files[0];
    if (w->arguments->command != GY_ON_VERIFY && w->arguments->command != GY_ON_HUNT) {
        gy_complain(w->arguments, "%s: %s", model, why);
        return;
    }
    if (gy_given(w->arguments, GY_OPT_JSON) || gy_given(w->arguments, GY_OPT_EVENTS)) {
        json_t *report = gy_json_report("verification");
        json_object_set_new(report, "model", gy_json_string(model));
        json_object_set_new(report, "verdict", json_string("inconclusive"));
        json_object_set_new(report, "properties", json_array());
        json_object_set_new(
            report, "diagnostics",
            json_pack("[{s:s, s:o}]", "severity", "error", "message", gy_json_string(why)));
        gy_json_dump(report, &out, gy_given(w->arguments, GY_OPT_EVENTS));
    } else
        gy_text_printf(&out, "%s: inconclusive: %s\n", model, why);
    gy_put(&out);
}

// The place of embedded C, or NULL: a step of the model's own.
static void end_program(const gy_watchdog *w, const char *place)
{
    gy_text why = {0};
    if (!w->limit || gy_clock() < w->arguments->started + w->limit)
        gy_text_add(&why, "interrupted");
    else {
        gy_text_add(&why, "the time limit of ");
        gy_text_seconds(&why, w->limit);
        gy_text_add(&why, " was reached");
    }
    if (place)
        gy_text_printf(&why, ", and embedded C at %s has not returned since", place);
    else
        gy_text_add(
            &why, ", and Gyre has not ended since: a single step of the model may take very long");
    report(w, gy_text_str(&why));
    _exit(GY_EXIT_INCONCLUSIVE);
}

static bool is_over(const gy_watchdog *w)
{
    return (w->limit && gy_clock() >= w->arguments->started + w->limit) ||
           (w->heeds && gy_progress_interrupted());
}

// When to look again, if all is well until then.
static double next_look(const gy_watchdog *w)
{
    double next = w->limit ? w->arguments->started + w->limit : gy_clock() + PATIENCE;
    return w->heeds && gy_clock() + ATTENTION < next ? gy_clock() + ATTENTION : next;
}

static void *watch(void *user)
{
    gy_watchdog *w = user;
    char place[200];
    uint64_t before = 0; // the call that was under way a moment ago, if it is to end
    for (double next = next_look(w); wait_until(w, next);) {
        if (!is_over(w)) {
            before = 0;
            next = next_look(w);
            continue;
        }
        uint64_t call = gy_trap_inside(place, sizeof place);
        if (call && call == before)
            end_program(w, place);
        if (w->limit && gy_clock() > w->arguments->started + 2 * w->limit + PATIENCE)
            end_program(w, NULL);
        before = call;
        next = gy_clock() + GRACE;
    }
    return NULL;
}

static gy_watchdog *start(const gy_arguments *arguments, double seconds, bool heeds)
{
    gy_watchdog *w = gy_alloc_zero(sizeof *w);
    pthread_condattr_t clock;
    w->arguments = arguments;
    w->limit = seconds;
    w->heeds = heeds;
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&w->thread, NULL, watch, w) == 0)
        return w;
    free(w); // no thread, no watch: all else obeys the limit
    return NULL;
}

gy_watchdog *gy_watchdog_start(const gy_arguments *arguments, double seconds)
{
    return seconds > 0 ? start(arguments, seconds, false) : NULL;
}

gy_watchdog *gy_watchdog_heed(gy_watchdog *w, const gy_arguments *arguments)
{
    if (!w)
        return start(arguments, 0, true);
    pthread_mutex_lock(&w->lock);
    w->heeds = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return w;
}

void gy_watchdog_end(gy_watchdog *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
