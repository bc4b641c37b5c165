// Processes to C: the order of trying is that of successors.c.
//
// Process i of a shape becomes two functions. p<i> tries its edges in a state: the source
// itself (depth 0) or one inside an atomic sequence (depth statements were executed before it).
// q<i> tries its receives for a message that is offered on a rendezvous channel, in the state in
// which the sender has done its half. Both return whether anything fired, VM or FULL.
//
// New states are written one behind the other. One inside an atomic sequence stays where it is,
// and becomes visible there if the sequence blocks.
#include "exec/native_gen.h"

#include <stdio.h>

static uint32_t pc_mask(const gy_gen *g)
{
    return ~0u >> (32 - g->model->templates[g->tmpl].pc_bits);
}

// ---- what can go wrong in an expression -------------------------------------------------

static bool may_fault(gy_gen *g, const gy_expr *expr)
{
    int32_t value;
    if (!expr || gy_gen_constant(g, expr, &value))
        return false;
    switch (expr->op) {
    case GY_E_INDEX:
    case GY_E_DIV:
    case GY_E_MOD:
    case GY_E_LEN:
    case GY_E_EMPTY:
    case GY_E_NEMPTY:
    case GY_E_FULL:
    case GY_E_NFULL:
    case GY_E_POLL:
    case GY_E_CAN_SEND:
    case GY_E_REMOTE_VAR:
    case GY_E_ENABLED:
    case GY_E_C:
        return true;
    default:
        return may_fault(g, expr->a) || may_fault(g, expr->b) || may_fault(g, expr->c);
    }
}

static bool fields_may_fault(gy_gen *g, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (may_fault(g, fields[f].expr))
            return true;
    return false;
}

// ---- what is covered --------------------------------------------------------------------

// Everything that decides whether the edge can fire.
static bool covers_test(const gy_gen *g, const gy_edge *edge)
{
    if ((edge->guard && !gy_gen_covers(g, edge->guard)) ||
        (edge->chan && !gy_gen_covers(g, edge->chan)))
        return false;
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH && !gy_gen_covers(g, edge->fields[f].expr))
            return false;
    return true;
}

static bool covers_effect(const gy_gen *g, const gy_edge *edge)
{
    return gy_gen_covers_field_list(g, edge->fields, edge->field_count) &&
           gy_gen_covers_program(g, edge->effect);
}

// ---- a step -------------------------------------------------------------------------------

// Control moves on in state o.
static void move(gy_gen *g, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END)
        gy_gen_line(g, "o[0] = r->parent;");
    else if (edge->to != edge->from)
        gy_gen_line(g, "o[%u] = (o[%u] & ~0x%xu) | %d;", g->base, g->base, pc_mask(g), edge->to);
    if (g->model->uses_last)
        gy_gen_line(g, "PUT(o, %u, %u, 0xffu, %d);", g->model->last_word, g->model->last_shift,
                    g->pid);
}

// ---- where a step leads -----------------------------------------------------------------

static void trail_steps(const gy_gen *g, uint32_t from, gy_text *out)
{
    for (uint32_t i = from; i < g->trail_count; i++)
        gy_text_printf(out, "%s{%d, %d, -1, -1}", i > from ? ", " : "", g->pid, g->trail[i]);
}

// Puts the statements of the trail into the path.
static void record_trail(gy_gen *g)
{
    if (g->offered)
        gy_gen_line(g, "r->path[depth].partner = %d; r->path[depth].partner_edge = %d;", g->pid,
                    g->trail[0]);
    for (uint32_t i = g->offered; i < g->trail_count; i++)
        gy_gen_line(g, "r->path[depth + %u] = (struct step){%d, %d, -1, -1};", i, g->pid,
                    g->trail[i]);
}

// State o is a state of the system.
static void emit(gy_gen *g, uint32_t words)
{
    gy_text steps = {0};
    trail_steps(g, 0, &steps);
    if (g->offered) {
        record_trail(g);
        gy_gen_line(g, "r->at = o + W;");
        gy_gen_line(g, "if ((got = emit_path(r, o, %u, depth + %u)) < 0) return got;", words,
                    g->trail_count);
    } else if (g->trail_count == 1)
        gy_gen_line(g, "EMIT(o, %u, %d, %d, -1, -1);", words, g->pid, g->trail[0]);
    else
        gy_gen_line(g, "EMIT_ALL(o, %u, %u, %s);", words, g->trail_count, gy_text_str(&steps));
    gy_text_free(&steps);
}

