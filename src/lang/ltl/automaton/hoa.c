// An automaton in the Hanoi Omega Automata format, version 1.
//
// Babiak et al., "The Hanoi Omega-Automata format", CAV 2015. Propositions are the atoms that
// occur in labels, numbered as they come.
#include "lang/ltl/automaton/output.h"
#include "lang/ltl/automaton/steps.h"

static void note_cube(void *context, gy_cube cube)
{
    *(uint64_t *)context |= cube.positive | cube.negative;
}

static void print_sets(uint64_t sets, gy_text *out)
{
    if (!sets)
        return;
    gy_text_add(out, " {");
    bool first = true;
    for (uint32_t i = 0; i < 64; i++)
        if (sets >> i & 1) {
            gy_text_printf(out, "%s%u", first ? "" : " ", i);
            first = false;
        }
    gy_text_char(out, '}');
}

static void print_acceptance(const gy_automaton *a, gy_text *out)
{
    if (a->sets == 0)
        gy_text_add(out, "acc-name: all\nAcceptance: 0 t\n");
    else if (a->sets == 1)
        gy_text_add(out, "acc-name: Buchi\nAcceptance: 1 Inf(0)\n");
    else {
        gy_text_printf(out, "acc-name: generalized-Buchi %u\nAcceptance: %u Inf(0)", a->sets,
                       a->sets);
        for (uint32_t i = 1; i < a->sets; i++)
            gy_text_printf(out, "&Inf(%u)", i);
        gy_text_char(out, '\n');
    }
}

static void print_properties(const gy_automaton *a, gy_text *out)
{
    gy_text_printf(out, "properties: trans-labels explicit-labels %s",
                   a->state_based ? "state-acc" : "trans-acc");
    if (gy_automaton_deterministic(a))
        gy_text_add(out, " deterministic");
    if (gy_automaton_complete(a))
        gy_text_add(out, " complete");
    if (gy_automaton_terminal(a))
        gy_text_add(out, " terminal");
    else if (gy_automaton_weak(a))
        gy_text_add(out, " weak");
    gy_text_char(out, '\n');
}

void gy_automaton_print_hoa(gy_ltl_context *context, const gy_automaton *a, const char *title,
                            gy_text *out)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < a->edge_count; i++)
        gy_bdd_cubes(a->labels, a->edges[i].label, note_cube, &used);
    uint32_t number[64], count = 0;
    for (uint32_t v = 0; v < 64; v++)
        number[v] = used >> v & 1 ? count++ : 0;
    gy_text_add(out, "HOA: v1\n");
    if (title) {
        gy_text_add(out, "name: ");
        gy_text_quote(out, title);
        gy_text_char(out, '\n');
    }
    gy_text_printf(out, "States: %u\nStart: %u\nAP: %u", a->state_count, a->initial, count);
    for (uint32_t v = 0; v < 64; v++)
        if (used >> v & 1) {
            gy_text_char(out, ' ');
            gy_text_quote(out, gy_ltl_atom_text(context->pool, context->atoms.at[v]));
        }
    gy_text_char(out, '\n');
    print_acceptance(a, out);
    print_properties(a, out);
    gy_text_add(out, "--BODY--\n");
    for (uint32_t s = 0; s < a->state_count; s++) {
        gy_text_printf(out, "State: %u", s);
        if (a->state_based && gy_automaton_accepting_state(a, s) && a->sets)
            print_sets(1, out);
        gy_text_char(out, '\n');
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
            gy_text_char(out, '[');
            gy_label_print(context, a->edges[i].label, GY_LABEL_NUMBERS, number, out);
            gy_text_printf(out, "] %u", a->edges[i].to);
            if (!a->state_based)
                print_sets(a->edges[i].accept, out);
            gy_text_char(out, '\n');
        }
    }
    gy_text_add(out, "--END--\n");
}
