// Merging states by simulation, with decision diagrams as signatures.
//
// Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional approach to suspension and
// other improvements to LTL translation", SPIN 2013, section 4. t simulates s if t can follow
// each edge of s with an edge of at least the same letters that is in at least the same sets
// and leads to a state that simulates the target. The signature of s is the disjunction, over
// its edges, of
//
//     label  &  Broken[i] for each set i that the edge is not in  &  Class[d] for each class d
//                                                                    that simulates the target
//
// so that "t simulates s" is "the signature of s implies that of t". Classes are refined until
// nothing changes. The signature of a class also gives its edges: what other edges dominate is
// not among the primes. Backwards, the same is done along incoming edges, where being initial
// (and, for state-based acceptance, not being accepting) is part of the signature.
// Deviation: for more than MAX_ORDERED classes only equal signatures merge (bisimulation),
// since comparing all pairs would be quadratic.
#include "base/clock.h"
#include "base/numbering.h"
#include "lang/ltl/automaton/steps.h"

#include <string.h>

enum { MAX_ORDERED = 1000, MAX_NODES = 4000000 };
enum { VAR_BROKEN = LTL_ATOM_VARS, VAR_INITIAL = VAR_BROKEN + 64, VAR_OWN, VAR_CLASS };

struct simulation {
    gy_ltl_context *context;
    const gy_automaton *a;
    bool backwards;
    gy_bdds *bdds;
    gy_bdd *broken;     // by edge: label and the sets it is not in
    uint32_t *incoming; // edges sorted by target, if backwards
    uint32_t *in_first;
    gy_bdd *signature;    // by state
    uint32_t *class_of;   // by state
    gy_bdd *cube;         // by class: itself and the classes that simulate it
    uint32_t *above;      // by class: how many these are
    uint32_t *member;     // by class: one of its states
    uint32_t *former;     // by state: its class in the round before
    bool *may;            // pairs of former classes: the second may simulate the first
    uint32_t may_classes; // how many these are; 0: too many to keep
    uint32_t classes;
    uint64_t ordered; // pairs of the relation
    double deadline;
};

static void prepare(struct simulation *m)
{
    const gy_automaton *a = m->a;
    uint32_t n = a->state_count, e = a->edge_count;
    // Merging is not worth all the time there is.
    m->deadline = gy_clock() + m->context->limits.max_seconds / 10;
    if (m->context->deadline < m->deadline)
        m->deadline = m->context->deadline;
    m->bdds = gy_bdds_new(MAX_NODES, m->deadline);
    m->broken = gy_alloc((e + 1) * sizeof *m->broken);
    m->signature = gy_alloc_zero(n * sizeof *m->signature);
    m->class_of = gy_alloc_zero(n * sizeof *m->class_of);
    m->cube = gy_alloc_zero((n + 1) * sizeof *m->cube);
    m->above = gy_alloc_zero((n + 1) * sizeof *m->above);
    m->member = gy_alloc_zero((n + 1) * sizeof *m->member);
    m->incoming = gy_alloc((e + 1) * sizeof *m->incoming);
    m->in_first = gy_alloc_zero((n + 2) * sizeof *m->in_first);
    for (uint32_t i = 0; i < e; i++) {
        gy_bdd cube = GY_BDD_TRUE;
        for (uint32_t set = a->sets; set-- > 0;)
            if (!(a->edges[i].accept >> set & 1))
                cube = gy_bdd_node(m->bdds, VAR_BROKEN + set, GY_BDD_FALSE, cube);
        gy_bdd label = gy_bdd_copy(m->bdds, a->labels, a->edges[i].label, 0);
        m->broken[i] = gy_bdd_and(m->bdds, label, cube);
        m->in_first[a->edges[i].to + 2]++;
    }
    for (uint32_t s = 0; s <= n; s++)
        m->in_first[s + 1] += m->in_first[s];
    for (uint32_t i = 0; i < e; i++)
        m->incoming[m->in_first[a->edges[i].to + 1]++] = i;
    m->former = gy_alloc_zero(n * sizeof *m->former);
    m->may = gy_alloc(1);
    m->may[0] = true;
    m->may_classes = 1;
    m->classes = 1;
    m->above[0] = 1;
    m->ordered = 1;
    m->cube[0] = gy_bdd_var(m->bdds, VAR_CLASS);
}

static void release(struct simulation *m)
{
    gy_bdds_free(m->bdds);
    free(m->broken);
    free(m->signature);
    free(m->class_of);
    free(m->cube);
    free(m->above);
    free(m->member);
    free(m->former);
    free(m->may);
    free(m->incoming);
    free(m->in_first);
}

static gy_bdd sign(struct simulation *m, uint32_t state)
{
    const gy_automaton *a = m->a;
    gy_bdd all = GY_BDD_FALSE;
    if (!m->backwards) {
        for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++) {
            gy_bdd one = gy_bdd_and(m->bdds, m->broken[i], m->cube[m->class_of[a->edges[i].to]]);
            all = gy_bdd_or(m->bdds, all, one);
        }
        return all;
    }
    for (uint32_t k = m->in_first[state]; k < m->in_first[state + 1]; k++) {
        uint32_t i = m->incoming[k];
        gy_bdd one = gy_bdd_and(m->bdds, m->broken[i], m->cube[m->class_of[a->edges[i].from]]);
        all = gy_bdd_or(m->bdds, all, one);
    }
    if (state == a->initial)
        all = gy_bdd_or(m->bdds, all, gy_bdd_var(m->bdds, VAR_INITIAL));
    if (a->state_based && a->sets && !gy_automaton_accepting_state(a, state))
        all = gy_bdd_and(m->bdds, all, gy_bdd_var(m->bdds, VAR_OWN));
    return all;
}

