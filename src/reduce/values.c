// See values.h.
#include "reduce/values.h"

#include "model/fold.h"
#include "model/operators.h"
#include "model/visit.h"
#include "reduce/instance.h"

#include <stdlib.h>
#include <string.h>

// ---- cells --------------------------------------------------------------------------

// The cell of a global variable, or of an element that is known.
static bool cell_of(const gy_reduction *r, gy_who who, int32_t var, const gy_expr *index,
                    uint32_t *cell)
{
    int32_t element = 0;
    if (var == GY_NONE || r->var_cell[var] == GY_NO_CELL || r->model->vars[var].owner != GY_NONE ||
        r->model->vars[var].count > r->split_limit)
        return false;
    if (index && (!gy_known_value(r, who, index, &element) || element < 0 ||
                  (uint32_t)element >= r->model->vars[var].count))
        return false;
    *cell = r->var_cell[var] + (uint32_t)element;
    return true;
}

static bool is_cell(const gy_reduction *r, gy_who who, const gy_expr *expr, uint32_t cell)
{
    uint32_t found;
    return expr->op == GY_E_VAR && cell_of(r, who, expr->var, expr->a, &found) && found == cell;
}

static bool reads(const gy_reduction *r, gy_who who, const gy_expr *expr, uint32_t cell)
{
    uint64_t *set = gy_alloc_zero(r->words * sizeof *set);
    gy_read_cells(r, who, expr, set);
    bool found = gy_bits_has(set, cell);
    free(set);
    return found;
}

// ---- what an edge stores ------------------------------------------------------------

// `x = x + 1`, `x = 2 + x`, `x = x - 1`
static bool adds_to(const gy_reduction *r, gy_who who, const gy_expr *expr, uint32_t cell)
{
    int32_t value;
    if (expr->op != GY_E_ADD && expr->op != GY_E_SUB)
        return false;
    if (is_cell(r, who, expr->a, cell))
        return gy_known_value(r, who, expr->b, &value);
    return expr->op == GY_E_ADD && is_cell(r, who, expr->b, cell) &&
           gy_known_value(r, who, expr->a, &value);
}

static bool simple_store(const gy_reduction *r, gy_who who, const gy_action *action,
                         gy_value_store *store)
{
    *store = (gy_value_store){0};
    if (action->kind != GY_A_ASSIGN || action->checked ||
        !cell_of(r, who, action->var, action->index, &store->cell))
        return false;
    if (gy_known_value(r, who, action->expr, &store->value)) {
        store->value = gy_type_truncate(r->model->vars[action->var].type, store->value);
        return true;
    }
    store->adds = adds_to(r, who, action->expr, store->cell);
    return store->adds;
}

// What is left of an edge without its guard and its simple stores.
static void find_hard(const gy_reduction *r, gy_who who, const gy_edge *edge, uint64_t *hard)
{
    gy_arena *scratch = gy_arena_new();
    gy_footprint rest = gy_footprint_new(r, scratch);
    gy_edge bare = *edge;
    gy_program program = {.count = 0};
    uint32_t count = edge->effect ? edge->effect->count : 0;
    program.actions = GY_NEW_ARRAY(scratch, gy_action, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        gy_value_store store;
        if (!simple_store(r, who, &edge->effect->actions[i], &store))
            program.actions[program.count++] = edge->effect->actions[i];
    }
    bare.guard = NULL;
    bare.effect = &program;
    gy_footprint_first(r, who, &bare, rest);
    for (uint32_t w = 0; w < r->words; w++)
        hard[w] |= rest.reads[w] | rest.writes[w];
    gy_arena_free(scratch);
}

// A cell that is stored into twice is a hard one.
static void add_store(gy_values *values, gy_value_store store)
{
    for (uint32_t i = 0; i < values->store_count; i++)
        if (values->stores[i].cell == store.cell) {
            gy_bits_add(values->hard, store.cell);
            return;
        }
    values->stores[values->store_count++] = store;
}

static bool is_plain(const gy_reduction *r, gy_who who, const gy_edge *edge)
{
    if ((edge->keeps_atomic && edge->to != GY_NONE) || !gy_is_safe(r, who, edge->guard))
        return false;
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        gy_action_kind kind = edge->effect->actions[i].kind;
        if (kind == GY_A_RUN || kind == GY_A_NEW_CHANNEL || kind == GY_A_C || kind == GY_A_CHOOSE)
            return false;
    }
    return !edge->effect || gy_program_is_straight(edge->effect);
}

const gy_values *gy_values_of(const gy_reduction *r, gy_arena *arena, gy_who who,
                              const gy_edge *edge)
{
    uint32_t count = edge->effect ? edge->effect->count : 0;
    if (!is_plain(r, who, edge))
        return NULL;
    gy_values *values = GY_NEW(arena, gy_values);
    values->who = who;
    values->guard = edge->guard;
    values->hard = GY_NEW_ARRAY(arena, uint64_t, r->words);
    values->stores = GY_NEW_ARRAY(arena, gy_value_store, count + 1);
    find_hard(r, who, edge, values->hard);
    for (uint32_t i = 0; i < count; i++) {
        gy_value_store store;
        if (simple_store(r, who, &edge->effect->actions[i], &store))
            add_store(values, store);
    }
    return values;
}

