// The observer of a formula: an automaton of its negation whose labels are read off the state.
#include "load/property.h"

#include "base/clock.h"
#include "exec/view.h"
#include "load/formula_observer.h"

#include <stdlib.h>

// For questions that the user did not ask.
static const gy_ltl_limits by_the_way = {
    .max_states = 10000, .max_nodes = 1000000, .max_seconds = 2};

static void free_formula(void *self)
{
    formula_observer *o = self;
    gy_observer_free(o->tight);
    gy_vec_free(&o->pairs);
    free(o->universal);
    free(o->lasting);
    free(o->numbers);
    gy_vec_free(&o->table.first);
    gy_vec_free(&o->table.moves);
    gy_vec_free(&o->table.faults);
    if (o->automaton)
        gy_automaton_free(o->automaton);
    if (o->context)
        gy_ltl_context_free(o->context);
    if (o->owns_pool)
        gy_ltl_pool_free(o->pool);
    free(o);
}

// Does the value of a label depend on the atoms that cannot be evaluated?
static bool depends(const gy_bdds *labels, gy_bdd label, uint64_t values, uint64_t unknown)
{
    enum { MOST_COMBINATIONS = 4096 };
    bool usual = gy_bdd_value(labels, label, values);
    uint64_t part = unknown;
    for (uint32_t tried = 0; part; part = (part - 1) & unknown)
        if (++tried > MOST_COMBINATIONS || gy_bdd_value(labels, label, values | part) != usual)
            return true;
    return false;
}

// Could the strong marks that a state gives or asks for be others? Not where a mark is asked for
// that never comes: no accepted run passes such a state for ever.
static bool pairs_depend(const formula_observer *o, uint64_t values, uint64_t unknown)
{
    const gy_bdds *labels = gy_ltl_context_labels(o->context);
    bool depend = false;
    for (size_t i = 0; i < o->pairs.n; i++) {
        const gy_strong_pair *pair = &o->pairs.at[i];
        bool asked = depends(labels, pair->asked, values, unknown);
        depend = depend || asked || depends(labels, pair->given, values, unknown);
        if (!asked && pair->given == GY_BDD_FALSE && gy_bdd_value(labels, pair->asked, values))
            return false;
    }
    return depend;
}

// Could values for the atoms that cannot be evaluated make a difference to a transition from `at`?
// Strong marks do so where the run may stay for ever.
static bool matters(const formula_observer *o, uint32_t at, uint64_t values, uint64_t unknown)
{
    const gy_automaton *a = o->automaton;
    bool lasting = false;
    for (uint32_t e = a->first[at]; e < a->first[at + 1]; e++) {
        if (depends(a->labels, a->edges[e].label, values, unknown))
            return true;
        lasting = lasting || (o->pairs.n && o->lasting[a->edges[e].to] &&
                              gy_bdd_value(a->labels, a->edges[e].label, values));
    }
    return lasting && pairs_depend(o, values, unknown);
}

uint64_t gy_formula_letter(const formula_observer *o, gy_worker *worker, const gy_word *state,
                           uint32_t words, uint64_t *unknown)
{
    return gy_state_view_truths(worker, state, words, o->atoms, o->atom_count, unknown);
}

// The strong marks that a letter gives, or asks for.
static uint64_t strong_marks(const formula_observer *o, uint64_t letter, bool given)
{
    uint64_t marks = 0;
    for (size_t i = 0; i < o->pairs.n; i++) {
        const gy_strong_pair *pair = &o->pairs.at[i];
        gy_bdd label = given ? pair->given : pair->asked;
        bool has = gy_bdd_value(gy_ltl_context_labels(o->context), label, letter);
        marks |= (uint64_t)has << (o->automaton->sets + i);
    }
    return marks;
}

static uint64_t formula_asks(const void *self, gy_worker *worker, const gy_word *state,
                             uint32_t words)
{
    const formula_observer *o = self;
    uint64_t unknown, letter = gy_formula_letter(o, worker, state, words, &unknown);
    return strong_marks(o, letter, false);
}

