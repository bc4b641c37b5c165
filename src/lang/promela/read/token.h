// Tokens of Promela, and the stream that delivers them.
//
// The stream (pml_tokens) runs the preprocessor (#include, #define, #if …, done by
// preprocess.c on the fly, so that no compiler is needed and every token knows its place)
// and the lexer, with unlimited look-ahead and with push-back of whole token lists, which
// is how inline calls are expanded. Words are interned: equal spellings have equal `text`
// pointers. Keywords are told apart from names by kind.
// Owner: the stream owns nothing but its own buffers; text lives in the arena given.
#ifndef GYRE_LANG_PROMELA_READ_TOKEN_H
#define GYRE_LANG_PROMELA_READ_TOKEN_H

#include "base/arena.h"
#include "base/diag.h"
#include "lang/editor_parse.h"

#include <stdbool.h>
#include <stdint.h>

// X(kind, spelling): every keyword of Spin 6.5.2.
#define PML_KEYWORDS(X)                                                                            \
    X(ACTIVE, "active")                                                                            \
    X(ASSERT, "assert")                                                                            \
    X(ATOMIC, "atomic")                                                                            \
    X(BIT, "bit")                                                                                  \
    X(BOOL, "bool")                                                                                \
    X(BREAK, "break")                                                                              \
    X(BYTE, "byte")                                                                                \
    X(C_CODE, "c_code")                                                                            \
    X(C_DECL, "c_decl")                                                                            \
    X(C_EXPR, "c_expr")                                                                            \
    X(C_STATE, "c_state")                                                                          \
    X(C_TRACK, "c_track")                                                                          \
    X(CHAN, "chan") X(D_PROCTYPE, "D_proctype") X(D_STEP, "d_step") X(DO, "do") X(ELSE, "else")    \
        X(EMPTY, "empty") X(ENABLED, "enabled") X(EVAL, "eval") X(FI, "fi") X(FOR, "for")          \
            X(FULL, "full") X(GET_PRIORITY, "get_priority") X(GOTO, "goto") X(HIDDEN, "hidden")    \
                X(IF, "if") X(IN, "in") X(INIT, "init") X(INLINE, "inline") X(INT, "int") X(       \
                    LEN, "len") X(LOCAL, "local") X(LTL, "ltl") X(MTYPE, "mtype")                  \
                    X(NEMPTY, "nempty") X(NEVER, "never") X(NFULL, "nfull") X(NOTRACE, "notrace")  \
                        X(NP, "np_") X(OD, "od") X(OF, "of") X(PC_VALUE, "pc_value") X(PID, "pid") \
                            X(PRINTF, "printf") X(PRINTM, "printm") X(PRIORITY, "priority")        \
                                X(PROCTYPE, "proctype") X(PROVIDED, "provided")                    \
                                    X(RETURN, "return") X(RUN, "run") X(SELECT, "select")          \
                                        X(SET_PRIORITY, "set_priority") X(SHORT, "short")          \
                                            X(SHOW, "show") X(SKIP, "skip") X(TIMEOUT, "timeout")  \
                                                X(TRACE, "trace") X(TYPEDEF, "typedef")            \
                                                    X(UNLESS, "unless") X(UNSIGNED, "unsigned")    \
                                                        X(XR, "xr") X(XS, "xs")

typedef enum {
    PML_T_END, // end of input, for ever
    PML_T_NAME,
    PML_T_NUMBER,  // value; also 'c' character constants, true, false (skip is a keyword)
    PML_T_STRING,  // text: the characters between the quotes, escapes as written
    PML_T_C_BLOCK, // text: verbatim C between the braces of c_code/c_decl/c_expr (braces left out)
    PML_T_PUNCT,   // punct: one of the PML_P_* below
    PML_T_BAD,     // an error was reported; the parser skips it silently
#define X(kind, spelling) PML_T_##kind,
    PML_KEYWORDS(X)
#undef X
        PML_T_COUNT
} pml_token_kind;

