// Expressions by a table of precedence, for the languages that read tokens (token_reader.h): V.
// Pratt, "Top down operator precedence" (1973). A language brings its table, its operands and how a
// node of its tree is made.
//
//   level   := operand { operator level }           operators of that level or a tighter one
//   operand := prefix level | what the language has
//
// In the table of prefixes, rows whose word is a single letter may be joined: GF p is G (F p).
//
// Nesting is bounded, by the parser's recursion and by the height of the tree (a + b + … is as high
// as it is long), so that the code that traverses a tree may recurse.
#ifndef GYRE_LANG_COMMON_EXPRESSION_H
#define GYRE_LANG_COMMON_EXPRESSION_H

#include "lang/common/token_reader.h"

enum {
    GY_LOOSEST = 1,
    GY_OPERAND = 255,     // as the level of a prefix: it precedes an operand
    GY_MOST_HEIGHT = 2000 // of a tree
};

typedef struct gy_operator {
    int token;        // 0: the table ends
    int second;       // the token that has to follow, for one of two tokens; 0: none
    const char *word; // of a GY_T_NAME that is an operator; else NULL
    int level; // from GY_LOOSEST; a higher one binds more tightly. Of a prefix: of what it precedes
    unsigned in; // where it is one: bits with a meaning of the language's own
    int kind, logic; // what node it makes: numbers of the language's own
    bool right;      // a ∘ b ∘ c is a ∘ (b ∘ c)
} gy_operator;

typedef struct gy_grammar {
    const gy_operator *prefixes, *operators;
    unsigned most_depth; // of the parser's recursion
    // What stands at the next token and is no prefix. NULL: after an error, as below.
    void *(*operand)(void *parser);
    // b: NULL for a prefix. `token` is the operator's.
    void *(*join)(void *parser, const gy_operator *op, const gy_token *token, void *a, void *b);
    // Is asked at an operator: may it follow `left`, whose own operator at this level is `before`
    // (or NULL)? False: after an error. NULL: always.
    bool (*may_follow)(void *parser, const gy_operator *op, const gy_operator *before,
                       const void *left);
    // Is the name at the next token something else than a prefix? NULL: no.
    bool (*is_name)(void *parser);
} gy_grammar;

typedef struct gy_expression_reader {
    const gy_grammar *grammar;
    void *parser; // the language's
    gy_token_reader *in;
    unsigned context; // one of the bits of gy_operator.in
} gy_expression_reader;

// An expression with operators of this level and tighter ones, GY_OPERAND: none. NULL: after an
// error.
void *gy_read_expression(const gy_expression_reader *reader, int level);

#endif
