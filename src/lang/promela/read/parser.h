// Inside the Promela parser: what its files share. No other file includes this.
//
//   parser_tokens.c        tokens as Spin's parser would see them: implied semicolons, inline calls
//                 and constant `select` expanded, `ltl` blocks put off to the end
//   scope.c       names: what a word stands for here, blocks and what they declare
//   parse.c       the entry point, units, recovery after errors, embedded C
//   parse_proc.c  proctypes, claims, traces, ltl blocks  lower_formula.c  a formula alone
//   parse_decl.c  declarations of variables and channels; parse_type.c  mtype and typedef
//   constant.c    constant expressions, and whether a constant fits
//   parse_expr.c  operators; parse_operand.c  operands; parse_ref.c  references to variables
//   parse_args.c  argument lists; expr_node.c  nodes; quantifier.c  forall and exists
//   parse_seq.c   sequences; parse_stmt.c  statements; parse_control.c  if do for select
//   parse_message.c  sends and receives; assign.c  assignments
//   written.c     what was written, of what was parsed
//   inline.c      inline definitions and calls
//   label.c       labels and gotos     check.c  what only the whole model can show
//   hints.c      what was meant by what other languages would take
//
// Rule for all parse functions: a syntax error is reported once (pml_syntax_error), sets
// `panic`, and silences the rest until a statement or unit boundary was found (parse.c).
// Functions still return a usable node then. Look ahead one token only (pml_look): what a
// token is may depend on what was parsed before it.
#ifndef GYRE_LANG_PROMELA_READ_PARSER_H
#define GYRE_LANG_PROMELA_READ_PARSER_H

#include "base/map.h"
#include "base/vec.h"
#include "lang/promela/read/ast.h"

enum {
    PML_MAX_NESTING = 1000,     // parentheses, blocks, options inside each other
    PML_MAX_TREE_DEPTH = 4000,  // operators above each other: later passes recurse over trees
    PML_MAX_INLINE_DEPTH = 100, // inline calls inside each other (Spin: 16)
    PML_MAX_TOKENS = 5000000,   // in all: some 15 MB of text
    PML_MAX_EXPANDED = 3000000, // from inline calls, which could explode
};

// ---- names --------------------------------------------------------------------------

typedef struct pml_scope {
    struct pml_scope *parent; // NULL: the global scope
    uint32_t id;              // unique in the model; 0: global
    struct pml_symbol *symbols;
    struct pml_var *for_counter; // hidden counter of `for (m in channel)` loops here
} pml_scope;

typedef enum {
    PML_SYM_NEW, // the name was met, nothing was declared yet
    PML_SYM_VAR,
    PML_SYM_LABEL,
    PML_SYM_PROC,
    PML_SYM_BAD, // reported as undeclared: say nothing more about it
} pml_symbol_kind;

// What a name stands for in one scope. A name met before it is declared gets a symbol of
// the scope where it was met: gotos depend on that.
typedef struct pml_symbol {
    struct pml_name *name;
    pml_symbol_kind kind;
    pml_scope *scope;
    struct pml_symbol *scope_next; // others of this scope
    pml_var *var;
    struct pml_label *label; // the newest label declared under this symbol
    uint64_t label_inlines;  // bit n % 64: one of them is in inline number n (0: none)
    const char *subtype;     // mtype subtype last assigned, "" for the plain one, or NULL
    gy_location place;
    bool no_constant;   // its initial value is given by a step: no use as the size of an array
    bool inline_formal; // an inline has a formal parameter of this name: may be redeclared
} pml_symbol;

// Everything that one spelling can stand for anywhere in the model.
typedef struct pml_name {
    const char *text;   // interned
    pml_symbol *symbol; // the visible one, or NULL
    pml_typedef *type;
    pml_proc *proc; // its header was read
    struct pml_inline *inl;
    int32_t mtype; // index + 1 in pml_model.mtypes
    // Labels of this name in the process `label_owner`, in order, each with its symbol and
    // the number of the inline it is in.
    pml_label **labels;
    pml_symbol **label_symbols;
    uint32_t *label_numbers;
    uint32_t label_count;
    const pml_proc *label_owner;
} pml_name;

// What a token is once names are looked up: Spin's token classes.
typedef enum {
    PML_C_OTHER,
    PML_C_NAME,
    PML_C_CONST,
    PML_C_TYPE,
    PML_C_PROC,
    PML_C_INLINE
} pml_class;

typedef struct pml_pair {
    const void *owner, *name;
    void *value;
} pml_pair;

