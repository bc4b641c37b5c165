#include "serve/job/job.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/text.h"
#include "base/vec.h"
#include "serve/job/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FIGURES = 512, PIECE = 65536 };

static const double PATIENCE = 10; // seconds: it has a report to write, perhaps on a busy machine

struct gy_job {
    // Set before the thread begins.
    gy_child_request child_request;
    uint64_t most_output;
    double most_seconds, patience;
    void (*changed)(void *user);
    void *user;
    pthread_t thread;
    int wake[2]; // a pipe: the thread looks up when a byte is written
    // Of the thread alone.
    gy_child child;
    gy_text output; // the line that is being read, or all, if it does not come in lines
    size_t scanned; // bytes of it in which there is no end of a line
    bool whole;     // it is one report
    uint64_t bytes;
    // Guarded by the lock.
    pthread_mutex_t lock;
    pthread_cond_t ended;
    gy_job_view view;
    double begun;
    GY_VEC(gy_job_figures) figures;
    size_t every, skipped; // of the figures, one in so many is kept
    json_t *verdicts;
    json_t *result;
};

// ---- the thread: what the child reports -------------------------------------------------------

static uint64_t count_of(const json_t *event, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(event, name));
}

// A long run keeps every second, fourth, eighth … of its figures.
static void keep_figures(gy_job *job, const gy_job_figures *now)
{
    if (++job->skipped < job->every)
        return;
    job->skipped = 0;
    if (job->figures.n == MOST_FIGURES) {
        for (size_t i = 0; i < MOST_FIGURES / 2; i++)
            job->figures.at[i] = job->figures.at[2 * i];
        job->figures.n = MOST_FIGURES / 2;
        job->every *= 2;
    }
    gy_vec_push(&job->figures, *now);
}

static void note_progress(gy_job *job, const json_t *event)
{
    gy_job_figures now = {
        .seconds = json_number_value(json_object_get(event, "seconds")),
        .states = count_of(event, "states"),
        .transitions = count_of(event, "transitions"),
        .pending = count_of(event, "pending"),
        .depth = count_of(event, "depth"),
        .memory = count_of(event, "memory_bytes"),
        .search = count_of(event, "search"),
    };
    const char *property = json_string_value(json_object_get(event, "property"));
    snprintf(now.property, sizeof now.property, "%s", property ? property : "");
    if (now.search != job->view.now.search) { // charts begin with it
        job->figures.n = 0;
        job->every = 1;
        job->skipped = 0;
    }
    job->view.now = now;
    keep_figures(job, &now);
}

static void note_event(gy_job *job, json_t *event, const char *name)
{
    pthread_mutex_lock(&job->lock);
    if (strcmp(name, "progress") == 0) {
        note_progress(job, event);
    } else if (strcmp(name, "verdict") == 0) {
        json_array_append(job->verdicts, event);
        job->view.verdicts++;
    } else if (strcmp(name, "end") == 0) {
        json_decref(job->result);
        job->result = json_incref(json_object_get(event, "result"));
    }
    pthread_mutex_unlock(&job->lock);
    if (job->changed)
        job->changed(job->user);
}

// An event, or the report of an error in place of events. False: neither.
static bool take_line(gy_job *job, const char *line, size_t length)
{
    json_t *object = json_loadb(line, length, 0, NULL);
    const char *name = json_string_value(json_object_get(object, "event"));
    bool report = !name && json_is_string(json_object_get(object, "report"));
    if (name) {
        note_event(job, object, name);
    } else if (report) {
        pthread_mutex_lock(&job->lock);
        json_decref(job->result);
        job->result = json_incref(object);
        pthread_mutex_unlock(&job->lock);
    }
    json_decref(object);
    return name || report;
}

// Lines are taken out of the output as they come; what is printed as one report in many lines
// stays.
static void take_lines(gy_job *job)
{
    gy_text *output = &job->output;
    size_t from = 0;
    char *end;
    while (!job->whole && job->scanned < output->n &&
           (end = memchr(output->at + job->scanned, '\n', output->n - job->scanned))) {
        size_t length = (size_t)(end - output->at) - from;
        if (!take_line(job, output->at + from, length) && job->bytes == output->n)
            job->whole = true; // nothing was taken before
        else
            job->scanned = from += length + 1;
    }
    job->scanned = output->n - from;
    if (from == 0)
        return;
    memmove(output->at, output->at + from, output->n - from + 1);
    output->n -= from;
}

