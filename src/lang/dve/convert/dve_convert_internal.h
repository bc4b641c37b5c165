// Shared by the dve_convert*.c files only.
#ifndef GYRE_LANG_DVE_CONVERT_DVE_CONVERT_INTERNAL_H
#define GYRE_LANG_DVE_CONVERT_DVE_CONVERT_INTERNAL_H

#include "base/vec.h"
#include "lang/dve/convert/dve_convert.h"

// What is known of a process.
typedef struct dve_shape {
    const dve_process *process;
    const char *name;    // of its proctype
    const char *at;      // the variable with its place, or NULL: there is none
    bool driven;         // its place is in that variable alone: others move it
    bool asked;          // its place is asked for by what others do
    const char **labels; // of its states
    const char **places; // the macros with their numbers, if there is `at`
} dve_shape;

typedef struct dve_named {
    const void *thing; // a dve_var or dve_channel
    const char *name;
} dve_named;

typedef struct dve_conversion {
    dve_model *tree;
    gy_arena *arena;
    dve_shape *shapes;                // of tree->processes
    bool committed;                   // some state is
    GY_VEC(const char *) temporaries; // that the process which is being written needs
    GY_VEC(const char *) used;        // names that are taken
    GY_VEC(dve_named) names;
    GY_VEC(const dve_channel *) joint; // channels whose rendezvous are steps of the sender
    GY_VEC(const dve_var *) global;    // variables of processes that others see
} dve_conversion;

// Whose eyes an expression is seen with.
typedef struct dve_viewer {
    const dve_process *self; // its own place is known: it is not asked for …
    int32_t place;           // … but here; -1: it is, after all
} dve_viewer;

// dve_convert_names.c
const char *dve_unique_name(dve_conversion *c, const char *wish);
const char *dve_name_of(const dve_conversion *c, const void *thing);
void dve_name_all(dve_conversion *c);
dve_shape *dve_shape_of(const dve_conversion *c, const dve_process *process);

// dve_convert_plan.c: which channels are joint, which variables global, which places asked for
void dve_plan(dve_conversion *c);
bool dve_is_joint(const dve_conversion *c, const dve_channel *channel);
bool dve_is_global(const dve_conversion *c, const dve_var *var);

// dve_convert_expr.c
void dve_put_expr(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                  gy_text *out);
void dve_put_operand(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                     gy_text *out); // in parentheses, unless it is a name or number
// expr, and an assert before it if it may not fit: `assert(…); target = expr; `
void dve_put_assignment(const dve_conversion *c, const dve_viewer *target_viewer,
                        const dve_expr *target, const dve_viewer *value_viewer,
                        const dve_expr *value, gy_text *out);
void dve_put_fit(dve_type type, bool low, bool high, const char *value, gy_text *out);

// dve_convert_step.c
// The options of a transition: one or, for a joint rendezvous, one per partner.
void dve_put_options(dve_conversion *c, const dve_process *process, const dve_transition *t,
                     gy_text *out);

#endif
