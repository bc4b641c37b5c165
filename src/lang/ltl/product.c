// The product of two automata: the words that both accept.
//
// States are the reachable pairs. The acceptance sets of the second come after those of the
// first.
#include "base/hash.h"
#include "lang/ltl/automaton.h"

struct pairs {
    GY_VEC(uint64_t) all; // first << 32 | second
    uint32_t *table;      // index + 1
    size_t room;
};

static uint32_t pair_index(struct pairs *p, uint32_t a, uint32_t b)
{
    if (p->all.n * 2 >= p->room) {
        free(p->table);
        p->room = p->room ? p->room * 2 : 64;
        p->table = gy_alloc_zero(p->room * sizeof *p->table);
        for (uint32_t i = 0; i < p->all.n; i++) {
            size_t slot = gy_hash_number(p->all.at[i]) & (p->room - 1);
            while (p->table[slot])
                slot = (slot + 1) & (p->room - 1);
            p->table[slot] = i + 1;
        }
    }
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot = gy_hash_number(key) & (p->room - 1);
    for (; p->table[slot]; slot = (slot + 1) & (p->room - 1))
        if (p->all.at[p->table[slot] - 1] == key)
            return p->table[slot] - 1;
    gy_vec_push(&p->all, key);
    p->table[slot] = (uint32_t)p->all.n;
    return p->table[slot] - 1;
}

gy_automaton *gy_automaton_product(const gy_automaton *a, const gy_automaton *b,
                                   uint32_t max_states)
{
    if (a->sets + b->sets > GY_AUTOMATON_MAX_SETS)
        return NULL;
    struct pairs pairs = {0};
    gy_aut_edges edges = {0};
    pair_index(&pairs, a->initial, b->initial);
    bool fits = true;
    for (uint32_t s = 0; s < pairs.all.n && fits; s++) {
        uint32_t x = (uint32_t)(pairs.all.at[s] >> 32), y = (uint32_t)pairs.all.at[s];
        for (uint32_t i = a->first[x]; i < a->first[x + 1]; i++)
            for (uint32_t k = b->first[y]; k < b->first[y + 1]; k++) {
                gy_bdd label = gy_bdd_and(a->labels, a->edges[i].label, b->edges[k].label);
                if (label == GY_BDD_FALSE)
                    continue;
                gy_aut_edge e = {s, pair_index(&pairs, a->edges[i].to, b->edges[k].to), label,
                                 a->edges[i].accept};
                if (b->sets)
                    e.accept |= b->edges[k].accept << a->sets;
                gy_vec_push(&edges, e);
            }
        fits = pairs.all.n <= max_states && !gy_bdd_exhausted(a->labels);
    }
    gy_automaton *made =
        fits ? gy_automaton_make(a->labels, (uint32_t)pairs.all.n, 0, a->sets + b->sets, &edges)
             : NULL;
    gy_vec_free(&edges);
    gy_vec_free(&pairs.all);
    free(pairs.table);
    return made;
}
