// Child processes: the only place where another program is started.
//
// A child and all that it starts are one process group, which ends with this process, whatever ends
// that, and with gy_process_end. The group is led by a keeper: a shell that waits for the end of a
// pipe which this process alone holds open, and then kills the group. So nothing depends on which
// thread started a child (a signal by PR_SET_PDEATHSIG does, and grandchildren get none), and the
// number of the group is taken until the child was waited for.
//
// A child gets three files and no others, default actions for signals, an empty signal mask, and no
// core dumps. Calls for different children may overlap; one child belongs to one thread at a time,
// but for gy_process_kill_group.
#ifndef GYRE_BASE_CHILD_PROCESS_H
#define GYRE_BASE_CHILD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct gy_process {
    pid_t pid;    // 0: there is none
    pid_t group;  // number of its process group
    pid_t keeper; // 0: it could not be started; the child then ends with the thread that started it
    int alive;    // the end of the pipe that the keeper waits for
} gy_process;

typedef struct gy_process_start {
    const char *program;            // its path; without a `/`: looked for in PATH
    const char *const *arguments;   // with the name of the program; NULL-terminated
    const char *const *environment; // NULL-terminated; NULL: ours
    const char *folder;             // where it runs; NULL: here
    int in, out, err;               // files that become its standard ones; -1: /dev/null
    uint64_t most_memory;           // bytes of address space; 0: no limit
} gy_process_start;

// False: errno says why, and there is no child.
bool gy_process_run(const gy_process_start *start, gy_process *process);
// A copy of this process that runs work(user) and ends with its result as exit status. Of this
// process's threads it has the calling one alone. False: errno says why.
bool gy_process_fork(int (*work)(void *user), void *user, gy_process *process);

// A signal to the child itself.
void gy_process_signal(const gy_process *process, int signal_number);
// Kills the child and all that it has started. It has still to be waited for.
void gy_process_kill(const gy_process *process);
// The same by the number of the group, from any thread, until gy_process_release.
void gy_process_kill_group(pid_t group);

// Waits for the child; once gy_clock is past `deadline` (0: never) or *interrupt (NULL: never) is
// not 0, kills it. The status is that of waitpid, or -1 if there is none. What the child has left
// behind goes on until the release.
int gy_process_wait(gy_process *process, double deadline, const atomic_int *interrupt);
// Has it ended? Does not wait.
bool gy_process_ended(gy_process *process, int *status);
// Ends what is left of the group; the child was waited for.
void gy_process_release(gy_process *process);
// Kill, wait and release.
void gy_process_end(gy_process *process);

// The path of a program: as given if it has a `/`, or looked for in PATH. NULL: there is none that
// can be run. To be freed.
char *gy_process_find(const char *name);

// Runs a program that is to stay when this process ends: a window for the user. False: it could
// not.
bool gy_process_leave(const char *program, const char *const *arguments);

// This process ends when its parent does. False: that has ended already, if `parent` was it.
bool gy_process_follow_parent(pid_t parent);

#endif