static gy_observer_move move_along(const formula_observer *o, uint32_t e, uint64_t letter)
{
    const gy_aut_edge *edge = &o->automaton->edges[e];
    return (gy_observer_move){
        .to = edge->to,
        .marks = edge->accept | strong_marks(o, letter, true),
        .sight = o->universal[edge->to] ? GY_SEES_VIOLATION : GY_SEES_NOTHING,
        .edge = o->numbers ? (int32_t)o->numbers[e] : -1,
    };
}

static gy_observer_move fault_at(uint32_t at)
{
    return (gy_observer_move){.to = at, .sight = GY_SEES_FAULT, .edge = -1};
}

// Threads share an observer: what is known already, nearly always all, is not written again.
static void note_true(formula_observer *o, uint64_t values)
{
    if (values & ~atomic_load_explicit(&o->was_true, memory_order_relaxed))
        atomic_fetch_or_explicit(&o->was_true, values, memory_order_relaxed);
}

static void formula_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                          uint32_t at, gy_observer_visit *visit, void *user)
{
    formula_observer *o = self;
    const gy_automaton *a = o->automaton;
    uint64_t unknown, values = gy_formula_letter(o, worker, state, words, &unknown);
    note_true(o, values);
    if (unknown && matters(o, at, values, unknown)) {
        gy_observer_move fault = fault_at(at);
        visit(user, &fault);
        return;
    }
    for (uint32_t e = a->first[at]; e < a->first[at + 1]; e++) {
        if (!gy_bdd_value(a->labels, a->edges[e].label, values))
            continue;
        gy_observer_move move = move_along(o, e, values);
        visit(user, &move);
    }
}

// ---- small automata: a table of all transitions -------------------------------------------------

enum { MOST_ROWS = 1 << 14, MOST_ENTRIES = 1 << 16 };

static bool make_table(formula_observer *o)
{
    const gy_automaton *a = o->automaton;
    formula_table *t = &o->table;
    t->atoms = o->atom_count;
    if (t->atoms > 14 || (uint64_t)a->state_count << t->atoms > MOST_ROWS)
        return false;
    for (uint32_t at = 0; at < a->state_count; at++) {
        gy_observer_move fault = fault_at(at);
        gy_vec_push(&t->faults, fault);
        for (uint64_t letter = 0; letter >> t->atoms == 0; letter++) {
            gy_vec_push(&t->first, (uint32_t)t->moves.n);
            for (uint32_t e = a->first[at]; e < a->first[at + 1]; e++)
                if (gy_bdd_value(a->labels, a->edges[e].label, letter))
                    gy_vec_push(&t->moves, move_along(o, e, letter));
        }
        if (t->moves.n > MOST_ENTRIES)
            return false;
    }
    gy_vec_push(&t->first, (uint32_t)t->moves.n);
    return true;
}

static const gy_observer_move *all_formula_moves(void *self, gy_worker *worker,
                                                 const gy_word *state, uint32_t words, uint32_t at,
                                                 uint32_t *count)
{
    formula_observer *o = self;
    const formula_table *t = &o->table;
    uint64_t unknown, values = gy_formula_letter(o, worker, state, words, &unknown);
    note_true(o, values);
    if (__builtin_expect(unknown != 0, 0) && matters(o, at, values, unknown)) {
        *count = 1;
        return &t->faults.at[at];
    }
    uint64_t letter = values & ((1ull << t->atoms) - 1); // the context may know more by now
    const uint32_t *row = &t->first.at[(uint64_t)at << t->atoms | letter];
    *count = row[1] - row[0];
    return t->moves.at + row[0];
}

static const gy_observer_move *formula_letter_moves(const void *self, uint64_t letter, uint32_t at,
                                                    uint32_t *count)
{
    const formula_observer *o = self;
    const formula_table *t = &o->table;
    const uint32_t *row = &t->first.at[(uint64_t)at << t->atoms | letter];
    *count = row[1] - row[0];
    return t->moves.at + row[0];
}

static bool formula_values(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                           uint64_t *letter)
{
    formula_observer *o = self;
    uint64_t unknown, values = gy_formula_letter(o, worker, state, words, &unknown);
    note_true(o, values);
    *letter = values & ((1ull << o->table.atoms) - 1);
    return !unknown;
}

