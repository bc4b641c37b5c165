// Inside the compiler: emitting instructions. For compile.c and compile_expr.c only.
#ifndef GYRE_EXEC_VM_EMIT_H
#define GYRE_EXEC_VM_EMIT_H

#include "exec/vm/compile.h"

typedef GY_VEC(uint32_t) gy_jumps; // instructions whose jump is still open

typedef struct gy_emitter {
    const gy_model *model;
    const gy_vm_var *vars;
    gy_code *code;
    uint32_t height; // of the stack
} gy_emitter;

// Returns the number of the instruction.
uint32_t gy_emit(gy_emitter *e, gy_op op, uint32_t a, uint32_t b, int32_t c);
// As gy_emit, for an instruction whose effect on the stack is not fixed.
uint32_t gy_emit_by(gy_emitter *e, gy_op op, uint32_t a, uint32_t b, int32_t c, int32_t change);
uint32_t gy_emit_jump_k(gy_emitter *e, gy_op op, int32_t constant);
void gy_emit_note(gy_emitter *e, uint32_t at, const gy_expr *expr, const gy_action *action,
                  int32_t var);
void gy_patch(gy_emitter *e, uint32_t at, uint32_t target);
void gy_patch_all(gy_emitter *e, gy_jumps *jumps, uint32_t target); // and empties the list
uint32_t gy_here(const gy_emitter *e);

void gy_emit_value(gy_emitter *e, const gy_expr *expr);
// Jumps (recorded in `jumps`) if the truth of expr is `sense`, goes on otherwise.
void gy_emit_branch(gy_emitter *e, const gy_expr *expr, bool sense, gy_jumps *jumps);
// The index, if any, and then what is on top of the stack goes into var [index].
void gy_emit_index_of(gy_emitter *e, int32_t var, const gy_expr *index);
void gy_emit_store(gy_emitter *e, int32_t var, const gy_expr *index);
void gy_emit_load(gy_emitter *e, int32_t var, const gy_expr *index);
// The number of the list of fields that must match; their values are pushed.
uint32_t gy_emit_matches(gy_emitter *e, const gy_field *fields, uint32_t count);

// compile_effect.c. Of a receive, first the test and then, if it held, the rest. `action` is
// NULL for the synchronisation of an edge. `flags`: gy_receive_flags.
static inline uint32_t gy_receive_flags(bool random, bool keep)
{
    return (random ? GY_RECV_RANDOM : 0) | (keep ? GY_RECV_KEEP : 0);
}
void gy_emit_receive_test(gy_emitter *e, const gy_expr *chan, const gy_field *fields,
                          uint32_t count, uint32_t flags, const gy_action *action);
void gy_emit_receive(gy_emitter *e, const gy_field *fields, uint32_t count, bool keep,
                     const gy_action *action);
void gy_emit_send(gy_emitter *e, const gy_field *fields, uint32_t count, uint32_t flags,
                  const gy_action *action);
void gy_emit_actions(gy_emitter *e, const gy_program *program);

#endif
