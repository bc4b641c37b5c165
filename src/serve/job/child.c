#include "serve/job/child.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *setting(const char *name, const char *value)
{
    size_t bytes = strlen(name) + strlen(value) + 2;
    char *line = gy_alloc(bytes);
    snprintf(line, bytes, "%s=%s", name, value);
    return line;
}

static bool is_setting(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 && line[n] == '=';
}

// Ours, with other values for what the request sets. The last two lines are to be freed.
static char **make_environment(const gy_child_request *request)
{
    GY_VEC(char *) list = {0};
    char seconds[32];
    for (char **line = environ; *line; line++)
        if (!is_setting(*line, "GYRE_PROGRESS") && !is_setting(*line, "GYRE_WITHIN"))
            gy_vec_push(&list, *line);
    snprintf(seconds, sizeof seconds, "%.3f", request->progress > 0 ? request->progress : 1);
    gy_vec_push(&list, setting("GYRE_PROGRESS", seconds));
    gy_vec_push(&list, setting("GYRE_WITHIN", request->within ? request->within : ""));
    gy_vec_push(&list, NULL);
    return list.at;
}

static void free_environment(char **environment)
{
    size_t n = 0;
    while (environment[n])
        n++;
    free(environment[n - 1]);
    free(environment[n - 2]);
    free(environment);
}

static char **make_arguments(const gy_child_request *request)
{
    GY_VEC(char *) list = {0};
    gy_vec_push(&list, (char *)"gyre");
    for (const char *const *argument = request->arguments; *argument; argument++)
        gy_vec_push(&list, (char *)*argument);
    gy_vec_push(&list, NULL);
    return list.at;
}

// A file in memory that the child reads: nothing has to feed a pipe.
static int input_file(const char *input, size_t bytes)
{
    int file = memfd_create("input", MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < bytes;) {
        ssize_t n = write(file, input + done, bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)n;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

static void close_if(int file)
{
    if (file >= 0)
        close(file);
}

static bool run(const gy_child_request *request, int in, int out, gy_process *process)
{
    char **arguments = make_arguments(request), **environment = make_environment(request);
    gy_process_start start = {
        .program = request->program ? request->program : "/proc/self/exe",
        .arguments = (const char *const *)arguments,
        .environment = (const char *const *)environment,
        .folder = request->folder,
        .in = in,
        .out = out,
        .err = -1,
        .most_memory = request->most_memory,
    };
    bool good = gy_process_run(&start, process);
    int why = errno;
    free(arguments);
    free_environment(environment);
    errno = why;
    return good;
}

bool gy_child_start(const gy_child_request *request, gy_child *child)
{
    int out[2] = {-1, -1}, in[2] = {-1, -1};
    *child = (gy_child){.from = -1, .to = -1};
    bool good = pipe2(out, O_CLOEXEC) == 0;
    if (good && request->talks)
        good = pipe2(in, O_CLOEXEC) == 0;
    else if (good && request->input)
        good = (in[0] = input_file(request->input, request->input_bytes)) >= 0;
    good = good && run(request, in[0], out[1], &child->process);
    int why = errno;
    close_if(in[0]);
    close_if(out[1]);
    if (good) {
        child->from = out[0];
        child->to = in[1];
    } else {
        close_if(out[0]);
        close_if(in[1]);
    }
    errno = why;
    return good;
}

void gy_child_stop(const gy_child *child)
{
    gy_process_signal(&child->process, SIGTERM);
}

void gy_child_kill(const gy_child *child)
{
    gy_process_kill(&child->process);
}

int gy_child_finish(gy_child *child)
{
    close_if(child->to);
    close_if(child->from);
    int status = gy_process_wait(&child->process, 0, NULL);
    gy_process_release(&child->process);
    child->to = child->from = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