typedef struct pml_pair_map { // (owner, name) -> value
    GY_VEC(pml_pair) list;
    gy_map map;
} pml_pair_map;

void *pml_pair_get(const pml_pair_map *map, const void *owner, const void *name);
bool pml_pair_put(pml_pair_map *map, const void *owner, const void *name, void *value);

// ---- inlines ------------------------------------------------------------------------

typedef struct pml_inline {
    const char *name;
    gy_location place;
    uint32_t number; // from 1
    pml_token *formals;
    uint32_t formal_count;
    bool broken;     // its definition has an error: calls do nothing
    pml_token *body; // with its braces
    int32_t *formal; // for each body token: index of the formal it stands for, or -1
    uint32_t body_count;
} pml_inline;

typedef struct pml_actual {
    pml_token *tokens;
    uint32_t count;
    const char *text; // without spaces, as Spin keeps it
} pml_actual;

// A list of tokens that is read before the rest of the stream.
typedef struct pml_feed_frame {
    const pml_token *tokens;
    uint32_t count, at;
    pml_inline *def; // NULL: not an inline call
    pml_actual *actuals;
    const pml_actual *actual; // being read
    uint32_t actual_at;
    bool space_before; // before the parameter that it stands for
    gy_location call;
    uint32_t use; // number of this call, from 1
    bool has_result;
    pml_ref result;
} pml_feed_frame;

// ---- nodes with what only the parser needs ------------------------------------------

typedef struct pml_xexpr {
    pml_expr e;
    uint32_t depth;
    bool probe;    // contains full() & co: may only be joined by && and ||
    bool temporal; // contains [] <> U …
    bool parens;   // was written in parentheses
} pml_xexpr;

typedef struct pml_xstmt {
    pml_stmt s;
    uint32_t d_step;    // 0, or the number of the d_step that Spin counts it to
    pml_symbol *symbol; // GOTO: of the label
} pml_xstmt;

typedef struct pml_xproc {
    pml_proc p;
    uint32_t body_scope;
    bool bad_header; // the parameters are not known
} pml_xproc;

typedef struct pml_xtypedef {
    pml_typedef t;
    uint32_t flat_count;
    bool unsendable, has_array;
} pml_xtypedef;

#define XTYPEDEF(record) ((pml_xtypedef *)(record))
#define XEXPR(expr) ((pml_xexpr *)(expr))
#define XSTMT(stmt) ((pml_xstmt *)(stmt))
#define XPROC(proc) ((pml_xproc *)(proc))

typedef struct pml_builder { // the sequence being read
    pml_stmt **at;
    uint32_t n;
    bool is_d_step; // directly between the braces of a d_step
    struct pml_builder *outer;
} pml_builder;

// A channel operation or run whose arguments are checked once all declarations are known.
typedef struct pml_run_use {
    pml_expr *expr;
    pml_name *name;
    gy_location place;
    uint32_t length;
    bool early; // before the proctype was defined
} pml_run_use;

typedef struct pml_message_use {
    pml_ref channel;
    pml_expr **args;
    uint32_t arg_count;
    gy_location place;
    bool send, random, trace, poll;
} pml_message_use;

typedef struct pml_open { // an unclosed brace, if or do, for messages
    gy_location place;
    const char *what;
} pml_open;

// How a reference is used: what may stay open in it (an array, a structure).
typedef enum { PML_R_VALUE, PML_R_MESSAGE, PML_R_FOR, PML_R_ARGUMENT } pml_ref_use;

