// MODEL: the language-independent program that every front end produces and every engine,
// backend and analysis reads. The first of the three waists.
//
// A model is a set of process templates over global variables and channels. A template is a
// control-flow graph: nodes are control locations, edges are guarded commands. Expressions
// stay trees. A state of the system is: the global variables, the stack of live processes
// (a process's slot is its pid) and the stack of live channels.
//
// Meaning of an edge, in this order:
//   1. it may fire only if `guard` holds (NULL: always) and, if it synchronises, if the
//      send or receive is possible (a channel of capacity 0 needs a partner: one joint step);
//   2. the send or receive happens;
//   3. `effect` runs to its end as one indivisible step;
//   4. control moves to node `to`. If the edge `keeps_atomic`, the process goes on alone from
//      there for as long as it is enabled; states in between are not states of the system.
//
// A rendezvous is two edges in one step. As Promela has it, the sender does all of the above, then
// the receiver, whose guard sees what the sender has done. In a model with `joint_rendezvous`, both
// guards and the message are of the state before; then the receiver does the above, then the
// sender.
//
// Edges of a node: those with escape rank > 0 come first, in groups of equal rank; if one of a
// group can fire, nothing of lower priority (the later groups, and rank 0) is considered.
// A GY_EDGE_ELSE edge fires only if no edge before it in that node can; it comes last, but for
// escapes, whose order is the front end's.
// A GY_EDGE_END edge removes the process; it can fire only for the youngest process.
//
// Owner: everything lives in model->arena; gy_model_free releases it. A model is built by
// one thread, completed by the passes (layout.h, access.h) and read-only from then on.
#ifndef GYRE_MODEL_MODEL_H
#define GYRE_MODEL_MODEL_H

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { GY_NONE = -1 };

// ---- variables ----------------------------------------------------------------------

typedef enum {
    GY_BIT,
    GY_BOOL,
    GY_BYTE,
    GY_PID,
    GY_SHORT,
    GY_INT,
    GY_UNSIGNED,
    GY_MTYPE,
    GY_CHAN,
} gy_type_kind;

typedef struct gy_type {
    gy_type_kind kind;
    uint8_t width;       // bits a value is truncated to on assignment: 1..32
    bool is_signed;      // then sign-extended from `width` (short, int)
    const char *subtype; // mtype: the named set, NULL for the plain one
} gy_type;

// A scalar or a one-dimensional array of scalars; structures were flattened ("s.f[2].g" is a
// variable named "s.f.g" whose elements run over all indices, last index fastest).
typedef struct gy_variable {
    const char *name;
    gy_location place;
    gy_type type;
    int32_t owner;  // template index, or GY_NONE for a global
    uint32_t count; // elements
    uint32_t *dims; // for printing "s[1].f[2]": the dimensions, product == count
    uint32_t dim_count;
    const char *format;  // how to print an element: "%" stands for an index ("s[%].f[%].g")
    const char *records; // the types of the structures that it is in, outermost first
                         // ("Nest.Pair"), or NULL
    const char *const **index_names; // by dimension: what its indices are called; NULL: numbers
    bool is_set; // truths whose last index is a member of a set: `format` names the set itself
    bool is_array;
    bool is_param;
    bool hidden;      // not part of the state: reset to its initial value at every step
    bool momentary;   // hidden for good: never read in another step than it was written in
    bool removed;     // hidden, and its value does not matter (slice.h): reads are 0, stores lost
    int32_t min, max; // range of the stored values; type range unless an analysis narrowed it
    // Filled by layout.h: element i lives in word `word + (shift + i * stride) / 32` of its
    // block, at bit `(shift + i * stride) % 32`, `bits` wide; never across a word boundary.
    uint32_t word;
    uint8_t shift, bits, stride;
} gy_variable;

// ---- expressions --------------------------------------------------------------------

