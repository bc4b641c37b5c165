// The tableau: from a formula to an automaton whose states are formulas.
//
// Couvreur, "On-the-fly verification of linear temporal logic", FM 1999, in the form of
// Duret-Lutz, "LTL translation improvements in Spot 1.0", IJCCBS 2014. A state is a set of
// formulas, to be read as their conjunction. It is expanded once into a Boolean function of
// atoms (what must hold now), Next[g] (what must hold from the next step on) and Acc[g] (the
// promise that g will come later):
//
//     a U b  =  b | (a & Acc[b] & Next[a U b])        a R b  =  b & (a | Next[a R b])
//
// and so on. An edge breaks set g if it makes the promise Acc[g] again; so it belongs to the
// acceptance set of g if it does not. Directly under G an eventuality needs no Next, since it
// is asked again in each step.
//
// Deviations from the papers:
// - The function is monotone in Next and Acc. For each letter, its primes are the successors;
//   gy_bdd_primes gives them with the letters for which they are prime, so that no letter is
//   enumerated and the choice is deterministic where the formula is.
// - Successors that contradict themselves are dropped. A successor is also dropped if another
//   one, for the same letters, makes no further promise and asks for no more. No word is
//   lost: the run that fulfils each promise as soon as the word allows it promises g in a step
//   only if g does not hold there, and taking the other successor never adds promises.
// - A member of a state that another one implies is dropped if it is a safety formula, or F a
//   next to b U a (or a M b). No word is won: a word that violates a safety formula has a
//   prefix that does, and no run of the state survives such a prefix; the F a is promised by
//   its neighbour under the same name. (It would be wrong in general: a state q R X F p asks
//   for F p in each next step, where q R X F p implies it again, and nothing ever keeps it.)
// - States with the same function are one state.
#include "base/numbering.h"
#include "lang/ltl/automaton/steps.h"

#include <string.h>

enum { MAX_COMPARED = 48, MAX_CHOICES = 200 }; // above, no comparing of all pairs

struct choice { // a successor, while one state is expanded
    gy_ltl target;
    uint64_t promises;
    gy_bdd label;
};

struct tableau {
    gy_ltl_context *context;
    gy_ltl_pool *pool;
    gy_ltl_rules *rules;
    gy_bdds *bdds;
    GY_VEC(uint32_t) expansion[2]; // by formula: function + 1; [1]: directly under G
    GY_VEC(uint32_t) next_var;     // by formula: variable of Next + 1, 0: none
    GY_VEC(gy_ltl) var_formula;    // by variable: the formula …
    GY_VEC(uint8_t) var_set;       // … and, for Acc, its set + 1 (0: it is a Next)
    GY_VEC(uint32_t) set_var;      // by formula: variable of Acc + 1, 0: none
    uint32_t sets;
    gy_numbering states;       // by function
    GY_VEC(uint32_t) state_of; // by formula: state + 1
    gy_aut_edges edges;
    GY_VEC(struct choice) choices;
};

#define vec_at_least(v, n_, value)                                                                 \
    while ((v)->n < (size_t)(n_))                                                                  \
    gy_vec_push((v), (value))

static gy_bdd new_var(struct tableau *t, gy_ltl f, uint8_t set, uint32_t *var)
{
    gy_vec_push(&t->var_formula, f);
    gy_vec_push(&t->var_set, set);
    *var = (uint32_t)t->var_formula.n;
    return gy_bdd_var(t->bdds, *var - 1);
}

static gy_bdd next(struct tableau *t, gy_ltl f)
{
    if (f <= GY_LTL_TRUE)
        return f;
    if (gy_ltl_operator(t->pool, f) == GY_LTL_OP_AND) {
        gy_bdd all = GY_BDD_TRUE;
        for (uint32_t i = 0; i < gy_ltl_arity(t->pool, f); i++)
            all = gy_bdd_and(t->bdds, all, next(t, gy_ltl_operand(t->pool, f, i)));
        return all;
    }
    vec_at_least(&t->next_var, f + 1, 0);
    if (t->next_var.at[f])
        return gy_bdd_var(t->bdds, t->next_var.at[f] - 1);
    return new_var(t, f, 0, &t->next_var.at[f]);
}

static gy_bdd promise(struct tableau *t, gy_ltl f)
{
    vec_at_least(&t->set_var, f + 1, 0);
    if (t->set_var.at[f])
        return gy_bdd_var(t->bdds, t->set_var.at[f] - 1);
    if (t->sets == GY_AUTOMATON_MAX_SETS) {
        ltl_fail(t->context, GY_LTL_TOO_MANY_SETS);
        return GY_BDD_TRUE;
    }
    return new_var(t, f, (uint8_t)++t->sets, &t->set_var.at[f]);
}

static gy_bdd expand(struct tableau *t, gy_ltl f, bool under_always);

