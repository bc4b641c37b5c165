#include "report/info/info.h"
#include "exec/describe/naming.h"

// Text inside a quoted DOT string.
static void quoted(const char *text, gy_text *out)
{
    for (; text && *text; text++) {
        if (*text == '"' || *text == '\\')
            gy_text_char(out, '\\');
        if ((unsigned char)*text < ' ')
            gy_text_char(out, ' ');
        else
            gy_text_char(out, *text);
    }
}

static void write_node(const gy_template *tmpl, uint32_t t, uint32_t n, gy_text *out)
{
    const gy_node *node = &tmpl->nodes[n];
    gy_text_printf(out, "    n%u_%u [label=\"%u", t, n, n);
    if (node->label) {
        gy_text_add(out, "\\n");
        quoted(node->label, out);
    }
    gy_text_add(out, "\"");
    if (node->flags & (GY_NODE_END | GY_NODE_FINAL))
        gy_text_add(out, ", peripheries=2");
    if (node->flags & GY_NODE_ACCEPT)
        gy_text_add(out, ", color=red");
    if (node->flags & GY_NODE_PROGRESS)
        gy_text_add(out, ", color=blue");
    if ((int32_t)n == tmpl->initial)
        gy_text_add(out, ", style=filled, fillcolor=lightgrey");
    gy_text_add(out, "];\n");
}

static void write_edge(const gy_model *model, const gy_edge *edge, gy_text *out)
{
    gy_text text = {0};
    if (edge->to == GY_NONE)
        gy_text_printf(out, "    n%d_%d -> end%d [label=\"", edge->tmpl, edge->from, edge->tmpl);
    else
        gy_text_printf(out, "    n%d_%d -> n%d_%d [label=\"", edge->tmpl, edge->from, edge->tmpl,
                       edge->to);
    gy_name_statement(edge->text, 60, &text);
    quoted(gy_text_str(&text), out);
    gy_text_free(&text);
    if (edge->place)
        gy_text_printf(out, "\\nline %u", gy_location_user(model->sources, edge->place).line);
    gy_text_add(out, "\"");
    if (edge->keeps_atomic)
        gy_text_add(out, ", style=bold");
    if (edge->kind == GY_EDGE_ELSE || edge->escape > 0)
        gy_text_add(out, ", style=dashed");
    gy_text_add(out, "];\n");
}

void gy_info_dot(const gy_model *model, gy_text *out)
{
    gy_text_add(out, "digraph \"");
    quoted(model->name, out);
    gy_text_add(out, "\" {\n  node [shape=circle, fontname=\"Helvetica\", fontsize=10];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=9];\n");
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        gy_text_printf(out, "  subgraph cluster_%u {\n    label=\"", t);
        quoted(gy_template_kind_text(tmpl->kind), out);
        if (tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_NEVER) {
            gy_text_char(out, ' ');
            quoted(tmpl->name, out);
        }
        gy_text_add(out, "\";\n");
        bool ends = false;
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            write_node(tmpl, t, n, out);
        for (int32_t e = 0; e < tmpl->edge_count; e++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + e];
            if (edge->to == GY_NONE && !ends) {
                gy_text_printf(out, "    end%u [label=\"\", shape=point];\n", t);
                ends = true;
            }
            write_edge(model, edge, out);
        }
        gy_text_add(out, "  }\n");
    }
    gy_text_add(out, "}\n");
}
