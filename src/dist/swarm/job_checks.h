// Does it make sense what a task or an answer says? Its file may come from anyone, with a checksum
// that fits. All numbers by which something is looked up are checked here, before they are used.
#ifndef GYRE_DIST_SWARM_JOB_CHECKS_H
#define GYRE_DIST_SWARM_JOB_CHECKS_H

#include "dist/swarm/job_files.h"

// `way`: the answer is one to the question for the path to a state. `parts`: of the guide. The
// system is asked for its faults.
bool gy_answer_makes_sense(const gy_answer *answer, const gy_swarm_task *task, bool way,
                           uint32_t parts, const gy_system *system);

// Is it a task of this guide? The interval is checked by gy_swarm_task_interval_makes_sense, once
// the stage is there.
bool gy_swarm_task_makes_sense(const gy_swarm_task *task, const gy_guide *guide);
bool gy_swarm_task_interval_makes_sense(const gy_swarm_task *task, const gy_stage *stage);

#endif
