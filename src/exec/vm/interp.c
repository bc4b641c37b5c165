// The interpreter: direct-threaded dispatch over computed gotos.
//
// Registers: pc, the stack pointer sp, the top of the stack t, and the blocks s (global) and p
// (the process). Every push spills t, so the value below the first one pushed is junk; code
// never examines it. Anything that can start processes or run other code (RUN, NEWCHAN,
// ENABLED, events) may move the state: s and p are read again afterwards.
#include "exec/embedded/embedded.h"
#include "exec/vm/channel.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"

enum { FUEL = 10000000 }; // jumps that one step may take: more is taken to be endless

static int32_t truncate_to(int32_t value, uint32_t width, bool is_signed)
{
    if (width >= 32)
        return value;
    uint32_t high = (uint32_t)value << (32 - width);
    return is_signed ? (int32_t)high >> (32 - width) : (int32_t)(high >> (32 - width));
}

#define PUSH(value)                                                                                \
    do {                                                                                           \
        int32_t pushed_ = (value);                                                                 \
        *sp++ = t;                                                                                 \
        t = pushed_;                                                                               \
    } while (0)

#define NEXT                                                                                       \
    do {                                                                                           \
        i = *pc++;                                                                                 \
        goto *labels[i.head & 255];                                                                \
    } while (0)

#define RAISED                                                                                     \
    do {                                                                                           \
        m->stack_at = base_at;                                                                     \
        m->code = outer;                                                                           \
        return GY_RUN_FAULT;                                                                       \
    } while (0)

// A fault that the instruction itself detects.
#define FAULT(kind, value, limit)                                                                  \
    do {                                                                                           \
        gy_raise_at(m, kind, NOTE, value, limit);                                                  \
        RAISED;                                                                                    \
    } while (0)

#define NOTE gy_code_note(code, (uint32_t)(pc - 1 - code->ins.at))

// Around anything that may run code again or move the state.
#define CALL_OUT (m->stack_at = (uint32_t)(sp - m->stack) + 1)
#define CALL_IN (m->stack_at = base_at, s = m->s, p = m->p)

// The n values on top of the stack, lowest first; they stay there until POP_N.
#define TOP_N(n) (*sp = t, sp - (int32_t)(n) + 1)
#define POP_N(n)                                                                                   \
    do {                                                                                           \
        *sp = t;                                                                                   \
        sp -= (n);                                                                                 \
        t = *sp;                                                                                   \
    } while (0)

