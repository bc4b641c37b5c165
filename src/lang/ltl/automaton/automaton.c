// Making automata and asking simple questions of them.
#include "lang/ltl/automaton/automaton.h"

#include <string.h>

void gy_automaton_free(gy_automaton *a)
{
    if (!a)
        return;
    free(a->edges);
    free(a->first);
    free(a);
}

uint64_t gy_automaton_all(const gy_automaton *a)
{
    return a->sets >= 64 ? UINT64_MAX : (1ull << a->sets) - 1;
}

bool gy_automaton_accepting_state(const gy_automaton *a, uint32_t state)
{
    uint32_t i = a->first[state];
    return i < a->first[state + 1] && a->edges[i].accept == gy_automaton_all(a);
}

static int by_ends(const void *x, const void *y)
{
    const gy_aut_edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->accept != b->accept)
        return a->accept < b->accept ? -1 : 1;
    return a->label < b->label ? -1 : a->label > b->label;
}

gy_automaton *gy_automaton_make(gy_bdds *labels, uint32_t state_count, uint32_t initial,
                                uint32_t sets, gy_aut_edges *edges)
{
    gy_automaton *a = gy_alloc_zero(sizeof *a);
    a->labels = labels;
    a->state_count = state_count;
    a->initial = initial;
    a->sets = sets;
    a->state_based = sets == 0;
    if (edges->n > 1)
        qsort(edges->at, edges->n, sizeof *edges->at, by_ends);
    size_t kept = 0;
    for (size_t i = 0; i < edges->n; i++) {
        gy_aut_edge e = edges->at[i], *last = kept ? &edges->at[kept - 1] : NULL;
        if (e.label == GY_BDD_FALSE)
            continue;
        if (last && last->from == e.from && last->to == e.to && last->accept == e.accept)
            last->label = gy_bdd_or(labels, last->label, e.label);
        else
            edges->at[kept++] = e;
    }
    a->edges = edges->at;
    a->edge_count = (uint32_t)kept;
    a->first = gy_alloc_zero((state_count + 1) * sizeof *a->first);
    for (size_t i = 0; i < kept; i++)
        a->first[a->edges[i].from + 1]++;
    for (uint32_t s = 0; s < state_count; s++)
        a->first[s + 1] += a->first[s];
    edges->at = NULL;
    edges->n = edges->room = 0;
    return a;
}

gy_automaton *gy_automaton_copy(const gy_automaton *a)
{
    gy_aut_edges edges = {0};
    for (uint32_t i = 0; i < a->edge_count; i++)
        gy_vec_push(&edges, a->edges[i]);
    gy_automaton *made = gy_automaton_make(a->labels, a->state_count, a->initial, a->sets, &edges);
    made->state_based = a->state_based;
    return made;
}

bool gy_automaton_empty(const gy_automaton *a)
{
    gy_sccs sccs = gy_sccs_find(a);
    bool empty = true;
    for (uint32_t i = 0; i < sccs.count; i++)
        empty = empty && !sccs.accepting[i];
    gy_sccs_free(&sccs);
    return empty;
}

bool gy_automaton_deterministic(const gy_automaton *a)
{
    for (uint32_t s = 0; s < a->state_count; s++) {
        gy_bdd taken = GY_BDD_FALSE;
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
            if (!gy_bdd_disjoint(a->labels, taken, a->edges[i].label))
                return false;
            taken = gy_bdd_or(a->labels, taken, a->edges[i].label);
        }
    }
    return true;
}

static bool complete_state(const gy_automaton *a, uint32_t state)
{
    gy_bdd taken = GY_BDD_FALSE;
    for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++)
        taken = gy_bdd_or(a->labels, taken, a->edges[i].label);
    return taken == GY_BDD_TRUE;
}

bool gy_automaton_complete(const gy_automaton *a)
{
    for (uint32_t s = 0; s < a->state_count; s++)
        if (!complete_state(a, s))
            return false;
    return true;
}

bool gy_automaton_weak(const gy_automaton *a)
{
    gy_sccs sccs = gy_sccs_find(a);
    bool weak = true;
    for (uint32_t i = 0; i < sccs.count; i++)
        weak = weak && sccs.weak[i];
    gy_sccs_free(&sccs);
    return weak;
}

// Each accepting component is weak, complete and never left.
bool gy_automaton_terminal(const gy_automaton *a)
{
    gy_sccs sccs = gy_sccs_find(a);
    bool terminal = true;
    for (uint32_t i = 0; i < sccs.count; i++)
        terminal = terminal && sccs.weak[i];
    for (uint32_t i = 0; i < a->edge_count && terminal; i++) {
        uint32_t from = sccs.of[a->edges[i].from], to = sccs.of[a->edges[i].to];
        terminal = from == UINT32_MAX || !sccs.accepting[from] || from == to;
    }
    for (uint32_t s = 0; s < a->state_count && terminal; s++)
        if (sccs.of[s] != UINT32_MAX && sccs.accepting[sccs.of[s]])
            terminal = complete_state(a, s);
    gy_sccs_free(&sccs);
    return terminal;
}

bool gy_automaton_safety(const gy_automaton *a)
{
    gy_sccs sccs = gy_sccs_find(a);
    bool safety = true;
    for (uint32_t i = 0; i < sccs.count; i++)
        safety = safety && (sccs.trivial[i] || (sccs.accepting[i] && sccs.weak[i]));
    gy_sccs_free(&sccs);
    return safety;
}
