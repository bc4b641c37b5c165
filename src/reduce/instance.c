// Building instances and rows. See instance.h.
#include "reduce/instance.h"

#include "model/operators.h"

// ---- reasons to wait ----------------------------------------------------------------

typedef struct waits {
    const gy_reduction *r;
    gy_arena *arena;
    gy_who who;
    GY_VEC(gy_wait) list;
    bool timeout; // never holds while any other process is enabled
} waits;

static uint64_t *new_set(const waits *w)
{
    return GY_NEW_ARRAY(w->arena, uint64_t, w->r->words);
}

static gy_wait *add_wait(waits *w, gy_wait_kind kind, const uint64_t *cells)
{
    gy_wait wait = {.kind = kind, .cells = cells};
    gy_vec_push(&w->list, wait);
    return &w->list.at[w->list.n - 1];
}

static void wait_for_channel(waits *w, gy_wait_kind kind, const gy_expr *chan)
{
    gy_channel_use use = gy_channel_used(w->r, w->who, chan);
    bool by_send = kind == GY_WAIT_MESSAGE || kind == GY_WAIT_FULL;
    uint64_t *cells = new_set(w);
    gy_channel_cells(w->r, use, !by_send, by_send, cells);
    gy_read_cells(w->r, w->who, chan, cells);
    add_wait(w, use.id ? kind : GY_WAIT_PERHAPS, cells)->id = use.id;
}

// "variable op constant" as low <= value <= low + span, or not.
static bool as_range(gy_expr_op op, int32_t bound, gy_wait *wait)
{
    wait->inverted = op == GY_E_NE;
    wait->low = (uint32_t)INT32_MIN;
    switch (op) {
    case GY_E_EQ:
    case GY_E_NE:
        wait->low = (uint32_t)bound;
        wait->span = 0;
        return true;
    case GY_E_LT:
    case GY_E_LE:
        if (op == GY_E_LT && bound == INT32_MIN)
            return false;
        wait->span = (uint32_t)bound - (op == GY_E_LT) - wait->low;
        return true;
    case GY_E_GT:
    case GY_E_GE:
        if (op == GY_E_GT && bound == INT32_MAX)
            return false;
        wait->low = (uint32_t)bound + (op == GY_E_GT);
        wait->span = (uint32_t)INT32_MAX - wait->low;
        return true;
    default:
        return false;
    }
}

static bool locate(const waits *w, const gy_expr *expr, gy_wait *wait)
{
    const gy_variable *var;
    int32_t element = 0;
    if (expr->op != GY_E_VAR)
        return false;
    var = &w->r->model->vars[expr->var];
    if (var->hidden || (expr->a && !gy_known_value(w->r, w->who, expr->a, &element)) ||
        element < 0 || (uint32_t)element >= var->count)
        return false;
    wait->var = var;
    wait->element = (uint32_t)element;
    return true;
}

static void wait_for_value(waits *w, const gy_expr *expr)
{
    gy_wait value = {.kind = GY_WAIT_VALUE};
    const gy_expr *var = expr;
    gy_expr_op op = GY_E_NE;
    int32_t bound = 0;
    uint64_t *cells = new_set(w);
    gy_read_cells(w->r, w->who, expr, cells);
    if (expr->op == GY_E_NOT) {
        var = expr->a;
        op = GY_E_EQ;
    } else if (gy_op_is_comparison(expr->op)) {
        var = expr->a;
        op = gy_known_value(w->r, w->who, expr->b, &bound) ? expr->op : GY_E_CONST;
    }
    if (!as_range(op, bound, &value) || !locate(w, var, &value))
        value.kind = GY_WAIT_PERHAPS;
    value.cells = cells;
    value.expr = expr;
    gy_vec_push(&w->list, value);
}

