// Shared by the files of the reader: the parser's state, and what its parts call of each other.
#ifndef GYRE_LANG_DVE_READ_DVE_PARSER_H
#define GYRE_LANG_DVE_READ_DVE_PARSER_H

#include "lang/dve/read/dve_ast.h"
#include "lang/dve/read/dve_token.h"

typedef struct dve_parser {
    gy_token_reader in;
    gy_arena *arena;
    dve_model *model;
    bool in_formula;
} dve_parser;

typedef GY_VEC(dve_expr *) dve_expr_list;
typedef GY_VEC(dve_var *) dve_var_list;

// dve_parse.c
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
