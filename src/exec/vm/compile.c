// Edges, effects and whole models to bytecode.
//
// The code of an edge has two entry points. The guard runs on the source state and changes
// nothing of it; its result is 0 (not executable), 1, or 2 (a rendezvous offer, which needs a
// partner). It leaves in the VM which channel and which message it found. The effect
// runs on a copy of the state, directly after the guard.
#include "exec/vm/compile.h"
#include "exec/vm/emit.h"
#include "model/channels.h"

static uint32_t compile_program(gy_emitter *e, const gy_program *program)
{
    if (!program || !program->count)
        return 0;
    uint32_t start = gy_here(e);
    gy_emit_actions(e, program);
    gy_emit(e, GY_OP_PASS, 0, 0, 0);
    return start;
}

// ---- programs and edges -----------------------------------------------------------------

static uint32_t compile_condition(gy_emitter *e, const gy_expr *expr)
{
    if (!expr)
        return 0;
    uint32_t start = gy_here(e);
    gy_jumps fails = {0};
    e->height = 0;
    gy_emit_branch(e, expr, false, &fails);
    gy_emit(e, GY_OP_PASS, 0, 0, 0);
    gy_patch_all(e, &fails, gy_here(e));
    gy_emit(e, GY_OP_FAIL, 0, 0, 0);
    return start;
}

static uint32_t compile_guard(gy_emitter *e, const gy_edge *edge)
{
    if (edge->sync == GY_SYNC_NONE)
        return compile_condition(e, edge->guard);
    uint32_t start = gy_here(e);
    gy_jumps fails = {0};
    e->height = 0;
    if (edge->guard)
        gy_emit_branch(e, edge->guard, false, &fails);
    if (edge->sync == GY_SYNC_SEND) {
        gy_emit_value(e, edge->chan);
        uint32_t at = gy_emit(e, GY_OP_SENDTEST, 0, 0, 0);
        gy_emit_note(e, at, edge->chan, NULL, GY_NONE);
    } else
        gy_emit_receive_test(e, edge->chan, edge->fields, edge->field_count,
                             gy_receive_flags(edge->random, edge->keep), NULL);
    gy_emit(e, GY_OP_RET, 0, 0, 0);
    if (fails.n) {
        gy_patch_all(e, &fails, gy_here(e));
        gy_emit(e, GY_OP_FAIL, 0, 0, 0);
    }
    return start;
}

// Is the edge the sending half of a joint rendezvous? `types`: of the channels in variables.
static bool sends_jointly(const gy_model *model, const int32_t *types, const gy_edge *edge)
{
    return model->joint_rendezvous && edge->sync == GY_SYNC_SEND && edge->chan->op == GY_E_VAR &&
           types[edge->chan->var] != GY_NONE &&
           model->channel_types[types[edge->chan->var]].capacity == 0;
}

static uint32_t compile_message(gy_emitter *e, const gy_edge *edge)
{
    uint32_t start = gy_here(e);
    e->height = 0;
    gy_emit_send(e, edge->fields, edge->field_count, 0, NULL);
    gy_emit(e, GY_OP_PASS, 0, 0, 0);
    return start;
}

static uint32_t compile_effect(gy_emitter *e, const gy_edge *edge)
{
    if (edge->sync == GY_SYNC_NONE)
        return compile_program(e, edge->effect);
    uint32_t start = gy_here(e);
    e->height = 0;
    if (edge->sync == GY_SYNC_SEND)
        gy_emit_send(e, edge->fields, edge->field_count, edge->sorted ? GY_SEND_SORTED : 0, NULL);
    else
        gy_emit_receive(e, edge->fields, edge->field_count, edge->keep, NULL);
    if (edge->effect)
        gy_emit_actions(e, edge->effect);
    gy_emit(e, GY_OP_PASS, 0, 0, 0);
    return start;
}

// In a trace, only constants are compared; a variable stands for any value.
static bool is_compared(const gy_field *field)
{
    return field->kind == GY_FIELD_MATCH ||
           (field->kind == GY_FIELD_VALUE && field->expr->op != GY_E_VAR);
}

// An edge of a trace assertion: does the current event match?
static uint32_t compile_event(gy_emitter *e, const gy_edge *edge)
{
    if (edge->sync == GY_SYNC_NONE)
        return compile_condition(e, edge->guard);
    uint32_t start = gy_here(e);
    e->height = 0;
    gy_emit_value(e, edge->chan);
    gy_emit(e, GY_OP_EVENT, edge->sync == GY_SYNC_RECV, 0, 0);
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (is_compared(&edge->fields[f])) {
            gy_emit_value(e, edge->fields[f].expr);
            gy_emit(e, GY_OP_EVFIELD, 0, 0, (int32_t)f);
        }
    gy_emit(e, GY_OP_PASS, 0, 0, 0);
    return start;
}

