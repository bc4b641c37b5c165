// What the parts of the preprocessor share: preprocess.c (the stream), macro.c (expansion),
// define.c (#define), directive.c (all other directives), condition.c (#if expressions),
// include.c (finding and opening files). No other file includes this.
//
// Tokens come from a stack of contexts, each a list of tokens that replaced something, and
// below them from a stack of files. A macro is `disabled` while the context with its
// replacement is on the stack; its name, met there, is painted PP_NO_EXPAND for ever. That is
// what ends recursion, and it gives exactly the expansions of gcc.
#ifndef GYRE_LANG_PROMELA_READ_PP_STATE_H
#define GYRE_LANG_PROMELA_READ_PP_STATE_H

#include "base/vec.h"
#include "lang/common/names.h"
#include "lang/promela/read/preprocess.h"

typedef enum { PP_B_NONE, PP_B_LINE, PP_B_FILE, PP_B_COUNTER, PP_B_LEVEL } pp_builtin;

typedef struct pp_macro {
    const char *name; // interned
    gy_location place;
    uint32_t param_count;
    bool function_like, variadic, disabled;
    pp_builtin builtin;
    pp_token *body;
    size_t body_count;
} pp_macro;

typedef GY_VEC(pp_token) pp_list;

struct pp_context {
    pp_token *tokens;
    size_t at, count;
    pp_macro *macro; // enabled again when the context ends
    bool owned;      // tokens are freed when the context ends
    bool barrier;    // its end is an end: do not read on below it
};

struct pp_file {
    uint32_t index; // in the sources
    pp_scanner scan;
    bool fresh;          // nothing read from it yet
    size_t conditionals; // open ones when the file was entered
    const char *path;    // as opened; NULL: a text in memory
    dev_t device;
    ino_t inode;
};

struct pp_conditional {
    gy_location place; // of the #if
    bool taken;        // one of its groups was read
    bool seen_else;    //
    const char *name;  // "if", "ifdef", "ifndef"
};

struct pp_buffer {
    char *copy;
    struct pp_splice *splices;
};

struct pp {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_words *words;
    const char *const *include_dirs;
    const gy_reading *reading; // or NULL
    struct gy_names *names;    // or NULL

    GY_VEC(struct pp_context) contexts;
    GY_VEC(struct pp_file) files;
    GY_VEC(struct pp_conditional) conditionals;
    GY_VEC(struct pp_buffer) buffers;
    GY_VEC(struct pp_file) once; // files with #pragma once: device and inode
    unsigned pending;            // flags of names that were replaced by nothing

    enum { PP_ARGS_NO, PP_ARGS_PAREN, PP_ARGS_INSIDE } args; // reading a macro's arguments
    bool crossed;                                            // a line ended inside macro arguments
    bool inside_c;
    bool stopped; // a limit was reached, or too many errors
    unsigned nesting;
    size_t argument_tokens; // held for calls that are being read or replaced
    size_t expanded_tokens, expanded_bytes, source_bytes, includes;
    unsigned counter;
    const char *word_defined, *word_va_args; // interned
};

// preprocess.c
pp_token pp_read(pp *p); // the next token, not expanded
void pp_push_context(pp *p, struct pp_context context);
void pp_pop_context(pp *p);
void pp_stop(pp *p, gy_location place, const char *what, unsigned long limit);

// macro.c
bool pp_expand(pp *p, const pp_token *name, pp_macro *macro); // false: leave the name
void pp_expand_list(pp *p, const pp_token *tokens, size_t count, pp_list *out);

// define.c
void pp_read_define(pp *p, struct pp_file *file);
void pp_define_builtins(pp *p);

// directive.c
bool pp_is_defined(pp *p, const pp_token *name); // a PP_NAME
void pp_directive(pp *p);                        // the `#` was just read
void pp_end_conditionals(pp *p, struct pp_file *file);

// condition.c: the value of the expression on the rest of the line.
bool pp_condition(pp *p, const pp_token *directive, const pp_token *tokens, size_t count);

// note_macro.c
void pp_note_macro(pp *p, const pp_macro *macro, uint32_t length);

// include.c
void pp_read_include(pp *p, const pp_token *directive);
bool pp_enter_text(pp *p, const char *name, const char *path, const char *text, size_t bytes,
                   gy_location included_at);

// Every token of the rest of the directive's line.
void pp_read_line(struct pp_file *file, pp_list *out);
static inline struct pp_file *pp_file_now(pp *p)
{
    return &p->files.at[p->files.n - 1];
}

#endif