static bool formula_letters(void *self, gy_worker *worker, const gy_many *states, uint64_t *letters)
{
    formula_observer *o = self;
    uint64_t any = 0;
    if (o->atom_count != o->table.atoms || // the context may know more by now
        !gy_state_view_letters(worker, states, o->atoms, o->atom_count, letters))
        return false;
    for (uint32_t i = 0; i < states->count; i++)
        any |= letters[i];
    note_true(o, any);
    return true;
}

static void find_universal(formula_observer *o)
{
    const gy_automaton *a = o->automaton;
    o->universal = gy_alloc_zero(a->state_count * sizeof *o->universal);
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const gy_aut_edge *edge = &a->edges[e];
        if (!o->pairs.n && edge->from == edge->to && edge->label == GY_BDD_TRUE &&
            edge->accept == gy_automaton_all(a))
            o->universal[edge->from] = true;
    }
}

// On each cycle, do either all edges have all marks, or none?
static bool is_weak(const gy_automaton *a)
{
    gy_sccs sccs = gy_sccs_find(a);
    bool weak = true;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const gy_aut_edge *edge = &a->edges[e];
        uint32_t component = sccs.of[edge->from];
        if (component != UINT32_MAX && component == sccs.of[edge->to] &&
            (edge->accept == gy_automaton_all(a)) != sccs.accepting[component])
            weak = false;
    }
    gy_sccs_free(&sccs);
    return weak;
}

static void find_lasting(formula_observer *o)
{
    const gy_automaton *a = o->automaton;
    gy_sccs sccs = gy_sccs_find(a);
    o->lasting = gy_alloc_zero((a->state_count + 1) * sizeof *o->lasting);
    for (uint32_t s = 0; s < a->state_count; s++)
        o->lasting[s] = sccs.of[s] != UINT32_MAX && sccs.accepting[sccs.of[s]];
    gy_sccs_free(&sccs);
}

// Can it stay where it begins, and never accept there, nor come back?
static bool is_waiting(const gy_automaton *a)
{
    bool stays = false;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const gy_aut_edge *edge = &a->edges[e];
        if (edge->to == a->initial && (edge->from != a->initial || edge->accept))
            return false;
        stays = stays || (edge->to == a->initial && edge->label == GY_BDD_TRUE);
    }
    return stays && a->sets > 0;
}

void gy_formula_know_atoms(formula_observer *o)
{
    o->atom_count = gy_ltl_context_atoms(o->context);
    for (uint32_t v = 0; v < o->atom_count && v < GY_AUTOMATON_MAX_ATOMS; v++)
        o->atoms[v] = gy_ltl_atom_predicate(o->pool, gy_ltl_context_atom(o->context, v));
}

// Components have to be complete before strong marks can be judged: not for one or two, which make
// the automaton little larger.
enum { LEAST_STRONG = 3, MOST_STRONG = 60 };

static bool translate(formula_observer *o, ltl_sets sets)
{
    gy_ltl negated = gy_ltl_not(o->pool, o->formula), rest = negated;
    if (sets == LTL_ANY_SETS)
        rest = gy_ltl_split_strong(o->context, gy_ltl_nnf(o->pool, o->formula, true), LEAST_STRONG,
                                   MOST_STRONG, &o->pairs);
    if (sets != LTL_CLAIM)
        o->automaton = gy_ltl_translate(o->context, rest);
    if (o->automaton && o->automaton->sets + o->pairs.n > GY_AUTOMATON_MAX_SETS) {
        gy_automaton_free(o->automaton);
        o->pairs.n = 0;
        o->automaton = gy_ltl_translate(o->context, negated);
    }
    if (sets == LTL_CLAIM || (sets == LTL_FEW_SETS && o->automaton && o->automaton->sets > 6)) {
        if (o->automaton)
            gy_automaton_free(o->automaton);
        o->automaton = gy_ltl_translate_buchi(o->context, negated);
    }
    if (!o->automaton)
        return false;
    if (sets == LTL_CLAIM) {
        o->numbers = gy_alloc_zero((o->automaton->edge_count + 1) * sizeof *o->numbers);
        gy_automaton_number_never(o->automaton, o->numbers);
    }
    gy_formula_know_atoms(o);
    find_universal(o);
    if (o->pairs.n)
        find_lasting(o);
    return true;
}

