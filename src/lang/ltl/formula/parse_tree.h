// The tree between the text of a formula and the pool: for formula_parse.c and parse_build.c only.
#ifndef GYRE_LANG_LTL_FORMULA_PARSE_TREE_H
#define GYRE_LANG_LTL_FORMULA_PARSE_TREE_H

#include "base/vec.h"
#include "lang/ltl/formula/formula_parse.h"
#include "lang/ltl/formula/formula_scan.h"

typedef struct node {
    gy_ltl_op op; // ATOM: the text from start to end; CONST: value
    bool pure, value;
    bool verbatim;     // ATOM: in quotes or braces, which do not count
    bool closed;       // in parentheses, or an operand
    uint32_t a, b;     // nodes; b unused for prefix operators
    ltl_token by;      // the operator
    size_t start, end; // in the text, with parentheses
    size_t core, rim;  // ATOM: start and end without the parentheses around it
} node;

typedef struct pending { // an operator or an open parenthesis that waits for its right side
    ltl_token token;
    bool prefix;
} pending;

typedef struct ltl_parser {
    gy_ltl_pool *pool;
    gy_sources *sources;
    gy_diags *diags;
    uint32_t file;
    ltl_scanner scanner;
    GY_VEC(node) nodes;
    GY_VEC(uint32_t) operands;
    GY_VEC(pending) operators;
    bool failed, warned;
} parser;

gy_diag *ltl_parse_fail(parser *p, size_t start, size_t end, const char *message);
// The formula of the tree on top of the operands.
gy_ltl ltl_parse_build(parser *p);

#endif
