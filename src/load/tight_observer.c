// The observer of a formula that is tight: for shortest counterexamples.
#include "load/formula_observer.h"

#include <stdlib.h>

// Transitions are up to 2^MOST_BITS, and shortest lassos are looked for with 2^sets copies of a
// node.
enum { MOST_BITS = 9, MOST_SETS = 6 };

typedef struct tight_observer {
    const formula_observer *of;
    gy_tight *automaton;
} tight_observer;

static void free_tight(void *self)
{
    tight_observer *o = self;
    gy_tight_free(o->automaton);
    free(o);
}

// A state in which a proposition cannot be evaluated is an error that the other observer reports,
// if it matters. Here it has no transitions.
static void tight_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                        uint32_t at, gy_observer_visit *visit, void *user)
{
    const tight_observer *o = self;
    uint64_t unknown, letter = gy_formula_letter(o->of, worker, state, words, &unknown);
    gy_tight_moves moves = {0};
    if (!unknown)
        gy_tight_step(o->automaton, at, letter, &moves);
    for (size_t i = 0; i < moves.n; i++) {
        gy_observer_move move = {
            .to = moves.at[i].to, .marks = moves.at[i].marks, .edge = -1, .sight = GY_SEES_NOTHING};
        visit(user, &move);
    }
    gy_vec_free(&moves);
}

gy_observer *gy_tight_observer(formula_observer *o)
{
    uint32_t atoms[GY_AUTOMATON_MAX_ATOMS], count = 0;
    gy_ltl violated =
        gy_ltl_simplify(gy_ltl_context_rules(o->context), gy_ltl_nnf(o->pool, o->formula, true));
    for (uint32_t v = 0; v < o->atom_count; v++)
        atoms[v] = gy_ltl_context_atom(o->context, v);
    gy_tight *automaton =
        gy_tight_new(o->pool, violated, atoms, o->atom_count, MOST_BITS, MOST_SETS);
    if (!automaton)
        return NULL;
    tight_observer *made = gy_alloc_zero(sizeof *made);
    *made = (tight_observer){o, automaton};
    const uint32_t *initials = gy_tight_initials(automaton, &count);
    return gy_observer_of((gy_observer){.self = made,
                                        .states = 1u << gy_tight_bits(automaton),
                                        .initial = initials[0],
                                        .initials = initials,
                                        .initial_count = count,
                                        .bounded = true,
                                        .sets = gy_tight_sets(automaton),
                                        .stutters = true,
                                        .moves = tight_moves,
                                        .free = free_tight});
}
