// The kinds of guides, and what they share. Private to src/verify.
#ifndef GYRE_VERIFY_GUIDE_KINDS_H
#define GYRE_VERIFY_GUIDE_KINDS_H

#include "exec/view.h"
#include "verify/guides.h"

typedef struct gy_guide_context {
    const gy_request *request;
    const gy_model *model;
    const gy_property *property; // or NULL: any error
    const char *argument;        // of the heuristic, behind a colon, or NULL
    gy_arena *arena;
    gy_complaint *complaint;
} gy_guide_context;

// NULL: it says nothing here; or, if it was asked for, *why tells the user what it lacks.
typedef gy_guide *gy_guide_maker(const gy_guide_context *context, const char **why);

gy_guide_maker gy_guide_assertions, gy_guide_distance, gy_guide_distance_sum; // guide_distance.c
gy_guide_maker gy_guide_formula, gy_guide_accepting;                          // guide_formula.c
gy_guide_maker gy_guide_blocked, gy_guide_interleaving, gy_guide_prefer, gy_guide_choose_free,
    gy_guide_novelty, gy_guide_few; // guide_schedule.c

enum { GY_GUIDE_FAR = 1 << 20 }; // further than anything

// How far an expression is from being true, or from being false (`wanted`), as process `pid` (-1:
// none) sees it: 0 if it is so.
int64_t gy_expr_distance(const gy_guided_state *at, const gy_view *view, int32_t pid,
                         const gy_expr *expr, bool wanted);

// By node of a template: the fewest edges on a way to a node that is marked; GY_GUIDE_FAR: none.
uint32_t *gy_node_distances(const gy_model *model, const gy_template *tmpl, const uint8_t *marked,
                            gy_arena *arena);

#endif
