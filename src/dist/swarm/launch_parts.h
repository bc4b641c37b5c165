// Inside of launchers. Private to launch*.c.
#ifndef GYRE_DIST_SWARM_LAUNCH_PARTS_H
#define GYRE_DIST_SWARM_LAUNCH_PARTS_H

#include "base/child_process.h"
#include "base/vec.h"
#include "dist/swarm/launchers.h"

typedef struct gy_worker_row {
    uint64_t job;
    gy_process process; // none: of the batch system
    double started;     // on gy_clock; of the batch system: its place in the array
    uint64_t array;     // there: the job array that it is part of
    unsigned missed;    // examines the queue in which it was not there
} gy_worker_row;

struct gy_launcher {
    gy_launch_options options;
    GY_VEC(gy_worker_row) workers;
    GY_VEC(uint64_t) asked;
    bool asked_way;
    bool submitted; // an array that may have been accepted, though sbatch did not end well
    double next_look;
    gy_text how;
};

void gy_launch_log(const gy_launcher *launcher, uint64_t job, gy_text *out);

// What has to be in the environment of a worker (launch_parent.c).
void gy_launch_mark(gy_text *mark);

bool gy_slurm_submit(gy_launcher *launcher, gy_text *why);
bool gy_slurm_ended(gy_launcher *launcher, uint64_t *job, const char **how);
void gy_slurm_end(gy_launcher *launcher);

#endif
