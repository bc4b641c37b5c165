// A worker of mpirun ends when that does: it asks the system for a signal then. A parent that ended
// before sends none any more; by then the worker is the child of whatever adopts such processes,
// which may be the first process, that of a session, or any other that has asked for it.
//
// So the manager leaves a mark in the environment of what it starts: which machine and process it
// is. On that machine, whatever is between the manager and the worker has the mark as well, and who
// adopts has not.
#include "dist/swarm/launch_parts.h"

#include "base/child_process.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "GYRE_SWARM_MANAGER="

// The name of this machine since it was started, without the end of the line; "" if it has none.
static void read_machine(char name[64])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    name[0] = '\0';
    if (file && fgets(name, 64, file))
        name[strcspn(name, "\n")] = '\0';
    if (file)
        fclose(file);
}

void gy_launch_mark(gy_text *mark)
{
    char machine[64];
    read_machine(machine);
    gy_text_printf(mark, MARK "%s %d", machine, (int)getpid());
}

// Is it a mark of this machine? Environments may be sent elsewhere.
static bool is_from_here(const char *value)
{
    char machine[64];
    read_machine(machine);
    size_t n = strlen(machine);
    return n && strncmp(value, machine, n) == 0 && value[n] == ' ';
}

// `known`: its environment could be read. That of a process of another user, or of one outside the
// worker's own container, cannot.
static bool has_mark(pid_t process, const char *value, bool *known)
{
    gy_file_rules rules = {.most_bytes = 64u << 20};
    gy_file file = {0};
    gy_text path = {0}, mark = {0};
    bool found = false;
    gy_text_printf(&path, "/proc/%d/environ", (int)process);
    gy_text_printf(&mark, MARK "%s", value);
    int fd = open(gy_text_str(&path), O_RDONLY | O_CLOEXEC);
    *known = fd >= 0 && gy_file_read_open(fd, &rules, &file);
    for (size_t at = 0; *known && at < file.bytes && !found; at += strlen(file.text + at) + 1)
        found = strcmp(file.text + at, gy_text_str(&mark)) == 0;
    gy_file_free(&file);
    if (fd >= 0)
        close(fd);
    gy_text_free(&path);
    gy_text_free(&mark);
    return found;
}

static bool is_called(pid_t process, const char *const *names)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", (int)process);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(name, sizeof name, file);
    if (file)
        fclose(file);
    name[strcspn(name, "\n")] = '\0';
    for (; read && *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

// What MPI and Slurm start on other machines; this one may be taken for one of them.
static const char *const agents[] = {"hydra_pmi_proxy", "orted", "prted", "slurmstepd", NULL};
static const char *const adopters[] = {"systemd", NULL}; // and the first process

bool gy_worker_stays(gy_launch_kind kind)
{
    const char *mark = getenv("GYRE_SWARM_MANAGER");
    gy_process_follow_parent(0);
    // With other launchers the manager, which may be the first process of a container, is the
    // parent, or Slurm ends the job.
    if (kind != GY_LAUNCH_MPI)
        return true;
    pid_t parent = getppid();
    bool known = false;
    if (mark && is_from_here(mark) && has_mark(parent, mark, &known))
        return true;
    if (known)
        return is_called(parent, agents);
    return parent != 1 && !is_called(parent, adopters);
}