// False: there is no more to come.
static bool read_output(gy_job *job)
{
    char piece[PIECE];
    ssize_t n = read(job->child.from, piece, sizeof piece);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (n <= 0)
        return false;
    job->bytes += (uint64_t)n;
    gy_text_bytes(&job->output, piece, (size_t)n);
    take_lines(job);
    return true;
}

// ---- the thread: time and other limits ------------------------------------------------------

// Which limit is reached; NULL: none.
static const char *reached_limit(const gy_job *job, double now)
{
    if (job->bytes > job->most_output)
        return "output";
    return job->most_seconds > 0 && now > job->begun + job->most_seconds ? "time" : NULL;
}

// Milliseconds to wait for output.
static int time_to_wait(double deadline)
{
    double left = deadline > 0 ? (deadline - gy_clock()) * 1000 : 1e9;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
}

static void follow(gy_job *job)
{
    struct pollfd files[2] = {{.fd = job->child.from, .events = POLLIN},
                              {.fd = job->wake[0], .events = POLLIN}};
    double deadline = job->most_seconds > 0 ? job->begun + job->most_seconds : 0;
    bool asked = false;
    for (bool open = true; open;) {
        poll(files, 2, time_to_wait(deadline));
        double now = gy_clock();
        pthread_mutex_lock(&job->lock);
        const char *limit = reached_limit(job, now);
        bool stop = job->view.stopped || limit;
        if (stop && !asked && !job->view.stopped)
            job->view.limit = limit;
        pthread_mutex_unlock(&job->lock);
        if (stop && !asked) {
            gy_child_stop(&job->child); // compilers may finish: the search waits for none
            asked = true;
            deadline = now + job->patience;
            files[1].fd = -1;
        } else if (asked && now >= deadline) {
            break;
        }
        if (files[0].revents & (POLLIN | POLLHUP | POLLERR))
            open = job->bytes > 2 * job->most_output ? false : read_output(job);
    }
    gy_child_kill(&job->child); // what is left of its group
}

static void take_whole(gy_job *job)
{
    if (!job->whole && !job->output.n)
        return;
    json_t *whole = json_loadb(job->output.at, job->output.n, 0, NULL);
    pthread_mutex_lock(&job->lock);
    if (!job->result)
        job->result = json_incref(whole);
    pthread_mutex_unlock(&job->lock);
    json_decref(whole);
}

static void *work(void *argument)
{
    gy_job *job = argument;
    int status = 127; // what shells say of a program that cannot be run
    if (gy_child_start(&job->child_request, &job->child)) {
        follow(job);
        status = gy_child_finish(&job->child);
        take_whole(job);
    }
    pthread_mutex_lock(&job->lock);
    job->view.status = status;
    job->view.seconds = gy_clock() - job->begun;
    job->view.phase = GY_JOB_ENDED;
    pthread_cond_broadcast(&job->ended);
    pthread_mutex_unlock(&job->lock);
    if (job->changed)
        job->changed(job->user);
    return NULL;
}

// ---- the request, kept ----------------------------------------------------------------------

static char *copy(const char *text)
{
    size_t bytes = text ? strlen(text) + 1 : 0;
    return text ? memcpy(gy_alloc(bytes), text, bytes) : NULL;
}

static void keep_request(gy_job *job, const gy_job_request *request)
{
    GY_VEC(const char *) arguments = {0};
    for (const char *const *argument = request->arguments; *argument; argument++)
        gy_vec_push(&arguments, copy(*argument));
    gy_vec_push(&arguments, NULL);
    char *input = NULL;
    if (request->input) {
        input = gy_alloc(request->input_bytes + 1);
        memcpy(input, request->input, request->input_bytes);
    }
    job->child_request = (gy_child_request){
        .arguments = arguments.at,
        .program = copy(request->program),
        .folder = copy(request->folder),
        .within = copy(request->within),
        .input = input,
        .input_bytes = request->input_bytes,
        .most_memory = request->most_memory,
        .progress = request->progress,
    };
    job->most_output = request->most_output ? request->most_output : 64u << 20;
    job->most_seconds = request->most_seconds;
    job->patience = request->patience > 0 ? request->patience : PATIENCE;
    job->changed = request->changed;
    job->user = request->user;
}