static gy_bdd expand_many(struct tableau *t, gy_ltl f, bool under_always)
{
    bool and_ = gy_ltl_operator(t->pool, f) == GY_LTL_OP_AND;
    gy_bdd all = and_ ? GY_BDD_TRUE : GY_BDD_FALSE;
    for (uint32_t i = 0; i < gy_ltl_arity(t->pool, f); i++) {
        gy_bdd one = expand(t, gy_ltl_operand(t->pool, f, i), and_ && under_always);
        all = and_ ? gy_bdd_and(t->bdds, all, one) : gy_bdd_or(t->bdds, all, one);
    }
    return all;
}

static gy_bdd expand_literal(struct tableau *t, gy_ltl f)
{
    bool positive = gy_ltl_operator(t->pool, f) == GY_LTL_OP_ATOM;
    gy_ltl atom = positive ? f : gy_ltl_operand(t->pool, f, 0);
    uint32_t var = ltl_variable(t->context, gy_ltl_atom_index(t->pool, atom));
    return var == UINT32_MAX ? GY_BDD_FALSE
                             : gy_bdd_literal(t->bdds, LTL_ATOMS_LAST + var, positive);
}

// U, W, R, M, F, G. `again` is Next[f]; under G it is asked anyway.
static gy_bdd expand_binary(struct tableau *t, gy_ltl f, bool under_always)
{
    gy_bdds *b = t->bdds;
    gy_ltl_op op = gy_ltl_operator(t->pool, f);
    gy_ltl left = gy_ltl_operand(t->pool, f, 0), right = gy_ltl_operand(t->pool, f, 1);
    gy_bdd x = expand(t, left, false), y = expand(t, right, false);
    if (t->context->failure)
        return GY_BDD_FALSE;
    gy_bdd again = under_always ? GY_BDD_TRUE : next(t, f);
    if (op == GY_LTL_OP_U)
        again = gy_bdd_and(b, again, promise(t, right));
    if (op == GY_LTL_OP_M)
        again = gy_bdd_and(b, again, promise(t, left));
    if (op == GY_LTL_OP_U || op == GY_LTL_OP_W)
        return gy_bdd_or(b, y, gy_bdd_and(b, x, again));
    return gy_bdd_and(b, y, gy_bdd_or(b, x, again));
}

static gy_bdd expand_operator(struct tableau *t, gy_ltl f, bool under_always)
{
    gy_bdds *b = t->bdds;
    switch (gy_ltl_operator(t->pool, f)) {
    case GY_LTL_OP_ATOM:
    case GY_LTL_OP_NOT:
        return expand_literal(t, f);
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR:
        return expand_many(t, f, under_always);
    case GY_LTL_OP_X:
        return next(t, gy_ltl_operand(t->pool, f, 0));
    case GY_LTL_OP_F: {
        gy_ltl a = gy_ltl_operand(t->pool, f, 0);
        gy_bdd again = gy_bdd_and(b, promise(t, a), under_always ? GY_BDD_TRUE : next(t, f));
        return gy_bdd_or(b, expand(t, a, false), again);
    }
    case GY_LTL_OP_G:
        return gy_bdd_and(b, expand(t, gy_ltl_operand(t->pool, f, 0), true), next(t, f));
    default:
        return expand_binary(t, f, under_always);
    }
}

static gy_bdd expand(struct tableau *t, gy_ltl f, bool under_always)
{
    if (f <= GY_LTL_TRUE || t->context->failure)
        return f == GY_LTL_TRUE;
    vec_at_least(&t->expansion[under_always], f + 1, 0);
    if (!t->expansion[under_always].at[f]) {
        gy_bdd made = expand_operator(t, f, under_always);
        t->expansion[under_always].at[f] = made + 1;
    }
    return t->expansion[under_always].at[f] - 1;
}

// ---- states -------------------------------------------------------------------------------

// The state of a formula (a conjunction of members); equal functions are equal states.
static uint32_t state_of(struct tableau *t, gy_ltl f)
{
    vec_at_least(&t->state_of, f + 1, 0);
    if (!t->state_of.at[f]) {
        gy_bdd function = expand(t, f, false);
        t->state_of.at[f] = gy_number(&t->states, function) + 1;
    }
    return t->state_of.at[f] - 1;
}

// May h be left out next to g? See above.
static bool covers(struct tableau *t, gy_ltl g, gy_ltl h)
{
    if (!gy_ltl_implies(t->rules, g, h))
        return false;
    if (gy_ltl_traits(t->pool, h) & GY_LTL_SAFETY)
        return true;
    if (gy_ltl_operator(t->pool, h) != GY_LTL_OP_F)
        return false;
    gy_ltl a = gy_ltl_operand(t->pool, h, 0);
    gy_ltl_op op = gy_ltl_operator(t->pool, g);
    return (op == GY_LTL_OP_U && gy_ltl_operand(t->pool, g, 1) == a) ||
           (op == GY_LTL_OP_M && gy_ltl_operand(t->pool, g, 0) == a);
}