gy_observer *gy_formula_observer(formula_observer *o, ltl_sets sets, const gy_ltl_limits *limits,
                                 gy_text *problem)
{
    o->context = gy_ltl_context_new(o->pool, limits);
    if (!translate(o, sets)) {
        gy_ltl_failure_text(o->context, problem);
        free_formula(o);
        return NULL;
    }
    gy_observer *observer = gy_alloc(sizeof *observer);
    *observer = (gy_observer){.self = o,
                              .states = o->automaton->state_count,
                              .initial = o->automaton->initial,
                              .bounded = true,
                              .sets = o->automaton->sets,
                              .strong = (uint32_t)o->pairs.n,
                              .asks = o->pairs.n ? formula_asks : NULL,
                              .stutters = true,
                              .weak = !o->pairs.n && is_weak(o->automaton),
                              .waits = !o->pairs.n && is_waiting(o->automaton),
                              .moves = formula_moves,
                              .all_moves = make_table(o) ? all_formula_moves : NULL,
                              .free = free_formula};
    return observer;
}

// Seconds from now to `until`, a few milliseconds at least, and at most `most`. 0: no limit.
static double seconds_left(double until, double most)
{
    static const double least = 0.01;
    if (until <= 0)
        return most;
    double left = until - gy_clock() > least ? until - gy_clock() : least;
    return most > 0 && left > most ? most : left;
}

static gy_vacuity vacuity_of(formula_observer *o, double until)
{
    if (gy_automaton_empty(o->automaton))
        return GY_ALWAYS_TRUE;
    gy_ltl_limits limits = by_the_way;
    limits.max_seconds = seconds_left(until, limits.max_seconds);
    gy_ltl_context *context = gy_ltl_context_new(o->pool, &limits);
    gy_answer satisfiable = gy_ltl_satisfiable(context, o->formula, NULL);
    gy_ltl_context_free(context);
    return satisfiable == GY_NO ? GY_NEVER_TRUE : GY_NOT_VACUOUS;
}

// What partial-order reduction must know. A formula that takes too long to decide sees repetitions.
static void describe_for_reduction(formula_observer *o, gy_observer *observer, double until)
{
    gy_ltl_restart(o->context, seconds_left(until, 0));
    observer->blind = gy_ltl_stutter_invariant(o->context, o->formula) == GY_YES;
    observer->watched = o->atoms;
    observer->watched_count = o->atom_count;
    for (uint32_t v = 0; v < o->atom_count; v++)
        if (!o->atoms[v])
            observer->watched = NULL;
    if (observer->watched && observer->all_moves && observer->watched_count == o->table.atoms) {
        observer->letter_moves = formula_letter_moves;
        observer->letter = formula_values;
        observer->letters = formula_letters;
    }
}

gy_observer *gy_observe_ltl(const gy_model *model, const gy_formula *formula, bool shortest,
                            double seconds, gy_vacuity *vacuity, gy_text *problem)
{
    formula_observer *o = gy_alloc_zero(sizeof *o);
    double until = gy_deadline(seconds);
    gy_ltl_limits limits = {.max_seconds = seconds};
    *vacuity = GY_NOT_VACUOUS;
    o->pool = gy_ltl_pool_new();
    o->owns_pool = true;
    if (!gy_ltl_from_model(o->pool, model, formula, &o->formula)) {
        gy_text_add(problem, "formula too large: it is nested too deeply");
        free_formula(o);
        return NULL;
    }
    gy_observer *observer =
        gy_formula_observer(o, shortest ? LTL_FEW_SETS : LTL_ANY_SETS, &limits, problem);
    if (observer) {
        *vacuity = vacuity_of(o, until);
        describe_for_reduction(o, observer, until);
        if (shortest)
            observer->tight = o->tight = gy_tight_observer(o);
    }
    return observer;
}

gy_observer *gy_ltl_claim(const gy_observer *observer)
{
    const formula_observer *of = observer->self;
    formula_observer *o = gy_alloc_zero(sizeof *o);
    gy_text problem = {0};
    o->pool = of->pool;
    o->formula = of->formula;
    gy_observer *claim = gy_formula_observer(o, LTL_CLAIM, NULL, &problem);
    gy_text_free(&problem);
    return claim;
}

