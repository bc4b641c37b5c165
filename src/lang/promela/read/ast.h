// The syntax tree of a Promela model: what the parser hands to the lowering.
//
// Names are resolved while parsing (a name must be declared before it is used, as in
// Spin; proctypes in `run`, labels and inlines excepted). Inline calls are expanded:
// no trace of them is left except in the places. The tree is complete and checked when
// pml_parse returned without errors; the lowering then trusts it.
// Owner: everything lives in the arena that the parser was given. Read-only after parsing.
#ifndef GYRE_LANG_PROMELA_READ_AST_H
#define GYRE_LANG_PROMELA_READ_AST_H

#include "base/arena.h"
#include "base/diag.h"
#include "lang/promela/read/token.h"

#include <stdbool.h>
#include <stdint.h>

// ---- symbols ------------------------------------------------------------------------

typedef enum {
    PML_TY_NONE,
    PML_TY_BIT,
    PML_TY_BOOL,
    PML_TY_BYTE,
    PML_TY_PID,
    PML_TY_SHORT,
    PML_TY_INT,
    PML_TY_UNSIGNED, // with a width
    PML_TY_MTYPE,    // with an optional subtype name
    PML_TY_CHAN,
    PML_TY_STRUCT, // a typedef
} pml_type_kind;

typedef struct pml_type {
    pml_type_kind kind;
    uint8_t width;              // UNSIGNED: bits
    const char *subtype;        // MTYPE: name of the subtype or NULL (the plain mtype)
    struct pml_typedef *record; // STRUCT
} pml_type;

// chan q = [capacity] of { fields }
typedef struct pml_chan_init {
    gy_location place;
    int32_t capacity;
    uint32_t field_count;
    pml_type *fields; // as written: a STRUCT field stands for all its members
} pml_chan_init;

typedef enum { PML_VIS_NONE, PML_VIS_HIDDEN, PML_VIS_SHOW, PML_VIS_LOCAL } pml_visibility;

typedef enum {
    PML_VAR_GLOBAL,
    PML_VAR_PARAM,
    PML_VAR_LOCAL,   // of a proctype, init, never claim or trace, in whatever block
    PML_VAR_MEMBER,  // of a typedef
    PML_VAR_BUILTIN, // _pid _last _nr_pr _priority _ : see pml_builtin
} pml_var_role;

typedef enum {
    PML_BI_NONE,
    PML_BI_PID,
    PML_BI_LAST,
    PML_BI_NR_PR,
    PML_BI_PRIORITY,
    PML_BI_UNDERSCORE
} pml_builtin;

typedef struct pml_var {
    const char *name;
    gy_location place;
    pml_type type;
    pml_var_role role;
    pml_builtin builtin;
    pml_visibility visibility;
    bool is_array;
    uint32_t count;         // elements; 1 for a scalar
    struct pml_expr *init;  // scalar initialiser or NULL (0)
    struct pml_expr **list; // array initialiser list, or NULL
    uint32_t list_count;
    pml_chan_init *chan;    // CHAN with an initialiser, else NULL
    struct pml_proc *owner; // of params and locals; NULL for globals and members
    uint32_t scope;         // id of the block it is declared in (unique within the model)
    bool exclusive_receive, exclusive_send; // named in xr / xs (see also pml_proc.exclusive)
    bool is_written;                        // filled by the parser, for warnings
    uint32_t index; // position in its list (globals, params, locals, members)
    void *lowered;  // scratch for the lowering
} pml_var;

typedef struct pml_typedef {
    const char *name;
    gy_location place;
    pml_var **members;
    uint32_t member_count;
} pml_typedef;

// One mtype list. Values are assigned as Spin does: the last name of the first list is 1;
// a second list of the same subtype goes on from there; each subtype starts over.
typedef struct pml_mtype_name {
    const char *name;
    const char *subtype; // NULL for plain mtype
    int32_t value;
    gy_location place;
} pml_mtype_name;

// ---- expressions --------------------------------------------------------------------

