// Shared by the dve_lower*.c files only.
#ifndef GYRE_LANG_DVE_LOWER_DVE_LOWER_INTERNAL_H
#define GYRE_LANG_DVE_LOWER_DVE_LOWER_INTERNAL_H

#include "base/vec.h"
#include "lang/dve/lower/dve_lower.h"

typedef GY_VEC(gy_action) dve_action_list;

typedef struct dve_lowering {
    dve_model *tree;
    gy_model *model;
    gy_arena *arena;
    GY_VEC(gy_variable) vars;
    GY_VEC(gy_channel_type) channel_types;
    GY_VEC(gy_edge) edges;
    const dve_process *self; // whose variables are at hand; NULL: nobody's
    // While effects are lowered: this process is already where its transition leads.
    const dve_process *moved;
    int32_t moved_to;
} dve_lowering;

// dve_lower_expr.c
gy_expr *dve_new_expr(gy_arena *arena, gy_expr_op op, gy_location place);
gy_expr *dve_new_const(gy_arena *arena, gy_location place, int32_t value);
gy_expr *dve_new_binary(gy_arena *arena, gy_expr_op op, gy_expr *a,
                        gy_expr *b); // or what is not NULL
gy_expr *dve_lower_expr(const dve_lowering *l, const dve_expr *expr);
// The index of an element as variables have it: NULL for a scalar, else checked.
gy_expr *dve_lower_index(const dve_lowering *l, const dve_expr *element);

static inline bool dve_uses_copy(const dve_lowering *l, const dve_var *var)
{
    return l->moved && var->copied_for == l->moved;
}

// dve_lower_vars.c
void dve_lower_vars(dve_lowering *l, dve_var *const *vars, uint32_t count, int32_t owner,
                    const char *prefix);
void dve_lower_channels(dve_lowering *l, dve_action_list *actions);
void dve_lower_initial(dve_lowering *l, dve_var *const *vars, uint32_t count,
                       dve_action_list *actions);
gy_program *dve_keep_program(dve_lowering *l, dve_action_list *actions); // NULL if empty; frees it
gy_action dve_assign(int32_t var, gy_expr *index, gy_expr *value, gy_location place);

int32_t dve_add_location(dve_lowering *l, const dve_process *process);
void dve_add_copies(dve_lowering *l); // hidden ones, of all variables that an effect assigns

// dve_bounds.c: the least and the largest value that an expression can have
typedef struct dve_bounds {
    int64_t low, high;
} dve_bounds;
dve_bounds dve_expr_bounds(const dve_expr *expr);
bool dve_fits(dve_bounds bounds, dve_type type);

// dve_lower_edge.c: a transition of an asynchronous system
gy_action dve_lower_assignment(const dve_lowering *l, const dve_assignment *a);
gy_edge dve_lower_transition(dve_lowering *l, const dve_process *process, const dve_transition *t);

// dve_lower_sync.c: all processes but the property, as one template whose edges are steps of all
bool dve_lower_synchronous(dve_lowering *l, gy_template *tmpl);

#endif
