// The whole translation: simplify, tableau, prune, merge, and the best of several ways.
//
// "Best" is fewer states, then deterministic, then fewer edges. Effort goes where it pays: the ways
// are tried only on automata small enough that trying is cheap (the constants below), so that a
// large automaton costs one pass of each step.
#include "lang/ltl/automaton/translate.h"

#include "base/clock.h"
#include "lang/ltl/automaton/steps.h"

#include <string.h>

enum {
    MAX_MERGED = 5000,   // states: above, no merging by simulation
    MAX_WEAK = 200,      // states: above, no attempt at a deterministic weak automaton
    MAX_COMPARED = 60,   // states: above, no test whether it would be one (needs the negation)
    MAX_TRIED_BOTH = 60, // states: above, one choice of acceptance for transient edges
    MAX_ORDERS = 24,     // orders of sets that are tried
    FEW = 3,             // results of these that are merged
    MAX_NEGATION = 1000, // states of the negation, and …
    MAX_NEGATION_SECONDS = 2,
};

// Keeps the better one in *best and frees the other.
static void keep_better(gy_automaton **best, gy_automaton *other)
{
    if (!other)
        return;
    gy_automaton *b = *best;
    bool better = !b || other->state_count < b->state_count;
    if (b && other->state_count == b->state_count) {
        bool x = gy_automaton_deterministic(other), y = gy_automaton_deterministic(b);
        better = x != y ? x : other->edge_count < b->edge_count;
    }
    *best = better ? other : b;
    gy_automaton_free(better ? b : other);
}

static gy_automaton *prune(gy_automaton *a, bool transient_accepts)
{
    gy_automaton *made = gy_automaton_prune(a, transient_accepts);
    gy_automaton_free(a);
    return made;
}

// Merges forwards and backwards until nothing changes. Takes a.
static gy_automaton *merge(gy_ltl_context *context, gy_automaton *a, bool transient_accepts)
{
    bool backwards = false;
    for (int unchanged = 0; unchanged < 2 && ltl_alive(context); backwards = !backwards) {
        if (a->state_count > MAX_MERGED)
            break;
        gy_automaton *merged = ltl_simulate(context, a, backwards);
        if (!merged)
            break;
        merged = prune(merged, transient_accepts);
        bool smaller =
            merged->state_count < a->state_count ||
            (merged->state_count == a->state_count && merged->edge_count < a->edge_count);
        unchanged = smaller ? 0 : unchanged + 1;
        if (smaller || merged->state_count == a->state_count) {
            gy_automaton_free(a);
            a = merged;
        } else {
            gy_automaton_free(merged);
        }
    }
    return a;
}

static gy_automaton *reduce(gy_ltl_context *context, const gy_automaton *a)
{
    gy_automaton *best = merge(context, gy_automaton_prune(a, false), false);
    if (best->state_count > 1 && best->state_count <= MAX_TRIED_BOTH) {
        const gy_automaton *from = a->state_count <= MAX_TRIED_BOTH ? a : best;
        gy_automaton *other = merge(context, gy_automaton_prune(from, true), true);
        keep_better(&best, prune(other, false));
    }
    return best;
}

// f in negation normal form and simplified.
static gy_automaton *translate(gy_ltl_context *context, gy_ltl f)
{
    gy_automaton *raw = ltl_alive(context) ? ltl_tableau(context, f) : NULL;
    if (!raw)
        return NULL;
    gy_automaton *a = reduce(context, raw);
    gy_automaton_free(raw);
    if (!ltl_alive(context)) {
        gy_automaton_free(a);
        return NULL;
    }
    return a;
}

static gy_ltl simplified(gy_ltl_context *context, gy_ltl f, bool negated)
{
    return gy_ltl_simplify(context->rules, gy_ltl_nnf(context->pool, f, negated));
}

// Known before any work is done on a formula with a thousand names.
static bool fits_atoms(gy_ltl_context *context, gy_ltl f)
{
    uint32_t n = gy_ltl_atom_count(context->pool), used = 0;
    if (n <= GY_AUTOMATON_MAX_ATOMS)
        return true;
    bool *found = gy_alloc(n * sizeof *found);
    gy_ltl_support(context->pool, f, found);
    for (uint32_t i = 0; i < n; i++)
        used += found[i];
    free(found);
    if (used > GY_AUTOMATON_MAX_ATOMS)
        ltl_fail(context, GY_LTL_TOO_MANY_ATOMS);
    return used <= GY_AUTOMATON_MAX_ATOMS;
}

