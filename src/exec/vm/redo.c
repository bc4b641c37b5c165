// One step again, as it was found in a transition: for what it prints.
#include "exec/vm/vm.h"

#include <string.h>

static bool redo_half(gy_machine *m, gy_frame *frame, int32_t pid, int32_t edge, gy_buffer *to)
{
    const gy_vm_edge *code = &m->program->edges[edge];
    if (pid < 0 || (uint32_t)pid >= frame->shape->process_count)
        return false;
    m->s = frame->state;
    m->shape = frame->shape;
    gy_machine_become(m, pid);
    if (code->guard) {
        int32_t can = gy_vm_run(m, &m->program->code, code->guard);
        if (can == 0 || can == GY_RUN_FAULT)
            return false;
    }
    return gy_vm_execute(m, frame, code, pid, to);
}

static bool redo_jointly(gy_machine *m, gy_frame *frame, const gy_step *step, gy_buffer *to)
{
    const gy_vm_edge *code = &m->program->edges[step->edge];
    if (step->pid < 0 || (uint32_t)step->pid >= frame->shape->process_count)
        return false;
    gy_machine_become(m, step->pid);
    m->channel = code->channel;
    if (gy_vm_run(m, &m->program->code, code->message) == GY_RUN_FAULT)
        return false;
    m->offer = code->channel;
    bool good = redo_half(m, frame, step->partner, step->partner_edge, to);
    m->offer = 0;
    return good && gy_vm_do_half(m, code, step->pid);
}

bool gy_vm_redo(gy_machine *m, const gy_word *state, const gy_state_layout *shape,
                const gy_step *step, gy_buffer *out, const gy_state_layout **out_shape)
{
    gy_frame frame = {.state = (gy_word *)state, .shape = shape};
    gy_machine_look(m, state, shape);
    m->timeout = true;
    m->stack_at = 0;
    const gy_vm_edge *code = &m->program->edges[step->edge];
    if (step->partner >= 0 && code->message) {
        bool redone = redo_jointly(m, &frame, step, out);
        *out_shape = m->shape;
        return redone;
    }
    bool good = redo_half(m, &frame, step->pid, step->edge, out);
    if (good && step->partner >= 0) {
        gy_buffer half = {0};
        gy_buffer_reserve(&half, m->shape->words);
        memcpy(half.at, m->s, m->shape->words * sizeof *half.at);
        frame = (gy_frame){.state = half.at, .shape = m->shape};
        good = redo_half(m, &frame, step->partner, step->partner_edge, out);
        free(half.at);
    }
    *out_shape = m->shape;
    return good;
}
