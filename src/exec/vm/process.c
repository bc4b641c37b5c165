// Processes of the state that a machine works on: birth, death, which process may execute, and what
// one process can see of another.
#include "exec/embedded/embedded.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/spin_numbers.h"

// The state has grown: makes room, clears the new block and keeps s and p right.
static void grow(gy_machine *m, const gy_state_layout *shape)
{
    uint32_t old = m->shape->words;
    gy_buffer_reserve(m->growing, shape->words);
    m->s = m->growing->at;
    memset(m->s + old, 0, (shape->words - old) * sizeof *m->s);
    m->s[0] = shape->code;
    if (shape->link)
        m->s[shape->link] = shape->parent->code;
    m->shape = shape;
    if (m->pid >= 0)
        m->p = m->s + shape->process[m->pid].offset;
}

int32_t gy_vm_start(gy_machine *m, int32_t tmpl, int32_t priority, const int32_t *args,
                    uint32_t arg_count)
{
    uint32_t pid = m->shape->process_count;
    if (pid >= GY_MAX_PROCESSES)
        return -1;
    const gy_vm_template *code = &m->program->templates[tmpl];
    grow(m, gy_state_layout_push_process(m->vm->shapes, m->shape, tmpl));
    gy_word *block = m->s + m->shape->process[pid].offset;
    block[0] = (gy_word)code->initial;
    if (m->model->uses_priority)
        block[0] |= (gy_word)(priority > 0 ? priority : 1) << code->priority_shift;
    for (uint32_t a = 0; a < arg_count && a < code->param_count; a++) {
        const gy_variable *var = &m->model->vars[code->first_var + a];
        if (!var->hidden)
            gy_put_var(block, var, 0, args[a]);
    }
    if (code->init) {
        int32_t caller = m->pid;
        gy_machine_become(m, (int32_t)pid);
        int32_t result = gy_vm_run(m, &m->program->code, code->init);
        m->pid = caller;
        m->p = caller >= 0 ? m->s + m->shape->process[caller].offset : NULL;
        if (result == GY_RUN_FAULT)
            return -2;
    }
    return !m->vm->embedded || gy_embedded_start_process(m, (int32_t)pid) ? (int32_t)pid : -2;
}

int32_t gy_vm_new_channel(gy_machine *m, int32_t type)
{
    if (m->shape->channel_count >= GY_MAX_CHANNELS)
        return -1;
    grow(m, gy_state_layout_push_channel(m->vm->shapes, m->shape, type));
    return (int32_t)m->shape->channel_count;
}

void gy_vm_end(gy_machine *m)
{
    m->shape = gy_state_layout_pop_process(m->shape);
    m->s[0] = m->shape->code;
}

static bool is_alive(const gy_machine *m, int32_t pid)
{
    return pid >= 0 && (uint32_t)pid < m->shape->process_count;
}

int32_t gy_vm_priority(const gy_machine *m, int32_t pid)
{
    if (!is_alive(m, pid) || !m->model->uses_priority)
        return 0;
    const gy_state_layout_process *process = &m->shape->process[pid];
    uint32_t shift = m->program->templates[process->tmpl].priority_shift;
    return (int32_t)(m->s[process->offset] >> shift & 255);
}

void gy_vm_set_priority(gy_machine *m, int32_t pid, int32_t priority)
{
    if (!is_alive(m, pid))
        return;
    const gy_state_layout_process *process = &m->shape->process[pid];
    uint32_t shift = m->program->templates[process->tmpl].priority_shift;
    gy_put_bits(m->s + process->offset, 0, shift, 8, priority);
}

// ---- which process may execute ------------------------------------------------------------------

// As Spin decides it: any edge whose guard holds will do; a rendezvous offer counts without
// its partner; `else` counts unless the process that asks has moved already.
bool gy_vm_enabled(gy_machine *m, int32_t pid)
{
    if (!is_alive(m, pid) || m->stack_at > m->vm->max_stack * 16)
        return false;
    const gy_program_code *program = m->program;
    int32_t own = m->pid, channel = m->channel;
    uint32_t slot = m->slot;
    gy_word *block = m->p; // a never claim's is in no state
    gy_machine_become(m, pid);
    const gy_node *node =
        &program->templates[m->shape->process[pid].tmpl].nodes[gy_machine_node(m, pid)];
    bool result = false;
    int32_t value;
    for (int32_t k = 0; k < node->edge_count && !result; k++) {
        const gy_vm_edge *edge = &program->edges[node->first_edge + k];
        if (m->offer && edge->sync != GY_SYNC_RECV)
            continue;
        if (edge->kind == GY_EDGE_ELSE)
            result = !m->moved;
        else if (edge->kind == GY_EDGE_END)
            result = (uint32_t)pid + 1 == m->shape->process_count;
        else
            result = !edge->guard || !gy_vm_run_quietly(m, &program->code, edge->guard, &value) ||
                     value != 0;
    }
    m->channel = channel;
    m->slot = slot;
    m->pid = own;
    m->p = block;
    return result;
}

