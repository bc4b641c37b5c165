// Experiments with hunts: what `gyre hunt --trials` asks for.
//
// Owner: gy_trials_free; the arena and the subject must outlive the trials.
#ifndef GYRE_VERIFY_EXPERIMENT_H
#define GYRE_VERIFY_EXPERIMENT_H

#include "search/hunt/trials.h"
#include "verify/complaint.h"
#include "verify/subject.h"

enum { GY_TRIAL_EFFORT = 1000000 }; // moves of each, unless the request says otherwise

// `list`: names of strategies or "portfolio", with commas; NULL: some. NULL: see the complaint.
gy_trials *gy_experiment(gy_request *request, gy_subject *subject, const char *list,
                         uint64_t trials, gy_arena *arena, gy_complaint *complaint);

#endif
