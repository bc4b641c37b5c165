#include "cli/watchdog.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "exec/embedded/trap.h"
#include "report/json.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double GRACE = 1, PATIENCE = 20; // seconds

struct gy_watchdog {
    const gy_arguments *arguments;
    double limit;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ended;
};

// Waits until then, on gy_clock. False: the verification has ended.
static bool wait_until(gy_watchdog *w, double then)
{
    double left = then - gy_clock();
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    double nanoseconds = (double)at.tv_nsec + (left > 0 ? fmod(left, 1) : 0) * 1e9;
    at.tv_sec += (time_t)(left > 0 ? left : 0) + (nanoseconds >= 1e9);
    at.tv_nsec = (long)fmod(nanoseconds, 1e9);
    pthread_mutex_lock(&w->lock);
    while (!w->ended && gy_clock() < then)
        pthread_cond_timedwait(&w->changed, &w->lock, &at);
    bool goes_on = !w->ended;
    pthread_mutex_unlock(&w->lock);
    return goes_on;
}

// The place of embedded C, or NULL: a step of the model's own.
static void tell(const gy_watchdog *w, const char *place)
{
    gy_text why = {0}, out = {0};
    const char *model = w->arguments->files[0];
    gy_text_add(&why, "the time limit of ");
    gy_text_seconds(&why, w->limit);
    if (place)
        gy_text_printf(&why, " was reached, and embedded C at %s has not come back since", place);
    else
        gy_text_add(&why, " was reached, and a single step of the model has no end in sight");
    if (gy_given(w->arguments, GY_OPT_JSON) || gy_given(w->arguments, GY_OPT_EVENTS)) {
        json_t *report = gy_json_report("verification");
        json_object_set_new(report, "model", gy_json_string(model));
        json_object_set_new(report, "verdict", json_string("inconclusive"));
        json_object_set_new(report, "properties", json_array());
        json_object_set_new(report, "diagnostics",
                            json_pack("[{s:s, s:o}]", "severity", "error", "message",
                                      gy_json_string(gy_text_str(&why))));
        gy_json_dump(report, &out, gy_given(w->arguments, GY_OPT_EVENTS));
    } else
        gy_text_printf(&out, "%s: inconclusive: %s\n", model, gy_text_str(&why));
    gy_put(&out);
}

static void *watch(void *user)
{
    gy_watchdog *w = user;
    char before[200], now[200];
    double next = w->arguments->started + w->limit;
    if (!wait_until(w, next))
        return NULL;
    for (;;) {
        uint64_t call = gy_trap_inside(before, sizeof before);
        next = gy_clock() + GRACE;
        if (!wait_until(w, next))
            return NULL;
        if (call && gy_trap_inside(now, sizeof now) == call) {
            tell(w, now);
            _exit(GY_EXIT_INCONCLUSIVE);
        }
        if (gy_clock() > w->arguments->started + 2 * w->limit + PATIENCE) {
            tell(w, NULL);
            _exit(GY_EXIT_INCONCLUSIVE);
        }
    }
}

gy_watchdog *gy_watchdog_start(const gy_arguments *arguments, double seconds)
{
    if (seconds <= 0)
        return NULL;
    gy_watchdog *w = gy_alloc_zero(sizeof *w);
    pthread_condattr_t clock;
    w->arguments = arguments;
    w->limit = seconds;
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
