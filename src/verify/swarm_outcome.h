// What a swarm has done, for the outcome. Private to src/verify.
#ifndef GYRE_VERIFY_SWARM_OUTCOME_H
#define GYRE_VERIFY_SWARM_OUTCOME_H

#include "base/arena.h"
#include "verify/request.h"

// Nothing if the search was none.
void gy_tell_swarm(const gy_request *request, gy_arena *arena, gy_figures *figures);
// How many jobs it has done; likewise.
uint64_t gy_swarm_jobs(const gy_request *request);

#endif
