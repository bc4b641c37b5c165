// The C preprocessor, on the fly: a stream of preprocessing tokens with #include, #define and
// #if done and macros expanded. Its meaning is that of `gcc -std=gnu99 -E`, which Spin runs.
//
// Called by the lexer only. Errors go to the diagnostics with their place; a limit that is
// reached ends the stream. Owner: token texts live in the arena, in the sources or, until
// pp_free, in the preprocessor.
#ifndef GYRE_LANG_PROMELA_READ_PREPROCESS_H
#define GYRE_LANG_PROMELA_READ_PREPROCESS_H

#include "lang/promela/read/scan.h"

// Limits. Each ends the reading with an error that names it.
enum {
    PP_MAX_FILE_BYTES = 128 << 20,    // of one file
    PP_MAX_TOTAL_BYTES = 512 << 20,   // of all files together
    PP_MAX_INCLUDE_DEPTH = 64,        // files open at once
    PP_MAX_INCLUDES = 20000,          // in all
    PP_MAX_EXPANDED_TOKENS = 8 << 20, // made by macros, in all
    PP_MAX_EXPANDED_BYTES = 64 << 20, // of spellings made by # and ##, in all
    PP_MAX_MACRO_NESTING = 200,       // macro calls inside arguments of macro calls
    PP_MAX_MACRO_PARAMS = 1000,       //
    PP_MAX_CONDITION_NESTING = 200,   // parentheses and unary operators in #if
};

typedef struct pp pp;

pp *pp_new(gy_arena *arena, gy_sources *sources, gy_diags *diags, pml_words *words,
           const pml_input *input); // its include_dirs and reading
void pp_free(pp *p);
// The main file; false after an error (missing, a directory, too large …).
bool pp_open_file(pp *p, const char *path);
bool pp_open_text(pp *p, const char *name, const char *text, size_t bytes);
// Macros defined on the command line. Call after pp_open_*.
void pp_define(pp *p, const pml_define *defines, size_t count);

// The next token, macros expanded. PP_END for ever at the end.
pp_token pp_next(pp *p);
// Puts tokens before what is to come; they are scanned for macros again. Copies them.
void pp_push(pp *p, const pp_token *tokens, size_t count);
// While on, an #include <…> that is not found is passed through as a PP_OTHER token that
// holds the line: it is left to the C compiler.
void pp_inside_c(pp *p, bool on);

#endif
