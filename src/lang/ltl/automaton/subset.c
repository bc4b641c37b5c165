// The subset construction, and cycles of its result judged by the original automaton.
//
// The letters on which a set of states has the same successors are found with one decision
// diagram: the conjunction, over all targets t, of "t is in the successor set iff the letter
// is in a label towards t", split between atoms and targets.
#include "lang/ltl/automaton/weak.h"

#include <string.h>

struct subset_builder {
    gy_bdds *bdds, *labels;
    struct subsets *subsets;
    uint32_t *targets; // the target of each variable after the atoms
    uint32_t source;
    gy_aut_edges edges;
};

static uint32_t set_index(struct subsets *s, const uint32_t *members, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < s->start.n; i++) {
        uint32_t n = s->start.at[i + 1] - s->start.at[i];
        if (n == count &&
            (!n || !memcmp(&s->members.at[s->start.at[i]], members, n * sizeof *members)))
            return i;
    }
    for (uint32_t i = 0; i < count; i++)
        gy_vec_push(&s->members, members[i]);
    gy_vec_push(&s->start, (uint32_t)s->members.n);
    return (uint32_t)s->start.n - 2;
}

// The remainder is a full assignment: which targets are successors.
static void take_remainder(void *context, gy_bdd label, gy_bdd remainder)
{
    struct subset_builder *b = context;
    GY_VEC(uint32_t) members = {0};
    while (remainder > GY_BDD_TRUE) {
        gy_bdd high = gy_bdd_high(b->bdds, remainder);
        if (high != GY_BDD_FALSE)
            gy_vec_push(&members, b->targets[gy_bdd_top(b->bdds, remainder) - LTL_ATOM_VARS]);
        remainder = high != GY_BDD_FALSE ? high : gy_bdd_low(b->bdds, remainder);
    }
    uint32_t to = set_index(b->subsets, members.at, (uint32_t)members.n);
    gy_bdd kept = gy_bdd_copy(b->labels, b->bdds, label, 0);
    gy_vec_push(&b->edges, ((gy_aut_edge){b->source, to, kept, 0}));
    gy_vec_free(&members);
}

// The successors of one set. towards[t]: the letters that lead to state t.
static void expand(struct subset_builder *b, const gy_automaton *a, gy_bdd *towards)
{
    struct subsets *s = b->subsets;
    memset(towards, 0, a->state_count * sizeof *towards);
    for (uint32_t k = s->start.at[b->source]; k < s->start.at[b->source + 1]; k++) {
        uint32_t state = s->members.at[k];
        for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++) {
            gy_bdd label = gy_bdd_copy(b->bdds, a->labels, a->edges[i].label, 0);
            towards[a->edges[i].to] = gy_bdd_or(b->bdds, towards[a->edges[i].to], label);
        }
    }
    uint32_t count = 0;
    gy_bdd all = GY_BDD_TRUE;
    for (uint32_t t = 0; t < a->state_count; t++) {
        if (towards[t] == GY_BDD_FALSE)
            continue;
        b->targets[count] = t;
        gy_bdd yes = gy_bdd_var(b->bdds, LTL_ATOM_VARS + count++);
        gy_bdd in = gy_bdd_and(b->bdds, towards[t], yes);
        gy_bdd out = gy_bdd_not(b->bdds, gy_bdd_or(b->bdds, towards[t], yes));
        all = gy_bdd_and(b->bdds, all, gy_bdd_or(b->bdds, in, out));
    }
    gy_bdd_split(b->bdds, all, LTL_ATOM_VARS, take_remainder, b);
}

gy_automaton *ltl_determinise(const gy_automaton *a, gy_bdds *bdds, uint32_t max_states,
                              struct subsets *subsets)
{
    struct subset_builder b = {.bdds = bdds, .labels = a->labels, .subsets = subsets};
    b.targets = gy_alloc(a->state_count * sizeof *b.targets);
    gy_bdd *towards = gy_alloc(a->state_count * sizeof *towards);
    gy_vec_push(&subsets->start, 0);
    set_index(subsets, &a->initial, 1);
    bool fits = true;
    for (b.source = 0; b.source + 1 < subsets->start.n && fits; b.source++) {
        expand(&b, a, towards);
        fits = subsets->start.n - 1 <= max_states && !gy_bdd_exhausted(bdds) &&
               !gy_bdd_exhausted(a->labels);
    }
    free(towards);
    free(b.targets);
    gy_automaton *made =
        fits ? gy_automaton_make(a->labels, (uint32_t)subsets->start.n - 1, 0, 0, &b.edges) : NULL;
    gy_vec_free(&b.edges);
    return made;
}

