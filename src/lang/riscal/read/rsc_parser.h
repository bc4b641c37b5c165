// Shared by the files of the reader: the parser's state, and what its parts call of each other.
#ifndef GYRE_LANG_RISCAL_READ_RSC_PARSER_H
#define GYRE_LANG_RISCAL_READ_RSC_PARSER_H

#include "lang/riscal/read/rsc_ast.h"
#include "lang/riscal/read/rsc_token.h"

enum { RSC_MOST_DEPTH = 300 };

typedef struct rsc_parser {
    gy_token_reader in;
    gy_arena *arena;
    rsc_file *file;
    bool in_formula;
    bool no_equals; // `=` ends an expression: on the left of an assignment
} rsc_parser;

typedef GY_VEC(rsc_expr *) rsc_expr_list;

// rsc_parse.c
// Says that the word here is not supported.
void rsc_refuse(rsc_parser *p);

// rsc_parse_type.c: NULL after an error
rsc_syntax *rsc_parse_type(rsc_parser *p);
rsc_bound *rsc_parse_bound(rsc_parser *p);

// rsc_parse_expr.c, rsc_parse_operand.c: NULL after an error
rsc_expr *rsc_parse_expr(rsc_parser *p);
rsc_expr *rsc_parse_operand(rsc_parser *p);   // with what may precede it
rsc_expr *rsc_parse_selection(rsc_parser *p); // an operand without, and its selectors
rsc_expr *rsc_parse_sum(rsc_parser *p);       // no comparison outside of parentheses
rsc_expr *rsc_new_expr(rsc_parser *p, rsc_expr_kind kind, const gy_token *token);

// rsc_parse_command.c
rsc_command *rsc_parse_command(rsc_parser *p);
rsc_command *rsc_parse_block(rsc_parser *p); // at `{`

#endif