// ---- expressions --------------------------------------------------------------------

typedef struct safety {
    const gy_reduction *r;
    gy_who who;
} safety;

static gy_visit_next stop_at_fault(void *user, const gy_expr *expr)
{
    const safety *s = user;
    int32_t index;
    switch (expr->op) {
    case GY_E_DIV:
    case GY_E_MOD:
    case GY_E_SHL:
    case GY_E_SHR:
    case GY_E_EXCLUSIVE:
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
    case GY_E_GET_PRIORITY:
    case GY_E_ENABLED:
    case GY_E_PC_VALUE:
    case GY_E_C:
        return GY_VISIT_STOP;
    case GY_E_INDEX:
        return gy_known_value(s->r, s->who, expr, &index) && index >= 0 && index < expr->value
                   ? GY_VISIT_PARTS
                   : GY_VISIT_STOP;
    default:
        return gy_op_asks_channel(expr->op) ? GY_VISIT_STOP : GY_VISIT_PARTS;
    }
}

bool gy_is_safe(const gy_reduction *r, gy_who who, const gy_expr *expr)
{
    safety s = {r, who};
    return !gy_visit_expr(&(gy_visitor){.user = &s, .expr = stop_at_fault}, expr);
}

// Others change its value.
static gy_visit_next stop_at_shared(void *user, const gy_expr *expr)
{
    const safety *s = user;
    if (expr->op == GY_E_VAR) {
        bool global = s->r->model->vars[expr->var].owner == GY_NONE;
        return global && !s->r->stable[expr->var] ? GY_VISIT_STOP : GY_VISIT_PARTS;
    }
    return gy_op_asks_channel(expr->op) || expr->op == GY_E_NR_PR || expr->op == GY_E_REMOTE_VAR ||
                   expr->op == GY_E_REMOTE_LABEL || expr->op == GY_E_GET_PRIORITY ||
                   expr->op == GY_E_ENABLED || expr->op == GY_E_PC_VALUE || expr->op == GY_E_C
               ? GY_VISIT_STOP
               : GY_VISIT_PARTS;
}

// By zero, out of bounds, a channel that is not there, one that another process claims, a process
// that is of another type.
static gy_visit_next stop_at_shared_fault(void *user, const gy_expr *expr)
{
    bool divides = expr->op == GY_E_DIV || expr->op == GY_E_MOD;
    bool looks_up = expr->op == GY_E_INDEX || gy_op_asks_channel(expr->op);
    const gy_expr *decides = divides ? expr->b : looks_up ? expr->a : NULL;
    if (expr->op == GY_E_EXCLUSIVE || expr->op == GY_E_REMOTE_VAR || expr->op == GY_E_C)
        return GY_VISIT_STOP;
    return decides && gy_visit_expr(&(gy_visitor){.user = user, .expr = stop_at_shared}, decides)
               ? GY_VISIT_STOP
               : GY_VISIT_PARTS;
}

bool gy_may_come_to_fail(const gy_reduction *r, gy_who who, const gy_expr *expr)
{
    safety s = {r, who};
    return gy_visit_expr(&(gy_visitor){.user = &s, .expr = stop_at_shared_fault}, expr);
}

// A store that is examined from an expression.
typedef struct storing {
    const gy_reduction *r;
    gy_who who; // whose expression it is
    uint32_t cell;
    int32_t value;
} storing;

static bool value_after(const storing *s, const gy_expr *expr, int32_t *value)
{
    if (is_cell(s->r, s->who, expr, s->cell)) {
        *value = s->value;
        return true;
    }
    return gy_known_value(s->r, s->who, expr, value);
}

// The truth of an expression once the value was stored. False: it depends on other things.
static bool truth_after(const storing *s, const gy_expr *expr, bool *truth)
{
    int32_t x, y;
    bool a = false, b = false, know_a, know_b;
    switch (expr->op) {
    case GY_E_NOT:
        know_a = truth_after(s, expr->a, &a);
        *truth = !a;
        return know_a;
    case GY_E_AND:
    case GY_E_OR:
        know_a = truth_after(s, expr->a, &a);
        know_b = truth_after(s, expr->b, &b);
        *truth = expr->op == GY_E_OR;
        if ((know_a && a == *truth) || (know_b && b == *truth))
            return true;
        *truth = !*truth;
        return know_a && know_b;
    default:
        if (gy_op_is_comparison(expr->op)) {
            if (!value_after(s, expr->a, &x) || !value_after(s, expr->b, &y) ||
                !gy_fold_binary(expr->op, x, y, &x))
                return false;
        } else if (!value_after(s, expr, &x)) {
            return false;
        }
        *truth = x != 0;
        return true;
    }
}

