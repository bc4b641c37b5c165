// Shared by the files of the reader: the parser's state, and what its parts call of each other.
#ifndef GYRE_LANG_IF_READ_IF_PARSER_H
#define GYRE_LANG_IF_READ_IF_PARSER_H

#include "lang/if/read/if_ast.h"
#include "lang/if/read/if_token.h"

enum { IF_MOST_DEPTH = 300 };

typedef GY_VEC(if_symbol *) if_symbol_list;

typedef struct if_parser {
    gy_token_reader in;
    gy_arena *arena;
    if_system *system;
    bool in_formula;
    bool in_cast; // of {P}e@s, the state is not part of e
    bool in_code; // between {# and #}: C
} if_parser;

// if_parse.c
void if_refuse(if_parser *p, const char *what, const char *hint); // the word here, by name
// Names up to something else than a comma.
bool if_parse_names(if_parser *p, const char *what, gy_name **names, uint32_t *count);
// After the word that begins it, up to and with its semicolon; false after an error.
bool if_parse_const(if_parser *p, if_symbol_list *into);
bool if_parse_type_definition(if_parser *p, if_symbol_list *into);
bool if_parse_var(if_parser *p, if_symbol_list *into);
bool if_parse_fpar(if_parser *p, if_symbol_list *into);
if_symbol *if_new_symbol(if_parser *p, if_symbol_kind kind);
if_syntax *if_parse_type_name(if_parser *p);
if_expr *if_parse_options(if_parser *p); // '[' expression ']'

// if_parse_process.c
if_process *if_parse_process(if_parser *p);
if_procedure *if_parse_procedure(if_parser *p);

// if_parse_statement.c: statements up to a word that cannot begin one
bool if_parse_statements(if_parser *p, if_block *block);
bool if_parse_code(if_parser *p, if_procedure *procedure, if_symbol_list *vars); // C
bool if_parse_arguments(if_parser *p, if_exprs *args, const char *where);

// if_parse_expr.c: NULL after an error
if_expr *if_parse_expr(if_parser *p);
if_expr *if_parse_operand(if_parser *p);
if_expr *if_new_expr(if_parser *p, if_expr_kind kind, const gy_token *token);

#endif
