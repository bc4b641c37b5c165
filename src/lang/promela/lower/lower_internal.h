// Shared by the lower_*.c files only.
#ifndef GYRE_LANG_PROMELA_LOWER_LOWER_INTERNAL_H
#define GYRE_LANG_PROMELA_LOWER_LOWER_INTERNAL_H

#include "base/vec.h"
#include "lang/promela/lower/flow.h"
#include "lang/promela/lower/lower.h"
#include "model/build.h"
#include "model/spin_numbers.h"

// What became of a Promela variable: one MODEL variable, or, for a structure, one entry per
// member. Hangs on pml_var.lowered (variables) or on the parent's members (fields).
typedef struct lowered_var {
    int32_t var; // GY_NONE for a structure
    const pml_var *decl;
    struct lowered_var **members;
} lowered_var;

// p@label and its kind wait for the control-flow graph of p.
typedef struct pending_label {
    gy_expr *expr;
    const pml_label *label;
} pending_label;

// An atom of a formula, whose expression is not complete before labels are resolved.
typedef struct formula_leaf {
    gy_formula *formula;
    gy_expr *expr;
} formula_leaf;

typedef gy_action_list action_list;
typedef GY_VEC(gy_field) field_list;

typedef struct lowering {
    pml_model *tree;
    gy_model *model;
    gy_arena *arena;
    gy_builder *build;                // NULL: the model is complete, and only asked about
    GY_VEC(int32_t) spin_transitions; // by edge
    GY_VEC(int32_t) spin_statements;  // by edge
    GY_VEC(const char *) spin_texts;  // by edge
    int32_t **spin_states;            // by template, by node
    gy_spin_end *spin_ends;           // by template
    GY_VEC(gy_c_code *) c_codes;
    GY_VEC(pending_label) pending;
    GY_VEC(formula_leaf) leaves;
    GY_VEC(gy_fair_action) fair_actions;
    GY_VEC(gy_cut_off) cut_off;
    action_list *runs; // where runs inside an expression go; NULL where none may be
    int32_t first_run_result, run_count;
    uint64_t elements; // of all variables so far
    bool too_large;
} lowering;

// lower_vars.c
gy_type lower_type(const pml_type *type);
void lower_variable(lowering *l, pml_var *var, int32_t owner);
// The initialisers of a variable, appended to `actions`; new channels included.
void lower_initialiser(lowering *l, const pml_var *var, action_list *actions);

// lower_expr.c
gy_expr *new_expr(lowering *l, gy_expr_op op, gy_location place);
gy_expr *new_const(lowering *l, gy_location place, int32_t value);
gy_expr *lower_expr(lowering *l, const pml_expr *expr);
// The MODEL variable and index expression (NULL for a scalar) of a reference to a scalar.
int32_t lower_ref(lowering *l, const pml_ref *ref, gy_expr **index);
// All scalars of a reference, in order: one for a scalar, every leaf for a structure.
typedef struct leaf {
    int32_t var;
    gy_expr *index;
} leaf;
typedef GY_VEC(leaf) leaf_list;
void lower_leaves(lowering *l, const pml_ref *ref, leaf_list *leaves);
gy_field *lower_send_fields(lowering *l, pml_expr *const *args, uint32_t n, uint32_t *count);
gy_field *lower_recv_fields(lowering *l, pml_expr *const *args, uint32_t n, uint32_t *count);
gy_c_code *lower_c(lowering *l, const pml_c_block *block);

// lower_c_plain.c: C that Promela could say as well. NULL or false: it is more than that.
gy_expr *lower_plain_c_expr(lowering *l, const pml_c_block *block);
bool lower_plain_c_code(lowering *l, const pml_c_block *block, action_list *actions);

// lower_cut_off.c: once the nodes of a process are numbered, its statements that no path leads to
void note_cut_off(lowering *l, const flow_proc *proc, flow_el *const *nodes, uint32_t count);

// lower_macro.c: the use of a macro that all of the expression came from, as it is there; NULL:
// there is none. Level 0 is the outermost.
const char *name_of_macro(lowering *l, const pml_expr *expr, unsigned level);

// lower_written.c: the text of an expression as it is in the source; NULL: that cannot be told, as
// where some of it came from macros.
const char *written_part(lowering *l, const pml_expr *expr);

// lower_runs.c
void lower_run_results(lowering *l);
gy_expr *lower_run_operand(lowering *l, const pml_expr *run);

// lower_step.c: one statement as guard, synchronisation and effect of an edge
void lower_step(lowering *l, const pml_stmt *stmt, gy_edge *edge);
void lower_action(lowering *l, const pml_stmt *stmt, action_list *actions);
const char *step_text(lowering *l, const pml_stmt *stmt);

// lower_fair.c
uint32_t fair_action_of(lowering *l, flow_el *by, const gy_template *tmpl); // 0: none
void warn_of_idle_fairness(lowering *l, const pml_proc *proc);

// lower_d_step.c
void lower_d_step(lowering *l, const pml_stmt *stmt, gy_edge *edge);

#endif
