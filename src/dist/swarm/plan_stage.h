// Planning: which levels come next, and which intervals of their traces are jobs.
//
// Where all levels are one stage, jobs are intervals of the guide's complete traces, as in the
// paper; but then traces that part and meet again make jobs that search the same states. With
// stages, what was found on the far side of a cut is kept once (as seeds), and a stage of a single
// level has jobs with no state in common. So stages are short where there are several jobs, and
// longer where jobs would be too small; where one job will do, it goes on until a limit ends it.
//
// Everything here is a function of what the answers said.
#ifndef GYRE_DIST_SWARM_PLAN_STAGE_H
#define GYRE_DIST_SWARM_PLAN_STAGE_H

#include "dist/swarm/job_files.h"

// Seeds that wait: those that a job has left, by part.
typedef struct gy_pending {
    uint64_t job, print; // of its seeds
    gy_part_counts parts;
} gy_pending;

typedef struct gy_planner {
    gy_guide *guide;
    unsigned workers;
    uint64_t job_states;
    bool fixed; // stages have `length` levels, 0: all that are left
    uint32_t length;
    uint32_t intervals; // 0: as seems fit
    bool feedback;
    bool started;
    GY_VEC(gy_pending) pending;
    double growth;   // states visited for each seed, lately
    gy_stage *stage; // the current one
    GY_VEC(uint32_t) entries;
    uint64_t *mass; // seeds by part, of the stage
    uint64_t seeds; // in all
    bool scout;     // its one job should end soon, so that there is something to share
    bool single;    // it began with one job
} gy_planner;

void gy_planner_init(gy_planner *p, gy_guide *guide);
void gy_planner_free(gy_planner *p);
// What a job has left.
void gy_planner_add(gy_planner *p, uint64_t job, uint64_t print, const gy_part_count *parts,
                    size_t count);
// The next stage; false: nothing waits.
bool gy_planner_next(gy_planner *p);
// Where it should be cut to give so many jobs: calls with rising intervals.
void gy_planner_cut(gy_planner *p, void (*see)(void *user, const gy_interval *interval),
                    void *user);
// Two halves of an interval whose job was too large: *middle. False: it cannot be divided.
bool gy_planner_halve(const gy_planner *p, const gy_interval *interval, gy_bigint *middle);
// The entry that the trace with this number begins at.
uint32_t gy_planner_entry_at(const gy_planner *p, const gy_bigint *number);
// The jobs whose seeds the stage reads.
void gy_planner_inputs(const gy_planner *p, gy_swarm_task *task);
// The stage is over: so many states were visited by so many jobs, `distinct` of them different.
void gy_planner_end(gy_planner *p, uint64_t visited, uint64_t jobs, double distinct, bool was_cut);
// Traces of the guide that are not settled while the stage is at hand, and all of them.
void gy_planner_open_traces(const gy_planner *p, gy_bigint *open, gy_bigint *all);

#endif
