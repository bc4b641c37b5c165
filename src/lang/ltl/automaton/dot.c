// An automaton as a drawing for Graphviz.
#include "lang/ltl/automaton/output.h"

static void print_escaped(const char *text, gy_text *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            gy_text_char(out, '\\');
        gy_text_char(out, *text == '\n' ? ' ' : *text);
    }
}

static void print_edge(gy_ltl_context *context, const gy_automaton *a, const gy_aut_edge *e,
                       gy_text *out)
{
    gy_text label = {0};
    gy_label_print(context, e->label, GY_LABEL_PROMELA, NULL, &label);
    gy_text_printf(out, "  %u -> %u [label=\"", e->from, e->to);
    print_escaped(e->label == GY_BDD_TRUE ? "true" : gy_text_str(&label), out);
    if (!a->state_based && e->accept) {
        gy_text_add(out, "\\n{");
        bool first = true;
        for (uint32_t i = 0; i < a->sets; i++)
            if (e->accept >> i & 1) {
                gy_text_printf(out, "%s%u", first ? "" : ",", i);
                first = false;
            }
        gy_text_char(out, '}');
    }
    gy_text_add(out, "\"];\n");
    gy_text_free(&label);
}

void gy_automaton_print_dot(gy_ltl_context *context, const gy_automaton *a, const char *title,
                            gy_text *out)
{
    gy_text_add(out, "digraph automaton {\n  rankdir=LR;\n");
    if (title) {
        gy_text_add(out, "  label=\"");
        print_escaped(title, out);
        gy_text_add(out, "\";\n  labelloc=t;\n");
    }
    gy_text_add(out, "  node [shape=circle];\n  start [shape=point, label=\"\"];\n");
    gy_text_printf(out, "  start -> %u;\n", a->initial);
    for (uint32_t s = 0; s < a->state_count; s++)
        gy_text_printf(out, "  %u%s;\n", s,
                       a->state_based && gy_automaton_accepting_state(a, s) ? " [peripheries=2]"
                                                                            : "");
    for (uint32_t i = 0; i < a->edge_count; i++)
        print_edge(context, a, &a->edges[i], out);
    gy_text_add(out, "}\n");
}
