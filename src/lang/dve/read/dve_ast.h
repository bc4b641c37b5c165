// The syntax tree of a DVE model, and reading one.
//
// Owner: everything lives in the arena that dve_read was given. Read-only once checked, but for
// what lowering notes in it (the fields `lowered`).
#ifndef GYRE_LANG_DVE_READ_DVE_AST_H
#define GYRE_LANG_DVE_READ_DVE_AST_H

#include "lang/common/token_reader.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dve_process dve_process;

// ---- expressions --------------------------------------------------------------------------

typedef enum {
    DVE_X_NUMBER,
    DVE_X_NAME,   // name [a]
    DVE_X_AT,     // name.member: that process is there
    DVE_X_REMOTE, // name->member [a]
    DVE_X_NOT,    // a
    DVE_X_NEG,
    DVE_X_COMPL,
    DVE_X_IMPLY, // a, b
    DVE_X_OR,
    DVE_X_AND,
    DVE_X_BITOR,
    DVE_X_BITAND,
    DVE_X_BITXOR,
    DVE_X_EQ,
    DVE_X_NE,
    DVE_X_LT,
    DVE_X_LE,
    DVE_X_GT,
    DVE_X_GE,
    DVE_X_SHL,
    DVE_X_SHR,
    DVE_X_ADD,
    DVE_X_SUB,
    DVE_X_MUL,
    DVE_X_DIV,
    DVE_X_MOD,
    // formulas only
    DVE_X_NEXT, // a
    DVE_X_ALWAYS,
    DVE_X_EVENTUALLY,
    DVE_X_UNTIL, // a, b
    DVE_X_RELEASE,
    DVE_X_WEAK_UNTIL,
    DVE_X_STRONG_RELEASE,
    DVE_X_EQUIV,
} dve_expr_kind;

typedef struct dve_expr {
    dve_expr_kind kind;
    gy_location place; // of the operator, or of the operand itself
    uint32_t length;   // to underline
    int32_t value;
    const char *name, *member;
    gy_location member_place;
    struct dve_expr *a, *b;
    bool in_parentheses;
    // found by the checker
    struct dve_var *var;
    dve_process *process;
    int32_t state;
} dve_expr;

// ---- declarations -------------------------------------------------------------------------

typedef enum { DVE_BYTE, DVE_INT } dve_type;

typedef struct dve_var {
    const char *name;
    gy_location place;
    dve_type type;
    bool is_const, is_array;
    dve_process *owner; // NULL: global
    dve_expr *size;     // is_array
    uint32_t count;     // elements, once known
    dve_expr **initial;
    uint32_t initial_count;
    bool has_list;   // { … }
    bool warned;     // of its use without an index
    int32_t *values; // at the start, `count` of them
    int32_t lowered; // variable of the model
    // dve_lower_sync.c: a variable that is its copy, or -1, and whose effects use that at the
    // moment
    int32_t copy;
    const dve_process *copied_for;
} dve_var;

typedef struct dve_channel {
    const char *name;
    gy_location place;
    bool typed;
    dve_type *types;
    uint32_t type_count; // untyped: values of a message, once known
    bool used;           // type_count is known
    gy_location first_use;
    dve_expr *size; // typed
    uint32_t capacity;
    int32_t lowered; // variable of the model that holds it
} dve_channel;

// ---- processes ----------------------------------------------------------------------------

typedef struct dve_state {
    const char *name;
    gy_location place;
    bool committed, accepting;
} dve_state;

typedef struct dve_assertion {
    gy_name at;
    dve_expr *expr;
    int32_t state;
} dve_assertion;

typedef struct dve_assignment {
    gy_location place;
    dve_expr *target, *value;
} dve_assignment;

typedef enum { DVE_NO_SYNC, DVE_SEND, DVE_RECEIVE } dve_sync;

typedef struct dve_transition {
    gy_location place;
    gy_name from_name, to_name;
    int32_t from, to; // states
    dve_expr **guards;
    uint32_t guard_count;
    dve_sync sync;
    gy_name channel_name;
    dve_channel *channel;
    dve_expr **values;
    uint32_t value_count;
    dve_assignment *effects;
    uint32_t effect_count;
} dve_transition;

struct dve_process {
    const char *name;
    gy_location place;
    dve_var **vars;
    uint32_t var_count;
    dve_state *states;
    uint32_t state_count;
    gy_name init_name;
    int32_t init;
    gy_name *commits, *accepts;
    uint32_t commit_count, accept_count;
    dve_assertion *asserts;
    uint32_t assert_count;
    dve_transition *transitions;
    uint32_t transition_count;
    bool is_property;
    int32_t lowered;  // template of the model
    int32_t pid;      // of its only instance
    int32_t location; // synchronous system: the variable that holds its state
};

typedef struct dve_model {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    dve_var **vars;
    uint32_t var_count;
    dve_channel **channels;
    uint32_t channel_count;
    dve_process **processes;
    uint32_t process_count;
    bool synchronous;
    bool warned_of_channels;
    gy_location system_place;
    gy_name property_name; // name NULL: none
    dve_process *property;
} dve_model;

// ---- reading ------------------------------------------------------------------------------

// Parses and checks file number `file` of the sources. Never NULL; after errors (diags) the tree is
// incomplete.
dve_model *dve_read(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file);
// A formula, or a predicate over states, in the names of a model that was read without errors.
// NULL after reporting to model->diags.
dve_expr *dve_read_formula(dve_model *model, const char *text, bool temporal);

// The value of a constant expression. False: it has none (division by zero, index), or needs a
// state.
bool dve_constant(const dve_expr *expr, int32_t *value);
static inline void dve_type_range(dve_type type, int32_t *min, int32_t *max)
{
    *min = type == DVE_BYTE ? 0 : INT16_MIN;
    *max = type == DVE_BYTE ? UINT8_MAX : INT16_MAX;
}
// As a person would write it.
void dve_expr_text(const dve_expr *expr, gy_text *out);
void dve_transition_text(const dve_transition *t, gy_text *out);

#endif