typedef struct pml_parser {
    gy_arena *arena;
    pml_tokens *tokens;
    gy_sources *sources;
    gy_diags *diags;
    pml_model *model;
    struct gy_names *noted;  // the record that a caller asks for, or NULL: see index_names.h
    const atomic_bool *stop; // or NULL

    // parser_tokens.c
    GY_VEC(pml_feed_frame) frames;
    uint32_t inline_depth; // frames that are inline calls
    uint32_t inline_uses, inline_count;
    GY_VEC(pml_token) record; // tokens taken while arguments of an inline call are read
    uint32_t recording_depth;
    GY_VEC(pml_token) written; // tokens taken while a statement or formula is read: written.c
    uint32_t writing;          // of these, one inside the other
    uint64_t token_count, expanded_count;
    pml_token raw_held;
    bool has_raw_held;
    pml_token look, hold;
    bool has_look, has_hold;
    int last_lex; // what was read last, for implied semicolons
    int last_fed; // what was fed last, for the repair of `}` and `else`
    bool in_sequence;
    bool in_for_head;
    bool ltl_mode;
    bool formula_mode; // pml_parse_formula
    int parens;
    bool deferred_given;
    GY_VEC(pml_token) deferred; // ltl blocks, put off to the end
    gy_location last_place;     // of the token consumed last
    uint32_t last_length;
    bool gave_up;

    // scope.c
    GY_VEC(pml_name *) names; // in the order of their first occurrence
    gy_map name_map;          // by text pointer
    pml_scope global;
    pml_scope *scope;
    uint32_t scope_count;
    pml_pair_map members; // (typedef, name) -> var
    pml_pair_map remotes; // (proc, name) -> var
    pml_pair_map labels;  // (proc, name) -> label, the first of that name
    pml_var *builtins[6];

    // state of the parse
    pml_xproc *proc; // being read, or NULL
    pml_builder *sequence;
    bool initialisation_ok;
    bool panic;
    bool comma_for_semi;   // between parameters, reported
    bool previous_implied; // the separator before this statement was a line break
    uint32_t nesting;
    uint32_t loop_depth; // do and for around us
    uint32_t d_step_now; // 0, or the number of the d_step we are in (Spin's idea)
    uint32_t d_step_count;
    uint32_t d_step_depth; // really nested
    bool d_step_opens;     // the next sequence is its body
    uint32_t d_step_loops; // loop_depth where the outermost d_step began
    bool in_trace;
    pml_ref_use expr_use;
    GY_VEC(pml_open) open;

    // for check.c
    GY_VEC(pml_run_use) runs;
    GY_VEC(pml_message_use) messages;
    GY_VEC(pml_stmt *) gotos; // of the process being read
    bool has_exclusive;       // xr or xs was seen
    uint32_t synchronous, max_fields;
    uint32_t claim_count, ltl_count;
    gy_location enabled_place;
    bool warned_enabled, warned_pc_value, warned_claim;
    const pml_stmt *last_assigned; // by `=`
    bool no_strings;               // that there are none has been said
    bool has_trace;
} pml_parser;

// ---- foreign_words.c ----------------------------------------------------------------------

// The next token is the name of a type in other languages: reports it and makes it `int`.
bool pml_take_foreign_type(pml_parser *p);
// Does `first`, which was taken, begin such a declaration with the name that is next?
bool pml_is_foreign_declaration(pml_parser *p, const pml_token *first);
void pml_hint_unit(gy_diag *d, const char *text);     // for a word outside of processes
const char *pml_call_meant(const char *text);         // of a function; or NULL
const char *pml_branching_operator(const char *text); // what CTL's `AG` is; or NULL
void pml_hint_behind(pml_parser *p, gy_diag *d, const pml_token *t);

// ---- parser_tokens.c -------------------------------------------------------------------------

const pml_token *pml_look(pml_parser *p);
pml_token pml_advance(pml_parser *p);
pml_token pml_advance_raw(pml_parser *p); // past the repair of separators; no token examined
void pml_feed_push(pml_parser *p, const pml_feed_frame *frame);
void pml_feed_tokens(pml_parser *p, const pml_token *list, uint32_t count); // come next
void pml_feed_free(pml_parser *p);
uint32_t pml_feed_inline_number(const pml_parser *p);       // number of the innermost inline, or 0
const pml_feed_frame *pml_feed_inline(const pml_parser *p); // innermost call or NULL
void pml_give_up(pml_parser *p);

static inline bool pml_is(const pml_token *token, pml_punct punct)
{
    return token->kind == PML_T_PUNCT && token->punct == punct;
}
static inline bool pml_look_is(pml_parser *p, pml_punct punct)
{
    return pml_is(pml_look(p), punct);
}
static inline bool pml_is_separator(const pml_token *token)
{
    return pml_is(token, PML_P_SEMI) || pml_is(token, PML_P_ARROW);
}

// ---- scope.c ------------------------------------------------------------------------

pml_name *pml_name_of(pml_parser *p, const char *text);
pml_class pml_classify(pml_parser *p, const pml_token *token);
pml_symbol *pml_lookup(pml_parser *p, pml_name *name, gy_location place);
pml_scope *pml_scope_open(pml_parser *p);
void pml_scope_close(pml_parser *p);
void pml_scopes_init(pml_parser *p);
void pml_scopes_free(pml_parser *p);
void pml_measure_typedef(pml_typedef *record);
// Values that a structure stands for in a message or parameter list. 0 if it contains an
// array of structures: then it cannot be in one.
uint32_t pml_flat_count(const pml_typedef *record);
bool pml_has_array(const pml_typedef *record);
const char *pml_type_name(pml_parser *p, const pml_type *type);
void pml_suggest_name(pml_parser *p, gy_diag *diag, const char *text);

