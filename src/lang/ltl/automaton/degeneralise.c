// From many acceptance sets on edges to one on states.
//
// The classic construction: a copy of the automaton per set, where level i waits for an edge
// of set i and the last level is accepting. With the improvements of Babiak, Badie,
// Duret-Lutz, Křetínský, Strejček (SPIN 2013): levels exist only inside accepting components
// and start again on entry; an edge may pass several levels at once; a state whose edges all
// are in the set that is waited for passes that level on arrival; and on entry to a component,
// a level at which the state is known already is taken instead of a new one (`reuse`).
// A component whose cycles all accept needs no levels: it is accepting as it is.
#include "base/numbering.h"
#include "lang/ltl/automaton/steps.h"

#include <string.h>

struct degeneraliser {
    const gy_automaton *a;
    gy_sccs sccs;
    const uint8_t *order;
    bool reuse;
    uint64_t *common;   // by state: sets that all its edges inside the component are in
    uint32_t *known;    // by state: first pair made for it + 1
    gy_numbering pairs; // state << 8 | level
};

// Passes the levels whose sets are in `accept`, from `level` on.
static uint32_t advance(const struct degeneraliser *d, uint32_t level, uint64_t accept)
{
    while (level < d->a->sets && (accept >> d->order[level] & 1))
        level++;
    return level;
}

static uint32_t pair_of(struct degeneraliser *d, uint32_t state, uint32_t level)
{
    uint32_t number = gy_number(&d->pairs, (uint64_t)state << 8 | level);
    if (!d->known[state])
        d->known[state] = number + 1;
    return number;
}

// The pair for entering a component at `state`.
static uint32_t enter(struct degeneraliser *d, uint32_t state)
{
    uint32_t component = d->sccs.of[state];
    if (!d->sccs.accepting[component])
        return pair_of(d, state, 0);
    if (d->sccs.weak[component])
        return pair_of(d, state, d->a->sets);
    if (d->reuse && d->known[state])
        return d->known[state] - 1;
    return pair_of(d, state, advance(d, 0, d->common[state]));
}

static uint32_t step(struct degeneraliser *d, const gy_aut_edge *e, uint32_t level)
{
    uint32_t component = d->sccs.of[e->to];
    if (component != d->sccs.of[e->from] || !d->sccs.accepting[component] ||
        d->sccs.weak[component])
        return enter(d, e->to);
    if (level == d->a->sets)
        level = 0;
    level = advance(d, level, e->accept);
    return pair_of(d, e->to, advance(d, level, d->common[e->to]));
}

gy_automaton *ltl_degeneralise(gy_ltl_context *context, const gy_automaton *a, const uint8_t *order,
                               bool reuse)
{
    struct degeneraliser d = {.a = a, .sccs = gy_sccs_find(a), .order = order, .reuse = reuse};
    d.common = gy_alloc(a->state_count * sizeof *d.common);
    memset(d.common, 0xff, a->state_count * sizeof *d.common);
    d.known = gy_alloc_zero(a->state_count * sizeof *d.known);
    for (uint32_t i = 0; i < a->edge_count; i++)
        if (d.sccs.of[a->edges[i].from] == d.sccs.of[a->edges[i].to])
            d.common[a->edges[i].from] &= a->edges[i].accept;
    gy_aut_edges edges = {0};
    enter(&d, a->initial);
    for (uint32_t p = 0; p < d.pairs.keys.n && !context->failure; p++) {
        uint32_t state = (uint32_t)(d.pairs.keys.at[p] >> 8),
                 level = (uint32_t)(d.pairs.keys.at[p] & 255);
        for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++) {
            uint32_t to = step(&d, &a->edges[i], level);
            bool accepting = d.sccs.accepting[d.sccs.of[state]] && level == a->sets;
            gy_vec_push(&edges, ((gy_aut_edge){p, to, a->edges[i].label, accepting}));
        }
        if (d.pairs.keys.n > context->limits.max_states)
            ltl_fail(context, GY_LTL_TOO_MANY_STATES);
    }
    gy_automaton *made = NULL;
    if (ltl_alive(context)) {
        made = gy_automaton_make(a->labels, (uint32_t)d.pairs.keys.n, 0, 1, &edges);
        made->state_based = true;
    }
    gy_vec_free(&edges);
    gy_numbering_free(&d.pairs);
    free(d.common);
    free(d.known);
    gy_sccs_free(&d.sccs);
    return made;
}
