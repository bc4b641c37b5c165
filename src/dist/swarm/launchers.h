// Launchers: how workers are started. A worker is the program itself, asked to do one job:
//
//     gyre swarm MODEL OPTIONS --worker-folder DIR --worker-job N
//
// `local` starts it as a child, `mpi` through mpirun (which knows the machines), `slurm` hands many
// at once to sbatch, as an array. Whatever becomes of a worker, the answer is a file (job_files.h):
// a launcher only says whether it is worth waiting for.
//
// Owner: who makes one frees it; that ends the workers that still run. One thread at a time.
#ifndef GYRE_DIST_SWARM_LAUNCHERS_H
#define GYRE_DIST_SWARM_LAUNCHERS_H

#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// In the order of the words of --launcher.
typedef enum { GY_LAUNCH_LOCAL, GY_LAUNCH_MPI, GY_LAUNCH_SLURM } gy_launch_kind;

typedef struct gy_launcher gy_launcher;

typedef struct gy_launch_options {
    gy_launch_kind kind;
    const char *const *command; // of a worker, NULL-terminated; directory and number are added
    const char *folder;
    uint64_t memory;   // bytes that a job may take, 0: not known
    double seconds;    // after which a worker is taken to hang; 0: never
    const char *slurm; // further options for sbatch, or NULL
    // Commands of a batch system that do not end are killed when this becomes non-zero (NULL:
    // never) or is over (0: never).
    const atomic_int *interrupt;
    double deadline;
} gy_launch_options;

gy_launcher *gy_launcher_new(const gy_launch_options *options);
void gy_launcher_free(gy_launcher *launcher);
// Asks for a job. False: *why says why not (a sentence); nothing was started.
bool gy_launch_job(gy_launcher *launcher, uint64_t job, bool way, gy_text *why);
// Those that were asked for are to be started now.
bool gy_launch_flush(gy_launcher *launcher, gy_text *why);
// A job whose worker has ended, or is lost; false: none. *how: what became of it ("" if it ended
// well; valid until the next call).
bool gy_launch_ended(gy_launcher *launcher, uint64_t *job, const char **how);
// Waits a little, until something may have changed.
void gy_launch_wait(gy_launcher *launcher, double seconds);

// In a worker, before anything else: from now on it is killed when what started it ends. False:
// that has ended already, nothing waits for this job.
bool gy_worker_stays(gy_launch_kind kind);

#endif
