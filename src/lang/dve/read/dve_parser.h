// Shared by the files of the reader: the parser's state, and what its parts call of each other.
#ifndef GYRE_LANG_DVE_READ_DVE_PARSER_H
#define GYRE_LANG_DVE_READ_DVE_PARSER_H

#include "base/vec.h"
#include "lang/dve/read/dve_ast.h"
#include "lang/dve/read/dve_token.h"

typedef struct dve_parser {
    gy_arena *arena;
    gy_diags *diags;
    const dve_token *at; // the next token
    dve_model *model;
    bool in_formula;
    unsigned depth;              // of nested expressions
    const dve_token *last_error; // one error per token is enough
} dve_parser;

typedef GY_VEC(dve_expr *) dve_expr_list;
typedef GY_VEC(dve_var *) dve_var_list;

// An array in the arena with what a vector holds; frees the vector.
#define dve_keep(p, v, type, to, to_count)                                                         \
    do {                                                                                           \
        (to_count) = (uint32_t)(v)->n;                                                             \
        (to) = GY_NEW_ARRAY((p)->arena, type, (v)->n);                                             \
        if ((v)->n)                                                                                \
            memcpy((to), (v)->at, (v)->n * sizeof(type));                                          \
        gy_vec_free(v);                                                                            \
    } while (0)

// dve_parse.c
bool dve_accept(dve_parser *p, int kind); // takes the next token if it is of this kind
// The same, with an error if it is not. `where` ends the message: "after the name of the process".
bool dve_expect(dve_parser *p, int kind, const char *where);
bool dve_take_name(dve_parser *p, dve_name *name, const char *what);
// "X was expected WHERE, but here is Y". NULL: there was an error at this token already.
gy_diag *dve_unexpected(dve_parser *p, const char *expected, const char *where);
// Goes on to the next token of one of these kinds that is outside all brackets opened on the way
// (or to the end), without taking it.
void dve_skip_to(dve_parser *p, int a, int b, int c);
void dve_parse_variables(dve_parser *p, dve_process *owner, dve_var_list *vars);

// dve_parse_process.c
dve_process *dve_parse_process(dve_parser *p);

// dve_parse_expr.c: NULL after an error
dve_expr *dve_parse_expr(dve_parser *p);
dve_expr *dve_parse_operand(dve_parser *p);

// dve_check.c, dve_check_expr.c
typedef struct dve_scope {
    dve_model *model;
    dve_process *process;  // whose names come first; NULL: global names only
    const dve_var *before; // initialisers: only variables declared before this one
} dve_scope;

void dve_check(dve_model *model);
// Finds what the names of an expression stand for. False after errors.
bool dve_check_expr(const dve_scope *scope, dve_expr *expr);
dve_var *dve_find_var(dve_var *const *vars, uint32_t count, const char *name);
dve_process *dve_find_process(const dve_model *model, const char *name);
int32_t dve_find_state(const dve_process *process, const char *name); // -1: none

#endif
