// From MODEL to bytecode.
//
// gy_compile translates everything that a model can execute, once; gy_compile_expr appends a
// single expression (predicates, watch expressions) to a code object of the caller's.
#ifndef GYRE_EXEC_VM_COMPILE_H
#define GYRE_EXEC_VM_COMPILE_H

#include "exec/vm/bytecode.h"

// Most edges are examined and cannot fire, so the first thing that a guard asks is kept where
// no code needs to run for it: is a field (of the process's block or of the state) within
// `low` .. `low + span`, or, if `inverted`, not? A field of width 0 is always 0: no test.
typedef struct gy_quick_test {
    uint32_t word;
    uint8_t left, right; // as in bytecode format F
    bool is_signed, is_local, inverted;
    bool decides; // this is all there is: the guard's code need not run
    int32_t low;
    uint32_t span;
} gy_quick_test;

static inline bool gy_quick_test_holds(const gy_quick_test *test, const uint32_t *block)
{
    uint32_t high = block[test->word] << test->left;
    uint32_t value =
        test->is_signed ? (uint32_t)((int32_t)high >> test->right) : high >> test->right;
    return (value - (uint32_t)test->low <= test->span) != test->inverted;
}

// What an engine needs to know of an edge, next to each other in memory.
typedef struct gy_vm_edge {
    uint32_t guard;   // 0: always executable (as far as data goes)
    uint32_t effect;  // 0: nothing to do
    uint32_t message; // a send of a joint rendezvous: makes the offer; 0: none
    int32_t to;       // node
    uint32_t escape;
    uint8_t kind; // gy_edge_kind
    uint8_t sync; // gy_sync
    bool keeps_atomic;
    bool loop_head; // an atomic sequence may come back to `to`: look out for a cycle there
    bool has_test;
    bool is_rendezvous; // on `channel`
    uint16_t channel;   // identity of the channel it synchronises on; 0: known at run time only
    gy_quick_test test;
} gy_vm_edge;

typedef struct gy_vm_template {
    uint32_t provided; // 0: none
    uint32_t init;     // 0: none
    uint32_t pc_mask;
    int32_t initial;
    uint32_t param_count;
    uint32_t first_var;
    const gy_node *nodes;
    const uint64_t *receives; // at each node: the channels, modulo 64, that its edges receive from
    uint32_t priority_shift;
} gy_vm_template;

// What an edge receives from: no channel; a channel, or 0 for one known at run time only; with
// GY_BY_RENDEZVOUS, only together with an offer.
enum { GY_NO_RECEIVE = -1, GY_BY_RENDEZVOUS = 1 << 16 };

// Facts about variables that the compiler found.
typedef struct gy_vm_var {
    int32_t channel;    // a chan that always holds this identity; 0: not known
    uint32_t hidden_at; // hidden: position of element 0 in the block H
} gy_vm_var;

typedef struct gy_program_code {
    const gy_model *model;
    gy_code code;
    gy_vm_edge *edges;       // by edge number
    int32_t *receives;       // of each edge, the channel it receives from: read for many edges that
                             // cannot be taken
    uint64_t *node_receives; // of all templates
    gy_vm_template *templates;
    gy_vm_var *vars;
    uint32_t init; // 0: none
    uint32_t hidden_count;
    uint32_t max_fields; // of any message or argument list
    bool lossy;
} gy_program_code;

gy_program_code *gy_compile(const gy_model *model, bool lossy);
// quick.c: fills in the channel and the quick test of an edge.
void gy_find_quick_test(const gy_program_code *program, const int32_t *channel_types,
                        const gy_edge *edge, gy_vm_edge *to);
// Is this all that there is to an expression over global variables?
bool gy_find_quick_predicate(const gy_model *model, const gy_expr *expr, gy_quick_test *test);
void gy_program_code_free(gy_program_code *program);
// Code that ends with RET: the value of `expr`, as a process of template `tmpl` (GY_NONE: no
// process) sees it.
uint32_t gy_compile_expr(const gy_program_code *program, gy_code *into, const gy_expr *expr);

#endif