// Can the atomic sequence go on from this node in line: one edge, or one and an else, that
// need nothing but a look at the state?
static bool is_simple(gy_gen *g, const gy_edge *edge)
{
    const gy_template *tmpl = &g->model->templates[g->tmpl];
    const gy_node *node = &tmpl->nodes[edge->to];
    if (g->program->edges[gy_gen_edge(g, edge)].loop_head || tmpl->provided ||
        node->edge_count < 1 || node->edge_count > 2 || g->trail_count + 1 >= GY_NATIVE_TAIL ||
        g->budget < (uint32_t)node->edge_count)
        return false;
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *next = &g->model->edges[node->first_edge + k];
        if (next->kind != (k ? GY_EDGE_ELSE : GY_EDGE_NORMAL) || next->sync != GY_SYNC_NONE ||
            next->escape || !covers_test(g, next) || !covers_effect(g, next) || (k && next->guard))
            return false;
    }
    return true;
}

static void arrive(gy_gen *g, const gy_edge *edge);

// Executes an edge on state o itself.
static void go_on(gy_gen *g, const gy_edge *edge)
{
    uint32_t count = g->trail_count;
    g->trail[g->trail_count++] = gy_gen_edge(g, edge);
    gy_gen_edge_comment(g, edge);
    gy_gen_program(g, edge->effect);
    move(g, edge);
    arrive(g, edge);
    g->trail_count = count;
}

static void go_on_from(gy_gen *g, const gy_node *node)
{
    const gy_edge *first = &g->model->edges[node->first_edge];
    const char *timeout = g->timeout;
    int32_t value = 1;
    g->timeout = "0";
    g->budget -= (uint32_t)node->edge_count;
    if (!first->guard || (gy_gen_constant(g, first->guard, &value) && value)) {
        go_on(g, first);
        g->timeout = timeout;
        return;
    }
    char *guard = gy_gen_text(g, first->guard);
    gy_gen_open(g, "if (%s)", guard);
    go_on(g, first);
    gy_gen_close(g);
    gy_gen_open(g, "else");
    if (node->edge_count == 2)
        go_on(g, first + 1);
    else // it blocks: others may move here
        emit(g, g->shape->shape->words);
    gy_gen_close(g);
    free(guard);
    g->timeout = timeout;
}

// The edge was executed, and state o is where it led.
static void arrive(gy_gen *g, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END) {
        emit(g, g->shape->shape->before_process->words);
        return;
    }
    if (!edge->keeps_atomic) {
        emit(g, g->shape->shape->words);
        return;
    }
    if (is_simple(g, edge)) {
        go_on_from(g, &g->model->templates[g->tmpl].nodes[edge->to]);
        return;
    }
    record_trail(g);
    gy_gen_line(g, "if (depth + %u >= DEPTH) goto vm;", g->trail_count);
    gy_gen_line(g, "r->at = o + W;");
    bool mark = g->program->edges[gy_gen_edge(g, edge)].loop_head;
    if (mark)
        gy_gen_line(g, "if ((got = mark(r, o, %d, W)) < 0) return got;", g->pid);
    gy_gen_line(g, "if ((got = p%d(r, o, depth + %u)) < 0) return got;", g->pid, g->trail_count);
    if (mark)
        gy_gen_line(g, "r->seen_count--;");
    gy_gen_line(g, "if (!got && (got = emit_path(r, o, W, depth + %u)) < 0) return got;",
                g->trail_count);
}

// The first step: an edge has been executed on a copy. `offered`: see gy_gen.
static void finish(gy_gen *g, const gy_edge *edge, bool offered)
{
    enum { IN_LINE = 24 };
    g->s = "o";
    g->trail[0] = gy_gen_edge(g, edge);
    g->trail_count = 1;
    g->offered = offered;
    g->budget = IN_LINE;
    arrive(g, edge);
    g->s = "s";
}

static void begin_copy(gy_gen *g)
{
    gy_gen_line(g, "COPY(o, s);");
    g->s = "o";
}

static void note_moved(gy_gen *g, const gy_edge *edge, bool escapes)
{
    g->s = "s";
    gy_gen_line(g, "moved = 1;");
    if (escapes)
        gy_gen_line(g, "esc = %u;", edge->escape);
}

// ---- rendezvous: the sender ------------------------------------------------------------

