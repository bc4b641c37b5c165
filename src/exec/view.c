// Looking into a state: what the backend knows, and what follows from the MODEL. See view.h.
#include "exec/view.h"

#include "model/atoms.h"

#include "exec/vm/inline_fields.h"

void gy_state_view_state(gy_worker *worker, const gy_word *state, uint32_t words,
                         gy_state_view *view)
{
    const gy_backend *backend = worker->system->backend;
    view->process_count = view->channel_count = 0;
    if (backend->viewer)
        backend->viewer->view(worker->impl, state, words, view);
}

int32_t gy_state_view_global(const gy_model *model, const gy_word *state, int32_t var,
                             uint32_t element)
{
    if (model->vars[var].hidden)
        return 0;
    return gy_get_var(state, &model->vars[var], element);
}

int32_t gy_state_view_local(const gy_model *model, const gy_word *state, const gy_state_view *view,
                            uint32_t pid, int32_t var, uint32_t element)
{
    if (model->vars[var].hidden)
        return 0;
    return gy_get_var(state + view->processes[pid].offset, &model->vars[var], element);
}

int32_t gy_state_view_field(const gy_model *model, const gy_word *state, const gy_state_view *view,
                            uint32_t channel, uint32_t message, uint32_t field)
{
    const gy_state_view_channel *at = &view->channels[channel];
    const gy_channel_type *type = &model->channel_types[at->type];
    return gy_chan_field(state + at->offset, type, message, field);
}

bool gy_state_view_eval(gy_worker *worker, const gy_word *state, uint32_t words, int32_t pid,
                        const gy_expr *expr, int32_t *value)
{
    const gy_backend *backend = worker->system->backend;
    *value = 0;
    return backend->viewer && backend->viewer->eval(worker->impl, state, words, pid, expr, value);
}

bool gy_state_view_value(gy_worker *worker, const gy_word *state, uint32_t words, int32_t pid,
                         gy_atom atom, int32_t *value)
{
    const gy_model *model = worker->system->model;
    *value = 0;
    if (model && atom)
        return gy_state_view_eval(worker, state, words, pid, gy_atom_expr(model, atom), value);
    uint64_t unknown, truth = gy_state_view_truths(worker, state, words, &atom, 1, &unknown);
    *value = truth & 1;
    return !(unknown & 1);
}

uint64_t gy_state_view_truths(gy_worker *worker, const gy_word *state, uint32_t words,
                              const gy_atom *atoms, uint32_t count, uint64_t *unknown)
{
    const gy_backend *backend = worker->system->backend;
    if (backend->truths)
        return backend->truths(worker->impl, state, words, atoms, count, unknown);
    *unknown = count < 64 ? (1ull << count) - 1 : UINT64_MAX;
    return 0;
}

bool gy_state_view_letters(gy_worker *worker, const gy_many *states, const gy_atom *atoms,
                           uint32_t count, uint64_t *letters)
{
    const gy_backend *backend = worker->system->backend;
    return backend->letters && backend->letters(worker->impl, states, atoms, count, letters);
}

void gy_step_output(gy_worker *worker, const gy_word *state, uint32_t words,
                    const gy_transition *transition, gy_print_hook *hook, void *user)
{
    const gy_backend *backend = worker->system->backend;
    if (backend->step_output)
        backend->step_output(worker->impl, state, words, transition, hook, user);
}
