// Processes to C: the order of trying is that of successors.c.
//
// Process i of a shape becomes two functions, or, where no other one calls it, p<i> is a part of
// the function of the shape. p<i> tries its edges in a state: the source itself (depth 0) or one
// inside an atomic sequence (depth statements were executed before it). q<i> tries its receives for
// a message that is offered on a rendezvous channel, in the state in which the sender has done its
// half. Both return whether anything fired, VM or FULL.
//
// New states are written one after the other. One inside an atomic sequence stays where it is,
// and becomes visible there if the sequence blocks.
#include "exec/native/gen.h"

#include <stdio.h>

// ---- edges --------------------------------------------------------------------------------

static void plain_edge(gy_gen *g, const gy_edge *edge, bool escapes)
{
    if (g->asks) {
        gy_gen_line(g, "return 1;");
        return;
    }
    if (!gy_gen_covers_effect(g, edge)) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    gy_gen_check_alone(g, edge);
    gy_gen_begin_copy(g);
    gy_gen_program(g, edge->effect);
    gy_gen_move(g, edge);
    gy_gen_note_moved(g, edge, escapes);
    gy_gen_finish(g, edge, false);
}

// A send or receive on one type of channel, outside a rendezvous.
static void transfer(gy_gen *g, const gy_edge *edge, const gy_gen_channel *channel, bool escapes)
{
    gy_gen_comm comm = {edge->chan,   edge->fields, edge->field_count,
                        edge->sorted, edge->random, edge->keep};
    bool is_send = edge->sync == GY_SYNC_SEND;
    if (edge->field_count != channel->type->field_count) {
        gy_gen_line(g, "goto vm; // as many fields as it should have?");
        return;
    }
    if (is_send)
        gy_gen_send_test(g, channel);
    else
        gy_gen_receive_test(g, channel, &comm);
    gy_gen_open(g, "if (fits)");
    if (g->asks) {
        gy_gen_line(g, "return 1;");
    } else if (gy_gen_covers_effect(g, edge)) {
        gy_gen_check_alone(g, edge);
        gy_gen_begin_copy(g);
        if (is_send)
            gy_gen_send(g, channel, &comm);
        else {
            gy_gen_take(g, channel, &comm);
            gy_gen_store_fields(g, &comm);
        }
        gy_gen_program(g, edge->effect);
        gy_gen_move(g, edge);
        gy_gen_note_moved(g, edge, escapes);
        gy_gen_finish(g, edge, false);
    } else
        gy_gen_line(g, "goto vm;");
    gy_gen_close(g);
}

// A receive from a rendezvous channel, examined when nothing is offered: it can only fault.
static void idle_receive(gy_gen *g, const gy_edge *edge)
{
    if (g->program->edges[gy_gen_edge(g, edge)].channel)
        return;
    if (edge->keep)
        gy_gen_line(g, "goto vm;");
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH && gy_gen_may_fault(g, edge->fields[f].expr)) {
            char *text = gy_gen_text(g, edge->fields[f].expr);
            gy_gen_line(g, "(void)(%s);", text);
            free(text);
        }
}

static void on_type(gy_gen *g, const gy_edge *edge, const gy_gen_channel *channel, bool escapes)
{
    if (channel->type->capacity)
        transfer(g, edge, channel, escapes);
    else if (edge->sync == GY_SYNC_RECV)
        idle_receive(g, edge);
    else if (g->asks && edge->field_count == channel->type->field_count)
        gy_gen_line(g, "return 1;"); // without its partner
    else if (edge->field_count != channel->type->field_count || !gy_gen_covers_effect(g, edge) ||
             gy_gen_grows(edge->effect))
        gy_gen_line(g, "goto vm;");
    else if (g->model->joint_rendezvous)
        gy_gen_joint(g, edge, channel->type, channel->id);
    else
        gy_gen_offer(g, edge, channel->type, channel->id, escapes);
}

static void communication(gy_gen *g, const gy_edge *edge, bool escapes)
{
    const gy_state_layout *shape = g->shape->shape;
    gy_gen_channels set;
    gy_gen_channels_of(g, edge->chan, &set);
    if (set.certain) {
        const gy_state_layout_channel *at = &shape->channel[set.id - 1];
        gy_gen_channel channel = {.type = &g->model->channel_types[at->type], .id = set.id};
        snprintf(channel.at, sizeof channel.at, "%u", at->offset);
        on_type(g, edge, &channel, escapes);
        return;
    }
    if (!set.count) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    char *text = gy_gen_text(g, edge->chan);
    gy_gen_line(g, "word c_ = INDEX(%s - 1, CHANNELS) + 1, at_ = channel_at[c_];", text);
    free(text);
    gy_gen_open(g, "switch (channel_type[c_])");
    for (uint32_t t = 0; t < g->model->channel_type_count; t++) {
        const gy_channel_type *type = &g->model->channel_types[t];
        bool any = false;
        for (uint32_t i = 0; i < shape->channel_count; i++)
            any = any || (set.may[i + 1] && shape->channel[i].type == (int32_t)t);
        if (!any)
            continue;
        gy_gen_open(g, "case %u:", t);
        gy_gen_channel channel = {.type = type, .at = "at_"};
        if (!type->capacity && edge->sync == GY_SYNC_SEND) {
            gy_gen_open(g, "switch (c_)");
            for (uint32_t i = 0; i < shape->channel_count; i++)
                if (set.may[i + 1] && shape->channel[i].type == (int32_t)t) {
                    gy_gen_open(g, "case %u:", i + 1);
                    channel.id = (int32_t)i + 1;
                    on_type(g, edge, &channel, escapes);
                    gy_gen_line(g, "break;");
                    gy_gen_close(g);
                }
            gy_gen_line(g, "default: goto vm;");
            gy_gen_close(g);
        } else
            on_type(g, edge, &channel, escapes);
        gy_gen_line(g, "break;");
        gy_gen_close(g);
    }
    gy_gen_line(g, "default: goto vm;");
    gy_gen_close(g);
}

