// The checker: finds what names stand for and gives every expression its type. Bounds of types and
// values of constants are computed on the way, by lowering them.
//
// rsc_check is for rsc_front_end.c; the rest is shared by the files of the checker.
#ifndef GYRE_LANG_RISCAL_CHECK_RSC_CHECK_H
#define GYRE_LANG_RISCAL_CHECK_RSC_CHECK_H

#include "base/vec.h"
#include "lang/riscal/lower/rsc_value.h"

typedef struct rsc_checker {
    rsc_file *file;
    gy_arena *arena;
    gy_diags *diags;
    rsc_lowering *l;
    GY_VEC(rsc_symbol *) scope; // the last one of a name counts
    size_t outer;               // symbols from here on may hide those before
    bool known_only;            // only names whose value is known now
    bool in_formula;
    const char *const *defines;
} rsc_checker;

// Checks all declarations; `defines` are "NAME=VALUE", NULL-terminated, or NULL. False after
// errors.
bool rsc_check(rsc_file *file, rsc_lowering *l, const char *const *defines);
// An expression over the names of a file that was checked without errors: a truth, or a formula.
bool rsc_check_text(rsc_file *file, rsc_lowering *l, rsc_expr *expr, bool temporal);

// ---- names (rsc_check.c) ------------------------------------------------------------------------

rsc_symbol *rsc_find(const rsc_checker *c, const char *name);
// Reports, and gives NULL, if the name is taken; type NULL: it has errors already.
rsc_symbol *rsc_declare(rsc_checker *c, rsc_symbol_kind kind, gy_name name, const rsc_type *type);
size_t rsc_open(rsc_checker *c); // an inner scope; close with what it gave
void rsc_close(rsc_checker *c, size_t mark);

// ---- types (rsc_check_type.c): NULL after an error ----------------------------------------------

const rsc_type *rsc_find_type(rsc_checker *c, rsc_syntax *syntax);
// The value of a number that must be known.
bool rsc_known_number(rsc_checker *c, rsc_expr *expr, int64_t *value);

// ---- expressions (rsc_check_expr.c, rsc_check_operator.c): NULL after an error ------------------

const rsc_type *rsc_check_expr(rsc_checker *c, rsc_expr *expr);
const rsc_type *rsc_check_operator(rsc_checker *c, rsc_expr *expr);
bool rsc_check_truth(rsc_checker *c, rsc_expr *expr, const char *what);
bool rsc_check_bound(rsc_checker *c, rsc_bound *bound, rsc_symbol_kind kind); // in an open scope
uint64_t rsc_bound_values(const rsc_bound *bound);
// "WHAT, but this is ℕ[3]"
gy_diag *rsc_wrong_type(rsc_checker *c, const rsc_expr *expr, const char *what);
bool rsc_fits(rsc_checker *c, const rsc_expr *value, const rsc_type *to, const char *what);

// ---- commands (rsc_check_command.c) -------------------------------------------------------------

void rsc_check_command(rsc_checker *c, rsc_command *command);

#endif