#define MEMORY(M, block)                                                                           \
    LABEL(LD##M##8)                                                                                \
    PUSH(gy_get8(block, (uint32_t)i.c));                                                           \
    NEXT;                                                                                          \
    LABEL(LD##M##16)                                                                               \
    PUSH(gy_get16(block, (uint32_t)i.c));                                                          \
    NEXT;                                                                                          \
    LABEL(LD##M##16S)                                                                              \
    PUSH((int16_t)gy_get16(block, (uint32_t)i.c));                                                 \
    NEXT;                                                                                          \
    LABEL(LD##M##32)                                                                               \
    PUSH((int32_t)block[i.c]);                                                                     \
    NEXT;                                                                                          \
    LABEL(LD##M##F)                                                                                \
    PUSH((int32_t)(block[i.c] << GY_A_OF(i) >> GY_B_OF(i)));                                       \
    NEXT;                                                                                          \
    LABEL(LD##M##FS)                                                                               \
    PUSH((int32_t)(block[i.c] << GY_A_OF(i)) >> GY_B_OF(i));                                       \
    NEXT;                                                                                          \
    LABEL(LDX##M##8)                                                                               \
    t = gy_get8(block, (uint32_t)(i.c + t));                                                       \
    NEXT;                                                                                          \
    LABEL(LDX##M##16)                                                                              \
    t = gy_get16(block, (uint32_t)(i.c + t));                                                      \
    NEXT;                                                                                          \
    LABEL(LDX##M##16S)                                                                             \
    t = (int16_t)gy_get16(block, (uint32_t)(i.c + t));                                             \
    NEXT;                                                                                          \
    LABEL(LDX##M##32)                                                                              \
    t = (int32_t)block[i.c + t];                                                                   \
    NEXT;                                                                                          \
    LABEL(LDX##M##F)                                                                               \
    {                                                                                              \
        uint32_t bit = (GY_B_OF(i) & 255) + ((uint32_t)t << (GY_B_OF(i) >> 8));                    \
        t = gy_get_bits(block, (uint32_t)i.c + bit / 32, bit % 32, GY_A_OF(i), false);             \
        NEXT;                                                                                      \
    }                                                                                              \
    LABEL(LDX##M##FS)                                                                              \
    {                                                                                              \
        uint32_t bit = (GY_B_OF(i) & 255) + ((uint32_t)t << (GY_B_OF(i) >> 8));                    \
        t = gy_get_bits(block, (uint32_t)i.c + bit / 32, bit % 32, GY_A_OF(i), true);              \
        NEXT;                                                                                      \
    }                                                                                              \
    LABEL(ST##M##8)                                                                                \
    gy_put8(block, (uint32_t)i.c, t);                                                              \
    t = *--sp;                                                                                     \
    NEXT;                                                                                          \
    LABEL(ST##M##16)                                                                               \
    gy_put16(block, (uint32_t)i.c, t);                                                             \
    t = *--sp;                                                                                     \
    NEXT;                                                                                          \
    LABEL(ST##M##32)                                                                               \
    block[i.c] = (uint32_t)t;                                                                      \
    t = *--sp;                                                                                     \
    NEXT;                                                                                          \
    LABEL(ST##M##F)                                                                                \
    gy_put_bits(block, (uint32_t)i.c, GY_B_OF(i) - GY_A_OF(i), 32 - GY_B_OF(i), t);                \
    t = *--sp;                                                                                     \
    NEXT;                                                                                          \
    LABEL(STX##M##8)                                                                               \
    gy_put8(block, (uint32_t)(i.c + sp[-1]), t);                                                   \
    sp -= 2;                                                                                       \
    t = *sp;                                                                                       \
    NEXT;                                                                                          \
    LABEL(STX##M##16)                                                                              \
    gy_put16(block, (uint32_t)(i.c + sp[-1]), t);                                                  \
    sp -= 2;                                                                                       \
    t = *sp;                                                                                       \
    NEXT;                                                                                          \
    LABEL(STX##M##32)                                                                              \
    block[i.c + sp[-1]] = (uint32_t)t;                                                             \
    sp -= 2;                                                                                       \
    t = *sp;                                                                                       \
    NEXT;                                                                                          \
    LABEL(STX##M##F)                                                                               \
    {                                                                                              \
        uint32_t bit = (GY_B_OF(i) & 255) + ((uint32_t)sp[-1] << (GY_B_OF(i) >> 8));               \
        gy_put_bits(block, (uint32_t)i.c + bit / 32, bit % 32, GY_A_OF(i), t);                     \
        sp -= 2;                                                                                   \
        t = *sp;                                                                                   \
        NEXT;                                                                                      \
    }

#define BINARY(name, expression)                                                                   \
    LABEL(name)                                                                                    \
    {                                                                                              \
        int32_t x = *--sp, y = t;                                                                  \
        t = (expression);                                                                          \
        NEXT;                                                                                      \
    }

#define COMPARE(name, op)                                                                          \
    LABEL(name)                                                                                    \
    t = *--sp op t;                                                                                \
    NEXT;                                                                                          \
    LABEL(name##K)                                                                                 \
    t = t op i.c;                                                                                  \
    NEXT;                                                                                          \
    LABEL(J##name)                                                                                 \
    pc += sp[-1] op t ? i.c : 0;                                                                   \
    sp -= 2;                                                                                       \
    t = *sp;                                                                                       \
    NEXT;                                                                                          \
    LABEL(J##name##K)                                                                              \
    pc += t op i.c ? GY_JUMP_OF(i) : 0;                                                            \
    t = *--sp;                                                                                     \
    NEXT;

// An instruction that replaces t by what a function says of it.
#define ASK(name, value)                                                                           \
    LABEL(name)                                                                                    \
    {                                                                                              \
        int32_t answer = (value);                                                                  \
        if (answer == GY_RUN_FAULT)                                                                \
            RAISED;                                                                                \
        t = answer;                                                                                \
        NEXT;                                                                                      \
    }

#define LABEL(name) do_##name:

int32_t gy_vm_run(gy_machine *m, const gy_code *code, uint32_t at)
{
    static const void *const labels[] = {
#define GY_OP_LABEL(name, format, height) &&do_##name,
        GY_OPS(GY_OP_LABEL)
#undef GY_OP_LABEL
    };
    const gy_code *outer = m->code;
    const uint32_t base_at = m->stack_at;
    const gy_instr *pc = code->ins.at + at;
    int32_t *sp = m->stack + base_at;
    int32_t t = 0;
    gy_word *s = m->s, *p = m->p;
    gy_instr i;
    int32_t answer_;

    m->code = code;
    if (base_at == 0)
        m->fuel = FUEL;
    NEXT;

    LABEL(K)
    PUSH(i.c);
    NEXT;
    LABEL(DROP)
    t = *--sp;
    NEXT;

    MEMORY(G, s)
    MEMORY(L, p)

    LABEL(LDH)
    PUSH(m->hidden[i.c]);
    NEXT;
    LABEL(LDXH)
    t = m->hidden[i.c + t];
    NEXT;
    LABEL(STH)
    m->hidden[i.c] = truncate_to(t, GY_A_OF(i), GY_B_OF(i));
    t = *--sp;
    NEXT;
    LABEL(STXH)
    m->hidden[i.c + sp[-1]] = truncate_to(t, GY_A_OF(i), GY_B_OF(i));
    sp -= 2;
    t = *sp;
    NEXT;

    LABEL(INDEX)
    if ((uint32_t)t >= (uint32_t)i.c)
        FAULT(GY_FAULT_INDEX, t, i.c);
    NEXT;
    LABEL(FIT)
    if (truncate_to(t, GY_A_OF(i), GY_B_OF(i)) != t)
        FAULT(GY_FAULT_RANGE, t, 0);
    NEXT;

    LABEL(NOT)
    t = !t;
    NEXT;
    LABEL(BOOL)
    t = t != 0;
    NEXT;
    LABEL(NEG)
    t = (int32_t) - (uint32_t)t;
    NEXT;
    LABEL(COMPL)
    t = ~t;
    NEXT;
    BINARY(ADD, (int32_t)((uint32_t)x + (uint32_t)y))
    BINARY(SUB, (int32_t)((uint32_t)x - (uint32_t)y))
    BINARY(MUL, (int32_t)((uint32_t)x * (uint32_t)y))
    LABEL(DIV)
    if (t == 0)
        FAULT(GY_FAULT_DIVISION, sp[-1], 0);
    --sp;
    t = (int32_t)(uint32_t)((int64_t)*sp / t); // the least integer by -1 wraps around
    NEXT;
    LABEL(MOD)
    if (t == 0)
        FAULT(GY_FAULT_DIVISION, sp[-1], 1);
    --sp;
    t = (int32_t)((int64_t)*sp % t);
    NEXT;
    BINARY(BAND, x & y)
    BINARY(BOR, x | y)
    BINARY(BXOR, x ^ y)
    BINARY(SHL, (int32_t)((uint32_t)x << (y & 31)))
    BINARY(SHR, x >> (y & 31))
    COMPARE(LT, <)
    COMPARE(LE, <=)
    COMPARE(GT, >)
    COMPARE(GE, >=)
    COMPARE(EQ, ==)
    COMPARE(NE, !=)
    LABEL(ADDK)
    t = (int32_t)((uint32_t)t + (uint32_t)i.c);
    NEXT;

    LABEL(JMP)
    pc += i.c;
    NEXT;
    LABEL(JZ)
    pc += t ? 0 : i.c;
    t = *--sp;
    NEXT;
    LABEL(JNZ)
    pc += t ? i.c : 0;
    t = *--sp;
    NEXT;
    LABEL(LOOP)
    if (--m->fuel == 0)
        FAULT(GY_FAULT_D_STEP, FUEL, 0);
    pc += i.c;
    NEXT;
    LABEL(PASS)
    answer_ = 1;
    goto done;
    LABEL(FAIL)
    answer_ = 0;
    goto done;
    LABEL(RET)
    answer_ = t;
    goto done;

    ASK(LEN, gy_chan_length(m, t))
    LABEL(EMPTY)
    t = gy_chan_length(m, t);
    if (t == GY_RUN_FAULT)
        RAISED;
    t = t == 0;
    NEXT;
    LABEL(NEMPTY)
    t = gy_chan_length(m, t);
    if (t == GY_RUN_FAULT)
        RAISED;
    t = t != 0;
    NEXT;
    ASK(FULL, gy_chan_is_full(m, t))
    LABEL(NFULL)
    t = gy_chan_is_full(m, t);
    if (t == GY_RUN_FAULT)
        RAISED;
    t = !t;
    NEXT;
    LABEL(CANSEND)
    t = gy_chan_send_test(m, t);
    if (t == GY_RUN_FAULT)
        RAISED;
    t = t != 0;
    NEXT;
    LABEL(SENDTEST)
    m->channel = t;
    t = gy_chan_send_test(m, t);
    if (t == GY_RUN_FAULT)
        RAISED;
    NEXT;
    LABEL(SEND)
    {
        uint32_t n = GY_B_OF(i);
        const int32_t *values = TOP_N(n);
        CALL_OUT;
        if (!gy_chan_send(m, values, n, GY_A_OF(i)))
            RAISED;
        CALL_IN;
        POP_N(n);
        NEXT;
    }
    LABEL(POLL)
    {
        const uint16_t *list = code->lists.at + i.c;
        const int32_t *values = TOP_N(list[0]);
        int32_t found = gy_chan_poll(m, values[-1], list + 1, list[0], values, GY_A_OF(i));
        if (found == GY_RUN_FAULT)
            RAISED;
        POP_N(list[0]);
        t = found;
        NEXT;
    }
    LABEL(RECVTEST)
    {
        const uint16_t *list = code->lists.at + i.c;
        const int32_t *values = TOP_N(list[0]);
        int32_t found = gy_chan_receive_test(m, values[-1], list + 1, list[0], values, GY_A_OF(i));
        if (found == GY_RUN_FAULT)
            RAISED;
        POP_N(list[0]);
        t = found;
        NEXT;
    }
    LABEL(TAKE)
    PUSH(0);
    CALL_OUT;
    if (!gy_chan_take(m, GY_B_OF(i), GY_A_OF(i)))
        RAISED;
    CALL_IN;
    t = *--sp;
    NEXT;
    LABEL(LDM)
    PUSH(m->taken[i.c]);
    NEXT;

    LABEL(EXCLUSIVE)
    {
        const uint16_t *list = code->lists.at + i.c;
        if (!gy_vm_may_use(m, t, list + 1, list[0]))
            RAISED;
        NEXT;
    }

    LABEL(PID)
    PUSH(m->pid);
    NEXT;
    LABEL(NRPR)
    PUSH((int32_t)m->shape->process_count);
    NEXT;
    LABEL(LAST)
    PUSH(gy_vm_last(m));
    NEXT;
    LABEL(NP)
    PUSH(gy_vm_np(m));
    NEXT;
    LABEL(TIMEOUT)
    PUSH(m->timeout);
    NEXT;
    LABEL(ENABLED)
    if (t == m->pid)
        FAULT(GY_FAULT_ENABLED_SELF, t, 0);
    CALL_OUT;
    t = gy_vm_enabled(m, t);
    CALL_IN;
    NEXT;
    LABEL(PCVAL)
    t = gy_vm_pc_value(m, t);
    NEXT;
    LABEL(GETPRIO)
    t = gy_vm_priority(m, t);
    NEXT;
    LABEL(PRIO)
    PUSH(gy_vm_priority(m, m->pid));
    NEXT;
    LABEL(ATLABEL)
    t = gy_vm_at_label(m, t, (int32_t)GY_B_OF(i), i.c);
    NEXT;
    LABEL(REMOTE)
    {
        int32_t value, pid = sp[-1];
        if (!gy_vm_remote(m, pid, i.c, t, &value))
            FAULT(GY_FAULT_REMOTE, pid, i.c);
        --sp;
        t = value;
        NEXT;
    }

    LABEL(CHOOSE)
    --sp;
    if (*sp > t)
        FAULT(GY_FAULT_CHOICE, *sp, t);
    t = gy_vm_choose(m, *sp, t);
    NEXT;
    LABEL(RUN)
    {
        uint32_t n = GY_A_OF(i);
        const int32_t *args = TOP_N(n);
        CALL_OUT;
        int32_t pid = gy_vm_start(m, i.c, (int32_t)GY_B_OF(i), args, n);
        CALL_IN;
        if (pid == -1)
            FAULT(GY_FAULT_TOO_MANY_PROCESSES, GY_MAX_PROCESSES, 0);
        if (pid < 0)
            RAISED;
        POP_N(n);
        PUSH(pid);
        NEXT;
    }
    LABEL(NEWCHAN)
    {
        int32_t id = gy_vm_new_channel(m, i.c);
        if (id < 0)
            FAULT(GY_FAULT_TOO_MANY_CHANNELS, GY_MAX_CHANNELS, 0);
        s = m->s;
        p = m->p;
        PUSH(id);
        NEXT;
    }
    LABEL(SETPRIO)
    if (t < 1 || t > 255)
        FAULT(GY_FAULT_PRIORITY, t, 0);
    gy_vm_set_priority(m, sp[-1], t);
    sp -= 2;
    t = *sp;
    NEXT;
    LABEL(ASSERT)
    if (!t) {
        CALL_OUT;
        gy_raise_at(m, GY_FAULT_ASSERTION, NOTE, 0, 0);
        CALL_IN;
    }
    t = *--sp;
    NEXT;
    LABEL(PRINTF)
    {
        uint32_t n = GY_B_OF(i);
        const int32_t *values = TOP_N(n);
        if (m->print)
            gy_vm_print(m, NOTE->action, values, n);
        POP_N(n);
        NEXT;
    }
    LABEL(PRINTM)
    if (m->print)
        gy_vm_print(m, NOTE->action, &t, 1);
    t = *--sp;
    NEXT;
    LABEL(BLOCK)
    FAULT(GY_FAULT_D_STEP, 0, 0);
    LABEL(EVENT)
    if (m->event_is_receive != GY_A_OF(i) || m->event_channel != t) {
        answer_ = 0;
        goto done;
    }
    t = *--sp;
    NEXT;
    LABEL(EVFIELD)
    if (m->event_message[i.c] != t) {
        answer_ = 0;
        goto done;
    }
    t = *--sp;
    NEXT;
    LABEL(CCODE)
    {
        int32_t value;
        if (!m->vm->embedded)
            FAULT(GY_FAULT_C, 0, 0);
        if (!gy_embedded_run(m, i.c, !GY_A_OF(i), &value))
            RAISED;
        if (GY_A_OF(i))
            PUSH(value);
        NEXT;
    }

done:
    m->code = outer;
    return answer_;
}
