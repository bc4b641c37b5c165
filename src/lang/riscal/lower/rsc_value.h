// Values while a file is lowered: a tree whose leaves are expressions of MODEL. Constants are
// computed on the way, so that a value all of whose leaves are constants is known.
//
// A composite value is either a list of parts or a view of a variable (a store and the index within
// it), whose parts are read when they are asked for: only then can an index that is computed become
// one index expression.
#ifndef GYRE_LANG_RISCAL_LOWER_RSC_VALUE_H
#define GYRE_LANG_RISCAL_LOWER_RSC_VALUE_H

#include "lang/riscal/check/rsc_type.h"
#include "lang/riscal/read/rsc_ast.h"
#include "model/build.h"

// Where the values of a variable live: one variable of the model for each scalar part of the type,
// with an element for every combination of indices on the path to it (the last one fastest).
typedef struct rsc_store {
    const rsc_type *type;
    int32_t var;              // scalars and sets (one element per possible member)
    uint32_t count;           // its elements
    struct rsc_store **parts; // one for arrays and maps, one per field for tuples and records
    uint32_t part_count;
} rsc_store;

typedef struct rsc_value {
    const rsc_type *type;
    gy_expr *scalar; // BOOL, INT, ENUM: 0 or 1, the number, 1 + position
    const rsc_store *store;
    gy_expr *at; // within the store; NULL: it has no index so far
    struct rsc_value **parts;
} rsc_value;

typedef enum {
    RSC_S_VAL,
    RSC_S_TYPE,
    RSC_S_FUN,
    RSC_S_STATE, // a variable of the system
    RSC_S_LOCAL, // of an effect
    RSC_S_BOUND, // by a quantifier, `let`, or as a parameter
} rsc_symbol_kind;

struct rsc_symbol {
    rsc_symbol_kind kind;
    const char *name;
    gy_location place;
    const rsc_type *type; // NULL: its declaration has errors
    rsc_declaration *declaration;
    bool constant;    // LOCAL: val
    rsc_value *value; // VAL; BOUND: at the moment
    rsc_store *store; // STATE, LOCAL
    rsc_store *flags; // bound by a loop: which rounds take place; by a choice: the code taken
};

typedef struct rsc_lowering {
    rsc_file *file;
    gy_model *model;
    gy_arena *arena;
    gy_diags *diags;
    gy_builder *b;          // until the model is finished
    gy_location place;      // of what is made
    gy_action_list *effect; // where commands go
    unsigned depth;         // of calls
    uint64_t made;          // expressions so far
    bool failed;            // a limit was reached and reported
    int32_t chosen[2];      // hidden: candidates of a choice and their number; or GY_NONE
    uint32_t chosen_room;
} rsc_lowering;

// ---- scalars (rsc_scalar.c): with constants folded ----------------------------------------------

gy_expr *rsc_const(rsc_lowering *l, int32_t value);
gy_expr *rsc_unary(rsc_lowering *l, gy_expr_op op, gy_expr *a);
gy_expr *rsc_binary(rsc_lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b);
gy_expr *rsc_if(rsc_lowering *l, gy_expr *a, gy_expr *b, gy_expr *c);
gy_expr *rsc_check_range(rsc_lowering *l, gy_expr *a, int64_t low, int64_t high);
gy_expr *rsc_check_index(rsc_lowering *l, gy_expr *a, uint32_t count);
gy_expr *rsc_read(rsc_lowering *l, const rsc_store *store, gy_expr *at);
bool rsc_is_const(const gy_expr *expr, int32_t *value);
bool rsc_is_true(const gy_expr *expr);
bool rsc_is_false(const gy_expr *expr);
// A tree of its own, as MODEL wants it: what was made here may share parts. After too much of it,
// reports and gives a constant.
gy_expr *rsc_own(rsc_lowering *l, const gy_expr *expr);
// Says, once, that something grows too large.
// May so much more be made? After too much, reports.
bool rsc_may_make(rsc_lowering *l, uint32_t count);
void rsc_too_large(rsc_lowering *l, gy_location place, const char *what);

// ---- values (rsc_value.c) -----------------------------------------------------------------------

rsc_value *rsc_scalar(rsc_lowering *l, const rsc_type *type, gy_expr *expr);
rsc_value *rsc_composite(rsc_lowering *l, const rsc_type *type); // parts to be filled in
rsc_value *rsc_view(rsc_lowering *l, const rsc_type *type, const rsc_store *store, gy_expr *at);
rsc_value *rsc_part(rsc_lowering *l, const rsc_value *value, uint32_t i);
// Element of an array or map, or truth of membership, by the number of a part that may be computed.
rsc_value *rsc_part_at(rsc_lowering *l, const rsc_value *value, gy_expr *i);
rsc_value *rsc_decode(rsc_lowering *l, const rsc_type *type, uint64_t code);
rsc_value *rsc_decode_expr(rsc_lowering *l, const rsc_type *type, gy_expr *code);
gy_expr *rsc_encode(rsc_lowering *l, const rsc_value *value);
bool rsc_known_code(rsc_lowering *l, const rsc_value *value, uint64_t *code); // false: not constant
gy_expr *rsc_equal(rsc_lowering *l, const rsc_value *a, const rsc_value *b);
rsc_value *rsc_choose_value(rsc_lowering *l, gy_expr *condition, const rsc_value *a,
                            const rsc_value *b);
// The second value, once the first one was computed, which may fail.
rsc_value *rsc_after(rsc_lowering *l, const rsc_value *first, rsc_value *second);
// As a value of type `to`; where a number does not fit, a fault when it is computed.
rsc_value *rsc_convert(rsc_lowering *l, const rsc_value *value, const rsc_type *to);
rsc_value *rsc_least(rsc_lowering *l, const rsc_type *type);

// ---- expressions (rsc_lower_expr.c, rsc_lower_quantifier.c, rsc_lower_set.c) --------------------

rsc_value *rsc_lower_expr(rsc_lowering *l, const rsc_expr *expr);
gy_expr *rsc_lower_scalar(rsc_lowering *l, const rsc_expr *expr);
rsc_value *rsc_lower_quantifier(rsc_lowering *l, const rsc_expr *expr);
rsc_value *rsc_lower_set(rsc_lowering *l, const rsc_expr *expr);
// The position of an index among the parts of a value of this type.
gy_expr *rsc_lower_position(rsc_lowering *l, const rsc_type *of, const rsc_expr *index);
// Calls `visit` for every valuation of the bound variables, with what must hold for it to count.
typedef void rsc_visit(void *user, gy_expr *counts);
void rsc_each(rsc_lowering *l, const rsc_bound *bound, rsc_visit *visit, void *user);

// ---- commands and the system --------------------------------------------------------------------

rsc_store *rsc_new_store(rsc_lowering *l, const rsc_type *type, const char *name, gy_location place,
                         bool hidden);
void rsc_store_value(rsc_lowering *l, const rsc_store *store, gy_expr *at, const rsc_value *value);
// Some values for what is bound, then `first`; or `second` if there are none (NULL: a fault).
void rsc_lower_choice(rsc_lowering *l, const rsc_bound *bound, const rsc_command *first,
                      const rsc_command *second);
void rsc_lower_command(rsc_lowering *l, const rsc_command *command);
bool rsc_lower_system(rsc_lowering *l);
gy_formula *rsc_lower_formula(rsc_lowering *l, const rsc_expr *expr);

#endif
