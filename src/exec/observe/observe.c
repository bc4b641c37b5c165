#include "exec/observe/observe.h"

#include "exec/vm/vm.h"

uint32_t gy_state_flags(gy_worker *worker, const gy_word *state, uint32_t words)
{
    gy_machine *m = worker->impl;
    uint32_t flags = 0;
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++) {
        const gy_vm_template *tmpl = &m->program->templates[m->shape->process[pid].tmpl];
        flags |= tmpl->nodes[gy_machine_node(m, (int32_t)pid)].flags;
    }
    return flags;
}

bool gy_model_has_flag(const gy_model *model, uint32_t flags)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->kind != GY_TMPL_PROCESS && tmpl->kind != GY_TMPL_INIT)
            continue;
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if (tmpl->nodes[n].flags & flags)
                return true;
    }
    return false;
}

void gy_observer_free(gy_observer *observer)
{
    if (!observer)
        return;
    if (observer->free)
        observer->free(observer->self);
    free(observer);
}

gy_observer *gy_observer_of(gy_observer observer)
{
    gy_observer *copy = gy_alloc(sizeof *copy);
    *copy = observer;
    return copy;
}

// ---- labels of processes ------------------------------------------------------------------

static void acceptance_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                             uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self, (void)at;
    bool accepts = gy_state_flags(worker, state, words) & GY_NODE_ACCEPT;
    gy_observer_move move = {.marks = accepts, .edge = -1};
    visit(user, &move);
}

gy_observer *gy_observe_acceptance(void)
{
    return gy_observer_of((gy_observer){
        .states = 1, .bounded = true, .sets = 1, .stutters = true, .moves = acceptance_moves});
}

// State 0 waits; state 1 has guessed that no progress will be seen any more. A system that has
// stopped is no cycle: no stuttering.
static void progress_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                           uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self;
    bool progress = gy_state_flags(worker, state, words) & GY_NODE_PROGRESS;
    gy_observer_move wait = {.to = 0, .edge = -1}, guess = {.to = 1, .marks = at, .edge = -1};
    if (!progress)
        visit(user, &guess);
    if (at == 0)
        visit(user, &wait);
}

gy_observer *gy_observe_progress(void)
{
    return gy_observer_of((gy_observer){
        .states = 2, .bounded = true, .sets = 1, .weak = true, .moves = progress_moves});
}