void ltl_subsets_free(struct subsets *subsets)
{
    gy_vec_free(&subsets->members);
    gy_vec_free(&subsets->start);
}

// ---- cycles -------------------------------------------------------------------------------

// A shortest cycle of d through `state` within its component, as labels.
struct cycle {
    GY_VEC(gy_bdd) labels;
};

static void find_cycle(const gy_automaton *d, const gy_sccs *sccs, uint32_t state,
                       struct cycle *cycle)
{
    uint32_t *by = gy_alloc_zero(d->state_count * sizeof *by); // edge + 1 that led here
    GY_VEC(uint32_t) queue = {0};
    gy_vec_push(&queue, state);
    bool closed = false;
    for (size_t q = 0; q < queue.n && !closed; q++)
        for (uint32_t i = d->first[queue.at[q]]; i < d->first[queue.at[q] + 1] && !closed; i++) {
            uint32_t to = d->edges[i].to;
            if (sccs->of[to] != sccs->of[state] || by[to])
                continue;
            by[to] = i + 1;
            gy_vec_push(&queue, to);
            closed = to == state;
        }
    uint32_t at = state;
    if (closed)
        do { // backwards
            gy_vec_push(&cycle->labels, d->edges[by[at] - 1].label);
            at = d->edges[by[at] - 1].from;
        } while (at != state);
    for (size_t i = 0, k = cycle->labels.n; i + 1 < k; i++) {
        gy_bdd swap = cycle->labels.at[i];
        cycle->labels.at[i] = cycle->labels.at[--k];
        cycle->labels.at[k] = swap;
    }
    free(by);
    gy_vec_free(&queue);
}

// One letter of a label, as a conjunction of literals.
static gy_bdd one_letter(gy_bdds *bdds, gy_bdd label)
{
    if (label <= GY_BDD_TRUE)
        return label;
    uint32_t var = gy_bdd_top(bdds, label);
    gy_bdd low = gy_bdd_low(bdds, label), high = gy_bdd_high(bdds, label);
    return low != GY_BDD_FALSE ? gy_bdd_node(bdds, var, one_letter(bdds, low), GY_BDD_FALSE)
                               : gy_bdd_node(bdds, var, GY_BDD_FALSE, one_letter(bdds, high));
}

// Does `a`, started in one of the members, accept the cycle repeated for ever? Node k of the
// product is (state, position); the initial node leads to all members without reading.
static bool accepts_cycle(const gy_automaton *a, const struct cycle *cycle, const uint32_t *members,
                          uint32_t count)
{
    uint32_t length = (uint32_t)cycle->labels.n, start = a->state_count * length;
    gy_aut_edges edges = {0};
    for (uint32_t i = 0; i < count; i++)
        gy_vec_push(&edges, ((gy_aut_edge){start, members[i] * length, GY_BDD_TRUE, 0}));
    for (uint32_t k = 0; k < length; k++) {
        gy_bdd letter = one_letter(a->labels, cycle->labels.at[k]);
        for (uint32_t i = 0; i < a->edge_count; i++) {
            const gy_aut_edge *e = &a->edges[i];
            if (!gy_bdd_disjoint(a->labels, letter, e->label))
                gy_vec_push(&edges,
                            ((gy_aut_edge){e->from * length + k, e->to * length + (k + 1) % length,
                                           GY_BDD_TRUE, e->accept}));
        }
    }
    gy_automaton *product = gy_automaton_make(a->labels, start + 1, start, a->sets, &edges);
    bool accepts = !gy_automaton_empty(product);
    gy_automaton_free(product);
    return accepts;
}

void ltl_judge_components(const gy_automaton *a, const gy_automaton *d, const gy_sccs *sccs,
                          const struct subsets *subsets, bool *accepts)
{
    for (uint32_t c = 0; c < sccs->count; c++) {
        if (sccs->trivial[c])
            continue;
        uint32_t state = 0;
        while (sccs->of[state] != c)
            state++;
        struct cycle cycle = {0};
        find_cycle(d, sccs, state, &cycle);
        uint32_t first = subsets->start.at[state];
        accepts[c] = accepts_cycle(a, &cycle, &subsets->members.at[first],
                                   subsets->start.at[state + 1] - first);
        gy_vec_free(&cycle.labels);
    }
}
