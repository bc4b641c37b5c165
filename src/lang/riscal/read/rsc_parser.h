// Shared by the files of the reader: the parser's state, and what its parts call of each other.
#ifndef GYRE_LANG_RISCAL_READ_RSC_PARSER_H
#define GYRE_LANG_RISCAL_READ_RSC_PARSER_H

#include "base/vec.h"
#include "lang/riscal/read/rsc_ast.h"
#include "lang/riscal/read/rsc_token.h"

enum { RSC_MOST_DEPTH = 300 };

typedef struct rsc_parser {
    gy_arena *arena;
    gy_diags *diags;
    const rsc_token *at; // the next token
    rsc_file *file;
    bool in_formula;
    bool no_equals;              // `=` ends an expression: on the left of an assignment
    unsigned depth;              // of nested expressions, types and commands
    const rsc_token *last_error; // one error per token is enough
} rsc_parser;

typedef GY_VEC(rsc_expr *) rsc_expr_list;

// An array in the arena with what a vector holds; frees the vector.
#define rsc_keep(p, v, type, to, to_count)                                                         \
    do {                                                                                           \
        (to_count) = (uint32_t)(v)->n;                                                             \
        (to) = GY_NEW_ARRAY((p)->arena, type, (v)->n);                                             \
        if ((v)->n)                                                                                \
            memcpy((to), (v)->at, (v)->n * sizeof(type));                                          \
        gy_vec_free(v);                                                                            \
    } while (0)

// rsc_parse.c
bool rsc_accept(rsc_parser *p, int kind); // takes the next token if it is of this kind
// The same, with an error if it is not. `where` ends the message: "after the name of the action".
bool rsc_expect(rsc_parser *p, int kind, const char *where);
bool rsc_take_name(rsc_parser *p, rsc_name *name, const char *what);
// "X was expected WHERE, but here is Y". NULL: there was an error at this token already.
gy_diag *rsc_unexpected(rsc_parser *p, const char *expected, const char *where);
bool rsc_enter(rsc_parser *p); // one level deeper; false: too deep, reported
void rsc_skip_to(rsc_parser *p, int a, int b);
// Says that the word here is outside of what Gyre reads.
void rsc_refuse(rsc_parser *p);

// rsc_parse_type.c: NULL after an error
rsc_syntax *rsc_parse_type(rsc_parser *p);
rsc_bound *rsc_parse_bound(rsc_parser *p);

// rsc_parse_expr.c, rsc_parse_operand.c: NULL after an error
rsc_expr *rsc_parse_expr(rsc_parser *p);
rsc_expr *rsc_parse_operand(rsc_parser *p);   // with what may stand in front of it
rsc_expr *rsc_parse_selection(rsc_parser *p); // an operand without, and its selectors
rsc_expr *rsc_parse_sum(rsc_parser *p);       // no comparison outside of parentheses
rsc_expr *rsc_new_expr(rsc_parser *p, rsc_expr_kind kind, const rsc_token *token);

// rsc_parse_command.c
rsc_command *rsc_parse_command(rsc_parser *p);
rsc_command *rsc_parse_block(rsc_parser *p); // at `{`

#endif