static void wait_for_conjunct(void *user, const gy_expr *expr)
{
    waits *w = user;
    switch (expr->op) {
    case GY_E_TIMEOUT:
        w->timeout = true;
        break;
    case GY_E_NEMPTY:
        wait_for_channel(w, GY_WAIT_MESSAGE, expr->a);
        break;
    case GY_E_EMPTY:
        wait_for_channel(w, GY_WAIT_NOTHING, expr->a);
        break;
    case GY_E_FULL:
        wait_for_channel(w, GY_WAIT_FULL, expr->a);
        break;
    case GY_E_NFULL:
        wait_for_channel(w, GY_WAIT_ROOM, expr->a);
        break;
    default:
        wait_for_value(w, expr);
        break;
    }
}

// A message that does not match: another one must come to the front, or the values to match
// change. With `??` a new message anywhere may do.
static void wait_for_match(waits *w, const gy_edge *edge, gy_channel_use use)
{
    bool selective = edge->random;
    uint64_t *cells = new_set(w);
    for (uint32_t f = 0; f < edge->field_count; f++)
        selective |= edge->fields[f].kind == GY_FIELD_MATCH;
    if (!selective)
        return;
    gy_channel_cells(w->r, use, true, edge->random, cells);
    gy_match_cells(w->r, w->who, edge, cells);
    add_wait(w, use.id ? GY_WAIT_MATCH : GY_WAIT_PERHAPS, cells)->id = use.id;
}

static void wait_to_synchronise(waits *w, const gy_edge *edge, gy_edge_view *view)
{
    gy_channel_use use;
    if (edge->sync == GY_SYNC_NONE)
        return;
    bool sends = edge->sync == GY_SYNC_SEND;
    use = gy_channel_used(w->r, w->who, edge->chan);
    if (use.may_meet) {
        uint64_t *cells = new_set(w);
        gy_channel_cells(w->r, use, sends, !sends, cells);
        gy_match_cells(w->r, w->who, edge, cells);
        gy_read_cells(w->r, w->who, edge->guard, cells);
        gy_read_cells(w->r, w->who, w->r->model->templates[edge->tmpl].provided, cells);
        view->always = cells;
    }
    if (!use.may_buffer)
        return;
    wait_for_channel(w, sends ? GY_WAIT_ROOM : GY_WAIT_MESSAGE, edge->chan);
    if (!sends)
        wait_for_match(w, edge, use);
}

// ---- instances ----------------------------------------------------------------------

static void add_started(const gy_reduction *r, const gy_edge *edge, gy_footprint to)
{
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++)
        if (edge->effect->actions[i].kind == GY_A_RUN)
            gy_footprint_add(r, to, r->life[edge->effect->actions[i].tmpl]);
}

static void view_edge(const gy_reduction *r, gy_arena *arena, gy_who who, const gy_edge *edge,
                      gy_edge_view *view)
{
    waits w = {.r = r, .arena = arena, .who = who};
    view->threat = gy_footprint_new(r, arena);
    gy_footprint_add(r, view->threat, view->chain);
    add_started(r, edge, view->threat);
    view->is_end = edge->kind == GY_EDGE_END;
    view->is_else = edge->kind == GY_EDGE_ELSE;
    gy_conjunct_each(r->model->templates[edge->tmpl].provided, wait_for_conjunct, &w);
    gy_conjunct_each(edge->guard, wait_for_conjunct, &w);
    wait_to_synchronise(&w, edge, view);
    view->needs_timeout = w.timeout;
    view->wait_count = (uint32_t)w.list.n;
    view->waits = GY_NEW_ARRAY(arena, gy_wait, w.list.n + 1);
    if (w.list.n)
        memcpy((void *)view->waits, w.list.at, w.list.n * sizeof *w.list.at);
    gy_vec_free(&w.list);
    view->safe = gy_is_safe(r, who, edge->guard) &&
                 gy_is_safe(r, who, r->model->templates[edge->tmpl].provided);
    view->may_fail = gy_may_come_to_fail(r, who, edge->guard);
    view->values = gy_values_of(r, arena, who, edge);
    if (r->observed)
        view->visible = gy_cells_meet(r, r->observed, view->chain.writes) ||
                        gy_cells_meet(r, r->observed, view->chain.marks);
}