static bool is_skipped(const gy_gen *g, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END)
        return (uint32_t)g->pid + 1 != g->shape->shape->process_count;
    const gy_vm_edge *code = &g->program->edges[gy_gen_edge(g, edge)];
    return edge->sync == GY_SYNC_RECV && code->is_rendezvous;
}

static void one_edge(gy_gen *g, const gy_edge *edge, bool escapes)
{
    int32_t value;
    if (escapes)
        gy_gen_line(g, "if (esc && esc != %u) break;", edge->escape);
    if (is_skipped(g, edge))
        return;
    gy_gen_edge_comment(g, edge);
    bool is_else = edge->kind == GY_EDGE_ELSE;
    if (is_else && g->asks) {
        gy_gen_line(g, "if (!moved) return 1;");
        return;
    }
    if (!gy_gen_covers_test(g, edge)) {
        gy_gen_line(g, is_else ? "if (!moved) goto vm;" : "goto vm;");
        return;
    }
    bool known = !edge->guard || gy_gen_constant(g, edge->guard, &value);
    if (edge->guard && known && !value)
        return;
    gy_text guard = {0};
    if (is_else)
        gy_text_add(&guard, "!moved");
    if (!known) {
        char *text = gy_gen_condition_text(g, edge->guard);
        gy_text_printf(&guard, "%s%s", guard.n ? " && " : "", text);
        free(text);
    }
    if (guard.n)
        gy_gen_open(g, "if (%s)", gy_text_str(&guard));
    else
        gy_gen_open(g, "%s", "");
    gy_text_free(&guard);
    if (edge->sync == GY_SYNC_NONE)
        plain_edge(g, edge, escapes);
    else
        communication(g, edge, escapes);
    gy_gen_close(g);
}

// ---- processes ----------------------------------------------------------------------------

static bool has_escapes(const gy_gen *g, const gy_node *node)
{
    for (int32_t k = 0; k < node->edge_count; k++)
        if (g->model->edges[node->first_edge + k].escape)
            return true;
    return false;
}

static void provided(gy_gen *g)
{
    const gy_expr *expr = g->model->templates[g->tmpl].provided;
    if (!expr)
        return;
    if (!gy_gen_covers(g, expr)) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    char *text = gy_gen_condition_text(g, expr);
    gy_gen_line(g, "if (!(%s)) return 0; // provided", text);
    free(text);
}

typedef void edge_writer(gy_gen *g, const gy_edge *edge, bool escapes);

static void write_nodes(gy_gen *g, edge_writer *write)
{
    const gy_template *tmpl = &g->model->templates[g->tmpl];
    if (!g->asks)
        provided(g);
    if (!g->asks && g->model->uses_priority)
        gy_gen_priority_check(g);
    gy_text location = {0};
    gy_gen_get(g, &location, "s", gy_gen_pc_of(g, (uint32_t)g->pid));
    gy_gen_open(g, "switch (%s)", gy_text_str(&location));
    gy_text_free(&location);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        const gy_node *node = &tmpl->nodes[n];
        if (!node->edge_count)
            continue;
        gy_gen_open(g, "case %u:", n);
        bool escapes = has_escapes(g, node);
        if (escapes)
            gy_gen_line(g, "word esc = 0;");
        for (int32_t k = 0; k < node->edge_count; k++)
            write(g, &g->model->edges[node->first_edge + k], escapes);
        gy_gen_line(g, "break;");
        gy_gen_close(g);
    }
    gy_gen_close(g);
}

// Is there any receive that an offer could be for?
static bool receives(const gy_gen *g)
{
    const gy_template *tmpl = &g->model->templates[g->tmpl];
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_vm_edge *code = &g->program->edges[tmpl->first_edge + k];
        if (code->sync == GY_SYNC_RECV && (!code->channel || code->is_rendezvous))
            return true;
    }
    return false;
}