static void compile_edge(gy_emitter *e, const int32_t *types, const gy_edge *edge, gy_vm_edge *to)
{
    gy_template_kind kind = e->model->templates[edge->tmpl].kind;
    bool is_trace = kind == GY_TMPL_TRACE || kind == GY_TMPL_NOTRACE;
    to->guard = is_trace ? compile_event(e, edge) : compile_guard(e, edge);
    if (sends_jointly(e->model, types, edge)) {
        to->message = compile_message(e, edge);
        to->effect = compile_program(e, edge->effect);
    } else {
        to->effect = is_trace ? 0 : compile_effect(e, edge);
    }
    to->to = edge->to;
    to->escape = edge->escape;
    to->kind = (uint8_t)edge->kind;
    to->sync = (uint8_t)edge->sync;
    to->keeps_atomic = edge->keeps_atomic;
}

// Depth-first over the edges that keep an atomic sequence going: `head` is set for every node
// that such an edge leads back to.
static void find_loop_heads(const gy_model *model, const gy_template *tmpl, bool *head)
{
    enum { UNSEEN, OPEN, CLOSED };
    uint8_t *colour = gy_alloc_zero(tmpl->node_count);
    int32_t *next = gy_alloc_zero(tmpl->node_count * sizeof *next);
    GY_VEC(int32_t) path = {0};
    for (uint32_t root = 0; root < tmpl->node_count; root++) {
        if (colour[root] != UNSEEN)
            continue;
        colour[root] = OPEN;
        gy_vec_push(&path, (int32_t)root);
        while (path.n) {
            int32_t at = path.at[path.n - 1];
            const gy_node *node = &tmpl->nodes[at];
            if (next[at] == node->edge_count) {
                colour[at] = CLOSED;
                path.n--;
                continue;
            }
            const gy_edge *edge = &model->edges[node->first_edge + next[at]++];
            if (!edge->keeps_atomic || edge->to == GY_NONE)
                continue;
            if (colour[edge->to] == OPEN)
                head[edge->to] = true;
            else if (colour[edge->to] == UNSEEN) {
                colour[edge->to] = OPEN;
                gy_vec_push(&path, edge->to);
            }
        }
    }
    gy_vec_free(&path);
    free(colour);
    free(next);
}

// A rendezvous hands the right to move on to another process, which may hand it back: `sends` is
// set for every node from which an atomic sequence may come to a send.
static void find_sends(const gy_model *model, const gy_template *tmpl, bool *sends)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = tmpl->edge_count; e-- > 0;) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + e];
            bool on = edge->keeps_atomic && edge->to != GY_NONE && sends[edge->to];
            if (!sends[edge->from] && (on || edge->sync == GY_SYNC_SEND))
                sends[edge->from] = changed = true;
        }
    }
}

static void mark_loops(gy_program_code *program, const gy_template *tmpl)
{
    const gy_model *model = program->model;
    bool *head = gy_alloc_zero(tmpl->node_count + 1);
    bool *sends = gy_alloc_zero(tmpl->node_count + 1);
    find_loop_heads(model, tmpl, head);
    find_sends(model, tmpl, sends);
    for (int32_t i = 0; i < tmpl->edge_count; i++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + i];
        program->edges[edge->id].loop_head =
            edge->keeps_atomic && edge->to != GY_NONE &&
            (head[edge->to] || (edge->sync == GY_SYNC_RECV && sends[edge->to]));
    }
    free(head);
    free(sends);
}

// ---- facts about variables --------------------------------------------------------------

static void place_hidden(gy_program_code *program)
{
    for (uint32_t i = 0; i < program->model->var_count; i++)
        if (program->model->vars[i].hidden && !program->model->vars[i].removed) {
            program->vars[i].hidden_at = program->hidden_count;
            program->hidden_count += program->model->vars[i].count;
        }
}

static uint32_t most_fields(const gy_model *model)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < model->channel_type_count; i++)
        if (model->channel_types[i].field_count > most)
            most = model->channel_types[i].field_count;
    for (uint32_t i = 0; i < model->edge_count; i++)
        if (model->edges[i].field_count > most)
            most = model->edges[i].field_count;
    return most;
}