gy_instance *gy_instance_new(const gy_reduction *r, gy_arena *arena, const gy_instance *before,
                             int32_t tmpl, gy_who who)
{
    const gy_template *t = &r->model->templates[tmpl];
    gy_instance *instance = GY_NEW(arena, gy_instance);
    uint32_t rows = 0;
    instance->number = before ? before->number + 1 : 0;
    instance->point = before ? before->point + before->node_count : 0;
    instance->node_count = t->node_count;
    instance->tmpl = tmpl;
    instance->who = who;
    instance->edges = GY_NEW_ARRAY(arena, gy_edge_view, t->edge_count + 1);
    instance->first_row = GY_NEW_ARRAY(arena, uint32_t, t->edge_count + 1);
    gy_footprint *chains = GY_NEW_ARRAY(arena, gy_footprint, t->edge_count + 1);
    gy_footprint *rests = GY_NEW_ARRAY(arena, gy_footprint, t->edge_count + 1);
    for (int32_t k = 0; k < t->edge_count; k++) {
        chains[k] = instance->edges[k].chain = gy_footprint_new(r, arena);
        rests[k] = instance->edges[k].rest = gy_footprint_new(r, arena);
    }
    gy_footprint_chains(r, who, tmpl, chains, rests);
    for (int32_t k = 0; k < t->edge_count; k++) {
        view_edge(r, arena, who, &r->model->edges[t->first_edge + k], &instance->edges[k]);
        instance->first_row[k] = rows;
        rows += GY_ROW_WAITS + instance->edges[k].wait_count;
    }
    instance->rows = GY_NEW_ARRAY(arena, gy_row, rows + 1);
    return instance;
}

// ---- rows ---------------------------------------------------------------------------

// Does edge `theirs` of another instance matter to row `which` of an edge?
static bool matters(const gy_reduction *r, const gy_instance *instance, const gy_edge_view *edge,
                    uint32_t which, const gy_edge_view *theirs)
{
    if (which == GY_ROW_CONFLICTS)
        return !gy_edges_accord(r, edge, theirs);
    if (which >= GY_ROW_WAITS)
        return gy_edge_helps(r, instance->who, edge, &edge->waits[which - GY_ROW_WAITS], theirs);
    return edge->always && (gy_cells_meet(r, edge->always, theirs->threat.writes) ||
                            gy_cells_meet(r, edge->always, theirs->threat.marks));
}

static uint64_t *make_row(const gy_reduction *r, gy_arena *arena, const gy_instance *instance,
                          const gy_edge_view *edge, uint32_t which, const gy_instance *other)
{
    const gy_template *tmpl = &r->model->templates[other->tmpl];
    uint32_t words = r->reach_words[other->tmpl];
    uint64_t *those = gy_alloc_zero(words * sizeof *those), any = 0;
    uint64_t *nodes = GY_NEW_ARRAY(arena, uint64_t, gy_bits_words(tmpl->node_count));
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (matters(r, instance, edge, which, &other->edges[k]))
            gy_bits_add(those, (uint32_t)k);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        const uint64_t *ahead = r->reach[other->tmpl] + (size_t)n * words;
        uint64_t both = 0;
        for (uint32_t w = 0; w < words; w++)
            both |= ahead[w] & those[w];
        if (both)
            gy_bits_add(nodes, n);
        any |= both;
    }
    free(those);
    return any ? nodes : NULL;
}

const uint64_t *gy_instance_row(const gy_reduction *r, gy_arena *arena, gy_instance *instance,
                                uint32_t edge, uint32_t which, const gy_instance *other)
{
    static const uint64_t none[1] = {0}; // a row that was made and is empty
    gy_row *row = &instance->rows[instance->first_row[edge] + which];
    if (other->number >= row->room) {
        uint32_t room = 8;
        while (room <= other->number)
            room *= 2;
        row->at =
            gy_arena_grow(arena, row->at, row->room * sizeof *row->at, room * sizeof *row->at);
        row->room = room;
    }
    uint64_t **nodes = &row->at[other->number];
    if (!*nodes) {
        *nodes = make_row(r, arena, instance, &instance->edges[edge], which, other);
        if (!*nodes)
            *nodes = (uint64_t *)none;
    }
    return *nodes == none ? NULL : *nodes;
}
