// The words of a formula that a user typed.
//
// A token is a piece of the text. What Promela would read as one operand (a name with its
// index, label or field, a call such as len(q), a poll q?[x], c_expr {…}) is one token; so is
// a quoted or braced expression. Words made of the letters G, F and X alone are one operator
// per letter.
#ifndef GYRE_LANG_LTL_FORMULA_FORMULA_SCAN_H
#define GYRE_LANG_LTL_FORMULA_FORMULA_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    LTL_T_END,
    LTL_T_BAD,      // a character or an opening quote that fits nowhere: see `problem`
    LTL_T_NAME,     // an operand, verbatim
    LTL_T_VERBATIM, // "…" or {…}: an operand, without its quotes
    LTL_T_NUMBER,
    LTL_T_TRUE,
    LTL_T_FALSE,
    LTL_T_OPEN,
    LTL_T_CLOSE,
    // operators, prefix
    LTL_T_NOT,
    LTL_T_COMPLEMENT, // ~
    LTL_T_NEXT,
    LTL_T_ALWAYS,
    LTL_T_EVENTUALLY,
    // operators, infix
    LTL_T_TIMES, // * / %
    LTL_T_PLUS,  // + and - (which is also a prefix)
    LTL_T_SHIFT, // << >>
    LTL_T_ORDER, // < <= > >=
    LTL_T_EQUAL, // == !=
    LTL_T_UNTIL,
    LTL_T_WEAK,
    LTL_T_RELEASE,
    LTL_T_STRONG,
    LTL_T_AND,
    LTL_T_OR,
    LTL_T_XOR,
    LTL_T_IMPLIES,
    LTL_T_EQUIV,
} ltl_token_kind;

typedef struct ltl_token {
    ltl_token_kind kind;
    size_t start, end;   // in the text
    const char *problem; // BAD: what is wrong, in words
    const char *hint;    // BAD: or NULL
} ltl_token;

typedef struct ltl_scanner {
    const char *text;
    size_t length, at;
} ltl_scanner;

ltl_token ltl_scan(ltl_scanner *scanner);

#endif