typedef enum {
    GY_E_CONST, // value
    GY_E_VAR,   // var [a]: a global, or a variable of the process that evaluates
    GY_E_INDEX, // a, checked to be in 0 .. value-1 (a fault otherwise); value of a. With
                // `of_range`: a is a number less `least`, and the fault is reported as one of that
                // number, unless `least` is INT32_MIN: then it stands for something else
    // unary: a
    GY_E_NOT,
    GY_E_NEG,
    GY_E_COMPL,
    // binary: a, b; 32-bit wrap-around; division by zero is a fault
    GY_E_ADD,
    GY_E_SUB,
    GY_E_MUL,
    GY_E_DIV,
    GY_E_MOD,
    GY_E_BITAND,
    GY_E_BITOR,
    GY_E_BITXOR,
    GY_E_SHL,
    GY_E_SHR,
    GY_E_LT,
    GY_E_LE,
    GY_E_GT,
    GY_E_GE,
    GY_E_EQ,
    GY_E_NE,
    GY_E_AND,
    GY_E_OR,   // short-circuit, 0 or 1
    GY_E_COND, // a ? b : c
    // channels: a is the channel's identity (0: none)
    GY_E_LEN,
    GY_E_EMPTY,
    GY_E_NEMPTY,
    GY_E_FULL,
    GY_E_NFULL,
    GY_E_POLL,      // would a receive with these args (and `random`) on channel a succeed? value 1:
                    // asked for the head of a d_step, which then receives
    GY_E_CAN_SEND,  // buffered channel with room (or lossy): for guards of d_step heads
    GY_E_EXCLUSIVE, // a, a channel that is about to be used; value of a. A fault if another live
                    // process of a template that claims it (args, see exclusive.h) holds it
    // the system
    GY_E_PID,          // of the process that evaluates
    GY_E_NR_PR,        // live processes
    GY_E_LAST,         // pid of the process that executed last
    GY_E_NP,           // no live process is at a progress node, and one is enabled
    GY_E_TIMEOUT,      // no other process is enabled
    GY_E_ENABLED,      // process a is enabled
    GY_E_PC_VALUE,     // the number of the node process a is at (spin_numbers.h)
    GY_E_GET_PRIORITY, // of process a
    GY_E_PRIORITY,     // of the process that evaluates (_priority)
    GY_E_REMOTE_LABEL, // process a (or, a NULL, the only instance) of template `tmpl` is at `node`
    GY_E_REMOTE_VAR,   // var [b] of process a (or the only instance) of template `tmpl`
    GY_E_C,            // value of a C expression: c_block
    GY_E_COUNT
} gy_expr_op;

typedef struct gy_c_code {
    const char *code;
    const char *precondition; // or NULL
    gy_location place;
    int32_t id; // position in model->c_codes
} gy_c_code;

typedef struct gy_expr {
    gy_expr_op op;
    gy_location place;
    int32_t value;
    int32_t var;  // index into model->vars
    int32_t tmpl; // index into model->templates
    int32_t node; // of that template
    struct gy_expr *a, *b, *c;
    struct gy_field *args; // POLL, EXCLUSIVE
    uint32_t arg_count;
    bool random;
    bool of_range; // INDEX
    int32_t least; // dito
    gy_c_code *c_block;
} gy_expr;

// ---- channels and messages ----------------------------------------------------------

typedef struct gy_range {
    int32_t min, max;
} gy_range;

// Where a field of a message is, counted from the first word and bit of the message.
typedef struct gy_slot {
    uint32_t word;
    uint8_t shift, bits; // bits 0: always `min`
    int32_t min;         // below 0: read with its sign
} gy_slot;

typedef struct gy_channel_type {
    const char *name; // of the variable that it initialises
    gy_location place;
    int32_t owner;     // template whose instances create it, GY_NONE: created at the start
    uint32_t capacity; // 0: rendezvous
    uint32_t field_count;
    gy_type *fields;
    gy_range *ranges; // of the values sent, or NULL: those of the types
    // Filled by layout.h: the block of a channel is `words` long; the number of messages is at
    // bit `length_shift` of word `length_word`, `length_bits` wide. Short messages share words
    // (per_word > 0): message i is in word i / per_word, from bit i % per_word * message_bits.
    // Others begin with word i * message_words. Field f of a message is at slots[f].
    uint32_t words, length_word, message_words, per_word;
    uint8_t length_shift, length_bits, message_bits;
    gy_slot *slots;
} gy_channel_type;

typedef enum {
    GY_FIELD_VALUE,  // send: expr is the value
    GY_FIELD_STORE,  // receive: into var [index]; ASSIGN_ALL: expr into it
    GY_FIELD_MATCH,  // receive: must equal expr (a constant or eval)
    GY_FIELD_IGNORE, // receive: `_`
} gy_field_kind;

typedef struct gy_field {
    gy_field_kind kind;
    gy_expr *expr;  // VALUE, MATCH; STORE of an ASSIGN_ALL
    int32_t var;    // STORE
    gy_expr *index; // STORE: NULL for a scalar; else already wrapped in GY_E_INDEX
    bool checked;   // STORE: a value that does not fit the variable's type is a fault
} gy_field;