// May a receive edge of process `pid` (edge of its template) react to an offer on `id`? Also if
// merely looking at it may fault.
static bool may_take(gy_gen *g, uint32_t pid, const gy_edge *edge, int32_t id)
{
    if (edge->sync != GY_SYNC_RECV)
        return false;
    const gy_vm_edge *code = &g->program->edges[gy_gen_edge(g, edge)];
    if (code->channel)
        return code->channel == id;
    gy_gen other = *g;
    other.pid = (int32_t)pid;
    other.tmpl = edge->tmpl;
    other.base = g->shape->shape->process[pid].offset;
    if (!covers_test(&other, edge) || may_fault(&other, edge->chan) ||
        may_fault(&other, edge->guard) || fields_may_fault(&other, edge->fields, edge->field_count))
        return true;
    gy_gen_channels set;
    gy_gen_channels_of(&other, edge->chan, &set);
    return set.may[id] || set.count == 0 || !set.certain;
}

static bool node_may_take(gy_gen *g, uint32_t pid, const gy_node *node, int32_t id)
{
    for (int32_t k = 0; k < node->edge_count; k++)
        if (may_take(g, pid, &g->model->edges[node->first_edge + k], id))
            return true;
    return false;
}

// Writes a condition on the control locations: may process `pid` react? False: never.
static bool readiness(gy_gen *g, uint32_t pid, int32_t id, gy_text *out)
{
    const gy_shape_process *process = &g->shape->shape->process[pid];
    const gy_template *tmpl = &g->model->templates[process->tmpl];
    uint32_t mask = ~0u >> (32 - tmpl->pc_bits), count = 0, chunks = (tmpl->node_count + 63) / 64;
    uint64_t *bits = gy_alloc_zero((chunks + 1) * sizeof *bits);
    int32_t only = -1;
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (node_may_take(g, pid, &tmpl->nodes[n], id)) {
            bits[n / 64] |= 1ull << n % 64;
            only = (int32_t)n;
            count++;
        }
    if (count == 1)
        gy_text_printf(out, "(s[%u] & 0x%xu) == %d", process->offset, mask, only);
    else if (chunks <= 1)
        gy_text_printf(out, "0x%llxull >> (s[%u] & 0x%xu) & 1", (unsigned long long)bits[0],
                       process->offset, mask);
    else {
        gy_text_add(out, "(const uint64_t[]){");
        for (uint32_t c = 0; c < chunks; c++)
            gy_text_printf(out, "0x%llxull,", (unsigned long long)bits[c]);
        gy_text_printf(out, "}[(s[%u] & 0x%xu) >> 6] >> (s[%u] & 0x%xu & 63) & 1", process->offset,
                       mask, process->offset, mask);
    }
    free(bits);
    return count > 0;
}

static void truncated(gy_gen *g, gy_type type, uint32_t f, const char *value)
{
    if (type.width == 32)
        gy_gen_line(g, "m[%u] = %s;", f, value);
    else if (type.is_signed)
        gy_gen_line(g, "m[%u] = (int)((word)(%s) << %d) >> %d;", f, value, 32 - type.width,
                    32 - type.width);
    else
        gy_gen_line(g, "m[%u] = (word)(%s) & 0x%xu;", f, value, ~0u >> (32 - type.width));
}