// Whatever the state, does the store leave an expression alone that has this truth?
static bool stays(const storing *s, const gy_expr *expr, bool truth)
{
    bool after = !truth;
    if (!expr || !reads(s->r, s->who, expr, s->cell))
        return true;
    if (truth_after(s, expr, &after) && after == truth)
        return true;
    switch (expr->op) {
    case GY_E_NOT:
        return stays(s, expr->a, !truth);
    case GY_E_AND:
    case GY_E_OR:
        return stays(s, expr->a, truth) && stays(s, expr->b, truth);
    default:
        return false;
    }
}

// ---- two edges ----------------------------------------------------------------------

static const gy_value_store *store_into(const gy_values *values, uint32_t cell)
{
    for (uint32_t i = 0; i < values->store_count; i++)
        if (values->stores[i].cell == cell)
            return &values->stores[i];
    return NULL;
}

// Does a store leave the guard of an edge true?
static bool leaves(const gy_reduction *r, const gy_values *of, const gy_value_store *store)
{
    storing s = {r, of->who, store ? store->cell : 0, store ? store->value : 0};
    if (!store)
        return true;
    return store->adds ? !of->guard || !reads(r, of->who, of->guard, store->cell)
                       : stays(&s, of->guard, true);
}

static bool accord_at(const gy_reduction *r, const gy_values *a, const gy_values *b, uint32_t cell)
{
    if (gy_bits_has(a->hard, cell) || gy_bits_has(b->hard, cell))
        return false;
    const gy_value_store *x = store_into(a, cell), *y = store_into(b, cell);
    if (x && y && (x->adds != y->adds || (!x->adds && x->value != y->value)))
        return false;
    return leaves(r, a, y) && leaves(r, b, x);
}

typedef struct interval {
    int64_t low, high;
    bool outside;
} interval;

static interval interval_of(const gy_wait *wait)
{
    int64_t low = (int32_t)wait->low;
    return (interval){low, low + wait->span, wait->inverted};
}

static bool is_disjoint(interval a, interval b)
{
    if (a.outside && b.outside)
        return false;
    if (a.outside)
        return b.low >= a.low && b.high <= a.high;
    if (b.outside)
        return a.low >= b.low && a.high <= b.high;
    return a.high < b.low || b.high < a.low;
}

// Some variable would have to have two values.
static bool never_together(const gy_edge_view *a, const gy_edge_view *b)
{
    if (!a->safe || !b->safe)
        return false;
    for (uint32_t i = 0; i < a->wait_count; i++)
        for (uint32_t k = 0; k < b->wait_count; k++) {
            const gy_wait *x = &a->waits[i], *y = &b->waits[k];
            if (x->kind == GY_WAIT_VALUE && y->kind == GY_WAIT_VALUE && x->var == y->var &&
                x->var->owner == GY_NONE && x->element == y->element &&
                is_disjoint(interval_of(x), interval_of(y)))
                return true;
        }
    return false;
}

bool gy_edges_accord(const gy_reduction *r, const gy_edge_view *a, const gy_edge_view *b)
{
    if (!gy_footprint_conflict(r, a->chain, b->threat) || never_together(a, b))
        return true;
    if (!a->values || !b->values)
        return false;
    gy_footprint x = a->chain, y = b->threat;
    for (uint32_t w = 0; w < r->words; w++) {
        if ((x.reads[w] & y.marks[w]) | (x.marks[w] & y.reads[w]))
            return false;
        uint64_t both = (x.writes[w] & (y.writes[w] | y.reads[w])) | (x.reads[w] & y.writes[w]);
        for (; both; both &= both - 1)
            if (!accord_at(r, a->values, b->values, w * 64 + (uint32_t)__builtin_ctzll(both)))
                return false;
    }
    return true;
}

bool gy_edge_helps(const gy_reduction *r, gy_who who, const gy_edge_view *edge, const gy_wait *wait,
                   const gy_edge_view *theirs)
{
    if (gy_cells_meet(r, wait->cells, theirs->threat.marks))
        return true;
    if (!gy_cells_meet(r, wait->cells, theirs->threat.writes))
        return false;
    if (!wait->expr || !edge->safe || !theirs->values)
        return true;
    for (uint32_t w = 0; w < r->words; w++)
        for (uint64_t both = wait->cells[w] & theirs->threat.writes[w]; both; both &= both - 1) {
            uint32_t cell = w * 64 + (uint32_t)__builtin_ctzll(both);
            const gy_value_store *store = store_into(theirs->values, cell);
            storing s = {r, who, cell, store ? store->value : 0};
            if (!store || store->adds || gy_bits_has(theirs->values->hard, cell) ||
                !stays(&s, wait->expr, false))
                return true;
        }
    return false;
}
