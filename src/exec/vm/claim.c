// Stepping a never claim. See system.h.
#include "exec/vm/vm.h"

static gy_machine *look(void *worker, const gy_word *state, uint32_t words, bool timeout)
{
    gy_machine *m = worker;
    bool stopped = m->model->uses_np && gy_vm_has_stopped(m, state, words);
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    m->timeout = timeout;
    m->stopped = stopped;
    m->stack_at = 0;
    return m;
}

void gy_vm_claim_start(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                       gy_word *block)
{
    gy_machine *m = look(worker, state, words, false);
    const gy_vm_template *code = &m->program->templates[tmpl];
    memset(block, 0, m->model->templates[tmpl].words * sizeof *block);
    block[0] = (gy_word)code->initial;
    m->p = block;
    if (code->init)
        gy_vm_run(m, &m->program->code, code->init);
    gy_fault_clear(&m->fault);
}

int gy_vm_claim_moves(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                      const gy_word *block, bool timeout, gy_claim_visit *visit, void *user)
{
    gy_machine *m = look(worker, state, words, timeout);
    uint32_t size = m->model->templates[tmpl].words;
    gy_word mask = m->program->templates[tmpl].pc_mask;
    const gy_node *at = &m->model->templates[tmpl].nodes[block[0] & mask];
    gy_word *now = gy_alloc(size * sizeof *now);
    bool moved = false;
    uint32_t escape = 0; // one of this rank has fired: others are not examined
    int stop = 0;
    for (int32_t k = 0; k < at->edge_count && !stop; k++) {
        int32_t number = at->first_edge + k;
        const gy_vm_edge *edge = &m->program->edges[number];
        if (escape && edge->escape != escape)
            break;
        if (edge->kind == GY_EDGE_END || (edge->kind == GY_EDGE_ELSE && moved))
            continue;
        memcpy(now, block, size * sizeof *now);
        m->p = now;
        m->moved = moved;
        if (edge->guard && gy_vm_run(m, &m->program->code, edge->guard) != 1)
            continue;
        moved = true;
        escape = edge->escape;
        gy_fault_clear(&m->fault);
        if (edge->effect)
            gy_vm_run(m, &m->program->code, edge->effect);
        now[0] = (now[0] & ~mask) | (gy_word)edge->to;
        stop = visit(user, number, now, m->fault.fault.kind);
    }
    gy_fault_clear(&m->fault);
    m->timeout = false;
    free(now);
    return stop;
}