void gy_ltl_print_claim(const gy_observer *observer, const char *title, gy_text *out)
{
    const formula_observer *o = observer->self;
    gy_automaton_print_never(o->context, o->automaton, title, out);
}

// ---- antecedents -----------------------------------------------------------------------------

// Implication number n of those that must hold wherever they are: only [], X, && and the right
// sides of other implications are above them. mark: 1 such a part, 2 another one.
static gy_ltl implication(const gy_ltl_pool *pool, gy_ltl f, uint32_t n)
{
    uint8_t *mark = gy_alloc_zero((size_t)f + 1);
    gy_ltl found = GY_LTL_FALSE;
    mark[f] = 1;
    for (gy_ltl i = f; i > GY_LTL_TRUE && !found; i--) {
        gy_ltl_op op = gy_ltl_operator(pool, i);
        if (mark[i] == 1 && op == GY_LTL_OP_IMPLIES && n-- == 0)
            found = i;
        bool passes = op == GY_LTL_OP_G || op == GY_LTL_OP_X || op == GY_LTL_OP_AND;
        for (uint32_t k = 0; k < gy_ltl_arity(pool, i) && mark[i]; k++) {
            bool must = mark[i] == 1 && (passes || (op == GY_LTL_OP_IMPLIES && k == 1));
            mark[gy_ltl_operand(pool, i, k)] |= must ? 1 : 2;
        }
    }
    free(mark);
    return found;
}

// f with `old` replaced by `new`.
static gy_ltl replaced(gy_ltl_pool *pool, gy_ltl f, gy_ltl old, gy_ltl new)
{
    gy_ltl *made = gy_alloc(((size_t)f + 1) * sizeof *made);
    for (gy_ltl i = 0; i <= f; i++) {
        uint32_t count = gy_ltl_arity(pool, i);
        made[i] = i == old ? new : i;
        if (i <= GY_LTL_TRUE || i <= old || count == 0)
            continue;
        gy_ltl *parts = gy_alloc(count * sizeof *parts);
        bool same = true;
        for (uint32_t k = 0; k < count; k++) {
            parts[k] = made[gy_ltl_operand(pool, i, k)];
            same = same && parts[k] == gy_ltl_operand(pool, i, k);
        }
        if (!same)
            made[i] = gy_ltl_rebuild(pool, gy_ltl_operator(pool, i), parts, count);
        free(parts);
    }
    gy_ltl result = made[f];
    free(made);
    return result;
}

// [] (atom -> …) and the atom was seen to be true.
static bool was_met(const formula_observer *o, gy_ltl implies)
{
    gy_ltl f = o->formula, premise = gy_ltl_operand(o->pool, implies, 0);
    if (gy_ltl_operator(o->pool, f) != GY_LTL_OP_G || gy_ltl_operand(o->pool, f, 0) != implies ||
        gy_ltl_operator(o->pool, premise) != GY_LTL_OP_ATOM)
        return false;
    for (uint32_t v = 0; v < o->atom_count; v++)
        if (gy_ltl_context_atom(o->context, v) == gy_ltl_atom_index(o->pool, premise))
            return atomic_load_explicit(&o->was_true, memory_order_relaxed) >> v & 1;
    return false;
}

gy_observer *gy_ltl_without_conclusion(const gy_observer *observer, uint32_t n, gy_text *premise,
                                       bool *idle)
{
    const formula_observer *of = observer->self;
    gy_ltl implies = implication(of->pool, of->formula, n);
    *idle = false;
    if (implies == GY_LTL_FALSE)
        return NULL;
    gy_ltl condition = gy_ltl_operand(of->pool, implies, 0);
    gy_ltl_print(of->pool, condition, GY_LTL_WRITTEN, premise);
    formula_observer *o = gy_alloc_zero(sizeof *o);
    gy_text problem = {0};
    *idle = was_met(of, implies);
    o->pool = of->pool;
    o->formula = replaced(o->pool, of->formula, implies, gy_ltl_not(o->pool, condition));
    gy_observer *made = NULL;
    if (*idle)
        free(o);
    else
        made = gy_formula_observer(o, LTL_ANY_SETS, &by_the_way, &problem);
    if (made)
        describe_for_reduction(o, made, gy_clock() + by_the_way.max_seconds);
    *idle = !made;
    gy_text_free(&problem);
    return made;
}
