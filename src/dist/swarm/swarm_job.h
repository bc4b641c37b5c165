// One job of a swarm: the search that a worker makes.
//
// The job's states are those that can be reached from its seeds along the traces of its interval,
// within its stage. Levels are gone through from below, so that, if a limit ends the job, all
// levels below the current one are done. What leads out of the stage is kept as seeds for later
// jobs.
//
// An engine (search/run.h) that is not in the table: options.engine_data is a
// gy_worker_job_request. Nothing is reported to the run: all goes into the job's files
// (job_files.h).
#ifndef GYRE_DIST_SWARM_SWARM_JOB_H
#define GYRE_DIST_SWARM_SWARM_JOB_H

#include "dist/swarm/job_files.h"
#include "search/engines.h"

typedef struct gy_worker_job_request {
    const char *folder;
    uint64_t number;
    bool way; // look for the path to the task's target; the answer is job-N.way
    // What became of it.
    bool answered;
    char *problem; // why not; malloc'ed
} gy_worker_job_request;

extern const gy_engine gy_engine_swarm_job;

// A fingerprint of a system and of what is checked in it: the same in every process that has loaded
// it with the same options.
uint64_t gy_swarm_print(gy_system *system, const gy_search_options *options);

#endif
