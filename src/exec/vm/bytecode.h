// The bytecode of the virtual machine: instruction set and code objects.
//
// An instruction is 64 bits:
//
//      63                            32 31          16 15       8 7        0
//     +--------------------------------+--------------+----------+----------+
//     |             c (signed)         |      b       |    a     |    op    |   N C J B F A
//     +--------------------------------+--------------+----------+----------+
//     |         c (signed constant)    |     jump (signed, 24)   |    op    |   Q
//     +--------------------------------+-------------------------+----------+
//
//   format   operands
//     N      none
//     C      c: a constant, a number of something; a, b: as the instruction says
//     J      c: jump distance in instructions, relative to the next one
//     Q      c: a constant to compare with; jump: distance as for J
//     B      c: number of the byte, half word or word in the block
//     F      a field of a word: c the word, b = 32 - width, a = 32 - width - shift; so
//            (word << a) >> b is its value, arithmetic shift if it is signed
//     A      an array of fields: c the first word, a the width of an element,
//            b = shift of element 0 + 256 * log2(stride)
//
// The VM is a stack machine; the top of the stack, t, is kept in a register and u is the
// value below it. Values are 32-bit; arithmetic wraps around. Three blocks of memory: G, the
// global block (and so the whole state), L, the block of the process that runs, and H, the
// hidden variables. docs/internals/bytecode.md specifies each instruction; keep the two together.
//
// Code is position-independent: jumps are relative. It does not change once compiled.
#ifndef GYRE_EXEC_VM_BYTECODE_H
#define GYRE_EXEC_VM_BYTECODE_H

#include "base/vec.h"
#include "exec/system.h"
#include "model/model.h"