// The deterministic weak automaton if there is one. A limit reached on the way is no failure.
static gy_automaton *weak_way(gy_ltl_context *context, gy_ltl f, const gy_automaton *a)
{
    if (a->state_count > MAX_WEAK)
        return NULL;
    uint32_t bound = 4 * a->state_count + 60;
    if (gy_ltl_traits(context->pool, f) & GY_LTL_OBLIGATION)
        return ltl_weak_deterministic(context, a, NULL, bound);
    if (a->state_count > MAX_COMPARED)
        return NULL;
    gy_ltl_limits limits = context->limits;
    double deadline = context->deadline, soon = gy_clock() + MAX_NEGATION_SECONDS;
    context->limits.max_states = MAX_NEGATION;
    if (soon < deadline)
        context->deadline = soon;
    gy_automaton *negation = translate(context, simplified(context, f, true));
    gy_automaton *weak = negation ? ltl_weak_deterministic(context, a, negation, bound) : NULL;
    gy_automaton_free(negation);
    context->limits = limits;
    context->deadline = deadline;
    context->failure = GY_LTL_FITS;
    return weak;
}

gy_automaton *gy_ltl_translate(gy_ltl_context *context, gy_ltl f)
{
    if (!fits_atoms(context, f))
        return NULL;
    gy_ltl simple = simplified(context, f, false);
    gy_automaton *a = translate(context, simple);
    if (a)
        keep_better(&a, weak_way(context, simple, a));
    return a;
}

// ---- acceptance on states ---------------------------------------------------------------------

// The k-th order of the sets: rotations first, then shuffles by a fixed sequence.
static void choose_order(uint8_t *order, uint32_t sets, uint32_t k)
{
    for (uint32_t i = 0; i < sets; i++)
        order[i] = (uint8_t)((i + k) % sets);
    uint32_t random = 12345 + k;
    for (uint32_t i = sets; k >= sets && i-- > 1;) {
        random = random * 1664525u + 1013904223u;
        uint32_t other = (random >> 16) % (i + 1);
        uint8_t swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
}

// Several orders are tried, and the smallest few results are worth merging.
static gy_automaton *states_of(gy_ltl_context *context, const gy_automaton *a)
{
    gy_automaton *few[FEW] = {NULL}, *best = NULL;
    uint32_t orders = a->sets < 2 ? 1 : a->edge_count * a->sets <= 4000 ? MAX_ORDERS : 1;
    if (a->sets == 2 && orders > 2)
        orders = 2;
    for (uint32_t k = 0; k < 2 * orders && ltl_alive(context); k++) {
        uint8_t order[GY_AUTOMATON_MAX_SETS] = {0};
        if (a->sets)
            choose_order(order, a->sets, k / 2);
        gy_automaton *raw = ltl_degeneralise(context, a, order, k % 2 == 0);
        for (uint32_t i = 0; i < FEW && raw; i++)
            if (!few[i] || raw->state_count < few[i]->state_count) {
                gy_automaton *swap = few[i];
                few[i] = raw;
                raw = swap;
            }
        gy_automaton_free(raw);
    }
    for (uint32_t i = 0; i < FEW; i++) {
        bool grown = few[i] && few[i]->state_count > a->state_count;
        if (few[i] && ltl_alive(context) && (!i || few[i]->state_count <= MAX_TRIED_BOTH))
            keep_better(&best, grown || few[i]->state_count <= MAX_TRIED_BOTH
                                   ? reduce(context, few[i])
                                   : gy_automaton_prune(few[i], false));
        gy_automaton_free(few[i]);
    }
    if (!ltl_alive(context)) {
        gy_automaton_free(best);
        return NULL;
    }
    return best;
}

gy_automaton *gy_ltl_translate_buchi(gy_ltl_context *context, gy_ltl f)
{
    if (!fits_atoms(context, f))
        return NULL;
    gy_ltl simple = simplified(context, f, false);
    gy_automaton *a = translate(context, simple);
    if (!a)
        return NULL;
    gy_automaton *best = states_of(context, a);
    if (best)
        keep_better(&best, weak_way(context, simple, a));
    gy_automaton_free(a);
    return best;
}
