// Removing states and acceptance that decide nothing.
//
// Acceptance only matters inside accepting components, and there only up to this: a set that
// contains all edges of another set, within the component, is implied by it. So each
// component keeps a smallest list of sets of its own, and all lists share the numbers from 0
// on; where a component has a shorter list, all its edges are in the sets it does not need.
// Representation of "every infinite run accepts": no sets at all.
#include "lang/ltl/automaton/automaton.h"

#include <string.h>

struct pruner {
    const gy_automaton *a;
    gy_sccs sccs;
    bool *useful;            // component: an accepting one can be reached
    uint8_t (*renumber)[64]; // component: new number of each set; 255: dropped
    uint8_t *lists;          // component: how many sets it keeps
    uint32_t sets;           // of the result
};

static bool inside(const struct pruner *p, const gy_aut_edge *e, uint32_t *component)
{
    *component = p->sccs.of[e->from];
    return *component != UINT32_MAX && *component == p->sccs.of[e->to] &&
           p->sccs.accepting[*component];
}

static void find_useful(struct pruner *p)
{
    p->useful = gy_alloc_zero(p->sccs.count * sizeof *p->useful);
    memcpy(p->useful, p->sccs.accepting, p->sccs.count * sizeof *p->useful);
    // Edges go from higher to lower numbers: visit sources in increasing order.
    uint32_t *order = gy_alloc_zero(p->a->state_count * sizeof *order);
    uint32_t *start = gy_alloc_zero((p->sccs.count + 2) * sizeof *start);
    uint32_t n = 0;
    for (uint32_t s = 0; s < p->a->state_count; s++)
        if (p->sccs.of[s] != UINT32_MAX)
            start[p->sccs.of[s] + 1]++, n++;
    for (uint32_t c = 0; c < p->sccs.count; c++)
        start[c + 1] += start[c];
    for (uint32_t s = 0; s < p->a->state_count; s++)
        if (p->sccs.of[s] != UINT32_MAX)
            order[start[p->sccs.of[s]]++] = s;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t s = order[k];
        for (uint32_t i = p->a->first[s]; i < p->a->first[s + 1]; i++)
            if (p->useful[p->sccs.of[p->a->edges[i].to]])
                p->useful[p->sccs.of[s]] = true;
    }
    free(order);
    free(start);
}

// Which sets each component needs. implied[c][j] has bit i if every edge in set j is in set i.
static void choose_sets(struct pruner *p)
{
    const gy_automaton *a = p->a;
    uint32_t count = p->sccs.count, component;
    uint64_t(*implied)[64] = gy_alloc(count * sizeof *implied);
    memset(implied, 0xff, count * sizeof *implied);
    p->renumber = gy_alloc(count * sizeof *p->renumber);
    memset(p->renumber, 255, count * sizeof *p->renumber);
    p->lists = gy_alloc_zero(count);
    for (uint32_t i = 0; i < a->edge_count; i++)
        if (inside(p, &a->edges[i], &component))
            for (uint32_t j = 0; j < a->sets; j++)
                if (a->edges[i].accept >> j & 1)
                    implied[component][j] &= a->edges[i].accept;
    bool rejecting = false;
    for (uint32_t c = 0; c < count; c++) {
        rejecting = rejecting || (p->useful[c] && !p->sccs.trivial[c] && !p->sccs.accepting[c]);
        if (!p->sccs.accepting[c] || p->sccs.weak[c])
            continue; // a weak one needs no set
        uint64_t kept = gy_automaton_all(a);
        for (uint32_t i = 0; i < a->sets; i++)
            for (uint32_t j = 0; j < a->sets; j++)
                if (i != j && (kept >> j & 1) && (implied[c][j] >> i & 1))
                    kept &= ~(1ull << i);
        for (uint32_t i = 0; i < a->sets; i++)
            if (kept >> i & 1)
                p->renumber[c][i] = p->lists[c]++;
        if (p->lists[c] > p->sets)
            p->sets = p->lists[c];
    }
    if (rejecting && !p->sets)
        p->sets = 1;
    free(implied);
}

static uint64_t new_accept(const struct pruner *p, const gy_aut_edge *e, bool transient_accepts)
{
    uint64_t all = p->sets >= 64 ? UINT64_MAX : (1ull << p->sets) - 1, accept = 0;
    uint32_t component;
    if (!inside(p, e, &component))
        return p->sccs.of[e->from] != p->sccs.of[e->to] && transient_accepts ? all : 0;
    for (uint32_t i = 0; i < p->a->sets; i++)
        if ((e->accept >> i & 1) && p->renumber[component][i] != 255)
            accept |= 1ull << p->renumber[component][i];
    for (uint32_t i = p->lists[component]; i < p->sets; i++)
        accept |= 1ull << i;
    return accept;
}

// Accepting states: states in no cycle may be called either; all of a state's edges follow.
static void fix_states(struct pruner *p, gy_aut_edges *edges, bool transient_accepts)
{
    for (size_t i = 0; i < edges->n; i++) {
        uint32_t c = p->sccs.of[edges->at[i].from];
        bool accept = false;
        if (p->sccs.trivial[c])
            accept = transient_accepts;
        else if (p->sccs.accepting[c])
            accept = p->sccs.weak[c] || gy_automaton_accepting_state(p->a, edges->at[i].from);
        edges->at[i].accept = accept && p->sets ? 1 : 0;
    }
}

gy_automaton *gy_automaton_prune(const gy_automaton *a, bool transient_accepts)
{
    struct pruner p = {.a = a, .sccs = gy_sccs_find(a)};
    find_useful(&p);
    choose_sets(&p);
    if (a->state_based && p.sets > 1)
        p.sets = 1;
    gy_aut_edges edges = {0};
    uint32_t *name = gy_alloc_zero(a->state_count * sizeof *name), count = 1;
    for (uint32_t s = 0; s < a->state_count; s++)
        if (s != a->initial && p.sccs.of[s] != UINT32_MAX && p.useful[p.sccs.of[s]])
            name[s] = count++;
    for (uint32_t i = 0; i < a->edge_count; i++) {
        gy_aut_edge e = a->edges[i];
        if (p.sccs.of[e.from] == UINT32_MAX || !p.useful[p.sccs.of[e.from]] ||
            !p.useful[p.sccs.of[e.to]])
            continue;
        e.accept = new_accept(&p, &a->edges[i], transient_accepts);
        gy_vec_push(&edges, e);
    }
    if (a->state_based)
        fix_states(&p, &edges, transient_accepts);
    for (size_t i = 0; i < edges.n; i++) {
        edges.at[i].from = name[edges.at[i].from];
        edges.at[i].to = name[edges.at[i].to];
    }
    gy_automaton *made = gy_automaton_make(a->labels, count, 0, p.sets, &edges);
    made->state_based = a->state_based || p.sets == 0;
    gy_sccs_free(&p.sccs);
    free(p.useful);
    free(p.renumber);
    free(p.lists);
    free(name);
    return made;
}