// The conjunction of the members without those that others cover; false if two exclude each
// other.
static gy_ltl conjunction(struct tableau *t, gy_ltl *members, uint32_t count)
{
    uint32_t kept = count;
    for (uint32_t i = 0; i < count && count <= MAX_COMPARED; i++)
        for (uint32_t k = 0; k < i; k++)
            if (gy_ltl_excludes(t->rules, members[i], members[k]))
                return GY_LTL_FALSE;
    for (uint32_t i = 0; i < kept && count <= MAX_COMPARED; i++)
        for (uint32_t k = 0; k < kept; k++)
            if (i != k && covers(t, members[k], members[i])) {
                members[i--] = members[--kept];
                break;
            }
    return gy_ltl_many(t->pool, GY_LTL_OP_AND, members, kept);
}

static void take_prime(void *context, const uint32_t *vars, uint32_t count, gy_bdd label)
{
    struct tableau *t = context;
    struct choice choice = {.label = label};
    GY_VEC(gy_ltl) members = {0};
    for (uint32_t i = 0; i < count; i++)
        if (t->var_set.at[vars[i]])
            choice.promises |= 1ull << (t->var_set.at[vars[i]] - 1);
        else
            gy_vec_push(&members, t->var_formula.at[vars[i]]);
    choice.target = conjunction(t, members.at, (uint32_t)members.n);
    gy_vec_free(&members);
    if (choice.target != GY_LTL_FALSE)
        gy_vec_push(&t->choices, choice);
    // More edges than this and the graph itself is the problem.
    if ((t->choices.n + t->edges.n) / 64 > t->context->limits.max_states)
        ltl_fail(t->context, GY_LTL_TOO_MANY_STATES);
}

// Takes from each choice the letters for which another one is at least as good.
static void drop_choices(struct tableau *t)
{
    for (size_t i = 0; i < t->choices.n && t->choices.n <= MAX_CHOICES; i++)
        for (size_t k = 0; k < t->choices.n; k++) {
            struct choice *x = &t->choices.at[i], *y = &t->choices.at[k];
            if (i == k || (y->promises & ~x->promises) ||
                gy_bdd_disjoint(t->bdds, x->label, y->label) ||
                !gy_ltl_implies(t->rules, x->target, y->target))
                continue;
            x->label = gy_bdd_minus(t->bdds, x->label, y->label);
        }
}

static void expand_state(struct tableau *t, uint32_t source)
{
    t->choices.n = 0;
    gy_bdd_primes(t->bdds, (gy_bdd)t->states.keys.at[source], LTL_ATOMS_LAST, take_prime, t);
    drop_choices(t);
    for (size_t i = 0; i < t->choices.n && ltl_alive(t->context); i++) {
        struct choice c = t->choices.at[i];
        if (c.label == GY_BDD_FALSE)
            continue;
        gy_bdd label = gy_bdd_copy(t->context->labels, t->bdds, c.label, -LTL_ATOMS_LAST);
        uint32_t to = state_of(t, c.target);
        gy_vec_push(&t->edges, ((gy_aut_edge){source, to, label, c.promises}));
        if (t->states.keys.n > t->context->limits.max_states)
            ltl_fail(t->context, GY_LTL_TOO_MANY_STATES);
    }
    if (gy_bdd_exhausted(t->bdds) && ltl_alive(t->context))
        ltl_fail(t->context, GY_LTL_TOO_MANY_NODES);
}

gy_automaton *ltl_tableau(gy_ltl_context *context, gy_ltl f)
{
    struct tableau t = {.context = context, .pool = context->pool, .rules = context->rules};
    t.bdds = gy_bdds_new(context->limits.max_nodes, context->deadline);
    state_of(&t, f);
    for (uint32_t s = 0; s < t.states.keys.n && !context->failure; s++)
        expand_state(&t, s);
    gy_automaton *made = NULL;
    if (!context->failure) {
        uint64_t all = t.sets >= 64 ? UINT64_MAX : (1ull << t.sets) - 1;
        for (size_t i = 0; i < t.edges.n; i++)
            t.edges.at[i].accept = all & ~t.edges.at[i].accept;
        made = gy_automaton_make(context->labels, (uint32_t)t.states.keys.n, 0, t.sets, &t.edges);
    }
    gy_bdds_free(t.bdds);
    gy_vec_free(&t.expansion[0]);
    gy_vec_free(&t.expansion[1]);
    gy_vec_free(&t.next_var);
    gy_vec_free(&t.var_formula);
    gy_vec_free(&t.var_set);
    gy_vec_free(&t.set_var);
    gy_numbering_free(&t.states);
    gy_vec_free(&t.state_of);
    gy_vec_free(&t.edges);
    gy_vec_free(&t.choices);
    return made;
}
