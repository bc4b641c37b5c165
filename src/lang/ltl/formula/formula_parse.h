// Reading a formula that a user typed, with free names as atoms.
//
// Notations: those of Spin ([] <> U V W X ! && || -> <-> and the spelled-out always,
// eventually, until, weakuntil, release, next, implies, equivalent, also /\ and \/) and of
// other tools (G F R M & | ^ xor => <=>). Strongest first, as in Spin's `ltl { … }` blocks:
//
//     1  !  ~  unary -                       (so `!x == 1` is `(!x) == 1`)
//     2  *  /  %      3  +  -      4  << >>      5  < <= > >=      6  ==  !=
//     7  [] <> X  always eventually next  G F
//     8  U V W  R M  until weakuntil release    left to right
//     9  && & /\     10  || | \/     11  ^ xor     12  -> <->    left to right
//
// Differences from Spin: 7 is weaker than 2-6 (Spin reads `[] x == 1`
// as `([] x) == 1`, which has no meaning); a single & | ^ is Boolean. Other tools read `U` and
// `->` from right to left: a chain without parentheses gets a warning.
//
// Operands: names, numbers (0 is false, others are true), true, false, and state predicates of
// Promela, kept verbatim as one atom: comparisons and arithmetic (x + 1 == y), a[2], s.f,
// proc@label, proc[1]:x, len(q), q?[msg], c_expr { … }, "any text", { any text }.
//
// An error is put into `diags` with its place in a source named `name` ("<formula>"), which
// is added to `sources`.
#ifndef GYRE_LANG_LTL_FORMULA_FORMULA_PARSE_H
#define GYRE_LANG_LTL_FORMULA_FORMULA_PARSE_H

#include "base/diag.h"
#include "lang/ltl/formula/formula.h"

// False if there was an error; *out is then unchanged.
bool gy_ltl_parse(gy_ltl_pool *pool, gy_sources *sources, gy_diags *diags, const char *name,
                  const char *text, size_t bytes, gy_ltl *out);

#endif
