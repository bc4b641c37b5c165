// From text to tokens, and how a recursive-descent parser takes them: shared by the languages that
// have no preprocessor. The whole text is cut up at once, into an array that ends with GY_T_END.
// What a language looks like is identified by a gy_lexicon: its words, its signs, what names may
// contain. Comments are // and /* */, numbers are decimal.
//
// Owner: tokens and names are in the arena. A reader belongs to one parser; one thread.
#ifndef GYRE_LANG_COMMON_TOKEN_READER_H
#define GYRE_LANG_COMMON_TOKEN_READER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A sign of one character is its own kind: '{', ';', '+' …
typedef enum {
    GY_T_END = 128,
    GY_T_BAD, // reported already
    GY_T_NAME,
    GY_T_NUMBER,
    GY_T_STRING,
    GY_T_OF_LANGUAGE, // its words and signs begin here
} gy_token_kind;

typedef struct gy_token {
    int kind;
    gy_location place;
    uint32_t length;
    const char *text; // NAME: its own string; others: where it is, not terminated
    int32_t value;    // NUMBER
    bool spaced;      // white space follows
} gy_token;

typedef struct gy_lexeme {
    const char *text;
    int kind;
} gy_lexeme;

typedef struct gy_lexicon {
    const char *language;   // for messages: "DVE"
    const gy_lexeme *words; // up to one without a text, as the signs
    const gy_lexeme *signs; // the longest of those that begin alike first
    const char *characters; // those that are tokens by themselves
    const char *in_names;   // besides letters, digits and _, but not as the first: "$#"
    bool strings;           // "…" is a token
    // White space, comments and other text of the language's own that begins here: how many bytes
    // of it there are. NULL: there is no more than what all have.
    size_t (*skips)(const char *at, size_t left);
} gy_lexicon;

// Cuts up file number `file` of the sources. Strange characters are reported and left out.
typedef struct gy_token_reader {
    const gy_lexicon *lexicon;
    gy_diags *diags;
    const gy_token *at;         // the next token
    const gy_token *last_error; // one error per token is enough
    unsigned depth;             // of nested expressions, types and statements
    unsigned height;            // of the trees of expressions that were read (expression.h)
} gy_token_reader;

gy_token_reader gy_read_tokens(const gy_lexicon *lexicon, gy_arena *arena, gy_sources *sources,
                               gy_diags *diags, uint32_t file);
// For messages: "`process`", "the name `x`", "the end of the file".
void gy_token_text(const gy_token *token, gy_text *out);
bool gy_is_word(const gy_lexicon *lexicon, const gy_token *token);

// ---- taking tokens --------------------------------------------------------------------------

typedef struct gy_name { // a use of one, or where it is declared
    const char *name;
    gy_location place;
} gy_name;

bool gy_accept(gy_token_reader *in, int kind); // takes the next token if it is of this kind
// The same, with an error if it is not. `where` ends the message: "after the name of the process".
bool gy_expect(gy_token_reader *in, int kind, const char *where);
bool gy_take_name(gy_token_reader *in, gy_name *name, const char *what);
// "expected X WHERE, found Y". NULL: there was an error at this token already.
gy_diag *gy_unexpected(gy_token_reader *in, const char *expected, const char *where);
// False, with an error, where things are nested more than `most` deep; else one level deeper.
bool gy_enter(gy_token_reader *in, unsigned most);
// Goes on to the next token of one of these kinds (up to a 0) that is outside all brackets opened
// on the way, or of one of `always` wherever it is, or to the end; without taking it.
void gy_skip_to(gy_token_reader *in, const int *kinds, const int *always);

// An array in the arena with what a vector holds; frees the vector.
#define gy_keep(arena, v, type, to, to_count)                                                      \
    do {                                                                                           \
        (to_count) = (uint32_t)(v)->n;                                                             \
        (to) = GY_NEW_ARRAY((arena), type, (v)->n);                                                \
        if ((v)->n)                                                                                \
            memcpy((to), (v)->at, (v)->n * sizeof(type));                                          \
        gy_vec_free(v);                                                                            \
    } while (0)

#endif
