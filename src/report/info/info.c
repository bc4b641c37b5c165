#include "report/info/info.h"

const char *gy_template_kind_text(gy_template_kind kind)
{
    static const char *const names[] = {
        [GY_TMPL_PROCESS] = "proctype", [GY_TMPL_INIT] = "init",       [GY_TMPL_NEVER] = "never",
        [GY_TMPL_TRACE] = "trace",      [GY_TMPL_NOTRACE] = "notrace",
    };
    return names[kind];
}

static void add_word(gy_text *out, size_t start, const char *word)
{
    if (out->n > start)
        gy_text_char(out, ' ');
    gy_text_add(out, word);
}

void gy_node_flags_text(const gy_template *tmpl, int32_t node, gy_text *out)
{
    size_t start = out->n;
    uint32_t flags = tmpl->nodes[node].flags;
    if (node == tmpl->initial)
        add_word(out, start, "initial");
    if (flags & GY_NODE_FINAL)
        add_word(out, start, "final");
    else if (flags & GY_NODE_END)
        add_word(out, start, "end");
    if (flags & GY_NODE_ACCEPT)
        add_word(out, start, "accept");
    if (flags & GY_NODE_PROGRESS)
        add_word(out, start, "progress");
}

void gy_edge_flags_text(const gy_edge *edge, gy_text *out)
{
    size_t start = out->n;
    if (edge->kind == GY_EDGE_ELSE)
        add_word(out, start, "else");
    if (edge->kind == GY_EDGE_END)
        add_word(out, start, "end");
    if (edge->sync == GY_SYNC_SEND)
        add_word(out, start, "send");
    if (edge->sync == GY_SYNC_RECV)
        add_word(out, start, "receive");
    if (edge->is_d_step)
        add_word(out, start, "d_step");
    if (edge->keeps_atomic)
        add_word(out, start, "atomic");
    if (edge->needs_timeout)
        add_word(out, start, "timeout");
    if (edge->escape > 0)
        add_word(out, start, "escape");
}
