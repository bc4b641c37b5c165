#include "model/passes/cell_uses.h"

#include "model/visit.h"

#include <string.h>

typedef struct finder {
    const gy_edge_boxes *b;
    const gy_edge *edge;
    gy_cell cell;
    gy_cell_use *use;
} finder;

// ---- indices ----------------------------------------------------------------------------

typedef enum { THIS, ANOTHER, DECIDED, ANY } which;

static const gy_expr *unchecked(const gy_expr *index)
{
    return index && index->op == GY_E_INDEX ? index->a : index;
}

// Which element does the index mean? DECIDED: the one with the number that a decider has when the
// edge begins.
static which element_of(const finder *f, const gy_expr *index)
{
    index = unchecked(index);
    if (!index)
        return f->b->model->vars[f->cell.var].count == 1 ? THIS : ANY;
    if (index->op == GY_E_CONST)
        return index->value == (int32_t)f->cell.element ? THIS : ANOTHER;
    if (index->op == GY_E_VAR && !index->a && gy_bits_has(f->b->deciders, index->var) &&
        !gy_edge_changes(f->edge, index->var))
        return DECIDED;
    return ANY;
}

// ---- reads ------------------------------------------------------------------------------

static void add_read(const finder *f, const gy_expr *index, gy_box box)
{
    which element = element_of(f, index);
    gy_box_forget(&box, f->cell.var);
    if (element == ANOTHER ||
        (element == DECIDED &&
         !gy_box_narrow(&box, unchecked(index)->var, gy_interval_of((int32_t)f->cell.element))))
        return;
    gy_boxes_add(f->b->model, &f->use->reads, &box);
}

typedef struct read_finder {
    const finder *f;
    const gy_box *box;
} read_finder;

static gy_visit_next find_read(void *user, const gy_expr *expr)
{
    const read_finder *r = user;
    if (expr->op == GY_E_VAR && expr->var == r->f->cell.var)
        add_read(r->f, expr->a, *r->box);
    return GY_VISIT_PARTS;
}

static void find_step_reads(const finder *f, const gy_box *firing)
{
    read_finder r = {f, firing};
    gy_visitor visitor = {.user = &r, .expr = find_read};
    gy_visit_expr(&visitor, f->edge->chan);
    gy_visit_fields(&visitor, f->edge->fields, f->edge->field_count);
    gy_visit_program(&visitor, f->edge->effect);
}

// A guard is examined whether or not it holds. Where its other conditions fail, it fails whatever
// the cell holds, unless computing it can go wrong.
static void find_guard_reads(const finder *f)
{
    gy_box box = {0};
    const gy_expr *guard = f->edge->guard;
    if (guard && !gy_expr_can_fail(f->b->model, guard) && !gy_box_assume(f->b, &box, guard, true))
        box.count = 0;
    read_finder r = {f, &box};
    gy_visit_expr(&(gy_visitor){.user = &r, .expr = find_read}, guard);
}

// ---- stores -----------------------------------------------------------------------------

static void find_array_stores(const finder *f)
{
    const gy_program *effect = f->edge->effect;
    for (uint32_t i = 0; f->edge->sync == GY_SYNC_RECV && i < f->edge->field_count; i++)
        f->use->may_store |= f->edge->fields[i].kind == GY_FIELD_STORE &&
                             f->edge->fields[i].var == f->cell.var &&
                             element_of(f, f->edge->fields[i].index) != ANOTHER;
    for (uint32_t i = 0; effect && i < effect->count; i++) {
        const gy_action *action = &effect->actions[i];
        for (uint32_t k = 0; k < action->field_count; k++)
            f->use->may_store |=
                action->fields[k].kind == GY_FIELD_STORE && action->fields[k].var == f->cell.var;
        which element = element_of(f, action->index);
        if (!gy_action_has_result(action) || action->var != f->cell.var || element == ANOTHER)
            continue;
        f->use->may_store = true;
        if (action->kind != GY_A_ASSIGN || !gy_program_is_straight(effect))
            continue;
        f->use->overwrites |= element == THIS;
        if (element == DECIDED)
            f->use->index = unchecked(action->index)->var;
    }
}

static void behind(const gy_liveness *live, const gy_edge *edge, uint64_t *work)
{
    size_t bytes = live->words * sizeof *work;
    memset(work, 0, bytes);
    if (edge->to != GY_NONE)
        memcpy(work, live->sets + (size_t)edge->to * live->words, bytes);
}

void gy_cell_use_find(const gy_cell_asks *asks, const gy_edge *edge, const gy_box *firing,
                      gy_cell cell, gy_cell_use *use)
{
    const gy_edge_boxes *b = asks->b;
    const gy_liveness *live = asks->live;
    const uint64_t *own = asks->own;
    uint64_t *work = asks->work;
    finder f = {b, edge, cell, use};
    bool is_array = b->model->vars[cell.var].count > 1;
    *use = (gy_cell_use){.index = GY_NONE};
    find_guard_reads(&f);
    behind(live, edge, work);
    if (is_array) { // whose elements may be computed from each other
        gy_liveness_pass(b->model, edge, own, work);
        if (gy_bits_has(work, cell.var))
            find_step_reads(&f, firing);
        find_array_stores(&f);
        return;
    }
    gy_bits_drop(work, cell.var); // what is computed for the cell itself counts as it does then
    gy_liveness_pass(b->model, edge, own, work);
    if (gy_bits_has(work, cell.var))
        add_read(&f, NULL, *firing);
    behind(live, edge, work);
    gy_bits_add(work, cell.var);
    gy_liveness_pass(b->model, edge, own, work);
    use->overwrites = !gy_bits_has(work, cell.var);
    use->may_store = gy_edge_changes(edge, cell.var);
}