static void forget_request(gy_job *job)
{
    gy_child_request *request = &job->child_request;
    for (const char *const *argument = request->arguments; *argument; argument++)
        free((char *)*argument);
    free((void *)request->arguments);
    free((char *)request->program);
    free((char *)request->folder);
    free((char *)request->within);
    free((char *)request->input);
}

// ---- what others call -----------------------------------------------------------------------

gy_job *gy_job_start(const gy_job_request *request)
{
    gy_job *job = gy_alloc_zero(sizeof *job);
    pthread_condattr_t attributes;
    keep_request(job, request);
    pthread_mutex_init(&job->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&job->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    job->verdicts = json_array();
    job->every = 1;
    job->begun = gy_clock();
    job->view.status = -1;
    if (pipe2(job->wake, O_CLOEXEC | O_NONBLOCK) != 0 ||
        pthread_create(&job->thread, NULL, work, job) != 0)
        gy_fatal("a job cannot be started: %s", strerror(errno));
    return job;
}

void gy_job_stop(gy_job *job)
{
    pthread_mutex_lock(&job->lock);
    if (job->view.phase == GY_JOB_RUNS && !job->view.stopped) {
        job->view.stopped = true;
        while (write(job->wake[1], "", 1) < 0 && errno == EINTR)
            ;
    }
    pthread_mutex_unlock(&job->lock);
}

bool gy_job_wait(gy_job *job, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double end = (double)until.tv_sec + (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec = (time_t)end;
    until.tv_nsec = (long)((end - (double)until.tv_sec) * 1e9);
    pthread_mutex_lock(&job->lock);
    int late = 0;
    while (job->view.phase == GY_JOB_RUNS && !late)
        late = pthread_cond_timedwait(&job->ended, &job->lock, &until);
    bool ended = job->view.phase == GY_JOB_ENDED;
    pthread_mutex_unlock(&job->lock);
    return ended;
}

void gy_job_look(gy_job *job, gy_job_view *view)
{
    pthread_mutex_lock(&job->lock);
    *view = job->view;
    if (view->phase == GY_JOB_RUNS)
        view->seconds = gy_clock() - job->begun;
    pthread_mutex_unlock(&job->lock);
}

json_t *gy_job_verdicts(gy_job *job)
{
    pthread_mutex_lock(&job->lock);
    json_t *verdicts = json_deep_copy(job->verdicts);
    pthread_mutex_unlock(&job->lock);
    return verdicts;
}

gy_job_figures *gy_job_history(gy_job *job, size_t *count)
{
    pthread_mutex_lock(&job->lock);
    *count = job->figures.n;
    gy_job_figures *figures = gy_alloc((job->figures.n + 1) * sizeof *figures);
    if (job->figures.n)
        memcpy(figures, job->figures.at, job->figures.n * sizeof *figures);
    pthread_mutex_unlock(&job->lock);
    return figures;
}

const json_t *gy_job_result(gy_job *job)
{
    pthread_mutex_lock(&job->lock);
    const json_t *result = job->view.phase == GY_JOB_ENDED ? job->result : NULL;
    pthread_mutex_unlock(&job->lock);
    return result;
}

const char *gy_job_text(gy_job *job, size_t *bytes)
{
    pthread_mutex_lock(&job->lock); // what the thread has written is seen once it has ended
    bool ended = job->view.phase == GY_JOB_ENDED;
    pthread_mutex_unlock(&job->lock);
    *bytes = ended ? job->output.n : 0;
    return ended ? gy_text_str(&job->output) : "";
}

void gy_job_free(gy_job *job)
{
    if (!job)
        return;
    gy_job_stop(job);
    pthread_join(job->thread, NULL);
    close(job->wake[0]);
    close(job->wake[1]);
    pthread_cond_destroy(&job->ended);
    pthread_mutex_destroy(&job->lock);
    gy_text_free(&job->output);
    gy_vec_free(&job->figures);
    json_decref(job->verdicts);
    json_decref(job->result);
    forget_request(job);
    free(job);
}
