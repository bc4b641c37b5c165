#include "reduce/conditions.h"

#include "base/bits.h"
#include "exec/view.h"
#include "model/atoms.h"

#include <string.h>

static gy_disjunction join(gy_arena *arena, gy_disjunction a, gy_disjunction b)
{
    gy_disjunction all = {GY_NEW_ARRAY(arena, gy_conjunction, a.count + b.count + 1),
                          a.count + b.count};
    memcpy(all.list, a.list, a.count * sizeof *a.list);
    memcpy(all.list + a.count, b.list, b.count * sizeof *b.list);
    return all;
}

static gy_conjunction both(gy_arena *arena, gy_conjunction a, gy_conjunction b)
{
    gy_conjunction all = {GY_NEW_ARRAY(arena, gy_condition, a.count + b.count + 1),
                          a.count + b.count};
    memcpy(all.list, a.list, a.count * sizeof *a.list);
    memcpy(all.list + a.count, b.list, b.count * sizeof *b.list);
    return all;
}

static gy_disjunction multiply(gy_arena *arena, gy_disjunction a, gy_disjunction b)
{
    gy_disjunction all = {GY_NEW_ARRAY(arena, gy_conjunction, (size_t)a.count * b.count + 1), 0};
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t k = 0; k < b.count; k++)
            all.list[all.count++] = both(arena, a.list[i], b.list[k]);
    return all;
}

static gy_disjunction single(gy_arena *arena, gy_atom atom, bool negated)
{
    gy_disjunction one = {GY_NEW(arena, gy_conjunction), 1};
    one.list->list = GY_NEW(arena, gy_condition);
    one.list->list[0] = (gy_condition){.atom = atom, .negated = negated};
    one.list->count = 1;
    return one;
}

// Disjunctive normal form, as long as it stays small.
static gy_disjunction take_apart(const gy_model *model, gy_arena *arena, const gy_expr *expr,
                                 bool negated)
{
    if (expr->op == GY_E_NOT)
        return take_apart(model, arena, expr->a, !negated);
    if (expr->op != GY_E_AND && expr->op != GY_E_OR)
        return single(arena, gy_model_atom(model, expr), negated);
    gy_disjunction a = take_apart(model, arena, expr->a, negated);
    gy_disjunction b = take_apart(model, arena, expr->b, negated);
    bool product = (expr->op == GY_E_AND) != negated;
    uint64_t count = product ? (uint64_t)a.count * b.count : (uint64_t)a.count + b.count;
    if (count > GY_MOST_PARTS)
        return single(arena, gy_model_atom(model, expr), negated);
    return product ? multiply(arena, a, b) : join(arena, a, b);
}

static bool find_support(const gy_dependence *d, gy_arena *arena, gy_disjunction parts)
{
    bool known = true;
    for (uint32_t i = 0; i < parts.count; i++)
        for (uint32_t k = 0; k < parts.list[i].count; k++) {
            gy_condition *c = &parts.list[i].list[k];
            c->cells = GY_NEW_ARRAY(arena, uint64_t, gy_dependence_cell_words(d) + 1);
            known &= gy_dependence_support(d, c->atom, c->cells, &c->processes);
        }
    return known;
}

gy_disjunction gy_conditions_of(const gy_dependence *d, gy_arena *arena, gy_atom atom, bool *known)
{
    const gy_model *model = gy_dependence_model(d);
    gy_disjunction parts = take_apart(model, arena, gy_atom_expr(model, atom), false);
    *known = find_support(d, arena, parts);
    return parts;
}

gy_disjunction gy_conditions_of_terms(const gy_dependence *d, gy_arena *arena, const gy_atom *terms,
                                      uint32_t count, bool *known)
{
    gy_disjunction one = {GY_NEW(arena, gy_conjunction), 1};
    one.list->list = GY_NEW_ARRAY(arena, gy_condition, count + 1);
    one.list->count = count;
    for (uint32_t i = 0; i < count; i++)
        one.list->list[i] = (gy_condition){.atom = terms[i]};
    *known = find_support(d, arena, one);
    return one;
}

// The two ends of a channel are one object.
bool gy_condition_is_local(const gy_dependence *d, const gy_condition *c)
{
    uint32_t cells = gy_dependence_objects(d, c->cells);
    return c->processes ? !cells && !(c->processes & (c->processes - 1)) : cells <= 1;
}

bool gy_atom_holds(gy_worker *worker, gy_atom atom, const gy_word *state, uint32_t words)
{
    uint64_t unknown, truth = gy_state_view_truths(worker, state, words, &atom, 1, &unknown);
    return truth & ~unknown & 1;
}
