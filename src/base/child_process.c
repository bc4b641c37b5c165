#include "base/child_process.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// ---- in the child ---------------------------------------------------------------------------

// What is needed between vfork and exec, where the memory is that of the parent, which stands
// still: nothing may be allocated, and of variables only `error` is written.
typedef struct launch {
    const char *path;
    const gy_process_start *start;
    const char *const *environment;
    int files[3];
    pid_t group;     // to join; 0: its own
    pid_t parent;    // whose thread's end is the end; 0: nobody's
    bool stays_calm; // what users and terminals send is ignored
    volatile int error;
} launch;

// Handlers are ours, and must not run in the memory of the parent; what is ignored would stay so.
static void reset_signals(bool calm)
{
    static const int sent[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        sigaction(i, &action, NULL);
    action.sa_handler = SIG_IGN;
    for (size_t i = 0; calm && i < sizeof sent / sizeof *sent; i++)
        sigaction(sent[i], &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Each of the files is above 2.
static bool set_files(const int files[3])
{
    for (int i = 0; i < 3; i++)
        if (dup2(files[i], i) < 0)
            return false;
    return close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0; // whatever libraries have opened
}

static bool set_limits(const gy_process_start *start)
{
    struct rlimit none = {0, 0}, memory = {start->most_memory, start->most_memory};
    setrlimit(RLIMIT_CORE, &none);
    return !start->most_memory || setrlimit(RLIMIT_AS, &memory) == 0;
}

bool gy_process_follow_parent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

static _Noreturn void become(launch *l)
{
    const gy_process_start *s = l->start;
    bool good = setpgid(0, l->group) == 0 && (!l->parent || gy_process_follow_parent(l->parent)) &&
                set_files(l->files) && set_limits(s) && (!s->folder || chdir(s->folder) == 0);
    l->error = errno; // what follows sets it again
    reset_signals(l->stays_calm);
    if (!good)
        _exit(127);
    l->error = 0;
    execve(l->path, (char *const *)s->arguments, (char *const *)l->environment);
    l->error = errno;
    _exit(127);
}

// ---- starting -------------------------------------------------------------------------------

// A copy of a file with a number above 2, so that none of the standard ones is in its own way.
static int copy_of(int file)
{
    if (file >= 0)
        return fcntl(file, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int copy = null >= 0 && null < 3 ? fcntl(null, F_DUPFD_CLOEXEC, 3) : null;
    if (copy != null)
        close(null);
    return copy;
}

static void close_all(const int *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (files[i] >= 0)
            close(files[i]);
}

// 0: errno says why not. Not inlined: what vfork returns twice into has nothing else to keep.
static __attribute__((noinline)) pid_t spawn(launch *l)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = vfork();
    if (pid == 0)
        become(l);
    int error = pid < 0 ? errno : l->error;
#ifdef __SANITIZE_THREAD__ // it makes a fork of vfork: the child may not have come so far
    if (pid > 0)
        setpgid(pid, l->group ? l->group : pid);
#endif
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid > 0 && error)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    errno = error;
    return error ? 0 : pid;
}

static pid_t launch_it(launch *l)
{
    const int wanted[3] = {l->start->in, l->start->out, l->start->err};
    int files[3];
    bool good = true;
    for (int i = 0; i < 3; i++)
        good = (l->files[i] = files[i] = copy_of(wanted[i])) >= 0 && good;
    pid_t pid = good ? spawn(l) : 0;
    int error = errno;
    close_all(files, 3);
    errno = error;
    return pid;
}

// Without one, children go with the thread that starts them.
static void start_keeper(gy_process *process)
{
    static const char *const arguments[] = {"sh", "-c", "read line; kill -KILL 0", NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    gy_process_start start = {.arguments = arguments, .in = ends[0], .out = -1, .err = -1};
    launch l = {.path = "/bin/sh",
                .start = &start,
                .environment = (const char *const *)environ,
                .stays_calm = true};
    process->keeper = launch_it(&l);
    process->group = process->keeper;
    close(ends[0]);
    if (process->keeper)
        process->alive = ends[1];
    else
        close(ends[1]);
}

// It can be killed before it has made its group; nothing can join that then.
static bool has_lost_keeper(const gy_process *process)
{
    return process->keeper && getpgid(process->keeper) != process->keeper;
}

static void close_pipe(gy_process *process)
{
    if (process->alive >= 0)
        close(process->alive);
    process->alive = -1;
}

static void end_keeper(gy_process *process)
{
    int error = errno;
    if (process->group)
        kill(-process->group, SIGKILL);
    if (process->keeper)
        while (waitpid(process->keeper, NULL, 0) < 0 && errno == EINTR)
            ;
    close_pipe(process);
    *process = (gy_process){.alive = -1};
    errno = error;
}

char *gy_process_find(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        gy_text full = {0};
        gy_text_bytes(&full, path, n);
        gy_text_printf(&full, "%s%s", n ? "/" : "./", name);
        if (access(gy_text_str(&full), X_OK) == 0)
            return gy_text_take(&full);
        gy_text_free(&full);
        path += n + (path[n] == ':');
    }
    return NULL;
}

enum { MOST_KEEPERS = 10 }; // before whatever kills them all has prevailed

static void start_with_keeper(launch *l, gy_process *process)
{
    start_keeper(process);
    l->group = process->group;
    l->parent = process->keeper ? 0 : getpid();
    l->error = 0;
    process->pid = launch_it(l);
}

bool gy_process_run(const gy_process_start *start, gy_process *process)
{
    *process = (gy_process){.alive = -1};
    char *path = gy_process_find(start->program);
    if (!path) {
        errno = ENOENT;
        return false;
    }
    launch l = {
        .path = path,
        .start = start,
        .environment = start->environment ? start->environment : (const char *const *)environ,
    };
    start_with_keeper(&l, process);
    for (int i = 1; i < MOST_KEEPERS && !process->pid && has_lost_keeper(process); i++) {
        end_keeper(process);
        start_with_keeper(&l, process);
    }
    bool good = process->pid > 0;
    if (!good)
        end_keeper(process);
    else if (!process->group)
        process->group = process->pid;
    int error = errno;
    free(path);
    errno = error;
    return good;
}

bool gy_process_fork(int (*work)(void *user), void *user, gy_process *process)
{
    *process = (gy_process){.alive = -1};
    start_keeper(process);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close_pipe(process);
        setpgid(0, process->group);
        if (!gy_process_follow_parent(parent))
            _exit(127);
        _exit(work(user));
    }
    if (pid < 0) {
        end_keeper(process);
        return false;
    }
    process->pid = pid;
    if (!process->group)
        process->group = pid;
    setpgid(pid, process->group); // also done by the child, in any order
    if (getpgid(pid) != process->group && has_lost_keeper(process)) {
        end_keeper(process);
        setpgid(pid, pid);
        process->pid = process->group = pid;
    }
    return true;
}

bool gy_process_leave(const char *program, const char *const *arguments)
{
    gy_process_start start = {.arguments = arguments, .in = 0, .out = 1, .err = 2};
    char *path = gy_process_find(program);
    launch l = {.path = path, .start = &start, .environment = (const char *const *)environ};
    bool good = path && launch_it(&l) > 0;
    free(path);
    return good;
}

// ---- ending ---------------------------------------------------------------------------------

void gy_process_signal(const gy_process *process, int signal_number)
{
    if (process->pid > 0)
        kill(process->pid, signal_number);
}

void gy_process_kill_group(pid_t group)
{
    if (group > 0)
        kill(-group, SIGKILL);
}

void gy_process_kill(const gy_process *process)
{
    gy_process_kill_group(process->group);
}

bool gy_process_ended(gy_process *process, int *status)
{
    *status = -1;
    if (process->pid <= 0)
        return true;
    pid_t ended = waitpid(process->pid, status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    process->pid = 0;
    return true;
}

int gy_process_wait(gy_process *process, double deadline, const atomic_int *interrupt)
{
    enum { FIRST_NAP = 1000 * 1000, LONGEST_NAP = 20 * 1000 * 1000 };
    struct timespec nap = {.tv_nsec = FIRST_NAP};
    int status = -1;
    while ((deadline > 0 || interrupt) && !gy_process_ended(process, &status)) {
        if (gy_deadline_over(deadline) || (interrupt && atomic_load(interrupt))) {
            gy_process_kill(process);
            break;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec += nap.tv_nsec < LONGEST_NAP ? nap.tv_nsec / 4 : 0;
    }
    if (process->pid > 0)
        while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
            ;
    process->pid = 0;
    return status;
}

void gy_process_release(gy_process *process)
{
    end_keeper(process);
}

void gy_process_end(gy_process *process)
{
    gy_process_kill(process);
    gy_process_wait(process, 0, NULL);
    gy_process_release(process);
}
