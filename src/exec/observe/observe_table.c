// Never claims that only look: no variables, no effects, nothing but guards, and none that goes
// before others (unless). Their moves from a node depend on which of its guards hold, and are kept
// in a table by node and these answers. Nothing changes after it was made, so that any number of
// threads may use it.
#include "exec/observe/observe_table.h"

#include "base/vec.h"
#include "exec/view.h"
#include "model/atoms.h"

enum { MOST_GUARDS = 10, MOST_ROWS = 1 << 14 };

typedef struct place {
    uint32_t first_guard, guard_count;
    uint32_t first_row;
} place;

typedef struct table {
    GY_VEC(place) places; // by node
    GY_VEC(gy_atom) guards;
    GY_VEC(uint32_t) rows; // where its transitions begin; one entry more
    GY_VEC(gy_observer_move) moves;
} table;

static void table_free(void *self)
{
    table *t = self;
    gy_vec_free(&t->places);
    gy_vec_free(&t->guards);
    gy_vec_free(&t->rows);
    gy_vec_free(&t->moves);
    free(t);
}

// A guard that cannot be evaluated is taken not to hold.
static const gy_observer_move *table_all_moves(void *self, gy_worker *worker, const gy_word *state,
                                               uint32_t words, uint32_t at, uint32_t *count)
{
    const table *t = self;
    const place *p = &t->places.at[at];
    uint64_t unknown,
        answers = gy_state_view_truths(worker, state, words, t->guards.at + p->first_guard,
                                       p->guard_count, &unknown);
    const uint32_t *row = &t->rows.at[p->first_row + answers];
    *count = row[1] - row[0];
    return t->moves.at + row[0];
}

static void table_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                        uint32_t at, gy_observer_visit *visit, void *user)
{
    uint32_t count;
    const gy_observer_move *moves = table_all_moves(self, worker, state, words, at, &count);
    for (uint32_t i = 0; i < count; i++)
        visit(user, &moves[i]);
}

// ---- making one -----------------------------------------------------------------------------

static bool only_looks(const gy_model *model, const gy_template *tmpl)
{
    if (tmpl->var_count > 0 || gy_model_has_flag(model, GY_NODE_ACCEPT))
        return false;
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (edge->effect || edge->keeps_atomic || edge->needs_timeout ||
            edge->sync != GY_SYNC_NONE || edge->escape)
            return false;
    }
    return true;
}

static void add_row(table *t, const gy_model *model, const gy_template *tmpl, const gy_node *node,
                    uint32_t answers)
{
    bool moved = false;
    uint32_t guard = 0;
    gy_vec_push(&t->rows, (uint32_t)t->moves.n);
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &model->edges[node->first_edge + k];
        bool holds = edge->guard ? answers >> guard++ & 1 : true;
        if (edge->kind == GY_EDGE_END || (edge->kind == GY_EDGE_ELSE && moved) || !holds)
            continue;
        bool ends = tmpl->nodes[edge->to].flags & (GY_NODE_END | GY_NODE_FINAL);
        gy_observer_move move = {.to = (uint32_t)edge->to,
                                 .marks = node->flags & GY_NODE_ACCEPT ? 1 : 0,
                                 .sight = ends ? GY_SEES_END : GY_SEES_NOTHING,
                                 .edge = node->first_edge + k};
        gy_vec_push(&t->moves, move);
        moved = true;
    }
}

static bool add_place(table *t, const gy_model *model, const gy_template *tmpl, const gy_node *node)
{
    place p = {.first_guard = (uint32_t)t->guards.n, .first_row = (uint32_t)t->rows.n};
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &model->edges[node->first_edge + k];
        if (edge->guard)
            gy_vec_push(&t->guards, gy_model_atom(model, edge->guard));
    }
    p.guard_count = (uint32_t)t->guards.n - p.first_guard;
    if (p.guard_count > MOST_GUARDS || t->rows.n > MOST_ROWS)
        return false;
    for (uint32_t answers = 0; answers >> p.guard_count == 0; answers++)
        add_row(t, model, tmpl, node, answers);
    gy_vec_push(&t->places, p);
    return true;
}

static bool always_holds(const gy_expr *guard)
{
    return !guard || (guard->op == GY_E_CONST && guard->value != 0);
}

// Can it stay where it begins, which does not accept, and never come back?
static bool is_waiting(const gy_model *model, const gy_template *tmpl)
{
    bool stays = false;
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        if (edge->to == tmpl->initial && edge->from != tmpl->initial)
            return false;
        stays = stays || (edge->to == tmpl->initial && edge->kind == GY_EDGE_NORMAL &&
                          always_holds(edge->guard));
    }
    return stays && !(tmpl->nodes[tmpl->initial].flags & GY_NODE_ACCEPT);
}

gy_observer *gy_observe_by_table(const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    if (!only_looks(model, tmpl))
        return NULL;
    table *t = gy_alloc_zero(sizeof *t);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        if (!add_place(t, model, tmpl, &tmpl->nodes[n])) {
            table_free(t);
            return NULL;
        }
    }
    gy_vec_push(&t->rows, (uint32_t)t->moves.n);
    return gy_observer_of((gy_observer){.self = t,
                                        .states = tmpl->node_count,
                                        .initial = (uint32_t)tmpl->initial,
                                        .bounded = true,
                                        .sets = 1,
                                        .stutters = true,
                                        .waits = is_waiting(model, tmpl),
                                        .moves = table_moves,
                                        .all_moves = table_all_moves,
                                        .free = table_free});
}
