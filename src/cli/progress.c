#include "cli/progress.h"

#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// A signal handler can reach nothing else.
static atomic_int interrupted; // without a lock, as signals need it

// The second signal, of either kind, does what it always does: the program ends at once.
static void on_signal(int signal_number)
{
    if (interrupted) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupted = 1;
}

static void show(void *user, const gy_search_progress *now)
{
    gy_progress *progress = user;
    if (!progress->visible || now->seconds < 1)
        return;
    gy_text line = {0};
    gy_text_add(&line, "\r\033[K");
    gy_text_seconds(&line, now->seconds);
    gy_text_add(&line, ": ");
    gy_text_count(&line, now->states);
    gy_text_add(&line, " states, ");
    gy_text_count(&line, now->pending);
    gy_text_add(&line, " to do, depth ");
    gy_text_count(&line, now->depth);
    gy_text_add(&line, ", ");
    gy_text_count(&line, (unsigned long long)((double)now->states / now->seconds));
    gy_text_add(&line, " states/s, ");
    gy_text_size(&line, now->memory);
    fputs(gy_text_str(&line), stderr);
    fflush(stderr);
    progress->shown = true;
    gy_text_free(&line);
}

static void set_handler(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void gy_progress_begin(gy_progress *progress, gy_request *request, bool quiet)
{
    *progress = (gy_progress){.visible = !quiet && isatty(STDERR_FILENO)};
    request->interrupt = &interrupted;
    request->progress = show;
    request->progress_user = progress;
    set_handler(on_signal);
}

void gy_progress_end(gy_progress *progress)
{
    set_handler(SIG_DFL);
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
