// Inside the m4 interpreter. For m4*.c only.
//
// Text is read from a stack: what a call expands to is pushed back and read again, before the rest
// of what followed the call. Calls that are still collecting their arguments are a stack of
// their own, so that nothing here recurses, however deep a template nests (but for eval, which is
// bounded).
#ifndef GYRE_LANG_DVE_M4_M4_INTERNAL_H
#define GYRE_LANG_DVE_M4_M4_INTERNAL_H

#include "lang/dve/m4/m4.h"

#include "base/map.h"

// The limits. Templates of benchmarks take some 100,000 steps and as many bytes.
enum {
    M4_MOST_STEPS = 200000000, // characters read or made: about a second
    M4_CALL_STEPS = 32,        // what a call counts
    M4_MOST_BYTES =
        64 << 20, // of text: output, definitions, arguments, and what is to be read again
    M4_MOST_CALLS = 1 << 20, // that collect their arguments, one in the other
    M4_MOST_EVAL = 1000,     // parentheses and signs in each other, in one expression
    M4_MOST_DIVERSIONS = 100,
};

typedef struct m4_where {
    size_t offset;
    uint32_t line;
    bool pushed; // text of an expansion: all of it is where the call is
} m4_where;

typedef struct m4_span {
    const char *at;
    size_t n;
} m4_span;

typedef struct m4 m4;

// Arguments of a call: number 0 is the name.
typedef struct m4_arguments {
    const m4_span *at;
    size_t n;
} m4_arguments;

typedef struct m4_builtin {
    const char *name;
    void (*run)(m4 *m, const m4_arguments *args);
    bool blind; // without a parenthesis after it, the name is a word like others
} m4_builtin;

typedef struct m4_macro {
    unsigned references;       // the symbol's, and those of calls under way
    const m4_builtin *builtin; // NULL: `text` is the body
    char *text;
    size_t n;
    struct m4_macro *below; // what popdef brings back
} m4_macro;

typedef struct m4_symbol {
    char *name;
    size_t n;
    m4_macro *top; // NULL: not defined now
} m4_symbol;

typedef struct m4_range {
    size_t begin, n; // in the pool
} m4_range;

typedef struct m4_call {
    m4_macro *macro;
    m4_where where;
    size_t name;     // where that begins in the pool; arguments follow
    size_t first;    // of its ranges
    size_t begin;    // of the argument that is being read, in the pool
    uint32_t parens; // open ones in that
    bool skipping;   // white space before it
} m4_call;

typedef struct m4_block {
    size_t base; // in what is to be read again: this block is above it
    m4_where where;
} m4_block;

typedef struct m4_diversion {
    int number;
    m4_output out;
    uint32_t expected; // line of the template that the next line of the output is taken to be of
    bool inside;       // a line
} m4_diversion;

typedef enum { M4_END, M4_WORD, M4_STRING, M4_SIMPLE, M4_OPEN, M4_COMMA, M4_CLOSE } m4_kind;

struct m4 {
    // input
    const char *text;
    size_t bytes, at;
    uint32_t line;
    gy_text back; // to be read again, last character first
    GY_VEC(m4_block) blocks;
    gy_text left_quote, right_quote, comment_begin, comment_end;
    // the token
    m4_kind kind;
    gy_text token;
    m4_where where;
    // macros
    GY_VEC(m4_symbol) symbols;
    gy_map by_name;
    size_t defined; // bytes of definitions
    // calls
    GY_VEC(m4_call) calls;
    gy_text pool;            // names and arguments, each with a 0 after it
    GY_VEC(m4_range) ranges; // of these
    GY_VEC(m4_span) spans;   // of the current call
    gy_text expansion;       // of that
    // output
    GY_VEC(m4_diversion) diversions; // the first is number 0
    int diversion;                   // the current one; below 0: text is dropped
    size_t written;                  // bytes in all of them
    // limits
    uint64_t steps, most_steps, most_bytes;
    const atomic_bool *stop;
    m4_problem *problem; // its message is not empty after a failure
};

// Ends the expansion; the first failure counts. NULL: that of the limit.
void m4_fail(m4 *m, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool m4_failed(const m4 *m);
// Adds to the work that was done. False: too much of it, or a caller wants an end.
bool m4_work(m4 *m, size_t steps);
// Is there room for so many more bytes? False after having failed.
bool m4_room(m4 *m, size_t bytes);

// ---- m4_input.c: characters and tokens
void m4_token(m4 *m);
bool m4_next_opens(m4 *m);           // what comes next is a parenthesis that opens
void m4_skip_line(m4 *m);            // up to the end of the line, and that
void m4_push(m4 *m, m4_where where); // the expansion, to be read next
void m4_set_text(gy_text *text, const char *value, size_t n);

// ---- m4_symbols.c
m4_macro *m4_find(const m4 *m, const char *name, size_t n); // NULL: not defined
void m4_define(m4 *m, m4_span name, m4_span text, bool push);
void m4_define_builtin(m4 *m, const m4_builtin *builtin);
void m4_undefine(m4 *m, m4_span name, bool all);
void m4_release(m4 *m, m4_macro *macro);
void m4_symbols_free(m4 *m);

// ---- m4_builtins.c: all there are end with one without a name
extern const m4_builtin m4_builtins[];
void m4_run_user(m4 *m, const m4_macro *macro, const m4_arguments *args);

// ---- m4_eval.c
// NULL, or what is wrong.
const char *m4_eval(const char *text, int32_t *value);

// ---- m4_output.c
void m4_write(m4 *m, const char *text, size_t n, m4_where where);
void m4_divert(m4 *m, int number);
void m4_undivert(m4 *m, int number);
void m4_undivert_all(m4 *m);
void m4_diversions_free(m4 *m);

#endif
