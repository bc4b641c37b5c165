// Rendezvous in C: the sender's half, and the receiver's. See gen_edge.c.
//
// The sender first looks whether anybody is at a place where the message could be taken; only
// then does it make the state in which the message is on offer.
#include "exec/native/gen.h"

#include <stdio.h>

// ---- rendezvous: the sender ------------------------------------------------------------

// May a receive edge of process `pid` (edge of its template) react to an offer on `id`? Also if
// merely examining it may fault.
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
    if (!gy_gen_covers_test(&other, edge) || gy_gen_may_fault(&other, edge->chan) ||
        gy_gen_may_fault(&other, edge->guard) ||
        gy_gen_fields_may_fault(&other, edge->fields, edge->field_count))
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
    const gy_state_layout_process *process = &g->shape->shape->process[pid];
    const gy_template *tmpl = &g->model->templates[process->tmpl];
    uint32_t count = 0, chunks = (tmpl->node_count + 63) / 64;
    uint64_t *bits = gy_alloc_zero((chunks + 1) * sizeof *bits);
    int32_t only = -1;
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (node_may_take(g, pid, &tmpl->nodes[n], id)) {
            bits[n / 64] |= 1ull << n % 64;
            only = (int32_t)n;
            count++;
        }
    gy_text location = {0};
    gy_gen_get(g, &location, "s", gy_gen_pc_of(g, pid));
    const char *pc = gy_text_str(&location);
    if (count == 1)
        gy_text_printf(out, "%s == %d", pc, only);
    else if (chunks <= 1)
        gy_text_printf(out, "0x%llxull >> %s & 1", (unsigned long long)bits[0], pc);
    else if (g->device) {
        gy_text *before = g->out;
        g->out = out;
        gy_gen_open_table(g, pc);
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if (bits[n / 64] >> n % 64 & 1)
                gy_text_printf(out, "case %u: v_ = 1; break; ", n);
        gy_gen_close_table(g);
        g->out = before;
    } else {
        gy_text_add(out, "(const uint64_t[]){");
        for (uint32_t c = 0; c < chunks; c++)
            gy_text_printf(out, "0x%llxull,", (unsigned long long)bits[c]);
        gy_text_printf(out, "}[%s >> 6] >> (%s & 63) & 1", pc, pc);
    }
    gy_text_free(&location);
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
void gy_gen_offer(gy_gen *g, const gy_edge *edge, const gy_channel_type *type, int32_t id,
                  bool escapes)
{
    const gy_state_layout *shape = g->shape->shape;
    bool watched = gy_gen_watches(g, id, false);
    bool always =
        watched || edge->effect || gy_gen_fields_may_fault(g, edge->fields, edge->field_count);
    gy_text ready = {0};
    char **conditions = gy_alloc_zero((shape->process_count + 1) * sizeof *conditions);
    for (uint32_t pid = shape->process_count; pid-- > 0;) {
        gy_text one = {0};
        if ((int32_t)pid != g->pid && readiness(g, pid, id, &one)) {
            gy_text_printf(&ready, "%sTRUTH(%s)", ready.n ? " || " : "", gy_text_str(&one));
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
    gy_gen_open(g, "if (%s)", always ? "TRUTH(1)" : gy_text_str(&ready));
    gy_gen_check_alone(g, edge);
    gy_gen_begin_copy(g);
    gy_gen_line(g, "int m[%u] = {0};", g->program->max_fields + 1);
    for (uint32_t f = 0; f < type->field_count; f++) {
        char *value = edge->fields[f].expr ? gy_gen_text(g, edge->fields[f].expr) : NULL;
        truncated(g, type->fields[f], f, value ? value : "0");
        free(value);
    }
    char chan[16];
    snprintf(chan, sizeof chan, "%d", id);
    if (watched)
        gy_gen_event(g, chan, false, "m");
    g->offer = chan;
    gy_gen_program(g, edge->effect);
    g->offer = "0";
    gy_gen_move(g, edge);
    g->s = "s";
    gy_gen_line(g, "int taken = 0;");
    gy_gen_line(g, "if (depth + 1 >= DEPTH) goto vm;");
    gy_gen_line(g, "NEST(o);");
    gy_gen_line(g, "PATH(depth, %d, %d);", g->pid, gy_gen_edge(g, edge));
    gy_gen_hidden_pass(g, false);
    for (uint32_t pid = shape->process_count; pid-- > 0;)
        if (conditions[pid]) {
            gy_gen_open(g, "if (TRUTH(%s))", conditions[pid]);
            gy_gen_line(g, "if ((got = q%u(r, o, %d, m, depth, written)) < 0) return got;", pid,
                        id);
            gy_gen_line(g, "taken |= got;");
            gy_gen_close(g);
        }
    gy_gen_hidden_pass(g, true);
    gy_gen_line(g, "if (taken) moved = 1;");
    gy_gen_line(g, "else DROP(o);");
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

// ---- a joint rendezvous -----------------------------------------------------------------

static void become(gy_gen *g, uint32_t pid)
{
    g->pid = (int32_t)pid;
    g->tmpl = g->shape->shape->process[pid].tmpl;
    g->base = g->shape->shape->process[pid].offset;
}

// Both halves in one go: the message, the receiver's effect, the sender's. See model.h.
static void joint_step(gy_gen *g, const gy_edge *send, const gy_edge *receive,
                       const gy_channel_type *type, uint32_t partner)
{
    uint32_t sender = (uint32_t)g->pid;
    gy_gen_line(g, "COPY(o, s);");
    gy_gen_hidden_copy(g);
    for (uint32_t f = 0; f < type->field_count; f++) {
        char *value = gy_gen_text(g, send->fields[f].expr);
        gy_gen_line(g, "int m%u_ = %s;", f, value);
        free(value);
        if (type->fields[f].width < 32)
            gy_gen_line(g, "m%u_ = (int)((word)m%u_ << %d) >> %d;", f, f,
                        32 - type->fields[f].width, 32 - type->fields[f].width);
        if (type->fields[f].width < 32 && !type->fields[f].is_signed)
            gy_gen_line(g, "m%u_ &= 0x%xu;", f, ~0u >> (32 - type->fields[f].width));
    }
    g->s = "o";
    become(g, partner);
    gy_gen_comm comm = {receive->chan, receive->fields, receive->field_count, false, false, false};
    gy_gen_store_fields(g, &comm);
    gy_gen_program(g, receive->effect);
    gy_gen_move(g, receive);
    become(g, sender);
    gy_gen_program(g, send->effect);
    gy_gen_move(g, send);
    g->s = "s";
    gy_gen_line(g, "moved = 1;");
    if (!receive->keeps_atomic) {
        gy_gen_cover(g, gy_gen_edge(g, send));
        gy_gen_cover(g, gy_gen_edge(g, receive));
        gy_gen_line(g, "EMIT(o, W, %u, %d, %u, %d);", sender, gy_gen_edge(g, send), partner,
                    gy_gen_edge(g, receive));
        return;
    }
    gy_gen_line(g, "PATH(depth, %u, %d);", sender, gy_gen_edge(g, send));
    become(g, partner);
    gy_gen_finish(g, receive, true);
    become(g, sender);
}

// A receive edge of `partner`, which is where that begins.
static void joint_receive(gy_gen *g, const gy_edge *send, const gy_edge *receive,
                          const gy_channel_type *type, uint32_t partner)
{
    uint32_t sender = (uint32_t)g->pid;
    become(g, partner);
    bool covered = gy_gen_covers_test(g, receive) && gy_gen_covers_effect(g, receive) &&
                   !gy_gen_grows(receive->effect) && receive->field_count == type->field_count;
    char *guard = covered && receive->guard ? gy_gen_text(g, receive->guard) : NULL;
    gy_gen_edge_comment(g, receive);
    become(g, sender);
    if (!covered) {
        gy_gen_line(g, "goto vm;");
        return;
    }
    if (guard)
        gy_gen_open(g, "if (TRUTH(%s))", guard);
    else
        gy_gen_open(g, "%s", "");
    free(guard);
    joint_step(g, send, receive, type, partner);
    gy_gen_close(g);
}

static bool receives_on(const gy_gen *g, const gy_edge *edge, int32_t id)
{
    return edge->sync == GY_SYNC_RECV && g->program->edges[gy_gen_edge(g, edge)].channel == id;
}

void gy_gen_joint(gy_gen *g, const gy_edge *edge, const gy_channel_type *type, int32_t id)
{
    const gy_state_layout *shape = g->shape->shape;
    for (uint32_t pid = shape->process_count; pid-- > 0;) {
        const gy_template *tmpl = &g->model->templates[shape->process[pid].tmpl];
        bool any = false;
        for (uint32_t n = 0; (int32_t)pid != g->pid && n < tmpl->node_count; n++) {
            const gy_node *node = &tmpl->nodes[n];
            bool here = false;
            for (int32_t k = 0; k < node->edge_count; k++)
                here = here || receives_on(g, &g->model->edges[node->first_edge + k], id);
            if (!here)
                continue;
            if (!any) {
                gy_text location = {0};
                gy_gen_get(g, &location, "s", gy_gen_pc_of(g, pid));
                gy_gen_open(g, "switch (%s)", gy_text_str(&location));
                gy_text_free(&location);
            }
            any = true;
            gy_gen_open(g, "case %u:", n);
            for (int32_t k = 0; k < node->edge_count; k++)
                if (receives_on(g, &g->model->edges[node->first_edge + k], id))
                    joint_receive(g, edge, &g->model->edges[node->first_edge + k], type, pid);
            gy_gen_line(g, "break;");
            gy_gen_close(g);
        }
        if (any)
            gy_gen_close(g);
    }
}

// ---- rendezvous: the receiver ----------------------------------------------------------

static void open_guard(gy_gen *g, const gy_expr *guard)
{
    char *text = guard ? gy_gen_text(g, guard) : NULL;
    gy_gen_open(g, "if (TRUTH(%s))", text ? text : "1");
    free(text);
}

void gy_gen_take_offer(gy_gen *g, const gy_edge *edge, bool escapes)
{
    const gy_vm_edge *code = &g->program->edges[gy_gen_edge(g, edge)];
    const gy_state_layout *shape = g->shape->shape;
    gy_gen_channels set;
    if (escapes)
        gy_gen_line(g, "if (esc && esc != %u) break;", edge->escape);
    if (edge->sync != GY_SYNC_RECV || (code->channel && !code->is_rendezvous))
        return;
    if (!gy_gen_covers_test(g, edge)) {
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
    open_guard(g, edge->guard);
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
    gy_gen_open(g, "if (TRUTH(1)%s)", gy_text_str(&match));
    gy_text_free(&match);
    if (g->asks) {
        gy_gen_line(g, "return 1;");
    } else if (gy_gen_covers_effect(g, edge) && !gy_gen_grows(edge->effect)) {
        gy_gen_comm comm = {edge->chan, edge->fields, edge->field_count, false, false, false};
        gy_gen_check_alone(g, edge);
        gy_gen_begin_copy(g);
        for (uint32_t f = 0; f < edge->field_count; f++)
            if (edge->fields[f].kind == GY_FIELD_STORE)
                gy_gen_line(g, "int m%u_ = m[%u];", f, f);
        const char *offered = g->offer;
        g->offer = "0"; // it is taken
        if (gy_gen_watches(g, set.certain ? set.id : 0, true))
            gy_gen_event(g, "chan", true, "m");
        gy_gen_store_fields(g, &comm);
        gy_gen_program(g, edge->effect);
        g->offer = offered;
        gy_gen_move(g, edge);
        gy_gen_note_moved(g, edge, escapes);
        gy_gen_finish(g, edge, true);
    } else
        gy_gen_line(g, "goto vm;");
    for (int i = 0; i < 4; i++)
        gy_gen_close(g);
}
