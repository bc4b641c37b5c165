// The words of a text as an editor sees them: nothing is left out (comments, directives, what #if
// leaves out), nothing is expanded, and no text is wrong. For colours, folding, and what precedes
// the cursor while a text is being written; what a model means is determined by its front end
// alone.
#ifndef GYRE_SERVE_LEXICAL_H
#define GYRE_SERVE_LEXICAL_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    GY_LEX_WORD,
    GY_LEX_NUMBER,
    GY_LEX_STRING, // also 'c'
    GY_LEX_COMMENT,
    GY_LEX_DIRECTIVE, // `#` and the word after it, at the start of a line
    GY_LEX_C,         // embedded C, without its braces
    GY_LEX_PUNCT,
} gy_lex_kind;

typedef struct gy_lex_token {
    gy_lex_kind kind;
    bool in_directive; // on the line of a directive, or one that it goes on over
    uint32_t at, length;
} gy_lex_token;

typedef struct gy_lexical {
    const char *text; // borrowed
    size_t bytes;
    GY_VEC(gy_lex_token) tokens; // in order
} gy_lexical;

void gy_lexical_init(gy_lexical *lexical, const char *text, size_t bytes);
void gy_lexical_free(gy_lexical *lexical);

bool gy_lex_is(const gy_lexical *lexical, size_t token, const char *text);
// The first token that ends after the offset, or their number.
size_t gy_lex_find(const gy_lexical *lexical, size_t offset);
// The token that closes what this one opens (braces, parentheses, brackets, if, do), or their
// number.
size_t gy_lex_closing(const gy_lexical *lexical, size_t token);

#endif
