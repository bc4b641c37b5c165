// The checker: finds what names stand for and which types things have; reports all that is wrong.
// For the front end and the files of the checker.
#ifndef GYRE_LANG_IF_CHECK_IF_CHECK_H
#define GYRE_LANG_IF_CHECK_IF_CHECK_H

#include "lang/if/read/if_ast.h"

enum {
    IF_MOST_CELLS = 4096,    // scalars in one variable
    IF_MOST_MEMBERS = 250,   // of an enumeration
    IF_MOST_INSTANCES = 200, // of all processes and buffering routes together
    IF_MOST_QUEUE = 255,
    IF_MOST_NESTED = 3000, // expressions and types within each other, through names
    IF_DEFAULT_QUEUE = 4,
    IF_DEFAULT_INSTANCES = 4, // of a process that is forked
};

typedef struct if_checker {
    if_system *system;
    gy_arena *arena;
    gy_diags *diags;
    const char *const *defines;
    if_process *process;     // whose names come first; NULL: names of the system only
    if_procedure *procedure; // whose names come before those
    bool in_formula;
    unsigned depth; // of the expressions that are being checked, through the constants in them
} if_checker;

// The whole system; `defines`: values of constants, from the command line. False after errors.
bool if_check(if_system *system, const char *const *defines);
// A formula, or else any scalar, in the names of the system.
bool if_check_text(if_system *system, if_expr *expr, bool temporal);

// ---- between the files of the checker ---------------------------------------------------------

gy_diag *if_error(const if_checker *c, gy_location place, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const if_symbol *if_find(const if_checker *c, const char *name);
// An error about a name that is not there, or not of this kind, with the nearest one as a hint.
void if_unknown(const if_checker *c, gy_name name, if_symbol_kind kind, const char *what);
const if_symbol *if_find_kind(const if_checker *c, gy_name name, if_symbol_kind kind,
                              const char *what);
bool if_check_nesting(const if_checker *c, gy_location place);     // false after an error: too deep
const if_type *if_resolve(if_checker *c, const if_syntax *syntax); // NULL after an error
bool if_resolve_symbol(if_checker *c, if_symbol *symbol);          // CONST, TYPE, VAR
bool if_check_expr(if_checker *c, if_expr *expr);
// Of type `type`, or one that can be turned into it. `what`: "the condition".
bool if_check_expr_as(if_checker *c, if_expr *expr, const if_type *type, const char *what);
// A number that is known now.
bool if_check_number(if_checker *c, if_expr *expr, int32_t low, int32_t high, const char *what,
                     int32_t *value);
bool if_check_target(if_checker *c, if_expr *expr); // something that can be assigned to
bool if_check_block(if_checker *c, if_block *block);
bool if_check_procedure(if_checker *c, if_procedure *procedure);
bool if_fits(const if_type *from, const if_type *to);
bool if_is_within(const if_type *from, const if_type *to); // no value has to be checked
const char *if_type_text(const if_type *type);
// State number of that name, or -1.
int32_t if_find_state(const if_process *process, const char *name);

#endif