// Could it move, as Spin's enabled() has it? `moved`: who asks has moved already.
static void write_question(gy_gen *g, bool declare)
{
    static const char e[] = "FUNCTION int e%d(struct run *r, SOURCE s, unsigned depth, "
                            "int moved)%s";
    if (!g->model->uses_priority && !g->model->uses_enabled)
        return;
    gy_gen_line(g, e, g->pid, declare ? ";" : "");
    if (declare)
        return;
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "(void)r; (void)depth; (void)moved;");
    gy_gen_hidden_here(g);
    g->timeout = "(r->timeout && !depth)";
    g->asks = true;
    write_nodes(g, one_edge);
    gy_gen_line(g, "return 0;");
    gy_gen_line(g, "vm: return VM;");
    g->asks = false;
    g->timeout = "0";
    gy_gen_close(g);
}

// May the body of p<i> stand in the function of its shape? Not if an atomic sequence goes on with
// it, or if it is left early.
static bool stands_alone(const gy_gen *g, const gy_text *body, const gy_text *taking)
{
    enum { MOST = 1 << 16 }; // bytes: compilers take their time over large functions
    char call[32];
    size_t all = body->n;
    if (!g->bodies || g->model->uses_priority || g->model->templates[g->tmpl].provided)
        return false;
    for (uint32_t pid = 0; pid < g->shape->shape->process_count; pid++)
        all += g->bodies[pid].n;
    snprintf(call, sizeof call, "p%d(r, o, ", g->pid);
    return all <= MOST && !strstr(gy_text_str(body), call) &&
           !(taking->n && strstr(taking->at, call));
}

static void write_body(gy_gen *g, edge_writer *write)
{
    gy_gen_line(g, "int moved = 0, got; (void)got;");
    gy_gen_hidden_here(g);
    write_nodes(g, write);
}

static void write_function(gy_gen *g, const gy_text *body)
{
    gy_gen_open(g, "%s", "");
    gy_text_bytes(g->out, body->at, body->n);
    gy_gen_line(g, "return moved;");
    gy_gen_line(g, "vm: return VM;");
    gy_gen_close(g);
}

// Could it take message m, offered on channel `chan`? For priorities.
static void write_taker_question(gy_gen *g, bool declare)
{
    static const char f[] = "FUNCTION int f%d(struct run *r, SOURCE s, int chan, const int *m)%s";
    gy_gen_line(g, f, g->pid, declare ? ";" : "");
    if (declare)
        return;
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "const unsigned depth = 1; const int moved = 0;");
    gy_gen_line(g, "(void)r; (void)depth; (void)moved; (void)m;");
    gy_gen_hidden_here(g);
    g->offer = "chan";
    g->asks = true;
    write_nodes(g, gy_gen_take_offer);
    gy_gen_line(g, "return 0;");
    gy_gen_line(g, "vm: return VM;");
    g->asks = false;
    g->offer = "0";
    gy_gen_close(g);
}

bool gy_gen_takes(const gy_gen *g)
{
    bool rendezvous = false;
    for (uint32_t i = 0; i < g->shape->shape->channel_count; i++)
        rendezvous =
            rendezvous || !g->model->channel_types[g->shape->shape->channel[i].type].capacity;
    return rendezvous && receives(g) && !g->model->joint_rendezvous;
}

void gy_gen_process(gy_gen *g, bool declare)
{
    static const char p[] =
        "FUNCTION int p%d(struct run *r, SOURCE s, unsigned depth, uint64_t before)%s";
    static const char q[] = "FUNCTION int q%d(struct run *r, SOURCE s, int chan, "
                            "const int *m, unsigned depth, uint64_t before)%s";
    bool takes = gy_gen_takes(g), asks = takes && g->model->uses_priority;
    if (declare) {
        gy_gen_line(g, p, g->pid, ";");
        if (takes)
            gy_gen_line(g, q, g->pid, ";");
        if (asks)
            write_taker_question(g, true);
        write_question(g, true);
        return;
    }
    gy_text body = {0}, taking = {0}, *out = g->out;
    g->out = &body;
    g->timeout = "(r->timeout && !depth)";
    write_body(g, one_edge);
    g->timeout = "0";
    g->out = &taking;
    g->offer = "chan";
    if (takes)
        write_body(g, gy_gen_take_offer);
    g->offer = "0";
    g->out = out;
    write_question(g, false);
    if (asks)
        write_taker_question(g, false);
    if (stands_alone(g, &body, &taking)) {
        g->bodies[g->pid] = body;
        body = (gy_text){0};
    } else {
        gy_gen_line(g, "\n// process %d: %s, words %u to %u", g->pid,
                    g->model->templates[g->tmpl].name, g->base,
                    g->base + g->model->templates[g->tmpl].words - 1);
        gy_gen_line(g, p, g->pid, "");
        write_function(g, &body);
    }
    if (takes) {
        gy_gen_line(g, "\n// process %d takes message m, offered on channel `chan`", g->pid);
        gy_gen_line(g, q, g->pid, "");
        write_function(g, &taking);
    }
    gy_text_free(&body);
    gy_text_free(&taking);
}
