// Experiments with hunts: what `gyre hunt --trials` asks for.
//
// Owner: gy_trials_free; the arena and the subject must outlive the trials.
#ifndef GYRE_VERIFY_EXPERIMENT_H
#define GYRE_VERIFY_EXPERIMENT_H

#include "search/hunt/trials.h"
#include "verify/loaded_model.h"
#include "verify/user_error.h"

enum { GY_TRIAL_EFFORT = 1000000 }; // moves of each, unless the request says otherwise

// `list`: names of strategies or "portfolio", with commas; NULL: some. NULL: see the complaint.
gy_trials *gy_experiment(gy_request *request, gy_loaded_model *subject, const char *list,
                         uint64_t trials, gy_arena *arena, gy_user_error *complaint);

#endif
