// What lexer.c (tokens of Promela), embedded_c.c (raw C) and tokens.c (the stream with
// look-ahead) share. No other file includes this.
#ifndef GYRE_LANG_PROMELA_READ_LEXER_H
#define GYRE_LANG_PROMELA_READ_LEXER_H

#include "lang/promela/read/preprocess.h"
#include "lang/promela/read/token.h"

struct pml_tokens {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_words words;
    pp *pp;
    const gy_reading *reading;

    // Tokens that were read but not consumed: a ring, `room` a power of two.
    pml_token *ring;
    size_t head, count, room;
    gy_location last_place; // of the last token read
    bool after_minus;       // the token just read was `-`
    bool expect_c;          // c_code, c_decl or c_expr was just read
    unsigned strays;        // stray bytes reported
    const char *word_true, *word_false;

    bool has_held; // a preprocessing token that was read too early
    pp_token held;
};

pp_token pml_take(pml_tokens *tokens); // the next preprocessing token
void pml_hold(pml_tokens *tokens, const pp_token *token);

void pml_queue(pml_tokens *tokens, const pml_token *token); // at the end of the ring
pml_token pml_token_from(pml_token_kind kind, const pp_token *token);

// lexer.c: reads at least one token into the ring.
void pml_lex(pml_tokens *tokens);
// embedded_c.c: after `open` ([ or {), the C text and the closing token go into the ring.
void pml_lex_embedded_c(pml_tokens *tokens, const pp_token *open);

#endif
