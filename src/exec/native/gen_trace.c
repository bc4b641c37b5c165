// Trace assertions in C: one function, called after every send and receive on a channel that the
// automaton speaks of. See trace.c. What would be a fault is left to the VM, as always.
#include "exec/native/gen.h"

#include <stdio.h>

static const gy_template *trace_of(const gy_gen *g)
{
    return g->model->trace == GY_NONE ? NULL : &g->model->templates[g->model->trace];
}

// In a trace, only constants are compared; a variable stands for any value.
static bool is_compared(const gy_field *field)
{
    return field->kind == GY_FIELD_MATCH ||
           (field->kind == GY_FIELD_VALUE && field->expr->op != GY_E_VAR);
}

bool gy_gen_covers_trace(const gy_model *model)
{
    const gy_template *tmpl = &model->templates[model->trace];
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (edge->kind == GY_EDGE_END)
            continue;
        if (edge->kind != GY_EDGE_NORMAL || edge->sync == GY_SYNC_NONE || edge->guard ||
            edge->chan->op != GY_E_VAR)
            return false;
        for (uint32_t f = 0; f < edge->field_count; f++)
            if (is_compared(&edge->fields[f]) && edge->fields[f].expr->op != GY_E_CONST)
                return false;
    }
    return true;
}

bool gy_gen_watches(gy_gen *g, int32_t channel, bool is_receive)
{
    const gy_template *tmpl = trace_of(g);
    int32_t id;
    for (int32_t k = 0; tmpl && k < tmpl->edge_count; k++) {
        const gy_edge *edge = &g->model->edges[tmpl->first_edge + k];
        if (edge->sync == (is_receive ? GY_SYNC_RECV : GY_SYNC_SEND) &&
            (!channel || !gy_gen_constant(g, edge->chan, &id) || id == channel))
            return true;
    }
    return false;
}

static void write_edge(gy_gen *g, const gy_edge *edge)
{
    int32_t id;
    if (edge->kind == GY_EDGE_END)
        return;
    gy_gen_edge_comment(g, edge);
    if (!gy_gen_constant(g, edge->chan, &id)) {
        gy_gen_line(g, "return VM; // which channel?");
        return;
    }
    gy_text test = {0};
    gy_text_printf(&test, "channel == %d && %sreceive", id, edge->sync == GY_SYNC_RECV ? "" : "!");
    for (uint32_t f = 0; f < edge->field_count; f++)
        if (is_compared(&edge->fields[f]))
            gy_text_printf(&test, " && m[%u] == %d", f, edge->fields[f].expr->value);
    gy_gen_line(g, "if (%s) { if (found >= 0) return VM; found = %d; }", gy_text_str(&test),
                edge->to);
    gy_text_free(&test);
}

static int32_t last_node(const gy_template *tmpl)
{
    int32_t found = GY_NONE;
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (tmpl->nodes[n].flags & GY_NODE_FINAL)
            found = (int32_t)n;
    return found;
}

// Did the automaton move? A trace must have; a notrace rests at its end otherwise.
static void write_verdict(gy_gen *g, const gy_template *tmpl)
{
    if (tmpl->kind == GY_TMPL_TRACE) {
        gy_gen_line(g, "if (found < 0) return VM;");
        return;
    }
    int32_t last = last_node(tmpl);
    if (last == GY_NONE) {
        gy_gen_line(g, "if (found < 0) return 0;");
        return;
    }
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (tmpl->nodes[n].flags & GY_NODE_FINAL)
            gy_gen_line(g, "if (found == %u) return VM; // all of it was matched", n);
    gy_gen_line(g, "if (found < 0) found = %d;", last);
}

void gy_gen_trace(gy_gen *g)
{
    const gy_template *tmpl = trace_of(g);
    if (!tmpl)
        return;
    uint32_t mask = ~0u >> (32 - g->model->trace_bits);
    gy_gen_line(g, "\n// A message was sent or received.");
    gy_gen_line(g, "FUNCTION int event(TARGET o, int channel, int receive, const int *m)");
    gy_gen_open(g, "%s", "");
    gy_gen_line(g, "int found = -1;");
    gy_text scope = {0};
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &g->model->edges[tmpl->first_edge + k];
        int32_t id;
        if (edge->kind != GY_EDGE_END && gy_gen_constant(g, edge->chan, &id))
            gy_text_printf(&scope, " && !(channel == %d && receive == %d)", id,
                           edge->sync == GY_SYNC_RECV);
        else if (edge->kind != GY_EDGE_END)
            gy_text_add(&scope, " && TRUTH(0)");
    }
    gy_gen_line(g, "if (TRUTH(1)%s) return 0;", gy_text_str(&scope));
    gy_text_free(&scope);
    gy_gen_open(g, "switch (GET(o, %u, %u, 0x%xu))", g->model->trace_word, g->model->trace_shift,
                mask);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        const gy_node *node = &tmpl->nodes[n];
        if (node->flags & GY_NODE_FINAL)
            continue;
        gy_gen_open(g, "case %u:", n);
        for (int32_t k = 0; k < node->edge_count; k++)
            write_edge(g, &g->model->edges[node->first_edge + k]);
        gy_gen_line(g, "break;");
        gy_gen_close(g);
    }
    gy_gen_close(g);
    write_verdict(g, tmpl);
    gy_gen_line(g, "PUT_ONLY(o, %u, %u, 0x%xu, found);", g->model->trace_word,
                g->model->trace_shift, mask);
    gy_gen_line(g, "return 0;");
    gy_gen_close(g);
}

void gy_gen_event(gy_gen *g, const char *channel, bool is_receive, const char *message)
{
    gy_gen_line(g, "if (event(o, %s, %d, %s) < 0) goto vm;", channel, is_receive, message);
    gy_gen_line(g, "WROTE(%u);", g->model->trace_word);
}