static bool is_provided(gy_machine *m, int32_t pid)
{
    uint32_t provided = m->program->templates[m->shape->process[pid].tmpl].provided;
    if (!provided)
        return true;
    int32_t own = m->pid;
    gy_word *block = m->p;
    gy_machine_become(m, pid);
    int32_t value;
    bool holds = gy_vm_run_quietly(m, &m->program->code, provided, &value) && value == 1;
    m->pid = own;
    m->p = block;
    return holds;
}

bool gy_vm_may_move(gy_machine *m, int32_t pid)
{
    if (!is_provided(m, pid))
        return false;
    if (!m->model->uses_priority)
        return true;
    int32_t priority = gy_vm_priority(m, pid);
    for (int32_t other = 0; other < (int32_t)m->shape->process_count; other++)
        if (other != pid && gy_vm_priority(m, other) > priority && is_provided(m, other) &&
            gy_vm_enabled(m, other))
            return false;
    return true;
}

// ---- what one process sees of another ---------------------------------------------------

// A system that has stopped is not one that goes on without progress: there it is false.
bool gy_vm_np(const gy_machine *m)
{
    if (m->stopped)
        return false;
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++) {
        const gy_vm_template *tmpl = &m->program->templates[m->shape->process[pid].tmpl];
        if (tmpl->nodes[gy_machine_node(m, (int32_t)pid)].flags & GY_NODE_PROGRESS)
            return false;
    }
    return true;
}

int32_t gy_vm_pc_value(const gy_machine *m, int32_t pid)
{
    if (!is_alive(m, pid))
        return 0;
    return gy_spin_state(m->model, m->shape->process[pid].tmpl, gy_machine_node(m, pid));
}

// -1 stands for the first instance of the template.
static int32_t find_instance(const gy_machine *m, int32_t pid, int32_t tmpl)
{
    if (pid != -1)
        return is_alive(m, pid) ? pid : -1;
    for (uint32_t i = 0; i < m->shape->process_count; i++)
        if (m->shape->process[i].tmpl == tmpl)
            return (int32_t)i;
    return -1;
}

bool gy_vm_at_label(const gy_machine *m, int32_t pid, int32_t tmpl, int32_t node)
{
    pid = find_instance(m, pid, tmpl);
    return pid >= 0 && m->shape->process[pid].tmpl == tmpl && gy_machine_node(m, pid) == node;
}

bool gy_vm_remote(const gy_machine *m, int32_t pid, int32_t number, int32_t element, int32_t *value)
{
    const gy_variable *var = &m->model->vars[number];
    *value = 0;
    pid = find_instance(m, pid, var->owner);
    if (pid < 0)
        return true;
    if (m->shape->process[pid].tmpl != var->owner)
        return false;
    if (element < 0 || (uint32_t)element >= var->count || var->hidden)
        return true;
    *value = gy_get_var(m->s + m->shape->process[pid].offset, var, (uint32_t)element);
    return true;
}

int32_t gy_vm_last(const gy_machine *m)
{
    if (!m->model->uses_last)
        return 0;
    return gy_get_bits(m->s, m->model->last_word, m->model->last_shift, 8, false);
}

void gy_vm_fade_last(const gy_model *model, const gy_state_layout *layout, gy_word *state)
{
    for (uint32_t pid = 0; pid < layout->process_count; pid++) {
        const gy_template *tmpl = &model->templates[layout->process[pid].tmpl];
        uint32_t mask = tmpl->pc_bits ? ~0u >> (32 - tmpl->pc_bits) : 0;
        if (tmpl->reads_last[state[layout->process[pid].offset] & mask])
            return;
    }
    gy_put_bits(state, model->last_word, model->last_shift, 8, 0);
}

void gy_vm_set_last(gy_machine *m, int32_t pid)
{
    gy_put_bits(m->s, m->model->last_word, m->model->last_shift, 8, pid);
}