// ---- effects ------------------------------------------------------------------------

typedef enum {
    GY_A_ASSIGN,       // var [index] = expr
    GY_A_SEND,         // chan ! fields (sorted): inside a d_step only; a rendezvous is a fault
    GY_A_RECV,         // chan ? fields (random, keep): inside a d_step only
    GY_A_ASSERT,       // expr
    GY_A_PRINTF,       // text (format), fields[].expr
    GY_A_PRINTM,       // expr
    GY_A_RUN,          // start template `tmpl` with fields[].expr, priority; pid into var if any
    GY_A_NEW_CHANNEL,  // var [index] = a new channel of type `channel_type`
    GY_A_SET_PRIORITY, // of process expr to value of `index`
    GY_A_C,            // c_block
    GY_A_TEST,         // expr must hold, else the d_step blocks: a fault
    GY_A_SELECT,       // go to the target of the first option whose `when` holds; none: a fault
    GY_A_JUMP,         // go to `target`
    GY_A_ASSIGN_ALL,   // fields[]: var [index] = expr, all computed before the first is stored
    GY_A_CHOOSE,       // var [index] = any of fields[0].expr .. fields[1].expr: one successor (or,
                       // in the initial program, one initial state) for each; none is a fault
} gy_action_kind;

typedef struct gy_option {
    gy_expr *when; // NULL: always (else)
    uint32_t target;
} gy_option;

typedef struct gy_action {
    gy_action_kind kind;
    gy_location place;
    int32_t var; // GY_NONE: no result wanted
    gy_expr *index;
    gy_expr *expr;
    gy_expr *chan;
    gy_field *fields;
    uint32_t field_count;
    bool sorted, random, keep;
    bool checked;     // ASSIGN: a value that does not fit the variable's type is a fault
    const char *text; // PRINTF: the format; ASSERT, SEND, RECV …: as a person would write it
    int32_t tmpl;
    int32_t priority; // RUN: 0 if none was given
    int32_t channel_type;
    uint32_t target;
    gy_option *options;
    uint32_t option_count;
    gy_c_code *c_block;
} gy_action;

// Runs from action 0; an index equal to `count` is the end.
typedef struct gy_program {
    gy_action *actions;
    uint32_t count;
} gy_program;

// ---- templates ----------------------------------------------------------------------

typedef enum { GY_EDGE_NORMAL, GY_EDGE_ELSE, GY_EDGE_END } gy_edge_kind;
typedef enum { GY_SYNC_NONE, GY_SYNC_SEND, GY_SYNC_RECV } gy_sync;

// What an edge touches, for reductions and for people. Filled by access.h.
typedef enum {
    GY_TOUCH_VAR,      // elements first .. last of var (of the own instance if it is a local)
    GY_TOUCH_REMOTE,   // var of some instance of its owner template
    GY_TOUCH_CHANNELS, // the contents of channels of types in the set `channel_types`
    GY_TOUCH_CONTROL,  // the control location of some instance of template `tmpl`
    GY_TOUCH_SYSTEM,   // the process or channel stack (run, end, _nr_pr, _last, priorities …)
} gy_touch_kind;

typedef struct gy_touch {
    gy_touch_kind kind;
    bool write;
    bool exact; // false: an over-approximation (computed index, remote pid, unknown channel)
    int32_t var, tmpl;
    uint32_t first, last;
} gy_touch;

typedef struct gy_edge {
    int32_t id;       // position in model->edges
    int32_t tmpl;     // template
    int32_t from, to; // nodes of the template; to is GY_NONE for GY_EDGE_END
    gy_edge_kind kind;
    gy_expr *guard;
    gy_sync sync;
    gy_expr *chan;
    gy_field *fields;
    uint32_t field_count;
    bool sorted, random, keep; // !! ?? ?<>
    gy_program *effect;        // NULL: nothing
    bool keeps_atomic;
    bool is_d_step;
    bool needs_timeout; // timeout occurs in the guard
    bool alone;         // a fault, with a successor, if an edge of its rank before it can fire too
    bool never_fails;   // ranges.h: no fault without a successor, by the values that reach it
    uint32_t escape;    // rank among the node's edges: 0 normal, else a group (see above)
    gy_location place;
    const char *text;
    uint32_t fair_action; // 1 + position in model->fair_actions; 0: not marked as fair
    gy_touch *touches;
    uint32_t touch_count;
} gy_edge;