// An offer on channel `id`, whose type is known.
static void offer(gy_gen *g, const gy_edge *edge, const gy_channel_type *type, int32_t id,
                  bool escapes)
{
    const gy_shape *shape = g->shape->shape;
    bool always = edge->effect || fields_may_fault(g, edge->fields, edge->field_count);
    gy_text ready = {0};
    char **conditions = gy_alloc_zero((shape->process_count + 1) * sizeof *conditions);
    for (uint32_t pid = shape->process_count; pid-- > 0;) {
        gy_text one = {0};
        if ((int32_t)pid != g->pid && readiness(g, pid, id, &one)) {
            gy_text_printf(&ready, "%s(%s)", ready.n ? " || " : "", gy_text_str(&one));
            conditions[pid] = gy_text_take(&one);
        }
        gy_text_free(&one);
    }
    if (!ready.n && !always) {
        gy_gen_line(g, "// nobody ever receives");
        if (escapes)
            gy_gen_line(g, "esc = 0;");
        goto done;
    }
    gy_gen_open(g, "if (%s)", always ? "1" : gy_text_str(&ready));
    begin_copy(g);
    gy_gen_line(g, "int m[%u];", type->field_count + 1);
    for (uint32_t f = 0; f < type->field_count; f++) {
        char *value = edge->fields[f].expr ? gy_gen_text(g, edge->fields[f].expr) : NULL;
        truncated(g, type->fields[f], f, value ? value : "0");
        free(value);
    }
    char chan[16];
    snprintf(chan, sizeof chan, "%d", id);
    g->offer = chan;
    gy_gen_program(g, edge->effect);
    g->offer = "0";
    move(g, edge);
    g->s = "s";
    gy_gen_line(g, "int taken = 0;");
    gy_gen_line(g, "if (depth + 1 >= DEPTH) goto vm;");
    gy_gen_line(g, "r->at = o + W;");
    gy_gen_line(g, "r->path[depth] = (struct step){%d, %d, -1, -1};", g->pid, gy_gen_edge(g, edge));
    for (uint32_t pid = shape->process_count; pid-- > 0;)
        if (conditions[pid]) {
            gy_gen_open(g, "if (%s)", conditions[pid]);
            gy_gen_line(g, "if ((got = q%u(r, o, %d, m, depth)) < 0) return got;", pid, id);
            gy_gen_line(g, "taken |= got;");
            gy_gen_close(g);
        }
    gy_gen_line(g, "if (taken) moved = 1;");
    gy_gen_line(g, "else r->at = o;");
    if (escapes)
        gy_gen_line(g, "esc = taken ? %u : 0;", edge->escape);
    gy_gen_close(g);
    if (escapes && !always)
        gy_gen_line(g, "else esc = 0;");
done:
    for (uint32_t pid = 0; pid < shape->process_count; pid++)
        free(conditions[pid]);
    free(conditions);
    gy_text_free(&ready);
}

// ---- edges --------------------------------------------------------------------------------

static void plain_edge(gy_gen *g, const gy_edge *edge, bool escapes)
{
    if (!covers_effect(g, edge)) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    begin_copy(g);
    gy_gen_program(g, edge->effect);
    move(g, edge);
    note_moved(g, edge, escapes);
    finish(g, edge, false);
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
    if (covers_effect(g, edge)) {
        begin_copy(g);
        if (is_send)
            gy_gen_send(g, channel, &comm);
        else {
            gy_gen_take(g, channel, &comm);
            gy_gen_store_fields(g, &comm);
        }
        gy_gen_program(g, edge->effect);
        move(g, edge);
        note_moved(g, edge, escapes);
        finish(g, edge, false);
    } else
        gy_gen_line(g, "goto vm;");
    gy_gen_close(g);
}

// A receive from a rendezvous channel, looked at when nothing is offered: it can only fault.
static void idle_receive(gy_gen *g, const gy_edge *edge)
{
    if (g->program->edges[gy_gen_edge(g, edge)].channel)
        return;
    if (edge->keep)
        gy_gen_line(g, "goto vm;");
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH && may_fault(g, edge->fields[f].expr)) {
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
    else if (edge->field_count != channel->type->field_count || !covers_effect(g, edge))
        gy_gen_line(g, "goto vm;");
    else
        offer(g, edge, channel->type, channel->id, escapes);
}

