#include "cli/progress.h"

#include "base/clock.h"
#include "base/visible.h"
#include "cli/events.h"
#include "cli/streams.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double SOON = 1; // seconds
enum { PATIENCE = 3 };        // likewise

// A signal handler can reach nothing else.
static atomic_int interrupted; // without a lock, as signals need it
static atomic_int signals;     // so far
static atomic_int noted;       // of these: before the current model
static atomic_bool ended;      // of several models, the others are not searched any more

// Does what the signal always does: the program ends at once.
static void end_by(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void on_alarm(int unused)
{
    (void)unused;
    end_by(SIGINT);
}

static void on_signal(int signal_number)
{
    int count = ++signals;
    if (count > 2)
        end_by(signal_number);
    if (count > 1 || signal_number == SIGTERM)
        ended = true;
    interrupted = ended ? 2 : 1;
    if (count == 2)
        alarm(PATIENCE);
}

static void wipe(gy_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

// A report that comes by then is enough.
static bool is_soon(const gy_progress *progress)
{
    return gy_clock() - progress->begun < SOON;
}

// Verdicts that are known while a search goes on.
static void show_known(gy_progress *progress)
{
    if (progress->known.n == 0)
        return;
    wipe(progress);
    gy_say_text(&progress->known);
    fflush(stderr);
    gy_text_clear(&progress->known);
}

static void event_known(gy_progress *progress, const gy_known_verdict *known)
{
    gy_strings *told = &progress->told;
    told->at = gy_realloc(told->at, (told->n + 1) * sizeof *told->at);
    told->at[told->n++] = gy_event_key(known->kind, known->name);
    gy_event_verdict(known);
}

static void note_known(void *user, const gy_known_verdict *known)
{
    gy_progress *progress = user;
    gy_text *out = &progress->known;
    if (progress->events) {
        event_known(progress, known);
        return;
    }
    if (progress->quiet)
        return;
    gy_text_add(out, "gyre: after ");
    gy_text_seconds(out, known->seconds);
    if (strcmp(known->kind, known->name) == 0)
        gy_text_printf(out, ": %s", known->name);
    else
        gy_text_printf(out, ": %s `%s`", known->kind, known->name);
    bool interrupted_now = known->verdict == GY_INCONCLUSIVE;
    gy_text_printf(out, ": %s%s%s (%zu propert%s open%s)\n", gy_verdict_text(known->verdict),
                   *known->problem ? ": " : "", known->problem, known->open,
                   known->open == 1 ? "y still" : "ies still",
                   interrupted_now ? "; Ctrl-C once more ends all" : "");
    if (interrupted_now || !is_soon(progress))
        show_known(progress);
}

// In place of the line that is there, cut where the terminal ends: what wraps cannot be wiped out.
static void put_line(const gy_text *line)
{
    struct winsize size;
    const char *text = gy_text_str(line);
    size_t bytes = 0, most = 79;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        most = size.ws_col - 1u;
    for (size_t columns = 0; text[bytes]; bytes++) {
        columns += ((unsigned char)text[bytes] & 0xC0) != 0x80;
        if (columns > most)
            break;
    }
    gy_text shown = {0};
    gy_text_visible(&shown, text, bytes);
    fprintf(stderr, "\r\033[K%s", gy_text_str(&shown));
    gy_text_free(&shown);
    fflush(stderr);
}

// An error stays on the screen until the report takes its place.
static void show_found(const gy_search_progress *now)
{
    gy_text line = {0};
    gy_text_printf(&line, "%s after ", now->found);
    gy_text_count(&line, now->length);
    gy_text_add(&line, now->length == 1 ? " step" : " steps; searching for a shorter one");
    put_line(&line);
    gy_text_free(&line);
}

// Is it time for another line, or event?
static bool is_due(gy_progress *progress)
{
    double now = gy_clock();
    if (progress->every <= 0 || now - progress->last < progress->every)
        return false;
    progress->last = now;
    return true;
}

// Figures that do not go on from the last ones are of another search. The error that is known now
// belongs to the search that has met it.
static void count_search(gy_progress *progress, const gy_search_progress *now)
{
    const char *before = progress->property, *name = now->property;
    bool same = name && before ? strcmp(name, before) == 0 : name == before;
    bool on = now->found || (now->seconds >= progress->seconds && now->states >= progress->states);
    if (progress->search == 0 || !same || !on)
        progress->search++;
    if (!same) {
        free(progress->property);
        progress->property = name ? strdup(name) : NULL;
    }
    progress->seconds = now->seconds;
    progress->states = now->states;
}

// A search in depth does not know how much is left.
static void figures(const gy_search_progress *now, gy_text *line)
{
    if (now->property)
        gy_text_printf(line, "%.40s: ", now->property);
    gy_text_seconds(line, now->seconds);
    gy_text_add(line, ": ");
    gy_text_count(line, now->states);
    gy_text_add(line, " states, ");
    if (now->pending) {
        gy_text_count(line, now->pending);
        gy_text_add(line, " pending, ");
    }
    if (now->depth) {
        gy_text_add(line, "depth ");
        gy_text_count(line, now->depth);
        gy_text_add(line, ", ");
    }
    gy_text_count(
        line, (unsigned long long)((double)now->states / (now->seconds > 0 ? now->seconds : 1)));
    gy_text_add(line, " states/s, ");
    gy_text_size(line, now->memory);
}

static void show(void *user, const gy_search_progress *now)
{
    gy_progress *progress = user;
    count_search(progress, now);
    if (progress->events) {
        if (is_due(progress))
            gy_event_progress(now, progress->search);
        return;
    }
    if (!is_soon(progress))
        show_known(progress);
    if (!progress->visible && is_due(progress)) {
        gy_text line = {0};
        figures(now, &line);
        gy_say("gyre: %s\n", gy_text_str(&line));
        gy_text_free(&line);
    }
    if (progress->visible && now->found && !progress->found) {
        progress->shown = progress->found = true;
        show_found(now);
    }
    if (!progress->visible || progress->found || now->seconds < SOON)
        return;
    gy_text line = {0};
    figures(now, &line);
    put_line(&line);
    progress->shown = true;
    gy_text_free(&line);
}

static void set_handler(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// The user has ended the search of the model before.
static void note_next_model(bool quiet)
{
    if (signals > noted && !ended && !quiet)
        fputs("gyre: note: the next model follows; Ctrl-C once more ends all\n", stderr);
    noted = signals;
}

void gy_progress_begin(gy_progress *progress, gy_request *request, bool quiet)
{
    note_next_model(quiet);
    *progress = (gy_progress){
        .quiet = quiet, .visible = !quiet && isatty(STDERR_FILENO), .begun = gy_clock()};
    interrupted = ended ? 2 : 0;
    request->interrupt = &interrupted;
    request->progress = show;
    request->known = note_known;
    request->progress_user = progress;
    signal(SIGALRM, on_alarm);
    set_handler(on_signal);
}

void gy_progress_end(gy_progress *progress)
{
    set_handler(SIG_DFL);
    alarm(0);
    wipe(progress);
    gy_text_free(&progress->known);
    for (size_t i = 0; i < progress->told.n; i++)
        free(progress->told.at[i]);
    free(progress->told.at);
    progress->told = (gy_strings){0};
    free(progress->property);
    progress->property = NULL;
}

bool gy_progress_interrupted(void)
{
    return interrupted != 0;
}
