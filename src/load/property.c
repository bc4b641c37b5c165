#include "load/property.h"

#include "exec/view.h"
#include "lang/ltl/ltl.h"

#include <stdlib.h>

typedef struct formula_observer {
    gy_ltl_pool *pool;
    gy_ltl_context *context;
    gy_automaton *automaton;
    const gy_expr *atoms[GY_AUTOMATON_MAX_ATOMS];
    uint32_t atom_count;
    bool *universal; // states from which every run is accepted
} formula_observer;

static void free_formula(void *self)
{
    formula_observer *o = self;
    free(o->universal);
    if (o->automaton)
        gy_automaton_free(o->automaton);
    gy_ltl_context_free(o->context);
    gy_ltl_pool_free(o->pool);
    free(o);
}

// Could values for the atoms that can't be evaluated make a difference to a move from `at`?
static bool matters(const gy_automaton *a, uint32_t at, uint64_t values, uint64_t unknown)
{
    enum { MOST_COMBINATIONS = 4096 };
    for (uint32_t e = a->first[at]; e < a->first[at + 1]; e++) {
        bool usual = gy_bdd_value(a->labels, a->edges[e].label, values);
        uint64_t part = unknown;
        for (uint32_t tried = 0; part; part = (part - 1) & unknown) {
            if (++tried > MOST_COMBINATIONS ||
                gy_bdd_value(a->labels, a->edges[e].label, values | part) != usual)
                return true;
        }
    }
    return false;
}

static void formula_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                          uint32_t at, gy_observer_visit *visit, void *user)
{
    formula_observer *o = self;
    const gy_automaton *a = o->automaton;
    uint64_t values = 0, unknown = 0;
    for (uint32_t v = 0; v < o->atom_count; v++) {
        int32_t value = 0;
        if (!o->atoms[v] || !gy_view_eval(worker, state, words, -1, o->atoms[v], &value))
            unknown |= 1ull << v;
        else if (value)
            values |= 1ull << v;
    }
    if (unknown && matters(a, at, values, unknown)) {
        gy_observer_move fault = {.to = at, .sight = GY_SEES_FAULT, .edge = -1};
        visit(user, &fault);
        return;
    }
    for (uint32_t e = a->first[at]; e < a->first[at + 1]; e++) {
        const gy_aut_edge *edge = &a->edges[e];
        if (!gy_bdd_value(a->labels, edge->label, values))
            continue;
        gy_observer_move move = {.to = edge->to, .marks = edge->accept, .edge = -1};
        if (o->universal[edge->to])
            move.sight = GY_SEES_VIOLATION;
        visit(user, &move);
    }
}

static void find_universal(formula_observer *o)
{
    const gy_automaton *a = o->automaton;
    o->universal = gy_alloc_zero(a->state_count * sizeof *o->universal);
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const gy_aut_edge *edge = &a->edges[e];
        if (edge->from == edge->to && edge->label == GY_BDD_TRUE &&
            edge->accept == gy_automaton_all(a))
            o->universal[edge->from] = true;
    }
}

static gy_vacuity vacuity_of(formula_observer *o, gy_ltl formula)
{
    if (o->automaton && gy_automaton_empty(o->automaton))
        return GY_ALWAYS_TRUE;
    gy_ltl_restart(o->context);
    return gy_ltl_satisfiable(o->context, formula, NULL) == GY_NO ? GY_NEVER_TRUE : GY_NOT_VACUOUS;
}

gy_observer *gy_observe_ltl(const gy_formula *formula, gy_vacuity *vacuity, gy_text *problem)
{
    formula_observer *o = gy_alloc_zero(sizeof *o);
    gy_ltl f;
    *vacuity = GY_NOT_VACUOUS;
    o->pool = gy_ltl_pool_new();
    o->context = gy_ltl_context_new(o->pool, NULL);
    if (!gy_ltl_from_model(o->pool, formula, &f)) {
        gy_text_add(problem, "formula too large: it is nested too deeply");
        free_formula(o);
        return NULL;
    }
    o->automaton = gy_ltl_translate(o->context, gy_ltl_not(o->pool, f));
    if (!o->automaton) {
        gy_ltl_failure_text(o->context, problem);
        free_formula(o);
        return NULL;
    }
    o->atom_count = gy_ltl_context_atoms(o->context);
    for (uint32_t v = 0; v < o->atom_count && v < GY_AUTOMATON_MAX_ATOMS; v++)
        o->atoms[v] = gy_ltl_atom_expr(o->pool, gy_ltl_context_atom(o->context, v));
    find_universal(o);
    *vacuity = vacuity_of(o, f);
    gy_observer *observer = gy_alloc(sizeof *observer);
    *observer = (gy_observer){.self = o,
                              .states = o->automaton->state_count,
                              .initial = o->automaton->initial,
                              .sets = o->automaton->sets,
                              .stutters = true,
                              .moves = formula_moves,
                              .free = free_formula};
    return observer;
}
