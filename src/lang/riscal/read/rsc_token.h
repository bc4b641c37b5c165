// Kinds of tokens of RISCAL; lang/common/token_reader.h has the others and what takes them. An
// operator has one kind, however it is written (`∀` and `forall`). For the reader only.
#ifndef GYRE_LANG_RISCAL_READ_RSC_TOKEN_H
#define GYRE_LANG_RISCAL_READ_RSC_TOKEN_H

#include "lang/common/token_reader.h"

typedef enum {
    // words
    RSC_T_ACTION = GY_T_OF_LANGUAGE,
    RSC_T_ARRAY,
    RSC_T_ASSERT,
    RSC_T_BOOL,
    RSC_T_CHOOSE,
    RSC_T_DECREASES,
    RSC_T_DO,
    RSC_T_ELSE,
    RSC_T_ENUMTYPE,
    RSC_T_FAIRNESS,
    RSC_T_FOR,
    RSC_T_FUN,
    RSC_T_IF,
    RSC_T_IN_WORD, // in
    RSC_T_INIT,
    RSC_T_INVARIANT,
    RSC_T_LET,
    RSC_T_LTL,
    RSC_T_MAP,
    RSC_T_PRED,
    RSC_T_RECORD,
    RSC_T_SET,
    RSC_T_SHARED,
    RSC_T_SYSTEM,
    RSC_T_THEN,
    RSC_T_TUPLE,
    RSC_T_TYPE,
    RSC_T_VAL,
    RSC_T_VAR,
    RSC_T_WHILE,
    RSC_T_WITH,
    RSC_T_OUTSIDE, // a word of RISCAL that has no meaning here: refused by name
    // operators
    RSC_T_ASSIGN, // := ≔
    RSC_T_DOTS,   // ..
    RSC_T_NAT,    // ℕ Nat
    RSC_T_INT,    // ℤ Int
    RSC_T_TRUE,
    RSC_T_FALSE,
    RSC_T_FORALL,
    RSC_T_EXISTS,
    RSC_T_SUM,
    RSC_T_PRODUCT,
    RSC_T_NOT,
    RSC_T_AND,
    RSC_T_OR,
    RSC_T_IMPLIES,
    RSC_T_EQUIV,
    RSC_T_NE,
    RSC_T_LE,
    RSC_T_GE,
    RSC_T_IN,    // ∈ isin
    RSC_T_NOTIN, // ∉
    RSC_T_SUBSET,
    RSC_T_UNION,
    RSC_T_INTERSECT,
    RSC_T_WITHOUT, // the difference of sets
    RSC_T_TIMES,   // × of sets
    RSC_T_EMPTYSET,
    RSC_T_OPEN_TUPLE,
    RSC_T_CLOSE_TUPLE,
    RSC_T_OPEN_STATE, // ⟦; in ASCII two brackets, which the parser puts together
    RSC_T_CLOSE_STATE,
    RSC_T_BOX, // □; in ASCII an empty pair of brackets, dito
    RSC_T_DIAMOND,
    RSC_T_NEXT,
} rsc_token_kind;

extern const gy_lexicon rsc_lexicon;

#endif