// New classes: states with equal signatures.
static void classify(struct simulation *m)
{
    gy_numbering classes = {0};
    memcpy(m->former, m->class_of, m->a->state_count * sizeof *m->former);
    for (uint32_t s = 0; s < m->a->state_count; s++) {
        m->class_of[s] = gy_number(&classes, m->signature[s]);
        m->member[m->class_of[s]] = s;
    }
    m->classes = (uint32_t)classes.keys.n;
    gy_numbering_free(&classes);
}

// The relation only ever shrinks: a pair is examined if its classes of the round before were
// a pair.
static bool simulates(struct simulation *m, uint32_t c, uint32_t d)
{
    uint32_t s = m->member[c], t = m->member[d];
    if (c == d || m->classes > MAX_ORDERED)
        return c == d;
    if (m->may_classes && !m->may[m->former[s] * m->may_classes + m->former[t]])
        return false;
    return gy_bdd_implies(m->bdds, m->signature[s], m->signature[t]);
}

// New relation between the classes.
static void order(struct simulation *m)
{
    bool keep = m->classes <= MAX_ORDERED;
    bool *now = keep ? gy_alloc_zero((size_t)m->classes * m->classes) : NULL;
    m->ordered = 0;
    for (uint32_t c = 0; c < m->classes; c++) {
        gy_bdd cube = GY_BDD_TRUE;
        m->above[c] = 0;
        for (uint32_t d = keep ? m->classes : c + 1; d-- > (keep ? 0 : c);) {
            if (!simulates(m, c, d))
                continue;
            cube = gy_bdd_node(m->bdds, VAR_CLASS + d, GY_BDD_FALSE, cube);
            m->above[c]++;
            if (keep)
                now[c * m->classes + d] = true;
        }
        m->cube[c] = cube;
        m->ordered += m->above[c];
    }
    free(m->may);
    m->may = now;
    m->may_classes = keep ? m->classes : 0;
}

struct builder {
    struct simulation *m;
    gy_aut_edges edges;
    uint32_t class_;
    gy_bdd label;
};

static void take_prime(void *context, const uint32_t *vars, uint32_t count, gy_bdd unused)
{
    (void)unused; // true: there are no atoms left
    struct builder *b = context;
    uint64_t broken = 0;
    uint32_t in_cube = 0, other = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (vars[i] == VAR_INITIAL)
            return;
        else if (vars[i] < VAR_INITIAL)
            broken |= 1ull << (vars[i] - VAR_BROKEN);
        else
            in_cube += vars[i] >= VAR_CLASS;
    for (uint32_t i = 0; i < count; i++) // the least class of the cube
        if (vars[i] >= VAR_CLASS && b->m->above[vars[i] - VAR_CLASS] == in_cube)
            other = vars[i] - VAR_CLASS;
    if (other == UINT32_MAX)
        return; // cannot be: each prime is the cube of an edge
    gy_aut_edge e = {b->class_, other, b->label, gy_automaton_all(b->m->a) & ~broken};
    if (b->m->backwards) {
        e.from = other;
        e.to = b->class_;
    }
    gy_vec_push(&b->edges, e);
}

static void take_remainder(void *context, gy_bdd label, gy_bdd remainder)
{
    struct builder *b = context;
    b->label = gy_bdd_copy(b->m->a->labels, b->m->bdds, label, 0);
    gy_bdd_primes(b->m->bdds, remainder, UINT32_MAX, take_prime, b);
}

static gy_automaton *quotient(struct simulation *m)
{
    struct builder b = {.m = m};
    for (uint32_t c = 0; c < m->classes; c++) {
        b.class_ = c;
        gy_bdd_split(m->bdds, m->signature[m->member[c]], LTL_ATOM_VARS, take_remainder, &b);
    }
    const gy_automaton *a = m->a;
    if (m->backwards && a->state_based && a->sets)
        for (size_t i = 0; i < b.edges.n; i++)
            b.edges.at[i].accept = gy_automaton_accepting_state(a, m->member[b.edges.at[i].from]);
    gy_automaton *made = NULL;
    if (!gy_bdd_exhausted(m->bdds)) {
        made = gy_automaton_make(a->labels, m->classes, m->class_of[a->initial], a->sets, &b.edges);
        made->state_based = a->state_based;
    }
    gy_vec_free(&b.edges);
    return made;
}

gy_automaton *ltl_simulate(gy_ltl_context *context, const gy_automaton *a, bool backwards)
{
    struct simulation m = {.context = context, .a = a, .backwards = backwards};
    prepare(&m);
    uint32_t classes;
    uint64_t ordered;
    bool in_time;
    do {
        classes = m.classes;
        ordered = m.ordered;
        for (uint32_t s = 0; s < a->state_count; s++)
            m.signature[s] = sign(&m, s);
        classify(&m);
        order(&m);
        in_time = !gy_bdd_exhausted(m.bdds) && gy_clock() < m.deadline;
    } while ((m.classes != classes || m.ordered != ordered) && in_time);
    gy_automaton *made = in_time ? quotient(&m) : NULL;
    release(&m);
    return made;
}
