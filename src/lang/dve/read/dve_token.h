// Tokens of DVE: the whole text is cut up at once, into an array that ends with DVE_T_END.
// For the reader (src/lang/dve/read) only.
#ifndef GYRE_LANG_DVE_READ_DVE_TOKEN_H
#define GYRE_LANG_DVE_READ_DVE_TOKEN_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

// A sign of one character is its own kind: '{', ';', '+' …
typedef enum {
    DVE_T_END = 128,
    DVE_T_BAD, // reported already
    DVE_T_NAME,
    DVE_T_NUMBER,
    // words
    DVE_T_ACCEPT,
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

typedef struct dve_token {
    int kind;
    gy_place place;
    uint32_t length;
    const char *text; // NAME: its own string; others: where it stands, not terminated
    int32_t value;    // NUMBER
} dve_token;

typedef struct dve_tokens {
    dve_token *at;
    uint32_t count; // with the END
} dve_tokens;

// Cuts up file number `file` of the sources. Strange characters are reported and left out.
dve_tokens dve_lex(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file);
// For messages: "`process`", "the name `x`", "the end of the file".
void dve_token_text(const dve_token *token, gy_text *out);
const char *dve_kind_text(int kind); // "`;`", "a name"

#endif
