// Kinds of tokens of DVE; lang/common/token_reader.h has the others and what takes them. For the
// reader only.
#ifndef GYRE_LANG_DVE_READ_DVE_TOKEN_H
#define GYRE_LANG_DVE_READ_DVE_TOKEN_H

#include "lang/common/token_reader.h"

typedef enum {
    // words
    DVE_T_ACCEPT = GY_T_OF_LANGUAGE,
    DVE_T_AND, // also &&
    DVE_T_ASSERT,
    DVE_T_ASYNC,
    DVE_T_BYTE,
    DVE_T_CHANNEL,
    DVE_T_COMMIT,
    DVE_T_CONST,
    DVE_T_EFFECT,
    DVE_T_FALSE,
    DVE_T_GUARD,
    DVE_T_IMPLY,
    DVE_T_INIT,
    DVE_T_INT,
    DVE_T_NOT,
    DVE_T_OR, // also ||
    DVE_T_PROCESS,
    DVE_T_PROPERTY,
    DVE_T_STATE,
    DVE_T_SYNC,
    DVE_T_SYSTEM,
    DVE_T_TRANS,
    DVE_T_TRUE,
    // signs
    DVE_T_ARROW,      // ->
    DVE_T_WIDE_ARROW, // =>
    DVE_T_EQUIV,      // <-> (formulas)
    DVE_T_SHL,
    DVE_T_SHR,
    DVE_T_LE,
    DVE_T_GE,
    DVE_T_EQ,
    DVE_T_NE,
    DVE_T_BOX,     // [] (formulas)
    DVE_T_DIAMOND, // <> (formulas)
} dve_token_kind;

extern const gy_lexicon dve_lexicon;

#endif
