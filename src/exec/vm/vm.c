// The virtual machine as a backend: systems, workers, initial and end states.
#include "exec/vm/vm.h"

#include "exec/embedded/embedded.h"
#include "exec/vm/inline_fields.h"
#include "model/atoms.h"

static void free_vm(void *system)
{
    gy_vm *vm = system;
    gy_program_code_free(vm->program);
    gy_state_layouts_free(vm->shapes);
    free(vm);
}

// The start, in machine->s: global variables and channels, then the first processes.
static bool make_start(gy_machine *m, gy_buffer *buffer)
{
    const gy_model *model = m->model;
    gy_buffer_reserve(buffer, model->global_words);
    memset(buffer->at, 0, model->global_words * sizeof *buffer->at);
    gy_machine_look(m, buffer->at, gy_state_layout_empty(m->vm->shapes));
    m->s[0] = m->shape->code;
    m->growing = buffer;
    m->stack_at = 0;
    memset(m->hidden, 0, m->program->hidden_count * sizeof *m->hidden);
    if (model->trace != GY_NONE)
        gy_put_bits(m->s, model->trace_word, model->trace_shift, model->trace_bits,
                    model->templates[model->trace].initial);
    if (m->vm->embedded)
        gy_embedded_begin(m);
    if (m->program->init && gy_vm_run(m, &m->program->code, m->program->init) == GY_RUN_FAULT)
        return false;
    for (uint32_t i = 0; i < model->started_count; i++) {
        int32_t tmpl = model->started[i];
        int32_t pid = gy_vm_start(m, tmpl, model->templates[tmpl].priority, NULL, 0);
        if (pid == -1)
            gy_raise_at(m, GY_FAULT_TOO_MANY_PROCESSES, NULL, GY_MAX_PROCESSES, 0);
        if (pid < 0)
            return false;
    }
    return !m->vm->embedded || gy_embedded_start(m);
}

// One for each sequence of choices.
static int visit_initial(gy_machine *m, gy_choice_list *choices, gy_visit *visit, void *user)
{
    gy_buffer buffer = {0};
    gy_vm_follow(m, choices);
    bool good = make_start(m, &buffer);
    if (good && m->vm->embedded)
        gy_embedded_settle(m, m->s, m->shape->words);
    gy_transition transition = {
        .state = good ? m->s : NULL,
        .words = good ? m->shape->words : 0,
        .exclusive = -1,
        .written = GY_WRITTEN_ALL,
    };
    transition.fault = gy_pending_faults(&m->fault, NULL);
    int stop = visit(user, &transition);
    gy_fault_clear(&m->fault);
    free(buffer.at);
    return stop;
}

int gy_vm_initial(void *worker, gy_visit *visit, void *user)
{
    gy_choice_list choices = {0};
    int stop = visit_initial(worker, &choices, visit, user);
    while (!stop && gy_next_choices(&choices))
        stop = visit_initial(worker, &choices, visit, user);
    gy_vec_free(&choices);
    return stop;
}

static void *new_worker(void *system)
{
    gy_machine *m = gy_alloc(sizeof *m);
    gy_machine_init(m, system);
    // C that the model keeps for itself is there also for the code that goes on from a state that
    // was saved.
    if (m->program->hidden_count || (m->vm->embedded && gy_embedded_is_new(m->vm->embedded))) {
        gy_buffer buffer = {0};
        gy_choice_list choices = {0};
        gy_vm_follow(m, &choices);
        make_start(m, &buffer);
        gy_fault_clear(&m->fault);
        gy_vec_free(&choices);
        if (m->program->hidden_count)
            memcpy(m->hidden_start, m->hidden, m->program->hidden_count * sizeof *m->hidden);
        free(buffer.at);
    }
    return m;
}

static void free_worker(void *worker)
{
    gy_machine_done(worker);
    free(worker);
}

static bool channels_empty(gy_machine *m)
{
    for (uint32_t i = 0; i < m->shape->channel_count; i++) {
        const gy_state_layout_channel *channel = &m->shape->channel[i];
        const gy_channel_type *type = &m->model->channel_types[channel->type];
        if (type->capacity && gy_chan_len(m->s + channel->offset, type))
            return false;
    }
    return true;
}

static bool is_true(gy_machine *m, const gy_word *state, uint32_t words, const gy_expr *expr)
{
    int32_t value;
    return gy_machine_judge(m, state, words, expr, &value) && value != 0;
}

static bool holds(void *worker, const gy_word *state, uint32_t words, gy_atom predicate)
{
    gy_machine *m = worker;
    return is_true(m, state, words, gy_atom_expr(m->model, predicate));
}

static bool is_end_state(void *worker, const gy_word *state, uint32_t words, bool empty_channels)
{
    enum { MAY_REST = GY_NODE_END | GY_NODE_FINAL };
    gy_machine *m = worker;
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++) {
        int32_t number = m->shape->process[pid].tmpl;
        const gy_vm_template *tmpl = &m->program->templates[number];
        const gy_expr *rests = m->model->templates[number].rests;
        if (!(tmpl->nodes[gy_machine_node(m, (int32_t)pid)].flags & MAY_REST) &&
            !(rests && is_true(m, state, words, rests)))
            return false;
    }
    if (empty_channels)
        return channels_empty(m);
    if (m->model->trace == GY_NONE || m->shape->process_count == 0)
        return true;
    int32_t at =
        gy_get_bits(m->s, m->model->trace_word, m->model->trace_shift, m->model->trace_bits, false);
    return m->model->templates[m->model->trace].nodes[at].flags & MAY_REST;
}

static struct gy_state_layouts *layouts_of(void *system, bool *lossy)
{
    const gy_vm *vm = system;
    *lossy = vm->lossy;
    return vm->shapes;
}

static bool is_stuck(void *worker, const gy_word *state, uint32_t words)
{
    return gy_vm_is_stuck(worker, state, words);
}

static const gy_state_viewer viewer = {gy_vm_view, gy_vm_eval};

const gy_backend gy_vm_backend = {
    .name = "vm",
    .free_system = free_vm,
    .new_worker = new_worker,
    .free_worker = free_worker,
    .initial = gy_vm_initial,
    .successors = gy_vm_successors,
    .single_steps = gy_vm_single_steps,
    .is_state = gy_vm_is_state,
    .is_end_state = is_end_state,
    .holds = holds,
    .state_text = gy_vm_state_text,
    .step_text = gy_vm_step_text,
    .truths = gy_vm_truths,
    .letters = gy_vm_letters,
    .layouts = layouts_of,
    .viewer = &viewer,
    .flags = gy_vm_flags,
    .step_output = gy_vm_step_output,
    .is_stuck = is_stuck,
    .claim_start = gy_vm_claim_start,
    .claim_moves = gy_vm_claim_moves,
};

gy_system *gy_system_vm(gy_model *model, bool own, const gy_exec_options *options)
{
    gy_vm *vm = gy_alloc_zero(sizeof *vm);
    vm->model = model;
    vm->lossy = options && options->lossy;
    vm->program = gy_compile(model, vm->lossy);
    vm->shapes = gy_state_layouts_new(model);
    vm->max_stack = vm->program->code.max_stack;
    vm->restricted = model->uses_priority;
    for (uint32_t i = 0; i < model->template_count; i++)
        vm->restricted = vm->restricted || model->templates[i].provided;

    gy_system *system = gy_alloc_zero(sizeof *system);
    system->backend = &gy_vm_backend;
    system->impl = vm;
    system->model = model;
    system->owned_model = own ? model : NULL;
    system->name = system->file = model->name ? model->name : "";
    return system;
}
