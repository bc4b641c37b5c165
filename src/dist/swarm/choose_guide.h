// Which processes guide: those that were named, or those under which the states of a sample fall
// into the smallest parts.
#ifndef GYRE_DIST_SWARM_CHOOSE_GUIDE_H
#define GYRE_DIST_SWARM_CHOOSE_GUIDE_H

#include "dist/swarm/job_files.h"

// Fills *chosen, with the fingerprint of the guide that is returned; NULL: *why says why not.
// `named`: "NAME,NAME(PID),PID", or NULL; "none" for no process. *why (a sentence) also says why a
// guide was chosen.
gy_guide *gy_guide_choose(gy_run *run, const char *named, gy_swarm_task_guide *chosen,
                          gy_text *why);

#endif