enum {
    GY_NODE_END = 1,
    GY_NODE_ACCEPT = 2,
    GY_NODE_PROGRESS = 4,
    GY_NODE_FINAL = 8,
    GY_NODE_COMMITTED = 16, // others wait; gone once the model is complete (committed.h)
};

typedef struct gy_node {
    int32_t first_edge, edge_count; // edges of a node are adjacent in model->edges
    uint32_t flags;                 // END: a process may rest here; FINAL: after the last statement
    gy_location place; // of the first statement here
    const char *label; // a label of the user's, or NULL
} gy_node;

// label -> node, for remote references and properties
typedef struct gy_node_label {
    const char *name;
    int32_t node;
} gy_node_label;

typedef enum {
    GY_TMPL_PROCESS,
    GY_TMPL_INIT,
    GY_TMPL_NEVER,   // moves in step with the system, never part of it
    GY_TMPL_TRACE,   // every send or receive on its channels must be one of its events
    GY_TMPL_NOTRACE, // reaching its end is the error
} gy_template_kind;

typedef struct gy_template {
    const char *name;
    gy_location place;
    gy_template_kind kind;
    uint32_t active;   // instances at the start
    int32_t priority;  // default 1
    gy_expr *provided; // or NULL
    gy_expr *rests;    // a process may also rest wherever this holds, or NULL; about globals only
    int32_t first_var, var_count; // its variables in model->vars, parameters first
    uint32_t param_count;
    gy_program *init; // runs when an instance is made, after the parameters were stored
    gy_node *nodes;
    uint32_t node_count;
    int32_t initial;
    int32_t first_edge, edge_count;
    const uint8_t *reads_last; // by node: some edge of it reads _last; if model->last_fades
    gy_node_label *labels;
    uint32_t label_count;
    // Filled by layout.h: a block of `words`; the control location at bits 0 .. pc_bits-1 of
    // word 0, then, if model->uses_priority, eight bits of priority, then the variables.
    uint32_t words;
    uint8_t pc_bits;
    uint8_t priority_shift;
} gy_template;

// ---- properties ---------------------------------------------------------------------

typedef enum {
    GY_F_ATOM,
    GY_F_TRUE,
    GY_F_FALSE,
    GY_F_NOT,
    GY_F_AND,
    GY_F_OR,
    GY_F_IMPLIES,
    GY_F_EQUIV,
    GY_F_NEXT,
    GY_F_ALWAYS,
    GY_F_EVENTUALLY,
    GY_F_UNTIL,
    GY_F_RELEASE,
    GY_F_WEAK_UNTIL,
    GY_F_STRONG_RELEASE,
} gy_formula_op;

typedef uint32_t gy_atom; // the number of a state predicate (atoms.h), as in gyre/gyre.h

typedef struct gy_formula {
    gy_formula_op op;
    gy_location place;
    struct gy_formula *a, *b;
    gy_atom atom;        // of an ATOM; 0: none
    const char *text;    // ATOM: as written, macros expanded
    const char *written; // the user's own text, macros as they are used, or NULL
} gy_formula;

typedef struct gy_ltl_property {
    const char *name;
    gy_location place;
    gy_formula *formula;
    const char *text;         // macros expanded
    const char *written;      // the user's own, or NULL
    bool disregards_fairness; // statements that are marked as fair do not count for it
} gy_ltl_property;

// A statement marked as fair: each instance of its template executes it infinitely often if it is
// enabled from some point on for ever (weak) or infinitely often (strong). Edges that stand for
// the same statement, as where it is the first of a choice within a choice, share one.
typedef struct gy_fair_action {
    bool strong;
} gy_fair_action;

// ---- the model ----------------------------------------------------------------------

typedef struct gy_mtype_name {
    const char *name, *subtype;
    int32_t value;
} gy_mtype_name;

// xr or xs: each instance of `tmpl` claims to be the only process that receives from (sends to) the
// channel that this variable holds.
typedef struct gy_exclusive_use {
    int32_t tmpl, var;
    gy_expr *index;
    bool receive;
    gy_location place;
} gy_exclusive_use;

typedef enum { GY_C_UNIT_CODE, GY_C_UNIT_DECL, GY_C_UNIT_STATE, GY_C_UNIT_TRACK } gy_c_unit_kind;
typedef struct gy_c_unit {
    gy_c_unit_kind kind;
    const char *text, *scope, *extra;
    gy_location place;
} gy_c_unit;

