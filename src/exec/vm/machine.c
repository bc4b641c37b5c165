// A machine: its memory, and expressions compiled on demand.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/visit.h"

enum { EXTRA_STACK = 4096 };

void gy_machine_init(gy_machine *m, const gy_vm *vm)
{
    memset(m, 0, sizeof *m);
    m->vm = vm;
    m->model = vm->model;
    m->program = vm->program;
    m->pid = -1;
    uint32_t fields = vm->program->max_fields + 1;
    m->message = gy_alloc_zero(fields * sizeof *m->message);
    m->taken = gy_alloc_zero(fields * sizeof *m->taken);
    m->padded = gy_alloc_zero(fields * sizeof *m->padded);
    m->hidden = gy_alloc_zero((vm->program->hidden_count + 1) * sizeof *m->hidden);
    m->hidden_start = gy_alloc_zero((vm->program->hidden_count + 1) * sizeof *m->hidden);
    m->stack = gy_alloc_zero(((size_t)vm->max_stack * 20 + EXTRA_STACK) * sizeof *m->stack);
}

void gy_machine_done(gy_machine *m)
{
    for (size_t i = 0; i < m->frames.room; i++) {
        free(m->frames.at[i].buffer.at);
        free(m->frames.at[i].hidden);
        free(m->frames.at[i].offered);
        gy_vec_free(&m->frames.at[i].choices);
    }
    gy_vec_free(&m->frames);
    gy_vec_free(&m->steps);
    gy_vec_free(&m->cached);
    gy_letter_free(&m->letter);
    gy_code_free(&m->extra);
    gy_pending_fault_free(&m->fault);
    gy_pending_fault_free(&m->sender_fault);
    gy_text_free(&m->c_failure.text);
    free(m->c_failure.state.at);
    free(m->message);
    free(m->taken);
    free(m->padded);
    free(m->hidden);
    free(m->hidden_start);
    free(m->stack);
    gy_map_free(&m->seen);
}

void gy_buffer_reserve(gy_buffer *buffer, uint32_t words)
{
    if (words <= buffer->room)
        return;
    uint32_t room = words + words / 2 + 16;
    buffer->at = gy_realloc(buffer->at, room * sizeof *buffer->at);
    buffer->room = room;
}

void gy_machine_look(gy_machine *m, const gy_word *state, const gy_state_layout *shape)
{
    m->s = (gy_word *)state; // guards write nothing
    m->shape = shape;
    m->p = NULL;
    m->pid = -1;
    m->offer = 0;
    m->moved = false;
    m->timeout = false;
    m->stopped = false;
    gy_fault_clear(&m->fault);
}

const gy_state_layout *gy_state_layout_of(const gy_vm *vm, const gy_word *state, uint32_t words)
{
    const gy_state_layout *shape = gy_state_layout_find(vm->shapes, state, words);
    if (!shape)
        gy_fatal("not a state of this system (%u words)", words);
    return shape;
}

const struct gy_cached_expr *gy_machine_cached(gy_machine *m, const gy_expr *expr, size_t guess)
{
    if (guess < m->cached.n && m->cached.at[guess].expr == expr)
        return &m->cached.at[guess];
    for (size_t i = 0; i < m->cached.n; i++)
        if (m->cached.at[i].expr == expr)
            return &m->cached.at[i];
    struct gy_cached_expr cached = {.expr = expr};
    cached.at = gy_compile_expr(m->program, &m->extra, expr);
    cached.has_test = gy_find_quick_predicate(m->model, expr, &cached.test);
    cached.asks_timeout =
        gy_expr_mentions(expr, GY_E_TIMEOUT) || // of itself, or of a process that waits for it
        (m->model->uses_timeout && gy_expr_mentions(expr, GY_E_ENABLED));
    cached.asks_np = gy_expr_mentions(expr, GY_E_NP);
    gy_vec_push(&m->cached, cached);
    return &m->cached.at[m->cached.n - 1];
}

static bool run_at(gy_machine *m, uint32_t at, int32_t *value)
{
    *value = 0;
    if (m->extra.max_stack > EXTRA_STACK)
        return false;
    int32_t result;
    bool good = gy_vm_run_quietly(m, &m->extra, at, &result);
    if (good)
        *value = result;
    return good;
}

bool gy_machine_eval(gy_machine *m, const gy_expr *expr, int32_t *value)
{
    return run_at(m, gy_machine_cached(m, expr, 0)->at, value);
}

bool gy_machine_judge(gy_machine *m, const gy_word *state, uint32_t words, const gy_expr *expr,
                      int32_t *value)
{
    const struct gy_cached_expr *cached = gy_machine_cached(m, expr, 0);
    uint32_t at = cached->at;
    bool stuck = cached->asks_timeout && gy_vm_is_stuck(m, state, words);
    bool stopped = cached->asks_np && gy_vm_has_stopped(m, state, words);
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    m->timeout = stuck;
    m->stopped = stopped;
    m->stack_at = 0;
    return run_at(m, at, value);
}