typedef enum {
    PML_X_NUMBER, // value; mtype: non-NULL name if it was written as an mtype constant
    PML_X_VAR,    // ref
    // unary: a
    PML_X_NOT,
    PML_X_NEG,
    PML_X_COMPL,
    // binary: a, b
    PML_X_ADD,
    PML_X_SUB,
    PML_X_MUL,
    PML_X_DIV,
    PML_X_MOD,
    PML_X_BITAND,
    PML_X_BITOR,
    PML_X_BITXOR,
    PML_X_SHL,
    PML_X_SHR,
    PML_X_LT,
    PML_X_LE,
    PML_X_GT,
    PML_X_GE,
    PML_X_EQ,
    PML_X_NE,
    PML_X_AND,
    PML_X_OR,
    PML_X_COND, // a -> b : c
    // channels: ref is the channel
    PML_X_LEN,
    PML_X_EMPTY,
    PML_X_NEMPTY,
    PML_X_FULL,
    PML_X_NFULL,
    PML_X_POLL, // ref ?[args] or, with `random`, ref ??[args]
    // processes
    PML_X_RUN, // proc, args, priority (0: none given)
    PML_X_ENABLED,
    PML_X_PC_VALUE,
    PML_X_GET_PRIORITY, // a
    PML_X_TIMEOUT,
    PML_X_NP,
    PML_X_REMOTE_LABEL, // proc [a] @ label   (a may be NULL)
    PML_X_REMOTE_VAR,   // proc [a] : ref     (a may be NULL; ref.var is a local or param of proc)
    PML_X_C_EXPR,       // code
    PML_X_EVAL,         // eval(a): only as a receive argument
    // temporal operators: only inside pml_ltl
    PML_X_ALWAYS,
    PML_X_EVENTUALLY,
    PML_X_NEXT, // a
    PML_X_UNTIL,
    PML_X_RELEASE,
    PML_X_WEAK_UNTIL,
    PML_X_STRONG_RELEASE,
    PML_X_IMPLIES,
    PML_X_EQUIV, // a, b
} pml_expr_kind;

// name[i].name[j].name : a path to a scalar, or, where the language allows, to a whole
// structure (as a message field) or array (in `for (i in a)`).
typedef struct pml_ref_part {
    pml_var *var;           // the variable or member
    struct pml_expr *index; // NULL if none was written
    gy_location place;
} pml_ref_part;

typedef struct pml_ref {
    pml_ref_part *parts;
    uint32_t part_count; // at least 1; 0 only in a place where no ref belongs
} pml_ref;

typedef struct pml_c_block {
    const char *code;         // verbatim
    const char *precondition; // the text between [ ] or NULL
    gy_location place;
} pml_c_block;

typedef struct pml_expr {
    pml_expr_kind kind;
    gy_location place;
    uint32_t length; // bytes to underline
    int64_t value;
    const char *mtype; // NUMBER written as an mtype name
    const char *word;  // NUMBER written as `true` or `false`
    bool random;       // POLL with ??
    struct pml_expr *a, *b, *c;
    pml_ref ref;
    struct pml_proc *proc;
    struct pml_label *label;
    const char *label_name;
    struct pml_expr **args;
    uint32_t arg_count;
    int32_t priority;
    pml_c_block *c_block;
} pml_expr;

// ---- statements ---------------------------------------------------------------------

typedef enum {
    PML_S_EXPR,   // expr as a condition; also `skip` (the number 1) and `run`
    PML_S_ASSIGN, // ref = expr   (x++ and x-- arrive as x = x + 1, x = x - 1)
    PML_S_INIT,   // ref = expr or ref = {list}: a declaration with (or without) initialiser that
                  // Spin turns into a step of its own, because statements stand before it or
                  // it is inside an inner block. expr NULL and list NULL: zero.
    PML_S_SEND,   // ref ! args; sorted: !!
    PML_S_RECV,   // ref ? args; random: ??; keep: ?< >
    PML_S_ASSERT, // expr
    PML_S_PRINTF, // format, args
    PML_S_PRINTM, // expr
    PML_S_SET_PRIORITY, // args[0], args[1]
    PML_S_ELSE,
    PML_S_GOTO, // label_name; label resolved at the end of the process
    PML_S_BREAK,
    PML_S_IF,
    PML_S_DO, // options
    PML_S_ATOMIC,
    PML_S_D_STEP,
    PML_S_BLOCK,     // body
    PML_S_UNLESS,    // body (main), escape
    PML_S_FOR_RANGE, // for (ref : expr .. expr2) body
    PML_S_FOR_ARRAY, // for (ref in array: over) body, index runs over the array
    PML_S_FOR_CHAN,  // for (ref in channel: over) body
    PML_S_SELECT,    // select (ref : expr .. expr2)
    PML_S_C_CODE,
    PML_S_LABELLED, // label: body (one statement; `label:` before `}` labels a skip)
} pml_stmt_kind;

typedef struct pml_seq {
    struct pml_stmt **at;
    uint32_t n;
    gy_location end; // the closing brace, fi, od …
} pml_seq;