// A statement that control cannot come to: after a goto, or after a loop without an exit. It is no
// edge; reports of what was never executed name it.
typedef struct gy_cut_off {
    int32_t tmpl;
    gy_location place;
    const char *text;
    bool asserts; // it is, or contains, an assertion other than `assert(false)`
} gy_cut_off;

typedef struct gy_model {
    gy_arena *arena;
    gy_sources *sources;          // owned
    const char *name;             // the file
    const char *language;         // "promela"
    struct gy_spin_numbers *spin; // Spin's numbers of edges and nodes (spin_numbers.h), or NULL
    struct gy_atoms *atoms;       // state predicates that have a number (atoms.h)
    void *syntax; // what the front end of that language keeps (lang/front_end.h), or NULL

    gy_variable *vars; // globals first, then template by template
    uint32_t var_count, global_count;
    gy_channel_type *channel_types;
    uint32_t channel_type_count;
    gy_template *templates; // in order of declaration
    uint32_t template_count;
    gy_edge *edges; // template by template, node by node
    uint32_t edge_count;
    gy_program *init; // runs before the first process starts: initialisers, global channels
    gy_cut_off *cut_off;
    uint32_t cut_off_count;
    int32_t *started; // templates of the processes at the start, in pid order
    uint32_t started_count;

    gy_mtype_name *mtypes;
    uint32_t mtype_count;
    gy_ltl_property *ltls;
    uint32_t ltl_count;
    gy_fair_action *fair_actions;
    uint32_t fair_action_count;
    int32_t trace; // template index of the trace/notrace automaton or GY_NONE
    gy_exclusive_use *exclusive;
    uint32_t exclusive_count;
    gy_c_unit *c_units;
    uint32_t c_unit_count;
    gy_c_code **c_codes;
    uint32_t c_code_count;
    const char *const *include_dirs; // where C may look for its headers; ends with NULL, or NULL
    bool plain_c; // there was C that said no more than the language can: it is not among these

    bool uses_priority, uses_last, uses_np, uses_timeout, uses_enabled, has_escapes;
    bool last_fades;        // _last is 0 in states where no process is at a node that reads it
    const char *stop_label; // with which processes may wait for ever, or NULL: there is none
    bool may_stop; // a state in which no process is enabled is no error, unless it is asked for
    bool joint_rendezvous;  // see above; every channel is then in a variable that nothing assigns
    bool uses_choice;       // some action chooses a value

    // Filled by layout.h: the global block, which starts every state. Word 0 belongs to the
    // backend (the shape of the state); then _last (8 bits) if used, the location of the
    // trace automaton if there is one, and the global variables.
    uint32_t global_words;
    uint32_t last_word, trace_word;
    uint8_t last_shift, trace_shift, trace_bits;
} gy_model;

// Can there be processes of it? (Claims and trace assertions are no processes.)
static inline bool gy_is_process(const gy_template *tmpl)
{
    return tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_INIT;
}
// Is there embedded C, which may read anything and change it?
static inline bool gy_has_c(const gy_model *model)
{
    return model->c_code_count > 0 || model->c_unit_count > 0;
}

// Is memory that this says to be tracked compared as well? "UnMatched" memory is not.
bool gy_is_matched(const gy_c_unit *unit);
bool gy_all_matched(const gy_model *model);
// The function by which C of the model allocates memory, or NULL. (Headers are not read.)
const char *gy_c_allocator(const gy_model *model);

gy_model *gy_model_new(void); // with an arena and sources of its own
void gy_model_free(gy_model *model);

// An expression with nothing filled in but these.
gy_expr *gy_expr_new(gy_arena *arena, gy_expr_op op, gy_location place);
const char *gy_mtype_text(const gy_model *model, const char *subtype, int32_t value); // or NULL
// "x", "a[2]", "s[1].f": the name of element i. Of a set: "s ∋ 2".
void gy_variable_name(const gy_variable *var, uint32_t element, gy_text *out);
// What an assignment of `value` to a variable of this type leaves in it.
int32_t gy_type_truncate(gy_type type, int32_t value);
void gy_type_range(gy_type type, int32_t *min, int32_t *max);
bool gy_program_is_straight(const gy_program *program); // no choices, no jumps; NULL counts
// The channel that an edge or action uses, without the check of who may use it.
static inline const gy_expr *gy_bare_channel(const gy_expr *chan)
{
    return chan && chan->op == GY_E_EXCLUSIVE ? chan->a : chan;
}
const char *gy_type_text(gy_type type); // "byte", "unsigned : 3" …: static or arena-free text

#endif
