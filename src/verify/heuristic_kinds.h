// The kinds of guides, and what they share. Private to src/verify.
#ifndef GYRE_VERIFY_HEURISTIC_KINDS_H
#define GYRE_VERIFY_HEURISTIC_KINDS_H

#include "exec/view.h"
#include "model/flow_distance.h"
#include "verify/heuristics.h"

typedef struct gy_heuristic_context {
    const gy_request *request;
    const gy_model *model;
    const gy_property *property; // or NULL: any error
    const char *argument;        // of the heuristic, after a colon, or NULL
    gy_arena *arena;
    gy_user_error *complaint;
} gy_heuristic_context;

// NULL: it says nothing here; or, if it was asked for, *why says what it lacks.
typedef gy_heuristic *gy_heuristic_maker(const gy_heuristic_context *context, const char **why);

gy_heuristic_maker gy_heuristic_assertions, gy_heuristic_distance,
    gy_heuristic_distance_sum;                                   // heuristic_distance.c
gy_heuristic_maker gy_heuristic_formula, gy_heuristic_accepting; // heuristic_formula.c
gy_heuristic_maker gy_heuristic_blocked, gy_heuristic_interleaving, gy_heuristic_prefer,
    gy_heuristic_choose_free, gy_heuristic_novelty, gy_heuristic_few; // heuristic_schedule.c

enum { GY_HEURISTIC_FAR = GY_FLOW_FAR }; // further than anything

#endif
