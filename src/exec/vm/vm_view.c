// Looking into a state of the VM: its part of the backend's table. See system.h and view.h.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/atoms.h"

void gy_vm_view(void *worker, const gy_word *state, uint32_t words, gy_state_view *view)
{
    gy_machine *m = worker;
    const gy_state_layout *shape = gy_state_layout_of(m->vm, state, words);
    gy_machine_look(m, state, shape);
    view->process_count = shape->process_count;
    for (uint32_t pid = 0; pid < shape->process_count; pid++)
        view->processes[pid] = (gy_state_view_process){
            .tmpl = shape->process[pid].tmpl,
            .node = gy_machine_node(m, (int32_t)pid),
            .offset = shape->process[pid].offset,
            .priority = m->model->uses_priority ? gy_vm_priority(m, (int32_t)pid) : 1,
        };
    view->channel_count = shape->channel_count;
    for (uint32_t i = 0; i < shape->channel_count; i++) {
        const gy_state_layout_channel *channel = &shape->channel[i];
        const gy_channel_type *type = &m->model->channel_types[channel->type];
        view->channels[i] = (gy_state_view_channel){
            .type = channel->type,
            .offset = channel->offset,
            .length = type->capacity ? gy_chan_len(state + channel->offset, type) : 0,
            .creator = channel->creator,
        };
    }
}

bool gy_vm_eval(void *worker, const gy_word *state, uint32_t words, int32_t pid,
                const gy_expr *expr, int32_t *value)
{
    gy_machine *m = worker;
    if (pid < 0)
        return gy_machine_judge(m, state, words, expr, value);
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    m->stack_at = 0;
    gy_machine_become(m, pid);
    return gy_machine_eval(m, expr, value);
}

static const struct gy_cached_expr *cached_atom(gy_machine *m, gy_atom atom, size_t guess)
{
    const gy_expr *expr = gy_atom_expr(m->model, atom);
    return expr ? gy_machine_cached(m, expr, guess) : NULL;
}

static void make_letter(gy_machine *m, const gy_atom *atoms, uint32_t count)
{
    gy_letter_clear(&m->letter);
    for (uint32_t i = 0; i < count; i++) {
        const struct gy_cached_expr *cached = cached_atom(m, atoms[i], i);
        if (!cached || !cached->has_test) {
            gy_letter_clear(&m->letter);
            return;
        }
        if (!gy_letter_add(&m->letter, atoms[i], &cached->test))
            return;
    }
}

// Unless it is known that it cannot be made.
static void know_letter(gy_machine *m, const gy_atom *atoms, uint32_t count)
{
    if (m->letter_of == atoms && m->letter_count == count)
        return;
    m->letter_of = atoms;
    m->letter_count = count;
    make_letter(m, atoms, count);
}

// One by one.
static __attribute__((noinline)) uint64_t find_truths(gy_machine *m, const gy_word *state,
                                                      uint32_t words, const gy_atom *atoms,
                                                      uint32_t count, uint64_t *unknown)
{
    uint64_t truths = 0;
    *unknown = 0;
    know_letter(m, atoms, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct gy_cached_expr *cached = cached_atom(m, atoms[i], i);
        bool known = cached && cached->has_test;
        int32_t value = known && gy_quick_test_holds(&cached->test, state);
        known = known || (cached && gy_vm_eval(m, state, words, -1, cached->expr, &value));
        *unknown |= (uint64_t)!known << i;
        truths |= (uint64_t)(known && value) << i;
    }
    return truths;
}

uint64_t gy_vm_truths(void *worker, const gy_word *state, uint32_t words, const gy_atom *atoms,
                      uint32_t count, uint64_t *unknown)
{
    gy_machine *m = worker;
    if (!gy_letter_is(&m->letter, atoms, count))
        return find_truths(m, state, words, atoms, count, unknown);
    *unknown = 0;
    return gy_letter_of(&m->letter, state);
}

bool gy_vm_letters(void *worker, const gy_many *states, const gy_atom *atoms, uint32_t count,
                   uint64_t *letters)
{
    gy_machine *m = worker;
    if (!gy_letter_is(&m->letter, atoms, count)) {
        know_letter(m, atoms, count);
        if (!gy_letter_is(&m->letter, atoms, count))
            return false;
    }
    for (uint32_t i = 0; i < states->count; i++)
        letters[i] = gy_letter_of(&m->letter, states->states[i]);
    return true;
}

// All steps of a transition again; the state that they lead to in *now. False: one of them fails.
static bool redo_steps(gy_machine *m, const gy_word *state, uint32_t words,
                       const gy_transition *transition, gy_choice_list *choices, gy_buffer *now)
{
    const gy_state_layout *shape = gy_state_layout_of(m->vm, state, words);
    gy_buffer next = {0};
    bool good = true;
    gy_buffer_reserve(now, words);
    memcpy(now->at, state, words * sizeof *now->at);
    memcpy(m->hidden, m->hidden_start, m->program->hidden_count * sizeof *m->hidden);
    gy_vm_follow(m, choices);
    for (uint32_t i = 0; good && i < transition->step_count; i++) {
        good = gy_vm_redo(m, now->at, shape, &transition->steps[i], &next, &shape);
        gy_buffer swap = *now;
        *now = next;
        next = swap;
    }
    gy_fault_clear(&m->fault);
    free(next.at);
    return good && transition->state && shape->words == transition->words &&
           memcmp(now->at, transition->state, transition->words * sizeof *now->at) == 0;
}

// The choices with which the steps lead to where the transition did.
static void find_choices(gy_machine *m, const gy_word *state, uint32_t words,
                         const gy_transition *transition, gy_choice_list *choices)
{
    gy_buffer now = {0};
    while (!redo_steps(m, state, words, transition, choices, &now) && gy_next_choices(choices))
        ;
    free(now.at);
}

void gy_vm_step_output(void *worker, const gy_word *state, uint32_t words,
                       const gy_transition *transition, gy_print_hook *hook, void *user)
{
    gy_machine *m = worker;
    gy_buffer now = {0};
    gy_choice_list choices = {0};
    if (m->model->uses_choice)
        find_choices(m, state, words, transition, &choices);
    m->print = hook;
    m->print_user = user;
    redo_steps(m, state, words, transition, &choices, &now);
    m->print = NULL;
    free(now.at);
    gy_vec_free(&choices);
}
uint32_t gy_vm_flags(void *worker, const gy_word *state, uint32_t words)
{
    gy_machine *m = worker;
    uint32_t flags = 0;
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++) {
        const gy_vm_template *tmpl = &m->program->templates[m->shape->process[pid].tmpl];
        flags |= tmpl->nodes[gy_machine_node(m, (int32_t)pid)].flags;
    }
    return flags;
}