typedef enum {
    PML_P_NONE,
    PML_P_LPAREN,
    PML_P_RPAREN,
    PML_P_LBRACE,
    PML_P_RBRACE,
    PML_P_LBRACKET,
    PML_P_RBRACKET,
    PML_P_COMMA,
    PML_P_SEMI,
    PML_P_COLON,
    PML_P_SEP /* :: */,
    PML_P_DOT,
    PML_P_DOTDOT,
    PML_P_AT,
    PML_P_ASSIGN,
    PML_P_ARROW /* -> */,
    PML_P_EQUIV /* <-> */,
    PML_P_INCR,
    PML_P_DECR,
    PML_P_SND /* ! */,
    PML_P_SNDSORT /* !! */,
    PML_P_RCV /* ? */,
    PML_P_RCVRAND /* ?? */,
    PML_P_PLUS,
    PML_P_MINUS,
    PML_P_STAR,
    PML_P_SLASH,
    PML_P_PERCENT,
    PML_P_AMP,
    PML_P_BAR,
    PML_P_CARET,
    PML_P_TILDE,
    PML_P_ANDAND,
    PML_P_OROR,
    PML_P_EQ,
    PML_P_NE,
    PML_P_LT,
    PML_P_GT,
    PML_P_LE,
    PML_P_GE,
    PML_P_SHL,
    PML_P_SHR,
    PML_P_ALWAYS /* [] as one token, only meaningful in ltl */,
    PML_P_EVENTUALLY /* <> */,
    PML_P_WEDGE /* /\ */,
    PML_P_VEE /* \/ */,
    PML_P_HASH,
    PML_P_COUNT
} pml_punct;

typedef struct pml_token {
    pml_token_kind kind;
    pml_punct punct;
    gy_location place;
    uint32_t length;   // bytes in the source, for underlining
    bool space_before; // white space or a line break before it (matters for inline text)
    // A line break before it, as Spin sees it after preprocessing: never inside what a macro
    // stands for. Spin puts a `;` at most line breaks (see "implied semicolons" in lexer.c).
    bool newline_before;
    bool made;        // by the parser: nothing of it was written there
    bool argument;    // of an inline: it takes the place of a parameter
    const char *text; // NAME, keyword, STRING, C_BLOCK: interned or arena text
    int64_t value;    // NUMBER: already cut to 32 bits as Spin does; `skip`: 1
} pml_token;

typedef struct pml_define {
    const char *name;
    const char *value; // NULL: as if by -DNAME, that is 1
} pml_define;

typedef struct pml_tokens pml_tokens;

typedef struct pml_input {
    const char *name; // of the file
    const char *text; // NULL: what is in that file; else this (formulas, tests, the fuzzer)
    size_t bytes;     // of text
    const pml_define *defines;
    size_t define_count;
    const char *const *include_dirs; // NULL-terminated, or NULL
    const gy_reading *reading;       // or NULL
} pml_input;

// Opens a stream. Returns NULL after reporting an error (missing file, directory, too large,
// unreadable).
pml_tokens *pml_tokens_open(gy_arena *arena, gy_sources *sources, gy_diags *diags,
                            const pml_input *input);
void pml_tokens_close(pml_tokens *tokens);

// The token `ahead` places in front (0: the next one), without consuming it. The pointer
// holds until the next call on the stream.
const pml_token *pml_peek(pml_tokens *tokens, unsigned ahead);
pml_token pml_next(pml_tokens *tokens);
// Embedded C. After c_code, c_decl or c_expr the stream itself switches to raw C, so that
// any look-ahead and the recording of inline bodies are safe. It delivers
//     c_code [ C_BLOCK ] { C_BLOCK }      (the bracket part only if it was written)
// where C_BLOCK is the text between the brackets or braces (macros expanded, comments
// removed, `\#` at the start of a delayed directive turned into `#` on a line of its own).
// Words that only ltl formulas know (U W V X, always ...) are names: the parser decides.
// `in` is a keyword only in the head of a `for`: elsewhere the parser takes PML_T_IN as a
// name. `[]` and `<>` arrive as one token wherever the two characters touch: outside ltl,
// the parser treats PML_P_ALWAYS as `[` `]` and PML_P_EVENTUALLY as `<` `>`.
// Interns a word so that it can be compared by pointer.
// As given to pml_tokens_open.
const gy_reading *pml_tokens_reading(const pml_tokens *tokens);
const char *pml_intern(pml_tokens *tokens, const char *text, size_t bytes);
// Writes the macros that are defined now as #define lines.
void pml_tokens_definitions(pml_tokens *tokens, gy_text *out);

const char *pml_token_kind_name(pml_token_kind kind); // "`proctype`", "a name", "a number" …
const char *pml_punct_spelling(pml_punct punct);
// What the reader sees in "expected …, found …": the token's own spelling in back quotes.
void pml_token_describe(const pml_token *token, gy_text *out);

#endif
