// Inside of the manager. Private to manager*.c.
#ifndef GYRE_DIST_SWARM_MANAGER_H
#define GYRE_DIST_SWARM_MANAGER_H

#include "dist/swarm/choose_guide.h"
#include "dist/swarm/journal.h"
#include "dist/swarm/plan_cells.h"
#include "dist/swarm/swarm.h"
#include "dist/swarm/swarm_job.h"
#include "search/run.h"

enum { GY_SCOUT_STATES = 50000 };

typedef struct gy_swarm_job {
    uint64_t number;
    gy_interval interval;
    bool given; // to a worker
    bool asked; // whether there is an answer already
    bool full;  // it is no scout any more
    bool waits; // for an input that is made again
    uint64_t waits_for;
    unsigned tries;
} gy_swarm_job;

typedef struct gy_manager {
    gy_run *run;
    gy_swarm *swarm;
    gy_guide *guide;
    gy_swarm_task_guide guide_of;
    uint64_t system_print;
    gy_planner planner;
    gy_journal journal;
    gy_launcher *launcher;
    GY_VEC(gy_swarm_job) jobs; // of the current stage that have no answer yet
    GY_VEC(gy_pending) left;   // what jobs of this stage have left for later ones
    GY_VEC(uint32_t) crowded;  // parts of this stage that are divided into cells
    bool in_cells;             // the first of them is at hand
    gy_cell_plan cells;
    uint64_t next_number;
    unsigned running;
    bool first_stage, stage_cut;
    uint64_t stage_visited, stage_jobs, settled;
    uint8_t sketch[GY_SKETCH_BYTES], stage_sketch[GY_SKETCH_BYTES];
    gy_bigint open, all; // traces of the guide
    bool over, complete, error_met;
    uint64_t error_job;
    size_t replayed; // records of the journal that were taken
    double next_show;
} gy_manager;

void gy_manager_show(gy_manager *m); // the figures, to whom it may concern, from time to time
void gy_manager_refuse(gy_manager *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
gy_swarm_job *gy_manager_job(gy_manager *m, uint64_t number);
void gy_manager_task(const gy_manager *m, const gy_swarm_job *job, gy_swarm_task *task);
// Commands of a batch system end with the swarm's limits.
void gy_manager_limit(const gy_manager *m, gy_launch_options *launch);
bool gy_manager_read(gy_manager *m, const gy_swarm_job *job, gy_answer *a, const char **why);
// Further jobs; a job that has got its answer; one that is divided: `half` is taken from it.
void gy_manager_plan(gy_manager *m, const gy_interval *interval);
void gy_manager_drop(gy_manager *m, gy_swarm_job *job);
void gy_manager_halve(gy_manager *m, gy_swarm_job *job, const gy_interval *half);
// A part is to be divided into cells when the other jobs of the stage are done (manager_cells.c).
void gy_manager_crowd(gy_manager *m, uint32_t part);
// The next jobs of such parts; false: there are none.
bool gy_manager_next_round(gy_manager *m);
void gy_manager_cells_task(const gy_manager *m, gy_swarm_task *task);
void gy_manager_take_cells(gy_manager *m, gy_swarm_job *job, const gy_answer *a);
// Has the job a limit of its own, so that there is soon something to share?
bool gy_manager_is_scout(const gy_manager *m, const gy_swarm_job *job);
// An error was found: asks jobs for the path to it, from the last one back to an initial state, and
// reports it to the run (manager_way.c).
void gy_manager_tell_error(gy_manager *m);

#endif
