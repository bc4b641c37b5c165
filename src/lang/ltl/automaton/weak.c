// The smallest deterministic weak automaton of an obligation property.
//
// Dax, Eisinger, Klaedtke, "Mechanizing the powerset construction for restricted classes of
// ω-automata", ATVA 2007: determinise by subsets, ignoring acceptance; call a component
// accepting if the word of one of its cycles is accepted; minimise (Löding, "Efficient
// minimization of deterministic weak ω-automata", IPL 2001). If the property is an obligation
// the result has the same words; whether it is one is found out by comparing: the result must
// not meet the automaton of the negation, nor its complement the original.
#include "lang/ltl/automaton/weak.h"

#include "base/numbering.h"

#include <string.h>

// ---- colours and minimisation ---------------------------------------------------------------

// Löding's colours: the largest possible ones such that edges never go up and a component's
// colour is even iff it accepts. States that only pass by take the colour of what follows.
// Then "even" is acceptance as a deterministic automaton on finite words would have it.
static bool *colour(const gy_automaton *d, const gy_sccs *sccs, const bool *accepts)
{
    uint32_t top = 2 * sccs->count + 2;
    uint32_t *least = gy_alloc(sccs->count * sizeof *least);
    for (uint32_t c = 0; c < sccs->count; c++)
        least[c] = top;
    bool *even = gy_alloc_zero(d->state_count * sizeof *even);
    // Components are numbered against the direction of edges.
    for (uint32_t c = 0; c < sccs->count; c++) {
        for (uint32_t i = 0; i < d->edge_count; i++) {
            uint32_t to = sccs->of[d->edges[i].to];
            if (sccs->of[d->edges[i].from] == c && to != c && least[to] < least[c])
                least[c] = least[to];
        }
        if (!sccs->trivial[c] && (least[c] % 2 == 0) != accepts[c])
            least[c]--;
    }
    for (uint32_t s = 0; s < d->state_count; s++)
        even[s] = sccs->of[s] != UINT32_MAX && least[sccs->of[s]] % 2 == 0;
    free(least);
    return even;
}

// Moore's algorithm; the signature of a state is the function (letter, class of successor).
static uint32_t *minimise(const gy_automaton *d, const bool *even, gy_bdds *bdds, uint32_t *count)
{
    uint32_t n = d->state_count, classes = 0, before;
    uint32_t *class_of = gy_alloc_zero(n * sizeof *class_of);
    uint32_t *next = gy_alloc_zero(n * sizeof *next);
    gy_bdd *label = gy_alloc((d->edge_count + 1) * sizeof *label);
    for (uint32_t i = 0; i < d->edge_count; i++)
        label[i] = gy_bdd_copy(bdds, d->labels, d->edges[i].label, 0);
    for (uint32_t s = 0; s < n; s++)
        class_of[s] = even[s];
    do {
        before = classes;
        gy_numbering known = {0};
        for (uint32_t s = 0; s < n; s++) {
            gy_bdd all = gy_bdd_literal(bdds, LTL_ATOM_VARS, even[s]);
            gy_bdd moves = GY_BDD_FALSE;
            for (uint32_t i = d->first[s]; i < d->first[s + 1]; i++) {
                gy_bdd to = gy_bdd_var(bdds, LTL_ATOM_VARS + 1 + class_of[d->edges[i].to]);
                moves = gy_bdd_or(bdds, moves, gy_bdd_and(bdds, label[i], to));
            }
            gy_bdd signature = gy_bdd_and(bdds, all, moves);
            next[s] = gy_number(&known, signature);
        }
        classes = (uint32_t)known.keys.n;
        gy_numbering_free(&known);
        memcpy(class_of, next, n * sizeof *next);
    } while (classes != before && !gy_bdd_exhausted(bdds));
    free(next);
    free(label);
    *count = classes;
    return class_of;
}

static gy_automaton *quotient(const gy_automaton *d, const bool *even, const uint32_t *class_of,
                              uint32_t classes)
{
    gy_aut_edges edges = {0};
    bool *done = gy_alloc_zero(classes * sizeof *done);
    for (uint32_t s = 0; s < d->state_count; s++) {
        if (done[class_of[s]])
            continue;
        done[class_of[s]] = true;
        for (uint32_t i = d->first[s]; i < d->first[s + 1]; i++)
            gy_vec_push(&edges, ((gy_aut_edge){class_of[s], class_of[d->edges[i].to],
                                               d->edges[i].label, even[s]}));
    }
    free(done);
    gy_automaton *made = gy_automaton_make(d->labels, classes, class_of[d->initial], 1, &edges);
    made->state_based = true;
    return made;
}

// Deterministic, complete and weak: accepting states change sides.
static gy_automaton *complement(const gy_automaton *d)
{
    gy_automaton *made = gy_automaton_copy(d);
    for (uint32_t i = 0; i < made->edge_count; i++)
        made->edges[i].accept ^= 1;
    return made;
}

static bool disjoint(gy_ltl_context *context, const gy_automaton *a, const gy_automaton *b)
{
    gy_automaton *both = gy_automaton_product(a, b, context->limits.max_states);
    bool empty = both && gy_automaton_empty(both);
    gy_automaton_free(both);
    return empty;
}

static bool same_words(gy_ltl_context *context, const gy_automaton *d, const gy_automaton *a,
                       const gy_automaton *negation)
{
    if (!disjoint(context, d, negation))
        return false;
    gy_automaton *others = complement(d);
    bool same = disjoint(context, others, a);
    gy_automaton_free(others);
    return same;
}

gy_automaton *ltl_weak_deterministic(gy_ltl_context *context, const gy_automaton *a,
                                     const gy_automaton *negation, uint32_t max_states)
{
    gy_bdds *bdds = gy_bdds_new(2000000, context->deadline);
    struct subsets subsets = {0};
    gy_automaton *made = NULL, *d = ltl_determinise(a, bdds, max_states, &subsets);
    if (d) {
        gy_sccs sccs = gy_sccs_find(d);
        bool *accepts = gy_alloc_zero(sccs.count * sizeof *accepts);
        ltl_judge_components(a, d, &sccs, &subsets, accepts);
        bool *even = colour(d, &sccs, accepts);
        uint32_t classes, *class_of = minimise(d, even, bdds, &classes);
        if (!gy_bdd_exhausted(bdds))
            made = quotient(d, even, class_of, classes);
        free(class_of);
        free(even);
        free(accepts);
        gy_sccs_free(&sccs);
    }
    if (made && negation && !same_words(context, made, a, negation)) {
        gy_automaton_free(made);
        made = NULL;
    }
    if (made) {
        gy_automaton *pruned = gy_automaton_prune(made, false);
        gy_automaton_free(made);
        made = pruned;
    }
    gy_automaton_free(d);
    ltl_subsets_free(&subsets);
    gy_bdds_free(bdds);
    return made;
}
