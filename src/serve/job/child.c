#include "serve/job/child.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// What the child needs between fork and exec, where nothing may be allocated.
typedef struct start {
    const gy_child_request *request;
    char **arguments, **environment;
    int in, out, none; // files that become its standard ones
    pid_t parent;
} start;

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

// A file in memory that the child reads: nobody has to feed a pipe.
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

_Noreturn static void become(const start *s)
{
    const gy_child_request *request = s->request;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    if (request->dies_with_us) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != s->parent)
            _exit(127); // it has ended already
    }
    if (request->most_memory) {
        struct rlimit limit = {request->most_memory, request->most_memory};
        setrlimit(RLIMIT_AS, &limit);
    }
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (dup2(s->in, 0) < 0 || dup2(s->out, 1) < 0 || dup2(s->none, 2) < 0)
        _exit(127);
    close_range(3, ~0u, CLOSE_RANGE_CLOEXEC); // whatever libraries have opened
    if (request->folder && chdir(request->folder) != 0)
        _exit(127);
    execve(request->program ? request->program : "/proc/self/exe", s->arguments, s->environment);
    _exit(127);
}

static void close_if(int file)
{
    if (file >= 0)
        close(file);
}

bool gy_child_start(const gy_child_request *request, gy_child *child)
{
    int out[2] = {-1, -1}, in[2] = {-1, -1};
    start s = {.request = request, .parent = getpid(), .in = -1};
    *child = (gy_child){.from = -1, .to = -1};
    s.none = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool good = s.none >= 0 && pipe2(out, O_CLOEXEC) == 0;
    if (good && request->talks && (good = pipe2(in, O_CLOEXEC) == 0))
        s.in = in[0];
    else if (good)
        good = (s.in = request->input ? input_file(request->input, request->input_bytes)
                                      : dup(s.none)) >= 0;
    if (good) {
        s.out = out[1];
        s.arguments = make_arguments(request);
        s.environment = make_environment(request);
        child->pid = fork();
        if (child->pid == 0)
            become(&s);
        good = child->pid > 0;
        if (good)
            setpgid(child->pid, child->pid); // whoever comes first
        free(s.arguments);
        free_environment(s.environment);
    }
    int why = errno;
    close_if(s.none);
    close_if(s.in);
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

void gy_child_signal(const gy_child *child, int signal_number)
{
    if (child->pid > 0)
        kill(-child->pid, signal_number);
}

int gy_child_finish(gy_child *child)
{
    int status = 0;
    close_if(child->to);
    close_if(child->from);
    if (child->pid > 0)
        while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
            ;
    child->pid = 0;
    child->to = child->from = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