// name, format, change of the stack's height
#define GY_LOADS(X, M)                                                                             \
    X(LD##M##8, B, 1)                                                                              \
    X(LD##M##16, B, 1)                                                                             \
    X(LD##M##16S, B, 1)                                                                            \
    X(LD##M##32, B, 1)                                                                             \
    X(LD##M##F, F, 1)                                                                              \
    X(LD##M##FS, F, 1)                                                                             \
    X(LDX##M##8, B, 0)                                                                             \
    X(LDX##M##16, B, 0)                                                                            \
    X(LDX##M##16S, B, 0)                                                                           \
    X(LDX##M##32, B, 0)                                                                            \
    X(LDX##M##F, A, 0)                                                                             \
    X(LDX##M##FS, A, 0)                                                                            \
    X(ST##M##8, B, -1)                                                                             \
    X(ST##M##16, B, -1)                                                                            \
    X(ST##M##32, B, -1)                                                                            \
    X(ST##M##F, F, -1)                                                                             \
    X(STX##M##8, B, -2)                                                                            \
    X(STX##M##16, B, -2)                                                                           \
    X(STX##M##32, B, -2)                                                                           \
    X(STX##M##F, A, -2)

#define GY_OPS(X)                                                                                  \
    X(K, C, 1)                                                                                     \
    X(DROP, N, -1)                                                                                 \
    GY_LOADS(X, G)                                                                                 \
    GY_LOADS(X, L)                                                                                 \
    X(LDH, C, 1)                                                                                   \
    X(LDXH, C, 0)                                                                                  \
    X(STH, C, -1)                                                                                  \
    X(STXH, C, -2)                                                                                 \
    X(EXCLUSIVE, C, 0)                                                                             \
    X(INDEX, C, 0)                                                                                 \
    X(FIT, C, 0)                                                                                   \
    X(NOT, N, 0)                                                                                   \
    X(BOOL, N, 0)                                                                                  \
    X(NEG, N, 0)                                                                                   \
    X(COMPL, N, 0)                                                                                 \
    X(ADD, N, -1)                                                                                  \
    X(SUB, N, -1)                                                                                  \
    X(MUL, N, -1)                                                                                  \
    X(DIV, N, -1)                                                                                  \
    X(MOD, N, -1)                                                                                  \
    X(BAND, N, -1)                                                                                 \
    X(BOR, N, -1)                                                                                  \
    X(BXOR, N, -1)                                                                                 \
    X(SHL, N, -1)                                                                                  \
    X(SHR, N, -1)                                                                                  \
    X(LT, N, -1)                                                                                   \
    X(LE, N, -1)                                                                                   \
    X(GT, N, -1)                                                                                   \
    X(GE, N, -1)                                                                                   \
    X(EQ, N, -1)                                                                                   \
    X(NE, N, -1)                                                                                   \
    X(ADDK, C, 0)                                                                                  \
    X(LTK, C, 0)                                                                                   \
    X(LEK, C, 0)                                                                                   \
    X(GTK, C, 0)                                                                                   \
    X(GEK, C, 0)                                                                                   \
    X(EQK, C, 0)                                                                                   \
    X(NEK, C, 0)                                                                                   \
    X(JMP, J, 0)                                                                                   \
    X(JZ, J, -1)                                                                                   \
    X(JNZ, J, -1)                                                                                  \
    X(JLT, J, -2)                                                                                  \
    X(JLE, J, -2)                                                                                  \
    X(JGT, J, -2)                                                                                  \
    X(JGE, J, -2)                                                                                  \
    X(JEQ, J, -2)                                                                                  \
    X(JNE, J, -2)                                                                                  \
    X(JLTK, Q, -1)                                                                                 \
    X(JLEK, Q, -1)                                                                                 \
    X(JGTK, Q, -1)                                                                                 \
    X(JGEK, Q, -1)                                                                                 \
    X(JEQK, Q, -1)                                                                                 \
    X(JNEK, Q, -1)                                                                                 \
    X(LOOP, J, 0)                                                                                  \
    X(PASS, N, 0)                                                                                  \
    X(FAIL, N, 0)                                                                                  \
    X(RET, N, -1)                                                                                  \
    X(LEN, N, 0)                                                                                   \
    X(EMPTY, N, 0)                                                                                 \
    X(NEMPTY, N, 0)                                                                                \
    X(FULL, N, 0)                                                                                  \
    X(NFULL, N, 0)                                                                                 \
    X(CANSEND, N, 0)                                                                               \
    X(SENDTEST, N, 0)                                                                              \
    X(SEND, C, 0)                                                                                  \
    X(POLL, C, 0)                                                                                  \
    X(RECVTEST, C, 0)                                                                              \
    X(TAKE, C, 0)                                                                                  \
    X(LDM, C, 1)                                                                                   \
    X(PID, N, 1)                                                                                   \
    X(NRPR, N, 1)                                                                                  \
    X(LAST, N, 1)                                                                                  \
    X(NP, N, 1)                                                                                    \
    X(TIMEOUT, N, 1)                                                                               \
    X(ENABLED, N, 0)                                                                               \
    X(PCVAL, N, 0)                                                                                 \
    X(GETPRIO, N, 0)                                                                               \
    X(PRIO, N, 1)                                                                                  \
    X(ATLABEL, C, 0)                                                                               \
    X(REMOTE, C, -1)                                                                               \
    X(RUN, C, 1)                                                                                   \
    X(CHOOSE, N, -1)                                                                               \
    X(NEWCHAN, C, 1)                                                                               \
    X(SETPRIO, N, -2)                                                                              \
    X(ASSERT, N, -1)                                                                               \
    X(PRINTF, C, 0)                                                                                \
    X(PRINTM, N, -1)                                                                               \
    X(BLOCK, N, 0)                                                                                 \
    X(EVENT, C, -1)                                                                                \
    X(EVFIELD, C, -1)                                                                              \
    X(CCODE, C, 0)

typedef enum {
#define GY_OP_NAME(name, format, height) GY_OP_##name,
    GY_OPS(GY_OP_NAME)
#undef GY_OP_NAME
        GY_OP_COUNT
} gy_op;

// Operand a of SEND, and of RECVTEST and TAKE.
enum { GY_SEND_SORTED = 1, GY_SEND_IN_D_STEP = 2 };
enum { GY_RECV_RANDOM = 1, GY_RECV_KEEP = 2 };

typedef struct gy_instr {
    uint32_t head; // op, a, b or op, jump
    int32_t c;
} gy_instr;

#define GY_OP_OF(i) ((gy_op)((i).head & 255))
#define GY_A_OF(i) (((i).head >> 8) & 255)
#define GY_B_OF(i) ((i).head >> 16)
#define GY_JUMP_OF(i) ((int32_t)(i).head >> 8)

// What follows an instruction that can fault: for the message.
typedef struct gy_fault_note {
    uint32_t at; // instruction
    const gy_expr *expr;
    const gy_action *action;
    int32_t var; // INDEX: the array, or GY_NONE
} gy_fault_note;

// Entry points are offsets into `ins`; 0 is never one (instruction 0 is a FAIL).
typedef struct gy_code {
    GY_VEC(gy_instr) ins;
    GY_VEC(gy_fault_note) notes; // sorted by `at`
    GY_VEC(uint16_t) lists; // a count, then so many numbers: of fields (POLL, RECVTEST), claims
    uint32_t max_stack;
} gy_code;

void gy_code_free(gy_code *code);
const gy_fault_note *gy_code_note(const gy_code *code, uint32_t at); // NULL: none
const char *gy_op_name(gy_op op);

// A readable listing of everything that was compiled: init code, then for each template its
// edges with source lines. `gyre info --bytecode` prints it. Says so if there is no bytecode.
void gy_bytecode_list(gy_system *system, gy_text *out);

#endif
