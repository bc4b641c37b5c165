#include "dist/swarm/launchers.h"

#include "dist/swarm/launch_parts.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const mpirun[] = {"mpirun", "-n", "1", NULL};

gy_launcher *gy_launcher_new(const gy_launch_options *options)
{
    gy_launcher *launcher = gy_alloc_zero(sizeof *launcher);
    launcher->options = *options;
    return launcher;
}

void gy_launcher_free(gy_launcher *launcher)
{
    if (!launcher)
        return;
    if (launcher->options.kind == GY_LAUNCH_SLURM)
        gy_slurm_end(launcher);
    for (size_t i = 0; i < launcher->workers.n; i++)
        if (launcher->workers.at[i].process.pid)
            gy_process_end(&launcher->workers.at[i].process);
    gy_vec_free(&launcher->workers);
    gy_vec_free(&launcher->asked);
    gy_text_free(&launcher->how);
    free(launcher);
}

void gy_launch_log(const gy_launcher *launcher, uint64_t job, gy_text *out)
{
    gy_text_printf(out, "%s/job-%llu.log", launcher->options.folder, (unsigned long long)job);
}

// What the worker runs, in an array that the caller frees; strings of it are in `numbers`.
static char **command_of(const gy_launcher *launcher, uint64_t job, bool way, gy_text *number)
{
    const gy_launch_options *o = &launcher->options;
    GY_VEC(char *) all = {0};
    for (size_t i = 0; o->kind == GY_LAUNCH_MPI && mpirun[i]; i++)
        gy_vec_push(&all, (char *)mpirun[i]);
    for (size_t i = 0; o->command[i]; i++)
        gy_vec_push(&all, (char *)o->command[i]);
    gy_text_printf(number, "%llu", (unsigned long long)job);
    gy_vec_push(&all, (char *)"--worker-folder");
    gy_vec_push(&all, (char *)o->folder);
    gy_vec_push(&all, (char *)"--worker-job");
    gy_vec_push(&all, number->at);
    if (way)
        gy_vec_push(&all, (char *)"--worker-way");
    gy_vec_push(&all, NULL);
    return all.at;
}

// The manager's, and a mark; in an array that the caller frees.
static const char **environment_with(const char *mark)
{
    GY_VEC(const char *) all = {0};
    for (size_t i = 0; environ[i]; i++)
        gy_vec_push(&all, environ[i]);
    gy_vec_push(&all, mark);
    gy_vec_push(&all, NULL);
    return all.at;
}

// Its output goes to a file.
static bool start(gy_launcher *launcher, uint64_t job, bool way, gy_text *why)
{
    gy_text number = {0}, log = {0}, mark = {0};
    char **command = command_of(launcher, job, way, &number);
    gy_launch_mark(&mark);
    const char **environment = environment_with(mark.at);
    gy_launch_log(launcher, job, &log);
    int out = gy_file_fresh(gy_text_str(&log), 0666);
    gy_process_start worker = {
        .program = command[0],
        .arguments = (const char *const *)command,
        .environment = environment,
        .in = -1,
        .out = out,
        .err = out,
    };
    gy_process process;
    bool good = gy_process_run(&worker, &process);
    if (!good)
        gy_text_printf(why, "cannot start a worker: %s: %s", command[0], strerror(errno));
    else
        gy_vec_push(&launcher->workers, ((gy_worker_row){job, process, gy_clock(), 0, 0}));
    if (out >= 0)
        close(out);
    free(command);
    free(environment);
    gy_text_free(&mark);
    gy_text_free(&number);
    gy_text_free(&log);
    return good;
}

bool gy_launch_job(gy_launcher *launcher, uint64_t job, bool way, gy_text *why)
{
    if (launcher->options.kind != GY_LAUNCH_SLURM)
        return start(launcher, job, way, why);
    gy_vec_push(&launcher->asked, job);
    launcher->asked_way = way;
    return true;
}

bool gy_launch_flush(gy_launcher *launcher, gy_text *why)
{
    return launcher->asked.n == 0 || gy_slurm_submit(launcher, why);
}

static void forget_worker(gy_launcher *launcher, size_t i)
{
    launcher->workers.at[i] = launcher->workers.at[--launcher->workers.n];
}

bool gy_launch_ended(gy_launcher *launcher, uint64_t *job, const char **how)
{
    if (launcher->options.kind == GY_LAUNCH_SLURM)
        return gy_slurm_ended(launcher, job, how);
    for (size_t i = 0; i < launcher->workers.n; i++) {
        gy_worker_row row = launcher->workers.at[i];
        int status = 0;
        gy_text_clear(&launcher->how);
        if (gy_process_ended(&row.process, &status)) {
            if (WIFSIGNALED(status))
                gy_text_printf(&launcher->how, "its worker was killed by signal %d (%s)",
                               WTERMSIG(status), strsignal(WTERMSIG(status)));
            else if (WEXITSTATUS(status) == 127)
                gy_text_add(&launcher->how, "its worker could not be started");
            else if (WEXITSTATUS(status))
                gy_text_printf(&launcher->how, "its worker ended with status %d",
                               WEXITSTATUS(status));
        } else if (launcher->options.seconds > 0 &&
                   gy_clock() - row.started > launcher->options.seconds) {
            gy_process_kill(&row.process);
            gy_process_wait(&row.process, 0, NULL);
            gy_text_add(&launcher->how, "its worker did not end");
        } else {
            continue;
        }
        gy_process_release(&row.process);
        forget_worker(launcher, i);
        *job = row.job;
        *how = gy_text_str(&launcher->how);
        return true;
    }
    return false;
}

void gy_launch_wait(gy_launcher *launcher, double seconds)
{
    static const double MOMENT = 0.002; // children end soon, and asking costs next to nothing
    if (launcher->options.kind != GY_LAUNCH_SLURM && seconds > MOMENT)
        seconds = MOMENT;
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}
