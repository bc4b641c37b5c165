// Kinds of tokens of IF; lang/common/token_reader.h has the others and what takes them. For the
// reader only.
#ifndef GYRE_LANG_IF_READ_IF_TOKEN_H
#define GYRE_LANG_IF_READ_IF_TOKEN_H

#include "lang/common/token_reader.h"

typedef enum {
    // words
    IF_T_ABSTRACT = GY_T_OF_LANGUAGE,
    IF_T_ACTIVE,
    IF_T_AND, // also &&
    IF_T_ARRAY,
    IF_T_CALL,
    IF_T_CONST,
    IF_T_DEADLINE,
    IF_T_DO,
    IF_T_ELSE,
    IF_T_ENDENUM,
    IF_T_ENDIF,
    IF_T_ENDPROCEDURE,
    IF_T_ENDPROCESS,
    IF_T_ENDRECORD,
    IF_T_ENDSTATE,
    IF_T_ENDSYSTEM,
    IF_T_ENDWHILE,
    IF_T_ENUM,
    IF_T_ENV,
    IF_T_FALSE,
    IF_T_FORK,
    IF_T_FPAR,
    IF_T_FROM,
    IF_T_IF,
    IF_T_IN,
    IF_T_INFORMAL,
    IF_T_INOUT,
    IF_T_INPUT,
    IF_T_KILL,
    IF_T_NEXTSTATE,
    IF_T_NIL,
    IF_T_NOT, // also !
    IF_T_OF,
    IF_T_OR, // also ||
    IF_T_OUT,
    IF_T_OUTPUT,
    IF_T_PRIVATE,
    IF_T_PROCEDURE,
    IF_T_PROCESS,
    IF_T_PROVIDED,
    IF_T_PUBLIC,
    IF_T_RANGE,
    IF_T_RECORD,
    IF_T_RESET,
    IF_T_RETURN,
    IF_T_RETURNS,
    IF_T_SAVE,
    IF_T_SELF,
    IF_T_SET,
    IF_T_SIGNAL,
    IF_T_SIGNALROUTE,
    IF_T_SKIP,
    IF_T_STATE,
    IF_T_STOP,
    IF_T_STRING,
    IF_T_SYSTEM,
    IF_T_TASK,
    IF_T_THEN,
    IF_T_TO,
    IF_T_TPC,
    IF_T_TRUE,
    IF_T_TYPE,
    IF_T_VAR,
    IF_T_VIA,
    IF_T_WHEN,
    IF_T_WHILE,
    IF_T_WITH,
    // signs
    IF_T_ASSIGN, // :=
    IF_T_DOTS,   // ..
    IF_T_NE,     // <> !=; before an operand of a formula: eventually
    IF_T_LE,
    IF_T_GE,
    IF_T_SAME,       // == (C and formulas)
    IF_T_ARROW,      // -> (formulas)
    IF_T_EQUIV,      // <-> (formulas)
    IF_T_OPEN_CODE,  // {#
    IF_T_CLOSE_CODE, // #}
} if_token_kind;

extern const gy_lexicon if_lexicon;

#endif
