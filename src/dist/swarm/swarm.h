// Informed swarms: one exhaustive search as many small jobs, which need nothing from each other
// while they run (A. Wijs, NFM 2011; docs/internals/swarm.md has the argument why nothing is
// missed).
//
// The manager is an engine (search/run.h) that is not in the table: options.engine_data is a
// gy_swarm. It plans stages, hands out jobs, takes answers, and says in the end what a search says:
// complete, an error with the path to it, or why neither is known. All that it knows is in the
// swarm's directory; what it decides follows from the answers in the order in which the journal has
// them, so that a manager that is started again on the directory goes on where the last one was.
//
// Owner: the caller owns what the options refer to; gy_swarm_free releases the rest.
#ifndef GYRE_DIST_SWARM_SWARM_H
#define GYRE_DIST_SWARM_SWARM_H

#include "dist/swarm/launchers.h"
#include "search/engines.h"

typedef struct gy_swarm_figures {
    uint64_t jobs_done, jobs_running, jobs_left; // left: of the current stage
    uint64_t jobs_failed; // handed out again: the worker died, or its answer was of no use
    uint64_t jobs_split, jobs_pruned;
    uint64_t stages;        // and rounds of cells
    uint64_t divided_parts; // into cells: they were too large for one job, or there is only one
    uint64_t visited;       // states, by all jobs together
    double distinct;        // how many of them are different: exact, or an estimate
    bool exact;
    uint64_t largest; // states stored by a job
    uint64_t largest_memory;
    double longest; // seconds of a job
    double redundancy;
    double settled; // part of the traces that need no more jobs
    double seconds;
    // An error: which job has found it, and how many were asked for the path to it so far.
    bool error_met;
    const char *error; // with error_met: what went wrong
    uint64_t error_job, error_asked;
    char *traces; // of the guide; malloc'ed
    char *guide;  // what guides; malloc'ed
    char *why;    // why it was chosen; malloc'ed
    uint32_t parts, levels;
} gy_swarm_figures;

typedef struct gy_swarm {
    // What is asked.
    const char *folder;
    bool resume;              // it is there already
    const char *first_record; // of a new journal: what the caller needs to go on
    unsigned workers;         // jobs that run at the same time
    unsigned plan_workers;    // what is planned for: the same as long as the swarm lives
    gy_launch_options launch; // but the directory
    uint64_t job_states;      // at most so many are stored by a job; 0: no limit
    const char *guide;        // "NAME,NAME(PID),PID", or NULL: choose
    bool stages_set;
    uint32_t stage_levels; // levels of a stage; 0: all
    uint32_t intervals;    // jobs that a stage begins with; 0: as seems fit
    bool no_feedback, keep_states;
    void (*progress)(void *user, const gy_swarm_figures *figures); // or NULL
    void *progress_user;
    // What became of it.
    gy_swarm_figures figures;
    char *problem; // why there is no verdict, or why it could not run; malloc'ed
    char *note;    // about the directory: what was lost; malloc'ed
} gy_swarm;

extern const gy_engine gy_engine_swarm;

// False: Gyre was built without libgmp.
bool gy_swarm_is_there(void);
void gy_swarm_free(gy_swarm *swarm); // what it owns

#endif
