// Is a formula stutter-invariant?
//
// Without X it is. With X: Michaud and Duret-Lutz, "Practical stutter-invariance checks for
// ω-regular languages", SPIN 2015. Let sl(A) accept the words of A with letters repeated at
// will. If a word w of f and a word v of !f differ in repetitions only, then both can be
// stretched to one common word; so f is stutter-invariant iff sl(A_f) and sl(A_!f) have no
// word in common. The product of the two is searched directly: its state is a state of each
// automaton and the letter read last; in each step one of the two, or both, move, and the one
// that stays must read the letter it read last. Staying breaks every set, so nothing stays for
// ever.
// Deviation: instead of letters, classes of letters that no label of either automaton tells
// apart; words over classes stutter as words over letters do.
#include "base/numbering.h"
#include "lang/ltl/automaton/decide.h"
#include "lang/ltl/automaton/steps.h"

enum { MAX_CLASSES = 4096 };

struct stutter {
    const gy_automaton *a, *b;
    GY_VEC(gy_bdd) classes;
    gy_numbering states; // (x * states of b + y) * (classes + 1) + last + 1
    gy_aut_edges edges;
};

static bool split_classes(struct stutter *t, const gy_automaton *a)
{
    for (uint32_t i = 0; i < a->edge_count; i++) {
        size_t n = t->classes.n;
        for (size_t k = 0; k < n; k++) {
            gy_bdd in = gy_bdd_and(a->labels, t->classes.at[k], a->edges[i].label);
            if (in == GY_BDD_FALSE || in == t->classes.at[k])
                continue;
            gy_bdd out = gy_bdd_minus(a->labels, t->classes.at[k], in);
            t->classes.at[k] = in;
            gy_vec_push(&t->classes, out);
        }
        if (t->classes.n > MAX_CLASSES)
            return false;
    }
    return true;
}

static uint32_t state_of(struct stutter *t, uint32_t x, uint32_t y, uint32_t last)
{
    return gy_number(&t->states, ((uint64_t)x * t->b->state_count + y) * (t->classes.n + 1) + last);
}

static bool reads(const gy_automaton *a, const gy_aut_edge *e, gy_bdd letter)
{
    return gy_bdd_and(a->labels, e->label, letter) != GY_BDD_FALSE;
}

// Sets: first those of a, then those of b, then "a moves" and "b moves".
static void expand(struct stutter *t, uint32_t source)
{
    const gy_automaton *a = t->a, *b = t->b;
    uint64_t key = t->states.keys.at[source];
    uint32_t last = (uint32_t)(key % (t->classes.n + 1));
    uint32_t y = (uint32_t)(key / (t->classes.n + 1) % b->state_count);
    uint32_t x = (uint32_t)(key / (t->classes.n + 1) / b->state_count);
    uint64_t a_moves = 1ull << (a->sets + b->sets), b_moves = a_moves << 1;
    for (uint32_t c = 0; c < t->classes.n; c++) {
        gy_bdd letter = t->classes.at[c];
        bool stay = last == c + 1;
        for (uint32_t k = b->first[y]; stay && k < b->first[y + 1]; k++)
            if (reads(b, &b->edges[k], letter))
                gy_vec_push(&t->edges,
                            ((gy_aut_edge){source, state_of(t, x, b->edges[k].to, c + 1), letter,
                                           (b->edges[k].accept << a->sets) | b_moves}));
        for (uint32_t i = a->first[x]; i < a->first[x + 1]; i++) {
            const gy_aut_edge *e = &a->edges[i];
            if (!reads(a, e, letter))
                continue;
            if (stay)
                gy_vec_push(&t->edges, ((gy_aut_edge){source, state_of(t, e->to, y, c + 1), letter,
                                                      e->accept | a_moves}));
            for (uint32_t k = b->first[y]; k < b->first[y + 1]; k++)
                if (reads(b, &b->edges[k], letter))
                    gy_vec_push(
                        &t->edges,
                        ((gy_aut_edge){source, state_of(t, e->to, b->edges[k].to, c + 1), letter,
                                       e->accept | (b->edges[k].accept << a->sets) | a_moves |
                                           b_moves}));
        }
    }
}

// True: they have no common word up to repetitions.
static gy_answer apart(gy_ltl_context *context, const gy_automaton *a, const gy_automaton *b)
{
    struct stutter t = {.a = a, .b = b};
    gy_answer answer = GY_UNKNOWN;
    gy_vec_push(&t.classes, GY_BDD_TRUE);
    if (a->sets + b->sets + 2 > GY_AUTOMATON_MAX_SETS) {
        ltl_fail(context, GY_LTL_TOO_MANY_SETS);
    } else if (!split_classes(&t, a) || !split_classes(&t, b)) {
        ltl_fail(context, GY_LTL_TOO_MANY_STATES);
    } else {
        state_of(&t, a->initial, b->initial, 0);
        for (uint32_t s = 0; s < t.states.keys.n && ltl_alive(context); s++) {
            expand(&t, s);
            if (t.states.keys.n > context->limits.max_states)
                ltl_fail(context, GY_LTL_TOO_MANY_STATES);
        }
        if (!context->failure) {
            gy_automaton *product = gy_automaton_make(a->labels, (uint32_t)t.states.keys.n, 0,
                                                      a->sets + b->sets + 2, &t.edges);
            answer = gy_automaton_empty(product) ? GY_YES : GY_NO;
            gy_automaton_free(product);
        }
    }
    gy_vec_free(&t.classes);
    gy_numbering_free(&t.states);
    gy_vec_free(&t.edges);
    return answer;
}

gy_answer gy_ltl_stutter_invariant(gy_ltl_context *context, gy_ltl f)
{
    if (gy_ltl_traits(context->pool, f) & GY_LTL_NO_NEXT)
        return GY_YES;
    gy_ltl simple = gy_ltl_simplify(context->rules, gy_ltl_nnf(context->pool, f, false));
    if (gy_ltl_traits(context->pool, simple) & GY_LTL_NO_NEXT)
        return GY_YES;
    gy_automaton *a = gy_ltl_translate(context, f);
    gy_automaton *b = a ? gy_ltl_translate(context, gy_ltl_not(context->pool, f)) : NULL;
    gy_answer answer = b ? apart(context, a, b) : GY_UNKNOWN;
    gy_automaton_free(a);
    gy_automaton_free(b);
    return answer;
}