typedef struct pml_stmt {
    pml_stmt_kind kind;
    gy_location place;
    const char *written; // of a basic statement: the user's own text, on one line, or NULL
    pml_ref ref;
    pml_expr *expr, *expr2;
    pml_expr **list; // INIT of an array
    uint32_t list_count;
    pml_expr **args;
    uint32_t arg_count;
    bool sorted, random, keep;
    bool arrow;         // ASSIGN, written with `=`: `->` comes next
    const char *format; // PRINTF: characters between the quotes, escapes as written
    pml_seq *options;   // IF, DO
    uint32_t option_count;
    pml_seq body, escape;
    pml_ref over;            // FOR_ARRAY, FOR_CHAN
    struct pml_var *counter; // FOR_CHAN: the hidden counter variable that Spin makes
    struct pml_label *label; // LABELLED, GOTO
    const char *label_name;
    pml_c_block *c_block;
} pml_stmt;

typedef struct pml_label {
    const char *name;
    gy_location place;
    pml_stmt *stmt; // the LABELLED statement
    bool used;      // by a goto or a remote reference
    bool remote;    // by a remote reference (pc must stay visible)
    void *lowered;  // scratch for the lowering
} pml_label;

// ---- units --------------------------------------------------------------------------

typedef enum {
    PML_PROC_TYPE,
    PML_PROC_INIT,
    PML_PROC_NEVER,
    PML_PROC_TRACE,
    PML_PROC_NOTRACE,
} pml_proc_kind;

// xr q / xs q inside a proctype
typedef struct pml_exclusive {
    gy_location place;
    pml_ref channel;
    bool receive; // xr, else xs
} pml_exclusive;

typedef struct pml_proc {
    pml_proc_kind kind;
    const char *name; // ":init:", "never_0" … where none was given, as in Spin
    gy_location place;
    bool deterministic; // D_proctype
    uint32_t active;    // instances at the start; 0: only by run
    int32_t priority;   // 0: none given
    pml_var **params;
    uint32_t param_count;
    pml_var **locals; // all blocks, in order of declaration, params left out
    uint32_t local_count;
    pml_expr *provided; // or NULL
    pml_seq body;
    pml_label **labels;
    uint32_t label_count;
    pml_exclusive *exclusive;
    uint32_t exclusive_count;
    bool is_run;    // some run names it
    uint32_t index; // in pml_model.procs
} pml_proc;

typedef struct pml_ltl {
    const char *name; // ltl_0 … where none was given
    gy_location place;
    pml_expr *formula;
    const char *written; // the user's own text, on one line, or NULL
} pml_ltl;

typedef enum { PML_C_CODE, PML_C_DECL, PML_C_STATE, PML_C_TRACK } pml_c_unit_kind;
typedef struct pml_c_unit {
    pml_c_unit_kind kind;
    gy_location place;
    const char *text;  // CODE, DECL: verbatim; STATE, TRACK: first string
    const char *scope; // STATE, TRACK: second string ("Global", "Local name", size) or NULL
    const char *extra; // third string or NULL
} pml_c_unit;

typedef struct pml_model {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_typedef **typedefs;
    uint32_t typedef_count;
    pml_mtype_name *mtypes;
    uint32_t mtype_count;
    pml_var **globals; // in order of declaration, hidden ones included
    uint32_t global_count;
    pml_proc **procs; // in order of declaration, with init, never and trace among them
    uint32_t proc_count;
    pml_ltl *ltls;
    uint32_t ltl_count;
    pml_c_unit *c_units;
    uint32_t c_unit_count;
    bool uses_priority;     // priority, set_priority, get_priority or _priority occurs
    bool priorities_differ; // one other than 1 is given, or one is set
    bool uses_last;         // _last occurs
    bool uses_np;           // np_ occurs
    bool uses_enabled;
    const char *definitions; // #define lines, for pml_parse_formula
} pml_model;

// Parses and checks a whole model. Never returns NULL; the tree may be used only if
// gy_diags_errors(diags) == 0.
pml_model *pml_parse(gy_arena *arena, pml_tokens *tokens, gy_sources *sources, gy_diags *diags);
// Parses one formula (for --ltl 'FORMULA') against the names of a parsed model.
pml_expr *pml_parse_formula(pml_model *model, const char *text);
// Parses one expression, as it could be in this process (NULL: outside of all).
pml_expr *pml_parse_expression(pml_model *model, const pml_proc *proc, const char *text);

#endif