// ---- the whole model --------------------------------------------------------------------

static int32_t receive_of(const gy_vm_edge *edge)
{
    if (edge->sync != GY_SYNC_RECV)
        return GY_NO_RECEIVE;
    return edge->channel | (edge->is_rendezvous ? GY_BY_RENDEZVOUS : 0);
}

static void note_receives(gy_program_code *program)
{
    const gy_model *model = program->model;
    size_t nodes = 0;
    for (uint32_t i = 0; i < model->template_count; i++)
        nodes += model->templates[i].node_count;
    uint64_t *at = program->node_receives = gy_alloc_zero((nodes + 1) * sizeof *at);
    for (uint32_t i = 0; i < model->edge_count; i++)
        program->receives[i] = receive_of(&program->edges[i]);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        program->templates[i].receives = at;
        for (uint32_t n = 0; n < tmpl->node_count; n++, at++)
            for (int32_t e = 0; e < tmpl->nodes[n].edge_count; e++) {
                int32_t from = program->receives[tmpl->nodes[n].first_edge + e];
                if (from != GY_NO_RECEIVE)
                    *at |= from % GY_BY_RENDEZVOUS ? 1ull << from % 64 : UINT64_MAX;
            }
    }
}

gy_program_code *gy_compile(const gy_model *model, bool lossy)
{
    gy_program_code *program = gy_alloc_zero(sizeof *program);
    program->model = model;
    program->edges = gy_alloc_zero((model->edge_count + 1) * sizeof *program->edges);
    program->receives = gy_alloc_zero((model->edge_count + 1) * sizeof *program->receives);
    program->templates = gy_alloc_zero((model->template_count + 1) * sizeof *program->templates);
    program->vars = gy_alloc_zero((model->var_count + 1) * sizeof *program->vars);
    program->max_fields = most_fields(model);
    program->lossy = lossy;
    int32_t *channels = gy_model_static_channels(model);
    for (uint32_t i = 0; i < model->var_count; i++)
        program->vars[i].channel = channels[i];
    free(channels);
    place_hidden(program);

    int32_t *types = gy_model_static_channel_types(model);
    gy_emitter e = {.model = model, .vars = program->vars, .code = &program->code};
    gy_emit(&e, GY_OP_FAIL, 0, 0, 0);
    program->init = compile_program(&e, model->init);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        gy_vm_template *to = &program->templates[i];
        to->provided = compile_condition(&e, tmpl->provided);
        to->init = compile_program(&e, tmpl->init);
        to->pc_mask = tmpl->pc_bits >= 32 ? ~0u : (1u << tmpl->pc_bits) - 1;
        to->initial = tmpl->initial;
        to->param_count = tmpl->param_count;
        to->first_var = (uint32_t)tmpl->first_var;
        to->nodes = tmpl->nodes;
        to->priority_shift = tmpl->priority_shift;
        for (int32_t k = 0; k < tmpl->edge_count; k++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            compile_edge(&e, types, edge, &program->edges[tmpl->first_edge + k]);
        }
        mark_loops(program, tmpl);
    }
    for (uint32_t i = 0; i < model->edge_count; i++)
        gy_find_quick_test(program, types, &model->edges[i], &program->edges[i]);
    note_receives(program);
    free(types);
    return program;
}

uint32_t gy_compile_expr(const gy_program_code *program, gy_code *into, const gy_expr *expr)
{
    gy_emitter e = {.model = program->model, .vars = program->vars, .code = into};
    if (!into->ins.n)
        gy_emit(&e, GY_OP_FAIL, 0, 0, 0);
    uint32_t start = gy_here(&e);
    gy_emit_value(&e, expr);
    gy_emit(&e, GY_OP_RET, 0, 0, 0);
    return start;
}

void gy_program_code_free(gy_program_code *program)
{
    if (!program)
        return;
    gy_code_free(&program->code);
    free(program->edges);
    free(program->receives);
    free(program->node_receives);
    free(program->templates);
    free(program->vars);
    free(program);
}

void gy_code_free(gy_code *code)
{
    gy_vec_free(&code->ins);
    gy_vec_free(&code->notes);
    gy_vec_free(&code->lists);
    code->max_stack = 0;
}

const gy_fault_note *gy_code_note(const gy_code *code, uint32_t at)
{
    size_t low = 0, high = code->notes.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code->notes.at[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->notes.n && code->notes.at[low].at == at ? &code->notes.at[low] : NULL;
}