static void communication(gy_gen *g, const gy_edge *edge, bool escapes)
{
    const gy_shape *shape = g->shape->shape;
    gy_gen_channels set;
    gy_gen_channels_of(g, edge->chan, &set);
    if (set.certain) {
        const gy_shape_channel *at = &shape->channel[set.id - 1];
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
    if (!covers_test(g, edge)) {
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
        char *text = gy_gen_text(g, edge->guard);
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

// ---- rendezvous: the receiver ----------------------------------------------------------

static void take_offer(gy_gen *g, const gy_edge *edge, bool escapes)
{
    const gy_vm_edge *code = &g->program->edges[gy_gen_edge(g, edge)];
    const gy_shape *shape = g->shape->shape;
    gy_gen_channels set;
    if (escapes)
        gy_gen_line(g, "if (esc && esc != %u) break;", edge->escape);
    if (edge->sync != GY_SYNC_RECV || (code->channel && !code->is_rendezvous))
        return;
    if (!covers_test(g, edge)) {
        if (code->channel)
            gy_gen_line(g, "if (chan == %d) goto vm;", code->channel);
        else
            gy_gen_line(g, "goto vm;");
        return;
    }
    gy_gen_channels_of(g, edge->chan, &set);
    gy_gen_edge_comment(g, edge);
    if (code->channel)
        gy_gen_open(g, "if (chan == %d)", code->channel);
    else
        gy_gen_open(g, "%s", "");
    if (edge->guard) {
        char *text = gy_gen_text(g, edge->guard);
        gy_gen_open(g, "if (%s)", text);
        free(text);
    } else
        gy_gen_open(g, "%s", "");
    char *text = gy_gen_text(g, edge->chan);
    if (set.certain)
        gy_gen_line(g, "int fits = chan == %d;", set.id);
    else {
        gy_gen_line(g, "int c_ = INDEX(%s - 1, CHANNELS) + 1;", text);
        gy_gen_line(g, "int fits = chan == c_;");
    }
    free(text);
    if (edge->keep && set.certain)
        gy_gen_line(g, "if (!channel_capacity[%d]) goto vm;", set.id);
    else if (edge->keep)
        gy_gen_line(g, "if (!channel_capacity[c_]) goto vm;");
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH) {
            char *key = gy_gen_text(g, edge->fields[f].expr);
            gy_gen_line(g, "int k%u_ = %s;", f, key);
            free(key);
        }
    gy_gen_open(g, "if (fits)");
    for (uint32_t i = 0; i < shape->channel_count; i++) {
        const gy_channel_type *type = &g->model->channel_types[shape->channel[i].type];
        if (set.may[i + 1] && !type->capacity && type->field_count != edge->field_count)
            gy_gen_line(g, "if (chan == %u) goto vm;", i + 1);
    }
    gy_text match = {0};
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_MATCH)
            gy_text_printf(&match, " && m[%u] == k%u_", f, f);
    gy_gen_open(g, "if (1%s)", gy_text_str(&match));
    gy_text_free(&match);
    if (covers_effect(g, edge)) {
        gy_gen_comm comm = {edge->chan, edge->fields, edge->field_count, false, false, false};
        begin_copy(g);
        for (uint32_t f = 0; f < edge->field_count; f++)
            if (edge->fields[f].kind == GY_FIELD_STORE)
                gy_gen_line(g, "int m%u_ = m[%u];", f, f);
        const char *offered = g->offer;
        g->offer = "0"; // it is taken
        gy_gen_store_fields(g, &comm);
        gy_gen_program(g, edge->effect);
        g->offer = offered;
        move(g, edge);
        note_moved(g, edge, escapes);
        finish(g, edge, true);
    } else
        gy_gen_line(g, "goto vm;");
    for (int i = 0; i < 4; i++)
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
    char *text = gy_gen_text(g, expr);
    gy_gen_line(g, "if (!(%s)) return 0; // provided", text);
    free(text);
}

typedef void edge_writer(gy_gen *g, const gy_edge *edge, bool escapes);

static void write_nodes(gy_gen *g, edge_writer *write)
{
    const gy_template *tmpl = &g->model->templates[g->tmpl];
    provided(g);
    gy_gen_open(g, "switch (s[%u] & 0x%xu)", g->base, pc_mask(g));
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
    gy_gen_line(g, "return moved;");
    gy_gen_line(g, "vm: return VM;");
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

void gy_gen_process(gy_gen *g, bool declare)
{
    static const char p[] =
        "static int p%d(struct run *r, const word *restrict s, unsigned depth)%s";
    static const char q[] = "static int q%d(struct run *r, const word *restrict s, int chan, "
                            "const int *m, unsigned depth)%s";
    bool rendezvous = false;
    for (uint32_t i = 0; i < g->shape->shape->channel_count; i++)
        rendezvous =
            rendezvous || !g->model->channel_types[g->shape->shape->channel[i].type].capacity;
    bool takes = rendezvous && receives(g);
    if (declare) {
        gy_gen_line(g, p, g->pid, ";");
        if (takes)
            gy_gen_line(g, q, g->pid, ";");
        return;
    }
    gy_gen_line(g, "\n// process %d: %s, words %u to %u", g->pid, g->model->templates[g->tmpl].name,
                g->base, g->base + g->model->templates[g->tmpl].words - 1);
    gy_gen_line(g, p, g->pid, "");
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int moved = 0, got; (void)got;");
    g->timeout = "(r->timeout && !depth)";
    write_nodes(g, one_edge);
    gy_gen_close(g);
    g->timeout = "0";
    if (!takes)
        return;
    gy_gen_line(g, "\n// process %d takes message m, offered on channel `chan`", g->pid);
    gy_gen_line(g, q, g->pid, "");
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int moved = 0, got; (void)got;");
    g->offer = "chan";
    write_nodes(g, take_offer);
    g->offer = "0";
    gy_gen_close(g);
}
