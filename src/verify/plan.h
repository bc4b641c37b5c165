// The plan: how a request will be answered. Which engine, which store, which reductions, how many
// threads, and for each choice its reason. All of these choices are made in plan.c, before anything
// is searched, and shown by --verbose. What contradicts itself, or would be ignored, is refused.
//
// Owner: the list of choices lives in the arena; nothing else is owned.
#ifndef GYRE_VERIFY_PLAN_H
#define GYRE_VERIFY_PLAN_H

#include "base/arena.h"
#include "search/hunt/hunt.h"
#include "verify/properties.h"

typedef enum {
    GY_FORMULAS_AUTO,     // a short search of each at first, then one exploration for all
    GY_FORMULAS_TOGETHER, // that at once
    GY_FORMULAS_APART,    // one after the other
} gy_formulas;            // in the order of GY_WORDS_FORMULAS

typedef struct gy_plan {
    gy_search_options safety;   // what the search for errors is asked; the time limit is left open
    gy_search_options products; // the same of every other property
    gy_fairness fairness;       // assumed by all but safety
    gy_passes passes;
    bool exact; // no pass that changes states
    gy_native_mode native;
    gy_formulas formulas; // how several of them are checked
    bool device_too;      // in parallel with the CPU threads, if the search for errors is large
    gy_hunt_options hunt; // of a hunt and of best-first search
    uint64_t witnesses;   // counterexamples reported for each kind of error; 0: all
    GY_VEC(gy_plan_choice) choices;
} gy_plan;

// Would --disk go with the rest of what is asked for?
bool gy_plan_could_use_disk(const gy_request *request);

// Before the model is started. False: see the complaint.
bool gy_plan_make(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject,
                  const gy_properties *properties, gy_arena *arena, gy_user_error *complaint);
// Once it was started: what was asked for must be possible with this very model.
bool gy_plan_check(const gy_plan *plan, const gy_request *request, const gy_loaded_model *subject,
                   const gy_properties *properties, gy_user_error *complaint);
void gy_plan_free(gy_plan *plan);

#endif
