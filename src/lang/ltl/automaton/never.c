// An automaton as a never claim in Promela.
//
// The initial state is called T0_init or accept_init, others T0_S<n> or accept_S<n>; a state
// that accepts everything is `accept_all: skip`, whose end Spin takes as a violation. An
// automaton without words is a claim that blocks at once: an empty body would mean "true".
#include "lang/ltl/automaton/output.h"

#include <stdlib.h>

static bool accepts_all(const gy_automaton *a, uint32_t state)
{
    uint32_t i = a->first[state];
    return a->first[state + 1] == i + 1 && a->edges[i].to == state &&
           a->edges[i].label == GY_BDD_TRUE && gy_automaton_accepting_state(a, state);
}

static void print_name(const gy_automaton *a, uint32_t state, gy_text *out)
{
    bool accepting = gy_automaton_accepting_state(a, state);
    if (accepts_all(a, state) && state != a->initial)
        gy_text_add(out, "accept_all");
    else if (state == a->initial)
        gy_text_add(out, accepting ? "accept_init" : "T0_init");
    else
        gy_text_printf(out, "%s_S%u", accepting ? "accept" : "T0", state);
}

static void print_state(gy_ltl_context *context, const gy_automaton *a, uint32_t state,
                        gy_text *out)
{
    print_name(a, state, out);
    gy_text_add(out, ":\n");
    if (accepts_all(a, state) && state != a->initial) {
        gy_text_add(out, "\tskip\n");
        return;
    }
    if (a->first[state] == a->first[state + 1]) {
        gy_text_add(out, "\tfalse;\n");
        return;
    }
    gy_text_add(out, "\tdo\n");
    for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++) {
        gy_text_add(out, "\t:: (");
        gy_label_print(context, a->edges[i].label, GY_LABEL_PROMELA, NULL, out);
        gy_text_add(out, ") -> goto ");
        print_name(a, a->edges[i].to, out);
        gy_text_char(out, '\n');
    }
    gy_text_add(out, "\tod;\n");
}

// A comment must not end early.
static void print_title(const char *title, gy_text *out)
{
    for (; *title; title++) {
        gy_text_char(out, *title == '\n' ? ' ' : *title);
        if (title[0] == '*' && title[1] == '/')
            gy_text_char(out, ' ');
    }
}

// The states in the order in which they are printed: what falls off the end comes last. Returns
// how many; two that accept everything would be one.
static uint32_t print_order(const gy_automaton *a, uint32_t *order)
{
    uint32_t n = 0;
    order[n++] = a->initial;
    for (uint32_t s = 0; s < a->state_count; s++)
        if (s != a->initial && !accepts_all(a, s))
            order[n++] = s;
    for (uint32_t s = 0; s < a->state_count; s++)
        if (s != a->initial && accepts_all(a, s)) {
            order[n++] = s;
            break;
        }
    return n;
}

void gy_automaton_print_never(gy_ltl_context *context, const gy_automaton *a, const char *title,
                              gy_text *out)
{
    uint32_t *order = gy_alloc((a->state_count + 1) * sizeof *order);
    uint32_t count = print_order(a, order);
    gy_text_add(out, "never {");
    if (title) {
        gy_text_add(out, " /* ");
        print_title(title, out);
        gy_text_add(out, " */");
    }
    gy_text_char(out, '\n');
    for (uint32_t i = 0; i < count; i++)
        print_state(context, a, order[i], out);
    gy_text_add(out, "}\n");
    free(order);
}

// A loop of n options is n times a guard and a goto, and three more elements after them.
void gy_automaton_number_never(const gy_automaton *a, uint32_t *numbers)
{
    uint32_t *order = gy_alloc((a->state_count + 1) * sizeof *order);
    uint32_t count = print_order(a, order), at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = a->first[order[i]], end = a->first[order[i] + 1];
        for (uint32_t e = first; e < end; e++)
            numbers[e] = at + 2 * (e - first);
        at += end > first ? 2 * (end - first) + 3 : 1;
    }
    free(order);
}
