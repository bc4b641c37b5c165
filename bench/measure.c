// measure REPORT COMMAND...: runs a command and writes what it used to the file REPORT:
//
//     status wall cpu cpu_of_children peak_kilobytes
//
// Times are in seconds; `cpu` is user and system time of the command without that of the
// processes it started and waited for. A program of its own, because the peak memory of a
// process started by Python begins at Python's own.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

// CPU time of the finished, not yet reaped child's own children, in clock ticks.
static double grandchildren(pid_t pid)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        user = system = 0;
    fclose(f);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    double start = now();
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    siginfo_t info;
    int status;
    struct rusage usage;
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    double wall = now() - start, below = grandchildren(pid);
    if (wait4(pid, &status, 0, &usage) != pid)
        return 2;
    double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime) - below;
    FILE *report = fopen(argv[1], "w");
    if (!report)
        return 2;
    fprintf(report, "%d %.6f %.6f %.6f %ld\n",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), wall,
            cpu > 0 ? cpu : 0, below, usage.ru_maxrss);
    return fclose(report) != 0;
}
