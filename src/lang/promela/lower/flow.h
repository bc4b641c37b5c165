// The flow of a process body: statements as elements linked into sequences, numbered and
// joined exactly as Spin does it, so that states, steps, trails and pc_value() agree.
//
// What Spin's semantics hang on, and this module reproduces:
//  - elements are numbered when their statement is complete: inner ones before outer ones,
//    per process (`state`, from 1) and over the whole model (`id`, from 0);
//  - an if or do is one element with its options, followed (if) or preceded (do) by a join
//    element; do adds an exit element that `break` goes to;
//  - control passes silently over joins, exits, gotos and the entries of unless, except where
//    that would leave an atomic sequence: there the element is a step of its own;
//  - a choice state offers the first step of every option, nested choices flattened; so does
//    the entry of a block or an atomic sequence;
//  - an escape is offered at every state of the main sequence of its unless, before the
//    normal steps, the outermost first.
//
// Owner: everything lives in the arena given to flow_new.
#ifndef GYRE_LANG_PROMELA_LOWER_FLOW_H
#define GYRE_LANG_PROMELA_LOWER_FLOW_H

#include "base/arena.h"
#include "lang/promela/read/ast.h"

typedef enum {
    FLOW_STEP, // a basic statement: stmt
    FLOW_ELSE,
    FLOW_GOTO,   // goto or break: to `label`
    FLOW_JOIN,   // where the options of an if, do or unless meet
    FLOW_EXIT,   // after a do
    FLOW_CHOICE, // if or do
    FLOW_UNLESS,
    FLOW_ATOMIC,
    FLOW_D_STEP,
    FLOW_BLOCK,
    FLOW_SKIP, // put in where a label must not get lost
    FLOW_STOP, // the end of the body
} flow_kind;

enum { FLOW_IN_ATOMIC = 1, FLOW_LAST_OF_ATOMIC = 2, FLOW_IN_D_STEP = 4 }; // status
enum { FLOW_LABEL_END = 1, FLOW_LABEL_ACCEPT = 2, FLOW_LABEL_PROGRESS = 4, FLOW_LABEL_ANY = 8 };
enum { FLOW_WEAKLY_FAIR = 1, FLOW_STRONGLY_FAIR = 2 }; // labels wfair…, sfair…; the larger counts

typedef struct flow_el flow_el;

typedef struct flow_seq {
    flow_el *first, *last;
    flow_el *extent; // the last one before a join was appended
} flow_seq;

// Where a goto or break leads; `el` is filled in when the target is built.
typedef struct flow_target {
    flow_el *el;
} flow_target;

// One way on from a state: the statement of `by` executes, control moves to `to`.
typedef struct flow_move {
    flow_el *by;
    flow_el *to; // NULL: the process ends
    bool keeps_atomic;
    uint32_t escape; // 0, or the rank of an escape (1 is tried first)
} flow_move;

struct flow_el {
    flow_kind kind;
    const pml_stmt *stmt;
    gy_location place;
    int32_t state, id;
    unsigned status, labels, fair;
    flow_el *next;
    flow_seq **subs; // CHOICE: options; UNLESS: main, escape; ATOMIC, D_STEP, BLOCK: body
    uint32_t sub_count;
    flow_seq **escapes; // outermost first
    uint32_t escape_count;
    pml_label *goto_label;  // GOTO written with a label
    flow_target *target;    // break
    const char *label_name; // a user label, for people
    flow_move *moves;       // filled by flow_finish, for elements that can be states
    uint32_t move_count;
    bool dropped;         // a skip that adds nothing
    int32_t node;         // scratch for the lowering: -1
    uint32_t fair_action; // ditto: 0
};

typedef struct flow_proc {
    const pml_proc *proc;
    flow_seq body;
    flow_el *start; // the initial state
    flow_el **els;  // all elements by state number: els[state], 1 .. el_count
    uint32_t el_count;
} flow_proc;

typedef struct flow flow;

flow *flow_new(gy_arena *arena, gy_sources *sources, gy_diags *diags);
// Builds the elements of one process. Processes must come in order of declaration.
flow_proc *flow_build(flow *f, const pml_proc *proc);
int32_t flow_next_id(const flow *f); // the number of elements built so far
// A label that is referred to from outside must not be optimised away: call for each such
// label after all processes were built and before flow_finish.
void flow_keep_label(flow *f, flow_proc *proc, pml_label *label);
// The number that Spin gives to the loop that a break leaves: `goto :b0` …
unsigned flow_loop_number(const pml_model *tree, const flow_el *jump);
// Ties the last element of a group to what follows the group; flow_finish does it, too.
void flow_link(flow_proc *proc);
// The state that control comes to rest in when it reaches `el` out of a statement with this
// status. An element inside an atomic sequence is not passed over if that would leave it.
flow_el *flow_settle(flow *f, flow_el *el, unsigned status);
// Computes moves and label flags of all elements.
void flow_finish(flow *f, flow_proc *proc);
// The element a label is on.
flow_el *flow_label_el(const pml_label *label);
// What a label by its name says about fairness: 0 if nothing.
unsigned flow_fair_label(const char *name);

#endif