// hints.c
void pml_advise_name(pml_parser *p, gy_diag *d, const char *text); // that is not declared
// The operator that a word of another language stands for, or NULL.
const char *pml_operator_meant(const pml_token *t);
void pml_warn_habits(pml_parser *p); // about a model without errors

// ---- parse.c ------------------------------------------------------------------------

gy_diag *pml_error_at(pml_parser *p, const pml_token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Reports "expected …, found …" at the token examined, unless in panic. Sets panic.
gy_diag *pml_syntax_error(pml_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool pml_expect(pml_parser *p, pml_punct punct, const char *where);
// Consumes the token and returns true if it is this one.
bool pml_accept(pml_parser *p, pml_punct punct);
bool pml_enter(pml_parser *p, const char *what); // false: nested too deeply, reported
void pml_leave(pml_parser *p);
const char *pml_describe(pml_parser *p, const pml_token *token);
void pml_skip_to_statement(pml_parser *p); // recovery
bool pml_starts_declaration(pml_parser *p, const pml_token *token);
bool pml_starts_unit(const pml_token *token);
void pml_open_push(pml_parser *p, gy_location place, const char *what);
void pml_open_pop(pml_parser *p);
pml_c_block *pml_parse_c_block(pml_parser *p);
// Grows an arena array that has a count but no capacity: doubles at powers of two.
void *pml_grow(pml_parser *p, void *old, uint32_t count, size_t element);
#define PML_PUSH(p, array, count, value)                                                           \
    do {                                                                                           \
        (array) = pml_grow((p), (array), (count), sizeof *(array));                                \
        (array)[(count)++] = (value);                                                              \
    } while (0)

void pml_parser_init(pml_parser *p, gy_arena *arena, pml_tokens *tokens, gy_sources *sources,
                     gy_diags *diags, pml_model *model);
void pml_parser_free(pml_parser *p);

// ---- written.c ----------------------------------------------------------------------

// Around what is parsed. The end gives what was written there, on one line, with macros and inlines
// as the user knows them; NULL: it is not wanted, there was an error, or it cannot be determined.
// The next token may be examined.
size_t pml_written_begin(pml_parser *p, gy_location *before);
const char *pml_written_end(pml_parser *p, size_t first, gy_location before, bool wanted);

// ---- parse_proc.c -------------------------------------------------------------------

void pml_parse_proctype(pml_parser *p);
void pml_parse_init(pml_parser *p);
void pml_parse_never(pml_parser *p);
void pml_parse_trace(pml_parser *p);
void pml_parse_ltl(pml_parser *p);

// ---- parse_decl.c -------------------------------------------------------------------

typedef enum { PML_D_GLOBAL, PML_D_LOCAL, PML_D_PARAM, PML_D_MEMBER } pml_decl_place;
// Member: the typedef; else NULL.
void pml_parse_declaration(pml_parser *p, pml_decl_place where, pml_typedef *record);
void pml_parse_typedef(pml_parser *p);
// The names in braces; the brace is next.
void pml_parse_mtype_names(pml_parser *p, const char *subtype, const pml_token *vis);
pml_var *pml_new_var(pml_parser *p, const char *name, gy_location place, pml_var_role role);
void pml_add_local(pml_parser *p, pml_var *var);
bool pml_constant_value(const pml_expr *expr, int64_t *value); // folds numbers
void pml_warn_truncation(pml_parser *p, const pml_type *type, const pml_expr *expr,
                         const char *what);
bool pml_const_expr(pml_parser *p, int32_t *value);

// ---- parse_expr.c -------------------------------------------------------------------

pml_expr *pml_new_expr(pml_parser *p, pml_expr_kind kind, gy_location place, uint32_t length);
pml_expr *pml_number(pml_parser *p, int64_t value, gy_location place, uint32_t length);
pml_expr *pml_var_expr(pml_parser *p, pml_ref ref, uint32_t length);
pml_expr *pml_binary(pml_parser *p, pml_expr_kind kind, pml_expr *a, pml_expr *b);
// The parent is one deeper than the child; too deep is an error.
void pml_deepen(pml_parser *p, pml_expr *parent, const pml_expr *child);
// Bytes from a place to the end of the token consumed last, if that is on the same line.
uint32_t pml_span(pml_parser *p, gy_location from, uint32_t at_least);
// Reports a structure, a probe or a temporal formula where it cannot be an operand.
void pml_check_operand(pml_parser *p, pml_expr_kind kind, pml_expr *e);
pml_expr *pml_parse_operand(pml_parser *p);
bool pml_is_quantifier(pml_parser *p, const pml_token *t);
pml_expr *pml_parse_quantified(pml_parser *p);
void pml_parse_index(pml_parser *p, pml_ref_part *part, const char *name, pml_ref_use use);
pml_expr *pml_parse_expr(pml_parser *p);      // no full(), empty() …
pml_expr *pml_parse_full_expr(pml_parser *p); // with them
// Goes on with an expression whose first operand was parsed.
pml_expr *pml_parse_expr_from(pml_parser *p, pml_expr *first);
pml_expr *pml_parse_poll(pml_parser *p, pml_ref ref, gy_location place, bool random);
pml_ref pml_parse_ref(pml_parser *p, pml_ref_use use, uint32_t *length);
pml_ref pml_parse_ref_from(pml_parser *p, pml_token first, pml_ref_use use, uint32_t *length);
const pml_var *pml_ref_var(const pml_ref *ref); // the last part; NULL after an error
bool pml_ref_is_builtin(const pml_ref *ref, pml_builtin builtin);
void pml_parse_receive_args(pml_parser *p, pml_expr ***args, uint32_t *count);
void pml_parse_send_args(pml_parser *p, pml_expr ***args, uint32_t *count);
void pml_parse_args(pml_parser *p, pml_expr ***args, uint32_t *count, pml_ref_use use);
bool pml_contains(const pml_expr *expr, pml_expr_kind kind);

// ---- parse_stmt.c -------------------------------------------------------------------

pml_stmt *pml_new_stmt(pml_parser *p, pml_stmt_kind kind, gy_location place);
// Reads steps up to a token that ends a sequence, which is left alone.
void pml_parse_sequence(pml_parser *p, pml_seq *out, const char *what);
void pml_add_stmt(pml_parser *p, pml_stmt *stmt);
pml_stmt *pml_parse_stmt(pml_parser *p);
pml_stmt *pml_skip_stmt(pml_parser *p, gy_location place);
pml_stmt *pml_parse_choice(pml_parser *p);
pml_stmt *pml_parse_for(pml_parser *p);
pml_stmt *pml_parse_select(pml_parser *p);
pml_stmt *pml_parse_send(pml_parser *p, pml_ref ref, const pml_token *first);
// After `?` or `??`, when no `[` follows.
pml_stmt *pml_parse_receive(pml_parser *p, pml_ref ref, const pml_token *first, bool random);
void pml_parse_exclusive(pml_parser *p);
// The statement under any number of labels.
const pml_stmt *pml_unlabelled(const pml_stmt *s);
// The labelled statement with which a sequence begins, if its first state has a label.
const pml_stmt *pml_label_first(const pml_seq *seq);
bool pml_ends_sequence(const pml_token *t);
pml_stmt *pml_assignment(pml_parser *p, pml_ref ref, pml_expr *value, gy_location place);
void pml_mark_written(pml_parser *p, const pml_ref *ref);
void pml_refuse_builtin(pml_parser *p, const pml_ref *ref);
// Reports a statement that cannot be in a trace.
void pml_forbid_step(pml_parser *p, const pml_token *word);
void pml_check_assignment(pml_parser *p, const pml_ref *ref, const pml_expr *value,
                          gy_location place);
pml_seq pml_parse_braces(pml_parser *p, const char *what);
void pml_refuse_label_first(pml_parser *p, const pml_seq *seq, const char *what);

// ---- inline.c, label.c, check.c -----------------------------------------------------

void pml_parse_inline(pml_parser *p);
// The call: its name was consumed. Returns the block that it stands for.
pml_stmt *pml_parse_inline_call(pml_parser *p, const pml_token *name, const pml_ref *result);
pml_symbol *pml_label_symbol(pml_parser *p, const pml_token *name);
void pml_add_label(pml_parser *p, pml_symbol *symbol, pml_stmt *stmt, gy_location place);
void pml_resolve_gotos(pml_parser *p);
pml_label *pml_remote_label(pml_parser *p, pml_proc *proc, const pml_token *name);
bool pml_label_is_special(const char *name);
bool pml_label_is_fair(const char *name); // says that a statement is fair
void pml_check_model(pml_parser *p);
void pml_check_c_states(pml_parser *p);

#endif
