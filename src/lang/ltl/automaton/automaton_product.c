// The product of two automata: the words that both accept.
//
// States are the reachable pairs. The acceptance sets of the second come after those of the
// first.
#include "base/numbering.h"
#include "lang/ltl/automaton/automaton.h"

static uint64_t pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

gy_automaton *gy_automaton_product(const gy_automaton *a, const gy_automaton *b,
                                   uint32_t max_states)
{
    if (a->sets + b->sets > GY_AUTOMATON_MAX_SETS)
        return NULL;
    gy_numbering pairs = {0};
    gy_aut_edges edges = {0};
    gy_number(&pairs, pair(a->initial, b->initial));
    bool fits = true;
    for (uint32_t s = 0; s < pairs.keys.n && fits; s++) {
        uint32_t x = (uint32_t)(pairs.keys.at[s] >> 32), y = (uint32_t)pairs.keys.at[s];
        for (uint32_t i = a->first[x]; i < a->first[x + 1]; i++)
            for (uint32_t k = b->first[y]; k < b->first[y + 1]; k++) {
                gy_bdd label = gy_bdd_and(a->labels, a->edges[i].label, b->edges[k].label);
                if (label == GY_BDD_FALSE)
                    continue;
                gy_aut_edge e = {s, gy_number(&pairs, pair(a->edges[i].to, b->edges[k].to)), label,
                                 a->edges[i].accept};
                if (b->sets)
                    e.accept |= b->edges[k].accept << a->sets;
                gy_vec_push(&edges, e);
            }
        fits = pairs.keys.n <= max_states && !gy_bdd_exhausted(a->labels);
    }
    gy_automaton *made =
        fits ? gy_automaton_make(a->labels, (uint32_t)pairs.keys.n, 0, a->sets + b->sets, &edges)
             : NULL;
    gy_vec_free(&edges);
    gy_numbering_free(&pairs);
    return made;
}
