// The kinds of guides, and what they share. Private to src/verify.
#ifndef GYRE_VERIFY_HEURISTIC_KINDS_H
#define GYRE_VERIFY_HEURISTIC_KINDS_H

#include "exec/view.h"
#include "verify/heuristics.h"

typedef struct gy_heuristic_context {
    const gy_request *request;
    const gy_model *model;
    const gy_property *property; // or NULL: any error
    const char *argument;        // of the heuristic, after a colon, or NULL
    gy_arena *arena;
    gy_user_error *complaint;
} gy_heuristic_context;

// NULL: it says nothing here; or, if it was asked for, *why tells the user what it lacks.
typedef gy_heuristic *gy_heuristic_maker(const gy_heuristic_context *context, const char **why);

gy_heuristic_maker gy_heuristic_assertions, gy_heuristic_distance,
    gy_heuristic_distance_sum;                                   // heuristic_distance.c
gy_heuristic_maker gy_heuristic_formula, gy_heuristic_accepting; // heuristic_formula.c
gy_heuristic_maker gy_heuristic_blocked, gy_heuristic_interleaving, gy_heuristic_prefer,
    gy_heuristic_choose_free, gy_heuristic_novelty, gy_heuristic_few; // heuristic_schedule.c

enum { GY_HEURISTIC_FAR = 1 << 20 }; // further than anything

// How far an expression is from being true, or from being false (`wanted`), as process `pid` (-1:
// none) sees it: 0 if it is so.
int64_t gy_expr_distance(const gy_guided_state *at, const gy_state_view *view, int32_t pid,
                         const gy_expr *expr, bool wanted);

// By node of a template: the fewest edges on a path to a node that is marked; GY_HEURISTIC_FAR:
// none.
uint32_t *gy_node_distances(const gy_model *model, const gy_template *tmpl, const uint8_t *marked,
                            gy_arena *arena);

#endif
