// Trace and notrace assertions: an automaton over the sends and receives on its channels.
//
// Its location is part of the global block. An event on a channel that does not occur in the
// automaton (for a send: in a send) is not its business. Of a trace, every event must be one
// that the location allows. A notrace is watched until an event does not fit; reaching its
// end is the error.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"

static bool in_scope(gy_machine *m, const gy_template *tmpl, int32_t channel, bool is_receive)
{
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &m->model->edges[tmpl->first_edge + k];
        int32_t id;
        if (edge->sync == (is_receive ? GY_SYNC_RECV : GY_SYNC_SEND) &&
            gy_machine_eval(m, edge->chan, &id) && id == channel)
            return true;
    }
    return false;
}

static bool matches(gy_machine *m, int32_t edge)
{
    const gy_vm_edge *code = &m->program->edges[edge];
    return code->kind != GY_EDGE_END &&
           (!code->guard || gy_vm_run(m, &m->program->code, code->guard));
}

static void move_to(gy_machine *m, int32_t node)
{
    gy_put_bits(m->s, m->model->trace_word, m->model->trace_shift, m->model->trace_bits, node);
}

bool gy_vm_event(gy_machine *m, int32_t channel, bool is_receive, const int32_t *message)
{
    const gy_template *tmpl = &m->model->templates[m->model->trace];
    if (!in_scope(m, tmpl, channel, is_receive))
        return true;
    int32_t at =
        gy_get_bits(m->s, m->model->trace_word, m->model->trace_shift, m->model->trace_bits, false);
    const gy_node *node = &tmpl->nodes[at];
    int32_t kept = m->channel;
    uint32_t slot = m->slot;
    m->event_channel = channel;
    m->event_is_receive = is_receive;
    m->event_message = message;
    int32_t found = GY_NONE;
    bool ambiguous = false;
    for (int32_t k = 0; k < node->edge_count && !(node->flags & GY_NODE_FINAL); k++) {
        if (!matches(m, node->first_edge + k))
            continue;
        ambiguous = found != GY_NONE;
        if (found == GY_NONE)
            found = m->model->edges[node->first_edge + k].to;
    }
    m->channel = kept;
    m->slot = slot;
    if (ambiguous) {
        gy_raise(m, GY_FAULT_TRACE_CHOICE, "the trace assertion is non-deterministic here");
        return false;
    }
    if (tmpl->kind == GY_TMPL_TRACE) {
        if (found == GY_NONE)
            gy_raise(m, GY_FAULT_TRACE, "the trace assertion does not allow this %s",
                     is_receive ? "receive" : "send");
        else
            move_to(m, found);
        return true;
    }
    bool was_over = node->flags & GY_NODE_FINAL;
    if (found == GY_NONE) { // only the first try counts: rest at the end
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if (tmpl->nodes[n].flags & GY_NODE_FINAL)
                found = (int32_t)n;
        if (found != GY_NONE)
            move_to(m, found);
        return true;
    }
    move_to(m, found);
    if (!was_over && tmpl->nodes[found].flags & GY_NODE_FINAL)
        gy_raise(m, GY_FAULT_NOTRACE, "all events of the notrace assertion were matched");
    return true;
}
