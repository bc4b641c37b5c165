// Strongly connected components of an automaton, and which of them accept.
//
// A component is weak if no cycle in it misses a set while another cycle accepts: for each set, the
// component without the edges of that set must have no cycle (found by looking for components
// again, on what is left).
#include "lang/ltl/automaton/automaton.h"

#include "base/scc.h"

#include <string.h>

struct part {
    const gy_automaton *a;
    const uint32_t *inside; // NULL, or: only edges within one component of this map …
    uint64_t without;       // … and in none of these sets
    gy_scc scc;
};

static bool usable(const struct part *p, const gy_aut_edge *e)
{
    return !p->inside || (p->inside[e->from] == p->inside[e->to] && !(e->accept & p->without));
}

static uint32_t next(void *self, uint32_t state, uint64_t nth)
{
    const struct part *p = self;
    uint64_t edge = p->a->first[state] + nth;
    if (edge >= p->a->first[state + 1])
        return GY_SCC_END;
    const gy_aut_edge *e = &p->a->edges[edge];
    return usable(p, e) ? e->to : state;
}

static void start(struct part *p, const gy_automaton *a)
{
    *p = (struct part){.a = a, .scc = {.nodes = a->state_count, .self = p, .next = next}};
    p->scc.number = gy_alloc_zero(a->state_count * sizeof *p->scc.number);
}

static void finish(struct part *p)
{
    free(p->scc.number);
    gy_scc_free(&p->scc);
}

// Marks (as not weak) the accepting components in which a cycle avoids one of the sets.
static void find_weak(const gy_automaton *a, gy_sccs *sccs)
{
    for (uint32_t set = 0; set < a->sets; set++) {
        struct part p;
        start(&p, a);
        p.inside = sccs->of;
        p.without = 1ull << set;
        for (uint32_t s = 0; s < a->state_count; s++)
            if (sccs->of[s] != UINT32_MAX && sccs->accepting[sccs->of[s]] &&
                sccs->weak[sccs->of[s]])
                gy_scc_from(&p.scc, s);
        for (uint32_t i = 0; i < a->edge_count; i++) {
            const gy_aut_edge *e = &a->edges[i];
            uint32_t from = gy_scc_of(&p.scc, e->from);
            if (sccs->of[e->from] != UINT32_MAX && usable(&p, e) && from != GY_SCC_NONE &&
                from == gy_scc_of(&p.scc, e->to))
                sccs->weak[sccs->of[e->from]] = false;
        }
        finish(&p);
    }
}

gy_sccs gy_sccs_find(const gy_automaton *a)
{
    struct part p;
    start(&p, a);
    gy_scc_from(&p.scc, a->initial);
    gy_sccs sccs = {.count = p.scc.count};
    sccs.of = gy_alloc(a->state_count * sizeof *sccs.of);
    for (uint32_t s = 0; s < a->state_count; s++)
        sccs.of[s] = gy_scc_of(&p.scc, s);
    finish(&p);
    sccs.trivial = gy_alloc(sccs.count * sizeof *sccs.trivial);
    sccs.accepting = gy_alloc(sccs.count * sizeof *sccs.accepting);
    sccs.weak = gy_alloc(sccs.count * sizeof *sccs.weak);
    uint64_t *seen = gy_alloc_zero(sccs.count * sizeof *seen);
    memset(sccs.trivial, true, sccs.count * sizeof *sccs.trivial);
    memset(sccs.weak, true, sccs.count * sizeof *sccs.weak);
    for (uint32_t i = 0; i < a->edge_count; i++) {
        uint32_t from = sccs.of[a->edges[i].from];
        if (from == UINT32_MAX || from != sccs.of[a->edges[i].to])
            continue;
        sccs.trivial[from] = false;
        seen[from] |= a->edges[i].accept;
    }
    for (uint32_t i = 0; i < sccs.count; i++)
        sccs.accepting[i] = !sccs.trivial[i] && seen[i] == gy_automaton_all(a);
    free(seen);
    find_weak(a, &sccs);
    return sccs;
}

void gy_sccs_free(gy_sccs *sccs)
{
    free(sccs->of);
    free(sccs->trivial);
    free(sccs->accepting);
    free(sccs->weak);
}
